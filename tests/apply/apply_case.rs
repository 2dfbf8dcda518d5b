//! A case: a manifest, the machine before, the runs, and what each run did when it was recorded.

use std::fmt::Write as _;

use crate::document::Block;

/// Which program applied the manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Applier {
    Puppet7,
    Puppet8,
    Pantin { words_of_7: bool },
}

#[derive(Debug, Clone, Default)]
pub(crate) struct ApplyCase {
    pub(crate) heading: String,
    /// Lines of the document below the heading, up to the next one.
    pub(crate) lines: std::ops::Range<usize>,
    pub(crate) manifest: String,
    /// Runs on the machine before the first run, and must succeed.
    pub(crate) before: Option<String>,
    /// Runs before each later run, with its number.
    pub(crate) between: Option<String>,
    /// Path below `/case`, and content.
    pub(crate) files: Vec<(String, String)>,
    /// The command and the arguments of each run: `apply --verbose`.
    pub(crate) runs: Vec<String>,
    /// systemd is the first process of the machine.
    pub(crate) boots: bool,
    /// What it needs and is not here.
    pub(crate) lacks: Option<String>,
    /// Modules of the corpus that the manifest needs.
    pub(crate) modules: Vec<String>,
    /// What 8.10 did, and 7.23 where nothing else is recorded.
    pub(crate) expected: Option<String>,
    /// What 7.23 did, where that is something else.
    pub(crate) expected_of_7: Option<String>,
    /// Why Pantin does something else, and what.
    pub(crate) differs: Option<String>,
    pub(crate) expected_of_pantin: Option<String>,
}

/// The runs of a case that says nothing about them: nothing may change first, all is changed then, nothing is left to
/// do at last.
const RUNS: [&str; 3] = ["apply --verbose --noop", "apply --verbose", "apply --verbose"];

/// What a run may be of.
const COMMANDS: [&str; 2] = ["apply", "resource"];

impl ApplyCase {
    /// Takes in what stands below a heading.
    pub(crate) fn from_blocks(heading: &str, blocks: &[Block], differs: Option<String>) -> Result<ApplyCase, String> {
        let mut case = ApplyCase { heading: heading.to_owned(), differs, ..ApplyCase::default() };
        for block in blocks {
            case.take(block).map_err(|problem| format!("line {}: {problem}", block.lines.start + 1))?;
        }
        if case.runs.is_empty() {
            case.runs = RUNS.map(str::to_owned).to_vec();
        }
        if case.manifest.is_empty() && case.runs.iter().any(|run| run.starts_with("apply")) {
            return Err(format!("'{heading}' has no block `pp`"));
        }
        Ok(case)
    }

    fn take(&mut self, block: &Block) -> Result<(), String> {
        let text = || block.text.clone();
        match block.words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["pp"] => self.manifest = text(),
            ["sh", "before"] => self.before = Some(text()),
            ["sh", "between"] => self.between = Some(text()),
            ["file", path] => self.files.push((path.to_owned(), text())),
            ["settings"] => self.take_settings(&block.text)?,
            ["seen"] => self.expected = Some(text()),
            ["seen", "puppet=7"] => self.expected_of_7 = Some(text()),
            ["seen", "pantin"] => self.expected_of_pantin = Some(text()),
            ["text"] => {}
            _ => return Err(format!("no block is called `{}`", block.words.join(" "))),
        }
        Ok(())
    }

    fn take_settings(&mut self, text: &str) -> Result<(), String> {
        for line in text.lines() {
            match line.split_once('=').map(|(name, value)| (name.trim(), value.trim())) {
                Some(("run", arguments)) => self.runs.push(format!("apply {arguments}").trim().to_owned()),
                Some(("resource", arguments)) => self.runs.push(format!("resource {arguments}").trim().to_owned()),
                Some(("systemd", "boots")) => self.boots = true,
                Some(("modules", names)) => self.modules.extend(names.split_whitespace().map(str::to_owned)),
                _ => return Err(format!("`{line}` is no setting: `run = --verbose`, `modules = stdlib`")),
            }
        }
        Ok(())
    }

    /// Returns true if it is known what the program should do.
    pub(crate) fn is_recorded(&self) -> bool {
        if self.differs.is_some() { self.expected_of_pantin.is_some() } else { self.expected.is_some() }
    }

    /// Returns what the program should do, if that is recorded.
    pub(crate) fn expectation(&self, applier: Applier) -> Option<String> {
        let of_8 = self.expected.clone();
        let of_7 = || match &self.expected_of_7 {
            Some(of_7) => Some(completed(of_7, of_8.as_deref()?)),
            None => of_8.clone(),
        };
        match applier {
            Applier::Pantin { .. } if self.differs.is_some() => self.expected_of_pantin.clone(),
            Applier::Puppet8 | Applier::Pantin { words_of_7: false } => of_8,
            Applier::Puppet7 | Applier::Pantin { words_of_7: true } => of_7(),
        }
    }
}

