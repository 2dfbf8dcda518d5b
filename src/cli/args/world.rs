//! The options that say which environment and which settings: shared by all commands that know a control repository.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use pantin_base::Language;
use pantin_hiera::MissingKey;
use pantin_repository::query::{Ready, Shelf};
use pantin_ruby::OwnRuby;
use pantin_values::{Digest, Digester};
use pantin_world::environment::{Environment, Environments, Loaded};
use pantin_world::settings::{Settings, from_folder};
use pantin_world::{Disk, MachineDisk, Remark, TrackedDisk, absolute_path, absolute_text, repository_around};

use super::given_paths::{check_file, check_folder, check_folders};
use super::language::LanguageArguments;
use crate::Exit;
use crate::print::console_log::ConsoleLog;

#[derive(Debug, Args)]
#[command(next_help_heading = "Environment")]
pub(crate) struct WorldArguments {
    /// Name of the environment [default: production, or what the settings say]
    #[arg(long, value_name = "NAME")]
    environment: Option<String>,

    /// The folder that is the environment, whatever it is called [default: the control repository around the current
    /// folder]
    #[arg(long, value_name = "DIR")]
    environment_dir: Option<PathBuf>,

    /// Folders of environments, divided by colons
    #[arg(long, value_name = "DIR[:DIR]…", conflicts_with = "environment_dir")]
    environmentpath: Option<String>,

    /// Folders of modules, divided by colons, in place of the environment's
    #[arg(long, value_name = "DIR[:DIR]…")]
    modulepath: Option<String>,

    /// The folder of puppet.conf and of the global hiera.yaml; without it a machine's own count only where its own
    /// environments do
    #[arg(long, value_name = "DIR")]
    confdir: Option<PathBuf>,

    /// Give a setting another value
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,

    #[command(flatten)]
    language: LanguageArguments,
}

/// What is evaluated first, where it is not the environment's own manifest.
#[derive(Debug, Args)]
#[command(next_help_heading = "Environment")]
pub(crate) struct ManifestArguments {
    /// A manifest, or a folder of them, in place of the environment's
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "code")]
    manifest: Option<PathBuf>,

    /// Code in place of the environment's manifest
    #[arg(short = 'e', value_name = "CODE", allow_hyphen_values = true)]
    code: Option<String>,
}

/// The options that say which settings there are, where no environment is asked for.
#[derive(Debug, Args)]
pub(crate) struct SettingArguments {
    /// The folder of puppet.conf [default: a machine's own counts where no control repository is around]
    #[arg(long, value_name = "DIR")]
    confdir: Option<PathBuf>,

    /// Give a setting another value
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
}

impl SettingArguments {
    pub(crate) fn settings(&self, disk: Arc<dyn Disk>) -> Result<Settings, Refused> {
        let mut settings = Settings::new(Language::default(), Arc::clone(&disk));
        let confdir = self.confdir.iter().map(|path| ("confdir", absolute_text(path)));
        let given = self.settings.iter().map(|(name, value)| (name.as_str(), value.clone()));
        for (name, value) in confdir.chain(given) {
            settings.set(name, &value).map_err(Refused::Usage)?;
        }
        let is_named = settings.is_set("confdir") || settings.is_set("config");
        if is_named || repository_around(&*disk, &absolute_path(Path::new("."))).is_none() {
            settings.read_conf()?;
        }
        Ok(settings)
    }
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it has the form NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Why a command does not start.
#[derive(Debug)]
pub(crate) enum Refused {
    /// It was asked for in the wrong way.
    Usage(String),
    /// What it needs cannot be had.
    Wrong(String),
}

impl Refused {
    pub(crate) fn tell(self, console: &ConsoleLog) -> Exit {
        let (message, exit) = match self {
            Refused::Usage(message) => (message, Exit::Failed),
            Refused::Wrong(message) => (message, Exit::Rejected),
        };
        console.complain(&message);
        exit
    }
}

impl From<String> for Refused {
    fn from(message: String) -> Refused {
        Refused::Wrong(message)
    }
}

/// Where environments are.
#[derive(Clone, Debug)]
enum Home {
    /// In the folders of the setting `environmentpath`.
    Path,
    /// The one that is asked for is here, whatever it is called; others are in the path.
    Folder(PathBuf),
    /// The one that is asked for has no folder.
    Nowhere,
}

/// Settings, and the environments that they lead to.
pub(crate) struct World {
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) settings: Settings,
    /// What reading the settings had to say.
    pub(crate) remarks: Vec<Remark>,
    /// The environment that is asked for.
    pub(crate) environment: String,
    /// What stands for encrypted data.
    pub(crate) missing_key: MissingKey,
    /// What runs functions that want more than the small Ruby has.
    pub(crate) own_ruby: Option<Arc<dyn OwnRuby>>,
    /// Something else than manifests says of which classes nodes are.
    pub(crate) has_classifier: bool,
    home: Home,
    /// Environments as they were read last, by their names: as long as one says the same, its nodes share it.
    loaded: Arc<Mutex<BTreeMap<String, Arc<Loaded>>>>,
    /// Every environment is read each time.
    reads_anew: bool,
}

