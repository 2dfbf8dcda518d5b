//! A spec document: Markdown cut into headings, fenced blocks and confirmations, with their lines.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(super) struct Document {
    pub(super) path: PathBuf,
    /// `room/topic.md`
    pub(super) name: String,
    pub(super) text: String,
    pub(super) sections: Vec<Section>,
    /// What is wrong with the document as a whole.
    pub(super) problem: Option<String>,
}

/// What is done with the examples of a room.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Mode {
    #[default]
    Parse,
    Evaluate,
    /// A whole catalog.
    Compile,
    /// A look-up in the data.
    Lookup,
}

impl Mode {
    fn of_room(room: &str) -> Option<Mode> {
        match room {
            "syntax" | "validation" => Some(Mode::Parse),
            "types" | "language" | "functions" | "stdlib" | "epp" | "ruby" | "trace" => Some(Mode::Evaluate),
            "catalogs" | "hiera" | "loading" | "ducks" | "relationships" => Some(Mode::Compile),
            "lookup" => Some(Mode::Lookup),
            _ => None,
        }
    }
}

/// A heading and what stands below it, up to the next one. With blocks, it is an example.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) mode: Mode,
    pub(super) heading: String,
    pub(super) line: usize,
    pub(super) blocks: Vec<Block>,
    pub(super) confirmation: Option<Confirmation>,
}

#[derive(Debug, Clone)]
pub(super) struct Block {
    /// The first word of the info string: `pp`, `ast`, `log`.
    pub(super) kind: String,
    pub(super) attributes: Vec<(String, String)>,
    /// The lines between the fences, each with its end.
    pub(super) text: String,
    /// Lines of the document, counted from zero, fences included; the end is exclusive.
    pub(super) lines: std::ops::Range<usize>,
}

#[derive(Debug, Clone)]
pub(super) struct Confirmation {
    pub(super) by: By,
    pub(super) lines: std::ops::Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum By {
    /// The versions that said so: `7.23, 8.10`.
    Oracle(String),
    /// The reason why Pantin's answer is another one.
    Differs(String),
}

/// Every document below the folder, in order of their names.
pub(super) fn read_all(folder: &Path) -> Vec<Document> {
    let mut paths = Vec::new();
    collect(folder, &mut paths);
    paths.sort();
    let name_of = |path: &Path| path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
    paths
        .into_iter()
        .filter(|path| !["README.md", "SEEDS.md"].contains(&name_of(path).as_str()))
        .map(|path| {
            let name = name_of(&path);
            let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            Document::parse(path, name, text)
        })
        .collect()
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            into.push(path);
        }
    }
}

impl Document {
    pub(super) fn parse(path: PathBuf, name: String, text: String) -> Document {
        let (mut sections, problem) = match sections(&text) {
            Ok(sections) => {
                let problem = problem_of(&sections);
                (sections, problem)
            }
            Err(problem) => (Vec::new(), Some(problem)),
        };
        let room = name.split('/').next().unwrap_or_default();
        let mode = Mode::of_room(room);
        let problem = problem.or_else(|| mode.is_none().then(|| format!("no room of the specs is called '{room}'")));
        sections.iter_mut().for_each(|section| section.mode = mode.unwrap_or_default());
        Document { path, name, text, sections, problem }
    }

    /// The sections that are examples.
    pub(super) fn examples(&self) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(|section| section.is_example())
    }

    pub(super) fn trial_name(&self, section: &Section) -> String {
        format!("{}: {}", self.name, section.heading)
    }
}

impl Section {
    pub(super) fn is_example(&self) -> bool {
        self.blocks.iter().any(|block| block.kind != "text")
    }
}

impl Block {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

fn problem_of(sections: &[Section]) -> Option<String> {
    let mut headings = BTreeSet::new();
    for section in sections.iter().filter(|section| section.is_example()) {
        if section.heading.is_empty() {
            return Some(format!(
                "line {}: a block stands before the first heading",
                section.blocks[0].lines.start + 1
            ));
        }
        if !headings.insert(&section.heading) {
            return Some(format!("line {}: two examples are called '{}'", section.line + 1, section.heading));
        }
    }
    headings.is_empty().then(|| "no example: a heading with fenced blocks under it is one".to_owned())
}

fn sections(text: &str) -> Result<Vec<Section>, String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut sections = vec![Section::default()];
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at].trim_end();
        let section = sections.last_mut().unwrap();
        if let Some(fence) = fence_of(line) {
            let end = (at + 1..lines.len())
                .find(|&end| {
                    fence_of(lines[end].trim_end())
                        .is_some_and(|closing| closing == lines[end].trim_end() && closing.starts_with(fence))
                })
                .ok_or(format!("line {}: the block is not closed", at + 1))?;
            section.blocks.push(block(&line[fence.len()..], lines[at + 1..end].concat(), at..end + 1)?);
            at = end;
        } else if let Some(heading) = heading_of(line) {
            sections.push(Section { heading: heading.to_owned(), line: at, ..Section::default() });
        } else if line.starts_with("<!-- oracle:") || line.starts_with("<!-- differs:") {
            let end = (at..lines.len())
                .find(|&end| lines[end].trim_end().ends_with("-->"))
                .ok_or(format!("line {}: the comment is not closed", at + 1))?;
            if section.confirmation.is_some() {
                return Err(format!("line {}: a second confirmation of one example", at + 1));
            }
            let comment = lines[at..=end].concat();
            let (what, rest) = comment.trim_end()["<!-- ".len()..].split_once(':').unwrap();
            let rest = rest.trim_end_matches("-->").split_whitespace().collect::<Vec<_>>().join(" ");
            if rest.is_empty() {
                return Err(format!("line {}: `{what}:` says nothing", at + 1));
            }
            let by = if what == "oracle" { By::Oracle(rest) } else { By::Differs(rest) };
            section.confirmation = Some(Confirmation { by, lines: at..end + 1 });
            at = end;
        }
        at += 1;
    }
    Ok(sections)
}

fn fence_of(line: &str) -> Option<&str> {
    let mark = line.chars().next().filter(|mark| ['`', '~'].contains(mark))?;
    let fence = &line[..line.len() - line.trim_start_matches(mark).len()];
    (fence.len() >= 3).then_some(fence)
}

fn heading_of(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    (1..=6).contains(&level).then_some(rest)?.strip_prefix(' ').map(str::trim)
}

fn block(info: &str, text: String, lines: std::ops::Range<usize>) -> Result<Block, String> {
    let at = lines.start + 1;
    let mut words = info.split_whitespace();
    let kind = words.next().ok_or(format!("line {at}: say what the block is: ```pp, ```text"))?.to_owned();
    let attributes = words
        .map(|word| match word.split_once('=') {
            Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
            None => Err(format!("line {at}: '{word}' is not key=value")),
        })
        .collect::<Result<_, _>>()?;
    Ok(Block { kind, attributes, text, lines })
}
