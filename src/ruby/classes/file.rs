//! Names of files, which are only texts. The files themselves are not to be had.

use crate::base::paths::expanded;
use crate::ruby::class::Core;
use crate::ruby::interp::{Given, Interp};
use crate::ruby::native::{ANY, NativeMethod, Side, Table, method};
use crate::ruby::stop::Flow;
use crate::ruby::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::File, Side::Class, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("basename", 1, 2, |interp, given| {
        let path = interp.text_arg(given.arg(0))?;
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
    method("dirname", 1, 2, |interp, given| Ok(Value::text(dirname(&interp.text_arg(given.arg(0))?)))),
    method("extname", 1, 1, |interp, given| {
        let path = interp.text_arg(given.arg(0))?;
        Ok(Value::text(extension(basename(&path))))
    }),
    method("join", 0, ANY, |interp, given| Ok(Value::text(joined(interp, given.args)?))),
    method("split", 1, 1, |interp, given| {
        let path = interp.text_arg(given.arg(0))?;
        Ok(Value::pair(Value::text(dirname(&path)), Value::text(basename(&path))))
    }),
    method("expand_path", 1, 2, expand_path),
    method("absolute_path", 1, 2, expand_path),
    method("absolute_path?", 1, 1, |interp, given| Ok(interp.text_arg(given.arg(0))?.starts_with('/').into())),
];

fn basename(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() && !path.is_empty() {
        return "/";
    }
    trimmed.rsplit('/').next().unwrap_or(trimmed)
}

pub(super) fn dirname(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rfind('/') {
        Some(at) => {
            let folder = trimmed[..at].trim_end_matches('/');
            if folder.is_empty() { "/" } else { folder }
        }
        None if trimmed.is_empty() && !path.is_empty() => "/",
        None => ".",
    }
}

/// From the last dot on, where that is neither the first letter nor the last.
fn extension(name: &str) -> &str {
    match name.rfind('.') {
        Some(at) if name[..at].chars().any(|letter| letter != '.') && at + 1 < name.len() => &name[at..],
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
            other => interp.text_arg(other)?,
        };
        if at == 0 {
            path = part;
        } else if part.starts_with('/') {
            path.truncate(path.trim_end_matches('/').len());
            path.push_str(&part);
        } else {
            if !path.ends_with('/') {
                path.push('/');
            }
            path.push_str(&part);
        }
    }
    Ok(path)
}

fn expand_path(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let path = interp.text_arg(given.arg(0))?;
    let path = match given.args.get(1).filter(|_| !path.starts_with('/')) {
        Some(folder) if !folder.is_nil() => format!("{}/{path}", interp.text_arg(folder)?),
        _ => path,
    };
    if !path.starts_with('/') {
        return interp.unsupported("a path relative to the folder that the process stands in");
    }
    Ok(Value::text(expanded(&path)))
}
