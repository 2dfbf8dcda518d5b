//! Relationships: recorded where the code states them, made into parameters at the end.

use std::rc::Rc;

use pantin_base::names::split_reference;
use pantin_eval::issue;
use pantin_model::trace::{Arrow, At, Failure, Outcome};
use pantin_values::{Fault, Str, Type, Value, class_without_title, types};

use super::Compiler;
use super::finish::is_relationship;
use super::overrides::{listed, reference_of};
use super::references::{self, class_title};
use super::resource::{Param, ResourceId};
use crate::report::failure_of;

#[derive(Debug)]
pub(super) struct Relationship {
    source: Operand,
    target: Operand,
    /// `before` or `notify`.
    param: &'static str,
}

/// One side of an arrow.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Operand {
    /// `written`: as the reference stands there, not as it is found.
    Resource {
        type_name: Str,
        title: Str,
        written: Str,
    },
    Collector(usize),
}

/// What an operand stands for at the end: a resource, and how it is named.
struct ResolvedOperand {
    type_name: Str,
    title: Str,
    text: Str,
}

impl ResolvedOperand {
    fn new(type_name: &Str, title: &Str) -> ResolvedOperand {
        let text = [type_name.as_str(), "[", title, "]"].concat().into();
        ResolvedOperand { type_name: type_name.clone(), title: title.clone(), text }
    }
}

