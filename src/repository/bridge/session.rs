//! One worker: its process, its handshake and what it has loaded.

use std::time::Duration;

use pantin_base::limits;
use pantin_values::{Digest, Str, Value};
use pantin_world::{Companion, Silence};
use rustc_hash::{FxHashMap, FxHashSet};

use super::wire::{self, ValueTable};

/// What the Ruby is started with: it reads its program from the pipe, as the first message.
const BEGIN: &str = "head = $stdin.binmode.read(8); \
                     eval($stdin.read(head.unpack('x4N').first).force_encoding('UTF-8'), TOPLEVEL_BINDING, '(pantin)')";

/// The program that a worker runs, in the order of its parts.
const PROGRAM: [&str; 4] = [
    include_str!("worker/puppet.rb"),
    include_str!("worker/wire.rb"),
    include_str!("worker/functions.rb"),
    include_str!("worker/main.rb"),
];

/// A worker that lives.
#[derive(Debug)]
pub(super) struct Session {
    companion: Companion,
    time: Duration,
    pub(super) value_table: ValueTable,
    /// Functions whose files it has loaded.
    pub(super) functions: FxHashSet<Str>,
    /// Files of modules that it has loaded, as they were then.
    pub(super) libraries: FxHashMap<Str, Digest>,
    /// Why nobody can talk with it any more.
    pub(super) over: Option<String>,
    numbers: i64,
    /// Files that it has loaded are others now: no other call may use it.
    pub(super) is_stale: bool,
}

impl Session {
    /// `Err`: why there is none.
    pub(super) fn start(ruby: &str, release: &str, time: Duration) -> Result<Session, String> {
        let companion = Companion::start(ruby, &["-e", BEGIN], limits::OWN_RUBY_BYTES)
            .map_err(|error| format!("'{ruby}' (--ruby) cannot be started: {error}"))?;
        let mut session = Session {
            companion,
            time,
            value_table: ValueTable::default(),
            functions: FxHashSet::default(),
            libraries: FxHashMap::default(),
            over: None,
            numbers: 0,
            is_stale: false,
        };
        let greeted = session.send(PROGRAM.concat().into_bytes()).and_then(|_| {
            let hello = Value::array(["hello".into(), release.into()]);
            session.exchange(&hello)
        });
        greeted.map(|_| session).map_err(|why| format!("'{ruby}' (--ruby) is no Ruby that answers: it {why}"))
    }

    /// A number that nothing else in this worker has.
    pub(super) fn new_number(&mut self) -> i64 {
        self.numbers += 1;
        self.numbers
    }

    /// Says something, and waits for what it says. `Err`: what it does instead; then it is over with it.
    pub(super) fn exchange(&mut self, message: &Value) -> Result<Vec<Value>, String> {
        if let Some(over) = &self.over {
            return Err(over.clone());
        }
        let bytes = wire::encode(message, &mut self.value_table);
        self.send(bytes)
    }

    fn send(&mut self, bytes: Vec<u8>) -> Result<Vec<Value>, String> {
        let answer = self.companion.exchange(bytes, self.time).map_err(|silence| self.silence_message(&silence));
        let answer = answer.and_then(|bytes| match wire::decode(&bytes, &self.value_table) {
            Ok(Value::Array(items)) => Ok(items.to_vec()),
            Ok(_) => Err("gives an answer that is no message".to_owned()),
            Err(wrong) => Err(wrong),
        });
        answer.inspect_err(|why| self.over = Some(why.clone()))
    }

    fn silence_message(&self, silence: &Silence) -> String {
        match silence {
            Silence::TooLong => {
                let (seconds, setting) = (self.time.as_secs(), limits::MAX_RUBY_SECONDS);
                format!("took longer than {seconds} seconds; the setting {setting} raises the limit")
            }
            Silence::TooMuch(bytes) => {
                format!("gives an answer of {bytes} bytes; it may have {} at most", limits::OWN_RUBY_BYTES)
            }
            Silence::Garbled => "writes into the pipe to Pantin what is no message".to_owned(),
            Silence::Ended(words) if words.is_empty() => "ended its process".to_owned(),
            Silence::Ended(words) => format!("ended its process; it last said: {words}"),
        }
    }
}
