//! What the errors and warnings of bindings mean, by their codes.
//! It must not know where one was found.

use pantin_base::Severity;
use pantin_syntax::bindings::rule::{RULES, Rule};
use pantin_syntax::bindings::{RULE_DOCS, find_rule_doc};
use serde_json::{Value as Json, json};

/// Returns the codes, in the order of the catalogue.
pub(super) fn codes() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.code)
}

/// Describes all of them: one a line, or as a list for programs.
pub(super) fn list(is_json: bool) -> String {
    if is_json {
        let all: Vec<Json> = RULES.iter().filter_map(as_json).collect();
        return format!("{}\n", Json::Array(all));
    }
    let width = codes().map(str::len).max().unwrap_or_default();
    let lines = RULES.iter().zip(RULE_DOCS).map(|(rule, doc)| {
        let sentence = doc.text.split_inclusive(". ").next().unwrap_or_default().trim_end();
        format!("{:width$}  {sentence}\n", rule.code)
    });
    lines.collect()
}

/// Describes one, in whatever case its code is written.
pub(super) fn described(code: &str) -> Option<(Json, String)> {
    let code = code.to_uppercase();
    let wanted = find_rule_doc(&code)?;
    let rule = RULES.iter().find(|rule| rule.short_code() == wanted.code)?;
    let help = if rule.help.is_empty() { String::new() } else { format!("Help: {}\n", rule.help) };
    let text = format!("{} ({})\n\n{}\n\nExample: {}\n{help}", rule.code, severity(rule), wanted.text, wanted.example);
    Some((as_json(rule)?, text))
}

fn as_json(rule: &Rule) -> Option<Json> {
    let doc = find_rule_doc(rule.code)?;
    Some(json!({
        "code": rule.code,
        "severity": severity(rule),
        "text": doc.text,
        "example": doc.example,
        "help": rule.help,
    }))
}

fn severity(rule: &Rule) -> &'static str {
    if rule.severity == Severity::Error { "error" } else { "warning" }
}
