//! Methods of strings in no encoding (most work byte by byte); their results are in no encoding, too.
//!
//! While such a method runs, a text of UTF-8 stands in for the bytes, in which a letter that nobody uses is a byte beyond ASCII
//! (`pcore::unencoded`).

use std::rc::Rc;

use pantin_values::unencoded;

use super::broken;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::NativeMethod;
use crate::stop::Flow;
use crate::text::{Content, Encoding, Text};
use crate::value::Value;

/// Those whose texts are of the encoding of their own.
const FOLLOWING: &[&str] = &[
    "*",
    "[]",
    "capitalize",
    "capitalize!",
    "center",
    "chars",
    "chomp",
    "chomp!",
    "chop",
    "chop!",
    "chr",
    "delete",
    "delete!",
    "delete_prefix",
    "delete_prefix!",
    "delete_suffix",
    "delete_suffix!",
    "downcase",
    "downcase!",
    "each_char",
    "each_line",
    "gsub",
    "gsub!",
    "insert",
    "lines",
    "ljust",
    "lstrip",
    "lstrip!",
    "next",
    "next!",
    "partition",
    "prepend",
    "reverse",
    "reverse!",
    "rjust",
    "rpartition",
    "rstrip",
    "rstrip!",
    "scan",
    "slice",
    "slice!",
    "split",
    "squeeze",
    "squeeze!",
    "strip",
    "strip!",
    "sub",
    "sub!",
    "succ",
    "succ!",
    "swapcase",
    "swapcase!",
    "tr",
    "tr!",
    "tr_s",
    "tr_s!",
    "upcase",
    "upcase!",
];

pub(crate) fn follows(native: &NativeMethod, receiver: &Value) -> bool {
    matches!(receiver, Value::String(text) if text.is_binary()) && FOLLOWING.contains(&native.name)
}

pub(crate) fn follow(native: &NativeMethod, interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Value::String(own) = given.receiver else { return (native.run)(interp, given) };
    // A block would be handed the letters.
    if given.block.is_some() && !own.bytes().is_ascii() {
        return (native.run)(interp, given);
    }
    interp.check_lent_value(given.receiver)?;
    let copy = Rc::new(Text::new(unencoded::bytes_to_letters(&own.bytes())));
    copy.frozen.set(own.frozen.get());
    copy.lent.set(own.lent.get());
    let before = copy.content();
    let receiver = Value::String(copy.clone());
    let args: Vec<Value> = given.args.iter().map(by_letters).collect();
    let result = (native.run)(interp, &CallArguments { receiver: &receiver, args: &args, ..*given });
    if copy.content() != before {
        own.set_content(with_bytes(interp, copy.content())?);
    }
    match result {
        Err(stop) if broken::is_of_frozen(&stop) => interp.frozen(given.receiver),
        Ok(Value::String(text)) if Rc::ptr_eq(&text, &copy) => Ok(given.receiver.clone()),
        Ok(made) if broken::is_enumerator(&made) => interp.enumerator(given),
        Ok(made) => followed(interp, made),
        error => error,
    }
}

fn by_letters(value: &Value) -> Value {
    match value {
        Value::String(text) if text.is_binary() => Value::text(unencoded::bytes_to_letters(&text.bytes())),
        other => other.clone(),
    }
}

/// The texts that were made, and those in arrays, with bytes again.
fn followed(interp: &mut Interp<'_>, made: Value) -> Flow {
    match &made {
        Value::String(text) => text.set_content(with_bytes(interp, text.content())?),
        Value::Array(list) => {
            let items = list.items.borrow().clone();
            let items = items.into_iter().map(|item| followed(interp, item)).collect::<Flow<Vec<_>>>()?;
            *list.items.borrow_mut() = items;
        }
        _ => {}
    }
    Ok(made)
}

fn with_bytes(interp: &mut Interp<'_>, content: Content) -> Flow<Content> {
    let Content::Utf8(letters) = content else { return Ok(content) };
    match unencoded::bytes_alone(&letters) {
        Some(bytes) => Ok(Content::from_bytes(Encoding::Binary, bytes.into_owned())),
        None if !unencoded::has_bytes(&letters) => Ok(Content::Utf8(letters)),
        None => {
            let message = "incompatible character encodings: ASCII-8BIT and UTF-8";
            interp.raise(Core::EncodingCompatibilityError, message)
        }
    }
}
