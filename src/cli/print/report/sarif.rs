//! One SARIF 2.1.0 log. Written as it goes: results first, and at the end the rules they name.

use std::sync::atomic::{AtomicUsize, Ordering};

use pantin_base::{Diagnostic, Place, Places, Severity, Span};
use serde_json::{Value, json};

use super::{Report, Style, Tally, fingerprint};
use crate::print::check::Checked;
use crate::print::printable::escaped_json;
use crate::print::repository_path::repository_path;

/// GitHub refuses a log with more results than that.
const MOST_RESULTS: usize = 25_000;

pub(super) struct Sarif {
    style: Style,
    /// So many results were written, and so many had no room.
    results: AtomicUsize,
}

impl Sarif {
    pub(super) fn new(style: Style) -> Sarif {
        Sarif { style, results: AtomicUsize::new(0) }
    }
}

impl Report for Sarif {
    fn begin(&self) -> String {
        "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\
         \"runs\":[{\"columnKind\":\"unicodeCodePoints\",\"results\":[\n"
            .to_owned()
    }

    fn file(&self, checked: &Checked) -> String {
        let mut places = checked.source.as_deref().map(Places::from_source);
        let findings = checked.findings(self.style.max_errors);
        let mut results: Vec<String> = Vec::new();
        for (index, found) in findings.enumerate() {
            if self.results.fetch_add(1, Ordering::Relaxed) < MOST_RESULTS {
                results.push(escaped_json(result(found, checked, index, places.as_mut()).to_string()));
            }
        }
        results.join(self.between())
    }

    fn between(&self) -> &'static str {
        ",\n"
    }

    fn end(&self, tally: &Tally) -> String {
        let rules: Vec<Value> = tally.codes.iter().map(|code| rule(code)).collect();
        let tool = json!({ "driver": {
            "name": "pantin",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        }});
        let mut invocations = json!([{ "executionSuccessful": true }]);
        let left_out = self.results.load(Ordering::Relaxed).saturating_sub(MOST_RESULTS);
        if left_out > 0 {
            let text = format!("{left_out} results are left out: code scanning takes {MOST_RESULTS}");
            let told = json!([{ "level": "warning", "message": { "text": text } }]);
            invocations[0]["toolExecutionNotifications"] = told;
        }
        format!("\n],\"invocations\":{invocations},\"tool\":{tool}}}]}}\n")
    }
}

/// A rule, with what it is about in words.
fn rule(code: &str) -> Value {
    json!({
        "id": code,
        "name": code,
        "shortDescription": { "text": description(code) },
        "properties": { "tags": ["puppet"] },
    })
}

/// Returns what the codes of a fleet mean; the others are issues of Puppet's own, whose names are words.
fn description(code: &str) -> String {
    match code {
        "NODE_FAILED" => "A node has no catalog".to_owned(),
        "DEPENDENCY_CYCLE" => "The relationships of a catalog lead in a circle".to_owned(),
        "MISSING_DEPENDENCY" => "A relationship names a resource that is not in the catalog".to_owned(),
        "LOGGED_ERROR" => "An error was logged while a catalog was compiled".to_owned(),
        "WARNING" => "A warning was logged while a catalog was compiled".to_owned(),
        "EXPORTS_UNSETTLED" => "What the nodes export never settles".to_owned(),
        "YAML_SYNTAX" => "A text is no YAML".to_owned(),
        "YAML_CLASS" => "Data has a value that Hiera does not take".to_owned(),
        "JSON_SYNTAX" => "A text is no JSON".to_owned(),
        "DATA_NO_HASH" => "Data for Hiera is no hash".to_owned(),
        "DATA_KEY" => "No look-up of a parameter finds a key of data".to_owned(),
        "DATA_EXPRESSION" => "Hiera refuses an expression in data, or takes it for something else".to_owned(),
        "ENCRYPTED_TEXT" => "An encrypted text is damaged".to_owned(),
        "DUPLICATE_KEY" => "A key stands twice in one mapping".to_owned(),
        "ERB_SYNTAX" => "The code of a template is no Ruby".to_owned(),
        "ERB_OPEN_TAG" => "A tag of a template is never closed".to_owned(),
        "HIERARCHY" => "Puppet refuses a hiera.yaml".to_owned(),
        "LEVEL_WITHOUT_FILE" => "A level of a hiera.yaml leads to no file".to_owned(),
        "METADATA" => "The metadata of a module is not as tools need it".to_owned(),
        "ENVIRONMENT_CONF" => "A line of an environment.conf is ignored".to_owned(),
        "CONFIGURATION" => "A pantin.toml cannot be read".to_owned(),
        other => {
            let words = other.to_lowercase().replace('_', " ");
            let mut letters = words.chars();
            letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
        }
    }
}

/// `index`: how many findings of the same file come before it.
fn result(found: &Diagnostic, checked: &Checked, index: usize, mut places: Option<&mut Places<'_>>) -> Value {
    let level = if found.severity == Severity::Error { "error" } else { "warning" };
    let text = match &found.help {
        Some(help) => format!("{}\n\nHelp: {help}", found.message),
        None => found.message.clone(),
    };
    let mut result = json!({ "ruleId": found.code, "level": level, "message": { "text": text } });
    let path = checked.name.as_deref().map(repository_path).unwrap_or_default();
    result["partialFingerprints"] = json!({ "pantin/v1": fingerprint(&path, found, index) });
    let place = region(found.place, found.span, places.as_deref_mut());
    if checked.is_of_file() {
        result["locations"] = json!([location(checked, place, None)]);
    }
    let related: Vec<Value> = found
        .related
        .iter()
        .map(|related| {
            let place = places.as_deref_mut().map_or(Place::WholeFile, |places| places.place_at(related.span.start));
            location(checked, region(place, Some(related.span), places.as_deref_mut()), Some(&related.note))
        })
        .collect();
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    result
}

fn location(checked: &Checked, region: Option<Value>, message: Option<&str>) -> Value {
    let uri = checked.name.as_deref().map_or_else(|| "stdin".to_owned(), |name| uri(&repository_path(name)));
    let mut location = json!({ "physicalLocation": { "artifactLocation": { "uri": uri } } });
    if let Some(region) = region {
        location["physicalLocation"]["region"] = region;
    }
    if let Some(message) = message {
        location["message"] = json!({ "text": message });
    }
    location
}

fn region(place: Place, span: Option<Span>, places: Option<&mut Places<'_>>) -> Option<Value> {
    let Place::At { line, column } = place else { return None };
    let mut region = json!({ "startLine": line, "startColumn": column });
    if let (Some(span), Some(places)) = (span, places) {
        // A span of the text that does not start where the issue is said to be would contradict it.
        if places.place_at(span.start) == place
            && let Place::At { line, column } = places.place_at(span.end())
        {
            region["endLine"] = line.into();
            region["endColumn"] = column.into();
            region["byteOffset"] = span.start.into();
            region["byteLength"] = span.len.into();
        }
    }
    Some(region)
}

/// Returns a path as a URI reference: relative ones stay so, absolute ones become `file://`.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("site/a b%.pp"), "site/a%20b%25.pp");
        assert_eq!(uri("/srv/é.pp"), "file:///srv/%C3%A9.pp");
        assert_eq!(uri("a:b.pp"), "a%3Ab.pp");
    }
}
