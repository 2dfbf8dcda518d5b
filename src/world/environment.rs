//! An environment: where its code stands, and the settings that are its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pantin_base::{limits, nearest};
use pantin_values::{Digest, Digester, Digestible, Hash, Value};

use super::ini::{Ini, Section};
use super::settings::{EnvironmentSettings, Settings, add_value, divided, from_folder, time_to_live};
use super::{
    CommandOutput, Disk, Entry, ModuleCheckout, NotRun, ReadError, Remark, clean_path, glob, glob_under, is_pattern,
    run,
};

/// As `environment.conf`, the settings and the command line together say. All paths are absolute and clean.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    pub name: String,
    /// Its folder; none for an environment made of a manifest or a piece of code alone.
    pub folder: Option<PathBuf>,
    /// The module that is checked out by itself, where that is what is compiled.
    pub module: Option<ModuleCheckout>,
    /// Globs are expanded. Not each of them need be there.
    pub modulepath: Vec<PathBuf>,
    pub manifest: Manifest,
    /// The command that tells the version, as written; none: the time.
    pub config_version: Option<String>,
    /// Values that JSON does not know are kept as such in the catalog.
    pub rich_data: bool,
    pub static_catalogs: bool,
    /// The variables of the class `settings`, without their prefix, in their order.
    pub settings: Hash,
    /// Why no catalog may be compiled here, each in the words of the real one.
    pub conflicts: Vec<String>,
    /// Where bindings are.
    pub bindings: BindingsSettings,
}

/// What an environment says of bindings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BindingsSettings {
    /// The folder of settings, whose bindings are those of the site; none where no settings of the machine are read.
    pub confdir: Option<PathBuf>,
    /// The folder of the environment's own bindings.
    pub folder: Option<PathBuf>,
    /// Whether `environments.pp` chose the environment.
    pub is_from_environments_file: bool,
}

impl LoadedEnvironment {
    /// Returns what names all that is known of it and said of it. `folder` is named in one way wherever it lies; empty:
    /// as it is.
    pub fn shape(&self, folder: &str) -> Digest {
        let of = &*self.environment;
        let Environment {
            name,
            folder: own,
            module,
            modulepath,
            manifest,
            config_version,
            settings,
            conflicts,
            bindings,
            ..
        } = of;
        let flags = u64::from(of.rich_data) | u64::from(of.static_catalogs) << 1;
        let path = |path: &Path| from_folder(&path.to_string_lossy(), folder);
        let texts = |texts: &[String]| texts.iter().map(|text| from_folder(text, folder)).collect::<Vec<_>>();
        let mut digester = Digester::new(b"environment");
        digester.text(name).number(flags).item(&own.as_deref().map(path));
        digester.item(&module.as_ref().map(|module| path(&module.folder)));
        digester.item(&module.as_ref().map(|module| module.name.clone()));
        digester.item(&modulepath.iter().map(|folder| path(folder)).collect::<Vec<_>>());
        match manifest {
            Manifest::None => digester.number(0),
            Manifest::Path(file) => digester.number(1).text(&path(file)),
            // Code is no path: what it names it means.
            Manifest::Code(code) => digester.number(2).text(code),
        };
        digester.item(&bindings.confdir.as_deref().map(path)).item(&bindings.folder.as_deref().map(path));
        digester.number(u64::from(bindings.is_from_environments_file));
        digester.item(&config_version.as_ref().map(|command| from_folder(command, folder))).item(&texts(conflicts));
        digester.number(self.remarks.len() as u64);
        for remark in &self.remarks {
            digester.item(&remark.severity).text(&from_folder(&remark.text, folder));
        }
        digester.number(settings.len() as u64);
        for (name, value) in settings.iter() {
            digester.item(name);
            add_value(&mut digester, value, folder);
        }
        digester.finish()
    }
}

impl Environment {
    /// Returns the digest of all that is known of it.
    pub fn shape(self: &Arc<Environment>) -> Digest {
        LoadedEnvironment { environment: Arc::clone(self), remarks: Vec::new() }.shape("")
    }
}

