//! The bridge: functions of modules that need more Ruby than the small one has, run by the user's own Ruby.
//!
//! `session` is a worker, a process of that Ruby that runs the program in `worker/`, which loads no Puppet; `pool` has
//! one for each thread; `wire` is how values go over the pipe, and `conversation` one call: what the function asks of
//! Puppet it asks over the pipe, and whoever calls answers through [`Outside`], as for the small Ruby. `described` is
//! what a worker says of a function.
//!
//! It is no sandbox: what else the function does (files, the network, the clock) nobody knows here.
//!
//! ```text
//! mod.rs           `Bridge`, which is an `OwnRuby`: the trait of `ruby` by which the evaluator has such a function called
//! session.rs       one worker, a process of that Ruby; pool.rs: one for each thread that calls, whatever nests
//! conversation.rs  one call: what the function asks meanwhile is answered; block.rs: a block of it, called by Puppet's code
//! wire.rs          values as bytes; described.rs: what a worker says of the function whose file it has loaded
//! recording.rs     the same with each answer written down, and asked for once
//! secrets.rs       texts that were told in secret: no error shows them
//! worker/          the program of the worker, in plain Ruby: the pipe, as much of Puppet as a function sees, `require`
//! ```
//!
//! A function is begun in the small Ruby, whatever the options say. What that has not (a method, a construct, a library that no
//! module has) is an end of its own kind, which no `rescue` sees; only that leads over the bridge, never an error of the code
//! itself. With `--ruby` a library that is missing is such an end even where the code would rescue it: `rescue LoadError` stands in modules
//! to name the gem. The function is then begun anew in the worker. What it has done until then (calls, lines of the log, variables) is
//! remembered, and told again as it is done again in the same order (`eval::effect_log`), so that nothing happens twice; where it does
//! something else there, that is an error. To decide by looking at the text, as `compat` does, would send functions over the
//! bridge for what they never reach, and their answers could not be kept.
//!
//! The worker gets the text of the file, and so it gets each file that `require` finds in a module: both are questions of
//! the request, asked again on each call for what is loaded already, and a worker that has loaded another text than there is today is
//! replaced. It says which ways to call the function it found declared, and the types are checked here, as for the small Ruby; so are
//! `call_function`, variables, settings, the log and the context of a look-up answered by the same `Outside`, as recorded questions and
//! effects. Values of which Ruby has no kind (types, times, references) stay here, under a number. Puppet's own files are never loaded.
//!
//! What else the code does nobody knows. So a call is a question that is never the same twice (`Question::OwnRuby`), as the clock
//! is, unless the setting `deterministic_functions` has the function: then it is code like any other, which depends on what it asked.
//!
//! The pipe is the standard input and output of the process, which no code can reach: both are others before the first line of a module
//! runs. A message has a mark and a length; it may have `limits::OWN_RUBY_BYTES`, nest `NESTING` deep and take `max_ruby_seconds`; what goes wrong ends the
//! worker with all that it started, and is an error that no Ruby code rescues. It ends by itself when Pantin is gone.

mod block;
mod conversation;
mod described;
mod pool;
mod recording;
mod secrets;
mod session;
mod wire;

use std::time::Duration;

use pantin_base::limits;
use pantin_ruby::{FunctionFile, Outside, OwnRuby, RubyError};
use pantin_values::{Fault, Value};
use rustc_hash::FxHashSet;

use self::conversation::{Conversation, ConversationError};
use self::pool::Pool;
pub use self::recording::RecordingRuby;

/// A Ruby of the person's own, with its workers. They end with it.
#[derive(Debug)]
pub struct Bridge {
    ruby: String,
    /// How long a worker may think before it answers or asks.
    time: Duration,
    deterministic: FxHashSet<String>,
    pool: Pool,
}

impl Bridge {
    /// `ruby`: the program; `deterministic`: the names of functions that depend on nothing that is not asked here.
    pub fn new(ruby: &str, time: Duration, deterministic: impl IntoIterator<Item = String>) -> Bridge {
        let deterministic = deterministic.into_iter().collect();
        Bridge { ruby: ruby.to_owned(), time, deterministic, pool: Pool::default() }
    }
}

impl OwnRuby for Bridge {
    fn is_deterministic(&self, function: &str) -> bool {
        self.deterministic.contains(function)
    }

    fn call(&self, function: &FunctionFile, args: &[Value], outside: &mut dyn Outside) -> Result<Value, RubyError> {
        let release = outside.release();
        let who = format!("The function '{}' ({})", function.name, function.script.path.beyond_code());
        for attempt in 0..limits::OWN_RUBY_STARTS {
            let entered = self.pool.enter((&self.ruby, release, self.time), attempt > 0);
            let entered =
                entered.map_err(|why| RubyError::Fatal(Fault::limit(format!("{who} cannot be run: {why}")), None))?;
            outside.restart();
            match Conversation::new(&who, &entered.session, outside).call(function, args) {
                Ok(value) => return Ok(value),
                Err(ConversationError::Error(error)) => return Err(error),
                // Files of modules are others than when this worker has loaded them: a new one knows nothing yet.
                Err(ConversationError::Stale) => {}
            }
        }
        Err(RubyError::Fatal(Fault::limit(format!("{who} has files that change while it is run")), None))
    }
}
