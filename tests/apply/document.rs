//! A document of cases: Markdown cut into headings and fenced blocks, and written again with other records.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::apply_case::ApplyCase;

#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) path: PathBuf,
    /// `file/content.md`
    pub(crate) name: String,
    text: String,
    pub(crate) cases: Vec<ApplyCase>,
    /// What is wrong with the document, if it cannot be used.
    pub(crate) problem: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Block {
    /// The words behind the fence: `sh before`.
    pub(crate) words: Vec<String>,
    pub(crate) text: String,
    /// Lines of the document, counted from zero, fences included.
    pub(crate) lines: Range<usize>,
}

/// What the real Puppet did with a case.
pub(crate) struct Recording {
    pub(crate) heading: String,
    pub(crate) by_8: String,
    /// Where it is something else.
    pub(crate) by_7: Option<String>,
}

/// Returns every document below the folder, in order of their names.
pub(crate) fn read_all(folder: &Path) -> Vec<Document> {
    let mut paths = Vec::new();
    collect(folder, &mut paths);
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            Document::parse(path, name, text)
        })
        .collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            paths.push(path);
        }
    }
}

impl Document {
    fn parse(path: PathBuf, name: String, text: String) -> Document {
        let (cases, problem) = match cases(&text) {
            Ok(cases) => (cases, None),
            Err(problem) => (Vec::new(), Some(problem)),
        };
        Document { path, name, text, cases, problem }
    }

    pub(crate) fn trial_name(&self, case: &ApplyCase) -> String {
        format!("{}: {}", self.name, case.heading)
    }

    /// Returns the text with the recordings in the places of older ones.
    pub(crate) fn with_recordings(&self, recordings: &[Recording]) -> String {
        let mut text = String::new();
        for (range, case) in self.pieces() {
            let recording = case.and_then(|case| recordings.iter().find(|found| found.heading == case.heading));
            match (case, recording) {
                (Some(case), Some(recording)) => {
                    text.push_str(&self.without_records(range, &["seen", "seen puppet=7"]));
                    push_block(&mut text, "seen", &recording.by_8);
                    if let Some(by_7) = &recording.by_7 {
                        push_block(&mut text, "seen puppet=7", by_7);
                    }
                    if let (Some(_), Some(ours)) = (&case.differs, &case.expected_of_pantin) {
                        push_block(&mut text, "seen pantin", ours);
                    }
                }
                _ => text.extend(self.text.split_inclusive('\n').skip(range.start).take(range.len())),
            }
        }
        text
    }

    /// Returns the text with what Pantin does in the cases in which it is meant to differ.
    pub(crate) fn with_own_records(&self, records: &[(String, String)]) -> String {
        let mut text = String::new();
        for (range, case) in self.pieces() {
            match case.and_then(|case| records.iter().find(|(heading, _)| *heading == case.heading)) {
                Some((_, record)) => {
                    let piece = self.without_records(range, &["seen pantin"]);
                    text.push_str(&piece);
                    push_block(&mut text, "seen pantin", record);
                }
                None => text.extend(self.text.split_inclusive('\n').skip(range.start).take(range.len())),
            }
        }
        text
    }

    /// Returns the lines in pieces, each a case or what stands between.
    fn pieces(&self) -> Vec<(Range<usize>, Option<&ApplyCase>)> {
        let mut pieces = Vec::new();
        let mut next = 0;
        for case in &self.cases {
            if case.lines.start > next {
                pieces.push((next..case.lines.start, None));
            }
            pieces.push((case.lines.clone(), Some(case)));
            next = case.lines.end;
        }
        let end = self.text.lines().count();
        if next < end {
            pieces.push((next..end, None));
        }
        pieces
    }

    /// Returns the lines without blocks of these names, with one empty line at the end.
    fn without_records(&self, range: Range<usize>, names: &[&str]) -> String {
        let lines: Vec<&str> = self.text.split_inclusive('\n').collect();
        let mut text = String::new();
        let mut at = range.start;
        while at < range.end {
            if let Some(fence) = fence_of(lines[at].trim_end()) {
                let end = closing(&lines, at, fence).unwrap();
                let words = &lines[at].trim_end()[fence.len()..];
                if names.contains(&words) || (words == "seen pantin" && names.contains(&"seen")) {
                    at = end + 1;
                    continue;
                }
                text.extend(lines[at..=end].iter().copied());
                at = end + 1;
            } else {
                text.push_str(lines[at]);
                at += 1;
            }
        }
        let mut trimmed = text.trim_end().to_owned();
        trimmed.push_str("\n\n");
        trimmed
    }
}

fn push_block(text: &mut String, name: &str, content: &str) {
    let fence = if content.contains("```") { "~~~~" } else { "```" };
    writeln!(text, "{fence}{name}\n{content}{fence}\n").unwrap();
}

fn cases(text: &str) -> Result<Vec<ApplyCase>, String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut cases: Vec<ApplyCase> = Vec::new();
    let mut headings = BTreeSet::new();
    let mut at = 0;
    while at < lines.len() {
        let Some(heading) = heading_of(lines[at]) else {
            at += 1;
            continue;
        };
        let begin = at;
        let (blocks, differs, end) = blocks_below(&lines, at + 1)?;
        at = end;
        if blocks.is_empty() {
            continue;
        }
        if !headings.insert(heading.to_owned()) {
            return Err(format!("line {}: two cases are called '{heading}'", begin + 1));
        }
        let mut case = ApplyCase::from_blocks(heading, &blocks, differs)?;
        case.lines = begin..end;
        cases.push(case);
    }
    Ok(cases)
}

/// Returns the blocks up to the next heading, the reason of a difference, and where the next heading stands.
fn blocks_below(lines: &[&str], first: usize) -> Result<(Vec<Block>, Option<String>, usize), String> {
    let (mut blocks, mut differs) = (Vec::new(), None);
    let mut at = first;
    while at < lines.len() && heading_of(lines[at]).is_none() {
        let line = lines[at].trim_end();
        if let Some(fence) = fence_of(line) {
            let end = closing(lines, at, fence).ok_or(format!("line {}: the block is not closed", at + 1))?;
            let words = line[fence.len()..].split_whitespace().map(str::to_owned).collect();
            blocks.push(Block { words, text: lines[at + 1..end].concat(), lines: at..end + 1 });
            at = end;
        } else if let Some(reason) = line.strip_prefix("<!-- differs:").and_then(|rest| rest.strip_suffix("-->")) {
            differs = Some(reason.trim().to_owned());
        }
        at += 1;
    }
    Ok((blocks, differs, at))
}

fn closing(lines: &[&str], open: usize, fence: &str) -> Option<usize> {
    (open + 1..lines.len()).find(|&at| lines[at].trim_end() == fence)
}

fn fence_of(line: &str) -> Option<&str> {
    let mark = line.chars().next().filter(|mark| ['`', '~'].contains(mark))?;
    let fence = &line[..line.len() - line.trim_start_matches(mark).len()];
    (fence.len() >= 3).then_some(fence)
}

fn heading_of(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - rest.len())).then_some(rest)?.strip_prefix(' ').map(str::trim)
}
