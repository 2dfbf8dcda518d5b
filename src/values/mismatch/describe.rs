//! The comparison of a type with another: each mismatch with its path.

use pantin_base::{budget, nearest, stack};

use super::{Mismatch, MismatchKind, Path, Step, extended, unresolved};
use crate::types::{ArrayType, CallableType, HashType, Member, Size, TupleType};
use crate::{Str, Type};

/// What a mismatch in number is called where it is found.
#[derive(Clone, Copy)]
pub(super) enum Counted {
    Elements,
    Arguments,
}

impl Counted {
    pub(super) fn mismatch(self, path: &[Step], expected: Size, actual: Size) -> Mismatch {
        let kind = match self {
            Counted::Elements => MismatchKind::Size { expected, actual },
            Counted::Arguments => MismatchKind::Count { expected, actual },
        };
        Mismatch::new(path, kind)
    }

    fn is(self, kind: &MismatchKind) -> bool {
        // A count of arguments is a size, too.
        matches!((self, kind), (Counted::Elements, MismatchKind::Size { .. }) | (_, MismatchKind::Count { .. }))
    }
}

/// What is wrong is kept with its path until all is known.
const STEPS_OF_LOOK: u64 = 32;

pub(super) fn describe(expected: &Type, actual: &Type, path: &[Step]) -> Vec<Mismatch> {
    // Who counts the steps sees that there were too many, whatever is wrong.
    if !budget::spend(STEPS_OF_LOOK + path.len() as u64) {
        return Vec::new();
    }
    match unresolved::first(expected) {
        Some(name) => vec![Mismatch::new(path, MismatchKind::Unresolved(name))],
        None => stack::with_room(|| plain(&expected.normalize(), expected, actual, path)),
    }
}

/// `original` is what the message tells in the place of `expected`.
fn plain(expected: &Type, original: &Type, actual: &Type, path: &[Step]) -> Vec<Mismatch> {
    match expected {
        Type::Variant(types) => variant(types, original, actual, path),
        Type::Struct(members) => structure(members, original, actual, path),
        Type::Hash(hash) => hash_of(hash, original, actual, path),
        Type::Tuple(of) => tuple(of, original, actual, path, Counted::Elements),
        Type::Array(array) => array_of(array, original, actual, path),
        Type::Callable(of) => callable(of, original, actual, path),
        Type::Optional(None) => Vec::new(),
        Type::Optional(Some(_)) if matches!(actual, Type::Undef) => Vec::new(),
        Type::Optional(Some(of)) => {
            let original = if matches!(original, Type::Alias(_)) { original } else { expected };
            plain(of, original, actual, path)
        }
        Type::Enum(_) | Type::Pattern(_) => {
            let (expected, actual) = (original.normalize(), actual.normalize());
            vec![Mismatch::new(path, MismatchKind::Pattern { expected, actual })]
        }
        Type::Alias(alias) => match alias.resolved() {
            Some(of) => stack::with_room(|| plain(&of.normalize(), expected, actual, path)),
            None => vec![Mismatch::of_types(path, original, actual)],
        },
        _ if expected.assignable(actual) => Vec::new(),
        _ => vec![Mismatch::of_types(path, original, actual)],
    }
}

fn variant(types: &[Type], original: &Type, actual: &Type, path: &[Step]) -> Vec<Mismatch> {
    let undef = matches!(original, Type::Optional(_)).then_some(&Type::Undef);
    let mut of_each = Vec::with_capacity(types.len() + 1);
    for (index, of) in undef.into_iter().chain(types).enumerate() {
        let errors = describe(of, actual, &extended(path, Step::Variant(index)));
        if errors.is_empty() {
            return errors;
        }
        of_each.push(errors);
    }
    let merged = merged(path.len(), Counted::Elements, of_each);
    if matches!(original, Type::Alias(_)) && merged.len() == 1 {
        // No alternative of the alias fits: then the alias is what does not.
        return vec![Mismatch::of_types(path, original, actual)];
    }
    merged
}

