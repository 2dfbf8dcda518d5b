//! What somebody (Pantin, the oracle, a document) says of one source: a tree, a value or a catalog, a log, an error.

use super::pn;

/// The kinds of expectation blocks, in the order in which they are written.
pub(super) const KINDS: [&str; 5] = ["ast", "value", "catalog", "log", "error"];

/// Texts as they stand in the blocks, without the last line end. `None`: nothing of the kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) ast: Option<String>,
    pub(super) value: Option<String>,
    pub(super) catalog: Option<String>,
    pub(super) log: Option<String>,
    pub(super) error: Option<String>,
}

impl Said {
    /// Of a source that is only parsed.
    pub(super) fn new(ast: Option<&str>, log: &[String], error: Option<&str>) -> Result<Said, String> {
        let ast = ast.map(|text| pn::pretty(text).map(|text| visible(&text))).transpose()?;
        Ok(Said { ast, ..Said::evaluated(None, log, error) })
    }

    /// Of a source that is evaluated: the last value as Puppet text (`None`: it is undef, or there
    /// is an error) or the text of a template; console lines; the error without `Error: `.
    pub(super) fn evaluated(value: Option<&str>, log: &[String], error: Option<&str>) -> Said {
        Said { value: value.map(visible), ..Said::compiled(None, log, error) }
    }

    /// Of a node's catalog: how it is shown, console lines, the error without `Error: `.
    pub(super) fn compiled(catalog: Option<&str>, log: &[String], error: Option<&str>) -> Said {
        Said {
            ast: None,
            value: None,
            catalog: catalog.map(visible),
            log: (!log.is_empty()).then(|| visible(&log.join("\n"))),
            error: error.map(visible),
        }
    }

    pub(super) fn get(&self, kind: &str) -> Option<&str> {
        match kind {
            "ast" => self.ast.as_deref(),
            "value" => self.value.as_deref(),
            "catalog" => self.catalog.as_deref(),
            "log" => self.log.as_deref(),
            "error" => self.error.as_deref(),
            _ => None,
        }
    }

    /// All of it as one text, for a block `oracle-says`; an error of Ruby's is named as such.
    pub(super) fn whole(&self, crash: Option<&str>) -> String {
        let error = match crash {
            Some(crash) => Some(format!("crash: {}", visible(crash))),
            None => self.error.as_ref().map(|error| format!("error: {error}")),
        };
        let value = self.value.as_ref().map(|value| format!("value: {value}"));
        let whole = [self.log.clone(), error, self.ast.clone(), value, self.catalog.clone()];
        let whole = whole.into_iter().flatten().collect::<Vec<_>>().join("\n");
        if whole.is_empty() { "accepted".to_owned() } else { whole }
    }
}

/// Control characters by their number: a document is text that an editor must not change.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => shown.push(c),
            c if c.is_control() || matches!(c, '\u{feff}' | '\u{2028}' | '\u{2029}') => {
                shown.push_str(&format!("\\u{{{:x}}}", c as u32));
            }
            c => shown.push(c),
        }
    }
    shown
}