/// Stands in the record of 7.23 for a run that did what it does with 8.10.
const AS_WITH_8: &str = "as with 8.10\n";

/// Returns the record of 7.23 without what 8.10 does as well.
pub(crate) fn shortened(of_7: &str, of_8: &str) -> String {
    let (of_7, of_8) = (runs(of_7), runs(of_8));
    let shorten = |(index, (head, body)): (usize, &(&str, &str))| {
        let is_same = of_8.get(index).is_some_and(|other| *other == (*head, *body));
        format!("{head}{}", if is_same { AS_WITH_8 } else { body })
    };
    of_7.iter().enumerate().map(shorten).collect()
}

/// Returns the whole record of 7.23.
fn completed(of_7: &str, of_8: &str) -> String {
    let (of_7, of_8) = (runs(of_7), runs(of_8));
    let complete = |(index, (head, body)): (usize, &(&str, &str))| {
        let same = of_8.get(index).filter(|_| *body == AS_WITH_8).map(|(_, body)| *body);
        format!("{head}{}", same.unwrap_or(body))
    };
    of_7.iter().enumerate().map(complete).collect()
}

/// Divides a record into its runs, each a line with the arguments and what was seen.
fn runs(record: &str) -> Vec<(&str, &str)> {
    let is_run = |line: &str| {
        let command = line.strip_prefix("$ ").and_then(|line| line.split_whitespace().next());
        command.is_some_and(|command| COMMANDS.contains(&command))
    };
    let lines = record.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    });
    let starts: Vec<usize> = lines.filter(|(_, line)| is_run(line)).map(|(start, _)| start).collect();
    let ends = starts.iter().skip(1).copied().chain([record.len()]);
    let divide = |(start, end): (&usize, usize)| {
        let run = &record[*start..end];
        run.split_at(run.find('\n').map_or(run.len(), |at| at + 1))
    };
    starts.iter().zip(ends).map(divide).collect()
}

/// What one run did.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct RunRecord {
    pub(crate) command: String,
    pub(crate) out: Vec<String>,
    pub(crate) err: Vec<String>,
    /// The exit code, or what became of the program instead.
    pub(crate) exit: String,
    /// Lines about the report; none where no report was written.
    pub(crate) report: Vec<String>,
    /// Lines about what stands differently on the machine since the run began.
    pub(crate) tree: Vec<String>,
}

impl RunRecord {
    /// Renders the runs as the block of a document has them.
    pub(crate) fn render(runs: &[RunRecord]) -> String {
        let mut text = String::new();
        for run in runs {
            writeln!(text, "$ {}", run.command).unwrap();
            run.out.iter().for_each(|line| writeln!(text, "| {line}").unwrap());
            run.err.iter().for_each(|line| writeln!(text, "! {line}").unwrap());
            writeln!(text, "exit {}", run.exit).unwrap();
            run.report.iter().chain(&run.tree).for_each(|line| writeln!(text, "{line}").unwrap());
        }
        text
    }
}
