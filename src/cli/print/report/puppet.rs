//! The lines of `puppet parser validate`, word for word, and of templates those of `puppet epp validate`.
//!
//! A single error of a manifest is raised and carries `Could not parse for environment …`; several are logged
//! without it, and the sentence that counts them names no file. What differs on purpose: the last
//! line of a file follows its others (the real one keeps it until all files are done); every file
//! is checked, and told of, though one is missing; the hint at `puppet help` that ends some runs is
//! left out; on a terminal, what could play with it is replaced.

use std::fmt::Write;

use pantin_base::Diagnostic;
use pantin_base::inspect::push_quoted;
use pantin_base::names::capitalized;
use pantin_world::ReadError;

use super::{Report, Style, Tally};
use crate::print::check::Checked;
use crate::print::printable::printable;

pub(super) struct Puppet {
    pub(super) style: Style,
}

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";

impl Report for Puppet {
    fn file(&self, checked: &Checked) -> String {
        let mut text = String::new();
        if matches!(checked.unread, Some(ReadError::Missing)) {
            return text;
        }
        let file = checked.name.as_deref();
        for warning in &checked.warnings {
            self.line(&mut text, YELLOW, "Warning", &warning.one_line(file));
        }
        match (checked.errors.as_slice(), &checked.giving_up) {
            ([], _) => {}
            ([first, ..], Some(_)) if self.style.max_errors <= 1 => self.raised(&mut text, checked, first),
            (several, Some(giving_up)) => {
                for error in several.iter().take(self.style.max_errors) {
                    self.line(&mut text, RED, "Error", &error.one_line(file));
                }
                self.line(&mut text, RED, "Error", giving_up);
            }
            ([logged @ .., last], None) => {
                for error in logged {
                    self.line(&mut text, RED, "Error", &error.one_line(file));
                }
                self.raised(&mut text, checked, last);
            }
        }
        text
    }

    fn end(&self, tally: &Tally) -> String {
        let mut text = String::new();
        if !tally.missing.is_empty() {
            let names: Vec<String> = tally.missing.iter().map(|name| inspect(&format!("   {name}\n"))).collect();
            let message = format!("One or more file(s) specified did not exist:\n[{}]", names.join(", "));
            self.line(&mut text, RED, "Error", &message);
        }
        text
    }
}

impl Puppet {
    fn raised(&self, text: &mut String, checked: &Checked, error: &Diagnostic) {
        let detail = match (&checked.unread, &checked.name) {
            // The words of Ruby for a file that may not be read.
            (Some(ReadError::System(_)), Some(name)) => {
                format!("{} @ rb_sysopen - {name}", reason_in(&error.message))
            }
            _ => error.one_line(checked.name.as_deref()),
        };
        // Of a catalog, nothing was parsed.
        match !checked.is_manifest || error.code == "REFUSED_RESOURCE" {
            true => self.line(text, RED, "Error", &detail),
            false => {
                let message = format!("Could not parse for environment {}: {detail}", self.style.environment);
                self.line(text, RED, "Error", &message);
            }
        }
    }

    fn line(&self, text: &mut String, colour: &str, level: &str, message: &str) {
        let message = if self.style.on_terminal { printable(message) } else { message.into() };
        // Writing to a string cannot fail.
        let _ = if self.style.colour {
            writeln!(text, "{colour}{level}: {message}\x1b[0m")
        } else {
            writeln!(text, "{level}: {message}")
        };
    }
}

/// Returns the reason in `Cannot read FILE: reason`, as the system spells it.
fn reason_in(message: &str) -> String {
    capitalized(message.rsplit(": ").next().unwrap_or(message))
}

/// Returns a string as Ruby's `inspect` shows it.
fn inspect(text: &str) -> String {
    let mut shown = String::new();
    push_quoted(&mut shown, text);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use pantin_base::{Place, Severity};

    fn finding(severity: Severity, message: &str, line: u32) -> Diagnostic {
        Diagnostic {
            severity,
            code: "SOME_ISSUE",
            message: message.to_owned(),
            place: Place::At { line, column: 1 },
            span: None,
            label: None,
            help: None,
            related: Vec::new(),
        }
    }

    fn checked(error_count: u32) -> Checked {
        let errors: Vec<_> = (1..=error_count).map(|line| finding(Severity::Error, "wrong", line)).collect();
        Checked {
            name: Some("/a.pp".to_owned()),
            is_manifest: true,
            source: None,
            bytes: 0,
            warnings: vec![finding(Severity::Warning, "odd", 9)],
            error_count: errors.len(),
            errors,
            giving_up: (error_count > 1).then(|| format!("logged {error_count} errors. Giving up")),
            unread: None,
        }
    }

    fn puppet(max_errors: usize) -> Puppet {
        let style = Style { colour: false, on_terminal: false, width: 100, max_errors, environment: "e".to_owned() };
        Puppet { style }
    }

    fn printed(max_errors: usize, error_count: u32) -> String {
        puppet(max_errors).file(&checked(error_count))
    }

    const WARNING: &str = "Warning: odd (file: /a.pp, line: 9, column: 1)\n";
    const RAISED: &str = "Error: Could not parse for environment e: wrong (file: /a.pp, line: 1, column: 1)\n";
    const FIRST_TWO: &str =
        "Error: wrong (file: /a.pp, line: 1, column: 1)\nError: wrong (file: /a.pp, line: 2, column: 1)\n";

    #[test]
    fn one_error_is_raised() {
        assert_eq!(printed(10, 0), WARNING);
        assert_eq!(printed(10, 1), format!("{WARNING}{RAISED}"));
        assert_eq!(printed(1, 3), format!("{WARNING}{RAISED}"));
        assert_eq!(printed(0, 3), format!("{WARNING}{RAISED}"));
    }

    #[test]
    fn of_a_template_no_environment_is_named() {
        let checked = Checked { is_manifest: false, ..checked(1) };
        assert_eq!(puppet(10).file(&checked), format!("{WARNING}Error: wrong (file: /a.pp, line: 1, column: 1)\n"));
    }

    #[test]
    fn several_are_logged_up_to_the_limit_and_counted() {
        assert_eq!(printed(10, 2), format!("{WARNING}{FIRST_TWO}Error: logged 2 errors. Giving up\n"));
        assert_eq!(printed(2, 3), format!("{WARNING}{FIRST_TWO}Error: logged 3 errors. Giving up\n"));
    }

    #[test]
    fn strings_are_shown_as_ruby_shows_them() {
        assert_eq!(inspect("a\"b\\\n\u{1b}é"), r#""a\"b\\\n\eé""#);
    }
}
