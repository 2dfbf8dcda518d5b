//! File system events, gathered until the repository is quiet.
//!
//! An event is a hint. Events get lost (of folders that are made and filled at once, of a queue that overflows), so a
//! folder that was not watched before is looked at again as a whole, and nothing depends on what an event says. An event
//! about a path that no answer depends on is ignored: a watched folder reports everything in it, and other programs work there too.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use notify::event::{CreateKind, EventKind, Flag, ModifyKind};
use notify::{ErrorKind, Event, RecommendedWatcher, RecursiveMode, Watcher};
use pantin_world::{Disk, Stopwatch, Touched};
use rustc_hash::FxHashSet;

use super::followed::{WatchedPaths, folders_of};

/// Nothing more happened for so long: the edit is over.
const QUIET: Duration = Duration::from_millis(30);

/// However busy it is, one looks after this time.
const PATIENCE: Duration = Duration::from_secs(2);

/// Somebody is in the middle of many changes: one waits for their end, but not for ever.
const LONGEST: Duration = Duration::from_secs(10);

/// Whoever empties a file to write it anew has written it by then.
const WRITING: Duration = Duration::from_millis(300);

/// How often is looked where there are no events.
const POLLING: Duration = Duration::from_secs(1);

/// The events of the file system; or, where there can be none, a look every now and then.
pub struct FileWatcher {
    watcher: Option<RecommendedWatcher>,
    events: Receiver<notify::Result<Event>>,
    sender: Sender<notify::Result<Event>>,
    folders: FxHashSet<PathBuf>,
    followed: WatchedPaths,
    interval: Duration,
    /// Where there are no events.
    last_look: Stopwatch,
    /// Somebody began to change things, and it took too long to wait for the end.
    is_tired: bool,
    /// Events that somebody has seen, and nobody has taken: which of them matter is known once the paths are followed that the last
    /// answers have asked for.
    unread: Vec<notify::Result<Event>>,
    /// Why there are no events, until somebody asks.
    complaint: Option<String>,
}

/// What a wait came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Waited {
    /// Something may have happened there.
    For(Touched),
    TooLong,
    /// There will be nothing more.
    ForNothing,
}

/// Ends the wait, as if something might have happened anywhere.
#[derive(Clone, Debug)]
pub struct Waker(Sender<notify::Result<Event>>);

impl Waker {
    pub fn wake(&self) {
        // Where nobody waits any more, nobody need be woken.
        let _ = self.0.send(Ok(Event::new(EventKind::Other).set_flag(Flag::Rescan)));
    }
}

impl FileWatcher {
    /// With `polling`, events are not asked for.
    pub fn start(polling: Option<Duration>) -> FileWatcher {
        let (sender, events) = channel();
        let interval = polling.unwrap_or(POLLING);
        let mut watching = FileWatcher {
            watcher: None,
            events,
            sender: sender.clone(),
            folders: FxHashSet::default(),
            followed: WatchedPaths::default(),
            interval,
            last_look: Stopwatch::start(),
            is_tired: false,
            unread: Vec::new(),
            complaint: None,
        };
        if polling.is_none() {
            match notify::recommended_watcher(sender) {
                Ok(watcher) => watching.watcher = Some(watcher),
                Err(error) => watching.give_up(&error),
            }
        }
        watching
    }

    /// Whoever holds it can have all looked at again.
    pub fn waker(&self) -> Waker {
        Waker(self.sender.clone())
    }

    /// Returns once why files are looked at every now and then, if that was not asked for.
    pub fn complaint(&mut self) -> Option<String> {
        self.complaint.take()
    }

