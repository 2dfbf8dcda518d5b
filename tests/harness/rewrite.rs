//! Writes expectations and confirmations into a document; all else stays byte for byte.

use pantin::base::Language;
use std::ops::Range;

use super::document::{Document, Section};
use super::said::{KINDS, Said};
use super::version;

/// What is to be written under one heading.
#[derive(Default)]
pub(super) struct Change {
    /// Kinds that are replaced, and the blocks that take their place (kind and attribute, text).
    pub(super) blocks: Vec<(&'static str, Vec<NewBlock>)>,
    /// The versions that confirmed.
    pub(super) oracle: Option<String>,
}

pub(super) struct NewBlock {
    /// The versions that say it; none: all that the example is of.
    versions: Vec<Language>,
    text: String,
}

impl Change {
    /// Expectation blocks of all kinds, one for all versions that say the same.
    pub(super) fn expectations(said: &[(Language, Said)]) -> Change {
        let blocks = KINDS.map(|kind| {
            let texts: Vec<_> = said.iter().map(|(version, said)| (*version, said.get(kind))).collect();
            (kind, new_blocks(&texts))
        });
        Change { blocks: blocks.into(), oracle: None }
    }

    pub(super) fn oracle_says(said: &[(Language, String)]) -> Change {
        let texts: Vec<_> = said.iter().map(|(version, text)| (*version, Some(text.as_str()))).collect();
        Change { blocks: vec![("oracle-says", new_blocks(&texts))], oracle: None }
    }
}

/// A block for each text, in the order of the versions.
fn new_blocks(texts: &[(Language, Option<&str>)]) -> Vec<NewBlock> {
    let mut blocks: Vec<NewBlock> = Vec::new();
    for (version, text) in texts {
        let Some(text) = text else { continue };
        match blocks.iter_mut().find(|block| block.text == *text) {
            Some(block) => block.versions.push(*version),
            None => blocks.push(NewBlock { versions: vec![*version], text: (*text).to_owned() }),
        }
    }
    if let [only] = &mut blocks[..]
        && only.versions.len() == texts.len()
    {
        only.versions.clear();
    }
    blocks
}

/// The text of the document with the changes, each for the section of that number.
pub(super) fn rewrite(document: &Document, changes: &[(usize, Change)]) -> String {
    let mut lines: Vec<String> = document.text.split_inclusive('\n').map(str::to_owned).collect();
    if let Some(last) = lines.last_mut().filter(|last| !last.ends_with('\n')) {
        last.push('\n');
    }
    // From the end, so that the line numbers of what comes before still hold.
    for (section, change) in changes.iter().rev() {
        for (range, text) in edits(&document.sections[*section], change).into_iter().rev() {
            let range = if text.is_empty() { with_blank_line_before(&lines, range) } else { range };
            lines.splice(range, (!text.is_empty()).then_some(text));
        }
    }
    lines.concat()
}

/// Replacements of lines, in order, not overlapping.
fn edits(section: &Section, change: &Change) -> Vec<(Range<usize>, String)> {
    let mut edits = Vec::new();
    let mut appended = String::new();
    for (kind, blocks) in &change.blocks {
        let mut old = section.blocks.iter().filter(|block| block.kind == *kind);
        let text = blocks.iter().map(|block| block.write(kind)).collect::<Vec<_>>().join("\n");
        match old.next() {
            Some(block) => edits.push((block.lines.clone(), text)),
            None if !text.is_empty() => appended.push_str(&format!("\n{text}")),
            None => {}
        }
        edits.extend(old.map(|block| (block.lines.clone(), String::new())));
    }
    if let Some(versions) = &change.oracle {
        let text = format!("<!-- oracle: {versions} -->\n");
        match &section.confirmation {
            Some(confirmation) => edits.push((confirmation.lines.clone(), text)),
            None => appended.push_str(&format!("\n{text}")),
        }
    }
    if !appended.is_empty() {
        // What is expected stands before what the oracle says instead.
        let is_expectation = change.blocks.iter().any(|(kind, _)| KINDS.contains(kind));
        let before = section.blocks.iter().filter(|block| !is_expectation || block.kind != "oracle-says");
        let end = before.map(|block| block.lines.end).max().unwrap_or_default();
        edits.push((end..end, appended));
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    edits
}

fn with_blank_line_before(lines: &[String], range: Range<usize>) -> Range<usize> {
    let blank = range.start > 0 && lines[range.start - 1].trim().is_empty();
    if blank { range.start - 1..range.end } else { range }
}

impl NewBlock {
    fn write(&self, kind: &str) -> String {
        let mut fence = "```".to_owned();
        while self.text.lines().any(|line| line.starts_with(&fence)) {
            fence.push('`');
        }
        let attribute = match &self.versions[..] {
            [] => String::new(),
            versions => format!(" puppet={}", version::write(versions)),
        };
        format!("{fence}{kind}{attribute}\n{}\n{fence}\n", self.text)
    }
}
