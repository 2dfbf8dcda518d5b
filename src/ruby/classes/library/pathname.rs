//! Pathname: a path as an object. What it says of files is asked of `File` and `Dir`.

use std::cmp::Ordering;

use pantin_values::Str;

use super::file::{basename, dirname, extension, joined_to};
use crate::class::{Class, Core};
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::Pathname, Side::Class, MAKE),
    (Core::Pathname, Side::Instance, METHODS),
    (Core::Pathname, Side::Instance, OF_FILES),
    (Core::Kernel, Side::Instance, &[private("Pathname", 1, 1, pathname)]),
];

const MAKE: &[NativeMethod] = &[
    method("new", 1, 1, |interp, given| {
        let Value::Class(class) = given.receiver else { return Ok(Value::Nil) };
        let path = interp.path_arg(given.arg(0))?;
        if path.contains('\0') {
            return interp.raise(Core::ArgumentError, "pathname contains null byte");
        }
        Ok(made(*class, path))
    }),
    method("glob", 1, ANY, |interp, given| {
        let found = interp.send(&Value::Class(Core::Dir.class()), "glob", given.args)?;
        let paths = interp.array_arg(&found)?;
        let mut all = Vec::with_capacity(paths.len());
        for path in paths {
            let path = made(Core::Pathname.class(), interp.text_arg(&path)?);
            match given.block {
                Some(block) => drop(interp.yield_one(block, path)?),
                None => all.push(path),
            }
        }
        Ok(if given.block.is_some() { Value::Nil } else { Value::array(all) })
    }),
];

const METHODS: &[NativeMethod] = &[
    method("to_s", 0, 0, |_, given| Ok(Value::text(own(given).as_str()))),
    method("to_path", 0, 0, |_, given| Ok(Value::text(own(given).as_str()))),
    method("inspect", 0, 0, |interp, given| {
        let class = interp.classes.name(interp.real_class_of(given.receiver));
        Ok(Value::text(format!("#<{class}:{}>", own(given))))
    }),
    method("==", 1, 1, is_same),
    method("===", 1, 1, is_same),
    method("eql?", 1, 1, is_same),
    method("<=>", 1, 1, |_, given| {
        let Some(other) = path_of(given.arg(0)) else { return Ok(Value::Nil) };
        Ok(Value::Int(order(&own(given), &other) as i64))
    }),
    method("+", 1, 1, plus),
    method("/", 1, 1, plus),
    method("join", 0, ANY, join),
    method("parent", 0, 0, |_, given| Ok(plain(sum(&own(given), "..")))),
    method("basename", 0, 1, |interp, given| {
        let name = call_file_method(interp, given, "basename")?;
        same_class(interp, given, &name)
    }),
    method("dirname", 0, 0, |interp, given| {
        let folder = call_file_method(interp, given, "dirname")?;
        same_class(interp, given, &folder)
    }),
    method("expand_path", 0, 1, |interp, given| {
        let path = call_file_method(interp, given, "expand_path")?;
        same_class(interp, given, &path)
    }),
    method("extname", 0, 0, |interp, given| call_file_method(interp, given, "extname")),
    method("split", 0, 0, |interp, given| {
        let path = own(given);
        let (folder, name) = (dirname(&path).to_owned(), basename(&path).to_owned());
        let class = interp.real_class_of(given.receiver);
        Ok(Value::pair(made(class, folder), made(class, name)))
    }),
    method("sub", 1, 2, |interp, given| {
        let changed = interp.send_with(&Value::text(own(given).as_str()), "sub", given.args, given.block)?;
        same_class(interp, given, &changed)
    }),
    method("sub_ext", 1, 1, |interp, given| {
        let (path, ending) = (own(given), interp.text_arg(given.arg(0))?);
        // A dot alone is an extension, but not one that gives way.
        let replaced = match extension(basename(&path)) {
            "." => "",
            other => other,
        };
        let bare = path.strip_suffix(replaced).unwrap_or(&path);
        Ok(made(interp.real_class_of(given.receiver), format!("{bare}{ending}")))
    }),
    method("cleanpath", 0, 1, |interp, given| {
        let clean = if given.arg(0).is_truthy() { carefully_cleaned(&own(given)) } else { cleaned(&own(given)) };
        Ok(made(interp.real_class_of(given.receiver), clean))
    }),
    method("relative_path_from", 1, 1, relative),
    method("absolute?", 0, 0, |_, given| Ok(own(given).starts_with('/').into())),
    method("relative?", 0, 0, |_, given| Ok((!own(given).starts_with('/')).into())),
    method("root?", 0, 0, |_, given| {
        let path = own(given);
        Ok((!path.is_empty() && path.chars().all(|letter| letter == '/')).into())
    }),
    method("each_filename", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        for name in names(&own(given)).1 {
            interp.yield_one(block, Value::text(name))?;
        }
        Ok(Value::Nil)
    }),
    method("ascend", 0, 0, |interp, given| above(interp, given, false)),
    method("descend", 0, 0, |interp, given| above(interp, given, true)),
];

