//! Digests of effects, outcomes and failures. A place counts by unit and number, never by line.

use pantin_values::{Digest, Digester, NamedValues, Str, Value};

use super::{
    At, Declaration, DeclaredBody, Deprecation, Effect, Failure, Layer, Log, Outcome, Parameter, Parameters,
    SharedLocal,
};

/// Whether the places of expressions count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Places {
    Count,
    /// One more expression before them gives all others another number.
    LeftOut,
}

impl Effect {
    pub fn digest(&self) -> Digest {
        self.digest_with(Places::Count)
    }

    /// The same for an effect that is done at another place of its code.
    pub fn meaning(&self) -> Digest {
        self.digest_with(Places::LeftOut)
    }

    fn digest_with(&self, places: Places) -> Digest {
        match self {
            Effect::Log(log) => log_digest(log, places),
            Effect::Deprecate(deprecation) => deprecation_digest(deprecation, places),
            Effect::Export { name, value } => Digester::new(b"export").text(name).item(value).finish(),
            Effect::Change { name, value } => Digester::new(b"change").item(name).item(value).finish(),
            Effect::SetAtTop { name, value } => Digester::new(b"set at top").text(name).item(value).finish(),
            Effect::ExportPart { name, variable, path } => {
                let mut digester = Digester::new(b"export part");
                digester.text(name).item(&**variable);
                add_values(&mut digester, path);
                digester.finish()
            }
            Effect::ShareLocals(layers) => layers_digest(layers),
            Effect::Stand(standing) => Digester::new(b"stand").number(*standing as u64).finish(),
            Effect::Showing { of, values } => {
                let mut digester = Digester::new(b"showing");
                digester.text(of);
                add_named(&mut digester, values).finish()
            }
            Effect::Parameters(values) => add_named(&mut Digester::new(b"parameters"), values).finish(),
            Effect::Declare(declaration) => declaration_digest(declaration, places),
            Effect::Defaults { type_name, parameters, at } => {
                let mut digester = Digester::new(b"defaults");
                digester.text(type_name);
                add_parameters(&mut digester, parameters, places);
                add_at(&mut digester, at, places).finish()
            }
            Effect::Override { references, parameters, at } => {
                let mut digester = Digester::new(b"override");
                add_values(&mut digester, references);
                add_parameters(&mut digester, parameters, places);
                add_at(&mut digester, at, places).finish()
            }
            Effect::Relate { arrow, left, right, at } => {
                let mut digester = Digester::new(b"relate");
                digester.text(arrow.symbol()).item(left).item(right);
                add_at(&mut digester, at, places).finish()
            }
            Effect::Collect { type_name, exported, query, parameters, at } => {
                let mut digester = Digester::new(b"collect");
                digester.text(type_name).number(u64::from(*exported)).item(query);
                add_parameters(&mut digester, parameters, places);
                add_at(&mut digester, at, places).finish()
            }
            Effect::Include { how, classes, at } => {
                let mut digester = Digester::new(b"include");
                digester.number(*how as u64);
                add_texts(&mut digester, classes);
                add_at(&mut digester, at, places).finish()
            }
            Effect::Realize { references, at } => {
                let mut digester = Digester::new(b"realize");
                add_values(&mut digester, references);
                add_at(&mut digester, at, places).finish()
            }
            Effect::Tag(tags) => {
                let mut digester = Digester::new(b"tag");
                add_texts(&mut digester, tags);
                digester.finish()
            }
        }
    }
}

impl Effect {
    /// Returns true if a secret stands in it.
    pub fn holds_secret(&self) -> bool {
        self.any_value(&Value::holds_sensitive)
    }

    pub(super) fn any_value(&self, is: &dyn Fn(&Value) -> bool) -> bool {
        let in_parameters = |parameters: &Parameters| parameters.iter().any(|one| is(one.value));
        match self {
            Effect::Log(_) | Effect::Deprecate(_) | Effect::Include { .. } | Effect::Tag(_) => false,
            Effect::ExportPart { .. } | Effect::Stand(_) => false,
            Effect::Parameters(values) | Effect::Showing { values, .. } => values.iter().any(|(_, value)| is(value)),
            Effect::Export { value, .. } | Effect::Change { value, .. } | Effect::SetAtTop { value, .. } => is(value),
            Effect::ShareLocals(layers) => layers.iter().any(|layer| layer.values().any(is)),
            Effect::Declare(declaration) => declaration.bodies.iter().any(|body| in_parameters(&body.parameters)),
            Effect::Defaults { parameters, .. } => in_parameters(parameters),
            Effect::Override { references, parameters, .. } => references.iter().any(is) || in_parameters(parameters),
            Effect::Relate { left, right, .. } => is(left) || is(right),
            Effect::Collect { query, parameters, .. } => is(query) || in_parameters(parameters),
            Effect::Realize { references, .. } => references.iter().any(is),
        }
    }

    /// Of the texts that are no values.
    pub(super) fn any_text(&self, is: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Effect::Log(log) => is(&log.message),
            Effect::Deprecate(deprecation) => is(&deprecation.message),
            Effect::Declare(declaration) => {
                declaration.bodies.iter().flat_map(|body| &body.titles).any(|title| is(title))
            }
            Effect::Include { classes: texts, .. } => texts.iter().any(|text| is(text)),
            Effect::Tag(tags) => tags.iter().any(|tag| is(tag)),
            _ => false,
        }
    }
}

