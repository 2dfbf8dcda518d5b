//! What the two sides of a comparison are: a revision of git, the working tree, a folder, saved catalogs; and how each is opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_world::{
    Commit, Disk, InstalledDisk, MachineDisk, Puppetfile, Revision, SharedPaths, WorkingCopy, absolute_path,
    clean_path, is_control_repository,
};

use super::installation::{InstalledSide, SideModules};
use super::modules::{UninstalledModule, uninstalled_modules};
use super::review::{ChangedInputs, changed_classifier, changed_inputs};
use super::saved::SavedCatalogs;
use super::saved_systems::SavedSystems;
use super::side::Side;
use crate::Repository;
use crate::configuration::Configuration;
use crate::options::{CacheOptions, EnvironmentFolder, ExportedSource, FactSource, OpenError, Options};
use crate::timings::Timings;

/// What a side is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A commit, and how many files of the working copy it does not have because nobody has committed them.
    Revision {
        commit: Commit,
        untracked: usize,
    },
    /// The files as they are now; `head`: what is checked out.
    WorkingTree {
        head: Option<Commit>,
    },
    Folder(PathBuf),
    Saved(PathBuf),
}

/// A side that was opened.
#[derive(Debug)]
pub struct OpenedSide {
    pub side: Side,
    pub origin: Origin,
    /// What somebody who reads the comparison should know.
    pub remarks: Vec<String>,
    /// What it names otherwise than the other side, and was not compiled with.
    pub modules: Vec<UninstalledModule>,
    /// What the side's own `pantin.toml` says, with what a person has configured; or why it cannot be read. `None`: it has none.
    pub configuration: Option<Result<Configuration, OpenError>>,
    /// Facts, and what else both sides are to have alike, that the other side has otherwise.
    pub changed_inputs: Vec<String>,
}

/// The names that a person gives to both sides; by default where the main branch was left, and the working tree.
pub struct SideNames<'a> {
    pub from: Option<&'a str>,
    pub to: Option<&'a str>,
    pub inputs: SideInputs,
}

/// Where facts, and what is recorded, come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SideInputs {
    /// From the second side, for both: they are no part of what changes.
    Shared,
    /// Each side has its own, as far as it has any.
    OfEachSide,
}

/// Opens both sides, each with options and modules of its own.
pub fn open_sides(
    names: &SideNames<'_>,
    options: [&Options; 2],
    modules: &SideModules,
    cache: &CacheOptions,
) -> Result<[OpenedSide; 2], OpenError> {
    let from = match names.from {
        Some(name) => Named::find(name, options[0])?,
        None if names.to.is_none() && !options[0].is_like(options[1]) => Named::WorkingTree,
        None => Named::Commit(working_copy(options[0])?.base().map_err(OpenError::Usage)?),
    };
    let to = names.to.map_or(Ok(Named::WorkingTree), |name| Named::find(name, options[1]))?;
    let (old, new) = (from.disk(options[0], names.inputs)?, to.disk(options[1], names.inputs)?);
    let differing = old.differing.iter().chain(&new.differing).cloned().collect();
    let ChangedInputs { changes: changed_inputs, files_of_from } =
        changed_inputs(differing, &fact_sources(options[0]), [&*old.disk, &*new.disk]);
    let mut shared_paths = input_paths(options[0]);
    if names.inputs == SideInputs::OfEachSide {
        shared_paths.retain(|path| !old.disk.exists(path));
    }
    let shared = SharedPaths {
        own: Arc::clone(&old.disk),
        shared: Arc::clone(&new.disk),
        paths: shared_paths,
        own_files: files_of_from,
    };
    let lack = (matches!(to, Named::WorkingTree) && old.left_out > 0).then(|| match old.left_out {
        1 => "the sparse checkout leaves out 1 file: the working tree does not have it".to_owned(),
        count => format!("the sparse checkout leaves out {count} files: the working tree does not have them"),
    });
    let old = SideDisk { disk: Arc::new(shared), ..old };
    let [own, others] = modules.sides.each_ref().map(Option::as_ref);
    let mut other = to.open(new.with(others), &with_modulepath(options[1], others), cache)?;
    let mut one = from.open(old.with(own), &with_modulepath(options[0], own), cache)?;
    one.remarks.extend(lack);
    one.changed_inputs = changed_inputs;
    one.changed_inputs.extend(changed_classifier([&one.side, &other.side]));
    [one.modules, other.modules] = uninstalled_modules(&one.side, &other.side);
    for (opened, installed) in [(&mut one, own), (&mut other, others)] {
        opened.modules.retain(|module| !installed.is_some_and(|side| side.has(&module.name)));
    }
    Ok([one, other])
}

