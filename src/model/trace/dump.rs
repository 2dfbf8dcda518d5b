//! Traces as text for people: questions, effects, and where traces part. Shows no secret.

use std::fmt::Write;

use pantin_values::{Digest, NamedValues, Str, Value};

use super::nodes::Index;
use super::step::Sample;
use super::tree::At;
use super::{
    Answer, Container, Effect, End, FunctionCaller, Layer, Outcome, Question, ResourcePart, SharedLocal, Step, Trace,
    Tree,
};

/// Longer texts are cut.
const WIDTH: usize = 100;

impl Trace {
    pub fn dump(&self) -> String {
        let mut text = String::new();
        for recorded in &self.steps {
            let _ = writeln!(
                text,
                "{} → {}",
                step_text(&recorded.step),
                reply_text(&recorded.digest(), recorded.sample().map(Sample::value).as_ref())
            );
        }
        let _ = writeln!(text, "{}", end_text(&self.end));
        text
    }
}

impl Tree {
    /// Steps below each other; where a body was told different things, each with its way indented below it.
    pub fn dump(&self) -> String {
        let mut text = String::new();
        let mut open: Vec<(Index, usize, Option<String>)> = Vec::new();
        open.extend(self.root().map(|root| (root, 0, None)));
        while let Some((index, depth, reply)) = open.pop() {
            if let Some(reply) = reply {
                let _ = writeln!(text, "{:width$}→ {}", "", reply, width = 2 * depth - 2);
            }
            let _ = write!(text, "{:width$}", "", width = 2 * depth);
            match self.node_at(index) {
                None => {}
                Some(At::End(end)) => text.push_str(&end_text(end)),
                Some(At::Step(step)) => {
                    text.push_str(&step_text(step));
                    match self.branches(index).as_slice() {
                        [(reply, sample, next)] => {
                            let _ = write!(text, " → {}", reply_text(reply, sample.as_ref()));
                            open.push((*next, depth, None));
                        }
                        many => {
                            open.extend(many.iter().rev().map(|(reply, sample, next)| {
                                (*next, depth + 1, Some(reply_text(reply, sample.as_ref())))
                            }))
                        }
                    }
                }
            }
            text.push('\n');
        }
        text
    }
}

pub(super) fn step_text(step: &Step) -> String {
    match step {
        Step::Ask(question) => question_text(question),
        Step::Apply(applied) if applied.is_hidden => hidden_effect_text(&applied.effect),
        Step::Apply(applied) => effect_text(&applied.effect),
    }
}

pub(super) fn question_text(question: &Question) -> String {
    let text = match question {
        Question::Variable(name) => format!("ask ${name}"),
        Question::Part { variable, path } => format!("ask ${variable}{}", path_text(path)),
        Question::Whole { variable, path } => format!("ask all of ${variable}{}", path_text(path)),
        Question::Function { name, caller } => match caller {
            FunctionCaller::Environment => format!("ask function {name}"),
            FunctionCaller::Scope => format!("ask method function_{name} of the scope"),
            FunctionCaller::Module(module) => format!("ask function {name} from module {module}"),
        },
        Question::Type(name) => format!("ask type {name}"),
        Question::Template(name) => format!("ask template {name}"),
        Question::Ruby { file, name } => format!("ask Ruby {} {name}", format!("{file:?}").to_lowercase()),
        Question::FindFile { kind, name } => format!("ask where {kind:?} {name} is"),
        Question::Content(path) => format!("ask content of {path}"),
        Question::Beyond(paths) => format!("ask whether Ruby may read {}", list(paths)),
        Question::Setting(name) => format!("ask setting {name}"),
        Question::Reveal(text) => format!("reveal {text}"),
        Question::Lookup(question) => question.text(),
        Question::Injection(question) => question.text(),
        Question::Parameter(key) => format!("ask data for the parameter {key}"),
        Question::Method { name, .. } => format!("ask the method {name}"),
        Question::Defined(what) => format!("ask whether {what:?} is defined"),
        Question::Tagged(tags) => format!("ask whether tagged {}", list(tags)),
        Question::Unknown(variable) => format!("ask why there is no {variable}"),
        Question::Defaults(type_name) => format!("ask for the defaults of {type_name}"),
        Question::ResourceParameter { reference, name } => format!("ask {name} of {reference}"),
        Question::ResourceValue { reference, part } => match part {
            ResourcePart::Parameter(name) => format!("ask {name} of the resource {reference}"),
            ResourcePart::ParameterNames => format!("ask names of parameters of the resource {reference}"),
        },
        Question::DeclaredWith { reference, parameters } => format!("ask for {reference} with {parameters:?}"),
        Question::Glob(patterns) => format!("ask which files match {}", list(patterns)),
        Question::Random => "ask for a random number".to_owned(),
        Question::Generate(command) => format!("ask the output of {}", list(command)),
        Question::Command(command) => format!("ask what the command {} says", list(command)),
        Question::Recorded { function, arguments } => format!("ask for the answer of {function}{arguments:?}"),
        Question::OwnRuby(name) => format!("have a Ruby of one's own run the function {name}"),
        Question::Now => "ask the time".to_owned(),
        Question::Classes => "ask for the classes and the tags".to_owned(),
        Question::Names => "ask for the names of all variables".to_owned(),
        Question::Fixed(name) => format!("ask whether ${name} is fixed"),
        Question::Frame(name) => format!("ask the frame for {name}"),
        Question::Similar { kind, name } => format!("ask for a {} like {name}", format!("{kind:?}").to_lowercase()),
    };
    cut(text)
}

