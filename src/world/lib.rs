//! Everything from outside: files, folders, facts, settings, commands, the clock, the process environment.
//!
//! The one crate that touches the file system, the clock and the environment. Knows nothing of
//! grammar, of what a file's text means, or of how anything is shown.
//!
//! ```text
//! disk.rs      files and folders as a trait; stamp.rs: by what their states are told apart without reading them
//! tracked/     a disk that puts each question once, knows who asked what, and whether the answers still hold; what would lie in
//!              a folder that is not there is not asked for until the disk is looked at again (`absent.rs`)
//! pipes.rs     what a shell pipes into an argument, held in a file
//! path_names.rs   what else a path is called where links lead to it
//! fenced_disk.rs   a disk on which code sees what it may; fence.rs: what Ruby code of modules may read
//! touched.rs, folders.rs   where something may have happened, and what was filed under paths near to that
//! revision/    a revision of a git repository as a disk, without checking it out
//! new_file.rs  files that are there whole or not at all: written beside their place, and renamed
//! settings/    every setting of both versions with its default, puppet.conf, what one setting makes of others
//! environment/, control_repo.rs   which environments there are, and what a checkout in the usual shape has where
//! module_store.rs   modules of a Puppetfile, each version installed once
//! modules.rs, puppetfile.rs   the modules of a module path, what is wrong with their metadata, what is missing
//! facts/       facts in all the forms in which they are kept; built-in ones of systems that a person does not have
//! answers.rs, command.rs, name_lookup/   what functions would be answered elsewhere, commands that are run, names that are looked up
//! node.rs, enc.rs, node_file.rs   what is known of a node before it is compiled, and who says so
//! exports.rs   resources that other nodes export
//! remark.rs    what reading all that has to say without failing
//! ```
#![allow(clippy::disallowed_methods, reason = "the crate that owns the outside")]

mod answers;
mod clock;
mod command;
mod companion;
mod control_repo;
mod disk;
pub mod enc;
mod entropy;
pub mod environment;
mod exports;
pub mod facts;
mod fence;
mod fenced_disk;
mod file_metadata;
mod files;
mod folders;
mod git;
mod glob;
mod hiera_folders;
mod ini;
mod installed_disk;
pub mod load;
pub mod location;
mod module_checkout;
mod module_store;
pub mod modules;
mod name_lookup;
mod new_file;
pub mod node;
mod node_file;
mod node_reads;
mod path_names;
mod pipes;
mod puppetfile;
mod remark;
mod resident_memory;
mod revision;
pub mod settings;
mod stamp;
mod surroundings;
pub mod table_disk;
mod touched;
mod tracked;
mod values;
mod walk;

pub use answers::{Answers, RecordedAnswer, without_objects};
pub use clock::{Stopwatch, nanoseconds_since_1970, now, thread_time};
pub use command::{CommandOutput, NotRun, OutTo, run, run_heard, run_shown};
pub use companion::{Companion, MARK, Silence};
pub use control_repo::{LocationRules, Locator, is_control_repository, repository_around};
pub use disk::{Disk, Entry, MachineDisk, list_folder};
pub use entropy::entropy;
pub use exports::ExportedResource;
pub use fence::Fence;
pub use fenced_disk::{Breach, FenceRules, FencedDisk};
pub use file_metadata::{FileFacts, own_ids};
pub use files::{Argument, ReadError, inspect_argument, read_file, read_standard_input};
pub use folders::Folders;
pub use git::{git_branches, git_revision, git_top, lock_of_git};
pub use glob::{fnmatch, glob, glob_under, is_pattern};
pub use hiera_folders::missing_data_folders;
pub use installed_disk::{InstalledDisk, ModuleMounts};
pub use location::clean_path;
pub use module_checkout::ModuleCheckout;
pub use module_store::{InstalledModules, ModuleStore};
pub use name_lookup::is_name_lookup;
pub use new_file::{NewFile, remove_file, write_file, write_secret};
pub use node::{NodeClasses, NodeData, Server};
pub use node_file::NodeFile;
pub use node_reads::{NodeRead, NodeReads, NodeVariables, RESERVED_FACTS, Sight};
pub use path_names::PathNames;
pub use pipes::HeldPipes;
pub use puppetfile::{InstalledVersion, Puppetfile, PuppetfileModule, missing_from, other_versions};
pub use remark::Remark;
pub use resident_memory::resident_bytes;
pub use revision::{Commit, Revision, SharedPaths, WorkingCopy, tracked_by_git};
pub use stamp::{Stamp, Stamped};
pub use surroundings::{
    Surroundings, absolute_path, absolute_text, cores, expand_path, is_on_path, limit_threads, process_variable_names,
    real_path, threads,
};
pub use touched::Touched;
pub use tracked::{ChangedLeaf, CheckedDependencies, Dependencies, Leaf, LeafId, LeafKind, Leaves, TrackedDisk};
pub use values::{read_hash, read_value};
pub use walk::{IgnoreRules, Selection, WalkEntry, walk};
