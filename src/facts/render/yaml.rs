//! YAML as Facter writes it: without a mark at its beginning, and with more quotes than Ruby would put.

use pantin_values::data::yaml::to_yaml_with_quotes;
use pantin_values::{Hash, Value};

/// Words that mean a truth value to some readers of YAML. Whatever has one of their letters in it is quoted.
const TELLING: [&str; 12] = ["y", "Y", "n", "N", "True", "TRUE", "False", "FALSE", "off", "Off", "OFF", ":"];

/// Returns the YAML of facts. `Err`: a value has no form in YAML, in words that follow "a value of the type".
pub fn to_yaml(facts: &Hash) -> Result<String, String> {
    let document = to_yaml_with_quotes(&Value::Hash(facts.clone()), needs_quotes)?;
    Ok(document.strip_prefix("---\n").unwrap_or(&document).to_owned())
}

fn needs_quotes(text: &str) -> bool {
    let is_of_digits = |line: &str| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    if text.contains("true") || text.contains("false") || text.split('\n').any(is_of_digits) {
        return false;
    }
    if TELLING.iter().any(|word| text.contains(word)) {
        return true;
    }
    let has_letter = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    !has_letter && !has_decimal(text)
}

/// `2.5` in any place.
fn has_decimal(text: &str) -> bool {
    text.as_bytes().windows(3).any(|part| part[0].is_ascii_digit() && part[1] == b'.' && part[2].is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_where_facter_puts_them() {
        let pair = |name: &str, value: Value| (Value::from(name), value);
        let facts: Hash = [
            pair("a", Value::from("amd64")),
            pair("b", Value::from("Debian")),
            pair("c", Value::from("12")),
            pair("d", Value::from("12.11")),
            pair("e", Value::from("fd00::2")),
            pair("f", Value::hash([pair("15m", Value::Float(2.05)), pair("no", Value::Undef)])),
            pair("g", Value::array([Value::from("ro"), Value::from("noatime")])),
            pair("h", Value::Integer(-5)),
            pair("i", Value::Boolean(true)),
        ]
        .into_iter()
        .collect();
        let expected = "a: amd64\nb: \"Debian\"\nc: '12'\nd: '12.11'\ne: \"fd00::2\"\nf:\n  15m: 2.05\n  no: \"\"\n\
                        g:\n- ro\n- \"noatime\"\nh: \"-5\"\ni: true\n";
        assert_eq!(to_yaml(&facts).unwrap(), expected);
    }
}
