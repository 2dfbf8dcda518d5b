//! What is remembered from one run to the next.

mod applied;
mod digest;
mod lock;
mod puppet_state;
mod record;
mod table;

pub(crate) use applied::{Applied, RunEnd, TableAccess};
pub(crate) use digest::digest;
pub(crate) use lock::{LockError, take as take_lock};
pub(crate) use puppet_state::{MachineState, ResourceState, StateFile};
pub(crate) use record::{Entry, LeftState, Outcome, Row};
pub(crate) use table::{LARGEST, read_table, write_table};
