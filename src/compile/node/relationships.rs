//! Relationships: collected where the code states them, made into parameters at the end.
//! They must not know more of a resource than that it is there.

use pantin_base::Arrow;
use pantin_eval::issue;
use pantin_model::trace::{At, Failure, Outcome, Shape};
use pantin_values::{Fault, Str, Type, Value, class_without_title, types};
use rustc_hash::FxHashSet;

use super::Compiler;
use super::overrides::reference_of;
use super::references::class_title;
use super::state::{ObservationLog, Observer, ResourceId, no_title, too_many_edges};
use crate::report::failure_of;

#[derive(Debug)]
pub(super) struct Relationship {
    source: Operand,
    target: Operand,
    /// `before` or `notify`.
    param: &'static str,
    at: At,
}

/// One side of an arrow.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
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
    pub(super) fn relate(&mut self, arrow: Arrow, left: &Value, right: &Value, at: &At) -> Result<Outcome, Fault> {
        let (left_values, left) = self.operands(left)?;
        let (right_values, right) = self.operands(right)?;
        let (sources, targets, param) = match arrow {
            Arrow::Before => (&left, &right, "before"),
            Arrow::Notify => (&left, &right, "notify"),
            Arrow::Require => (&right, &left, "before"),
            Arrow::Subscribe => (&right, &left, "notify"),
        };
        self.check_edges(self.relationships.len() as u64 + sources.len() as u64 * targets.len() as u64)?;
        for source in sources {
            for target in targets {
                let (source, target, at) = (source.clone(), target.clone(), at.clone());
                self.relationships.push(Relationship { source, target, param, at });
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

    /// Returns what an operand stands for, each once; as values, for an arrow that follows, and as what they mean.
    fn operands(&mut self, value: &Value) -> Result<(Vec<Value>, Vec<Operand>), Fault> {
        let (mut values, mut operands) = (Vec::new(), Vec::new());
        let mut known = FxHashSet::default();
        for value in value.flattened() {
            let operand = self.operand(&value)?;
            if known.insert(operand.clone()) {
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
        let reference = match value {
            Value::Type(reference) => reference.clone(),
            Value::Resource(resource) => resource.reference(),
            Value::String(text) => types::parse(text, &mut self.loader)?,
            other => return Err(issue::illegal_relationship_operand(&pantin_values::label::a_an(other))),
        };
        let resolved = match reference.resolved() {
            Type::Type(Some(inner)) => inner.resolved().clone(),
            other => other.clone(),
        };
        if !matches!(resolved, Type::Class(_) | Type::Resource(_) | Type::CatalogEntry) {
            return Err(issue::not_catalog_type(&reference.to_string()));
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
            Some(type_name) => Ok(Operand::Resource { type_name, title, written: reference.to_string().into() }),
            None => Err(Fault::new(format!("Cannot split the type {reference}"))),
        }
    }

    // ---- at the end ----

    pub(super) fn evaluate_relationships(&mut self) -> Result<(), Failure> {
        let log = self.state.log(Observer::Finish);
        for Relationship { source, target, param, at } in std::mem::take(&mut self.relationships) {
            let sources = self.resolve_operand(&source, true);
            let targets = self.resolve_operand(&target, false);
            let placed = |fault| Failure::new(fault, Shape::Evaluation, Some(at.clone()));
            self.edges = self.edges.saturating_add(sources.len() as u64 * targets.len() as u64);
            self.check_edges(self.edges).map_err(placed)?;
            for source in &sources {
                for target in &targets {
                    self.make_relationship(source, target, param, &log).map_err(failure_of)?;
                }
            }
        }
        Ok(())
    }

    /// Refuses so many edges, if all that a node may have together are fewer.
    fn check_edges(&self, edges: u64) -> Result<(), Fault> {
        let most = self.loader.base.settings.limits.edges;
        if edges <= most { Ok(()) } else { Err(too_many_edges(most)) }
    }

    /// Returns the resources, by type and title. A collector to the left that found nothing gives way to what stands
    /// before it.
    fn resolve_operand(&self, operand: &Operand, is_left: bool) -> Vec<ResolvedOperand> {
        match operand {
            Operand::Resource { type_name, title, .. } => vec![ResolvedOperand::new(type_name, title)],
            Operand::Collector(index) => {
                let Some(Some(collector)) = self.collectors.get(*index) else { return Vec::new() };
                if collector.collected.is_empty() && is_left {
                    return collector.instead.iter().flat_map(|operand| self.meant_instead(operand)).collect();
                }
                let named = |&id: &ResourceId| ResolvedOperand::new(self.state.type_name(id), self.state.title(id));
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
            Operand::Collector(_) => self.resolve_operand(operand, true),
        }
    }

    fn make_relationship(
        &mut self,
        source: &ResolvedOperand,
        target: &ResolvedOperand,
        name: &str,
        log: &ObservationLog,
    ) -> Result<(), Fault> {
        let (from, to) = (&source.text, &target.text);
        let find = |side: &ResolvedOperand| match side.title.is_empty() {
            true => Err(no_title(&side.text, None)),
            false => match self.state.find_presence(&side.type_name, &side.title, log) {
                None => self.state.check_title_of(&side.type_name, &side.title).map(|()| None),
                found => Ok(found),
            },
        };
        let Some(id) = find(source)? else {
            return Err(Fault::new(format!("Could not find resource '{from}' for relationship on '{to}'")));
        };
        if find(target)?.is_none() {
            return Err(Fault::new(format!("Could not find resource '{to}' for relationship from '{from}'")));
        }
        self.state.add_relationship(id, name, target.text.clone().into());
        Ok(())
    }
}
