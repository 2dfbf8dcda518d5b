//! The options that say which environment and which settings: shared by all commands that know a control repository.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use pantin_base::Language;
use pantin_base::limits::MAX_NODE_SECONDS;
use pantin_repository::fenced_machine;
use pantin_repository::options::{EnvironmentFolder, MainManifest, OpenError, Options, WorldOptions};
use pantin_repository::world::World;
use pantin_world::settings::{RunMode, Settings};
use pantin_world::{Disk, MachineDisk, absolute_path, absolute_text, repository_around};

use super::candidates;
use super::fence::FenceArguments;
use super::given_paths::{check_file, check_folder, check_folders};
use super::language::LanguageArguments;

#[derive(Debug, Args)]
#[command(next_help_heading = "Environment")]
pub(crate) struct WorldArguments {
    /// Name of the environment [default: production, or what the settings say]
    #[arg(long, value_name = "NAME", add = candidates::environments())]
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

    /// So many seconds of the processor a node may take [default: 300]; what ends so is not kept, and unknown to diff. The
    /// setting max_steps limits its work in a way that is the same on every machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    node_seconds: Option<u32>,

    #[command(flatten)]
    fence: FenceArguments,

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
    pub(crate) fn settings(&self, disk: Arc<dyn Disk>) -> Result<Settings, OpenError> {
        let mut settings = Settings::new(Language::default(), Arc::clone(&disk));
        let confdir = self.confdir.iter().map(|path| ("confdir", absolute_text(path)));
        let given = self.settings.iter().map(|(name, value)| (name.as_str(), value.clone()));
        for (name, value) in confdir.chain(given) {
            settings.set(name, &value).map_err(OpenError::Usage)?;
        }
        let is_named = settings.is_set("confdir") || settings.is_set("config");
        if is_named || repository_around(&*disk, &absolute_path(Path::new("."))).is_none() {
            settings.read_conf()?;
        }
        Ok(settings)
    }
}

/// Reads `NAME=VALUE`.
pub(crate) fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it has the form NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

impl ManifestArguments {
    pub(crate) fn options(&self) -> MainManifest {
        match (&self.manifest, &self.code) {
            (Some(path), _) => MainManifest::At(path.clone()),
            (None, Some(code)) => MainManifest::Code(code.clone()),
            (None, None) => MainManifest::Configured,
        }
    }

    /// Whether what was typed is there.
    pub(crate) fn check(&self) -> Result<(), OpenError> {
        self.manifest.iter().try_for_each(|manifest| check_file("--manifest", manifest))
    }
}

impl WorldArguments {
    pub(crate) fn modulepath(&self) -> Option<&str> {
        self.modulepath.as_deref()
    }

    /// Returns the name and the folders of an environment that was typed by its name.
    pub(crate) fn named_environment(&self) -> Option<(&str, Option<&str>)> {
        let name = self.environment.as_deref().filter(|_| self.environment_dir.is_none())?;
        Some((name, self.environmentpath.as_deref()))
    }

    /// Returns true if an environment was typed.
    pub(crate) fn names_environment(&self) -> bool {
        self.environment.is_some() || self.environment_dir.is_some()
    }

    pub(crate) fn confdir(&self) -> Option<&Path> {
        self.confdir.as_deref()
    }

    pub(crate) fn settings(&self) -> &[(String, String)] {
        &self.settings
    }

    pub(crate) fn language(&self) -> Option<Language> {
        self.language.language()
    }

    /// Whether what was typed is there.
    pub(crate) fn check(&self) -> Result<(), OpenError> {
        let lists = [("--environmentpath", &self.environmentpath), ("--modulepath", &self.modulepath)];
        for (option, list) in lists {
            list.iter().try_for_each(|list| check_folders(option, list))?;
        }
        self.fence.check()?;
        self.confdir.iter().try_for_each(|folder| check_folder("--confdir", folder))
    }

    pub(crate) fn syntax(&self) -> Result<pantin_syntax::Settings, OpenError> {
        self.language.settings()
    }

    pub(crate) fn options(&self) -> WorldOptions {
        let node_seconds = self.node_seconds.map(|seconds| (MAX_NODE_SECONDS.to_owned(), seconds.to_string()));
        WorldOptions {
            language: self.language.language(),
            strict: self.language.strict(),
            tasks: self.language.tasks(),
            environment: self.environment.clone(),
            environment_origin: None,
            folder: self.environment_dir.clone().map_or(EnvironmentFolder::Discovered, EnvironmentFolder::At),
            environmentpath: self.environmentpath.clone(),
            modulepath: self.modulepath.clone(),
            confdir: self.confdir.clone(),
            fence: self.fence.options(),
            settings: self.settings.iter().cloned().chain(node_seconds).collect(),
            run_mode: RunMode::default(),
        }
    }

    /// The world of a command that has no manifest of its own, where all that was typed is there.
    pub(crate) fn checked_world(&self) -> Result<World, OpenError> {
        self.check()?;
        self.world()
    }

    /// Returns the world of a command that has no manifest of its own.
    pub(crate) fn world(&self) -> Result<World, OpenError> {
        open_world_of(self.options())
    }

    /// The same at a path: a control repository, or else a folder of modules.
    pub(crate) fn world_at(&self, path: Option<&Path>) -> Result<World, OpenError> {
        self.check()?;
        let mut options = self.options();
        if let Some(path) = path {
            options.folder = EnvironmentFolder::OrModules(path.to_owned());
        }
        open_world_of(options)
    }
}

fn open_world_of(world: WorldOptions) -> Result<World, OpenError> {
    let disk = Arc::new(MachineDisk::default());
    let options = Options { world, reads_configuration: true, ..Options::default() }.configured(&*disk)?;
    World::open(fenced_machine(&options), &options.world, &MainManifest::Configured)
}
