//! The fence around a repository: what its code may read on this machine.
//!
//! Whoever opens a pull request writes the code, and a file `pantin.toml` beside it, but neither options nor a person's own
//! configuration. So what these name may be read, and what the repository names may be read if it lies within.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use pantin_world::settings::Settings;
use pantin_world::{
    Breach, Disk, FenceRules, FencedDisk, MachineDisk, ModuleCheckout, absolute_path, expand_path, git_top, real_path,
    repository_around,
};

use crate::configuration::{Configuration, Key, Origin};
use crate::options::{
    EnvironmentFolder, ExportedSource, FactSource, FenceOptions, MainManifest, NamedPaths, OpenError, Options,
};
use crate::persist::key_file;
use crate::world::World;

/// Settings whose values are folders of code, divided by colons.
const FOLDER_SETTINGS: [&str; 3] = ["basemodulepath", "environmentpath", "modulepath"];

/// Settings whose values are files.
const FILE_SETTINGS: [&str; 4] = ["config", "hiera_config", "manifest", "ruby_reads"];

/// What code of this process may read.
static RULES: OnceLock<FenceRules> = OnceLock::new();

/// Returns the content of a file that a message names, to be shown: what code may not read, it may not have shown
/// either. `None`: it cannot be read, or nothing is open.
pub fn read_to_show(file: &Path) -> Option<Vec<u8>> {
    FencedDisk::new(Arc::new(MachineDisk::default()), RULES.get()?.clone()).read(file).ok().flatten()
}

/// Returns a disk within the fence of these options, which are filled in; and the name of the fence in keys of stored
/// answers, for answers that are relative to `root`.
pub(crate) fn fenced(disk: Arc<dyn Disk>, options: &Options, root: &Path) -> (Arc<dyn Disk>, String) {
    let rules = rules(&disk, options);
    // Both sides of a comparison have the same.
    let _ = RULES.set(rules.clone());
    let name = rules.name_from(root);
    (Arc::new(FencedDisk::new(disk, rules)), name)
}

/// Returns the disk of the machine within the fence of these options, which are filled in.
pub fn fenced_machine(options: &Options) -> Arc<dyn Disk> {
    fenced(Arc::new(MachineDisk::default()), options, Path::new("")).0
}

/// Returns why a file that was typed may not be read: it is a link in the repository that leads away. What a person
/// names elsewhere may.
pub fn breach_of_typed_file(options: &Options, file: &Path) -> Result<Option<Breach>, OpenError> {
    let disk = MachineDisk::default();
    let mut options = options.configured(&disk)?;
    if !options.world.fence.is_on() {
        return Ok(None);
    }
    let file = absolute_path(file);
    if let Some(named) = &mut options.world.fence.named {
        named.inputs.push(file.clone());
    }
    let disk: Arc<dyn Disk> = Arc::new(disk);
    let rules = rules(&disk, &options);
    Ok(FencedDisk::new(disk, rules).breach(&file))
}

/// Refuses options that run programs which no fence can hold.
pub(crate) fn check(options: &Options) -> Result<(), OpenError> {
    if !options.world.fence.is_on() {
        return Ok(());
    }
    let open_doors = [
        (options.ruby.program.is_some(), "--ruby runs functions of modules"),
        (options.catalogs.answers.record, "--record runs commands that code names"),
        (options.catalogs.run_config_version, "--run-config-version runs a command of the environment"),
    ];
    match open_doors.into_iter().find(|(is_open, _)| *is_open) {
        Some((_, what)) => Err(OpenError::Usage(format!(
            "{what} with all your rights, which no fence can hold: --no-fence says that you trust the code"
        ))),
        None => Ok(()),
    }
}

impl FenceOptions {
    pub fn new(is_on: Option<bool>, add: Vec<PathBuf>) -> FenceOptions {
        FenceOptions { is_on, add, named: None }
    }

    pub fn is_on(&self) -> bool {
        self.is_on == Some(true)
    }

    /// Fills in what the configuration says; of `typed` options a person has named all paths.
    pub(crate) fn fill(&mut self, typed: &Options, configuration: Option<&Configuration>) {
        if self.named.is_some() {
            return;
        }
        if let Some(configuration) = configuration {
            let said = configuration.texts(Key::Fence).first().map(|word| word == "on");
            self.is_on = self.is_on.or(said).or(Some(configuration.is_in_ci));
        }
        let mut named = typed.named_paths();
        if let Some(configuration) = configuration {
            named.add_configured(configuration);
        }
        self.named = Some(named);
    }
}

impl NamedPaths {
    fn add_configured(&mut self, configuration: &Configuration) {
        self.inputs.extend(configuration.own_file.clone());
        let is_persons = |key: Key| {
            configuration.get(key).is_some_and(|value| match &value.origin {
                Origin::Variable(_) => true,
                Origin::File { path, .. } => Some(path) == configuration.own_file.as_ref(),
            })
        };
        let paths = |key: Key| {
            let texts = if is_persons(key) { configuration.texts(key) } else { &[] };
            texts.iter().map(|text| PathBuf::from(expand_path(text)))
        };
        for key in [Key::Facts, Key::Answers, Key::Exported, Key::EncAnswers, Key::RubyReads, Key::FenceAdd] {
            self.inputs.extend(paths(key));
        }
        for key in [Key::Modulepath, Key::Basemodulepath] {
            self.folders.extend(paths(key));
        }
        self.is_basemodulepath_of_repository =
            configuration.get(Key::Basemodulepath).is_some() && !is_persons(Key::Basemodulepath);
    }

