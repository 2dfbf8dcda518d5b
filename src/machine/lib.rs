//! The door to a machine. Everything that looks at a machine goes through [`Reading`], everything that changes it through
//! [`System`]; so a test can be that machine, and a run that must not change anything has a door that cannot.
//!
//! Must not know Puppet.
#![allow(
    clippy::disallowed_methods,
    reason = "the room of files, processes and the clock of a machine that is managed"
)]

mod accounts;
mod atomic_file;
mod faulty;
mod hardware;
mod held_path;
mod isolated_root;
mod leftover;
mod memory;
mod process;
mod query;
mod read_only;
mod real;
mod spawn;
mod system;
mod time;
mod user_thread;
mod zone;

pub use accounts::{Group, User, Who};
pub use faulty::{DiskError, Fault, FaultyMachine};
pub use hardware::{FileSystemSize, InterfaceAddress, Kernel, NetworkInterface};
pub use isolated_root::IsolatedRoot;
pub use leftover::{remove_all_leftovers, remove_leftovers};
pub use memory::{InMemory, Program};
pub use process::{Command, Ended, Errors, Locale, Output, SpawnError, Stop};
pub use query::{SystemQuery, command_line};
pub use read_only::ReadOnly;
pub use real::RealSystem;
pub use system::{Change, FileCheck, FileKind, FileStat, Lock, NewFile, Reading, Stamp, System, UserWork};
pub use time::{Date, Time};