impl Options {
    /// Returns true if both say the same of everything that a side may have of its own.
    fn is_like(&self, other: &Options) -> bool {
        self.world.language == other.world.language
            && self.world.modulepath == other.world.modulepath
            && self.nodes.facts == other.nodes.facts
    }
}

/// A side that was found, and not opened yet.
enum Named {
    WorkingTree,
    Commit(Commit),
    Path(PathBuf),
}

/// Returns the folder in which somebody works.
fn home(options: &Options) -> PathBuf {
    match &options.world.folder {
        EnvironmentFolder::At(folder) | EnvironmentFolder::OrModules(folder) => absolute_path(folder),
        EnvironmentFolder::Discovered => absolute_path(Path::new(".")),
    }
}

fn working_copy(options: &Options) -> Result<WorkingCopy, OpenError> {
    WorkingCopy::around(&home(options)).map_err(OpenError::Usage)
}

impl Named {
    /// A revision of git, unless the name is written as a path or no revision is called so.
    fn find(name: &str, options: &Options) -> Result<Named, OpenError> {
        let is_path = name.starts_with(['.', '/']) || name.ends_with('/');
        let copy = || WorkingCopy::around(&home(options)).ok();
        if !is_path && let Some(commit) = copy().and_then(|copy| copy.commit(name)) {
            return Ok(Named::Commit(commit));
        }
        let path = absolute_path(Path::new(name));
        if MachineDisk::default().exists(&path) {
            return Ok(Named::Path(path));
        }
        Err(OpenError::Usage(match copy() {
            _ if is_path => format!("{name} is not there"),
            Some(copy) if copy.is_shallow() => format!(
                "{name} is neither a revision that git knows nor a path; not all of the history was fetched: \
                 git fetch --unshallow fetches it"
            ),
            Some(_) => format!("{name} is neither a revision that git knows nor a path"),
            None => format!("{name} is not there, and no git repository is around {}", home(options).display()),
        }))
    }

    /// Returns the files of the side.
    fn disk(&self, options: &Options, inputs: SideInputs) -> Result<SideDisk, OpenError> {
        let Named::Commit(commit) = self else {
            return Ok(SideDisk {
                disk: Arc::new(MachineDisk::default()),
                remarks: Vec::new(),
                untracked: 0,
                left_out: 0,
                differing: Vec::new(),
            });
        };
        let input_paths = input_paths(options);
        let copy = working_copy(options)?;
        let mut shared = installed_modules(options, &copy);
        if inputs == SideInputs::Shared {
            shared.extend(input_paths.iter().cloned());
        }
        let revision = copy.revision(commit.clone(), &shared).map_err(OpenError::Failed)?;
        Ok(SideDisk {
            disk: revision.disk(),
            remarks: remarks_on(&revision),
            untracked: revision.untracked,
            left_out: revision.left_out,
            differing: revision.differing_below(&input_paths),
        })
    }

    fn open(self, side: SideDisk, options: &Options, cache: &CacheOptions) -> Result<OpenedSide, OpenError> {
        let SideDisk { disk, remarks, untracked, .. } = side;
        match self {
            Named::WorkingTree => {
                let head = working_copy(options).ok().and_then(|copy| copy.commit("HEAD"));
                open_repository(disk, options, cache, Origin::WorkingTree { head }, remarks)
            }
            Named::Commit(commit) => {
                open_repository(disk, options, cache, Origin::Revision { commit, untracked }, remarks)
            }
            Named::Path(path) if is_saved(&path) => {
                let systems = saved_systems(&configured(options))?;
                let saved = SavedCatalogs::read(&MachineDisk::default(), &path, systems.as_ref());
                let saved = saved.map_err(OpenError::Failed)?;
                let remarks = [remarks, saved.remarks.clone()].concat();
                Ok(OpenedSide {
                    side: Side::from_saved(saved),
                    origin: Origin::Saved(path),
                    remarks,
                    modules: Vec::new(),
                    configuration: None,
                    changed_inputs: Vec::new(),
                })
            }
            Named::Path(path) => {
                let mut options = options.clone();
                options.world.folder = EnvironmentFolder::At(path.clone());
                options.root = Some(path.clone());
                open_repository(disk, &options, cache, Origin::Folder(path), remarks)
            }
        }
    }
}

