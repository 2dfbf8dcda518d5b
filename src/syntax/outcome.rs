//! How findings become what Puppet logs and raises: limits, counts, "Giving up".

use pantin_base::{Diagnostic, Place, Severity, limits};

use super::ast::Ast;
use super::form::are_alike;

/// What validation found.
#[derive(Debug, Default)]
pub struct Findings {
    /// Logged on the spot, before anything else is said: what Puppet text in a heredoc led to.
    pub log: Vec<Diagnostic>,
    /// Errors in the order of the walk over the tree, and how many there were in all.
    errors: Vec<Diagnostic>,
    error_count: usize,
    /// Warnings and deprecations likewise.
    warnings: Vec<Diagnostic>,
    warning_count: usize,
    /// What ended the walk at once: text of a named syntax that does not parse.
    pub fatal: Option<Diagnostic>,
}

impl Findings {
    /// Returns what was found, errors and warnings alike, without what heredocs logged.
    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.errors.into_iter().chain(self.warnings).chain(self.fatal).collect()
    }

    /// Counts a finding, and keeps it within the limit.
    pub(super) fn add(&mut self, finding: Diagnostic) {
        let (kept, count) = match finding.severity {
            Severity::Error => (&mut self.errors, &mut self.error_count),
            Severity::Warning | Severity::Deprecation => (&mut self.warnings, &mut self.warning_count),
        };
        *count += 1;
        if kept.len() < limits::KEPT_FINDINGS {
            kept.push(finding);
        }
    }

    /// Returns true if the other ones say the same, in whatever places.
    pub(super) fn says_same(&self, other: &Findings) -> bool {
        let parts = |one: &Findings| (one.error_count, one.warning_count, one.fatal.is_some());
        parts(self) == parts(other)
            && are_alike(&self.log, &other.log)
            && are_alike(&self.errors, &other.errors)
            && are_alike(&self.warnings, &other.warnings)
            && are_alike(self.fatal.as_slice(), other.fatal.as_slice())
    }
}

/// Returns true if more text could make a source of what this error refused: something in it is not closed.
pub fn ended_too_early(error: &Diagnostic) -> bool {
    match error.code {
        "SYNTAX_ERROR" => error.message == "Syntax error at end of input",
        "UNCLOSED_QUOTE" | "UNCLOSED_MLCOMMENT" | "HEREDOC_WITHOUT_TEXT" | "HEREDOC_WITHOUT_END_TAGGED_LINE" => true,
        _ => false,
    }
}

/// The settings `max_errors`, `max_warnings` and `max_deprecations`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageLimits {
    pub errors: usize,
    pub warnings: usize,
    pub deprecations: usize,
}

impl Default for MessageLimits {
    fn default() -> MessageLimits {
        MessageLimits { errors: 10, warnings: 10, deprecations: 10 }
    }
}

/// The code of the error that counts those in the log, and is none of its own.
pub const GIVING_UP: &str = "GIVING_UP";

/// What a person sees of one source.
#[derive(Debug)]
pub struct Outcome {
    /// Logged on the way, in order: warnings, then errors where there are several.
    pub log: Vec<Diagnostic>,
    /// What it failed with: the one error, or the sentence that counts them.
    pub error: Option<Diagnostic>,
    /// How many errors there were; the log holds no more than were asked for.
    pub error_count: usize,
    /// The tree, where it parsed.
    pub ast: Option<Ast>,
}

impl Outcome {
    /// What could be parsed no further than to its first error.
    pub fn failed(log: Vec<Diagnostic>, error: Diagnostic) -> Outcome {
        Outcome { log, error: Some(error), error_count: 1, ast: None }
    }

    pub fn accepted(&self) -> bool {
        self.error.is_none()
    }

    /// Sorts findings into the log and the error, as Puppet's issue reporter does.
    pub fn new(mut log: Vec<Diagnostic>, ast: Option<Ast>, findings: Findings, limits: MessageLimits) -> Outcome {
        let Findings { log: on_the_spot, mut errors, error_count, warnings: found, warning_count, fatal } = findings;
        log.extend(on_the_spot);
        if let Some(fatal) = fatal {
            return Outcome { log, error: Some(fatal), error_count: 1, ast };
        }
        let (mut warnings, mut deprecations) = (0, 0);
        for warning in found {
            let (seen, limit) = match warning.severity {
                Severity::Deprecation => (&mut deprecations, limits.deprecations),
                _ => (&mut warnings, limits.warnings),
            };
            if *seen < limit {
                log.push(warning);
            }
            *seen += 1;
        }
        if errors.is_empty() {
            return Outcome { log, error: None, error_count, ast };
        }
        if error_count == 1 || limits.errors <= 1 {
            let error = errors.swap_remove(0);
            return Outcome { log, error: Some(error), error_count, ast };
        }
        log.extend(errors.into_iter().take(limits.errors));
        let message = if warning_count > 0 {
            format!("Language validation logged {error_count} errors, and {warning_count} warnings. Giving up")
        } else {
            format!("Language validation logged {error_count} errors. Giving up")
        };
        let error = Diagnostic {
            severity: Severity::Error,
            code: GIVING_UP,
            message,
            place: Place::WholeFile,
            span: None,
            label: None,
            help: None,
            related: Vec::new(),
        };
        Outcome { log, error: Some(error), error_count, ast }
    }
}