/// What reads the world is what `File` reads of it.
const OF_FILES: &[NativeMethod] = &[
    method("exist?", 0, 0, |interp, given| call_file_method(interp, given, "exist?")),
    method("file?", 0, 0, |interp, given| call_file_method(interp, given, "file?")),
    method("directory?", 0, 0, |interp, given| call_file_method(interp, given, "directory?")),
    method("readable?", 0, 0, |interp, given| call_file_method(interp, given, "readable?")),
    method("read", 0, 1, |interp, given| call_file_method(interp, given, "read")),
    method("binread", 0, 0, |interp, given| call_file_method(interp, given, "binread")),
    method("readlines", 0, 2, |interp, given| call_file_method(interp, given, "readlines")),
    method("each_line", 0, 2, |interp, given| call_file_method(interp, given, "foreach")),
    method("open", 0, 2, |interp, given| call_file_method(interp, given, "open")),
];

fn made(class: Class, path: String) -> Value {
    Value::object(class, Data::Pathname(path.into()))
}

fn plain(path: String) -> Value {
    made(Core::Pathname.class(), path)
}

fn path_of(value: &Value) -> Option<Str> {
    match value {
        Value::Object(object) => match &*object.data.borrow() {
            Data::Pathname(path) => Some(path.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn own(given: &CallArguments<'_>) -> Str {
    path_of(given.receiver).unwrap_or_default()
}

fn same_class(interp: &mut Interp<'_>, given: &CallArguments<'_>, path: &Value) -> Flow {
    let path = interp.text_arg(path)?;
    Ok(made(interp.real_class_of(given.receiver), path))
}

/// A method of `File`, of this path.
fn call_file_method(interp: &mut Interp<'_>, given: &CallArguments<'_>, name: &str) -> Flow {
    let mut args = given.rest(0);
    args.values.insert(0, Value::text(own(given).as_str()));
    interp.call(&Value::Class(Core::File.class()), name, args, given.block, None, true, false)
}

fn pathname(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match path_of(given.arg(0)) {
        Some(_) => Ok(given.arg(0).clone()),
        None => interp.send(&Value::Class(Core::Pathname.class()), "new", given.args),
    }
}

fn is_same(_: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    Ok(path_of(given.arg(0)).is_some_and(|other| other == own(given)).into())
}

/// A slash comes before any other letter.
fn order(one: &str, other: &str) -> Ordering {
    let bytes = |path: &str| path.bytes().map(|byte| if byte == b'/' { 0 } else { byte }).collect::<Vec<_>>();
    bytes(one).cmp(&bytes(other))
}

// ---- paths taken apart ----

/// Returns what stands before the last name, and that name.
fn chopped(path: &str) -> Option<(&str, &str)> {
    let name = basename(path);
    if name.is_empty() || name == "/" {
        return None;
    }
    Some((&path[..path.rfind(name)?], name))
}

/// Returns what stands before all names, and these.
fn names(path: &str) -> (&str, Vec<&str>) {
    let (mut prefix, mut all) = (path, Vec::new());
    while let Some((before, name)) = chopped(prefix) {
        prefix = before;
        all.push(name);
    }
    all.reverse();
    (prefix, all)
}

fn put_together(prefix: &str, names: &[&str]) -> String {
    let root = if prefix.contains('/') { "/" } else { "" };
    match (root, names) {
        ("", []) => ".".to_owned(),
        _ => format!("{root}{}", names.join("/")),
    }
}

/// Without `.`, and without a name that `..` follows.
fn cleaned(path: &str) -> String {
    let (prefix, all) = names(path);
    let is_absolute = prefix.contains('/');
    let mut kept: Vec<&str> = Vec::new();
    for name in all {
        match name {
            "." => {}
            ".." if kept.last().is_some_and(|last| *last != "..") => drop(kept.pop()),
            ".." if is_absolute => {}
            name => kept.push(name),
        }
    }
    put_together(prefix, &kept)
}

/// The same for whom a name may be a link, so that `..` behind it leads elsewhere.
fn carefully_cleaned(path: &str) -> String {
    let (prefix, all) = names(path);
    let mut kept: Vec<&str> = all.iter().copied().filter(|name| *name != ".").collect();
    if prefix.contains('/') {
        let above = kept.iter().take_while(|name| **name == "..").count();
        kept.drain(..above);
    }
    let Some(last) = kept.last().copied() else { return dirname(prefix).to_owned() };
    if last != ".." && basename(path) == "." {
        kept.push(".");
    }
    let clean = put_together(prefix, &kept);
    let last = kept.last().copied().unwrap_or_default();
    if last != "." && last != ".." && path.ends_with('/') { clean + "/" } else { clean }
}

/// Returns the second path as seen from the first.
fn sum(one: &str, other: &str) -> String {
    let (prefix, all) = names(other);
    if !prefix.is_empty() {
        return other.to_owned();
    }
    let mut places = Vec::with_capacity(all.len());
    let mut rest = other;
    while let Some((before, _)) = chopped(rest) {
        places.push(before.len());
        rest = before;
    }
    places.reverse();
    let (mut base, mut at) = (one, 0);
    let kept = loop {
        at += all[at..].iter().take_while(|name| **name == ".").count();
        let Some((before, name)) = chopped(base) else { break base.len() };
        if name != "." {
            if name == ".." || all.get(at) != Some(&"..") {
                break before.len() + name.len();
            }
            at += 1;
        }
        base = before;
    };
    let base = &one[..kept];
    let is_root = chopped(base).is_none() && basename(base).contains('/');
    if is_root {
        at += all[at..].iter().take_while(|name| **name == "..").count();
    }
    let has_base = is_root || chopped(base).is_some();
    match (places.get(at), has_base) {
        (Some(from), true) => joined_to(base, &other[*from..]),
        (Some(from), false) => format!("{base}{}", &other[*from..]),
        (None, true) => base.to_owned(),
        (None, false) => dirname(base).to_owned(),
    }
}

fn plus(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let other = argument(interp, given.arg(0))?;
    Ok(plain(sum(&own(given), &other)))
}

fn argument(interp: &mut Interp<'_>, value: &Value) -> Flow<String> {
    match path_of(value) {
        Some(path) => Ok(path.to_string()),
        None => interp.path_arg(value),
    }
}

/// From the last path on that is absolute.
fn join(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some((last, before)) = given.args.split_last() else { return Ok(given.receiver.clone()) };
    let mut path = argument(interp, last)?;
    if path.starts_with('/') {
        return Ok(if path_of(last).is_some() { last.clone() } else { plain(path) });
    }
    for part in before.iter().rev() {
        path = sum(&argument(interp, part)?, &path);
        if path.starts_with('/') {
            return Ok(plain(path));
        }
    }
    Ok(plain(sum(&own(given), &path)))
}

fn relative(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let base = cleaned(&argument(interp, given.arg(0))?);
    let path = cleaned(&own(given));
    let ((path_prefix, path_names), (base_prefix, base_names)) = (names(&path), names(&base));
    if path_prefix != base_prefix {
        return interp.raise(Core::ArgumentError, format!("different prefix: {path_prefix:?} and {base:?}"));
    }
    let is_name = |name: &&str| *name != ".";
    let path_names: Vec<&str> = path_names.into_iter().filter(is_name).collect();
    let base_names: Vec<&str> = base_names.into_iter().filter(is_name).collect();
    let common = path_names.iter().zip(&base_names).take_while(|(one, other)| one == other).count();
    if base_names[common..].contains(&"..") {
        return interp.raise(Core::ArgumentError, format!("base_directory has ..: {base:?}"));
    }
    let mut steps = vec![".."; base_names.len() - common];
    steps.extend(&path_names[common..]);
    Ok(plain(if steps.is_empty() { ".".to_owned() } else { steps.join("/") }))
}

/// The path and the folders that it lies in.
fn above(interp: &mut Interp<'_>, given: &CallArguments<'_>, from_outside: bool) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let (path, class) = (own(given), interp.real_class_of(given.receiver));
    let mut all = vec![given.receiver.clone()];
    let mut rest = path.as_str();
    while let Some((before, _)) = chopped(rest).filter(|(before, _)| !before.is_empty()) {
        let bare = before.trim_end_matches('/');
        all.push(made(class, if bare.is_empty() { "/" } else { bare }.to_owned()));
        rest = before;
    }
    if from_outside {
        all.reverse();
    }
    for path in all {
        interp.yield_one(block, path)?;
    }
    Ok(Value::Nil)
}