    /// From now on, events of these paths too are heard, there or not. Gives what has to be looked at again, for nobody
    /// has listened there before.
    pub fn follow(&mut self, disk: &dyn Disk, paths: Vec<Arc<Path>>) -> Touched {
        let mut touched = Touched::nothing();
        if self.watcher.is_none() {
            return touched;
        }
        let mut unheard = self.followed.take(disk, paths);
        loop {
            let folders = folders_of(disk, &self.folders, &unheard);
            if folders.is_empty() {
                return touched;
            }
            for folder in folders {
                let Some(watcher) = &mut self.watcher else { return Touched::Everything };
                match watcher.watch(folder, RecursiveMode::NonRecursive) {
                    Ok(()) => {
                        touched.add(folder.to_owned());
                        self.folders.insert(folder.to_owned());
                    }
                    // It went meanwhile, and nobody may listen in the folder above it: the next call looks for the nearest one there.
                    Err(error) if matches!(error.kind, ErrorKind::PathNotFound) => {
                        touched.add(folder.to_owned());
                        self.followed.unsure.add(folder.to_owned());
                    }
                    Err(error) => {
                        self.give_up(&error);
                        return Touched::Everything;
                    }
                }
            }
            if !self.followed.unsure.is_nothing() {
                return touched;
            }
            // Before anybody listened in the nearest folder above a path, a nearer one may have been made in it, or a folder at the
            // path itself.
            let is_heard = |path: &Path| {
                path.parent().is_some_and(|folder| self.folders.contains(folder))
                    && (self.folders.contains(path) || !disk.is_folder(path))
            };
            unheard.retain(|path| !is_heard(path));
        }
    }

    /// Waits until something may have happened, at most so long.
    pub fn wait(&mut self, limit: Option<Duration>) -> Waited {
        if self.watcher.is_none() {
            // Nobody sends anything: this is how one waits.
            let _ = self.events.recv_timeout(limit.map_or(self.interval, |limit| limit.min(self.interval)));
            return Waited::For(Touched::Everything);
        }
        let waiting = Stopwatch::start();
        let mut touched = self.take_unread();
        while touched.is_nothing() {
            let event = match limit {
                None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(limit) => self.events.recv_timeout(limit.saturating_sub(waiting.elapsed())),
            };
            match event {
                Ok(event) => drop(self.take(event, &mut touched)),
                Err(RecvTimeoutError::Timeout) => return Waited::TooLong,
                Err(RecvTimeoutError::Disconnected) => return Waited::ForNothing,
            }
        }
        self.until_quiet(&mut touched);
        Waited::For(touched)
    }

    /// Returns what may have happened since the last wait, if anything; does not wait but for the end of an edit that
    /// has begun.
    pub fn poll(&mut self) -> Option<Touched> {
        if self.watcher.is_none() {
            return (self.last_look.elapsed() >= self.interval).then(|| {
                self.last_look = Stopwatch::start();
                Touched::Everything
            });
        }
        let mut touched = self.take_unread();
        while let Ok(event) = self.events.try_recv() {
            self.take(event, &mut touched);
        }
        if touched.is_nothing() {
            return None;
        }
        self.until_quiet(&mut touched);
        Some(touched)
    }

    /// Returns true if something may have happened since the last wait, whether it matters or not. Does not wait, and
    /// takes nothing away. Where there are no events nobody knows.
    pub fn has_pending(&mut self) -> bool {
        if self.watcher.is_none() {
            return false;
        }
        self.unread.extend(self.events.try_iter());
        let is_reading = |event: &notify::Result<Event>| {
            event.as_ref().is_ok_and(|event| matches!(event.kind, EventKind::Access(_)) && !event.need_rescan())
        };
        !self.unread.iter().all(is_reading)
    }

    fn take_unread(&mut self) -> Touched {
        let mut touched = Touched::nothing();
        for event in std::mem::take(&mut self.unread) {
            self.take(event, &mut touched);
        }
        touched
    }

    /// Waits for the end of an edit that may have begun before anybody listened, and gives what has happened meanwhile.
    pub fn settle(&mut self) -> Touched {
        let mut touched = self.take_unread();
        let waiting = Stopwatch::start();
        while let Some(rest) = WRITING.checked_sub(waiting.elapsed()) {
            if let Ok(event) = self.events.recv_timeout(rest) {
                self.take(event, &mut touched);
            }
        }
        self.until_quiet(&mut touched);
        touched
    }

