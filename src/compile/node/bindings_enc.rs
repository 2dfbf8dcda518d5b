//! What an ENC said of a node, as a definition.
//! It must not know what a layer makes of it.

use std::sync::Arc;

use pantin_bindings::{Definition, ProvidedBinding, ProvidedItem, Subject};
use pantin_values::{Hash, Str};
use pantin_world::node::NodeClasses;

use super::Compiler;
use crate::bindings::EncParts;
use crate::code::lower_name;

impl Compiler<'_> {
    /// Returns the parts that no layer above has taken, as a definition; they do not go the old way then.
    pub(super) fn enc_definition(&mut self, wanted: EncParts) -> Option<Arc<Definition>> {
        let parts = wanted.beyond(self.bindings.enc);
        if parts == EncParts::default() {
            return None;
        }
        self.bindings.enc = self.bindings.enc.with(parts);
        let node = Arc::clone(&self.request.node);
        let condition = vec![(Str::from("node"), vec![Str::from(node.name.as_str())])];
        let binding = |item| ProvidedBinding { condition: condition.clone(), item, ..ProvidedBinding::default() };
        let classes: Vec<(Str, Option<Hash>)> = match &node.classes {
            NodeClasses::Names(names) => names.iter().map(|name| (name.clone(), None)).collect(),
            NodeClasses::WithParameters(classes) => classes.clone(),
        };
        let mut bindings = Vec::new();
        if parts.classes {
            bindings.push(binding(ProvidedItem::Include(classes.iter().map(|(name, _)| name.clone()).collect())));
        }
        if parts.parameters {
            bindings.extend(classes.iter().filter_map(|(name, values)| {
                let of = Subject::Class(lower_name(name).to_string());
                Some(binding(ProvidedItem::Parameters { of, values: values.clone()? }))
            }));
        }
        if parts.variables {
            bindings.push(binding(ProvidedItem::Variables(node.parameters.clone())));
        }
        Some(Arc::new(Definition::from_provided(&parts.uri(), &bindings)))
    }
}
