//! The check that manifests define each function and type only once.

use std::sync::Arc;

use pantin_syntax::ast::NodeId;
use pantin_values::types;

use super::code::{CodeFile, Def, DefKind};
use super::report;

/// A name, and where it is defined.
type NamedDefinition<'f> = (&'f str, &'f CodeFile, NodeId);

/// Returns what is wrong with a name of the last of these manifests that is defined twice, or that is Puppet's own.
pub(super) fn redefinition_error(files: &[Arc<CodeFile>]) -> Option<String> {
    let last = files.last()?;
    let first_of_last = |all: &[NamedDefinition<'_>]| all.iter().position(|(_, file, _)| std::ptr::eq(*file, &**last));
    let functions: Vec<NamedDefinition<'_>> = files.iter().flat_map(functions_of).collect();
    let aliases: Vec<NamedDefinition<'_>> = files.iter().flat_map(aliases_of).collect();
    for (what, definitions) in [("function", functions), ("type", aliases)] {
        let Some(first) = first_of_last(&definitions) else { continue };
        for (index, (name, ..)) in definitions.iter().enumerate().skip(first) {
            if what == "type" && types::built_in_type(name).is_some() {
                let by = "by Puppet-Type-System/Static-Loader";
                return Some(report::redefinition(what, name, by));
            }
            let same = |earlier: &&NamedDefinition<'_>| earlier.0.eq_ignore_ascii_case(name);
            if let Some((_, file, earlier)) = definitions[..index].iter().find(same) {
                return Some(report::redefinition(what, name, &report::origin(&file.ast, *earlier)));
            }
            if what == "type"
                && let Some(earlier) = defined_before(files, &definitions[index])
            {
                return Some(report::redefinition(what, name, &earlier.origin()));
            }
        }
    }
    None
}

/// Of a defined type, the loader of types has an entry by its name too. (It takes one where there is an alias already.)
fn defined_before<'f>(files: &'f [Arc<CodeFile>], (name, of, id): &NamedDefinition<'_>) -> Option<&'f Arc<Def>> {
    let until = files.iter().position(|file| std::ptr::eq(&**file, *of))?;
    let mut before = files[..=until].iter().enumerate().flat_map(|(index, file)| {
        let all = file.definitions.iter();
        all.filter(move |known| index < until || known.code.as_ref().is_some_and(|(_, place)| place < id))
    });
    before.find(|known| matches!(known.kind, DefKind::Define) && known.name.eq_ignore_ascii_case(name))
}

fn functions_of(file: &Arc<CodeFile>) -> impl Iterator<Item = NamedDefinition<'_>> {
    file.functions.iter().map(move |function| (function.name.as_str(), &**file, function.id))
}

fn aliases_of(file: &Arc<CodeFile>) -> impl Iterator<Item = NamedDefinition<'_>> {
    file.aliases.iter().map(move |(name, id)| (name.as_str(), &**file, *id))
}