    /// Waits for somebody who is in the middle of many changes, so that what is there now is neither the one state nor the
    /// other; and hears of what they do. Who has taken too long is not waited for again.
    pub fn let_finish(&mut self, disk: &dyn Disk, is_busy: &dyn Fn() -> bool, touched: &mut Touched) {
        let waiting = Stopwatch::start();
        let mut has_waited = false;
        while waiting.elapsed() < WRITING && touched.has_empty_file(disk) {
            if let Ok(event) = self.events.recv_timeout(QUIET) {
                self.take(event, touched);
                has_waited = true;
            }
        }
        while is_busy() {
            self.is_tired |= waiting.elapsed() >= LONGEST;
            if self.is_tired {
                return;
            }
            has_waited = true;
            if let Ok(event) = self.events.recv_timeout(QUIET) {
                self.take(event, touched);
            }
        }
        self.is_tired = false;
        if has_waited {
            self.until_quiet(touched);
        }
    }

    fn until_quiet(&mut self, touched: &mut Touched) {
        let waiting = Stopwatch::start();
        let mut quiet = Stopwatch::start();
        while waiting.elapsed() < PATIENCE
            && let Some(rest) = QUIET.checked_sub(quiet.elapsed())
            && let Ok(event) = self.events.recv_timeout(rest)
        {
            if self.take(event, touched) {
                quiet = Stopwatch::start();
            }
        }
    }

    fn give_up(&mut self, error: &notify::Error) {
        let reason = match &error.kind {
            ErrorKind::MaxFilesWatch => "there are no more watches to be had (fs.inotify.max_user_watches)".to_owned(),
            _ => error.to_string(),
        };
        self.complaint = Some(format!("{reason}; looking every {} s instead", self.interval.as_secs_f32()));
        self.watcher = None;
    }

    /// Notes what an event is about; whether that is anything that was asked for. Folders that moved or went are no longer
    /// watched, whatever takes their place.
    fn take(&mut self, event: notify::Result<Event>, touched: &mut Touched) -> bool {
        let event = match event {
            Ok(event) if !event.need_rescan() => event,
            _ => {
                (*touched, self.followed.unsure) = (Touched::Everything, Touched::Everything);
                return true;
            }
        };
        // Our own reading, among others.
        if matches!(event.kind, EventKind::Access(_)) {
            return false;
        }
        let effect = PathEffect::from_event(event.kind);
        if effect.may_vanish {
            self.folders.retain(|folder| !event.paths.iter().any(|path| folder.starts_with(path)));
        }
        let behind_links = event.paths.iter().flat_map(|path| self.followed.behind_links(path)).collect::<Vec<_>>();
        let meant = event.paths.into_iter().filter(|path| self.followed.is_meant(path));
        let meant: Vec<PathBuf> = meant.chain(behind_links).collect();
        if effect.may_appear || effect.may_vanish {
            meant.iter().for_each(|path| self.followed.unsure.add(path.clone()));
        }
        let is_meant = !meant.is_empty();
        meant.into_iter().for_each(|path| touched.add(path));
        is_meant
    }
}

/// How an event may have changed what is at a path.
struct PathEffect {
    /// Something may be there now where nothing, or something else, was before.
    may_appear: bool,
    /// What was there may be gone.
    may_vanish: bool,
}

impl PathEffect {
    fn from_event(kind: EventKind) -> PathEffect {
        let (may_appear, may_vanish) = match kind {
            // A folder that is made may take the place of another one.
            EventKind::Create(CreateKind::Folder) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) => {
                (true, true)
            }
            // It may be a link to a folder.
            EventKind::Create(_) => (true, false),
            _ => (false, false),
        };
        PathEffect { may_appear, may_vanish }
    }
}
