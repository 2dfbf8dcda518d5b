//! Values of Pantin's as the oracle shows its own.

use pantin::values::{Type, Value, format, text};

/// Nobody waits for the oracle to show more.
const MANY: u64 = 1_000_000;

/// A value as the oracle shows it (`Show` of `evaluation.rb`).
pub(crate) fn shown(value: &Value) -> String {
    let listed = |items: &[Value]| items.iter().map(shown).collect::<Vec<_>>().join(", ");
    match value {
        Value::Array(items) => format!("[{}]", listed(items)),
        Value::Hash(entries) => {
            let pairs = entries.iter().map(|(key, value)| format!("{} => {}", shown(key), shown(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        Value::Iterator(sequence) if sequence.len() > MANY => "more than anybody can show".to_owned(),
        Value::Iterator(sequence) => format!("[{}]", listed(&sequence.iter().collect::<Vec<_>>())),
        Value::Sensitive(_) | Value::Type(_) | Value::Object(_) => text::display(value).to_string(),
        Value::Resource(resource) => format!("Type({})", text::quoted(&resource.to_string())),
        Value::Timespan(_)
        | Value::Timestamp(_)
        | Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Uri(_)
        | Value::Binary(_) => {
            format!("{}({})", Type::infer(value).simple_name(), text::quoted(&text::display(value)))
        }
        _ => format::literal(value).to_string(),
    }
}
