//! Names in a type that nothing resolved.

use pantin_base::{budget, stack};
use rustc_hash::FxHashSet;

use crate::types::{Alias, CallableType};
use crate::{Str, Type};

/// The first one, in the order they were written.
pub(super) fn first(of: &Type) -> Option<Str> {
    find(of, &mut FxHashSet::default())
}

fn find(of: &Type, seen: &mut FxHashSet<*const Alias>) -> Option<Str> {
    budget::spend(1);
    stack::with_room(|| match of {
        Type::Reference(name) => Some(name.as_deref().unwrap_or("UnresolvedReference").into()),
        Type::Array(array) => find(&array.element, seen),
        Type::Hash(hash) => find(&hash.key, seen).or_else(|| find(&hash.value, seen)),
        Type::Tuple(tuple) => any(&tuple.types, seen),
        Type::Variant(types) => any(types, seen),
        Type::Struct(members) => members.iter().find_map(|member| find(&member.value, seen)),
        Type::Optional(Some(of))
        | Type::NotUndef(Some(of))
        | Type::Type(Some(of))
        | Type::Sensitive(Some(of))
        | Type::Iterable(Some(of))
        | Type::Iterator(Some(of)) => find(of, seen),
        Type::Init(Some(init)) => init.target.as_ref().and_then(|of| find(of, seen)),
        Type::Callable(callable) => in_callable(callable, seen),
        Type::Alias(alias) if seen.insert(std::sync::Arc::as_ptr(alias)) => {
            alias.resolved().and_then(|of| find(of, seen))
        }
        _ => None,
    })
}

fn any(types: &[Type], seen: &mut FxHashSet<*const Alias>) -> Option<Str> {
    types.iter().find_map(|of| find(of, seen))
}

fn in_callable(callable: &CallableType, seen: &mut FxHashSet<*const Alias>) -> Option<Str> {
    let params = callable.params.as_ref().and_then(|params| any(&params.types, seen));
    let block = |seen: &mut FxHashSet<*const Alias>| callable.block.as_ref().and_then(|of| find(of, seen));
    params.or_else(|| block(seen)).or_else(|| callable.returns.as_ref().and_then(|of| find(of, seen)))
}