/// One mismatch in the place of the same one of each alternative, if there is one.
pub(super) fn merged(varying: usize, counted: Counted, of_each: Vec<Vec<Mismatch>>) -> Vec<Mismatch> {
    let alternatives = of_each.len();
    let all: Vec<Mismatch> = of_each.into_iter().flatten().collect();
    let classes: [&dyn Fn(&MismatchKind) -> bool; 4] = [
        &|kind| counted.is(kind),
        &|kind| matches!(kind, MismatchKind::MissingBlock),
        &|kind| matches!(kind, MismatchKind::UnexpectedBlock),
        &|kind| matches!(kind, MismatchKind::Type { .. } | MismatchKind::Pattern { .. }),
    ];
    for class in classes {
        let of_class = all.iter().filter(|error| class(&error.kind));
        if of_class.clone().count() == alternatives
            && let Some(one) =
                of_class.cloned().map(Some).reduce(|a, b| a.zip(b).and_then(|(a, b)| merge(a, b))).flatten()
        {
            return vec![one.without_step(varying)];
        }
    }
    let mut each_once: Vec<Mismatch> = Vec::with_capacity(all.len());
    for error in all {
        // Puppet compares blocks alone.
        let seen = |known: &Mismatch| {
            matches!(
                (&known.kind, &error.kind),
                (MismatchKind::MissingBlock, MismatchKind::MissingBlock)
                    | (MismatchKind::UnexpectedBlock, MismatchKind::UnexpectedBlock)
            ) && known.plain_path().eq(error.plain_path())
        };
        if !each_once.iter().any(seen) {
            each_once.push(error);
        }
    }
    match <[Mismatch; 1]>::try_from(each_once) {
        Ok([only]) => vec![only.without_step(varying)],
        Err(several) => several,
    }
}

/// Returns the least that both ask for, if they stand in the same place.
fn merge(a: Mismatch, b: Mismatch) -> Option<Mismatch> {
    if !a.plain_path().eq(b.plain_path()) {
        return None;
    }
    let wider = |a: Size, b: Size| Size { min: a.min.min(b.min), max: a.max.max(b.max) };
    let kind = match (a.kind, b.kind) {
        (
            MismatchKind::Size { expected, actual },
            MismatchKind::Size { expected: other, .. } | MismatchKind::Count { expected: other, .. },
        ) => MismatchKind::Size { expected: wider(expected, other), actual },
        (
            MismatchKind::Count { expected, actual },
            MismatchKind::Size { expected: other, .. } | MismatchKind::Count { expected: other, .. },
        ) => MismatchKind::Count { expected: wider(expected, other), actual },
        (
            MismatchKind::Type { expected, actual },
            MismatchKind::Type { expected: other, .. } | MismatchKind::Pattern { expected: other, .. },
        ) => MismatchKind::Type { expected: Type::variant([expected, other]).normalize(), actual: actual.normalize() },
        (
            MismatchKind::Pattern { expected, actual },
            MismatchKind::Type { expected: other, .. } | MismatchKind::Pattern { expected: other, .. },
        ) => {
            MismatchKind::Pattern { expected: Type::variant([expected, other]).normalize(), actual: actual.normalize() }
        }
        (kind, _) => kind,
    };
    Some(Mismatch { path: a.path, kind })
}

fn array_of(expected: &ArrayType, original: &Type, actual: &Type, path: &[Step]) -> Vec<Mismatch> {
    match actual {
        Type::Tuple(given) => {
            let size = given.size_or_count();
            if !expected.size.covers(size) {
                return vec![Counted::Elements.mismatch(path, expected.size, size)];
            }
            let misfits = given.types.iter().enumerate().filter(|(_, of)| !expected.element.assignable(of));
            misfits
                .flat_map(|(index, of)| describe(&expected.element, of, &extended(path, Step::Index(index))))
                .collect()
        }
        Type::Array(given) if expected.size.covers(given.size) => {
            vec![Mismatch::of_types(path, original, &Type::array_of(given.element.clone()))]
        }
        Type::Array(given) => vec![Counted::Elements.mismatch(path, expected.size, given.size)],
        _ => vec![Mismatch::of_types(path, original, actual)],
    }
}

/// Returns how many entries a hash of this form can have.
fn entries(members: &[Member]) -> Size {
    let needed = members.iter().filter(|member| !member.optional).count();
    Size { min: needed as u64, max: members.len() as u64 }
}

fn key_type(member: &Member) -> Type {
    let key = Type::StringValue(member.name.clone());
    if member.optional { Type::optional(key) } else { key }
}

fn hash_of(expected: &HashType, original: &Type, actual: &Type, path: &[Step]) -> Vec<Mismatch> {
    match actual {
        Type::Struct(members) => {
            if !expected.size.covers(entries(members)) {
                return vec![Counted::Elements.mismatch(path, expected.size, entries(members))];
            }
            let mut errors = Vec::new();
            for member in members.iter() {
                let name = || member.name.clone();
                describe_part(&mut errors, &expected.key, &key_type(member), path, || Step::EntryKey(name()));
                describe_part(&mut errors, &expected.value, &member.value, path, || Step::EntryValue(name()));
            }
            errors
        }
        Type::Hash(given) if expected.size.covers(given.size) => {
            vec![Mismatch::of_types(path, original, &Type::hash_of(given.key.clone(), given.value.clone()))]
        }
        Type::Hash(given) => vec![Counted::Elements.mismatch(path, expected.size, given.size)],
        _ => vec![Mismatch::of_types(path, original, actual)],
    }
}

