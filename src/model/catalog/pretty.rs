//! JSON in one line laid out for a reader, byte for byte as `serde_json` does it.

/// `json`: JSON without any blanks between its parts.
pub fn pretty_json(json: &str) -> String {
    let mut pretty = String::with_capacity(json.len() * 2);
    let mut depth = 0;
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => text_length(rest),
            '{' | '[' if matches!(rest.as_bytes().get(1), Some(b'}' | b']')) => 2,
            _ => first.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        match part {
            "{" | "[" => {
                depth += 1;
                pretty.push_str(part);
                break_line(&mut pretty, depth);
            }
            "}" | "]" => {
                depth -= 1;
                break_line(&mut pretty, depth);
                pretty.push_str(part);
            }
            "," => {
                pretty.push_str(part);
                break_line(&mut pretty, depth);
            }
            ":" => pretty.push_str(": "),
            _ => pretty.push_str(part),
        }
        rest = after;
    }
    pretty
}

fn break_line(pretty: &mut String, depth: usize) {
    pretty.push('\n');
    pretty.extend(std::iter::repeat_n("  ", depth));
}

/// Returns the length of the text at the beginning, with its quotation marks.
fn text_length(json: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in json.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    json.len()
}

#[cfg(test)]
mod tests {
    use super::pretty_json;

    #[test]
    fn it_is_laid_out_as_serde_json_lays_it_out() {
        let json = r#"{"a":[],"b":{},"c":[1,-2.5e10,null,true,"x: [\"{,é\\"],"d":{"e":[{"f":[[]]}]},"g":"" }"#;
        let json = json.replace(" }", "}");
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(pretty_json(&serde_json::to_string(&value).unwrap()), serde_json::to_string_pretty(&value).unwrap());
        assert_eq!(pretty_json("[]"), "[]");
    }
}
