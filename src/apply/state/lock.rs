//! The lock of a run: no two runs of Pantin change a machine at once, and none runs beside the agent.

use std::io;
use std::path::Path;
use std::time::Duration;

use pantin_machine::{Change, Lock, Stop, System};

/// How often it is tried again.
const STEP: Duration = Duration::from_millis(500);

/// Why there is no lock.
#[derive(Debug)]
pub(crate) enum LockError {
    /// Another run has it; the message names the file.
    Held(String),
    Io(io::Error),
}

/// Takes the lock in a folder of state, and looks whether the agent runs. Waits so many seconds for either.
pub(crate) fn take(machine: &dyn System, state: &Path, wait: u64, stop: &Stop) -> Result<Lock, LockError> {
    let folder = state.join("pantin");
    make_folder(machine, &folder).map_err(LockError::Io)?;
    let file = folder.join("lock");
    let begin = machine.now();
    loop {
        let holder = match agent_lock(machine, state) {
            Some(holder) => holder,
            None => match machine.lock(&file).map_err(LockError::Io)? {
                Some(lock) => return Ok(lock),
                None => file.display().to_string(),
            },
        };
        if machine.now().seconds_since(begin) >= wait as f64 || stop.signal().is_some() {
            return Err(LockError::Held(format!(
                "Run of Puppet configuration client already in progress; skipping  ({holder} exists)"
            )));
        }
        machine.wait(STEP, stop);
    }
}

/// Returns the agent's own lock, if it names a process that lives.
fn agent_lock(machine: &dyn System, state: &Path) -> Option<String> {
    let file = state.join("agent_catalog_run.lock");
    let text = machine.read(&file, 64).ok()?;
    let process: u32 = String::from_utf8_lossy(&text).trim().parse().ok()?;
    let is_alive = matches!(machine.stat(Path::new(&format!("/proc/{process}")), true), Ok(Some(_)));
    is_alive.then(|| file.display().to_string())
}

pub(crate) fn make_folder(machine: &dyn System, folder: &Path) -> io::Result<()> {
    if machine.stat(folder, true)?.is_some() {
        return Ok(());
    }
    if let Some(above) = folder.parent() {
        make_folder(machine, above)?;
    }
    match machine.change(folder, &Change::Folder(0o700)) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}