impl Digestible for Manifest {
    fn add_to(&self, digester: &mut Digester) {
        match self {
            Manifest::None => digester.number(0),
            Manifest::Path(path) => digester.number(1).item(path),
            Manifest::Code(code) => digester.number(2).text(code),
        };
    }
}

/// What `environments.pp` says of an environment; texts are interpolated.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnvironmentAttributes {
    pub envdir: Option<String>,
    pub modulepath: Option<String>,
    pub manifestdir: Option<String>,
    pub manifest: Option<String>,
    pub bindingsdir: Option<String>,
    pub config_version: Option<String>,
    pub rich_data: Option<bool>,
    pub static_catalogs: Option<bool>,
    /// The attributes that were given the value `default`.
    pub literal_defaults: Vec<String>,
}

impl EnvironmentAttributes {
    /// Returns true if the value of an attribute was given as `default`.
    pub fn is_default(&self, name: &str) -> bool {
        self.literal_defaults.iter().any(|known| known == name)
    }
}

/// What is evaluated first.
#[derive(Clone, Debug, Default)]
pub enum Manifest {
    #[default]
    None,
    /// A file, or a folder whose `.pp` files are taken as one, in the order of their paths.
    Path(PathBuf),
    /// The setting `code`: it takes the place of all manifests.
    Code(String),
}

impl Environment {
    /// Returns the version that its command tells, without space around it; none where there is no command. `Err`: the
    /// real one's words.
    pub fn version(&self) -> Result<Option<String>, String> {
        let Some(command) = &self.config_version else { return Ok(None) };
        let failed = |reason: String| {
            format!("Execution of config_version command `{command}` failed: Execution of '{command}' {reason}")
        };
        let arguments = ["-c".to_owned(), command.clone()];
        let time = Duration::from_secs(limits::COMMAND_SECONDS);
        match run("/bin/sh", &arguments, time, limits::COMMAND_BYTES) {
            Ok(CommandOutput { code: Some(0), out, .. }) => Ok(Some(String::from_utf8_lossy(&out).trim().to_owned())),
            Ok(CommandOutput { code, out, .. }) => {
                let code = code.map(|code| code.to_string()).unwrap_or_default();
                Err(failed(format!("returned {code}: {}", String::from_utf8_lossy(&out).trim())))
            }
            Err(NotRun::NotStarted(error)) => Err(failed(format!("returned 1: {error}"))),
            Err(NotRun::TooLong) => Err(failed(format!("took longer than {} seconds", limits::COMMAND_SECONDS))),
            Err(NotRun::TooMuch) => Err(failed(format!("said more than {} bytes", limits::COMMAND_BYTES))),
        }
    }
}

impl Environment {
    /// Returns what is to be said where its manifests are not found, which the real one takes for no manifests: most
    /// often another folder was meant. `needs_one`: nothing but a manifest says which classes its nodes are of.
    pub fn lack_of_manifests(&self, disk: &dyn Disk, needs_one: bool) -> Option<Remark> {
        let path = match &self.manifest {
            Manifest::Code(_) => return None,
            Manifest::None => {
                let text = format!("The environment '{}' has no folder, and so no manifest", self.name);
                return needs_one.then(|| Remark::warning(text));
            }
            Manifest::Path(path) => path,
        };
        let none = |what: String| Remark::warning(format!("The environment '{}' has no manifest: {what}", self.name));
        if !disk.is_folder(path) {
            let is_lacking = needs_one && !disk.exists(path);
            return is_lacking.then(|| none(format!("there is no {}", path.display())));
        }
        if let Some((folder, reason)) = unlisted(disk, path) {
            let text = format!("Manifests in {} are left out: it cannot be read: {reason}", folder.display());
            return Some(Remark::warning(text));
        }
        let is_empty = needs_one && self.manifest.files(disk).is_ok_and(|files| files.is_empty());
        is_empty.then(|| none(format!("there is no .pp file in {}", path.display())))
    }
}

