//! A watch on the whole terminal: the last edit's changes, its nodes, their catalogs.
//!
//! One thread looks, one waits for keys, one for signals; what they have to say comes in by one channel, in order.
//! `state` is what is shown and what keys do to it, `draw` that as lines, `screen` the terminal.

mod draw;
mod items;
mod screen;
mod state;
#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pantin_repository::query::Answer;
use pantin_repository::watch::{CheckChanges, Round};
use pantin_values::Str;
use pantin_world::Remark;

use super::applying::{Application, AppliedRun, Applying};
use super::watch_loop::{WatchLoop, WatchReporter};
use crate::Exit;
use crate::print::console_log::ConsoleLog;
use screen::{Input, Screen, next_input};
use state::{KeyAction, View};

/// What happens.
enum Event {
    Input(io::Result<Input>),
    First(Vec<Arc<Answer>>, Duration),
    Early(Box<Round>, Vec<Arc<Answer>>),
    Round(Box<Round>, Vec<Arc<Answer>>),
    Graph(CheckChanges, Vec<Arc<Answer>>),
    Answers(Vec<Arc<Answer>>),
    Unchanged,
    Applied(Box<AppliedRun>),
    Note(String),
    /// Somebody wants the process to end.
    Signal,
    /// There is nothing more to be looked at.
    Over(io::Result<Exit>),
}

pub(super) fn run(
    mut looking: WatchLoop,
    application: Option<Application>,
    colour: bool,
    console: &ConsoleLog,
) -> io::Result<Exit> {
    let (sender, events) = channel();
    let (waker, here) = (looking.watching.waker(), looking.here.clone());
    let mut screen = Screen::open(colour)?;
    listen(&sender)?;
    let full_run = application.as_ref().map(|application| Arc::clone(&application.full_run));
    let looked_at = Arc::new(Mutex::new(Vec::new()));
    let mut to = ToView { events: sender, looked_at: Arc::clone(&looked_at) };
    thread::Builder::new().name("looking".to_owned()).spawn(move || {
        let over = match application {
            Some(application) => looking.all(&mut Applying::new(&mut to, application)),
            None => looking.all(&mut to),
        };
        to.send(Event::Over(over))
    })?;
    let (width, height) = Screen::size();
    let mut view = View::new(width, height);
    view.applies = full_run.is_some();
    let mut notes = Vec::new();
    let exit = loop {
        *looked_at.lock().unwrap_or_else(PoisonError::into_inner) = view.visible_nodes();
        screen.draw(draw::lines(&view))?;
        let Ok(event) = events.recv() else { break Ok(Exit::Accepted) };
        match event {
            Event::Input(Ok(Input::Key(key))) => match view.press(key) {
                KeyAction::Nothing => {}
                KeyAction::LookAgain => waker.wake(),
                KeyAction::ApplyAll => {
                    full_run.iter().for_each(|wanted| wanted.store(true, Ordering::Release));
                    waker.wake();
                }
                KeyAction::Quit => break Ok(Exit::Accepted),
            },
            Event::Input(Ok(Input::Resized)) => {
                let (width, height) = Screen::size();
                view.resize(width, height);
                screen.forget();
            }
            Event::Input(Err(error)) => break Err(error),
            Event::Signal => break Ok(Exit::Accepted),
            Event::Over(over) => break over,
            told => tell(told, &mut view, &here, &mut notes),
        }
    };
    drop(screen);
    // What was said is not lost with the screen, if there is nothing else.
    if matches!(exit, Ok(Exit::Rejected)) {
        notes.iter().for_each(|note| console.complain(note));
    }
    exit
}

fn tell(event: Event, view: &mut View, here: &Path, notes: &mut Vec<String>) {
    match event {
        Event::First(answers, took) => view.first(&answers, took, here),
        Event::Early(round, answers) => view.early(&round, &answers, here),
        Event::Round(round, answers) => view.round(&round, &answers, here),
        Event::Graph(changes, answers) => view.graph(&changes, &answers, here),
        Event::Answers(answers) => view.set_answers(&answers),
        Event::Unchanged => view.unchanged(),
        Event::Applied(run) => view.applied(&run),
        Event::Note(text) => {
            view.note(&text);
            notes.push(text);
        }
        Event::Input(_) | Event::Signal | Event::Over(_) => {}
    }
}

/// Has keys, sizes and signals told.
fn listen(to: &Sender<Event>) -> io::Result<()> {
    let of_keys = to.clone();
    thread::Builder::new().name("keys".to_owned()).spawn(move || {
        loop {
            let input = next_input();
            let is_last = input.is_err();
            if of_keys.send(Event::Input(input)).is_err() || is_last {
                return;
            }
        }
    })?;
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        let of_signals = to.clone();
        thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || signals.forever().try_for_each(|_| of_signals.send(Event::Signal)))?;
    }
    Ok(())
}

/// Tells the view. When nobody looks at it any more, the process is about to end.
struct ToView {
    events: Sender<Event>,
    /// By the view.
    looked_at: Arc<Mutex<Vec<Str>>>,
}

impl ToView {
    fn send(&self, event: Event) -> io::Result<()> {
        self.events.send(event).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Drop for ToView {
    fn drop(&mut self) {
        // Where all went well, this comes too late to be heard.
        let _ = self.send(Event::Over(Err(io::Error::other("the watch has broken down"))));
    }
}

impl WatchReporter for ToView {
    fn first(&mut self, answers: &[Arc<Answer>], took: Duration) -> io::Result<()> {
        self.send(Event::First(answers.to_vec(), took))
    }

    fn looked_at(&self) -> Vec<Str> {
        self.looked_at.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn early(&mut self, round: Round, answers: Vec<Arc<Answer>>) -> io::Result<()> {
        self.send(Event::Early(Box::new(round), answers))
    }

    fn round(&mut self, round: Round, answers: &[Arc<Answer>]) -> io::Result<()> {
        self.send(Event::Round(Box::new(round), answers.to_vec()))
    }

    fn graph(&mut self, changes: CheckChanges, answers: &[Arc<Answer>]) -> io::Result<()> {
        self.send(Event::Graph(changes, answers.to_vec()))
    }

    fn edit_is_shown(&mut self, _: bool) -> io::Result<()> {
        Ok(())
    }

    fn applied(&mut self, run: &AppliedRun) -> io::Result<()> {
        self.send(Event::Applied(Box::new(run.clone())))
    }

    fn answers(&mut self, answers: &[Arc<Answer>]) -> io::Result<()> {
        self.send(Event::Answers(answers.to_vec()))
    }

    fn unchanged(&mut self) -> io::Result<()> {
        self.send(Event::Unchanged)
    }

    fn remarks(&mut self, remarks: &[Remark]) -> io::Result<()> {
        remarks.iter().try_for_each(|remark| self.send(Event::Note(remark.text.clone())))
    }

    fn warn(&mut self, text: &str) -> io::Result<()> {
        self.send(Event::Note(text.to_owned()))
    }

    fn complain(&mut self, text: &str) -> io::Result<()> {
        self.send(Event::Note(text.to_owned()))
    }
}
