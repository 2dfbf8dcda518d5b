//! The levels of a hiera.yaml of version 5 and the files of data that each can lead to, whatever a node's variables are.
//!
//! Knows no nodes and decrypts nothing: it is for those who look at data without a look-up.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pantin_values::regex::{Options, Regex};
use pantin_values::{Hash, Str, Value};

use super::backend;
use super::store::Format;

/// The levels of a hierarchy, in its order.
#[derive(Debug)]
pub struct DataLevels {
    levels: Vec<Level>,
    folders: BTreeSet<PathBuf>,
}

#[derive(Debug)]
struct Level {
    name: Str,
    format: Format,
    files: Vec<LevelFiles>,
}

/// The files that one path of a level can lead to.
#[derive(Debug)]
struct LevelFiles {
    /// As the hiera.yaml has it.
    written: String,
    datadir: PathBuf,
    pattern: Regex,
}

/// A path of a level that leads to no file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnmatchedPath {
    pub level: Str,
    /// As the hiera.yaml has it.
    pub written: String,
    pub datadir: PathBuf,
}

/// A file of data that was read.
#[derive(Clone, Debug)]
pub struct DataFile {
    pub level: Str,
    pub entries: Hash,
}

impl DataLevels {
    /// `folder`: that of the hiera.yaml.
    pub fn read(text: &[u8], folder: &Path) -> Result<DataLevels, String> {
        let config = backend::parse(Format::Yaml, text, "hiera.yaml").map_err(|error| error.message)?;
        let Value::Hash(config) = config else { return Err("it is no hash".to_owned()) };
        if config.get_str("version") != Some(&Value::Integer(5)) {
            return Err("it is not of version 5".to_owned());
        }
        let defaults = config.get_str("defaults").and_then(as_hash);
        let mut found = DataLevels { levels: Vec::new(), folders: BTreeSet::new() };
        for name in ["hierarchy", "default_hierarchy"] {
            let Some(Value::Array(entries)) = config.get_str(name) else { continue };
            for entry in entries.iter().filter_map(as_hash) {
                found.add(entry, defaults, folder)?;
            }
        }
        if config.get_str("hierarchy").is_none() {
            found.add(&Hash::from_iter([("path".into(), "common.yaml".into())]), defaults, folder)?;
        }
        Ok(found)
    }

    /// An entry whose function reads no files says nothing here.
    fn add(&mut self, entry: &Hash, defaults: Option<&Hash>, folder: &Path) -> Result<(), String> {
        const FUNCTIONS: [&str; 3] = ["data_hash", "lookup_key", "data_dig"];
        let function = |of: &Hash| FUNCTIONS.iter().find_map(|kind| Some(of.get_str(kind)?.as_str()?.to_owned()));
        let function = function(entry).or_else(|| function(defaults?)).unwrap_or_else(|| "yaml_data".to_owned());
        let format = match function.as_str() {
            "yaml_data" | "eyaml_lookup_key" => Format::Yaml,
            "json_data" => Format::Json,
            "hocon_data" => Format::Hocon,
            _ => return Ok(()),
        };
        let text = |of: &Hash, name: &str| of.get_str(name).and_then(Value::as_str).map(str::to_owned);
        let datadir =
            text(entry, "datadir").or_else(|| text(defaults?, "datadir")).unwrap_or_else(|| "data".to_owned());
        let datadir = folder.join(datadir);
        let fixed = match datadir.to_string_lossy().split_once("%{") {
            None => datadir.clone(),
            // The last folder before what an interpolation makes of the rest.
            Some((before, _)) => PathBuf::from(&before[..before.rfind('/').map_or(0, |at| at.max(1))]),
        };
        self.folders.insert(fixed);
        let mut files = Vec::new();
        let mut add = |text: &str, has_globs: bool| {
            let pattern = pattern(&datadir.join(text).to_string_lossy(), has_globs)?;
            files.push(LevelFiles { written: text.to_owned(), datadir: datadir.clone(), pattern });
            Ok::<_, String>(())
        };
        for (name, has_globs) in [("path", false), ("paths", false), ("glob", true), ("globs", true)] {
            let texts: Vec<&str> = match entry.get_str(name) {
                Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
                one => one.and_then(Value::as_str).into_iter().collect(),
            };
            for text in texts {
                add(text, has_globs)?;
            }
        }
        if let Some(Value::Array(mapped)) = entry.get_str("mapped_paths")
            && let Some(template) = mapped.get(2).and_then(Value::as_str)
        {
            add(template, false)?;
        }
        let name = text(entry, "name").unwrap_or_else(|| "Common".to_owned());
        self.levels.push(Level { name: name.into(), format, files });
        Ok(())
    }