    fn add_setting(&mut self, name: &str, value: &str) {
        let paths = value.split(':').filter(|path| !path.is_empty()).map(|path| PathBuf::from(expand_path(path)));
        if FOLDER_SETTINGS.contains(&name) {
            self.folders.extend(paths);
        } else if FILE_SETTINGS.contains(&name) {
            self.inputs.extend(paths);
        }
    }
}

impl Options {
    fn named_paths(&self) -> NamedPaths {
        let Options { world, main, nodes, ruby, catalogs, .. } = self;
        let facts = nodes.facts.iter().filter_map(|source| match source {
            FactSource::At(path) => Some(path),
            FactSource::OperatingSystem(_) | FactSource::Known(..) => None,
        });
        let exported = match &catalogs.exported {
            ExportedSource::File(file) => Some(file),
            ExportedSource::None | ExportedSource::Fleet => None,
        };
        let manifest = match main {
            MainManifest::At(path) => Some(path),
            MainManifest::Configured | MainManifest::Code(_) => None,
        };
        let inputs = facts.chain(&nodes.node_file).chain(&nodes.enc.answers).chain(&catalogs.answers.file);
        let inputs = inputs.chain(exported).chain(manifest).chain(&ruby.reads).chain(&world.fence.add);
        let mut named =
            NamedPaths { inputs: inputs.map(|path| absolute_path(path)).collect(), ..NamedPaths::default() };
        let paths = [("environmentpath", &world.environmentpath), ("modulepath", &world.modulepath)];
        let paths = paths.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
        let settings = world.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        paths.chain(settings).for_each(|(name, value)| named.add_setting(name, value));
        named
    }
}

fn rules(disk: &Arc<dyn Disk>, options: &Options) -> FenceRules {
    let machine = MachineDisk::default();
    let refused: Vec<PathBuf> = key_file(&machine).into_iter().collect();
    let fence = &options.world.fence;
    if !fence.is_on() {
        return FenceRules::without_fence(&refused);
    }
    let repository = repository(&machine, options);
    let mut named = fence.named.clone().unwrap_or_else(|| options.named_paths());
    // What is wrong with settings is said by whoever opens them within the fence.
    if let Ok(world) = World::open(Arc::clone(disk), &options.world, &options.main) {
        add_settings(&mut named, &world, repository.as_deref());
    }
    FenceRules::around(repository.as_deref(), &named.folders, &named.inputs, &refused)
}

/// Adds what settings name that a person has set, or that are as Puppet has them.
fn add_settings(named: &mut NamedPaths, world: &World, repository: Option<&Path>) {
    let text = |name: &str| Settings::text(&world.settings, name).unwrap_or_default();
    let conf = real_path(Path::new(&text("config")));
    if conf.is_some_and(|conf| repository.is_some_and(|repository| conf.starts_with(repository))) {
        return;
    }
    for name in FILE_SETTINGS.iter().filter(|name| **name != "manifest") {
        named.add_setting(name, &text(name));
    }
    if !named.is_basemodulepath_of_repository {
        named.add_setting("basemodulepath", &text("basemodulepath"));
    }
    if world.is_in_environmentpath() {
        named.add_setting("environmentpath", &text("environmentpath"));
    }
}

/// Returns the folder of the repository, without links: that of git, else that of the environment or of the module.
fn repository(disk: &MachineDisk, options: &Options) -> Option<PathBuf> {
    let (folder, is_named) = match &options.world.folder {
        EnvironmentFolder::At(folder) | EnvironmentFolder::OrModules(folder) => (absolute_path(folder), true),
        EnvironmentFolder::Discovered => (absolute_path(Path::new(".")), false),
    };
    let folder = real_path(&folder).unwrap_or(folder);
    let own = || repository_around(disk, &folder).or_else(|| Some(ModuleCheckout::around(disk, &folder)?.folder));
    let top = git_top(disk, &folder).or_else(own).or_else(|| is_named.then(|| folder.clone()));
    // A fence around everything is none.
    top.filter(|top| top.parent().is_some())
}

/// Variables that services for continuous integration set.
const OF_SERVICES: [&str; 4] = ["CI", "GITHUB_ACTIONS", "GITLAB_CI", "JENKINS_URL"];

/// Returns true if a service for continuous integration has started this process.
pub(crate) fn is_in_ci(disk: &dyn Disk) -> bool {
    let says_so = |value: &str| !matches!(value.to_ascii_lowercase().as_str(), "" | "0" | "false" | "no" | "off");
    OF_SERVICES.iter().any(|name| disk.process_variable(name).is_some_and(|value| says_so(value.trim())))
}
