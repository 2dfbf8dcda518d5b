//! The settings of the real Puppet: where a value comes from, what it is, and `$settings::…`.
//!
//! A value is looked for, in this order: the command line, `environment.conf`, the sections of `puppet.conf` (`server`,
//! `master` and `main`, or `user` and `main`), the folders of a server, the default. What follows `$` in it is another
//! setting. Knows nothing of what a setting does, but for the rules that the real one has for some values.

mod kinds;
mod rules;
mod table;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use pantin_base::{Language, Strict, nearest};
use pantin_values::{Digest, Digester, Hash, Value};
use rustc_hash::FxHashMap;

use self::table::{
    CACHE, CACHE_SIZE, DETERMINISTIC_FUNCTIONS, Initial, OWN, RUBY_READS, SETTINGS, SettingDeclaration, SettingKind,
};
use super::ini::{Ini, translated};
use super::{Disk, Remark, clean_path, expand_path};

pub(super) use self::kinds::{divided, time_to_live};
pub use self::table::ENVIRONMENTS_MANIFEST;

/// The sections that `puppet.conf` may have.
const SECTIONS: [&str; 5] = ["main", "server", "master", "agent", "user"];

/// What `environment.conf` alone may say.
const OF_ENVIRONMENTS: [&str; 3] = ["modulepath", "manifest", "config_version"];

/// Whose settings they are, which says the sections of `puppet.conf` that count.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum RunMode {
    /// Of a server, which compiles for others.
    #[default]
    Server,
    /// Of a command that root runs.
    User,
    /// Of a command that another person runs, who has files at home.
    Person,
}

impl RunMode {
    fn name(self) -> &'static str {
        match self {
            RunMode::Server => "server",
            RunMode::User | RunMode::Person => "user",
        }
    }

    /// The sections of `puppet.conf`, the first one that says something counts.
    fn sections(self) -> &'static [&'static str] {
        match self {
            RunMode::Server => &["server", "master", "main"],
            RunMode::User | RunMode::Person => &["user", "main"],
        }
    }

    /// Returns the mode of a command that the user of this process runs.
    pub fn for_current_user() -> RunMode {
        if rustix::process::geteuid().is_root() { RunMode::User } else { RunMode::Person }
    }

    /// Returns where a folder is that no setting names.
    fn folder(self, name: &str) -> Option<String> {
        let folders = if self == RunMode::Person { FOLDERS_AT_HOME } else { FOLDERS };
        folders.into_iter().find(|(known, _)| *known == name).map(|(_, path)| expand_path(path))
    }
}

/// Where somebody who is not root has the files.
const FOLDERS_AT_HOME: [(&str, &str); 6] = [
    ("confdir", "~/.puppetlabs/etc/puppet"),
    ("codedir", "~/.puppetlabs/etc/code"),
    ("vardir", "~/.puppetlabs/opt/puppet/cache"),
    ("publicdir", "~/.puppetlabs/opt/puppet/public"),
    ("rundir", "~/.puppetlabs/var/run"),
    ("logdir", "~/.puppetlabs/var/log"),
];

/// Where a server has its files, whatever this machine is.
const FOLDERS: [(&str, &str); 6] = [
    ("confdir", "/etc/puppetlabs/puppet"),
    ("codedir", "/etc/puppetlabs/code"),
    ("vardir", "/opt/puppetlabs/puppet/cache"),
    ("publicdir", "/opt/puppetlabs/puppet/public"),
    ("rundir", "/var/run/puppetlabs"),
    ("logdir", "/var/log/puppetlabs/puppet"),
];

/// More names between a setting and what it leads to are a circle.
const LONGEST_CHAIN: usize = 64;

#[derive(Clone)]
pub struct Settings {
    language: Language,
    run_mode: RunMode,
    disk: Arc<dyn Disk>,
    command_line: Vec<(String, Value)>,
    conf: Option<Ini>,
}

