//! A parser for `Puppetfile`, which is not run: the modules that it names, and where they are installed.
//!
//! It is Ruby, but hardly ever more than a list. What is more than that is not guessed at: its line is told.

use std::path::{Path, PathBuf};

use pantin_base::Form;
use pantin_values::{Digest, SemVer};
use serde::Serialize;

use super::environment::Environment;
use super::location::clean_path;
use super::modules::Module;
use super::{Disk, Remark};

/// What a Puppetfile says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Puppetfile {
    /// Where modules go, relative to its folder.
    pub module_folder: String,
    /// It says so itself. Installers remove from that folder what the Puppetfile does not name.
    pub has_module_folder: bool,
    pub modules: Vec<PuppetfileModule>,
    /// Lines of what only Ruby could tell.
    pub unread: Vec<u32>,
}

/// A module that it names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PuppetfileModule {
    /// With its author, if it is told: `puppetlabs/apache`.
    pub full_name: String,
    /// The name of its folder.
    pub name: String,
    pub version: Option<String>,
    /// The address of its repository, if it is taken from git.
    pub git: Option<String>,
    /// Its address or its revision is worked out, such as `:control_branch`.
    pub is_computed: bool,
    /// In place of the usual folder.
    pub install_path: Option<String>,
    /// It stands in the folder of modules and is not installed.
    pub is_local: bool,
    #[serde(skip)]
    pub line: u32,
}

/// The modules it names that are not among those that are there.
pub fn missing_from(listed: &Puppetfile, modules: &[Module]) -> Vec<PuppetfileModule> {
    let is_there = |listed: &&PuppetfileModule| modules.iter().any(|module| module.name == listed.name);
    listed.modules.iter().filter(|listed| !is_there(listed)).cloned().collect()
}

/// The modules that are there in another version than it names, each with the one that is there.
pub fn other_versions<'l, 'm>(
    listed: &'l Puppetfile,
    modules: &'m [Module],
) -> Vec<(&'l PuppetfileModule, &'m Module)> {
    let installed = |listed: &'l PuppetfileModule| {
        let module = modules.iter().find(|module| module.name == listed.name)?;
        (listed.compare_with(module) == InstalledVersion::Other).then_some((listed, module))
    };
    listed.modules.iter().filter_map(installed).collect()
}

/// How an installed module compares with what a Puppetfile names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InstalledVersion {
    Same,
    Other,
    /// The Puppetfile names no version of three numbers, but a branch, a commit or the latest one, or the module does not say its version.
    Unknown,
}

impl PuppetfileModule {
    /// Compares it with a module that is there.
    pub fn compare_with(&self, installed: &Module) -> InstalledVersion {
        let Some(metadata) = &installed.metadata else { return InstalledVersion::Unknown };
        let full_name = metadata.full_name.as_deref().map(|name| name.replacen('-', "/", 1));
        if self.full_name.contains('/') && full_name.is_some_and(|name| name != self.full_name) {
            return InstalledVersion::Other;
        }
        let version = |text: &str| SemVer::parse(text.strip_prefix('v').unwrap_or(text)).ok();
        match (self.version.as_deref().and_then(version), version(&metadata.version)) {
            (Some(wanted), Some(installed)) if wanted == installed => InstalledVersion::Same,
            (Some(_), Some(_)) => InstalledVersion::Other,
            _ => InstalledVersion::Unknown,
        }
    }

    /// Returns true if both name the same module, wherever they do.
    pub fn is_same(&self, other: &PuppetfileModule) -> bool {
        PuppetfileModule { line: other.line, ..self.clone() } == *other
    }

