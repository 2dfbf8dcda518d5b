//! The patterns of addresses, as Ruby's are: their texts too, for code puts them into patterns of its own.

use std::sync::{Arc, LazyLock};

use pantin_values::Regexp;
use pantin_values::regex::Options;

use crate::value::Value;

struct Patterns {
    byte: Arc<Regexp>,
    v4: Arc<Regexp>,
    /// By the names of the constants.
    v6_forms: [(&'static str, Arc<Regexp>); 6],
    v6: Arc<Regexp>,
    any: Arc<Regexp>,
}

const HEX: &str = "[0-9A-Fa-f]{1,4}";

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let plain = |source: String| Arc::new(Regexp::new(source, Options::default()));
    let extended = |source: String| Arc::new(Regexp::new(source, Options { extended: true, ..Options::default() }));
    let within = |of: &Regexp| crate::interp::regex_to_s(of);
    let lines = |lines: &[&str]| extended(format!("\\A\n{}\n      \\z", lines.join("\n")));

    let deep = " ".repeat(15);
    let byte =
        extended(format!("0\n{deep}|1(?:[0-9][0-9]?)?\n{deep}|2(?:[0-4][0-9]?|5[0-5]?|[6-9])?\n{deep}|[3-9][0-9]?"));
    let group = format!("({})", within(&byte));
    let v4 = plain(format!("\\A{}\\z", [group.as_str(); 4].join("\\.")));

    let some = format!("((?:{HEX}(?::{HEX})*)?)");
    let decimals = r"      (\d+)\.(\d+)\.(\d+)\.(\d+)";
    let v6_forms = [
        ("Regex_8Hex", lines(&[&format!("      (?:{HEX}:){{7}}"), &format!("         {HEX}")])),
        ("Regex_CompressedHex", lines(&[&format!("      {some} ::"), &format!("      {some}")])),
        ("Regex_6Hex4Dec", lines(&[&format!("      ((?:{HEX}:){{6,6}})"), decimals])),
        ("Regex_CompressedHex4Dec", lines(&[&format!("      {some} ::"), &format!("      ((?:{HEX}:)*)"), decimals])),
        (
            "Regex_8HexLinkLocal",
            lines(&["      [Ff][Ee]80", &format!("      (?::{HEX}){{7}}"), r"      %[0-9A-Za-z\-]+"]),
        ),
        (
            "Regex_CompressedHexLinkLocal",
            lines(&[
                "      [Ff][Ee]80:",
                "      (?:",
                &format!("        {some} ::"),
                &format!("        {some}"),
                "        |",
                &format!("        :{some}"),
                "      )?",
                &format!(r"      :{HEX}%[0-9A-Za-z.\-]+"),
            ]),
        ),
    ];
    let forms = v6_forms.iter().map(|(_, form)| format!("      (?:{})", within(form)));
    let v6 = extended(format!("\n{}\n      ", forms.collect::<Vec<_>>().join(" |\n")));
    let any = plain(format!("(?:{})|(?:{})", within(&v4), within(&v6)));
    Patterns { byte, v4, v6_forms, v6, any }
});

/// Returns a constant of this path that is a pattern, or the number of a port.
pub(super) fn constant(path: &str) -> Option<Value> {
    let name = path.strip_prefix("Resolv::")?;
    let found = match name {
        "DNS::Port" => return Some(Value::Int(53)),
        "DNS::UDPSize" => return Some(Value::Int(512)),
        "AddressRegex" => &PATTERNS.any,
        "IPv4::Regex" => &PATTERNS.v4,
        "IPv4::Regex256" => &PATTERNS.byte,
        "IPv6::Regex" => &PATTERNS.v6,
        _ => {
            let form = name.strip_prefix("IPv6::")?;
            &PATTERNS.v6_forms.iter().find(|(known, _)| *known == form)?.1
        }
    };
    Some(Value::Regex(Arc::clone(found)))
}

pub(super) fn is_address(text: &str) -> bool {
    let regex = PATTERNS.any.regex();
    regex.is_ok_and(|regex| regex.find_at(text, 0).is_ok_and(|found| found.is_some()))
}