/// What is said on the command line, before anybody else has a say, and in `puppet.conf`, where nobody else has one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Wish<T> {
    pub first: Option<T>,
    pub last: Option<T>,
}

/// What an environment says of settings, in place of `puppet.conf`.
#[derive(Clone, Debug)]
pub(super) struct EnvironmentSettings {
    pub(super) name: String,
    pub(super) values: Vec<(&'static str, Value)>,
}

impl Settings {
    /// The defaults of a version.
    pub fn new(language: Language, disk: Arc<dyn Disk>) -> Settings {
        Settings { language, run_mode: RunMode::Server, disk, command_line: Vec::new(), conf: None }
    }

    /// The settings of another kind of command.
    pub fn with_run_mode(self, run_mode: RunMode) -> Settings {
        Settings { run_mode, ..self }
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// The same settings, for somebody who reads environments from another disk.
    pub fn with_disk(&self, disk: Arc<dyn Disk>) -> Settings {
        Settings { disk, ..self.clone() }
    }

    /// Returns what names all that they say: what is written elsewhere, or in other words, is the same.
    pub fn shape(&self, folder: &str) -> Digest {
        let mut digester = Digester::new(b"settings");
        digester.text(self.language.release());
        // Where answers are kept is no part of any.
        let own = Settings::own_names().filter(|name| ![CACHE, CACHE_SIZE].contains(name));
        for name in self.names().chain(own) {
            let is_given =
                u64::from(self.on_command_line(name).is_some()) | u64::from(self.in_conf(name).is_some()) << 1;
            digester.text(name).number(is_given);
            match self.value(name) {
                // Code is no path: what it names it means.
                Ok(value) => add_value(&mut digester, &value, if name == "code" { "" } else { folder }),
                Err(reason) => drop(digester.text(&from_folder(&reason, folder))),
            }
        }
        digester.finish()
    }

    pub fn disk(&self) -> &dyn Disk {
        self.disk.as_ref()
    }

    /// What the command line says. `Err`: there is no such setting, or it cannot have this value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        if find_declaration(name).filter(|known| self.has(known)).is_none() {
            let hint = nearest(name, self.names().chain(Settings::own_names()))
                .map(|near| format!("; did you mean {near}?"))
                .unwrap_or_default();
            return Err(format!("there is no setting '{name}'{hint}"));
        }
        self.command_line.retain(|(known, _)| known != name);
        self.command_line.push((name.to_owned(), translated(value)));
        rules::check(self, name)
    }

    /// The setting `code`: taken as it is, whatever it looks like.
    pub fn set_code(&mut self, code: &str) {
        self.command_line.retain(|(known, _)| known != "code");
        self.command_line.push(("code".to_owned(), Value::from(code)));
    }

    /// Takes `puppet.conf`, if there is one: `config`, else the one in `confdir`. What cannot be parsed is told and
    /// left out as a whole; what it may not say is an error, as in the real one.
    pub fn read_conf(&mut self) -> Result<Vec<Remark>, String> {
        let file = self.text("config").map_err(not_initialized)?;
        let text = match self.disk.read(Path::new(&file)) {
            Ok(None) => return Ok(Vec::new()),
            Ok(Some(bytes)) => bytes,
            Err(error) => return Err(format!("Could not load {file}: {error}")),
        };
        let parsed = match String::from_utf8(text) {
            Ok(text) => Ini::parse(&file, &text, Some(&SECTIONS)),
            Err(_) => Err("invalid byte sequence in UTF-8".to_owned()),
        };
        match parsed {
            Ok(conf) => self.take(conf).map_err(not_initialized),
            Err(reason) => Ok(vec![Remark::error(format!("Could not parse {file}: {reason}"))]),
        }
    }

