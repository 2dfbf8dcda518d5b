//! What somebody (Pantin, the oracle, a document) says of one source: a tree, a log, an error.

use super::pn;

/// The kinds of expectation blocks, in the order in which they are written.
pub(super) const KINDS: [&str; 3] = ["ast", "log", "error"];

/// Texts as they stand in the blocks, without the last line end. `None`: nothing of the kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) ast: Option<String>,
    pub(super) log: Option<String>,
    pub(super) error: Option<String>,
}

impl Said {
    pub(super) fn new(ast: Option<&str>, log: &[String], error: Option<&str>) -> Result<Said, String> {
        Ok(Said {
            ast: ast.map(|text| pn::pretty(text).map(|text| visible(&text))).transpose()?,
            log: (!log.is_empty()).then(|| visible(&log.join("\n"))),
            error: error.map(visible),
        })
    }

    pub(super) fn get(&self, kind: &str) -> Option<&str> {
        match kind {
            "ast" => self.ast.as_deref(),
            "log" => self.log.as_deref(),
            "error" => self.error.as_deref(),
            _ => None,
        }
    }

    /// All of it as one text, for a block `oracle-says`.
    pub(super) fn whole(&self) -> String {
        let error = self.error.as_ref().map(|error| format!("error: {error}"));
        let parts = [self.log.clone(), error, self.ast.clone()];
        let whole = parts.into_iter().flatten().collect::<Vec<_>>().join("\n");
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
