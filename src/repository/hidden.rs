//! The hiding of what eyaml decrypted in values that a person is shown.
//!
//! Knows nothing of where the values come from.

use pantin_hiera::{DECRYPTED, DecryptedTexts};
use pantin_model::catalog::diff::{Change, ParameterChange, ResourceChange, ShownValue};
use pantin_values::Value;

/// Returns a value as it may be shown: what was decrypted is a secret, and a sign stands for it in a longer text.
pub fn hide_decrypted(shown: ShownValue, texts: &DecryptedTexts) -> ShownValue {
    let ShownValue::Value(value) = shown else { return shown };
    match texts.hide(&value) {
        Some(Value::String(text)) if text == DECRYPTED => ShownValue::Secret,
        Some(hidden) => ShownValue::Value(hidden),
        None => ShownValue::Value(value),
    }
}

/// The same for the values of a resource's change.
pub(crate) fn hide_in_change(change: ResourceChange, texts: &DecryptedTexts) -> ResourceChange {
    ResourceChange { change: hide_in_parameters(change.change, texts), ..change }
}

/// The same for the values of a change. Where they differ by nothing else, both are secrets.
pub(crate) fn hide_in_parameters(change: Change, texts: &DecryptedTexts) -> Change {
    let Change::Changed(parameters) = change else { return change };
    let hide = |ParameterChange { name, old, new }: ParameterChange| {
        let shown = [&old, &new].map(|shown| hide_decrypted(shown.clone(), texts));
        let is_hidden = shown[0] != old || shown[1] != new;
        let [old, new] =
            if is_hidden && shown[0] == shown[1] { [ShownValue::Secret, ShownValue::Secret] } else { shown };
        ParameterChange { name, old, new }
    };
    Change::Changed(parameters.into_iter().map(hide).collect())
}
