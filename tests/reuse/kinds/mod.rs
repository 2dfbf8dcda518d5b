//! Kinds of edit, each by its name: who is asked again, which code is run, who is told something else, and that
//! nothing else happens.
//!
//! All begin with the repository in `tests/reuse/repository`: two web servers, `web1` and `web2`, and a database, `db1`.

mod bindings;
mod code;
mod data;
mod laid;
mod modules;
mod nodes;
mod questions;
pub(crate) use bindings::bound_repository;
pub(crate) use questions::{STAND_IN, STDLIB};
mod surroundings;
mod twins;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use pantin::repository::query::Answer;

use super::kept::Kept;
use super::state::{Edit, Folder, State};
use super::ways::{self, OPTIONS, Options, Told, Warm};

/// An edit, and what follows. What is not said does not happen.
struct Kind {
    name: &'static str,
    options: Options,
    /// What is different from the start.
    before: Vec<Edit>,
    edits: Vec<Edit>,
    followed: Followed,
    /// What a node is told then, and was not before.
    says: Vec<(&'static str, &'static str)>,
    /// Which code is run after the edit is not said.
    runs_whatever: bool,
    /// Whether some code is run whatever happens.
    is_volatile: bool,
    /// How many nodes another process compiles for it, if that is said.
    anew: Option<u64>,
}

/// Names of nodes, divided by spaces, in their order.
#[derive(Clone, PartialEq, Eq, Default)]
struct Followed {
    asked: String,
    /// `NODE: BODY, BODY`: whose code was run, in the order in which it ended. The nodes are asked one after the other, so
    /// what is equal on several is run on the first.
    ran: Vec<String>,
    /// Who is told something else.
    changed: String,
}

impl fmt::Display for Followed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Followed { asked, ran, changed } = self;
        write!(f, ".asks({asked:?})")?;
        ran.iter().try_for_each(|ran| write!(f, ".runs({ran:?})"))?;
        write!(f, ".changes({changed:?})")
    }
}

fn kind(name: &'static str) -> Kind {
    let followed = Followed::default();
    let (before, edits, says) = Default::default();
    Kind { name, options: OPTIONS, before, edits, followed, says, runs_whatever: false, is_volatile: false, anew: None }
}

impl Kind {
    fn before(mut self, edit: Edit) -> Kind {
        self.before.push(edit);
        self
    }

    fn edit(mut self, edit: Edit) -> Kind {
        self.edits.push(edit);
        self
    }

    fn asks(mut self, nodes: &str) -> Kind {
        self.followed.asked = nodes.to_owned();
        self
    }

    fn runs(mut self, run: &str) -> Kind {
        self.followed.ran.push(run.to_owned());
        self
    }

    fn changes(mut self, nodes: &str) -> Kind {
        self.followed.changed = nodes.to_owned();
        self
    }

    fn says(mut self, node: &'static str, text: &'static str) -> Kind {
        self.says.push((node, text));
        self
    }

    /// The repository before the edit, and after it.
    fn states(&self) -> (State, State) {
        let mut before = repository();
        self.before.iter().for_each(|edit| edited(&mut before, edit));
        let mut after = before.clone();
        self.edits.iter().for_each(|edit| edited(&mut after, edit));
        (before, after)
    }

    fn with(mut self, options: Options) -> Kind {
        self.options = options;
        self
    }

    fn runs_whatever(mut self) -> Kind {
        self.runs_whatever = true;
        self
    }

    fn volatile(mut self) -> Kind {
        self.is_volatile = true;
        self
    }

    fn anew(mut self, nodes: u64) -> Kind {
        self.anew = Some(nodes);
        self
    }
}

pub(crate) fn write(path: &str, text: &str) -> Edit {
    Edit::Write(path.to_owned(), text.as_bytes().to_vec())
}

pub(crate) fn replace(path: &str, old: &str, new: &str) -> Edit {
    Edit::Replace { path: path.to_owned(), old: old.to_owned(), new: new.to_owned() }
}

pub(crate) fn remove(path: &str) -> Edit {
    Edit::Remove(path.to_owned())
}

pub(crate) fn rename(from: &str, to: &str) -> Edit {
    Edit::Move(from.to_owned(), to.to_owned())
}

pub(crate) fn link(path: &str, target: &str) -> Edit {
    Edit::Link { path: path.to_owned(), target: target.to_owned() }
}

pub(crate) fn trials() -> Vec<Trial> {
    let tables = [
        ("code", code::table()),
        ("data", data::table()),
        ("laid", laid::table()),
        ("modules", modules::table()),
        ("nodes", nodes::table()),
        ("around", surroundings::table()),
        ("questions", questions::table()),
        ("twins", twins::table()),
        ("bindings", bindings::table()),
    ];
    let trials = tables.into_iter().flat_map(|(table, kinds)| {
        kinds.into_iter().flat_map(move |kind| {
            let (name, again) = (format!("kinds/{table}: {}", kind.name), format!("kept/{table}: {}", kind.name));
            let kind = Arc::new(kind);
            let same = Arc::clone(&kind);
            [Trial::test(name, move || holds(&kind)), Trial::test(again, move || is_kept(&same))]
        })
    });
    trials.collect()
}

