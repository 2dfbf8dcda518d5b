//! What the blocks of one example mean: a source, its surroundings, and what is expected of each version.

use pantin::base::Language;
use pantin::syntax::SourceKind;

use super::document::{Block, Mode, Section};
use super::given::{self, Given};
use super::pn;
use super::said::{KINDS, Said};
use super::surroundings::Surroundings;
use super::version::{self, VERSIONS};

/// Kinds of blocks that the format knows and no trial can use yet.
const FUTURE: [&str; 3] = ["yaml", "erb", "nodes"];

#[derive(Debug)]
pub(super) struct Example {
    pub(super) mode: Mode,
    pub(super) kind: SourceKind,
    pub(super) source: Vec<u8>,
    /// The name of the file; `None`: a string of code.
    pub(super) path: Option<String>,
    pub(super) settings: Given,
    pub(super) surroundings: Surroundings,
}

impl Example {
    pub(super) fn read(section: &Section) -> Result<Example, String> {
        let mode = section.mode;
        let mut main: Option<&Block> = None;
        let mut settings = Given::default();
        let mut surroundings = Surroundings::default();
        for block in &section.blocks {
            let line = block.lines.start + 1;
            let fail = |problem: String| format!("line {line}: {problem}");
            known(block, mode).map_err(fail)?;
            match block.kind.as_str() {
                "pp" | "epp" | "bytes" if main.is_none() => main = Some(block),
                "pp" | "epp" | "bytes" => {
                    return Err(fail("a second source; a further file is a block `file`".to_owned()));
                }
                "settings" => settings = given::read(block, mode)?,
                "file" | "facts" | "trusted" | "params" | "enc" | "exported" | "lookup" => {
                    surroundings.add(block, mode).map_err(fail)?;
                }
                _ => {}
            }
        }
        if matches!(mode, Mode::Compile | Mode::Lookup) {
            return Example::of_environment(mode, main, settings, surroundings);
        }
        let Some(main) = main else { return Err("no source: a block pp, epp or bytes".to_owned()) };
        let kind = match (main.kind.as_str(), main.attribute("kind")) {
            ("pp", _) | ("bytes", None | Some("pp")) => SourceKind::Manifest,
            ("epp", _) | ("bytes", Some("epp")) => SourceKind::Template,
            (_, other) => return Err(format!("kind={}: it is pp or epp", other.unwrap_or_default())),
        };
        let path = main.attribute("path").map(str::to_owned);
        let example = Example { mode, kind, source: source(main)?, path, settings, surroundings };
        if mode == Mode::Evaluate {
            example.surroundings.fit(example.kind, example.path.as_deref())?;
        }
        Ok(example)
    }

    /// The source is one of the files, by default the site manifest; there may be none.
    fn of_environment(
        mode: Mode,
        main: Option<&Block>,
        settings: Given,
        mut around: Surroundings,
    ) -> Result<Example, String> {
        if let Some(main) = main {
            let path = main.attribute("path").unwrap_or("manifests/site.pp").to_owned();
            if around.files.insert(path.clone(), source(main)?).is_some() {
                return Err(format!("the source is also a block `file`: {path}"));
            }
        }
        if mode == Mode::Lookup && around.lookup.is_none() {
            return Err("no question: a block lookup".to_owned());
        }
        let kind = SourceKind::Manifest;
        Ok(Example { mode, kind, source: Vec::new(), path: None, settings, surroundings: around })
    }

    pub(super) fn versions(&self) -> impl Iterator<Item = Language> {
        VERSIONS.into_iter().filter(|version| self.settings.puppet.as_ref().is_none_or(|only| only.contains(version)))
    }

    /// The version that stands for all where one is enough: the default, if the example is of it.
    pub(super) fn usual_version(&self) -> Option<Language> {
        self.versions().find(|version| *version == Language::default()).or(self.versions().last())
    }
}

/// What the expectation blocks say of one version.
pub(super) fn expected(section: &Section, version: Language) -> Result<Said, String> {
    let text = |kind: &str| -> Result<Option<String>, String> {
        let mut found = section.blocks.iter().filter(|block| block.kind == kind && holds_for(block, version));
        let text = found.next().map(|block| without_last_line_end(&block.text));
        match found.next() {
            Some(block) => Err(format!(
                "line {}: a second block `{kind}` for {}",
                block.lines.start + 1,
                version::full_name(version)
            )),
            None => Ok(text),
        }
    };
    let ast = text("ast")?.map(|ast| pn::pretty(&ast)).transpose()?;
    Ok(Said { ast, value: text("value")?, catalog: text("catalog")?, log: text("log")?, error: text("error")? })
}

