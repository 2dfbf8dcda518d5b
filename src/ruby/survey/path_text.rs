//! What a path comes to that is put together from texts and from the place of the file itself, as `require` is given one:
//! `File.expand_path('../../puppet_x/helper', __FILE__)`. Nothing is run.

use pantin_base::paths::expanded;
use pantin_values::Str;

use super::{Receiver, receiver};
use crate::classes::{dirname, joined_to};
use crate::code::{Call, Expr, ExprKind};

/// Returns the text that an expression is worth in a file of this path; `None`: only a run of it would tell.
pub(super) fn path_text(expr: &Expr, file: &str) -> Option<Str> {
    match &expr.kind {
        ExprKind::String(text) | ExprKind::FrozenString(text) => Some(text.clone()),
        ExprKind::File => Some(file.into()),
        ExprKind::Joined(parts) => {
            let parts: Option<Vec<Str>> = parts.iter().map(|part| path_text(part, file)).collect();
            Some(parts?.concat().into())
        }
        ExprKind::Sequence(all) => match &all[..] {
            [one] => path_text(one, file),
            _ => None,
        },
        ExprKind::Call(call) => text_of_call(call, file),
        _ => None,
    }
}

fn text_of_call(call: &Call, file: &str) -> Option<Str> {
    let arguments: Option<Vec<Str>> = call.args.iter().map(|argument| path_text(argument, file)).collect();
    let arguments: Vec<&str> = arguments.as_ref()?.iter().map(Str::as_str).collect();
    match (receiver(call), call.name.as_str(), &arguments[..]) {
        (Receiver::Own, "__dir__", []) => Some(dirname(file).into()),
        (Receiver::Named(class), "dirname", [path]) if class == "File" => Some(dirname(path).into()),
        (Receiver::Named(class), "join", parts) if class == "File" => Some(joined(parts).into()),
        (Receiver::Named(class), "expand_path" | "absolute_path" | "realpath", parts) if class == "File" => {
            expanded_path(parts)
        }
        (Receiver::Named(class), "new", [path]) if class == "Pathname" => Some((*path).into()),
        (Receiver::Own, "Pathname", [path]) => Some((*path).into()),
        (_, name, arguments) => {
            let path = path_text(call.receiver.as_ref()?, file)?;
            match (name, arguments) {
                ("to_s" | "to_path", []) => Some(path),
                ("realpath" | "cleanpath" | "expand_path", []) => expanded_path(&[path.as_str()]),
                ("dirname" | "parent", []) => Some(dirname(&path).into()),
                ("join" | "/", parts) => Some(joined(&[&[path.as_str()], parts].concat()).into()),
                ("+", [more]) if is_pathname(call.receiver.as_ref()?) => Some(joined(&[path.as_str(), more]).into()),
                ("+", [more]) => Some(format!("{path}{more}").into()),
                _ => None,
            }
        }
    }
}

/// Returns true if an expression is a `Pathname`, as far as the text says it.
fn is_pathname(expr: &Expr) -> bool {
    let ExprKind::Call(call) = &expr.kind else { return false };
    match (receiver(call), call.name.as_str()) {
        (Receiver::Named(class), "new") => class == "Pathname",
        (Receiver::Own, "Pathname") => true,
        (_, "dirname" | "parent" | "join" | "/" | "+" | "realpath" | "cleanpath" | "expand_path") => {
            call.receiver.as_ref().is_some_and(is_pathname)
        }
        _ => false,
    }
}

/// Joins the parts of a path as `File.join` does.
fn joined(parts: &[&str]) -> String {
    match parts {
        [first, rest @ ..] => rest.iter().fold((*first).to_owned(), |whole, part| joined_to(&whole, part)),
        [] => String::new(),
    }
}

/// Returns a path from a folder, where both are known; from the folder of the process, nobody knows it.
fn expanded_path(parts: &[&str]) -> Option<Str> {
    let whole = match parts {
        [path, ..] if path.starts_with('/') => (*path).to_owned(),
        [path, folder] if folder.starts_with('/') => format!("{folder}/{path}"),
        _ => return None,
    };
    Some(expanded(&whole).as_ref().into())
}
