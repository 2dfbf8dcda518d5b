//! `Puppet::Util`: what functions of modules use of it that asks nothing of the machine.

use pantin_model::trace::Level;

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::table::Table as Entries;
use crate::value::Value;

/// Its functions belong to the module, and to whoever includes it.
pub(super) const TABLES: [Table; 2] =
    [(Core::PuppetUtil, Side::Class, OF_MODULE), (Core::PuppetUtil, Side::Instance, OF_INCLUDERS)];

const OF_MODULE: &[NativeMethod] = &[
    method("absolute_path?", 1, 2, is_absolute),
    method("deterministic_rand", 2, 2, random_text),
    method("deterministic_rand_int", 2, 2, random_number),
    method("symbolizehash", 1, 1, with_symbols_for_keys),
];

const OF_INCLUDERS: &[NativeMethod] = &[
    private("absolute_path?", 1, 2, is_absolute),
    private("deterministic_rand", 2, 2, random_text),
    private("deterministic_rand_int", 2, 2, random_number),
    private("symbolizehash", 1, 1, with_symbols_for_keys),
];

fn is_absolute(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let path = given.arg(0);
    let Value::String(text) = path else {
        let (shown, class) = (interp.text_of(path)?, interp.class_name_of(path));
        let said = format!("Cannot check if {shown} is an absolute path because it is a '{class}' and not a String'");
        let logged = interp.outside.log(Level::Warning, &said);
        interp.outside(logged)?;
        return Ok(false.into());
    };
    let text = interp.str_of(text)?;
    let begins: fn(&str) -> bool = match given.args.get(1) {
        None | Some(Value::Nil) => begins_as_of_posix,
        Some(Value::Symbol(platform)) if platform == "posix" => begins_as_of_posix,
        Some(Value::Symbol(platform)) if platform == "windows" => begins_as_of_windows,
        Some(platform) => {
            let shown = interp.text_of(platform)?;
            return interp.raise(Core::PuppetDevError, format!("unknown platform {shown} in absolute_path"));
        }
    };
    // It is asked of the lines of a text, and one will do.
    let lines = text.match_indices('\n').map(|(end, _)| &text[end + 1..]);
    Ok(std::iter::once(text.as_str()).chain(lines).any(begins).into())
}

fn begins_as_of_posix(path: &str) -> bool {
    path.starts_with('/')
}

/// `C:\`, or `\\host\share`; a slash will do too.
fn begins_as_of_windows(path: &str) -> bool {
    let is_slash = |letter: char| matches!(letter, '\\' | '/');
    let mut letters = path.chars();
    let has_drive = letters.next().is_some_and(|drive| drive.is_ascii_alphabetic()) && letters.next() == Some(':');
    if has_drive {
        return letters.next().is_some_and(is_slash);
    }
    let Some(host) = path.strip_prefix(is_slash).and_then(|path| path.strip_prefix(is_slash)) else { return false };
    let Some((host, share)) = host.split_once(is_slash) else { return false };
    !host.is_empty() && !share.is_empty() && !share.starts_with(is_slash)
}

/// For the same seed the same.
fn random_number(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let generator = interp.send(&Value::Class(Core::Random.class()), "new", &given.args[..1])?;
    interp.send(&generator, "rand", &given.args[1..])
}

fn random_text(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let number = random_number(interp, given)?;
    Ok(Value::text(interp.text_of(&number)?))
}

fn with_symbols_for_keys(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Value::Hash(table) = interp.settle(given.arg(0).clone())? else {
        return interp.unsupported("Puppet::Util.symbolizehash of what is no hash");
    };
    let symbols = Entries::default();
    for (key, value) in table.pairs() {
        let key = match &key {
            Value::String(name) => Value::symbol(&interp.str_of(name)?),
            _ => key,
        };
        symbols.insert(key, value);
    }
    Ok(Value::hash(symbols))
}
