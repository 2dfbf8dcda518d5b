//! One look-up of a name: what is asked, and what is said where there is no answer.
//! It must not know what the answer becomes in Ruby.

use pantin_base::inspect;
use pantin_values::Value as Answer;

use crate::border::{UndefSymbol, outward};
use crate::interp::Interp;
use crate::stop::Flow;
use crate::value::Value;

/// Where a resolver keeps its configuration.
pub(super) const CONFIG: &str = "@config_info";

/// A question to whoever knows names, as it stands in the file of answers.
pub(super) struct NameLookup {
    pub(super) function: &'static str,
    pub(super) arguments: Vec<Answer>,
    /// An element of an answer, as JSON.
    pub(super) example: String,
}

/// One whose answer is a list of texts.
pub(super) struct TextLookup {
    pub(super) function: &'static str,
    pub(super) example: &'static str,
}

impl TextLookup {
    pub(super) fn answers(&self, interp: &mut Interp<'_>, of: &str) -> Flow<Vec<Answer>> {
        let example = format!("\"{}\"", self.example);
        NameLookup { function: self.function, arguments: vec![of.into()], example }.run(interp)
    }

    pub(super) fn run(&self, interp: &mut Interp<'_>, of: &str) -> Flow<Vec<String>> {
        let mut texts = Vec::new();
        for answer in self.answers(interp, of)? {
            let text = answer_text(interp, &answer)?;
            texts.push(text);
        }
        Ok(texts)
    }
}

impl NameLookup {
    /// Returns what was found: nothing is an answer too.
    pub(super) fn run(self, interp: &mut Interp<'_>) -> Flow<Vec<Answer>> {
        let answered = interp.outside.name_lookup(self.function, &self.arguments);
        match interp.outside(answered)? {
            Some(Answer::Array(found)) => Ok(found.to_vec()),
            Some(_) => interp.fatal(format!("the recorded answer to {} is no array", self.shown())),
            // There it may be looked up: a person has opened that hole.
            None if interp.outside.has_own_ruby() => interp.unsupported(format!("the look-up {}", self.shown())),
            None => interp.fatal(format!(
                "Ruby code of modules would look up {}: names are not looked up here; --answers FILE says what is found, \
                 as {{\"function\": \"{}\", \"arguments\": [{}], \"answer\": [{}]}}, and with --record it is looked up \
                 and kept there",
                self.shown(),
                self.function,
                json_list(&self.arguments),
                self.example
            )),
        }
    }

    fn shown(&self) -> String {
        format!("{}({})", self.function, json_list(&self.arguments))
    }
}

/// The same of a resolver that may have been configured.
pub(super) fn dns_lookup(interp: &mut Interp<'_>, dns: &Value, mut lookup: NameLookup) -> Flow<Vec<Answer>> {
    let config = interp.instance_variable(dns, &CONFIG.into())?;
    if !config.is_nil() {
        match outward(&config, UndefSymbol::Undef) {
            Ok(config) => lookup.arguments.push(with_text_keys(config)),
            Err(_) => {
                let shown = interp.inspect(&config)?;
                return interp.unsupported(format!("the configuration {shown} of Resolv::DNS"));
            }
        }
    }
    lookup.run(interp)
}

/// JSON has no symbols.
fn with_text_keys(value: Answer) -> Answer {
    match value {
        Answer::Symbol(name) => Answer::String(name),
        Answer::Array(items) => Answer::array(items.iter().cloned().map(with_text_keys)),
        Answer::Hash(entries) => Answer::hash(
            entries.iter().map(|(key, value)| (with_text_keys(key.clone()), with_text_keys(value.clone()))),
        ),
        other => other,
    }
}

pub(super) fn answer_text(interp: &mut Interp<'_>, answer: &Answer) -> Flow<String> {
    match answer {
        Answer::String(text) => Ok(text.to_string()),
        other => interp.fatal(format!("a recorded answer to the look-up of a name has {} for a text", json(other))),
    }
}

fn json_list(values: &[Answer]) -> String {
    values.iter().map(json).collect::<Vec<_>>().join(", ")
}

pub(super) fn json(value: &Answer) -> String {
    match value {
        Answer::Undef => "null".to_owned(),
        Answer::String(text) => {
            let mut shown = String::new();
            inspect::push_quoted(&mut shown, text);
            shown
        }
        Answer::Array(items) => format!("[{}]", json_list(items)),
        Answer::Hash(entries) => {
            let pairs = entries.iter().map(|(key, value)| format!("{}: {}", json(key), json(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        other => pantin_values::ops::to_s(other).to_string(),
    }
}
