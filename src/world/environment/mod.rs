//! An environment: where its code stands, and the settings that are its own.

mod conf;
mod defined;
mod loader;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pantin_base::limits;
use pantin_values::{Digest, Digester, Digestible, Hash};

use super::settings::{add_value, from_folder};
use super::{CommandOutput, Disk, Entry, ModuleCheckout, NotRun, ReadError, Remark, glob_under, run};
pub use conf::{IgnoredNames, OF_ENVIRONMENT, names_in_conf};
pub use loader::{Environments, is_name, not_found};

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

/// An environment, and what is to be said of it.
#[derive(Debug)]
pub struct LoadedEnvironment {
    pub environment: Arc<Environment>,
    pub remarks: Vec<Remark>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;
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
