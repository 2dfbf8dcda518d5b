//! The type `tidy`: removes files by age, size and name. Each file that goes is a resource of its own.

use std::path::{Path, PathBuf};

use pantin_machine::{FileKind, FileStat};
use pantin_values::{Str, Value, unconvertible};

use super::file::fileset::{FilePlace, Fileset};
use super::file::fnmatch::{self, NameRules};
use super::file::{File, plain_path, rules};
use super::rule_patterns::DIGITS;
use super::{NewResource, TypeEntry};
use crate::applied_catalog::AppliedCatalog;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::footprint::{FileFootprint, Footprint};
use crate::log::Level;
use crate::managed::{Generated, Managed};
use crate::resource::{AttributeRule, AttributeValues, Draft, munging_failed};
use crate::value::{inspect, symbol, text};

pub(super) const TYPE: TypeEntry = TypeEntry {
    name: "tidy",
    namevar: Some("path"),
    provider: None,
    attributes: &[
        AttributeRule::parameter("path").converted(convert_path),
        AttributeRule::parameter("recurse").converted(convert_recurse),
        AttributeRule::parameter("max_files").patterns(&[DIGITS]).default_integer(0),
        AttributeRule::parameter("matches").converted(convert_matches),
        AttributeRule::parameter("backup"),
        AttributeRule::parameter("age").converted(convert_age),
        AttributeRule::parameter("size").converted(convert_size),
        AttributeRule::parameter("type")
            .words(&[("atime", "atime"), ("mtime", "mtime"), ("ctime", "ctime")])
            .default_text("atime"),
        AttributeRule::parameter("rmdirs").boolean(),
    ],
    validate: None,
    spread_secret: None,
    make,
};

const AGES: [(char, u64); 5] = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400), ('w', 604_800)];
const SIZES: [(char, u64); 5] = [('b', 1), ('k', 1 << 10), ('m', 1 << 20), ('g', 1 << 30), ('t', 1 << 40)];

fn convert_path(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    match given {
        Value::String(path) => Ok(Value::string(plain_path(path))),
        other => {
            let detail = format!("no implicit conversion of {} into String", unconvertible(other));
            Err(munging_failed("path", other, &detail))
        }
    }
}

fn convert_recurse(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    if let Value::Integer(depth) = given {
        return Ok(Value::Integer(*depth));
    }
    match &*text(given) {
        "true" | "inf" => Ok(Value::Boolean(true)),
        "false" => Ok(Value::Boolean(false)),
        word => match word.parse::<i64>() {
            Ok(depth) if word.bytes().all(|byte| byte.is_ascii_digit()) => Ok(Value::Integer(depth)),
            _ => Err(munging_failed("recurse", given, &format!("Invalid recurse value {}", inspect(given)))),
        },
    }
}

fn convert_matches(given: &Value, draft: &Draft<'_>) -> Result<Value, Failure> {
    if matches!(draft.text("recurse").as_deref(), None | Some("0" | "false" | "")) {
        return Err(Failure::new("Tidy can't use matches with recurse 0, false, or undef"));
    }
    Ok(match given {
        Value::Array(_) => given.clone(),
        one => Value::array([one.clone()]),
    })
}

fn convert_age(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    convert(given, ('d', &AGES), "age")
}

fn convert_size(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    convert(given, ('k', &SIZES), "size")
}

/// Reads a number with a unit, of which the first letter counts.
fn convert(given: &Value, (usual, units): (char, &[(char, u64)]), what: &str) -> Result<Value, Failure> {
    let written = text(given).into_owned();
    // The real one matches texts alone, line by line.
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_amount = |line: &&str| line.starts_with(|first: char| first.is_ascii_digit()) && line.chars().all(is_word);
    let amount = written.split('\n').find(is_amount).filter(|_| matches!(given, Value::String(_)));
    let Some(amount) = amount else { return Err(Failure::new(format!("Invalid tidy {what} {written}"))) };
    let count = amount.bytes().take_while(u8::is_ascii_digit).count();
    // Of several digits alone the last one passes for a unit.
    let (digits, word) = amount.split_at(if count == amount.len() && count > 1 { count - 1 } else { count });
    let number = digits.parse::<u64>().unwrap_or(u64::MAX);
    let unit = word.chars().next().map_or(usual, |letter| letter.to_ascii_lowercase());
    match units.iter().find(|(known, _)| *known == unit) {
        Some((_, factor)) => Ok(Value::Integer(number.saturating_mul(*factor).try_into().unwrap_or(i64::MAX))),
        None => Err(Failure::new(format!("Invalid {what} unit '{unit}'"))),
    }
}

/// The depth below its path to which a resource looks.
enum Recursion {
    PathAlone,
    Unlimited,
    Depth(u64),
}

struct Tidy {
    path: PathBuf,
    recurse: Recursion,
    most_files: i64,
    patterns: Option<Vec<String>>,
    age: Option<i64>,
    size: Option<u64>,
    time: String,
    removes_folders: bool,
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    let values = new.values;
    let number = |name: &str| match values.get(name) {
        Some(Value::Integer(number)) => Some(*number),
        other => other.and_then(|value| text(value).parse().ok()),
    };
    let recurse = match values.get("recurse") {
        // A negative depth is no limit.
        Some(Value::Integer(depth)) => u64::try_from(*depth).map_or(Recursion::Unlimited, Recursion::Depth),
        Some(Value::Boolean(true)) => Recursion::Unlimited,
        _ => Recursion::PathAlone,
    };
    Ok(Box::new(Tidy {
        path: PathBuf::from(values.text("path").unwrap_or_default()),
        recurse,
        most_files: number("max_files").unwrap_or_default(),
        patterns: values
            .get("matches")
            .map(|_| values.list("matches").iter().map(|item| text(item).into_owned()).collect()),
        age: number("age"),
        size: number("size").and_then(|size| u64::try_from(size).ok()),
        time: values.text("type").unwrap_or_default(),
        removes_folders: values.is_true("rmdirs"),
    }))
}

