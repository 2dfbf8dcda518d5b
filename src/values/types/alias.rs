//! A name given to a type, in which it may stand itself.

use std::sync::{Arc, OnceLock};

use pantin_base::{budget, stack};
use rustc_hash::FxHashSet;

use super::Type;
use crate::{Fault, Str};

/// An alias is made before its type is worked out, so that the type can speak of the alias.
/// A recursive alias therefore holds itself, and lives as long as the process: there are few of them.
pub struct Alias {
    name: Str,
    resolved: OnceLock<Type>,
    recursive: OnceLock<Recursion>,
}

/// Whether an alias stands in itself, and how many types had to be looked at to know.
struct Recursion {
    is_recursive: bool,
    steps: u64,
}

impl Alias {
    pub fn new(name: impl Into<Str>) -> Alias {
        Alias { name: name.into(), resolved: OnceLock::new(), recursive: OnceLock::new() }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns what it stands for; `None` while that is being worked out.
    pub fn resolved(&self) -> Option<&Type> {
        self.resolved.get()
    }

    /// Returns true if it stands in itself, by whatever ways. Asked of an alias that is worked out, and all those in
    /// it. Takes as many steps each time, whoever asks first.
    pub fn is_recursive(&self) -> bool {
        let known = self.recursive.get_or_init(|| {
            let mut search = Search { wanted: self, seen: FxHashSet::default(), steps: 0 };
            let is_recursive = self.resolved().is_some_and(|of| search.finds_in(of));
            Recursion { is_recursive, steps: search.steps }
        });
        budget::spend(known.steps);
        known.is_recursive
    }

    /// Says what it stands for, once.
    pub fn resolve(&self, to: Type) {
        // A second resolution is of the same definition, and says the same.
        let _ = self.resolved.set(to);
    }
}

impl Alias {
    /// Says what an alias stands for, as its definition reads: in its plainest form, without the alternatives that are
    /// the alias itself. It must be something in the end.
    pub fn define(alias: &Arc<Alias>, to: Type) -> Result<(), Fault> {
        if to.mixes_bare_optional() {
            // What an `Optional` without a type is of, the real one asks all the same.
            return Err(Fault::new("undefined method `normalize' for nil:NilClass"));
        }
        let to = to.normalize();
        if !is_real(&to, alias, &mut FxHashSet::default()) {
            let name = alias.name();
            return Err(Fault::new(format!("Type alias '{name}' cannot be resolved to a real type")));
        }
        alias.resolve(match &to {
            Type::Variant(types) if types.iter().any(|of| !is_real(of, alias, &mut FxHashSet::default())) => {
                Type::variant(types.iter().filter(|of| is_real(of, alias, &mut FxHashSet::default())).cloned())
            }
            _ => to,
        });
        Ok(())
    }
}

/// A search for an alias in types, and in what other aliases in them stand for.
struct Search<'a> {
    wanted: &'a Alias,
    seen: FxHashSet<*const Alias>,
    steps: u64,
}

impl Search<'_> {
    fn finds_in(&mut self, of: &Type) -> bool {
        self.steps += 1;
        match of {
            Type::Alias(alias) if std::ptr::eq(alias.as_ref(), self.wanted) => true,
            Type::Alias(alias) => {
                self.seen.insert(Arc::as_ptr(alias))
                    && stack::with_room(|| alias.resolved().is_some_and(|of| self.finds_in(of)))
            }
            _ => stack::with_room(|| of.parts().into_iter().any(|part| self.finds_in(part))),
        }
    }
}

impl Type {
    /// Returns the types that a type is made of.
    pub(crate) fn parts(&self) -> Vec<&Type> {
        match self {
            Type::Array(of) => vec![&of.element],
            Type::Hash(of) => vec![&of.key, &of.value],
            Type::Tuple(of) => of.types.iter().collect(),
            Type::Struct(members) => members.iter().map(|member| &member.value).collect(),
            Type::Variant(types) => types.iter().collect(),
            Type::Optional(Some(of))
            | Type::NotUndef(Some(of))
            | Type::Type(Some(of))
            | Type::Sensitive(Some(of))
            | Type::Iterable(Some(of))
            | Type::Iterator(Some(of)) => vec![of],
            Type::Init(Some(init)) => init.target.iter().collect(),
            Type::Callable(of) => {
                let params = of.params.iter().flat_map(|params| &params.types);
                params.chain(&of.block).chain(&of.returns).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Type {
    /// Returns true if an `Optional` of no type in particular is one of several alternatives in it.
    fn mixes_bare_optional(&self) -> bool {
        let mixed = match self {
            Type::Variant(types) => {
                let plain = types.iter().map(Type::normalize).filter(|of| !matches!(of, Type::Undef));
                let (bare, others): (Vec<Type>, Vec<Type>) = plain.partition(|of| matches!(of, Type::Optional(None)));
                !bare.is_empty() && !others.is_empty()
            }
            _ => false,
        };
        mixed || stack::with_room(|| self.parts().into_iter().any(Type::mixes_bare_optional))
    }
}

/// Returns true if there is anything in a type but aliases and alternatives of aliases.
fn is_real<'a>(of: &'a Type, defined: &'a Alias, seen: &mut FxHashSet<&'a str>) -> bool {
    match of {
        Type::Variant(types) => stack::with_room(|| types.iter().any(|of| is_real(of, defined, seen))),
        Type::Alias(alias) => {
            if alias.as_ref() == defined || !seen.insert(alias.name()) {
                return false;
            }
            // One that is not worked out yet may well be something.
            alias.resolved().is_none_or(|of| stack::with_room(|| is_real(of, defined, seen)))
        }
        _ => true,
    }
}

/// By name: an alias that holds itself has no end.
impl std::fmt::Debug for Alias {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

impl PartialEq for Alias {
    fn eq(&self, other: &Alias) -> bool {
        std::ptr::eq(self, other) || self.name == other.name
    }
}

impl Eq for Alias {}

impl std::hash::Hash for Alias {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}