    /// Returns its name and its version, if it has one.
    pub fn full_version(&self) -> String {
        self.version.as_ref().map_or_else(|| self.full_name.clone(), |version| format!("{} {version}", self.full_name))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token<'t> {
    Word(&'t str),
    Text(String),
    /// `:name`, or the name before a colon.
    Symbol(&'t str),
    Comma,
    Arrow,
    End,
    /// What a list does not have.
    Other,
}

impl Puppetfile {
    /// The one in an environment's folder, and what is said of what it hides.
    pub fn read(disk: &dyn Disk, environment: &Environment) -> Result<(Option<Puppetfile>, Vec<Remark>), String> {
        let Some(file) = environment.folder.as_ref().map(|folder| folder.join("Puppetfile")) else {
            return Ok((None, Vec::new()));
        };
        let bytes = disk.read_puppetfile(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let Some(bytes) = bytes else { return Ok((None, Vec::new())) };
        let listed = Puppetfile::parse(&String::from_utf8_lossy(&bytes));
        let lines: Vec<String> = listed.unread.iter().map(u32::to_string).collect();
        let remark = Remark::warning(format!(
            "What {} says at line {} only Ruby can tell; modules named there are not looked for",
            file.display(),
            lines.join(", ")
        ));
        Ok((Some(listed), if lines.is_empty() { Vec::new() } else { vec![remark] }))
    }

    /// Returns the form of a text: which modules it names, wherever they stand, and the lines that could not be read.
    pub fn form(text: &[u8]) -> Option<Form> {
        let listed = Puppetfile::parse(&String::from_utf8_lossy(text));
        let meaning = Digest::from_text(&serde_json::to_string(&listed).ok()?);
        Some(Form { meaning: *meaning.bytes(), lines: Vec::new() })
    }

    /// Returns the folders that its modules are installed in; `folder`: its own.
    pub fn module_folders(&self, folder: &Path) -> impl Iterator<Item = PathBuf> {
        self.modules.iter().map(move |module| self.folder_of_module(folder, module))
    }

    /// Returns the folder that a module is installed in; `folder`: that of the Puppetfile.
    pub fn folder_of_module(&self, folder: &Path, module: &PuppetfileModule) -> PathBuf {
        let inside = module.install_path.as_deref().unwrap_or(&self.module_folder);
        clean_path(&folder.join(inside).join(&module.name)).into_owned()
    }

    /// Returns true if a module in this folder is installed by it; `folder`: that of the Puppetfile.
    pub fn installs(&self, folder: &Path, module: &Path) -> bool {
        let named = self.modules.iter().find(|named| self.folder_of_module(folder, named) == module);
        match named {
            Some(named) => !named.is_local,
            None => self.has_module_folder && module.parent() == Some(&*clean_path(&folder.join(&self.module_folder))),
        }
    }

    pub fn parse(text: &str) -> Puppetfile {
        let mut file = Puppetfile {
            module_folder: "modules".to_owned(),
            has_module_folder: false,
            modules: Vec::new(),
            unread: Vec::new(),
        };
        let tokens = tokens(text);
        let mut statement: Vec<(Token<'_>, u32)> = Vec::new();
        for (token, line) in tokens {
            // A line that ends in a comma or an arrow goes on.
            let goes_on = matches!(statement.last(), None | Some((Token::Comma | Token::Arrow, _)));
            match token {
                Token::End if goes_on => {}
                Token::End => file.take(&std::mem::take(&mut statement)),
                _ => statement.push((token, line)),
            }
        }
        if !statement.is_empty() {
            file.take(&statement);
        }
        file
    }

    fn take(&mut self, statement: &[(Token<'_>, u32)]) {
        let Some((first, line)) = statement.first() else { return };
        let arguments: Vec<&Token<'_>> = statement[1..].iter().map(|(token, _)| token).collect();
        let understood = match first {
            Token::Word("mod") => self.module(&arguments, *line),
            Token::Word("moduledir") => match arguments.as_slice() {
                [Token::Text(folder)] => {
                    self.module_folder.clone_from(folder);
                    self.has_module_folder = true;
                    true
                }
                _ => false,
            },
            Token::Word("forge" | "metadata") => true,
            _ => false,
        };
        if !understood {
            self.unread.push(*line);
        }
    }

    fn module(&mut self, arguments: &[&Token<'_>], line: u32) -> bool {
        let mut parts = arguments.split(|token| **token == Token::Comma);
        let Some([Token::Text(full_name)]) = parts.next() else { return false };
        let name = full_name.rsplit(['/', '-']).next().unwrap_or_default().to_owned();
        let full_name = full_name.replacen('-', "/", 1);
        let mut listed = PuppetfileModule {
            full_name,
            name,
            version: None,
            git: None,
            is_computed: false,
            install_path: None,
            is_local: false,
            line,
        };
        for part in parts {
            match part {
                [Token::Text(version)] => listed.version = Some(version.clone()),
                [Token::Symbol("latest")] => listed.version = Some("latest".to_owned()),
                [Token::Symbol(option), Token::Arrow, value] | [Token::Symbol(option), value] => match (*option, value)
                {
                    ("install_path", Token::Text(path)) => listed.install_path = Some(path.clone()),
                    ("ref" | "tag" | "branch" | "commit" | "version", Token::Text(version)) => {
                        listed.version = Some(version.clone());
                    }
                    ("git", Token::Text(url)) => listed.git = Some(url.clone()),
                    ("git" | "ref" | "tag" | "branch" | "commit", _) => listed.is_computed = true,
                    ("local", Token::Word("true")) => listed.is_local = true,
                    // Where it comes from matters to who installs it.
                    _ => {}
                },
                _ => return false,
            }
        }
        self.modules.push(listed);
        true
    }
}

fn tokens(text: &str) -> Vec<(Token<'_>, u32)> {
    let mut tokens = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let mut rest = line.trim();
        while !rest.is_empty() && !rest.starts_with('#') {
            let (token, after) = token(rest);
            tokens.push((token, number));
            rest = after.trim_start();
        }
        tokens.push((Token::End, number));
    }
    tokens
}

/// The first token of a text that is not empty, and what follows it.
fn token(text: &str) -> (Token<'_>, &str) {
    if let Some(after) = text.strip_prefix("=>") {
        return (Token::Arrow, after);
    }
    let word = |text: &str| text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    match text.as_bytes()[0] {
        b',' => (Token::Comma, &text[1..]),
        b';' => (Token::End, &text[1..]),
        // Around the arguments of a call they say nothing.
        b'(' | b')' if !text[1..].trim_start().is_empty() => token(text[1..].trim_start()),
        b'(' | b')' => (Token::End, ""),
        quote @ (b'\'' | b'"') => quoted(&text[1..], char::from(quote)),
        b':' if word(&text[1..]) > 0 => {
            let end = 1 + word(&text[1..]);
            (Token::Symbol(&text[1..end]), &text[end..])
        }
        first if first.is_ascii_alphabetic() || first == b'_' => {
            let end = word(text);
            match text[end..].strip_prefix(':') {
                Some(after) if !after.starts_with(':') => (Token::Symbol(&text[..end]), after),
                _ => (Token::Word(&text[..end]), &text[end..]),
            }
        }
        _ => (Token::Other, text.char_indices().nth(1).map_or("", |(next, _)| &text[next..])),
    }
}

fn quoted(text: &str, quote: char) -> (Token<'_>, &str) {
    let mut content = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            _ if letter == quote => return (Token::Text(content), &text[at + 1..]),
            '\\' => content.extend(letters.next().map(|(_, escaped)| escaped)),
            // What stands in it only Ruby knows.
            '#' if quote == '"' && text[at + 1..].starts_with('{') => return (Token::Other, ""),
            _ => content.push(letter),
        }
    }
    (Token::Other, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_where_they_go() {
        let file = Puppetfile::parse(
            "forge 'https://forge.example.org'\nmoduledir 'external' # ours\n\n\
             mod 'puppetlabs/apache', '1.2.3'\nmod 'puppetlabs-stdlib', :latest\nmod \"plain\"\n\
             mod 'own',\n  :git => 'git@example.org:own.git',\n  :ref => 'v2'\n\
             mod 'newer', git: 'x', tag: \"1.0\", install_path: 'site'\n\
             mod('called', '1')\nif true\n  mod \"in#{side}\"\nend\n",
        );
        assert_eq!(file.module_folder, "external");
        let shown: Vec<_> =
            file.modules.iter().map(|module| (&*module.full_name, &*module.name, module.version.as_deref())).collect();
        assert_eq!(
            shown,
            [
                ("puppetlabs/apache", "apache", Some("1.2.3")),
                ("puppetlabs/stdlib", "stdlib", Some("latest")),
                ("plain", "plain", None),
                ("own", "own", Some("v2")),
                ("newer", "newer", Some("1.0")),
                ("called", "called", Some("1")),
            ]
        );
        assert_eq!(file.modules[4].install_path.as_deref(), Some("site"));
        assert_eq!(file.modules[3].line, 7);
        assert_eq!(file.unread, [12, 13, 14]);
    }

    #[test]
    fn what_a_module_folder_holds_is_installed() {
        let installs = |text: &str, module: &str| Puppetfile::parse(text).installs(Path::new("/e"), Path::new(module));
        let named = "moduledir './external/'\nmod 'a/one', '1.0.0'\nmod 'own', local: true\nmod 'b/two', install_path: 'site'\n";
        assert!(installs(named, "/e/external/one") && installs(named, "/e/external/a_dependency"));
        assert!(installs(named, "/e/site/two") && !installs(named, "/e/site/profile"));
        assert!(!installs(named, "/e/external/own") && !installs(named, "/e/external/one/inside"));
        // Nobody says that all of it is installed.
        assert!(installs("mod 'a/one', '1.0.0'", "/e/modules/one"));
        assert!(!installs("mod 'a/one', '1.0.0'", "/e/modules/own"));
    }

    #[test]
    fn rubbish_is_told_of() {
        assert_eq!(Puppetfile::parse("\u{0}\u{ff}'").unread, [1]);
        assert_eq!(Puppetfile::parse("mod").unread, [1]);
        assert_eq!(Puppetfile::parse("mod 'a', [1]").unread, [1]);
        assert_eq!(Puppetfile::parse("").modules, []);
    }
}