/// What all kinds begin with.
pub(crate) fn repository() -> State {
    State::of_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reuse/repository"))
}

/// What one process has kept is right for the next one, and of use when the edit is undone.
fn is_kept(kind: &Kind) -> Result<(), Failed> {
    let (before, after) = kind.states();
    let mut folder = Folder::of(&before);
    let kept = Kept::new(kind.options, &folder.path());
    let mut check = |state| {
        folder.become_state(state);
        kept.check()
    };
    let [_, edited, undone] = [check(&before)?, check(&after)?, check(&before)?];
    match undone {
        0 if !kind.is_volatile => Err("undone, nothing comes from the cache".into()),
        NODES if kind.is_volatile => Err("what is never the same comes from the cache".into()),
        _ if kind.anew.is_some_and(|nodes| edited + nodes != undone) => {
            Err(format!("edited, {edited} of {undone} come from the cache").into())
        }
        _ => Ok(()),
    }
}

fn holds(kind: &Kind) -> Result<(), Failed> {
    let (before, after) = kind.states();
    let mut folder = Folder::of(&before);
    let mut warm = Warm::new("warm", kind.options, &folder.path());
    let first = Asked::of(&mut warm, kind.options, &folder)?;

    folder.become_state(&after);
    let then = Asked::of(&mut warm, kind.options, &folder)?;
    let mut followed = then.since(&first);
    if kind.runs_whatever {
        followed.ran.clear();
    }
    if followed != kind.followed {
        return Err(format!("expected {}\nfollowed {followed}\n{}", kind.followed, then.news(&first.told)).into());
    }
    for (node, text) in &kind.says {
        if first.text(node).contains(text) || !then.text(node).contains(text) {
            return Err(format!("{node} is not told {text:?} anew, but:\n{}", then.news(&first.told)).into());
        }
    }

    // It was known before: undone, nothing is run.
    folder.become_state(&before);
    let undone = Asked::of(&mut warm, kind.options, &folder)?;
    let known = Asked { answers: [&then.answers[..], &first.answers[..]].concat(), ..then };
    let ran = undone.since(&known).ran;
    if !ran.is_empty() && !kind.is_volatile {
        return Err(format!("undone, code is run: {ran:?}").into());
    }
    Ok(())
}

/// An edit of the tables has to be one.
fn edited(state: &mut State, edit: &Edit) {
    let before = state.clone();
    state.edit(edit);
    assert!(*state != before || matches!(edit, Edit::Write(..)), "nothing to do: {edit}");
}

/// What the nodes were told, and by which answers.
struct Asked {
    answers: Vec<Arc<Answer>>,
    told: Told,
    folder: String,
}

impl Asked {
    /// `Err`: what is told is not right.
    fn of(warm: &mut Warm, options: Options, folder: &Folder) -> Result<Asked, Failed> {
        let (answers, told) = match warm.answers() {
            Ok((answers, remarks)) => (answers.clone(), ways::told(&answers, &remarks)),
            Err(reason) => (Vec::new(), ways::nothing(&reason)),
        };
        let right = ways::afresh(options, &folder.path());
        let asked = Asked { answers, told, folder: format!("{}/", folder.path().display()) };
        match asked.told == right {
            true => Ok(asked),
            false => Err(format!("what is told is not right:\n{}", asked.news(&right)).into()),
        }
    }

    fn since(&self, before: &Asked) -> Followed {
        let is_new = |answer: &&Arc<Answer>| !before.answers.iter().any(|old| Arc::ptr_eq(old, answer));
        let asked: Vec<&Arc<Answer>> = self.answers.iter().filter(is_new).collect();
        let ran = asked.iter().filter(|answer| !answer.bodies_run.is_empty());
        let ran =
            ran.map(|answer| format!("{}: {}", answer.node, answer.bodies_run.join(", ").replace(&self.folder, "")));
        let old: BTreeMap<&str, &str> = before.told.iter().map(|(node, text)| (&**node, &**text)).collect();
        let changed = self.told.iter().filter(|(node, text)| old.get(&**node) != Some(&&**text));
        Followed {
            asked: asked.iter().map(|answer| answer.node.as_str()).collect::<Vec<_>>().join(" "),
            ran: ran.collect(),
            changed: changed.map(|(node, _)| node.as_str()).collect::<Vec<_>>().join(" "),
        }
    }

    fn text(&self, node: &str) -> &str {
        self.told.iter().find(|(known, _)| known == node).map_or("", |(_, text)| text)
    }

    /// The first lines that are new.
    fn news(&self, before: &Told) -> String {
        let mut news = Vec::new();
        for (node, text) in &self.told {
            let old: Vec<&str> =
                before.iter().filter(|(known, _)| known == node).flat_map(|(_, old)| old.lines()).collect();
            news.extend(text.lines().filter(|line| !old.contains(line)).map(|line| format!("{node}: {}", line.trim())));
        }
        news.truncate(NEWS);
        news.join("\n")
    }
}

/// So many there are in the repository.
const NODES: u64 = 3;

/// So many lines of them are shown.
const NEWS: usize = 10;
