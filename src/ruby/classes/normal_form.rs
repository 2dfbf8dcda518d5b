//! The normal forms of Unicode: letters with accents as one sign each, or taken apart.

use unicode_normalization::UnicodeNormalization;

use super::broken::stands_in;
use super::string::with_text;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::text::Encoding;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::String, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("unicode_normalize", 0, 1, normalized),
    method("unicode_normalize!", 0, 1, |interp, given| {
        let form = normalized(interp, given)?;
        interp.send(given.receiver, "replace", &[form])
    }),
    method("unicode_normalized?", 0, 1, |interp, given| {
        let form = normalized(interp, given)?;
        interp.send(given.receiver, "==", &[form])
    }),
];

fn normalized(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let encoding = with_text(given, |text| Some(text.encoding()));
    match encoding.unwrap_or(Encoding::Utf8) {
        Encoding::Utf8 => {}
        Encoding::UsAscii => return interp.send(given.receiver, "dup", &[]),
        Encoding::Binary | Encoding::Latin1 => {
            let name = encoding.unwrap_or(Encoding::Utf8).name();
            let message = format!("Unicode Normalization not appropriate for {name}");
            return interp.raise(Core::EncodingCompatibilityError, message);
        }
        _ => return interp.unsupported("the normalization of a text that is not UTF-8"),
    }
    let form = match given.args {
        [] => "nfc".to_owned(),
        [Value::Symbol(form)] => form.to_string(),
        // The names are symbols: a text is none of them.
        [other, ..] => format!("{} ", interp.text_of(other)?),
    };
    let text = interp.own_text(given)?;
    if text.chars().any(stands_in) {
        return interp.raise(Core::ArgumentError, "invalid byte sequence in UTF-8");
    }
    let normal: String = match form.as_str() {
        "nfc" => text.nfc().collect(),
        "nfd" => text.nfd().collect(),
        "nfkc" => text.nfkc().collect(),
        "nfkd" => text.nfkd().collect(),
        other => {
            return interp.raise(Core::ArgumentError, format!("Invalid normalization form {}.", other.trim_end()));
        }
    };
    Ok(Value::text(normal))
}