impl Compiler<'_> {
    pub(super) fn relate(&mut self, arrow: Arrow, left: &Value, right: &Value) -> Result<Outcome, Fault> {
        let (left_values, left) = self.operands(left)?;
        let (right_values, right) = self.operands(right)?;
        let (sources, targets, param) = match arrow {
            Arrow::Before => (&left, &right, "before"),
            Arrow::Notify => (&left, &right, "notify"),
            Arrow::Require => (&right, &left, "before"),
            Arrow::Subscribe => (&right, &left, "notify"),
        };
        for source in sources {
            for target in targets {
                self.relationships.push(Relationship { source: source.clone(), target: target.clone(), param });
            }
        }
        if right.is_empty() {
            return Ok(Outcome::Value(Value::array(left_values)));
        }
        if let [Operand::Collector(index)] = right.as_slice()
            && let Some(Some(collector)) = self.collectors.get_mut(*index)
        {
            collector.instead = left;
        }
        Ok(Outcome::Value(Value::array(right_values)))
    }

    /// What an operand stands for, each once; as values, for an arrow that follows, and as what they mean.
    fn operands(&mut self, value: &Value) -> Result<(Vec<Value>, Vec<Operand>), Fault> {
        let (mut values, mut operands) = (Vec::new(), Vec::new());
        for value in value.flattened() {
            let operand = self.operand(&value)?;
            if !operands.contains(&operand) {
                operands.push(operand);
                values.push(value);
            }
        }
        Ok((values, operands))
    }

    fn operand(&mut self, value: &Value) -> Result<Operand, Fault> {
        if let Some(collector) = self.collector_of(value) {
            return Ok(Operand::Collector(collector));
        }
        let of = match value {
            Value::Type(of) => of.clone(),
            Value::Resource(resource) => resource.reference(),
            Value::String(text) => types::parse(text, &mut self.loader)?,
            other => return Err(issue::illegal_relationship_operand(&pantin_values::label::a_an(other))),
        };
        let resolved = match of.resolved() {
            Type::Type(Some(inner)) => inner.resolved().clone(),
            other => other.clone(),
        };
        if !matches!(resolved, Type::Class(_) | Type::Resource(_) | Type::CatalogEntry) {
            return Err(issue::not_catalog_type(&of.to_string()));
        }
        let (type_name, title) = match &resolved {
            Type::Class(None) => return Err(class_without_title()),
            Type::Class(Some(name)) => (Some(Str::from("Class")), class_title(name)),
            Type::Resource(Some(resource)) => {
                let known = self.kind_or_class(&resource.type_name)?;
                let (type_name, title) = reference_of(known.as_ref(), resource.title.as_deref().unwrap_or_default());
                (Some(type_name), title)
            }
            _ => (None, Str::default()),
        };
        match type_name {
            Some(type_name) => Ok(Operand::Resource { type_name, title, written: of.to_string().into() }),
            None => Err(Fault::new(format!("Cannot split the type {of}"))),
        }
    }

    // ---- at the end ----

    pub(super) fn evaluate_relationships(&mut self) -> Result<(), Failure> {
        for Relationship { source, target, param } in std::mem::take(&mut self.relationships) {
            let sources = self.meant(&source, true);
            let targets = self.meant(&target, false);
            for source in &sources {
                for target in &targets {
                    self.make_relationship(source, target, param).map_err(failure_of)?;
                }
            }
        }
        Ok(())
    }

    /// The resources, by type and title. A collector to the left that found nothing gives way to what stands before it.
    fn meant(&self, operand: &Operand, is_left: bool) -> Vec<ResolvedOperand> {
        match operand {
            Operand::Resource { type_name, title, .. } => vec![ResolvedOperand::new(type_name, title)],
            Operand::Collector(index) => {
                let Some(Some(collector)) = self.collectors.get(*index) else { return Vec::new() };
                if collector.collected.is_empty() && is_left {
                    return collector.instead.iter().flat_map(|operand| self.meant_instead(operand)).collect();
                }
                let named =
                    |&id: &ResourceId| ResolvedOperand::new(&self.resource(id).type_name, &self.resource(id).title);
                collector.collected.iter().map(named).collect()
            }
        }
    }

    /// In the place of a collector a reference is named as it was written.
    fn meant_instead(&self, operand: &Operand) -> Vec<ResolvedOperand> {
        match operand {
            Operand::Resource { type_name, title, written } => {
                vec![ResolvedOperand { text: written.clone(), ..ResolvedOperand::new(type_name, title) }]
            }
            Operand::Collector(_) => self.meant(operand, true),
        }
    }

    fn make_relationship(
        &mut self,
        source: &ResolvedOperand,
        target: &ResolvedOperand,
        name: &str,
    ) -> Result<(), Fault> {
        let (from, to) = (&source.text, &target.text);
        let find = |side: &ResolvedOperand| match side.title.is_empty() {
            true => Err(no_title(&side.text, None)),
            false => Ok(self.find_presence(&side.type_name, &side.title)),
        };
        let Some(id) = find(source)? else {
            return Err(Fault::new(format!("Could not find resource '{from}' for relationship on '{to}'")));
        };
        if find(target)?.is_none() {
            return Err(Fault::new(format!("Could not find resource '{to}' for relationship from '{from}'")));
        }
        let resource = self.resource_mut(id);
        let param = match resource.param(name) {
            Some(param) if matches!(*param.value.borrow(), Value::Array(_)) => param.clone(),
            known => {
                let before = known.map(|param| param.value()).filter(|value| !value.is_undef());
                let param = Param::new(name.into(), Value::array(before), resource.source.clone());
                resource.set(param.clone());
                param
            }
        };
        push_into(&param, target.text.clone().into());
        Ok(())
    }

    // ---- whether all is there ----

    pub(super) fn validate_relationships(&mut self) -> Result<(), Failure> {
        for resource in self.resources.iter().filter(|resource| !resource.is_virtual) {
            for param in &resource.params {
                if !is_relationship(&param.name) {
                    continue;
                }
                let is_sensitive = resource.sensitive.contains(&param.name);
                for value in listed(param.value()) {
                    self.check_target(&value, param, is_sensitive).map_err(failure_of)?;
                }
            }
        }
        Ok(())
    }

    /// What is in a Sensitive is no reference any more.
    fn check_target(&self, value: &Value, param: &Param, is_sensitive: bool) -> Result<(), Fault> {
        // Nearly all are there, and need not be written as texts.
        if !is_sensitive && matches!(value, Value::Type(_) | Value::Resource(_)) && self.is_there(value) {
            return Ok(());
        }
        let text = match value {
            Value::Type(of) if is_sensitive => of.to_string(),
            Value::Type(of) => references::reference_text(of),
            Value::Resource(resource) => resource.to_string(),
            other => pantin_values::ops::to_s(other),
        };
        if split_reference(&text).is_none() {
            return Err(no_title(&text, param.at.as_ref()));
        }
        match self.is_there(value) && !is_sensitive {
            true => Ok(()),
            false => {
                let message = format!("Could not find resource '{text}' in parameter '{}'", param.name);
                Err(super::overrides::located(message, param.at.as_ref()))
            }
        }
    }
}

fn no_title(text: &str, at: Option<&At>) -> Fault {
    super::overrides::located(references::no_title(text), at)
}

/// The array itself grows, for all that hold it.
fn push_into(param: &Rc<Param>, value: Value) {
    let mut array = param.value.borrow_mut();
    if let Value::Array(items) = &mut *array {
        items.make_mut().push(value);
    }
}