impl Outcome {
    /// Returns what a trace keeps of it.
    pub fn digest(&self) -> Digest {
        match self {
            Outcome::Done => Digest::atom(0x90),
            Outcome::Value(value) => value.digest(),
            Outcome::Failed(failure) => failure.digest(),
        }
    }
}

impl Failure {
    pub fn digest(&self) -> Digest {
        let mut digester = Digester::new(b"failure");
        digester.number(self.shape as u64).text(&self.message);
        add_optional_at(&mut digester, self.at.as_ref(), Places::Count);
        digester.number(self.calls.len() as u64);
        for call in &self.calls {
            add_at(&mut digester, call, Places::Count);
        }
        digester.number(u64::from(self.help.is_some())).text(self.help.as_deref().unwrap_or_default()).finish()
    }
}

fn log_digest(log: &Log, places: Places) -> Digest {
    let mut digester = Digester::new(b"log");
    digester.number(log.level as u64).number(log.source as u64).text(&log.message);
    digester.number(u64::from(log.once.is_some())).text(log.once.as_deref().unwrap_or_default());
    add_optional_at(&mut digester, log.at.as_ref(), places).finish()
}

fn deprecation_digest(deprecation: &Deprecation, places: Places) -> Digest {
    let mut digester = Digester::new(b"deprecate");
    digester.text(&deprecation.key).text(&deprecation.message).text(&deprecation.by);
    digester.number(u64::from(deprecation.fails)).number(deprecation.calls.len() as u64);
    for call in &deprecation.calls {
        add_at(&mut digester, call, places);
    }
    digester.finish()
}

fn declaration_digest(declaration: &Declaration, places: Places) -> Digest {
    let mut digester = Digester::new(b"declare");
    add_form(&mut digester, declaration);
    digester.number(declaration.bodies.len() as u64);
    for body in &declaration.bodies {
        let DeclaredBody { titles, are_texts, parameters, .. } = body;
        add_texts(&mut digester, titles);
        digester.number(u64::from(*are_texts));
        add_parameters(&mut digester, parameters, places);
        add_at(&mut digester, &declaration.body_place(body), places);
    }
    add_at(&mut digester, &declaration.at, places).finish()
}

impl Declaration {
    /// Of what each resource of one of its bodies is declared as, whatever its title, at whatever place.
    pub(super) fn body_meaning(&self, body: &DeclaredBody) -> Digest {
        let mut digester = Digester::new(b"declared");
        add_form(&mut digester, self);
        digester.number(u64::from(body.are_texts));
        add_parameters(&mut digester, &body.parameters, Places::LeftOut);
        digester.finish()
    }
}

impl Layer {
    fn values(&self) -> impl Iterator<Item = &Value> {
        let locals = self.locals.iter().filter_map(|(_, shown)| match shown {
            SharedLocal::Value(value) => Some(value),
            SharedLocal::Part { .. } | SharedLocal::Gone => None,
        });
        locals.chain([&self.matched])
    }
}

fn layers_digest(layers: &[Layer]) -> Digest {
    let mut digester = Digester::new(b"lay");
    digester.number(layers.len() as u64);
    for Layer { standing, locals, matched } in layers {
        digester.number(*standing as u64).item(matched).number(locals.len() as u64);
        for (name, shown) in locals {
            digester.text(name);
            match shown {
                SharedLocal::Gone => _ = digester.number(0),
                SharedLocal::Value(value) => _ = digester.number(1).item(value),
                SharedLocal::Part { variable, path } => {
                    digester.number(2).item(variable);
                    add_values(&mut digester, path);
                }
            }
        }
    }
    digester.finish()
}

fn add_form(digester: &mut Digester, declaration: &Declaration) {
    digester.number(declaration.form as u64).number(u64::from(declaration.by_function)).text(&declaration.type_name);
}

fn add_parameters(digester: &mut Digester, parameters: &Parameters, places: Places) {
    digester.number(parameters.len() as u64);
    for Parameter { written, value } in parameters.iter() {
        digester.text(&written.name).item(value).number(u64::from(written.append));
        add_at(digester, &written.at, places);
    }
}

fn add_values(digester: &mut Digester, values: &[Value]) {
    digester.number(values.len() as u64);
    for value in values {
        digester.item(value);
    }
}

fn add_named<'d>(digester: &'d mut Digester, values: &NamedValues) -> &'d mut Digester {
    digester.number(values.len() as u64);
    for (name, value) in values {
        digester.text(name).item(value);
    }
    digester
}

fn add_texts(digester: &mut Digester, texts: &[Str]) {
    digester.number(texts.len() as u64);
    for text in texts {
        digester.text(text);
    }
}

fn add_at<'a>(digester: &'a mut Digester, at: &At, places: Places) -> &'a mut Digester {
    match places {
        Places::Count => digester.text(&at.unit.key).number(u64::from(at.node)),
        Places::LeftOut => digester,
    }
}

fn add_optional_at<'a>(digester: &'a mut Digester, at: Option<&At>, places: Places) -> &'a mut Digester {
    digester.number(u64::from(at.is_some()));
    match at {
        Some(at) => add_at(digester, at, places),
        None => digester,
    }
}