fn describe_part(errors: &mut Vec<Mismatch>, expected: &Type, actual: &Type, path: &[Step], step: impl Fn() -> Step) {
    if !expected.assignable(actual) {
        errors.extend(describe(expected, actual, &extended(path, step())));
    }
}

fn structure(expected: &[Member], original: &Type, actual: &Type, path: &[Step]) -> Vec<Mismatch> {
    match actual {
        Type::Struct(given) => structure_of(expected, given, path),
        Type::Hash(given) if entries(expected).covers(given.size) => {
            vec![Mismatch::of_types(path, original, &Type::hash_of(given.key.clone(), given.value.clone()))]
        }
        Type::Hash(given) => vec![Counted::Elements.mismatch(path, entries(expected), given.size)],
        _ => vec![Mismatch::of_types(path, original, actual)],
    }
}

fn structure_of(expected: &[Member], given: &[Member], path: &[Step]) -> Vec<Mismatch> {
    let mut errors = Vec::new();
    for wanted in expected {
        match given.iter().rfind(|member| member.name == wanted.name) {
            None if wanted.optional => {}
            None => errors.push(Mismatch::new(path, MismatchKind::MissingKey(wanted.name.clone()))),
            Some(found) => {
                let name = || wanted.name.clone();
                describe_part(&mut errors, &key_type(wanted), &key_type(found), path, || Step::EntryKey(name()));
                describe_part(&mut errors, &wanted.value, &found.value, path, || Step::EntryValue(name()));
            }
        }
    }
    let is_known = |name: &Str| expected.iter().any(|member| member.name == *name);
    for member in given.iter().filter(|member| !is_known(&member.name)) {
        let free =
            expected.iter().map(|wanted| &wanted.name).filter(|name| !given.iter().any(|one| one.name == **name));
        let near = nearest(&member.name, free.map(Str::as_str)).map(Str::from);
        errors.push(Mismatch::new(path, MismatchKind::UnknownKey { key: member.name.clone(), near }));
    }
    errors
}

pub(super) fn tuple(
    expected: &TupleType,
    original: &Type,
    actual: &Type,
    path: &[Step],
    counted: Counted,
) -> Vec<Mismatch> {
    let at = |index| -> Path { extended(path, Step::Index(index)) };
    match actual {
        Type::Tuple(given) if **given == *expected => Vec::new(),
        Type::Array(_) if expected.types.is_empty() => Vec::new(),
        Type::Tuple(given) if expected.size_range().covers(given.size_range()) => {
            let last = expected.types.len().saturating_sub(1);
            let each = given.types.iter().enumerate().map(|(index, of)| (index.min(last), of));
            each.filter_map(|(index, of)| Some(describe(expected.types.get(index)?, of, &at(index))))
                .flatten()
                .collect()
        }
        Type::Tuple(given) => vec![counted.mismatch(path, expected.size_range(), given.size_range())],
        Type::Array(given) if expected.size_range().covers(given.size) => {
            let each = expected.types.iter().enumerate();
            each.flat_map(|(index, of)| describe(of, &given.element, &at(index))).collect()
        }
        Type::Array(given) => vec![counted.mismatch(path, expected.size_range(), given.size)],
        _ => vec![Mismatch::of_types(path, original, actual)],
    }
}

fn callable(expected: &CallableType, original: &Type, actual: &Type, path: &[Step]) -> Vec<Mismatch> {
    let Type::Callable(given) = actual else { return vec![Mismatch::of_types(path, original, actual)] };
    if let Some(params) = &expected.params {
        let whole = Type::Tuple(params.clone().into());
        let errors = match &given.params {
            Some(given) => {
                let given = Type::Tuple(given.clone().into());
                tuple(params, &whole, &given, path, Counted::Arguments)
            }
            None => vec![Mismatch::of_types(path, original, actual)],
        };
        if !errors.is_empty() {
            return errors;
        }
    } else if expected.returns.is_none() {
        return Vec::new();
    }
    let returns = |of: &CallableType| of.returns.clone().unwrap_or(Type::Any);
    if !returns(expected).assignable(&returns(given)) {
        return vec![Mismatch::of_types(&extended(path, Step::Return), &returns(expected), &returns(given))];
    }
    let block = |of: &CallableType| of.block.clone().unwrap_or(Type::Undef);
    if block(given).assignable(&block(expected)) {
        return Vec::new();
    }
    vec![Mismatch::of_types(&extended(path, Step::Block), &block(expected), &block(given))]
}
