//! What the blocks of one example mean: a source, settings, and what is expected of each version.

use pantin::syntax::{Kind, Language, MessageLimits, Settings, Strict};

use super::document::{Block, Section};
use super::pn;
use super::said::{KINDS, Said};

/// Kinds of blocks that the format knows and no trial can use yet.
const FUTURE: [&str; 7] = ["file", "yaml", "erb", "facts", "nodes", "value", "catalog"];

pub(super) const VERSIONS: [Version; 2] = [Version::Seven, Version::Eight];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    Seven,
    Eight,
}

impl Version {
    pub(super) fn digit(self) -> &'static str {
        match self {
            Version::Seven => "7",
            Version::Eight => "8",
        }
    }
}

#[derive(Debug)]
pub(super) struct Example {
    pub(super) kind: Kind,
    pub(super) source: Vec<u8>,
    /// The name of the file; `None`: a string of code.
    pub(super) path: Option<String>,
    pub(super) settings: Given,
}

/// The block `settings`.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) puppet: Option<Version>,
    pub(super) strict: Option<Strict>,
    pub(super) tasks: bool,
    pub(super) modulepath: Vec<String>,
    pub(super) manifest: String,
    pub(super) validate: bool,
    /// Whether the tree is part of the example.
    pub(super) ast: bool,
    pub(super) limits: MessageLimits,
}

impl Default for Given {
    fn default() -> Given {
        Given {
            puppet: None,
            strict: None,
            tasks: false,
            modulepath: vec!["modules".to_owned()],
            manifest: "manifests".to_owned(),
            validate: true,
            ast: true,
            limits: MessageLimits::default(),
        }
    }
}

impl Given {
    pub(super) fn for_version(&self, version: Version) -> Settings {
        let language = match version {
            Version::Seven => Language::Puppet7,
            Version::Eight => Language::Puppet8,
        };
        let defaults = Settings::of(language);
        Settings { strict: self.strict.unwrap_or(defaults.strict), tasks: self.tasks, ..defaults }
    }
}

impl Example {
    pub(super) fn read(section: &Section) -> Result<Example, String> {
        let mut main: Option<&Block> = None;
        let mut settings = Given::default();
        for block in &section.blocks {
            let line = block.lines.start + 1;
            match block.kind.as_str() {
                "pp" | "epp" | "bytes" if main.is_none() => main = Some(block),
                "pp" | "epp" | "bytes" => {
                    return Err(format!("line {line}: a second source; no trial uses several yet"));
                }
                "settings" => settings = given(block)?,
                "text" | "oracle-says" => {}
                kind if KINDS.contains(&kind) => {}
                kind if FUTURE.contains(&kind) => {
                    return Err(format!("line {line}: no trial uses a block `{kind}` yet"));
                }
                kind => return Err(format!("line {line}: no block is called `{kind}`; see tests/spec/README.md")),
            }
            let known: &[&str] = match block.kind.as_str() {
                "pp" | "epp" => &["path", "newline"],
                "bytes" => &["path", "kind"],
                "settings" | "text" => &[],
                _ => &["puppet"],
            };
            if let Some((key, _)) = block.attributes.iter().find(|(key, _)| !known.contains(&key.as_str())) {
                return Err(format!("line {line}: a block `{}` has no attribute '{key}'", block.kind));
            }
        }
        let Some(main) = main else { return Err("no source: a block pp, epp or bytes".to_owned()) };
        let kind = match (main.kind.as_str(), main.attribute("kind")) {
            ("pp", _) | ("bytes", None | Some("pp")) => Kind::Manifest,
            ("epp", _) | ("bytes", Some("epp")) => Kind::Template,
            (_, other) => return Err(format!("kind={}: it is pp or epp", other.unwrap_or_default())),
        };
        Ok(Example { kind, source: source(main)?, path: main.attribute("path").map(str::to_owned), settings })
    }

    pub(super) fn versions(&self) -> impl Iterator<Item = Version> {
        VERSIONS.into_iter().filter(|&version| self.settings.puppet.is_none_or(|only| only == version))
    }
}

/// What the expectation blocks say of one version.
pub(super) fn expected(section: &Section, version: Version) -> Result<Said, String> {
    let text = |kind: &str| -> Result<Option<String>, String> {
        let mut found = section.blocks.iter().filter(|block| block.kind == kind && holds_for(block, version));
        let text = found.next().map(|block| without_last_line_end(&block.text));
        match found.next() {
            Some(block) => {
                Err(format!("line {}: a second block `{kind}` for Puppet {}", block.lines.start + 1, version.digit()))
            }
            None => Ok(text),
        }
    };
    let ast = text("ast")?.map(|ast| pn::pretty(&ast)).transpose()?;
    Ok(Said { ast, log: text("log")?, error: text("error")? })
}

/// What the block `oracle-says` says of one version.
pub(super) fn oracle_said(section: &Section, version: Version) -> Option<String> {
    let mut blocks = section.blocks.iter().filter(|block| block.kind == "oracle-says" && holds_for(block, version));
    blocks.next().map(|block| without_last_line_end(&block.text))
}

fn holds_for(block: &Block, version: Version) -> bool {
    block.attribute("puppet").is_none_or(|only| only == version.digit())
}

fn without_last_line_end(text: &str) -> String {
    text.strip_suffix('\n').unwrap_or(text).to_owned()
}

fn source(block: &Block) -> Result<Vec<u8>, String> {
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

fn given(block: &Block) -> Result<Given, String> {
    let mut given = Given::default();
    for (offset, line) in block.text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at = block.lines.start + 2 + offset;
        let (key, value) = line.split_once('=').ok_or(format!("line {at}: a setting is `key = value`"))?;
        set(&mut given, key.trim(), value.trim()).map_err(|error| format!("line {at}: {error}"))?;
    }
    Ok(given)
}

fn set(given: &mut Given, key: &str, value: &str) -> Result<(), String> {
    let flag = || value.parse::<bool>().map_err(|_| format!("{key} = {value}: it is true or false"));
    let number = || value.parse::<usize>().map_err(|_| format!("{key} = {value}: it is a number"));
    match key {
        "puppet" => {
            let version = VERSIONS.into_iter().find(|version| version.digit() == value);
            given.puppet = Some(version.ok_or(format!("puppet = {value}: it is 7 or 8"))?);
        }
        "strict" => {
            given.strict = Some(match value {
                "off" => Strict::Off,
                "warning" => Strict::Warning,
                "error" => Strict::Error,
                _ => return Err(format!("strict = {value}: it is off, warning or error")),
            });
        }
        "tasks" => given.tasks = flag()?,
        "validate" => given.validate = flag()?,
        "ast" => given.ast = flag()?,
        "modulepath" => given.modulepath = value.split(':').map(str::to_owned).collect(),
        "manifest" => given.manifest = value.to_owned(),
        "max_errors" => given.limits.errors = number()?,
        "max_warnings" => given.limits.warnings = number()?,
        "max_deprecations" => given.limits.deprecations = number()?,
        _ => return Err(format!("no setting is called '{key}'; see tests/spec/README.md")),
    }
    Ok(())
}