impl Tidy {
    fn stat(&self, path: &Path, context: &ApplyContext<'_>) -> Option<FileStat> {
        match context.machine.stat(path, false) {
            Ok(Some(stat)) => Some(stat),
            Ok(None) => {
                context.say(Level::Debug, "File does not exist");
                None
            }
            Err(_) => {
                context.say(Level::Warning, "Could not stat; permission denied");
                None
            }
        }
    }

    fn is_to_go(&self, path: &Path, context: &ApplyContext<'_>) -> bool {
        let name = path.to_string_lossy();
        if context.catalog.find("file", &name).is_some() {
            return false;
        }
        let Some(stat) = self.stat(path, context) else { return false };
        if stat.kind == FileKind::Folder && !self.removes_folders {
            return false;
        }
        let rules = NameRules { matches_hidden: true, knows_folders: true };
        let base = path.file_name().unwrap_or_default().to_string_lossy();
        if self.patterns.as_ref().is_some_and(|all| !all.iter().any(|pattern| fnmatch::matches(pattern, &base, rules)))
        {
            return false;
        }
        let time = match self.time.as_str() {
            "mtime" => stat.stamp.mtime,
            "ctime" => stat.stamp.ctime,
            _ => stat.atime,
        };
        let is_old = self.age.map(|age| context.machine.now().seconds - time.seconds >= age);
        let is_large = self.size.map(|size| stat.size >= size);
        match (is_old, is_large) {
            (None, None) => true,
            (is_old, is_large) => is_old.unwrap_or(false) || is_large.unwrap_or(false),
        }
    }

    /// Returns the path and all below it that is looked at.
    fn candidates(&self, context: &ApplyContext<'_>) -> Result<Vec<PathBuf>, Failure> {
        let mut paths = vec![self.path.clone()];
        let depth = match self.recurse {
            Recursion::PathAlone => return Ok(paths),
            Recursion::Unlimited => None,
            Recursion::Depth(depth) => Some(depth),
        };
        let fileset =
            Fileset { follows_links: false, recurses: true, depth, most_files: self.most_files, ignored: Vec::new() };
        let below = fileset.paths_below(&FilePlace::Local(self.path.clone()), context)?;
        paths.extend(below.iter().map(|path| self.path.join(path)));
        Ok(paths)
    }

    /// Makes the resource that removes a file. A folder goes after what is in it.
    fn removal(&self, path: &Path, inside: &[&Path]) -> Generated {
        let name = path.to_string_lossy().into_owned();
        let parameters = [
            ("path", Value::string(name.clone())),
            ("backup", Value::Boolean(false)),
            ("ensure", symbol("absent")),
            ("force", Value::Boolean(true)),
        ];
        let managed = File::new(rules::values_of(&parameters));
        let mut parameters: Vec<(Str, Value)> =
            parameters.into_iter().map(|(name, value)| (Str::from(name), value)).collect();
        if !inside.is_empty() {
            let files = inside.iter().map(|path| Value::string(format!("File[{}]", path.display())));
            parameters.push((Str::from("require"), Value::array(files)));
        }
        Generated { managed: Some(Box::new(managed)), ..Generated::new("File", name, parameters) }
    }
}

impl Managed for Tidy {
    fn generate(&mut self, context: &ApplyContext<'_>) -> Result<Vec<Generated>, Failure> {
        if self.stat(&self.path, context).is_none() {
            return Ok(Vec::new());
        }
        let mut found: Vec<PathBuf> = self.candidates(context)?;
        found.retain(|path| self.is_to_go(path, context));
        found.iter().for_each(|path| context.say(Level::Debug, format!("Tidying File[{}]", path.display())));
        if !found.is_empty() {
            context.say(Level::Notice, format!("Tidying {} files", found.len()));
        }
        found.sort_by(|a, b| b.as_os_str().cmp(a.as_os_str()));
        let removals = found.iter().map(|path| {
            let inside = found.iter().filter(|other| self.removes_folders && other.parent() == Some(path));
            self.removal(path, &inside.map(PathBuf::as_path).collect::<Vec<_>>())
        });
        Ok(removals.collect())
    }

    fn generates_before(&self) -> bool {
        true
    }

    fn hands_on_relations(&self) -> bool {
        true
    }

    fn learnt_parts(&self, catalog: &AppliedCatalog) -> Vec<String> {
        // Files that the catalog knows stay.
        let inside = |(_, values): (_, &AttributeValues)| {
            values.text("path").filter(|path| Path::new(path).starts_with(&self.path))
        };
        catalog.declared_of_type("file").filter_map(inside).collect()
    }

    fn footprint(&self) -> Footprint {
        Footprint::Files(FileFootprint { writes_below: vec![self.path.clone()], ..FileFootprint::default() })
    }
}
