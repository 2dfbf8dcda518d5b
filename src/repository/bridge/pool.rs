//! The workers: one for each thread that calls a function, however deep such calls nest in each other.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use super::session::Session;

/// A worker, locked for the time of one exchange: a function that it runs may call another one in it.
pub(super) type SharedSession = Arc<Mutex<Session>>;

#[derive(Debug, Default)]
pub(super) struct Pool {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    idle: Vec<SharedSession>,
    /// Who uses which, the innermost call last.
    busy: Vec<(ThreadId, SharedSession)>,
}

impl Pool {
    /// Returns a worker for a call: that of the call around, one that has nothing to do, or a new one. `fresh`: a new
    /// one.
    pub(super) fn enter(
        &self,
        (ruby, release, time): (&str, &str, Duration),
        fresh: bool,
    ) -> Result<Entered<'_>, String> {
        let thread = thread::current().id();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let around = state.busy.iter().rev().find(|(of, _)| *of == thread).map(|(_, session)| Arc::clone(session));
        let known = if fresh { None } else { around.or_else(|| state.idle.pop()) };
        let session = match known {
            Some(session) => session,
            None => {
                // Starting one takes its time; others go on meanwhile.
                drop(state);
                let session = Arc::new(Mutex::new(Session::start(ruby, release, time)?));
                state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                session
            }
        };
        state.busy.push((thread, Arc::clone(&session)));
        Ok(Entered { pool: self, thread, session })
    }
}

/// A call that has a worker.
pub(super) struct Entered<'p> {
    pool: &'p Pool,
    thread: ThreadId,
    pub(super) session: SharedSession,
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        let mut state = self.pool.state.lock().unwrap_or_else(PoisonError::into_inner);
        let last = state.busy.iter().rposition(|(of, _)| *of == self.thread);
        last.map(|last| state.busy.remove(last));
        if state.busy.iter().any(|(_, other)| Arc::ptr_eq(other, &self.session)) {
            return;
        }
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        session.value_table.clear();
        let lives = session.over.is_none() && !session.is_stale;
        drop(session);
        if lives {
            state.idle.push(Arc::clone(&self.session));
        }
    }
}
