//! Resource expressions, overrides, defaults, relationships and collectors: worked out here, done by the host.

use std::sync::{Arc, OnceLock};

use pantin_base::Arrow;
use pantin_model::trace::{
    Answer, Declaration, DeclaredBody, Effect, Level, Log, LogSource, Parameters, Question, ResourceForm, Written,
    share_written,
};
use pantin_syntax::ast::Form;
use pantin_values::{Fault, Resolve, Str, Type, Value, unencoded};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::code::{Attribute, Attributes, Collect, Expr, ExprKind, Query, Resource, ResourceName};
use super::issue;
use super::machine::{Machine, runtime_error};
use super::stop::Flow;

/// The title that gives a body's attributes to the others.
enum Title {
    Named(Str),
    Default,
}

struct EvaluatedBody {
    titles: Vec<Title>,
    parameters: Parameters,
    at: u32,
}

impl Machine<'_> {
    #[inline(never)]
    pub(super) fn resource(&mut self, resource: &Resource, at: u32) -> Flow {
        let type_name = self.resource_type(&resource.type_name)?;
        if resource.form == Form::Exported {
            self.warn_without_store("export is", at)?;
        }
        let mut seen = FxHashSet::default();
        let is_alone = resource.bodies.len() == 1;
        let mut has_default = false;
        let mut worked = Vec::with_capacity(resource.bodies.len());
        for body in &resource.bodies {
            let titles = self.titles(&body.title, is_alone, &mut seen, &mut has_default, at)?;
            let parameters = self.attributes(&body.attributes, at)?;
            worked.push(EvaluatedBody { titles, parameters, at: body.at });
        }
        let defaults: Parameters = worked
            .iter()
            .find(|body| body.titles.iter().any(|title| matches!(title, Title::Default)))
            .map(|body| body.parameters.clone())
            .unwrap_or_default();
        let bodies = worked.into_iter().zip(&resource.bodies);
        let bodies = bodies.map(|(body, code)| declared(body, &defaults, &code.with_defaults));
        let mut bodies: SmallVec<[DeclaredBody; 1]> = bodies.collect();
        bodies.shrink_to_fit();
        let declaration = Declaration {
            form: resource_form(resource.form),
            type_name,
            bodies,
            by_function: false,
            at: self.place(at),
        };
        self.apply(&Effect::Declare(Arc::new(declaration)))
    }

    fn resource_type(&mut self, name: &ResourceName) -> Flow<Str> {
        let (expr, can_be_type) = match name {
            ResourceName::Name(name) => return Ok(name.clone()),
            ResourceName::Computed(expr, can_be_type) => (expr, *can_be_type),
        };
        let value = self.value(expr)?;
        match &value {
            Value::Type(Type::Class(None)) if can_be_type => Ok("class".into()),
            Value::Type(Type::Resource(Some(resource))) if can_be_type && resource.title.is_none() => {
                Ok(resource.type_name.clone())
            }
            Value::Type(of @ (Type::Class(Some(_)) | Type::Resource(_))) if can_be_type => {
                Err(self.fail(issue::illegal_resource_type(&of.to_string()), expr.at))
            }
            other => {
                let actual = Type::reduced(other).generalize().to_string();
                Err(self.fail(issue::illegal_resource_type(&actual), expr.at))
            }
        }
    }

    fn titles(
        &mut self,
        title: &Expr,
        is_alone: bool,
        seen: &mut FxHashSet<Option<Str>>,
        has_default: &mut bool,
        at: u32,
    ) -> Flow<Vec<Title>> {
        let value = self.value(title)?;
        if value.is_undef() {
            return Err(self.fail(issue::missing_title(), title.at));
        }
        let flat = value.flattened();
        let is_only = is_alone && flat.len() == 1;
        let mut titles = Vec::with_capacity(flat.len());
        for (index, value) in flat.into_iter().enumerate() {
            let name = match as_title(value)? {
                Value::Undef => return Err(self.fail(issue::missing_title_at(index), title.at)),
                Value::String(name) if name.is_empty() => return Err(self.fail(issue::empty_title(index), title.at)),
                Value::String(name) => Some(name),
                Value::Default => None,
                other => {
                    let actual = Type::reduced(&other).generalize().to_string();
                    return Err(self.fail(issue::illegal_title_type(index, &actual), title.at));
                }
            };
            // The one title of the one body is the first of its name.
            if !is_only && !seen.insert(name.clone()) {
                let shown = name.as_deref().unwrap_or("default");
                return Err(self.fail(issue::duplicate_title(shown), at));
            }
            *has_default |= name.is_none();
            titles.push(name.map_or(Title::Default, Title::Named));
        }
        Ok(titles)
    }

    /// Of a resource: no attribute may be set twice.
    fn attributes(&mut self, attributes: &Attributes, at: u32) -> Flow<Parameters> {
        let parameters = self.parameters(attributes)?;
        let written = parameters.written();
        for (index, one) in written.iter().enumerate() {
            if written[..index].iter().any(|known| known.name == one.name) {
                return Err(self.fail(issue::duplicate_attribute(&one.name), at));
            }
        }
        Ok(parameters)
    }

    fn parameters(&mut self, attributes: &Attributes) -> Flow<Parameters> {
        let list = &attributes.list;
        let mut values = Vec::with_capacity(list.len());
        // Only where a hash says what parameters there are is it not always the same.
        let mut written: Option<Vec<Written>> = None;
        for (index, attribute) in list.iter().enumerate() {
            match attribute {
                Attribute::Named { append, value, at, .. } => {
                    let value = self.value(value)?;
                    let label = if *append { "'+>' expression" } else { "'=>' expression" };
                    values.push(self.attribute_value(value, label, *at)?);
                    if let Some(written) = &mut written {
                        written.extend(self.written(std::slice::from_ref(attribute)));
                    }
                }
                Attribute::Splat { value, at } => {
                    let splat = self.value(value)?;
                    let Value::Hash(entries) = splat else {
                        let actual = Type::reduced(&splat).generalize().to_string();
                        return Err(self.fail(issue::type_mismatch("Hash", &actual), value.at));
                    };
                    let written = written.get_or_insert_with(|| self.written(&list[..index]).collect());
                    for (name, value) in entries.iter() {
                        let name: Str = pantin_values::ops::to_s(name).into();
                        values.push(self.attribute_value(value.clone(), "Object", *at)?);
                        written.push(Written { name, append: false, at: self.place(*at) });
                    }
                }
            }
        }
        let written = match written {
            Some(written) => share_written(&attributes.written, &written, |one| one),
            None => self.all_written(attributes),
        };
        Ok(Parameters::new(written, values))
    }

    /// Of those that are always the same.
    fn written(&self, attributes: &[Attribute]) -> impl Iterator<Item = Written> {
        attributes.iter().filter_map(|attribute| match attribute {
            Attribute::Named { name, append, at, .. } => {
                Some(Written { name: name.clone(), append: *append, at: self.place(*at) })
            }
            Attribute::Splat { .. } => None,
        })
    }

    fn all_written(&self, attributes: &Attributes) -> Arc<[Written]> {
        let new = || self.written(&attributes.list).collect();
        let known = attributes.written.get_or_init(new);
        match known.first().is_none_or(|one| Arc::ptr_eq(&one.at.unit, &self.unit)) {
            true => Arc::clone(known),
            false => new(),
        }
    }

    fn attribute_value(&self, value: Value, label: &str, at: u32) -> Flow {
        value.as_parameter().map_err(|fault| {
            let message = runtime_error(label, &fault.message);
            self.fail(Fault::issue("RUNTIME_ERROR", message), at)
        })
    }

    #[inline(never)]
    pub(super) fn defaults(&mut self, parts: &(Form, Expr, Attributes), at: u32) -> Flow {
        let of = self.value(&parts.1)?;
        let type_name = match &of {
            Value::Type(Type::Resource(Some(resource))) if resource.title.is_none() => resource.type_name.clone(),
            other => {
                let actual = Type::reduced(other).generalize().to_string();
                return Err(self.fail(issue::illegal_resource_type(&actual), parts.1.at));
            }
        };
        let parameters = self.parameters(&parts.2)?;
        self.apply(&Effect::Defaults { type_name, parameters: parameters.into(), at: self.place(at) })?;
        Ok(of)
    }

    #[inline(never)]
    pub(super) fn override_resources(&mut self, parts: &(Form, Expr, Attributes), at: u32) -> Flow {
        let of = self.value(&parts.1)?;
        let parameters = self.parameters(&parts.2)?;
        let references = of.flattened();
        for reference in &references {
            if !matches!(reference, Value::Type(Type::Resource(_))) {
                let shown = pantin_values::label::label(reference);
                return Err(issue::illegal_override(&shown).into());
            }
        }
        self.apply(&Effect::Override { references, parameters: parameters.into(), at: self.place(at) })?;
        Ok(of)
    }

    #[inline(never)]
    pub(super) fn relate(&mut self, parts: &(Arrow, Expr, Expr), at: u32) -> Flow {
        let left = self.value(&parts.1)?;
        let right = self.value(&parts.2)?;
        self.apply(&Effect::Relate { arrow: parts.0, left: left.into(), right: right.into(), at: self.place(at) })
    }

    fn warn_without_store(&mut self, what: &str, at: u32) -> Flow<()> {
        if matches!(self.host.ask(&Question::Setting("storeconfigs".into())), Answer::Value(Value::Boolean(true))) {
            return Ok(());
        }
        let message =
            format!("You cannot collect exported resources without storeconfigs being set; the {what} ignored");
        let at = Some(self.place(at));
        let log = Log { level: Level::Warning, source: LogSource::Puppet, message: message.into(), at, once: None };
        self.apply(&Effect::Log(log.into())).map(|_| ())
    }

    #[inline(never)]
    pub(super) fn collect(&mut self, collect: &Collect, at: u32) -> Flow {
        if collect.exported {
            self.warn_without_store("collection will be", at)?;
        }
        let of = match &collect.type_expr.kind {
            // Whatever it is, it is the name of a type of resources.
            ExprKind::TypeName(name) => match self.resolve(name)? {
                Some(of) => Value::Type(of),
                None => return Err(Fault::new(format!("Resource type {} doesn't exist", name.to_lowercase())).into()),
            },
            _ => self.value(&collect.type_expr)?,
        };
        let type_name = match &of {
            Value::Type(Type::Resource(Some(resource))) => resource.type_name.clone(),
            Value::Type(Type::Class(_)) => return Err(Fault::new("Classes cannot be collected").into()),
            other => {
                let name = pantin_values::text::display(other).to_lowercase();
                return Err(Fault::new(format!("Resource type {name} doesn't exist")).into());
            }
        };
        let parameters = self.parameters(&collect.attributes)?;
        let query = match &collect.query {
            Some(query) => {
                let asked = self.query(query)?;
                if collect.exported {
                    // What the store is asked is worked out once more in the real one, and all is said again.
                    self.query(query)?;
                }
                asked
            }
            None => Value::Undef,
        };
        let exported = collect.exported;
        self.apply(&Effect::Collect {
            type_name,
            exported,
            query: query.into(),
            parameters: parameters.into(),
            at: self.place(at),
        })
    }

    /// A query as data: `['==', name, value]`, `['and', left, right]`, `[value]`.
    fn query(&mut self, query: &Query) -> Flow {
        Ok(match query {
            Query::Compare { name, equal, value } => {
                let is_reference = matches!(value.kind, ExprKind::Access(_));
                let (name, value) = (self.value(name)?, self.value(value)?);
                let value = if is_reference { value.as_parameter()? } else { value };
                Value::array([if *equal { "==" } else { "!=" }.into(), name, value])
            }
            Query::Plain(value) => Value::array([self.value(value)?]),
            Query::And(sides) => Value::array(["and".into(), self.query(&sides.0)?, self.query(&sides.1)?]),
            Query::Or(sides) => Value::array(["or".into(), self.query(&sides.0)?, self.query(&sides.1)?]),
            Query::Wrong(wrong) => return Err(wrong.fault().into()),
        })
    }
}

/// With the attributes of the body titled `default`.
fn declared(body: EvaluatedBody, defaults: &Parameters, with_defaults: &OnceLock<Arc<[Written]>>) -> DeclaredBody {
    let parameters = match defaults.is_empty() {
        true => body.parameters,
        false => defaults.override_with(body.parameters, with_defaults),
    };
    let titles = body.titles.into_iter().filter_map(|title| match title {
        Title::Named(name) => Some(name),
        Title::Default => None,
    });
    DeclaredBody { titles: titles.collect(), are_texts: true, parameters, node: body.at }
}

/// A title is never one in no encoding, whatever its text was.
fn as_title(value: Value) -> Result<Value, Fault> {
    match value {
        Value::Unencoded(letters) => match unencoded::in_utf8(&letters) {
            Some(text) => Ok(text.into_owned().into()),
            None => Err(unencoded::no_letters("A title")),
        },
        other => Ok(other),
    }
}

/// Returns the form of a resource as an effect carries it, from how it is written.
fn resource_form(written: Form) -> ResourceForm {
    match written {
        Form::Regular => ResourceForm::Regular,
        Form::Virtual => ResourceForm::Virtual,
        Form::Exported => ResourceForm::Exported,
    }
}