    fn take(&mut self, conf: Ini) -> Result<Vec<Remark>, String> {
        for section in &conf.sections {
            let names = section.settings.iter().map(|(name, _)| name.as_str());
            let forbidden: Vec<&str> = names.filter(|name| OF_ENVIRONMENTS.contains(name)).collect();
            if !forbidden.is_empty() {
                return Err(format!("Cannot set {} settings in puppet.conf", forbidden.join(", ")));
            }
        }
        self.conf = Some(conf);
        let mut remarks = Vec::new();
        for known in SETTINGS.iter().chain(&OWN).filter(|known| self.in_conf(known.name).is_some()) {
            rules::check(self, known.name)?;
            remarks.extend(rules::remark(self, known.name)?);
            remarks.extend(self.environment_left(known.name, None));
        }
        Ok(remarks)
    }

    /// The names of all settings, in the real one's order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        SETTINGS.iter().filter(|known| self.has(known)).map(|known| known.name)
    }

    /// The names of those that the real one has not.
    pub fn own_names() -> impl Iterator<Item = &'static str> {
        OWN.iter().map(|known| known.name)
    }

    /// Returns those of them that are limits: numbers from one.
    pub fn limit_names() -> impl Iterator<Item = &'static str> {
        OWN.iter().filter(|known| known.kind == SettingKind::Integer).map(|known| known.name)
    }

    pub fn is_limit(name: &str) -> bool {
        Settings::limit_names().any(|limit| limit == name)
    }

    /// The functions that a Ruby of the person's own runs, and whose answers depend on nothing that is not asked.
    pub fn deterministic_functions(&self) -> Result<Vec<String>, String> {
        Ok(match self.value(DETERMINISTIC_FUNCTIONS)? {
            Value::Array(names) => names.iter().map(kinds::plain).collect(),
            _ => Vec::new(),
        })
    }

    /// Files and folders that Ruby code of modules may read, beside those that it always may.
    pub fn ruby_reads(&self) -> Result<Vec<PathBuf>, String> {
        let paths = self.text(RUBY_READS)?;
        Ok(divided(&paths, ":").map(PathBuf::from).collect())
    }

    /// More of them.
    pub fn add_ruby_reads(&mut self, paths: &[PathBuf]) -> Result<(), String> {
        if paths.is_empty() {
            return Ok(());
        }
        let known = self.ruby_reads()?;
        let all: Vec<String> = known.iter().chain(paths).map(|path| path.display().to_string()).collect();
        self.set(RUBY_READS, &all.join(":"))
    }

    /// Returns where answers are to be kept.
    pub fn cache(&self) -> Result<Wish<String>, String> {
        self.wish(CACHE)
    }

    /// Returns how large that may grow.
    pub fn cache_size(&self) -> Result<Wish<String>, String> {
        self.wish(CACHE_SIZE)
    }

    fn wish(&self, name: &str) -> Result<Wish<String>, String> {
        let said = Some(self.text(name)?).filter(|text| !text.is_empty());
        Ok(match self.on_command_line(name) {
            Some(_) => Wish { first: said, last: None },
            None => Wish { first: None, last: said },
        })
    }

    pub fn value(&self, name: &str) -> Result<Value, String> {
        self.value_in(name, None)
    }

    /// Returns a value that is text; of anything else, how it is written.
    pub fn text(&self, name: &str) -> Result<String, String> {
        Ok(match self.value(name)? {
            Value::String(text) => text.to_string(),
            Value::Boolean(flag) => flag.to_string(),
            Value::Integer(number) => number.to_string(),
            _ => String::new(),
        })
    }

    pub fn flag(&self, name: &str) -> Result<bool, String> {
        Ok(self.value(name)?.is_truthy())
    }

    /// Returns a limit, which is a number from one.
    pub fn limit(&self, name: &str) -> Result<u64, String> {
        match self.value(name)? {
            Value::Integer(number) if number > 0 => Ok(number.unsigned_abs()),
            other => Err(format!("the setting {name} is to be a number from 1, not {}", kinds::plain(&other))),
        }
    }

    pub fn strict(&self) -> Result<Strict, String> {
        Ok(match self.text("strict")?.as_str() {
            "off" => Strict::Off,
            "warning" => Strict::Warning,
            _ => Strict::Error,
        })
    }

    /// Returns true if a person said something of it, on the command line or in `puppet.conf`.
    pub fn is_set(&self, name: &str) -> bool {
        self.on_command_line(name).is_some() || self.in_conf(name).is_some()
    }

    pub(super) fn on_command_line(&self, name: &str) -> Option<&Value> {
        self.command_line.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    pub(super) fn value_in(&self, name: &str, environment: Option<&EnvironmentSettings>) -> Result<Value, String> {
        Chain { settings: self, environment }.value(name, 0)
    }

    /// Returns the variables of the class `settings`, without their prefix.
    pub(super) fn variables(&self, environment: &EnvironmentSettings) -> Result<Hash, String> {
        let named = self.names().filter(|name| *name != "name");
        named.map(|name| Ok((Value::from(name), self.value_in(name, Some(environment))?))).collect()
    }

    /// Only one setting may be different for each environment by its name.
    pub(super) fn environment_left(&self, name: &str, environment: Option<&EnvironmentSettings>) -> Option<Remark> {
        let raw = Chain { settings: self, environment }.raw(name, 0);
        let names_it = ["$environment", "${environment}"].iter().any(|written| {
            let after = raw.as_str().and_then(|text| text.split_once(written)).map(|(_, after)| after);
            after.is_some_and(|after| written.ends_with('}') || !after.starts_with(is_word))
        });
        if !names_it || name == "config_version" || name == "code" {
            return None;
        }
        let value = Chain { settings: self, environment }.interpolate(name, raw, 0).ok()?;
        Some(Remark::warning(format!(
            "You cannot interpolate $environment within '{name}' when using directory environments. Its value will \
             remain {}.",
            value.as_str().unwrap_or_default()
        )))
    }

    fn has(&self, declared: &SettingDeclaration) -> bool {
        declared.is_in_7 || self.language >= Language::Puppet8
    }

    fn in_conf(&self, name: &str) -> Option<&Value> {
        let conf = self.conf.as_ref()?;
        self.run_mode.sections().iter().find_map(|section| conf.section(section)?.get(name))
    }

    fn default_of(&self, declared: &SettingDeclaration) -> Value {
        let own = match self.language {
            Language::Puppet7 => declared.default_in_7,
            Language::Puppet8 => None,
            Language::OpenVox8 => declared.default_in_openvox,
        };
        match own.unwrap_or(declared.default) {
            Initial::Nothing => Value::Undef,
            Initial::Flag(flag) => Value::Boolean(flag),
            Initial::Number(number) => Value::Integer(number),
            Initial::Text(text) => Value::from(text),
            Initial::Texts(texts) => Value::array(texts.iter().copied().map(Value::from)),
            Initial::HieraConfig => self.hiera_config(),
        }
    }

    fn hiera_config(&self) -> Value {
        let within = |folder: &str| {
            self.text(folder).map(|folder| clean_path(&Path::new(&folder).join("hiera.yaml")).into_owned())
        };
        let in_code = within("codedir").ok().filter(|file| self.disk.exists(file));
        match in_code.map_or_else(|| within("confdir"), Ok) {
            Ok(file) => Value::from(file.to_string_lossy().into_owned()),
            Err(_) => Value::Undef,
        }
    }
}

