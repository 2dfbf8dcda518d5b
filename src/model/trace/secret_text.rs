//! The marking of decrypted texts: a value that holds one is treated as a secret.
//!
//! What is made of such a text by code (a hash of it, its first letter) is not known for what it is.

use pantin_base::stack;
use pantin_values::{Value, unencoded};

use super::step::StepReplyRef;
use super::{Answer, Effect, Failure, Host, Outcome};

pub(super) fn is_in_reply(host: &dyn Host, reply: StepReplyRef<'_>) -> bool {
    host.has_decrypted()
        && match reply {
            StepReplyRef::Answer(Answer::Value(value)) | StepReplyRef::Outcome(Outcome::Value(value)) => {
                value_reveals_secret(host, value)
            }
            StepReplyRef::Answer(Answer::Fault(fault)) => host.contains_decrypted_text(&fault.message),
            StepReplyRef::Outcome(Outcome::Failed(failure)) => host.contains_decrypted_text(&failure.message),
            _ => false,
        }
}

pub(super) fn effect_reveals_secret(host: &dyn Host, effect: &Effect) -> bool {
    host.has_decrypted()
        && (effect.any_value(&|value| value_reveals_secret(host, value))
            || effect.any_text(&|text| host.contains_decrypted_text(text)))
}

pub(super) fn result_reveals_secret(host: &dyn Host, result: &Result<Value, Failure>) -> bool {
    host.has_decrypted()
        && match result {
            Ok(value) => value_reveals_secret(host, value),
            Err(failure) => host.contains_decrypted_text(&failure.message),
        }
}

/// Returns true if a text in the value, at any depth, shows what was decrypted.
pub fn value_reveals_secret(host: &dyn Host, value: &Value) -> bool {
    match value {
        Value::String(text) => host.contains_decrypted_text(text),
        Value::Unencoded(letters) => host.contains_decrypted_text(&unencoded::display_text(letters)),
        Value::Array(items) => stack::with_room(|| items.iter().any(|item| value_reveals_secret(host, item))),
        Value::Hash(entries) => stack::with_room(|| {
            entries.iter().any(|(key, value)| value_reveals_secret(host, key) || value_reveals_secret(host, value))
        }),
        Value::Object(object) => {
            stack::with_room(|| object.values.iter().any(|value| value_reveals_secret(host, value)))
        }
        _ => false,
    }
}