/// The first folder, of those in which manifests are looked for, that does not say what is in it.
fn unlisted(disk: &dyn Disk, folder: &Path) -> Option<(PathBuf, ReadError)> {
    let entries = match disk.list(folder) {
        Ok(entries) => entries.unwrap_or_default(),
        Err(reason) => return Some((folder.to_owned(), reason)),
    };
    let is_searched = |entry: &&Entry| {
        let is_hidden = entry.name.as_encoded_bytes().starts_with(b".");
        entry.is_folder && !entry.is_link && !is_hidden
    };
    entries.iter().filter(is_searched).find_map(|entry| unlisted(disk, &folder.join(&entry.name)))
}

impl Manifest {
    /// Returns the files, in the order in which they are taken; one that is not there is among them.
    pub fn files(&self, disk: &dyn Disk) -> Result<Vec<PathBuf>, String> {
        let Manifest::Path(path) = self else { return Ok(Vec::new()) };
        if !disk.is_folder(path) {
            return Ok(vec![path.clone()]);
        }
        let mut files = glob_under(disk, path, "**/*.pp")?;
        files.sort_by(|one, other| one.as_os_str().as_encoded_bytes().cmp(other.as_os_str().as_encoded_bytes()));
        Ok(files)
    }
}

/// The environments that some settings lead to.
#[derive(Clone, Copy, Debug)]
pub struct Environments<'s> {
    pub settings: &'s Settings,
}

/// An environment, and what is to be said of it.
#[derive(Debug)]
pub struct LoadedEnvironment {
    pub environment: Arc<Environment>,
    pub remarks: Vec<Remark>,
}

