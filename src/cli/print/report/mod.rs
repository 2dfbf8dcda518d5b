//! The forms of a report. Each turns one checked target into bytes, whatever the others are.

mod github;
mod gitlab;
mod human;
mod json;
mod junit;
mod markdown;
mod puppet;
mod sarif;

use std::collections::BTreeSet;

use clap::ValueEnum;
use pantin_base::Diagnostic;
use pantin_values::Digester;
use pantin_world::Surroundings;

use super::check::Checked;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// Reports with the source's lines, for a person
    #[value(name = "text", alias = "human")]
    Human,
    /// The lines that the real command prints
    Puppet,
    /// One JSON object a line for each file, then one with the counts
    Json,
    /// One SARIF 2.1.0 log, for code scanning services
    Sarif,
    /// Workflow commands that GitHub shows beside the code
    Github,
    /// A code quality report for merge requests of GitLab
    Gitlab,
    /// JUnit's XML, a test case for each file
    Junit,
    /// A table for a comment on a merge request
    Markdown,
}

impl Format {
    /// The form for whoever reads standard output.
    pub(crate) fn for_surroundings(surroundings: &Surroundings) -> Format {
        if surroundings.stdout_is_terminal {
            Format::Human
        } else if surroundings.github_actions {
            Format::Github
        } else {
            Format::Puppet
        }
    }
}

/// How a report is to look.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    pub(crate) colour: bool,
    /// A terminal shows it, and the text of others may not play with that.
    pub(crate) on_terminal: bool,
    /// Columns of the terminal.
    pub(crate) width: usize,
    pub(crate) max_errors: usize,
    /// The environment that puppet's form names.
    pub(crate) environment: String,
}

/// One form of report. `file` is called on many threads; what it gives is printed in order.
pub(crate) trait Report: Sync {
    fn begin(&self) -> String {
        String::new()
    }

    /// Returns what is printed for one target; nothing where there is nothing to say.
    fn file(&self, checked: &Checked) -> String;

    /// Returns what stands between the non-empty texts of two targets.
    fn between(&self) -> &'static str {
        ""
    }

    fn end(&self, _tally: &Tally) -> String {
        String::new()
    }
}

pub(crate) fn report(format: Format, style: Style) -> Box<dyn Report> {
    match format {
        Format::Human => Box::new(human::Human::new(style)),
        Format::Puppet => Box::new(puppet::Puppet { style }),
        Format::Json => Box::new(json::Json { style }),
        Format::Sarif => Box::new(sarif::Sarif::new(style)),
        Format::Github => Box::new(github::Github { style }),
        Format::Gitlab => Box::new(gitlab::Gitlab { style }),
        Format::Junit => Box::new(junit::Junit::new(style)),
        Format::Markdown => Box::new(markdown::Markdown { style }),
    }
}

/// What is said of a finding, and below it what helps.
fn with_help(found: &Diagnostic) -> String {
    match &found.help {
        Some(help) => format!("{}\nhelp: {help}", found.message),
        None => found.message.clone(),
    }
}

/// Digest of a finding that stays when lines above it are added: its file, what is said, and how many came before it there.
fn fingerprint(path: &str, found: &Diagnostic, index: usize) -> String {
    let digest =
        Digester::new(b"finding").text(path).text(found.code).text(&found.message).number(index as u64).finish();
    digest.to_hex()
}

/// The counts of a run.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) files: usize,
    pub(crate) rejected: usize,
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) bytes: u64,
    /// Every issue that was met.
    pub(crate) codes: BTreeSet<&'static str>,
    /// The paths behind which there is nothing.
    pub(crate) missing: Vec<String>,
}

impl Tally {
    /// The counts of one target.
    pub(crate) fn new(checked: &Checked) -> Tally {
        let is_missing = matches!(checked.unread, Some(pantin_world::ReadError::Missing));
        Tally {
            files: 1,
            rejected: usize::from(!checked.accepted()),
            errors: checked.error_count,
            warnings: checked.warnings.len(),
            bytes: checked.bytes as u64,
            codes: checked.warnings.iter().chain(&checked.errors).map(|found| found.code).collect(),
            missing: is_missing.then(|| checked.shown_name().to_owned()).into_iter().collect(),
        }
    }

    pub(crate) fn add(&mut self, other: Tally) {
        self.files += other.files;
        self.rejected += other.rejected;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.bytes += other.bytes;
        self.codes.extend(other.codes);
        self.missing.extend(other.missing);
    }
}
