//! Names of files, which are only texts. The files themselves are not to be had.

use pantin_base::paths::expanded;

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::File, Side::Class, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("basename", 1, 2, |interp, given| {
        let path = interp.path_arg(given.arg(0))?;
        let name = basename(&path).to_owned();
        Ok(Value::text(match given.args.get(1) {
            Some(ending) => {
                let ending = interp.text_arg(ending)?;
                let bare =
                    if ending == ".*" { name.strip_suffix(extension(&name)) } else { name.strip_suffix(&ending) };
                bare.filter(|bare| !bare.is_empty()).unwrap_or(&name).to_owned()
            }
            None => name,
        }))
    }),
    method("dirname", 1, 2, |interp, given| Ok(Value::text(dirname(&interp.path_arg(given.arg(0))?)))),
    method("extname", 1, 1, |interp, given| {
        let path = interp.path_arg(given.arg(0))?;
        Ok(Value::text(extension(basename(&path))))
    }),
    method("join", 0, ANY, |interp, given| Ok(Value::text(joined(interp, given.args)?))),
    method("split", 1, 1, |interp, given| {
        let path = interp.path_arg(given.arg(0))?;
        Ok(Value::pair(Value::text(dirname(&path)), Value::text(basename(&path))))
    }),
    method("expand_path", 1, 2, expand_path),
    method("absolute_path", 1, 2, expand_path),
    method("absolute_path?", 1, 1, |interp, given| Ok(interp.path_arg(given.arg(0))?.starts_with('/').into())),
];

pub(super) fn basename(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() && !path.is_empty() {
        return "/";
    }
    trimmed.rsplit('/').next().unwrap_or(trimmed)
}

pub(crate) fn dirname(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rfind('/') {
        Some(at) => {
            let folder = trimmed[..at].trim_end_matches('/');
            // Of slashes that it begins with one is left.
            let first = folder.len() - folder.trim_start_matches('/').len();
            if folder.is_empty() { "/" } else { &folder[first.saturating_sub(1)..] }
        }
        None if trimmed.is_empty() && !path.is_empty() => "/",
        None => ".",
    }
}

/// From the last dot on, where anything but dots stands before it.
pub(super) fn extension(name: &str) -> &str {
    match name.rfind('.') {
        Some(at) if name[..at].chars().any(|letter| letter != '.') => &name[at..],
        _ => "",
    }
}

fn joined(interp: &mut Interp<'_>, parts: &[Value]) -> Flow<String> {
    let mut path = String::new();
    for (at, part) in parts.iter().enumerate() {
        let part = match part {
            Value::Array(list) => {
                let inner = list.items.borrow().clone();
                interp.deeper(|interp| joined(interp, &inner))?
            }
            other => interp.path_arg(other)?,
        };
        if at == 0 {
            path = part;
        } else {
            path = joined_to(&path, &part);
        }
    }
    Ok(path)
}

/// With one slash between them, or as many as the second has.
pub(crate) fn joined_to(path: &str, part: &str) -> String {
    match (part.starts_with('/'), path.ends_with('/')) {
        (true, _) => format!("{}{part}", path.trim_end_matches('/')),
        (false, true) => format!("{path}{part}"),
        (false, false) => format!("{path}/{part}"),
    }
}

fn expand_path(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let path = interp.path_arg(given.arg(0))?;
    let path = match given.args.get(1).filter(|_| !path.starts_with('/')) {
        Some(folder) if !folder.is_nil() => format!("{}/{path}", interp.path_arg(folder)?),
        _ => path,
    };
    if !path.starts_with('/') {
        return interp.unsupported("a path relative to the folder that the process stands in");
    }
    // Slashes that it begins with stay.
    let first = path.len() - path.trim_start_matches('/').len();
    Ok(Value::text(format!("{}{}", &path[1..first], expanded(&path))))
}