impl Environments<'_> {
    /// Returns the environment of this name, from the first folder of `environmentpath` that has it.
    pub fn load(&self, name: &str) -> Result<LoadedEnvironment, String> {
        let path = self.settings.text("environmentpath")?;
        if is_name(name) {
            let folders = divided(&path, ":").map(|folder| Path::new(folder).join(name));
            if let Some(folder) = folders
                .map(|folder| clean_path(&folder).into_owned())
                .find(|folder| self.settings.disk().is_folder(folder))
            {
                return self.in_folder(name, &self.resolve_version_link(folder)?);
            }
        }
        // The one that everybody has may be empty.
        if name == "production" && self.settings.text("environment")? == name {
            return self.without_folder(name);
        }
        Err(not_found(name, &path))
    }

    /// The names of all environments, each once, in the order of the path and then of the names.
    pub fn names(&self) -> Result<Vec<String>, String> {
        let mut names = Vec::new();
        for folder in divided(&self.settings.text("environmentpath")?, ":") {
            let listed = self
                .settings
                .disk()
                .list(Path::new(folder))
                .map_err(|error| format!("cannot list {folder}: {error}"))?;
            let folders = listed.into_iter().flatten().filter(|entry| entry.is_folder);
            for name in folders.map(|entry| entry.name.to_string_lossy().into_owned()) {
                if is_name(&name) && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        Ok(names)
    }

    /// The environment in a folder, whatever the folder is called.
    pub fn in_folder(&self, name: &str, folder: &Path) -> Result<LoadedEnvironment, String> {
        if !is_name(name) {
            return Err(format!("'{name}' is no name for an environment: it consists of letters, digits and _"));
        }
        self.in_any_folder(name, folder)
    }

    /// The same, whatever the environment is called.
    fn in_any_folder(&self, name: &str, folder: &Path) -> Result<LoadedEnvironment, String> {
        let file = folder.join("environment.conf");
        let mut remarks = Vec::new();
        let conf = self.read_conf(&file)?;
        if let Some(conf) = &conf {
            remarks.extend(unknown(&file.to_string_lossy(), conf));
        }
        let main = conf.as_ref().and_then(|conf| conf.section("main"));
        let of = Conf { folder, main, environments: self };
        let (own, more) = of.values(name)?;
        remarks.extend(more);
        remarks
            .extend(own.values.iter().filter_map(|(setting, _)| self.settings.environment_left(setting, Some(&own))));
        let mut environment = self.build_environment(&own)?;
        environment.folder = Some(folder.to_owned());
        environment.bindings.folder = Some(folder.join("bindings"));
        environment.conflicts = of.conflicts(name)?;
        Ok(LoadedEnvironment { environment: Arc::new(environment), remarks })
    }

    /// Returns an environment that `environments.pp` defines. `own`: what is said of it alone; `defaults`: what is said
    /// of all, which counts where its `environment.conf` says nothing.
    pub fn defined(
        &self,
        name: &str,
        folder: &Path,
        own: &EnvironmentAttributes,
        defaults: &EnvironmentAttributes,
    ) -> Result<LoadedEnvironment, String> {
        let loaded = self.in_any_folder(name, folder)?;
        let mut environment = Environment::clone(&loaded.environment);
        let conf = self.read_conf(&folder.join("environment.conf"))?;
        let main = conf.as_ref().and_then(|conf| conf.section("main"));
        let in_conf = |name: &str| main.is_some_and(|main| main.get(name).is_some());
        let value = |of: fn(&EnvironmentAttributes) -> &Option<String>, attribute: &str, setting: &str| {
            let of_all = || of(defaults).clone().filter(|_| !in_conf(setting) && !own.is_default(attribute));
            of(own).clone().or_else(of_all)
        };
        let below = |folder: &Path, path: &str| clean_path(&folder.join(path)).into_owned();
        let base_path = || Ok::<_, String>(format!("modules:{}", self.settings.text("basemodulepath")?));
        let modulepath = match own.is_default("modulepath") {
            true => Some(base_path()?),
            false => value(|of| &of.modulepath, "modulepath", "modulepath"),
        };
        if let Some(path) = modulepath {
            environment.modulepath = divided(&path, ":").map(|path| below(folder, path)).collect();
            let shown: Vec<String> = environment.modulepath.iter().map(|path| path.display().to_string()).collect();
            environment.settings.insert("modulepath".into(), shown.join(":").into());
        }
        let manifest = value(|of| &of.manifest, "manifest", "manifest");
        let manifests = value(|of| &of.manifestdir, "manifestdir", "manifest");
        let is_default = own.is_default("manifest") || own.is_default("manifestdir");
        if manifest.is_some() || manifests.is_some() || is_default || !in_conf("manifest") {
            let folder = below(folder, manifests.as_deref().unwrap_or("manifests"));
            let site = folder.join("site.pp");
            let path = match manifest {
                Some(manifest) => below(&folder, &manifest),
                None if self.settings.disk().exists(&site) => site,
                None => folder,
            };
            environment.settings.insert("manifest".into(), path.display().to_string().into());
            environment.manifest = Manifest::Path(path);
        }
        if let Some(path) = value(|of| &of.bindingsdir, "bindingsdir", "bindingsdir") {
            environment.bindings.folder = Some(below(folder, &path));
        }
        if let Some(command) = value(|of| &of.config_version, "config_version", "config_version") {
            environment.config_version = Some(command);
        }
        if let Some(flag) = own.rich_data.or_else(|| defaults.rich_data.filter(|_| !in_conf("rich_data"))) {
            environment.rich_data = flag;
        }
        if let Some(flag) =
            own.static_catalogs.or_else(|| defaults.static_catalogs.filter(|_| !in_conf("static_catalogs")))
        {
            environment.static_catalogs = flag;
        }
        environment.bindings.is_from_environments_file = true;
        Ok(LoadedEnvironment { environment: Arc::new(environment), ..loaded })
    }

    /// Returns an environment without a folder: modules as the settings say, no manifests but those of the command
    /// line.
    pub fn without_folder(&self, name: &str) -> Result<LoadedEnvironment, String> {
        let given = self.settings.text("modulepath")?;
        let modulepath = if given.is_empty() { self.settings.text("basemodulepath")? } else { given };
        let own = EnvironmentSettings { name: name.to_owned(), values: vec![("modulepath", Value::from(modulepath))] };
        let environment = self.build_environment(&own)?;
        Ok(LoadedEnvironment { environment: Arc::new(environment), remarks: Vec::new() })
    }

    fn build_environment(&self, own: &EnvironmentSettings) -> Result<Environment, String> {
        let text = |name: &str| -> Result<String, String> {
            let value = self.settings.value_in(name, Some(own))?;
            Ok(value.as_str().unwrap_or_default().to_owned())
        };
        let modulepath = text("modulepath")?;
        let manifest = text("manifest")?;
        let code = text("code")?;
        Ok(Environment {
            name: own.name.clone(),
            folder: None,
            module: None,
            modulepath: divided(&modulepath, ":").map(PathBuf::from).collect(),
            manifest: match (code.is_empty(), manifest.is_empty()) {
                (false, _) => Manifest::Code(code),
                (true, false) => Manifest::Path(PathBuf::from(manifest)),
                (true, true) => Manifest::None,
            },
            config_version: Some(text("config_version")?).filter(|command| !command.is_empty()),
            rich_data: self.settings.value_in("rich_data", Some(own))?.is_truthy(),
            static_catalogs: self.settings.value_in("static_catalogs", Some(own))?.is_truthy(),
            settings: self.settings.variables(own)?,
            conflicts: Vec::new(),
            bindings: BindingsSettings::default(),
        })
    }

    fn read_conf(&self, file: &Path) -> Result<Option<Ini>, String> {
        let shown = file.to_string_lossy();
        let bytes = self.settings.disk().read(file).map_err(|error| error.in_ruby(file))?;
        let Some(bytes) = bytes else { return Ok(None) };
        let text = String::from_utf8(bytes).map_err(|_| format!("{shown}: invalid byte sequence in UTF-8"))?;
        Ini::parse(&shown, &text, None).map(Some)
    }

    /// Where the environments are links to folders with a version in their names, the folder is meant.
    fn resolve_version_link(&self, folder: PathBuf) -> Result<PathBuf, String> {
        if !self.settings.flag("versioned_environment_dirs")? {
            return Ok(folder);
        }
        Ok(self.settings.disk().link_target(&folder).unwrap_or(folder))
    }
}

/// Says that no folder of these has an environment of this name.
pub fn not_found(name: &str, path: &str) -> String {
    format!(
        "Could not find a directory environment named '{name}' anywhere in the path: {path}. Does the directory exist?"
    )
}

/// Returns the rule of the real one. (A line break at the end, which it lets pass, is in no name of a folder of ours.)
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// What `environment.conf` may say.
pub const OF_ENVIRONMENT: [&str; 7] = [
    "modulepath",
    "manifest",
    "config_version",
    "environment_timeout",
    "environment_data_provider",
    "static_catalogs",
    "rich_data",
];

/// Names in an `environment.conf` that are ignored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IgnoredNames {
    pub sections: Vec<String>,
    /// What it sets that is no setting of an environment.
    pub unknown: Vec<String>,
}