impl std::fmt::Debug for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings").field("command_line", &self.command_line).field("conf", &self.conf).finish()
    }
}

/// A text in which a folder is named in one way wherever it lies; without a folder, as it is.
pub fn from_folder(text: &str, folder: &str) -> String {
    if folder.is_empty() { text.to_owned() } else { text.replace(folder, "\u{0}") }
}

pub(super) fn add_value(digester: &mut Digester, value: &Value, folder: &str) {
    match value {
        Value::String(text) => digester.text(&from_folder(text, folder)),
        other => digester.item(other),
    };
}

fn not_initialized(reason: String) -> String {
    format!("Could not initialize global default settings: {reason}")
}

fn find_declaration(name: &str) -> Option<&'static SettingDeclaration> {
    static KNOWN: OnceLock<FxHashMap<&'static str, &'static SettingDeclaration>> = OnceLock::new();
    KNOWN.get_or_init(|| SETTINGS.iter().chain(&OWN).map(|known| (known.name, known)).collect()).get(name).copied()
}

/// The places where a value may stand, seen from an environment or from none.
struct Chain<'s> {
    settings: &'s Settings,
    environment: Option<&'s EnvironmentSettings>,
}

impl Chain<'_> {
    /// Returns the value as it is written.
    fn raw(&self, name: &str, depth: usize) -> Value {
        let settings = self.settings;
        let environments = || {
            self.environment.and_then(|of| of.values.iter().find(|(known, _)| *known == name)).map(|(_, value)| value)
        };
        let folder = || settings.run_mode.folder(name).map(Value::from);
        let found = settings
            .on_command_line(name)
            .or_else(environments)
            .or_else(|| settings.in_conf(name))
            .cloned()
            .or_else(folder)
            .filter(|value| !value.is_undef());
        match (found, find_declaration(name)) {
            (Some(value), _) => value,
            (None, Some(SettingDeclaration { kind: SettingKind::AliasOf(other), .. })) if depth < LONGEST_CHAIN => {
                self.raw(other, depth + 1)
            }
            (None, Some(known)) => settings.default_of(known),
            (None, None) => Value::Undef,
        }
    }

    fn value(&self, name: &str, depth: usize) -> Result<Value, String> {
        let Some(known) = find_declaration(name).filter(|known| self.settings.has(known)) else {
            return Ok(Value::Undef);
        };
        let raw = self.raw(name, depth);
        // Code is full of dollar signs that are no settings.
        if name == "code" {
            return Ok(raw);
        }
        if depth > LONGEST_CHAIN {
            return Err(format!("the setting '{name}' leads back to itself"));
        }
        let value = self
            .interpolate(name, raw, depth)
            .map_err(|reason| format!("Error converting value for param '{name}': {reason}"))?;
        let (known, name) = match known.kind {
            SettingKind::AliasOf(other) => (find_declaration(other).unwrap_or(known), other),
            _ => (known, name),
        };
        kinds::typed(known, name, value)
    }

    fn interpolate(&self, name: &str, raw: Value, depth: usize) -> Result<Value, String> {
        let Some(text) = raw.as_str().filter(|text| text.contains('$')) else { return Ok(raw) };
        let (mut out, mut rest) = (String::new(), text);
        while let Some(start) = rest.find('$') {
            out.push_str(&rest[..start]);
            rest = &rest[start..];
            let Some((variable, length)) = variable_at_start(rest) else {
                out.push('$');
                rest = &rest[1..];
                continue;
            };
            out.push_str(&self.variable(name, variable, &rest[..length], depth)?);
            rest = &rest[length..];
        }
        out.push_str(rest);
        Ok(Value::from(out))
    }

    fn variable(&self, setting: &str, variable: &str, written: &str, depth: usize) -> Result<String, String> {
        match (variable, self.environment) {
            ("environment", _) if setting != "config_version" => return Ok(written.to_owned()),
            ("environment", Some(of)) => return Ok(of.name.clone()),
            ("run_mode", _) => return Ok(self.settings.run_mode.name().to_owned()),
            _ => {}
        }
        match self.value(variable, depth + 1)? {
            Value::Undef => Err(format!("Could not find value for {written}")),
            value => Ok(kinds::plain(&value)),
        }
    }
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// `$name…` or `${name}…`: the name, and the length of all of it.
fn variable_at_start(text: &str) -> Option<(&str, usize)> {
    let after = &text[1..];
    let bare = after.find(|letter| !is_word(letter)).unwrap_or(after.len());
    if bare > 0 {
        return Some((&after[..bare], bare + 1));
    }
    let inside = after.strip_prefix('{')?;
    let length = inside.find('}')?;
    let name = &inside[..length];
    (!name.is_empty() && name.chars().all(is_word)).then_some((name, length + 3))
}
