//! Runs a command, with limits on its time and its output.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// How a command ended.
#[derive(Debug)]
pub struct CommandOutput {
    /// None for one that was killed.
    pub code: Option<i32>,
    /// What it said on standard output.
    pub out: Vec<u8>,
    /// What it said on standard error, where somebody listens.
    pub errors: Vec<u8>,
}

/// Why there is no end to tell of.
#[derive(Debug)]
pub enum NotRun {
    NotStarted(io::Error),
    /// It took longer than it may, and was ended.
    TooLong,
    /// It said more than it may, and was ended.
    TooMuch,
}

/// Where what a command says on standard output goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutTo {
    Ours,
    /// Ours is read by a program.
    StandardError,
}

/// Runs a command in a shell and shows what it says; the code with which it ended, if it was not killed.
pub fn run_shown(command: &str, out: OutTo) -> io::Result<Option<i32>> {
    let out = match out {
        OutTo::Ours => Stdio::inherit(),
        OutTo::StandardError => Stdio::from(io::stderr()),
    };
    Ok(Command::new("sh").arg("-c").arg(command).stdin(Stdio::null()).stdout(out).status()?.code())
}

/// Runs a program with arguments, no shell between; it reads nothing, and what it says on standard error is lost.
pub fn run(program: &str, arguments: &[String], time: Duration, most: u64) -> Result<CommandOutput, NotRun> {
    run_with(program, arguments, time, most, Stdio::null())
}

/// The same, with what it says on standard error.
pub fn run_heard(program: &str, arguments: &[String], time: Duration, most: u64) -> Result<CommandOutput, NotRun> {
    run_with(program, arguments, time, most, Stdio::piped())
}

fn run_with(
    program: &str,
    arguments: &[String],
    time: Duration,
    most: u64,
    errors: Stdio,
) -> Result<CommandOutput, NotRun> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stderr(errors);
    run_command(command, Vec::new(), time, most)
}

/// Runs a command whose other streams are set, and which reads `input` if that is not empty.
pub(super) fn run_command(
    mut command: Command,
    input: Vec<u8>,
    time: Duration,
    most: u64,
) -> Result<CommandOutput, NotRun> {
    command.stdout(Stdio::piped());
    if !input.is_empty() {
        command.stdin(Stdio::piped());
    }
    start_group(&mut command);
    let mut child = command.spawn().map_err(NotRun::NotStarted)?;
    if let Some(mut to) = child.stdin.take() {
        // It may print before it has read all. If it does not read, what it says in the end counts.
        thread::spawn(move || drop(to.write_all(&input)));
    }
    let Some(out) = child.stdout.take() else { return Err(NotRun::NotStarted(io::ErrorKind::BrokenPipe.into())) };
    let errors = child.stderr.take().map(|errors| read_in_background(errors, most));
    let waiting = read_in_background(out, most);
    match waiting.recv_timeout(time) {
        Ok(Ok(out)) if out.len() as u64 <= most => {
            let errors = match errors.map(|errors| errors.recv_timeout(time)) {
                None => Vec::new(),
                Some(Ok(Ok(errors))) if errors.len() as u64 <= most => errors,
                Some(_) => {
                    end(&mut child);
                    return Err(NotRun::TooMuch);
                }
            };
            let status = child.wait().map_err(NotRun::NotStarted)?;
            Ok(CommandOutput { code: status.code(), out, errors })
        }
        Ok(Ok(_)) => {
            end(&mut child);
            Err(NotRun::TooMuch)
        }
        Ok(Err(error)) => {
            end(&mut child);
            Err(NotRun::NotStarted(error))
        }
        Err(_) => {
            end(&mut child);
            Err(NotRun::TooLong)
        }
    }
}

/// Returns what comes out of a pipe, but not for ever. Whoever holds the other end may live on: nobody waits for this
/// thread.
fn read_in_background(pipe: impl Read + Send + 'static, most: u64) -> mpsc::Receiver<io::Result<Vec<u8>>> {
    let (done, waiting) = mpsc::channel();
    thread::spawn(move || {
        let mut said = Vec::new();
        let read = pipe.take(most + 1).read_to_end(&mut said);
        done.send(read.map(|_| said))
    });
    waiting
}

/// Has what a command starts in turn ended with it.
pub(super) fn start_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Ends a process, and all that it has started, unless it is called off in time.
pub(super) struct Watchdog {
    call_off: mpsc::Sender<()>,
    has_bitten: Arc<AtomicBool>,
}

impl Watchdog {
    /// `process`: one that is the first of its group.
    pub(super) fn set_on(process: u32, time: Duration) -> Watchdog {
        let (call_off, waiting) = mpsc::channel();
        let has_bitten = Arc::new(AtomicBool::new(false));
        let bites = Arc::clone(&has_bitten);
        thread::spawn(move || {
            if waiting.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout) {
                bites.store(true, Ordering::Release);
                end_group(process);
            }
        });
        Watchdog { call_off, has_bitten }
    }

    /// Returns true if it was too late.
    pub(super) fn call_off(self) -> bool {
        let _ = self.call_off.send(());
        self.has_bitten.load(Ordering::Acquire)
    }
}

fn end_group(process: u32) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = process;
}

/// Ends a command, and all that it has started.
pub(super) fn end(child: &mut Child) {
    end_group(child.id());
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::Stopwatch;

    fn shell(code: &str, time: Duration) -> Result<CommandOutput, NotRun> {
        run("/bin/sh", &["-c".to_owned(), code.to_owned()], time, 1000)
    }

    #[test]
    fn what_it_says_and_how_it_ends() {
        let ran = shell("echo out; echo err >&2; exit 3", Duration::from_secs(30)).unwrap();
        assert_eq!((ran.code, ran.out.as_slice()), (Some(3), &b"out\n"[..]));
        assert_eq!(shell("kill -9 $$", Duration::from_secs(30)).unwrap().code, None);
        assert!(matches!(run("/nowhere", &[], Duration::from_secs(1), 10), Err(NotRun::NotStarted(_))));
    }

    #[test]
    fn one_that_hangs_is_ended_with_all_it_started() {
        let watch = Stopwatch::start();
        assert!(matches!(shell("sleep 60 & sleep 60", Duration::from_millis(200)), Err(NotRun::TooLong)));
        assert!(matches!(shell("yes", Duration::from_secs(30)), Err(NotRun::TooMuch)));
        assert!(watch.elapsed() < Duration::from_secs(20));
    }
}
