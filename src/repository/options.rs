//! The options of a repository as plain data: filled in by a command line, a server or a test.
//!
//! Knows neither how an option is written nor how it is checked before it gets here. Paths may be relative to the current
//! folder.

use std::path::PathBuf;

use pantin_base::{Language, Strict};
use pantin_eval::{Builtins, builtins};
pub use pantin_hiera::MissingKey;
pub use pantin_world::facts::{FactChange, FactSource};
use pantin_world::settings::RunMode;

use crate::configuration::Origin;

/// Everything that decides which nodes there are and what their catalogs say.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub world: WorldOptions,
    pub main: MainManifest,
    pub nodes: NodeOptions,
    pub ruby: RubyOptions,
    pub catalogs: CatalogOptions,
    pub functions: FunctionSet,
    /// What these options leave open is looked up in `pantin.toml` and in variables `PANTIN_…` (see
    /// [`configuration`](crate::configuration)).
    pub reads_configuration: bool,
    /// The folder that stored answers are relative to, so that they hold in another checkout [default: the control repository
    /// around the current folder, or else that folder].
    pub root: Option<PathBuf>,
}

/// The functions that are known natively.
#[derive(Clone, Copy)]
pub struct FunctionSet(pub &'static Builtins);

impl Default for FunctionSet {
    fn default() -> FunctionSet {
        FunctionSet(builtins::all())
    }
}

impl std::fmt::Debug for FunctionSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FunctionSet")
    }
}

/// Which environment, and which settings.
#[derive(Clone, Debug, Default)]
pub struct WorldOptions {
    /// The version whose behaviour counts, where it is not the newest.
    pub language: Option<Language>,
    /// The setting `strict`, where it is not the default of the language.
    pub strict: Option<Strict>,
    /// Take `plan` and `apply` as keywords.
    pub tasks: bool,
    /// The environment of nodes that name none.
    pub environment: Option<String>,
    /// Where that name comes from, if nobody has typed it.
    pub environment_origin: Option<Origin>,
    pub folder: EnvironmentFolder,
    /// Folders of environments, divided by colons.
    pub environmentpath: Option<String>,
    /// Folders of modules, divided by colons.
    pub modulepath: Option<String>,
    pub confdir: Option<PathBuf>,
    pub fence: FenceOptions,
    /// Settings with another value, in the order in which they are set.
    pub settings: Vec<(String, String)>,
    /// Whose settings they are.
    pub run_mode: RunMode,
}

/// What code may read of this machine, beside the repository.
#[derive(Clone, Debug, Default)]
pub struct FenceOptions {
    /// Whether there is a fence. `None`: where something runs it that a service for continuous integration has started.
    pub is_on: Option<bool>,
    /// Files and folders that code may read, too.
    pub add: Vec<PathBuf>,
    /// What a person has named with all options; known once these are filled in.
    pub(crate) named: Option<NamedPaths>,
}

/// What a person has named: on the command line, in variables, or in a configuration of their own.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamedPaths {
    /// Folders of code.
    pub(crate) folders: Vec<PathBuf>,
    /// Facts, answers, files about nodes.
    pub(crate) inputs: Vec<PathBuf>,
    /// It is the repository that says where modules are beside the environment's.
    pub(crate) is_basemodulepath_of_repository: bool,
}

/// The folder that is the environment that is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum EnvironmentFolder {
    /// The control repository around the current folder, or else what the settings say.
    #[default]
    Discovered,
    /// This one, whatever it is called.
    At(PathBuf),
    /// A control repository; a folder that is none holds modules.
    OrModules(PathBuf),
}

/// The code that is evaluated first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum MainManifest {
    /// What the environment says.
    #[default]
    Configured,
    /// A manifest, or a folder of them.
    At(PathBuf),
    Code(String),
}

/// What is known of nodes, and who says it.
#[derive(Clone, Debug, Default)]
pub struct NodeOptions {
    /// Where facts come from. Of several sources, each has its own nodes.
    pub facts: Vec<FactSource>,
    /// Facts that are set by hand, for every node.
    pub fact_changes: Vec<FactChange>,
    /// Trusted facts that are set by hand, for every node.
    pub trusted_changes: Vec<FactChange>,
    /// Patterns of classes that are compiled by themselves, each on each set of facts.
    pub classes: Vec<String>,
    /// A file with everything about one node.
    pub node_file: Option<PathBuf>,
    pub enc: EncOptions,
    /// The environment that agents ask for, in place of what their facts say.
    pub agent_environment: Option<String>,
}

/// An external node classifier.
#[derive(Clone, Debug, Default)]
pub struct EncOptions {
    /// Without one, the settings say whether there is a classifier.
    pub command: Option<String>,
    /// Where its answers are kept.
    pub answers: Option<PathBuf>,
    /// Ask again, whatever is kept.
    pub refresh: bool,
}

/// What Ruby code of modules may do.
#[derive(Clone, Debug, Default)]
pub struct RubyOptions {
    /// A Ruby of the person's own, for functions that need more than the small Ruby has.
    pub program: Option<String>,
    /// Files and folders that Ruby code may read beside the usual ones.
    pub reads: Vec<PathBuf>,
}

/// What changes a catalog beside code, data and facts.
#[derive(Clone, Debug, Default)]
pub struct CatalogOptions {
    pub answers: AnswerFile,
    /// What stands for encrypted data without a key, where that is not an error.
    pub missing_key: Option<MissingKey>,
    pub exported: ExportedSource,
    /// The version of the code: it makes catalogs static.
    pub code_id: Option<String>,
    /// Run the environment's `config_version`; otherwise the version of a catalog is the time.
    pub run_config_version: bool,
    /// Whether a resource that the agent would refuse counts as a failure [default: yes].
    pub checks_resources: Option<bool>,
    /// Every walk through a body stays known, and not those alone that serve other nodes: `pantin trace` shows them.
    pub keeps_every_trace: bool,
}

impl CatalogOptions {
    /// Returns true if a resource that the agent would refuse counts as a failure.
    pub fn checks_resources(&self) -> bool {
        self.checks_resources.unwrap_or(true)
    }
}

/// What functions that ask elsewhere would answer.
#[derive(Clone, Debug, Default)]
pub struct AnswerFile {
    pub file: Option<PathBuf>,
    /// Run the commands that have no answer, and add what they print.
    pub record: bool,
}

/// Where the exported resources that nodes collect come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ExportedSource {
    /// There are none; whether collectors look for them the settings say.
    #[default]
    None,
    /// What the other nodes of the same run export.
    Fleet,
    /// PuppetDB's answer to a query for resources.
    File(PathBuf),
}

/// Where answers are stored from one run to the next, and whether.
#[derive(Clone, Debug)]
pub enum CacheOptions {
    /// Nothing is read from a store, and nothing is stored.
    Off,
    /// In the usual place, or in this folder.
    In(Option<PathBuf>),
    /// The same, but nothing is stored.
    ReadOnly(Option<PathBuf>),
}

/// Why a repository cannot be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpenError {
    /// The options contradict each other, or name what cannot be.
    Usage(String),
    /// What they need cannot be had.
    Failed(String),
}

impl From<String> for OpenError {
    fn from(message: String) -> OpenError {
        OpenError::Failed(message)
    }
}

impl std::fmt::Display for OpenError {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (OpenError::Usage(message) | OpenError::Failed(message)) = self;
        to.write_str(message)
    }
}

impl std::error::Error for OpenError {}
