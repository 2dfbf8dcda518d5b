//! Functions on paths as texts.

use pantin_values::Value;

use super::ruby::{Result, fail, older};
use crate::{Builtin, Flow, Invocation, overload, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    older!("basename", basename, "The last part of a path, without a suffix if one is given."),
    older!("dirname", dirname, "A path without its last part."),
    Builtin::typed(
        "stdlib::extname",
        &[overload(&[required("String", "filename")], None, extname)],
        "The suffix of a path, with its dot.",
    ),
];

fn basename(args: Vec<Value>) -> Result {
    match args.as_slice() {
        [] => fail("basename(): No arguments given"),
        [_, _, _, ..] => fail(format!("basename(): Too many arguments given ({})", args.len())),
        [Value::String(path)] => Ok(last_part(path).into()),
        [Value::String(path), Value::String(suffix)] => Ok(without_suffix(last_part(path), suffix).into()),
        [Value::String(_), _] => fail("basename(): Requires string as second argument"),
        _ => fail("basename(): Requires string as first argument"),
    }
}

/// Of slashes alone, one.
fn last_part(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rsplit_once('/') {
        _ if trimmed.is_empty() => &path[..path.len().min(1)],
        Some((_, last)) => last,
        None => trimmed,
    }
}

/// `.*` is any suffix; a name is never all suffix.
fn without_suffix<'p>(name: &'p str, suffix: &str) -> &'p str {
    let kept = match suffix {
        ".*" => name.rfind('.').map(|dot| &name[..dot]),
        _ => name.strip_suffix(suffix),
    };
    kept.filter(|kept| !kept.is_empty()).unwrap_or(name)
}

fn dirname(args: Vec<Value>) -> Result {
    match args.as_slice() {
        [] => fail("dirname(): No arguments given"),
        [Value::String(path)] if path.is_empty() => fail("dirname(): Requires a non-empty string as argument"),
        [Value::String(path)] => Ok(folder_of(path).into()),
        [_] => fail("dirname(): Requires string as argument"),
        _ => fail(format!("dirname(): Too many arguments given ({})", args.len())),
    }
}

fn folder_of(path: &str) -> String {
    // Several slashes at the beginning are one.
    let rooted = path.starts_with('/');
    let inner = path.trim_start_matches('/').trim_end_matches('/');
    match inner.rsplit_once('/') {
        Some((folder, _)) => {
            let folder = folder.trim_end_matches('/');
            if rooted { format!("/{folder}") } else { folder.to_owned() }
        }
        None => if rooted { "/" } else { "." }.to_owned(),
    }
}

fn extname(call: &mut Invocation<'_, '_>) -> Flow {
    let path = call.take(0);
    let name = last_part(path.as_str().unwrap_or_default());
    let stem = name.trim_start_matches('.');
    let dots = name.len() - stem.len();
    Ok(stem.rfind('.').map_or("", |dot| &name[dots + dot..]).into())
}