impl ManifestArguments {
    /// Whether what was typed is there.
    pub(crate) fn check(&self) -> Result<(), Refused> {
        self.manifest.iter().try_for_each(|manifest| check_file("--manifest", manifest))
    }
}

impl WorldArguments {
    /// Whether what was typed is there.
    pub(crate) fn check(&self) -> Result<(), Refused> {
        let lists = [("--environmentpath", &self.environmentpath), ("--modulepath", &self.modulepath)];
        for (option, list) in lists {
            list.iter().try_for_each(|list| check_folders(option, list))?;
        }
        self.confdir.iter().try_for_each(|folder| check_folder("--confdir", folder))
    }

    /// The world of a command that has no manifest of its own, where all that was typed is there.
    pub(crate) fn checked_world(&self) -> Result<World, Refused> {
        self.check()?;
        self.world()
    }

    /// The world of a command that has no manifest of its own.
    pub(crate) fn world(&self) -> Result<World, Refused> {
        self.world_on(Arc::new(MachineDisk::default()), &ManifestArguments { manifest: None, code: None })
    }

    /// The same at a path: a control repository, or else a folder of modules.
    pub(crate) fn world_at(&self, path: Option<&Path>) -> Result<World, Refused> {
        let mut world = self.checked_world()?;
        let Some(path) = path else { return Ok(world) };
        let folder = folder_at(&*world.disk, path)?;
        if repository_around(&*world.disk, &folder).as_ref() != Some(&folder) && self.modulepath.is_none() {
            world.settings.set("modulepath", &folder.display().to_string()).map_err(Refused::Usage)?;
        }
        world.home = Home::Folder(folder);
        Ok(world)
    }

    /// What these arguments and those of the manifest say, read from this disk.
    pub(crate) fn world_on(&self, disk: Arc<dyn Disk>, first: &ManifestArguments) -> Result<World, Refused> {
        let mut settings = self.language.world_settings(Arc::clone(&disk)).map_err(Refused::Usage)?;
        let paths = [("confdir", &self.confdir), ("manifest", &first.manifest)];
        let paths = paths.into_iter().filter_map(|(name, path)| Some((name, absolute_text(path.as_deref()?))));
        let texts = [
            ("environment", &self.environment),
            ("environmentpath", &self.environmentpath),
            ("modulepath", &self.modulepath),
        ];
        let texts = texts.into_iter().filter_map(|(name, text)| Some((name, text.clone()?)));
        let given = self.settings.iter().map(|(name, value)| (name.as_str(), value.clone()));
        for (name, value) in paths.chain(texts).chain(given) {
            settings.set(name, &value).map_err(Refused::Usage)?;
        }
        if let Some(code) = &first.code {
            settings.set_code(code);
        }
        let home = self.home(&settings, &*disk)?;
        let is_of_machine = matches!(home, Home::Path) && self.environmentpath.is_none();
        let reads_conf = is_of_machine || settings.is_set("confdir") || settings.is_set("config");
        let remarks = if reads_conf { settings.read_conf()? } else { Vec::new() };
        let environment = settings.text("environment")?;
        Ok(World {
            disk,
            settings,
            remarks,
            environment,
            missing_key: MissingKey::Error,
            own_ruby: None,
            has_classifier: false,
            home,
            loaded: Arc::default(),
            reads_anew: false,
        })
    }

    fn home(&self, settings: &Settings, disk: &dyn Disk) -> Result<Home, Refused> {
        if let Some(folder) = &self.environment_dir {
            return folder_at(disk, folder).map(Home::Folder);
        }
        if ["environmentpath", "confdir", "config"].iter().any(|name| settings.is_set(name)) {
            return Ok(Home::Path);
        }
        if let Some(folder) = repository_around(disk, &absolute_path(Path::new("."))) {
            return Ok(Home::Folder(folder));
        }
        let brings_its_own = ["manifest", "code"].iter().any(|name| settings.is_set(name));
        Ok(if brings_its_own { Home::Nowhere } else { Home::Path })
    }
}

