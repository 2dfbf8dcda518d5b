//! Calls that are answered from the file of recorded answers.

use pantin_model::catalog::Rich;
use pantin_model::trace::Answer;
use pantin_values::format::literal;
use pantin_values::{Fault, Value};
use pantin_world::{RecordedAnswer, is_name_lookup, without_objects};

use super::Compiler;

/// The function of PuppetDB's plug-in.
const PUPPETDB: &str = "puppetdb_query";

impl Compiler<'_> {
    /// Returns true if calls of a function are answered from the file, and its code is not asked for.
    pub(super) fn is_answered(&self, function: &str) -> bool {
        self.request.answers.has(function) && !self.request.answers.runs_functions
    }

    /// Answers a call. A function that has answers has to have one for each call; the one that asks PuppetDB is known by its name.
    pub(super) fn recorded_answer(&mut self, function: &str, arguments: &[Value]) -> Answer {
        let answers = std::sync::Arc::clone(&self.request.answers);
        if is_name_lookup(function) {
            return match answers.name_answer(function, arguments) {
                Ok(answer) => answer.map_or(Answer::Absent, Answer::Value),
                Err(reason) => Answer::Fault(Fault::limit(reason)),
            };
        }
        match answers.get(function, arguments) {
            Some(RecordedAnswer::Value(answer)) => return Answer::Value(answer.clone()),
            Some(RecordedAnswer::NotFound) => return self.answer_not_found(function, arguments),
            Some(RecordedAnswer::Open) | None => {}
        }
        let shown: Vec<String> = without_objects(arguments).map(|argument| literal(argument).to_string()).collect();
        let shown = shown.join(", ");
        let message = match answers.has(function) {
            true => format!("There is no recorded answer to {function}({shown})"),
            false if function == PUPPETDB => format!(
                "{function}({shown}) asks PuppetDB, which is not asked here: --answers FILE says what it would answer"
            ),
            false => return Answer::Absent,
        };
        answers.note(function, arguments, RecordedAnswer::Open);
        let help = match (self.item_to_fill_in(function, arguments), answers.records()) {
            (Some(_), true) => "; it is in the file now, and its answer is to be filled in there".to_owned(),
            (Some(item), false) => format!("; the item for it: {item}"),
            (None, _) => String::new(),
        };
        Answer::Fault(Fault::new(message + &help))
    }

    /// Has a back end of Hiera find nothing, as its own code does it.
    fn answer_not_found(&mut self, function: &str, arguments: &[Value]) -> Answer {
        let context = arguments.iter().find_map(|argument| match argument {
            Value::Object(object) => Some(object),
            _ => None,
        });
        match context {
            Some(context) => self.context_method(context, "not_found", &[]),
            None => Answer::Fault(Fault::new(format!(
                "The recorded answer to {function} is \"not_found\": only a back end of Hiera can say that"
            ))),
        }
    }

    /// Returns the item that the file needs for a call, in one line. `None`: a secret may be among the arguments.
    fn item_to_fill_in(&self, function: &str, arguments: &[Value]) -> Option<String> {
        let decrypts = self.lookups.as_ref().is_some_and(|lookups| lookups.has_decrypted());
        if decrypts || arguments.iter().any(Value::holds_sensitive) {
            return None;
        }
        let json = |value: &Value| serde_json::to_string(&Rich::from_value(value)).ok();
        let arguments = without_objects(arguments).map(json).collect::<Option<Vec<_>>>()?;
        let function = json(&function.into())?;
        Some(format!("{{\"function\": {function}, \"arguments\": [{}], \"answer\": …}}", arguments.join(", ")))
    }
}
