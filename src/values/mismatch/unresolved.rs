//! Names in a type that nothing resolved.

use pantin_base::stack;

use crate::types::{Alias, CallableType};
use crate::{Str, Type};

/// The first one, in the order they were written.
pub(super) fn first(of: &Type) -> Option<Str> {
    find(of, &mut Vec::new())
}

fn find<'a>(of: &'a Type, open: &mut Vec<&'a Alias>) -> Option<Str> {
    stack::with_room(|| match of {
        Type::Reference(name) => Some(name.as_deref().unwrap_or("UnresolvedReference").into()),
        Type::Array(array) => find(&array.element, open),
        Type::Hash(hash) => find(&hash.key, open).or_else(|| find(&hash.value, open)),
        Type::Tuple(tuple) => any(&tuple.types, open),
        Type::Variant(types) => any(types, open),
        Type::Struct(members) => members.iter().find_map(|member| find(&member.value, open)),
        Type::Optional(Some(of))
        | Type::NotUndef(Some(of))
        | Type::Type(Some(of))
        | Type::Sensitive(Some(of))
        | Type::Iterable(Some(of))
        | Type::Iterator(Some(of)) => find(of, open),
        Type::Init(Some(init)) => init.target.as_ref().and_then(|of| find(of, open)),
        Type::Callable(callable) => in_callable(callable, open),
        Type::Alias(alias) if !open.iter().any(|&seen| std::ptr::eq(seen, &raw const **alias)) => {
            open.push(alias);
            alias.resolved().and_then(|of| find(of, open))
        }
        _ => None,
    })
}

fn any<'a>(types: &'a [Type], open: &mut Vec<&'a Alias>) -> Option<Str> {
    types.iter().find_map(|of| find(of, open))
}

fn in_callable<'a>(callable: &'a CallableType, open: &mut Vec<&'a Alias>) -> Option<Str> {
    let params = callable.params.as_ref().and_then(|params| any(&params.types, open));
    let block = |open: &mut Vec<&'a Alias>| callable.block.as_ref().and_then(|of| find(of, open));
    params.or_else(|| block(open)).or_else(|| callable.returns.as_ref().and_then(|of| find(of, open)))
}