fn folder_at(disk: &dyn Disk, path: &Path) -> Result<PathBuf, Refused> {
    let folder = absolute_path(path);
    if !disk.is_folder(&folder) {
        return Err(Refused::Wrong(format!("the environment {} is no folder", folder.display())));
    }
    Ok(folder)
}

impl World {
    /// The same world, whose environments are read each time from this disk.
    pub(crate) fn on(&self, disk: &TrackedDisk) -> World {
        let disk: Arc<dyn Disk> = Arc::new(disk.clone());
        World {
            settings: self.settings.on(Arc::clone(&disk)),
            disk,
            remarks: self.remarks.clone(),
            environment: self.environment.clone(),
            missing_key: self.missing_key,
            own_ruby: self.own_ruby.clone(),
            has_classifier: self.has_classifier,
            home: self.home.clone(),
            loaded: Arc::clone(&self.loaded),
            reads_anew: true,
        }
    }

    /// What names all that it says before an environment is read. `folder` is named in one way wherever it lies; empty: as
    /// it is.
    pub(crate) fn shape(&self, folder: &str) -> Digest {
        let World { environment, missing_key, home, remarks, .. } = self;
        let rest = format!("{environment:?} {missing_key:?} {home:?} {remarks:?}");
        let mut digester = Digester::new(b"world");
        digester.digest(self.settings.shape(folder)).text(&from_folder(&rest, folder));
        digester.finish()
    }

    /// An environment by its name, read once.
    pub(crate) fn environment(&self, name: &str) -> Result<Arc<Loaded>, String> {
        let loaded = || self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.reads_anew
            && let Some(known) = loaded().get(name)
        {
            return Ok(Arc::clone(known));
        }
        let found = self.read_environment(name)?;
        let mut loaded = loaded();
        if let Some(known) = loaded.get(name).filter(|known| known.shape("") == found.shape("")) {
            return Ok(Arc::clone(known));
        }
        let found = Arc::new(found);
        loaded.insert(name.to_owned(), Arc::clone(&found));
        Ok(found)
    }

    fn read_environment(&self, name: &str) -> Result<Loaded, String> {
        let environments = Environments { settings: &self.settings };
        match &self.home {
            Home::Folder(folder) if name == self.environment => environments.in_folder(name, folder),
            Home::Nowhere if name == self.environment => environments.without_folder(name),
            _ => self.in_path(environments, name),
        }
    }

    /// An environment, ready for its nodes, as far as this disk tells of it.
    pub(crate) fn ready_on(
        &self,
        disk: impl Into<TrackedDisk>,
        environment: &Arc<Environment>,
        runs_version: bool,
        shelf: &Shelf,
    ) -> Result<Ready, String> {
        let ready = Ready::new(&self.settings, disk, environment, runs_version, shelf)?;
        Ok(ready.with_missing_key(self.missing_key).with_own_ruby(self.own_ruby.clone()))
    }

    /// The same for one use, whose catalogs have the time for their version.
    pub(crate) fn ready(&self, environment: &Arc<Environment>) -> Result<Ready, String> {
        self.ready_on(Arc::clone(&self.disk), environment, false, &Shelf::default())
    }

    /// What is to be said of an environment whose manifests are not there.
    pub(crate) fn lack_of_manifests(&self, disk: &dyn Disk, environment: &Environment) -> Option<Remark> {
        environment.lack_of_manifests(disk, !self.has_classifier)
    }

    /// Whether there is something that stores what nodes export.
    pub(crate) fn collects_exported(&self) -> Result<bool, String> {
        self.settings.flag("storeconfigs")
    }

    /// Whether an environment of this name may be looked for: where one folder is all there is, it is the one.
    pub(crate) fn knows(&self, name: &str) -> bool {
        name == self.environment || matches!(self.home, Home::Path)
    }

    fn in_path(&self, environments: Environments<'_>, name: &str) -> Result<Loaded, String> {
        let found = environments.named(name)?;
        // The real one would go on with an environment in which there is nothing at all.
        let is_empty = found.environment.folder.is_none() && !self.settings.is_set("environmentpath");
        let brings_its_own = ["manifest", "code"].iter().any(|name| self.settings.is_set(name));
        if is_empty && !brings_its_own {
            return Err(format!(
                "there is no control repository around this folder (a folder with an environment.conf, a Puppetfile, or \
                 manifests beside modules, site, data or hiera.yaml), and no environment '{name}' in {}; \
                 --environment-dir names one",
                self.settings.text("environmentpath")?
            ));
        }
        Ok(found)
    }
}