/// The files of a side, before anything is read of them.
#[derive(Clone)]
struct SideDisk {
    disk: Arc<dyn Disk>,
    remarks: Vec<String>,
    untracked: usize,
    left_out: usize,
    /// Paths of facts, and of what else both sides are to have alike, that the working copy has otherwise.
    differing: Vec<PathBuf>,
}

impl SideDisk {
    /// Returns the files of a side with the modules that it names.
    fn with(self, installed: Option<&InstalledSide>) -> SideDisk {
        match installed {
            Some(side) => SideDisk { disk: Arc::new(InstalledDisk::new(self.disk, side.mounts.clone())), ..self },
            None => self,
        }
    }
}

fn with_modulepath(options: &Options, installed: Option<&InstalledSide>) -> Options {
    let mut options = options.clone();
    if let Some(path) = installed.and_then(|side| side.modulepath.as_ref()) {
        options.world.modulepath = Some(path.clone());
    }
    options
}

/// Returns what is known of the nodes of saved catalogs; `None`: their resources are not checked.
fn saved_systems(options: &Options) -> Result<Option<SavedSystems>, OpenError> {
    let language = options.world.language.unwrap_or_default();
    let read = || SavedSystems::read(&MachineDisk::default(), &options.nodes, language, false);
    options.catalogs.checks_resources().then(read).transpose()
}

/// A file, or a folder that holds catalogs and is nothing else.
fn is_saved(path: &Path) -> bool {
    let disk = MachineDisk::default();
    if !disk.is_folder(path) {
        return true;
    }
    let entries = disk.list(path).ok().flatten().unwrap_or_default();
    let has_json = entries.iter().any(|entry| Path::new(&entry.name).extension().is_some_and(|it| it == "json"));
    has_json && !is_control_repository(&disk, path) && !disk.exists(&path.join("metadata.json"))
}

fn open_repository(
    disk: Arc<dyn Disk>,
    options: &Options,
    cache: &CacheOptions,
    origin: Origin,
    remarks: Vec<String>,
) -> Result<OpenedSide, OpenError> {
    let configuration = options.configuration(&*disk).transpose();
    let repository = Repository::open_on(disk, options, cache, Timings::none())?;
    if let Some(reason) = repository.compiler.world.lack_of_code() {
        return Err(OpenError::Usage(reason));
    }
    Ok(OpenedSide {
        side: Side::from_repository(repository),
        origin,
        remarks,
        modules: Vec::new(),
        configuration,
        changed_inputs: Vec::new(),
    })
}

fn remarks_on(revision: &Revision) -> Vec<String> {
    let submodules = revision
        .empty_submodules
        .iter()
        .map(|path| format!("the submodule {} is not checked out: neither side has its files", path.display()));
    submodules.collect()
}

fn configured(options: &Options) -> Options {
    options.configured(&MachineDisk::default()).unwrap_or_else(|_| options.clone())
}

/// Returns the files and folders that facts are taken from.
fn fact_sources(options: &Options) -> Vec<PathBuf> {
    let paths = configured(options).nodes.facts.into_iter().filter_map(|source| match source {
        FactSource::At(path) => Some(absolute_path(&path)),
        FactSource::OperatingSystem(_) | FactSource::Known(..) => None,
    });
    paths.collect()
}

/// Where facts are, and what else is known of nodes or was recorded.
fn input_paths(options: &Options) -> Vec<PathBuf> {
    let facts = fact_sources(options);
    let options = configured(options);
    let exported = match &options.catalogs.exported {
        ExportedSource::File(file) => Some(file),
        ExportedSource::None | ExportedSource::Fleet => None,
    };
    let named = facts
        .iter()
        .chain(&options.nodes.node_file)
        .chain(&options.nodes.enc.answers)
        .chain(&options.catalogs.answers.file)
        .chain(exported)
        .chain(&options.ruby.reads);
    named.map(|path| absolute_path(path)).collect()
}

/// Returns the modules that are installed by the Puppetfile, and the same in all revisions, if git does not know them: those that it
/// names, and all in the folder where it installs them, if git knows nothing there.
fn installed_modules(options: &Options, copy: &WorkingCopy) -> Vec<PathBuf> {
    let folder = home(options);
    let Some(bytes) = MachineDisk::default().read(&folder.join("Puppetfile")).ok().flatten() else { return Vec::new() };
    let listed = Puppetfile::parse(&String::from_utf8_lossy(&bytes));
    let all = clean_path(&folder.join(&listed.module_folder)).into_owned();
    let is_installed = !copy.knows_any_in(&all);
    listed.module_folders(&folder).chain(is_installed.then_some(all)).collect()
}
