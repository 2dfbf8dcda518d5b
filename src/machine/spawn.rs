//! Starts a command and waits for it.
//!
//! The one place of this crate with `unsafe`: between fork and exec nothing but system calls may happen, and the compiler
//! cannot check that. What happens there is [`prepare_child`], and every call in it is safe after a fork.

use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{self, Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::stat::Mode;
use nix::unistd::{Gid, Uid};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::accounts::{Who, find_user, groups_of};
use crate::process::{Command, Ended, Errors, Locale, Output, SpawnError, Stop};

/// No more output than this is kept.
const OUTPUT_LIMIT: usize = 64 << 20;

/// How long a command has between TERM and KILL.
const GRACE: Duration = Duration::from_secs(2);

/// How often it is asked whether the child has ended.
const STEP: Duration = Duration::from_millis(100);

const LOCALE_VARIABLES: [&str; 9] =
    ["LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE", "LC_COLLATE", "LC_CTYPE", "LC_MONETARY", "LC_NUMERIC", "LC_TIME"];

/// Variables that say who the caller is: a command is not run for them.
const USER_VARIABLES: [&str; 3] = ["HOME", "USER", "LOGNAME"];

/// Runs a command. Reading ends when the child has ended and its pipe is empty for the moment, so that a daemon which keeps
/// the pipe open hangs nothing.
pub(crate) fn run(command: &Command, stop: &Stop) -> Result<Output, SpawnError> {
    let (reader, writer) = io::pipe().map_err(SpawnError::Start)?;
    let mut child = start(command, writer.into()).map_err(SpawnError::Start)?;
    let mut reader: OwnedFd = reader.into();
    feed(&mut child, &command.input);
    let mut text = Text::default();
    let limit = command.time_limit.map(|limit| Instant::now() + limit);
    let mut steps = Steps::default();
    loop {
        let is_over = text.read_available(&mut reader, steps.next()).map_err(SpawnError::Start)?;
        match child.try_wait().map_err(SpawnError::Start)? {
            Some(status) => {
                text.read_rest(&mut reader).map_err(SpawnError::Start)?;
                return Ok(text.output(status));
            }
            None if is_over => std::thread::sleep(Duration::from_millis(1)),
            None => {}
        }
        if stop.signal().is_some() {
            end_group(&mut child);
            return Err(SpawnError::Stopped);
        }
        if limit.is_some_and(|limit| Instant::now() >= limit) {
            end_group(&mut child);
            return Err(SpawnError::TimedOut);
        }
    }
}

/// Waits shortly at first, because most commands are over soon.
#[derive(Default)]
struct Steps(u32);

impl Steps {
    fn next(&mut self) -> Duration {
        self.0 = (self.0 + 1).min(16);
        (Duration::from_micros(500) * self.0 * self.0).min(STEP)
    }
}

fn start(command: &Command, output: OwnedFd) -> io::Result<Child> {
    let mut started = process::Command::new(&command.program);
    started.args(&command.arguments);
    if let Some(name) = &command.called {
        started.arg0(name);
    }
    if let Some(folder) = &command.folder {
        started.current_dir(folder);
    }
    for name in USER_VARIABLES {
        started.env_remove(name);
    }
    if command.locale == Locale::C {
        for name in LOCALE_VARIABLES {
            started.env_remove(name);
        }
        started.env("LANG", "C").env("LC_ALL", "C");
    }
    for (name, value) in &command.environment {
        match value {
            Some(value) => started.env(name, value),
            None => started.env_remove(name),
        };
    }
    started.stdin(if command.input.is_empty() { Stdio::null() } else { Stdio::piped() });
    match command.errors {
        Errors::Combined => started.stderr(output.try_clone()?),
        Errors::Discarded => started.stderr(Stdio::null()),
        Errors::Inherited => started.stderr(Stdio::inherit()),
    };
    started.stdout(output);
    let identity = ChildIdentity::new(command)?;
    let prepare = move || prepare_child(&identity);
    // SAFETY: `prepare_child` allocates nothing, takes no lock and makes system calls alone.
    #[allow(unsafe_code, reason = "the crate's one place, as its documentation says")]
    unsafe {
        started.pre_exec(prepare);
    }
    started.spawn()
}

/// Who the child is, worked out before the fork.
struct ChildIdentity {
    groups: Option<Vec<Gid>>,
    gid: Option<Gid>,
    uid: Option<Uid>,
    umask: Option<Mode>,
}

impl ChildIdentity {
    fn new(command: &Command) -> io::Result<ChildIdentity> {
        let user = match command.user {
            Some(uid) => find_user(Who::Id(uid))?,
            None => None,
        };
        let gid = command.group.or_else(|| user.as_ref().map(|user| user.gid));
        let groups = match (&user, gid) {
            (Some(user), _) => Some(groups_of(&user.name, user.gid)?),
            (None, Some(gid)) => Some(vec![Gid::from_raw(gid)]),
            (None, None) => None,
        };
        Ok(ChildIdentity {
            groups,
            gid: gid.map(Gid::from_raw),
            uid: command.user.map(Uid::from_raw),
            umask: command.umask.map(Mode::from_bits_truncate),
        })
    }
}

/// Runs in the child between fork and exec.
fn prepare_child(identity: &ChildIdentity) -> io::Result<()> {
    nix::unistd::setsid()?;
    if let Some(umask) = identity.umask {
        nix::sys::stat::umask(umask);
    }
    if let Some(groups) = &identity.groups {
        nix::unistd::setgroups(groups)?;
    }
    if let Some(gid) = identity.gid {
        nix::unistd::setgid(gid)?;
    }
    if let Some(uid) = identity.uid {
        nix::unistd::setuid(uid)?;
    }
    Ok(())
}

/// Writes what the child reads. It is short: passwords and tables.
fn feed(child: &mut Child, input: &[u8]) {
    if let Some(mut pipe) = child.stdin.take() {
        // Who does not read its input need not.
        let _ = pipe.write_all(input);
    }
}

/// Ends a command with everything that it started and that stayed in its session's group.
fn end_group(child: &mut Child) {
    let Some(group) = Pid::from_raw(child.id() as i32) else { return };
    let _ = kill_process_group(group, Signal::TERM);
    let until = Instant::now() + GRACE;
    while Instant::now() < until {
        if !matches!(child.try_wait(), Ok(None)) {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = kill_process_group(group, Signal::KILL);
    let _ = child.wait();
}

#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    is_cut: bool,
}

impl Text {
    /// Waits for output and takes what is there. Returns true if no more can come.
    fn read_available(&mut self, pipe: &mut OwnedFd, wait: Duration) -> io::Result<bool> {
        if !is_readable(pipe, wait)? {
            return Ok(false);
        }
        let mut part = [0; 64 << 10];
        let read = rustix::io::retry_on_intr(|| rustix::io::read(pipe.as_fd(), &mut part))?;
        self.keep(&part[..read]);
        Ok(read == 0)
    }

    /// Takes what is there after the end of the child.
    fn read_rest(&mut self, pipe: &mut OwnedFd) -> io::Result<()> {
        while is_readable(pipe, Duration::ZERO)? {
            if self.read_available(pipe, Duration::ZERO)? {
                break;
            }
        }
        Ok(())
    }

    fn keep(&mut self, part: &[u8]) {
        let room = OUTPUT_LIMIT.saturating_sub(self.bytes.len());
        self.is_cut |= part.len() > room;
        self.bytes.extend_from_slice(&part[..part.len().min(room)]);
    }

    fn output(self, status: ExitStatus) -> Output {
        let ended = match status.code() {
            Some(code) => Ended::Code(code),
            None => Ended::Signal(status.signal().unwrap_or_default()),
        };
        Output { ended, text: self.bytes, is_cut: self.is_cut }
    }
}

fn is_readable(pipe: &OwnedFd, wait: Duration) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let timeout = Timespec { tv_sec: wait.as_secs() as i64, tv_nsec: i64::from(wait.subsec_nanos()) };
    let mut fds = [PollFd::new(pipe, PollFlags::IN)];
    match poll(&mut fds, Some(&timeout)) {
        Ok(count) => Ok(count > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
