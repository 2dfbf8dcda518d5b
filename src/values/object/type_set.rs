//! A type set built of its initialization hash.

use std::sync::Arc;

use pantin_base::Language;

use super::hashes;
use crate::mismatch::assert_instance;
use crate::new::fault;
use crate::types::{NamedMembers, TypeSet, TypeSetMember, TypeSetReference};
use crate::{Fault, Hash, SemVer, SemVerRange, Str, Value};

/// The runtime's own authority over names, which a type set of a module stands under.
pub const RUNTIME_AUTHORITY: &str = "http://puppet.com/2016.1/runtime";

/// Returns the type set that `init` describes. `name` and `authority` are those it is defined by; they go before those
/// in the hash. Types are taken as they come: whoever defines a type set resolves the names in it.
pub fn build_type_set(
    name: Option<&str>,
    authority: Option<&str>,
    init: &Hash,
    language: Language,
) -> Result<TypeSet, Fault> {
    assert_instance("TypeSet initializer", hashes::type_set(language), &Value::Hash(init.clone()))?;
    let text = |key: &str| init.get_str(key).and_then(Value::as_str).map(Str::from);
    let mut set = TypeSet {
        name: name.map(Str::from).or_else(|| text("name")),
        name_authority: authority.map(Str::from).or_else(|| text("name_authority")),
        pcore_uri: text("pcore_uri"),
        pcore_version: version(init, "pcore_version")?,
        version: version(init, "version")?,
        annotations: init.get_str("annotations").filter(|annotations| !annotations.is_undef()).cloned(),
        ..TypeSet::default()
    };
    check_pcore_version(&set)?;
    set.types = members(init);
    set.references = references(&set, init)?;
    Ok(set)
}

fn version(init: &Hash, key: &str) -> Result<Option<Arc<SemVer>>, Fault> {
    match init.get_str(key) {
        Some(Value::SemVer(version)) => Ok(Some(version.clone())),
        Some(Value::String(text)) => Ok(Some(Arc::new(SemVer::parse(text).map_err(fault)?))),
        _ => Ok(None),
    }
}

fn check_pcore_version(set: &TypeSet) -> Result<(), Fault> {
    let Some(version) = &set.pcore_version else { return Ok(()) };
    let understood = SemVerRange::parse("1.x").map_err(fault)?;
    if understood.includes(version) {
        return Ok(());
    }
    let name = name_of(set);
    Err(Fault::new(format!(
        "The pcore version for TypeSet '{name}' is not understood by this runtime. Expected range {understood}, got {version}"
    )))
}

fn name_of(set: &TypeSet) -> &str {
    set.name.as_deref().unwrap_or_default()
}

fn entries<'a>(init: &'a Hash, key: &str) -> impl Iterator<Item = (&'a Str, &'a Value)> {
    let hash = match init.get_str(key) {
        Some(Value::Hash(hash)) => Some(hash),
        _ => None,
    };
    hash.into_iter().flat_map(Hash::iter).filter_map(|(name, value)| match name {
        Value::String(name) => Some((name, value)),
        _ => None,
    })
}

fn members(init: &Hash) -> NamedMembers<TypeSetMember> {
    let member = |(name, value): (&Str, &Value)| match value {
        Value::Type(of) => Some((name.clone(), TypeSetMember::Type(of.clone()))),
        Value::Hash(init) => Some((name.clone(), TypeSetMember::InitHash(init.clone()))),
        _ => None,
    };
    entries(init, "types").filter_map(member).collect()
}

fn references(set: &TypeSet, init: &Hash) -> Result<NamedMembers<TypeSetReference>, Fault> {
    let mut references: NamedMembers<TypeSetReference> = NamedMembers::default();
    let own_name = name_of(set);
    for (alias, spec) in entries(init, "references") {
        let Value::Hash(spec) = spec else { continue };
        let reference = TypeSetReference {
            name: spec.get_str("name").and_then(Value::as_str).unwrap_or_default().into(),
            name_authority: spec.get_str("name_authority").and_then(Value::as_str).map(Str::from),
            version_range: range(spec)?,
        };
        let authority = reference.name_authority.as_ref().or(set.name_authority.as_ref());
        let is_taken = references.values().any(|other| {
            other.name == reference.name
                && other.name_authority.as_ref().or(set.name_authority.as_ref()) == authority
                && other.version_range.intersection(&reference.version_range).is_ok()
        });
        if is_taken {
            return Err(Fault::new(format!(
                "TypeSet '{own_name}' references TypeSet '{}/{}' more than once using overlapping version ranges",
                authority.map(Str::as_str).unwrap_or_default(),
                reference.name
            )));
        }
        if set.types.contains_key(alias) {
            return Err(Fault::new(format!(
                "TypeSet '{own_name}' references a TypeSet using alias '{alias}'. The alias collides with the name of a declared type"
            )));
        }
        references.insert(alias.clone(), reference);
    }
    Ok(references)
}

fn range(spec: &Hash) -> Result<Arc<SemVerRange>, Fault> {
    match spec.get_str("version_range") {
        Some(Value::SemVerRange(range)) => Ok(range.clone()),
        Some(Value::String(text)) => SemVerRange::parse(text).map(Arc::new).map_err(fault),
        _ => SemVerRange::parse("*").map(Arc::new).map_err(fault),
    }
}