impl IgnoredNames {
    fn from_conf(conf: &Ini) -> IgnoredNames {
        let settings = conf.sections[0].settings.iter().map(|(name, _)| name.clone());
        IgnoredNames {
            sections: conf.sections[1..].iter().map(|section| section.name.clone()).collect(),
            unknown: settings.filter(|name| !OF_ENVIRONMENT.contains(&name.as_str())).collect(),
        }
    }
}

/// Reads the text of an `environment.conf` for the names in it that are ignored. `Err`: the real one cannot read it, in its words.
pub fn names_in_conf(file: &str, text: &str) -> Result<IgnoredNames, String> {
    Ok(IgnoredNames::from_conf(&Ini::parse(file, text, None)?))
}

/// Returns what it says beside that.
fn unknown(file: &str, conf: &Ini) -> Vec<Remark> {
    let nowhere = "\n   (file & line not available)";
    let mut remarks = Vec::new();
    let IgnoredNames { sections, unknown: names } = IgnoredNames::from_conf(conf);
    if !sections.is_empty() {
        remarks.push(Remark::warning(format!(
            "Invalid sections in environment.conf at '{file}'. Environment conf may not have sections. The following \
             sections are being ignored: '{}'{nowhere}",
            sections.join(",")
        )));
    }
    if !names.is_empty() {
        remarks.push(Remark::warning(format!(
            "Invalid settings in environment.conf at '{file}'. The following unknown setting(s) are being ignored: \
             {}{nowhere}",
            names.join(", ")
        )));
    }
    for name in names {
        if let Some(near) = nearest(&name, OF_ENVIRONMENT) {
            remarks.push(Remark::warning(format!("{file}: there is no setting {name}; did you mean {near}?")));
        }
    }
    remarks
}