    /// Returns the folders that all its files are in.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().map(PathBuf::as_path)
    }

    /// Returns true if a level can lead to this file.
    pub fn leads_to(&self, file: &Path) -> bool {
        let name = file.to_string_lossy();
        self.levels.iter().any(|level| level.files.iter().any(|files| files.contain(&name)))
    }

    /// Returns the paths of levels that lead to none of these files.
    pub fn unmatched_paths(&self, files: &[PathBuf]) -> Vec<UnmatchedPath> {
        let names: Vec<_> = files.iter().map(|file| file.to_string_lossy()).collect();
        let mut unmatched = Vec::new();
        for level in &self.levels {
            for paths in level.files.iter().filter(|paths| !names.iter().any(|name| paths.contain(name))) {
                let (written, datadir) = (paths.written.clone(), paths.datadir.clone());
                unmatched.push(UnmatchedPath { level: level.name.clone(), written, datadir });
            }
        }
        unmatched
    }

    /// A file of the first level that can lead to it. `None`: none can.
    pub fn parse(&self, file: &Path, bytes: &[u8]) -> Option<Result<DataFile, String>> {
        let name = file.to_string_lossy();
        let fits = |level: &&Level| level.files.iter().any(|files| files.contain(&name));
        let level = self.levels.iter().find(fits)?;
        Some(match backend::parse(level.format, bytes, &name) {
            Ok(Value::Hash(entries)) => Ok(DataFile { level: level.name.clone(), entries }),
            // A file of nothing but comments has no keys.
            Ok(Value::Undef) => Ok(DataFile { level: level.name.clone(), entries: Hash::default() }),
            Ok(Value::Boolean(false)) => Ok(DataFile { level: level.name.clone(), entries: Hash::default() }),
            Ok(_) => Err("it is no hash".to_owned()),
            Err(error) => Err(error.message),
        })
    }
}

impl LevelFiles {
    fn contain(&self, file: &str) -> bool {
        self.pattern.is_match(file).unwrap_or_default()
    }
}

fn as_hash(value: &Value) -> Option<&Hash> {
    match value {
        Value::Hash(entries) => Some(entries),
        _ => None,
    }
}

/// Returns what a path can be: `%{…}` stands for any text. `has_globs`: `*`, `?` and `{a,b}` mean what they mean to
/// Ruby.
fn pattern(path: &str, has_globs: bool) -> Result<Regex, String> {
    let mut regex = "\\A".to_owned();
    let mut rest = path;
    let mut braces = 0;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        if let Some(inside) = rest.strip_prefix("%{") {
            regex.push_str(".*");
            rest = inside.split_once('}').map_or("", |(_, after)| after);
            continue;
        }
        if has_globs && let Some(after) = rest.strip_prefix("**/") {
            regex.push_str("(?:.*/)?");
            rest = after;
            continue;
        }
        match letter {
            '*' if has_globs => regex.push_str("[^/]*"),
            '?' if has_globs => regex.push_str("[^/]"),
            '{' if has_globs => {
                braces += 1;
                regex.push_str("(?:");
            }
            '}' if braces > 0 => {
                braces -= 1;
                regex.push(')');
            }
            ',' if braces > 0 => regex.push('|'),
            letter if letter.is_alphanumeric() || letter == '/' || letter == '_' => regex.push(letter),
            letter => {
                regex.push('\\');
                regex.push(letter);
            }
        }
        rest = after;
    }
    regex.push_str("\\z");
    Regex::new(&regex, Options::default()).map_err(|_| format!("{path} is no pattern"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_of_the_first_level_that_can_lead_to_it() {
        let yaml = "version: 5\ndefaults: {datadir: data}\nhierarchy:\n\
            - {name: node, path: 'nodes/%{trusted.certname}.yaml'}\n\
            - {name: sealed, lookup_key: eyaml_lookup_key, paths: [secret.eyaml, '%{x}/secret.eyaml']}\n\
            - {name: json, data_hash: json_data, glob: 'more/*.json', datadir: 'other/%{environment}/d'}\n\
            - {name: hocon, data_hash: hocon_data, path: h.conf}\n\
            - {name: module, data_hash: my::function}\n\
            - {name: rest, path: '%{y}.yaml'}\n";
        let levels = DataLevels::read(yaml.as_bytes(), Path::new("/e")).unwrap();
        let folders: Vec<&str> = levels.folders().map(|folder| folder.to_str().unwrap()).collect();
        assert_eq!(folders, ["/e/data", "/e/other"]);
        let level = |file: &str, text: &str| {
            let parsed = levels.parse(Path::new(file), text.as_bytes())?;
            Some(parsed.map(|file| (file.level.to_string(), file.entries.len())))
        };
        let ok = |name: &str, keys: usize| Some(Ok((name.to_owned(), keys)));
        assert_eq!(level("/e/data/nodes/a.yaml", "x: 1\ny: 2"), ok("node", 2));
        assert_eq!(level("/e/data/a/secret.eyaml", ""), ok("sealed", 0));
        assert_eq!(level("/e/other/production/d/more/a.json", "{\"a\": 1}"), ok("json", 1));
        assert_eq!(level("/e/other/production/d/more/b/a.json", "{}"), None);
        assert_eq!(level("/e/data/h.conf", "a = 1"), ok("hocon", 1));
        assert_eq!(level("/e/data/any.yaml", "# nothing\n"), ok("rest", 0));
        assert_eq!(level("/e/data/any.yaml", "- 1\n"), Some(Err("it is no hash".to_owned())));
        assert_eq!(level("/e/data/README.md", "x: 1"), None);
        assert!(DataLevels::read(b"version: 3", Path::new("/e")).is_err());
        let files = ["/e/data/nodes/a.yaml", "/e/data/h.conf"].map(PathBuf::from);
        let unmatched: Vec<String> = levels.unmatched_paths(&files).into_iter().map(|path| path.written).collect();
        assert_eq!(unmatched, ["secret.eyaml", "%{x}/secret.eyaml", "more/*.json"]);
    }
}
