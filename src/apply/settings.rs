//! What a run was asked to do, and the settings that it obeys, as plain data.

use std::path::PathBuf;

use pantin_base::Language;

use crate::log::Level;
use crate::plan::Scope;

/// The way in which a full run reads files before the first resource.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ReadAhead {
    /// On all threads, where there are enough files.
    #[default]
    Usual,
    /// Each file is read in its turn.
    Never,
    /// However few there are. This program is called with `before` and all their paths, and then with `after`: a test disturbs the files
    /// by it.
    Between(PathBuf),
}

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct ApplySettings {
    pub language: Language,
    pub certname: String,
    pub environment: String,
    /// Nothing is changed, unless a resource says `noop => false`.
    pub noop: bool,
    /// Lines below this level are not said.
    pub level: Level,
    pub show_diff: bool,
    /// The setting `diff` and its arguments.
    pub diff: (String, Vec<String>),
    pub tags: Vec<String>,
    pub skip_tags: Vec<String>,
    pub ignore_schedules: bool,
    pub merge_dependency_warnings: bool,
    pub is_evaluation_traced: bool,
    /// All deferred values are resolved before anything is applied, and not each when its resource's turn comes.
    pub preprocess_deferred: bool,
    /// Where the local file bucket lies.
    pub bucket: PathBuf,
    /// The checksum that files are compared by, and kept under, where a resource names none.
    pub digest_algorithm: String,
    /// Where state is kept; nothing is where this is `None`.
    pub state: Option<PathBuf>,
    /// The file of what Puppet keeps of resources, where it is not `state.yaml` among the state.
    pub puppet_state: Option<PathBuf>,
    /// Commands before and behind the run.
    pub prerun_command: String,
    pub postrun_command: String,
    /// What is not looked at for so many seconds is forgotten.
    pub state_lifetime: Option<u64>,
    /// What the catalog is compiled from: an environment and a manifest, a file, a piece of code.
    pub entry: String,
    /// Runs beside another run.
    pub takes_no_lock: bool,
    /// How many seconds another run is waited for.
    pub lock_wait: u64,
    /// Files are read whose stamps are those of the last run, too.
    pub reads_all_files: bool,
    pub read_ahead: ReadAhead,
    /// Which resources the run applies.
    pub scope: Scope,
}

impl ApplySettings {
    /// Puppet's defaults, without a folder for state.
    pub fn new(certname: &str) -> ApplySettings {
        ApplySettings {
            language: Language::default(),
            certname: certname.to_owned(),
            environment: "production".to_owned(),
            noop: false,
            level: Level::Notice,
            show_diff: false,
            diff: ("diff".to_owned(), vec!["-u".to_owned()]),
            tags: Vec::new(),
            skip_tags: Vec::new(),
            ignore_schedules: false,
            merge_dependency_warnings: false,
            is_evaluation_traced: false,
            preprocess_deferred: false,
            bucket: PathBuf::from("/var/cache/puppet/clientbucket"),
            digest_algorithm: "sha256".to_owned(),
            puppet_state: None,
            prerun_command: String::new(),
            postrun_command: String::new(),
            state: None,
            state_lifetime: Some(32 * 86_400),
            entry: String::new(),
            takes_no_lock: false,
            lock_wait: 0,
            reads_all_files: false,
            read_ahead: ReadAhead::default(),
            scope: Scope::default(),
        }
    }
}
