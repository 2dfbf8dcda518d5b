//! A process that stays alive and exchanges messages of bytes, each within a time and a size limit.
//!
//! A message is framed by a mark and its length, both ways, so that whatever else a program says is noticed. Knows
//! nothing of what the messages say.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::command::end;

/// What each message begins with; its length follows, as four bytes.
pub const MARK: [u8; 4] = *b"\x01pb\n";

/// How much of what it says on standard error is remembered: the end of it.
const REMEMBERED: usize = 500;

/// How long it is waited for the last words of one that has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

pub struct Companion {
    child: Child,
    messages: Sender<Vec<u8>>,
    answers: Receiver<Result<Vec<u8>, Silence>>,
    murmur: Arc<Mutex<VecDeque<u8>>>,
    /// Says that nothing more will come on standard error.
    murmured: Receiver<()>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Silence {
    /// It took longer than it may.
    TooLong,
    /// It says more than it may: so many bytes.
    TooMuch(u64),
    /// What it says is no message.
    Garbled,
    /// It has ended. What it said on standard error before.
    Ended(String),
}

impl Companion {
    /// Starts it; an answer of it may have `most` bytes.
    pub fn start(program: &str, arguments: &[&str], most: u64) -> io::Result<Companion> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // What it starts in turn is ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(to), Some(from), Some(murmurs)) = pipes else { return Err(io::ErrorKind::BrokenPipe.into()) };
        let (messages, to_send) = mpsc::channel();
        let (heard, answers) = mpsc::channel();
        // Nobody waits for these threads: they end when its pipes do.
        thread::spawn(move || talk(to, from, &to_send, &heard, most));
        let murmur = Arc::new(Mutex::new(VecDeque::new()));
        let (done, murmured) = mpsc::channel();
        let remembered = Arc::clone(&murmur);
        thread::spawn(move || {
            remember(murmurs, &remembered);
            done.send(())
        });
        Ok(Companion { child, messages, answers, murmur, murmured })
    }

    /// Sends a message and waits for what it answers. After a silence there is nobody to talk with any more.
    pub fn exchange(&mut self, message: Vec<u8>, time: Duration) -> Result<Vec<u8>, Silence> {
        if self.messages.send(message).is_err() {
            return Err(Silence::Ended(String::new()));
        }
        let answer = match self.answers.recv_timeout(time) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout) => Err(Silence::TooLong),
            Err(RecvTimeoutError::Disconnected) => Err(Silence::Ended(String::new())),
        };
        match answer {
            Err(Silence::Ended(_)) => {
                let _ = self.murmured.recv_timeout(LAST_WORDS);
                Err(Silence::Ended(self.last_words()))
            }
            answer => answer,
        }
    }

    fn last_words(&self) -> String {
        let murmur = self.murmur.lock().unwrap_or_else(PoisonError::into_inner);
        let (front, back) = murmur.as_slices();
        String::from_utf8_lossy(&[front, back].concat()).trim().to_owned()
    }
}

impl Drop for Companion {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

fn talk(
    mut to: ChildStdin,
    mut from: ChildStdout,
    to_send: &Receiver<Vec<u8>>,
    heard: &Sender<Result<Vec<u8>, Silence>>,
    most: u64,
) {
    for message in to_send {
        let answer = match send(&mut to, &message) {
            Ok(()) => receive(&mut from, most),
            Err(_) => Err(Silence::Ended(String::new())),
        };
        let is_over = answer.is_err();
        if heard.send(answer).is_err() || is_over {
            return;
        }
    }
}

fn send(to: &mut ChildStdin, message: &[u8]) -> io::Result<()> {
    let length = u32::try_from(message.len()).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
    to.write_all(&MARK)?;
    to.write_all(&length.to_be_bytes())?;
    to.write_all(message)?;
    to.flush()
}

fn receive(from: &mut ChildStdout, most: u64) -> Result<Vec<u8>, Silence> {
    let ended = |_| Silence::Ended(String::new());
    let mut mark = [0; 4];
    from.read_exact(&mut mark).map_err(ended)?;
    if mark != MARK {
        return Err(Silence::Garbled);
    }
    let mut length = [0; 4];
    from.read_exact(&mut length).map_err(ended)?;
    let length = u64::from(u32::from_be_bytes(length));
    if length > most {
        return Err(Silence::TooMuch(length));
    }
    // It grows with what comes: a length alone takes no memory.
    let mut message = Vec::new();
    from.take(length).read_to_end(&mut message).map_err(ended)?;
    if (message.len() as u64) < length { Err(Silence::Ended(String::new())) } else { Ok(message) }
}

fn remember(mut from: impl Read, murmur: &Mutex<VecDeque<u8>>) {
    let mut part = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut part) {
        let mut murmur = murmur.lock().unwrap_or_else(PoisonError::into_inner);
        murmur.extend(&part[..count]);
        let surplus = murmur.len().saturating_sub(REMEMBERED);
        murmur.drain(..surplus);
    }
}

impl std::fmt::Debug for Companion {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Companion").field("process", &self.child.id()).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(30);

    fn shell(code: &str) -> Companion {
        Companion::start("/bin/sh", &["-c", code], 1000).unwrap()
    }

    #[test]
    fn a_message_goes_and_one_comes() {
        // What says everything back says the frame back, too.
        let mut echo = Companion::start("/bin/cat", &[], 1000).unwrap();
        assert_eq!(echo.exchange(b"one".to_vec(), PATIENCE).unwrap(), b"one");
        assert_eq!(echo.exchange(Vec::new(), PATIENCE).unwrap(), b"");
        assert!(matches!(echo.exchange(vec![b'x'; 1001], PATIENCE), Err(Silence::TooMuch(1001))));
    }

    #[test]
    fn each_kind_of_silence_is_told_apart() {
        let ask = |code: &str, time| shell(code).exchange(vec![b'x'; 1 << 20], time);
        assert!(matches!(ask("exec sleep 60", Duration::from_millis(200)), Err(Silence::TooLong)));
        assert!(matches!(ask("echo nonsense; exec cat > /dev/null", PATIENCE), Err(Silence::Garbled)));
        let ended = ask("echo why >&2; exit 3", PATIENCE).unwrap_err();
        assert!(matches!(&ended, Silence::Ended(last) if last == "why"), "{ended:?}");
        assert!(Companion::start("/nowhere", &[], 10).is_err());
    }
}