pub(super) fn effect_text(effect: &Effect) -> String {
    let text = match effect {
        Effect::Log(log) => format!("log {}: {}", log.level.label(), log.message),
        Effect::Deprecate(deprecation) => format!("deprecate: {}", deprecation.message),
        Effect::Export { name, value } => format!("set ${name} = {value:?}"),
        Effect::Change { name, value } => format!("change ${name} to {value:?}"),
        Effect::SetAtTop { name, value } => format!("set $::{name} = {value:?}"),
        Effect::ExportPart { name, variable, path } => {
            let keys: Vec<String> = path.iter().map(|key| format!("[{key:?}]")).collect();
            format!("set ${name} = ${variable}{}", keys.concat())
        }
        Effect::ShareLocals(layers) => layers_text(layers),
        Effect::Stand(standing) => format!("stand in the scope {standing:?}"),
        Effect::Showing { of, values } => format!("show, while ${of} is worked out, {}", assignments(values)),
        Effect::Parameters(values) => format!("take the parameters {}", assignments(values)),
        Effect::Declare(declaration) => {
            let titles: Vec<Str> = declaration.bodies.iter().flat_map(|body| &body.titles).cloned().collect();
            format!("declare {} {}", declaration.type_name, list(&titles))
        }
        Effect::Defaults { type_name, .. } => format!("set defaults of {type_name}"),
        Effect::Override { references, .. } => format!("override {references:?}"),
        Effect::Relate { arrow, left, right, .. } => format!("relate {left:?} {} {right:?}", arrow.symbol()),
        Effect::Collect { type_name, exported, query, .. } => {
            format!("collect {}{type_name} {query:?}", if *exported { "exported " } else { "" })
        }
        Effect::Include { how, classes, .. } => format!("{} {}", format!("{how:?}").to_lowercase(), list(classes)),
        Effect::Realize { references, .. } => format!("realize {references:?}"),
        Effect::Tag(tags) => format!("tag {}", list(tags)),
    };
    cut(text)
}

fn assignments(values: &NamedValues) -> String {
    let values: Vec<String> = values.iter().map(|(name, value)| format!("${name} = {value:?}")).collect();
    values.join(", ")
}

fn layers_text(layers: &[Layer]) -> String {
    let texts = layers.iter().map(|layer| {
        let locals = layer.locals.iter().map(|(name, shown)| match shown {
            SharedLocal::Value(value) => format!("${name} = {value:?}"),
            SharedLocal::Part { variable, path } => format!("${name} = ${variable}{}", path_text(path)),
            SharedLocal::Gone => format!("${name}"),
        });
        let matched = (!matches!(layer.matched, Value::Undef)).then(|| format!("matched {:?}", layer.matched));
        let all: Vec<String> = locals.chain(matched).collect();
        format!("on the scope {:?}: {}", layer.standing, all.join(", "))
    });
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() { "lay nothing on scopes".to_owned() } else { format!("lay {}", texts.join("; ")) }
}

/// Of an effect with something in it that was decrypted.
fn hidden_effect_text(effect: &Effect) -> String {
    let what = match effect {
        Effect::Export { name, .. } => format!("set ${name}"),
        Effect::Parameters(values) => {
            let names: Vec<String> = values.iter().map(|(name, _)| format!("${name}")).collect();
            format!("take the parameters {}", names.join(", "))
        }
        Effect::Declare(declaration) => format!("declare {}", declaration.type_name),
        other => effect_text(other).split([' ', ':']).next().unwrap_or_default().to_owned(),
    };
    cut(format!("{what} (with what was decrypted)"))
}

/// A digest says what it is of, where that is short.
pub(super) fn reply_text(digest: &Digest, sample: Option<&Value>) -> String {
    if let Some(sample) = sample {
        return cut(format!("{sample:?}"));
    }
    let of = |answer: Answer| answer.digest() == *digest;
    if of(Answer::Absent) {
        "absent".to_owned()
    } else if of(Answer::View(Container::Array)) {
        "an array".to_owned()
    } else if of(Answer::View(Container::Hash)) {
        "a hash".to_owned()
    } else if Outcome::Done.digest() == *digest {
        "done".to_owned()
    } else {
        digest.to_string()
    }
}

pub(super) fn end_text(end: &End) -> String {
    cut(match &end.result {
        _ if end.is_hidden => "end (with what was decrypted)".to_owned(),
        Ok(value) => format!("end {value:?}"),
        Err(failed) => format!("fail {}", failed.failure.message),
    })
}

fn path_text(path: &[Value]) -> String {
    path.iter().map(|key| format!("[{key:?}]")).collect()
}

fn list(texts: &[Str]) -> String {
    texts.iter().map(Str::as_str).collect::<Vec<_>>().join(", ")
}

/// On one line, and not too long.
fn cut(text: String) -> String {
    let escaped = |c: char| if c.is_control() { ' ' } else { c };
    if text.len() <= WIDTH && !text.contains(char::is_control) {
        return text;
    }
    let mut short: String = text.chars().take(WIDTH).map(escaped).collect();
    if text.chars().nth(WIDTH).is_some() {
        short.push('…');
    }
    short
}