/// What the block `oracle-says` says of one version.
pub(super) fn oracle_said(section: &Section, version: Language) -> Option<String> {
    let mut blocks = section.blocks.iter().filter(|block| block.kind == "oracle-says" && holds_for(block, version));
    blocks.next().map(|block| without_last_line_end(&block.text))
}

fn holds_for(block: &Block, version: Language) -> bool {
    block.attribute("puppet").is_none_or(|only| version::read(only).is_ok_and(|only| only.contains(&version)))
}

/// Whether the example says of OpenVox what it does not say of Puppet 8.
pub(super) fn tells_openvox_apart(section: &Section, example: &Example) -> bool {
    let of = |version| example.versions().any(|one| one == version);
    let is_apart = |block: &Block| holds_for(block, Language::Puppet8) != holds_for(block, Language::OpenVox8);
    of(Language::OpenVox8) && (!of(Language::Puppet8) || section.blocks.iter().any(is_apart))
}

fn without_last_line_end(text: &str) -> String {
    text.strip_suffix('\n').unwrap_or(text).to_owned()
}

/// Whether an example of this mode may have the block, with these attributes.
fn known(block: &Block, mode: Mode) -> Result<(), String> {
    let kind = block.kind.as_str();
    let attributes: &[&str] = match kind {
        "pp" | "epp" | "file" => &["path", "newline"],
        "bytes" => &["path", "kind"],
        "settings" | "text" | "facts" | "trusted" | "params" | "enc" | "exported" | "lookup" => &[],
        "oracle-says" => &["puppet"],
        _ if KINDS.contains(&kind) => &["puppet"],
        _ if FUTURE.contains(&kind) => return Err(format!("no trial uses a block `{kind}` yet")),
        _ => return Err(format!("no block is called `{kind}`; see tests/spec/README.md")),
    };
    let elsewhere: &[&str] = match mode {
        Mode::Parse => &["value", "file", "facts", "trusted", "params", "enc", "exported", "catalog", "lookup"],
        Mode::Evaluate => &["ast", "enc", "exported", "catalog", "lookup"],
        Mode::Compile => &["ast", "value", "epp", "params", "lookup"],
        Mode::Lookup => &["ast", "pp", "epp", "enc", "exported", "catalog"],
    };
    if elsewhere.contains(&kind) {
        return Err(format!("an example of this room has no block `{kind}`; see tests/spec/README.md"));
    }
    match block.attributes.iter().find(|(key, _)| !attributes.contains(&key.as_str())) {
        Some((key, _)) => Err(format!("a block `{kind}` has no attribute '{key}'")),
        None => Ok(()),
    }
}

pub(super) fn source(block: &Block) -> Result<Vec<u8>, String> {
    if block.kind == "bytes" {
        return unescape(&without_last_line_end(&block.text))
            .map_err(|error| format!("line {}: {error}", block.lines.start + 1));
    }
    match block.attribute("newline") {
        None => Ok(block.text.clone().into_bytes()),
        Some("none") => Ok(without_last_line_end(&block.text).into_bytes()),
        Some(other) => Err(format!("newline={other}: it may be none, or be absent")),
    }
}

/// The escapes of a block `bytes`: `\xNN`, `\n`, `\r`, `\t`, `\\`, and `\*1000{…}` for a thousand times.
pub(super) fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at + 1..];
        let escape = rest.chars().next().ok_or("a backslash ends the block")?;
        rest = &rest[escape.len_utf8()..];
        match escape {
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            '\\' => bytes.push(b'\\'),
            'x' => {
                let digits = rest.get(..2).ok_or("\\x needs two hexadecimal digits")?;
                bytes.push(u8::from_str_radix(digits, 16).map_err(|_| format!("\\x{digits}: no hexadecimal digits"))?);
                rest = &rest[2..];
            }
            '*' => {
                let (count, after) = rest.split_once('{').ok_or("\\*N{…} has no {")?;
                let (what, after) =
                    after.split_once("\\}").or_else(|| after.split_once('}')).ok_or("\\*N{…} has no }")?;
                let count: usize = count.parse().map_err(|_| format!("\\*{count}: no number"))?;
                bytes.extend(unescape(what)?.repeat(count));
                rest = after;
            }
            other => return Err(format!("no escape \\{other}")),
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}