/// The `environment.conf` of a folder, or what holds where there is none.
struct Conf<'e> {
    folder: &'e Path,
    main: Option<&'e Section>,
    environments: &'e Environments<'e>,
}

impl Conf<'_> {
    fn get(&self, name: &str) -> Option<&Value> {
        self.main?.get(name)
    }

    fn values(&self, name: &str) -> Result<(EnvironmentSettings, Vec<Remark>), String> {
        let settings = self.environments.settings;
        let (manifest, remark) = self.manifest()?;
        let or_setting = |name: &'static str| -> Result<(&'static str, Value), String> {
            let given = self.get(name).cloned();
            Ok((name, given.map_or_else(|| settings.value(name), Ok)?))
        };
        let mut values = vec![
            ("modulepath", Value::from(self.modulepath()?)),
            ("manifest", Value::from(manifest)),
            ("config_version", self.get("config_version").map_or(Value::Undef, |command| self.absolute_value(command))),
            or_setting("environment_data_provider")?,
            or_setting("static_catalogs")?,
            or_setting("rich_data")?,
        ];
        let (timeout, value) = or_setting("environment_timeout")?;
        values.push((timeout, time_to_live(timeout, value)?));
        Ok((EnvironmentSettings { name: name.to_owned(), values }, remark.into_iter().collect()))
    }

    fn modulepath(&self) -> Result<String, String> {
        let settings = self.environments.settings;
        let given = self.get("modulepath").and_then(Value::as_str);
        let base = settings.text("basemodulepath")?;
        let own = self.folder.join("modules").to_string_lossy().into_owned();
        let folders: Vec<&str> = match given {
            Some(given) => divided(given, ":").collect(),
            None => std::iter::once(own.as_str()).chain(divided(&base, ":")).collect(),
        };
        let mut expanded = Vec::new();
        for folder in folders.into_iter().map(|folder| self.absolute(folder)) {
            if is_pattern(&folder) {
                let found = glob(self.environments.settings.disk(), &folder)?;
                expanded.extend(found.into_iter().map(|path| path.to_string_lossy().into_owned()));
            } else {
                expanded.push(folder);
            }
        }
        Ok(expanded.join(":"))
    }

    /// The manifest, and what is said where a folder's own wish is not heard.
    fn manifest(&self) -> Result<(String, Option<Remark>), String> {
        let settings = self.environments.settings;
        let default = settings.text("default_manifest")?;
        let fallback = match Path::new(&default).is_absolute() {
            true => default.clone(),
            false => format!("{}/{default}", self.folder.display()),
        };
        let own = self.get("manifest").and_then(Value::as_str).map(|own| self.absolute(own));
        if !settings.flag("disable_per_environment_manifest")? {
            return Ok((own.unwrap_or_else(|| self.absolute(&fallback)), None));
        }
        let remark = own.filter(|own| *own != fallback).map(|own| {
            Remark::error(format!(
                "The 'disable_per_environment_manifest' setting is true, but the environment located at {} has a \
                 manifest setting in its environment.conf of '{own}' which does not match the default_manifest \
                 setting '{default}'. If this environment is expecting to find modules in '{own}', they will not be \
                 available!",
                self.folder.display()
            ))
        });
        Ok((fallback, remark))
    }

    fn conflicts(&self, name: &str) -> Result<Vec<String>, String> {
        let settings = self.environments.settings;
        let own = self.get("manifest").and_then(Value::as_str).unwrap_or_default();
        let is_none = own.is_empty() || own == settings.text("default_manifest")?;
        if is_none || !settings.flag("disable_per_environment_manifest")? {
            return Ok(Vec::new());
        }
        Ok(vec![format!(
            "The 'disable_per_environment_manifest' setting is true, and the '{name}' environment has an \
             environment.conf manifest that conflicts with the 'default_manifest' setting."
        )])
    }

    fn absolute_value(&self, value: &Value) -> Value {
        value.as_str().map_or_else(|| value.clone(), |text| Value::from(self.absolute(text)))
    }

    /// What begins with another setting is absolute when that is put in.
    fn absolute(&self, path: &str) -> String {
        if path.starts_with('$') {
            return path.to_owned();
        }
        if path.starts_with('~') {
            return super::expand_path(path);
        }
        clean_path(&self.folder.join(path)).to_string_lossy().into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table_disk::TableDisk;
    use pantin_base::Language;

    const FOLDER: &str = "/code/environments/production";

    fn loaded_with(conf: &str, given: &[(&str, &str)]) -> Result<LoadedEnvironment, String> {
        let within = |name: &str| format!("{FOLDER}/{name}");
        let names = ["environment.conf", "site-b/x/", "site-a/x/", "m1/x/", "m2/x/"].map(within);
        let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
        files[0].1 = conf;
        let mut settings = Settings::new(Language::Puppet8, Arc::new(TableDisk::from_files(&files)));
        for (name, value) in [("codedir", "/code"), ("basemodulepath", "/base")].iter().chain(given) {
            settings.set(name, value).unwrap();
        }
        Environments { settings: &settings }.load("production")
    }

    fn modulepath(conf: &str) -> String {
        let environment = loaded_with(conf, &[]).unwrap().environment;
        let path: Vec<_> = environment.modulepath.iter().map(|path| path.display().to_string()).collect();
        path.join(":").replace(FOLDER, ".")
    }

    fn manifest(loaded: &LoadedEnvironment) -> String {
        match &loaded.environment.manifest {
            Manifest::Path(path) => path.display().to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn without_a_conf_there_are_modules_and_manifests() {
        let loaded = loaded_with("", &[]).unwrap();
        assert_eq!((modulepath("").as_str(), manifest(&loaded)), ("./modules:/base", format!("{FOLDER}/manifests")));
        assert_eq!((loaded.environment.config_version.as_ref(), loaded.environment.rich_data), (None, true));
    }

    #[test]
    fn the_modulepath_knows_patterns_and_settings() {
        let conf = "modulepath = m1:site-*:$basemodulepath:../x";
        assert_eq!(modulepath(conf), "./m1:./site-a:./site-b:/base:/code/environments/x");
        assert_eq!(modulepath("modulepath = \"m1:m2\""), "./m1:./m2");
        assert_eq!(modulepath("modulepath = "), "");
        assert_eq!(modulepath("modulepath = s[ij]te-*:**/none"), "./site-a:./site-b");
        assert_eq!(loaded_with("modulepath = site-{a,b}", &[]).unwrap_err(), "Could not parse 'site-{a,b}'");
        let error = loaded_with("modulepath = $nope", &[]).unwrap_err();
        assert_eq!(error, "Error converting value for param 'modulepath': Could not find value for $nope");
    }

    #[test]
    fn what_it_may_not_say_is_told() {
        let loaded = loaded_with("foo = 1\nbar=2\n[sect]\na=1\n[b]\n", &[]).unwrap();
        let file = format!("'{FOLDER}/environment.conf'");
        let expected = [
            format!(
                "Invalid sections in environment.conf at {file}. Environment conf may not have sections. The following \
                 sections are being ignored: 'sect,b'\n   (file & line not available)"
            ),
            format!(
                "Invalid settings in environment.conf at {file}. The following unknown setting(s) are being ignored: \
                 foo, bar\n   (file & line not available)"
            ),
        ];
        assert_eq!(loaded.remarks, expected.map(Remark::warning));
        let error = format!("Could not match line junk\n (file: {FOLDER}/environment.conf, line: 1)");
        assert_eq!(loaded_with("junk\n", &[]).unwrap_err(), error);
    }

    #[test]
    fn the_command_line_comes_first() {
        let given = [("modulepath", "/cli1:/cli2"), ("manifest", "/cli.pp")];
        let loaded = loaded_with("manifest = site.pp\nmodulepath = m1", &given).unwrap();
        assert_eq!(manifest(&loaded), "/cli.pp");
        assert_eq!(loaded.environment.modulepath, ["/cli1", "/cli2"].map(PathBuf::from));
        let loaded = loaded_with("config_version = scripts/v $environment", &[]).unwrap();
        assert_eq!(loaded.environment.config_version, Some(format!("{FOLDER}/scripts/v production")));
    }

    #[test]
    fn one_manifest_for_all_is_a_reason_to_stop() {
        let given = [("default_manifest", "/def"), ("disable_per_environment_manifest", "true")];
        let loaded = loaded_with("manifest = /abs/x", &given).unwrap();
        let expected = format!(
            "The 'disable_per_environment_manifest' setting is true, but the environment located at {FOLDER} has a \
             manifest setting in its environment.conf of '/abs/x' which does not match the default_manifest setting \
             '/def'. If this environment is expecting to find modules in '/abs/x', they will not be available!"
        );
        assert_eq!(loaded.remarks, [Remark::error(expected)]);
        assert_eq!(manifest(&loaded), "/def");
        let conflict = "The 'disable_per_environment_manifest' setting is true, and the 'production' environment has an \
                        environment.conf manifest that conflicts with the 'default_manifest' setting.";
        assert_eq!(loaded.environment.conflicts, [conflict]);
        assert!(loaded_with("manifest = /def", &given).unwrap().environment.conflicts.is_empty());
    }

    #[test]
    fn an_environment_that_is_not_there_is_an_error_but_for_production() {
        let files = [("/two/other/x", ""), ("/one/here/environment.conf", ""), ("/two/here/environment.conf", "")];
        let mut settings = Settings::new(Language::Puppet8, Arc::new(TableDisk::from_files(&files)));
        settings.set("environmentpath", "/one:/two").unwrap();
        let environments = Environments { settings: &settings };
        assert_eq!(environments.load("here").unwrap().environment.folder, Some(PathBuf::from("/one/here")));
        assert_eq!(environments.names().unwrap(), ["here", "other"]);
        for name in ["gone", "../one/here", "a-b", ""] {
            let expected = format!(
                "Could not find a directory environment named '{name}' anywhere in the path: /one:/two. Does the \
                 directory exist?"
            );
            assert_eq!(environments.load(name).unwrap_err(), expected);
        }
        let loaded = environments.load("production").unwrap();
        assert_eq!(loaded.environment.folder, None);
        assert!(matches!(loaded.environment.manifest, Manifest::None));
    }

    #[test]
    fn manifests_are_taken_in_the_order_of_their_paths() {
        let disk = TableDisk::from_files(&[
            ("/m/b.pp", ""),
            ("/m/a/z.pp", ""),
            ("/m/a.pp", ""),
            ("/m/x.txt", ""),
            ("/m/.h.pp", ""),
        ]);
        let files = Manifest::Path(PathBuf::from("/m")).files(&disk).unwrap();
        assert_eq!(files, ["/m/a.pp", "/m/a/z.pp", "/m/b.pp"].map(PathBuf::from));
        assert_eq!(Manifest::Path("/m/none.pp".into()).files(&disk).unwrap(), [PathBuf::from("/m/none.pp")]);
    }
}
