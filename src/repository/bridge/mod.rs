//! The bridge: functions of modules that want more Ruby than the small one has, run by a Ruby of the person's own.
//!
//! `session` is a worker, a process of that Ruby that runs the program in `worker/`, which loads no Puppet; `pool` has
//! one for each thread; `wire` is how values go over the pipe, and `conversation` one call: what the function asks of
//! Puppet it asks over the pipe, and whoever calls answers through [`Outside`], as for the small Ruby. `described` is
//! what a worker says of a function.
//!
//! It is no sandbox: what else the function does (files, the network, the clock) nobody knows here.

mod block;
mod conversation;
mod described;
mod pool;
mod secrets;
mod session;
mod wire;

use std::time::Duration;

use pantin_base::limits;
use pantin_ruby::{FunctionFile, Outside, OwnRuby, RubyError};
use pantin_values::{Fault, Value};
use rustc_hash::FxHashSet;

use self::conversation::{Conversation, Ended};
use self::pool::Pool;

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
    /// `ruby`: the program; `deterministic`: the names of functions that rest on nothing that is not asked here.
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
        let who = format!("The function '{}' ({})", function.name, function.script.name);
        for attempt in 0..limits::OWN_RUBY_STARTS {
            let entered = self.pool.enter((&self.ruby, release, self.time), attempt > 0);
            let entered =
                entered.map_err(|why| RubyError::Fatal(Fault::limit(format!("{who} cannot be run: {why}")), None))?;
            outside.begin_again();
            match Conversation::new(&who, &entered.session, outside).call(function, args) {
                Ok(value) => return Ok(value),
                Err(Ended::Error(error)) => return Err(error),
                // Files of modules are others than when this worker has loaded them: a new one knows nothing yet.
                Err(Ended::Stale) => {}
            }
        }
        Err(RubyError::Fatal(Fault::limit(format!("{who} has files that change while it is run")), None))
    }
}
