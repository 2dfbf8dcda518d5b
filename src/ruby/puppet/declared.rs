//! The declarations of a function's file, reused by the calls after the first.
//!
//! A file is run anew for each call, so that no call can leave anything behind for another. Most files declare a class with
//! methods and nothing else, whoever asks: then the next call begins with the same class, and the file is not run.

use std::sync::Arc;

use pantin_values::Str;

use super::declare::Declaring;
use super::function::Declaration;
use crate::class::Class;
use crate::code::{Code, Script};
use crate::interp::{Interp, Method, MethodKind, Nesting, Visibility};
use crate::native::Side;

/// A function that is a class with methods, and nothing beside it.
#[derive(Debug)]
pub(super) struct Plain {
    pub(super) declaration: Declaration,
    parent: Class,
    methods: Vec<PlainMethod>,
    /// Libraries of Ruby's own that were asked for.
    loaded: Vec<Str>,
}

#[derive(Debug)]
struct PlainMethod {
    name: Str,
    code: Arc<Code>,
    script: Arc<Script>,
    visibility: Visibility,
    /// It is written in the block of `create_function`.
    is_within: bool,
}

impl Plain {
    /// Returns what was declared, if that is all that came of running the file, and nothing of the world was asked for
    /// it.
    pub(super) fn from_declaring(interp: &Interp<'_>, declaring: &Declaring) -> Option<Plain> {
        if interp.has_asked.get() || !interp.globals.is_empty() || !interp.set.is_empty() {
            return None;
        }
        let class = declaring.class;
        let methods = interp.classes.methods_of_the_only_class(class)?;
        Some(Plain {
            declaration: declaring.declaration.clone(),
            parent: interp.classes.parent(class)?,
            methods: methods
                .into_iter()
                .map(|(name, method)| PlainMethod::from_method(name, method, class))
                .collect::<Option<_>>()?,
            loaded: interp.loaded.iter().cloned().collect(),
        })
    }

    /// As if the file had been run.
    pub(super) fn declare(&self, interp: &mut Interp<'_>) -> Class {
        let class = interp.classes.add(self.declaration.name.clone(), Some(self.parent), false);
        let nesting = Nesting::in_block(None, class);
        for method in &self.methods {
            let nesting = nesting.clone().filter(|_| method.is_within);
            let kind = MethodKind::Code { code: method.code.clone(), nesting, script: method.script.clone() };
            // The class has another number in each run.
            let visibility = match method.visibility {
                Visibility::Protected(_) => Visibility::Protected(class),
                other => other,
            };
            let made = Method { kind, owner: class, visibility };
            interp.classes.define(class, Side::Instance, method.name.clone(), made);
        }
        interp.loaded.extend(self.loaded.iter().cloned());
        class
    }
}

impl PlainMethod {
    fn from_method(name: Str, method: &Method, class: Class) -> Option<PlainMethod> {
        let MethodKind::Code { code, nesting, script } = &method.kind else { return None };
        let is_within = match nesting {
            None => false,
            Some(nesting) if nesting.is_block && nesting.class == class && nesting.outer.is_none() => true,
            Some(_) => return None,
        };
        let (code, script, visibility) = (code.clone(), script.clone(), method.visibility);
        (method.owner == class).then_some(PlainMethod { name, code, script, visibility, is_within })
    }
}
