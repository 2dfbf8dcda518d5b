//! Each kind of input that an answer can depend on, with each kind of edit, through every command: `fleet`, `watch`, `diff`,
//! `impact` and `unused` are held against compilations that keep nothing.
//!
//! A row says what is edited, and on which nodes something changes. What each command has to say follows from that.

mod at_random;
mod code;
mod commands;
mod data;
mod links;
mod modules;
mod settings;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use super::kept::Kept;
use super::kinds::repository;
use super::state::{Edit, Folder, State};
use super::ways::OPTIONS;
use commands::{Commands, Watcher, compiled};

/// An edit of one kind of input.
struct Row {
    name: &'static str,
    /// What differs from the repository of these tests beforehand.
    before: Vec<Edit>,
    edits: Vec<Edit>,
    /// The nodes whose catalog, log or error is another afterwards, divided by spaces.
    changes: &'static str,
    /// The nodes that are sent another file, though their catalog is the same.
    serves: &'static str,
    /// The flag of git's index that hides the edited files.
    hidden_by: Option<&'static str>,
    /// True if the edit is of what is known of nodes: `diff` takes that from one side.
    is_of_nodes: bool,
}

fn row(name: &'static str) -> Row {
    let (before, edits) = Default::default();
    Row { name, before, edits, changes: "", serves: "", hidden_by: None, is_of_nodes: false }
}

impl Row {
    fn before(mut self, edit: Edit) -> Row {
        self.before.push(edit);
        self
    }

    fn edit(mut self, edit: Edit) -> Row {
        self.edits.push(edit);
        self
    }

    fn changes(mut self, nodes: &'static str) -> Row {
        self.changes = nodes;
        self
    }

    fn serves(mut self, nodes: &'static str) -> Row {
        self.serves = nodes;
        self
    }

    fn hidden_by(mut self, flag: &'static str) -> Row {
        self.hidden_by = Some(flag);
        self
    }

    fn of_nodes(mut self) -> Row {
        self.is_of_nodes = true;
        self
    }

    /// Returns the repository before and after the edit.
    fn states(&self) -> (State, State) {
        let mut before = repository();
        self.before.iter().for_each(|edit| before.edit(edit));
        let mut after = before.clone();
        self.edits.iter().for_each(|edit| after.edit(edit));
        (before, after)
    }
}

/// Returns the paths that edits between two states touch, as a person would name them.
fn paths_between(before: &State, after: &State) -> Vec<String> {
    let edits = before.edits_to(after);
    let path = |edit: &Edit| match edit {
        Edit::Write(path, _) | Edit::Remove(path) | Edit::Folder(path) | Edit::Mode(path, _) => path.clone(),
        Edit::Replace { path, .. } | Edit::Link { path, .. } | Edit::Move(path, _) => path.clone(),
    };
    let paths: BTreeSet<String> = edits.iter().map(path).collect();
    paths.into_iter().collect()
}

/// What `impact` says of a path that is not there, and that no node would see if it were.
const NOBODY_LOOKS: &str = "no node looks for it";

/// Names of nodes.
type Nodes = BTreeSet<String>;

fn nodes(names: &str) -> Nodes {
    names.split_whitespace().map(str::to_owned).collect()
}

pub(crate) fn trials() -> Vec<Trial> {
    let tables = [
        ("code", code::table()),
        ("data", data::table()),
        ("links", links::table()),
        ("modules", modules::table()),
        ("settings", settings::table()),
    ];
    let trials = tables.into_iter().flat_map(|(table, rows)| {
        rows.into_iter().map(move |row| {
            Trial::test(format!("inputs/{table}: {}", row.name), move || holds(&row).map_err(Failed::from))
        })
    });
    trials.chain([at_random::trial()]).collect()
}

/// Shows the states before and after the edit to all commands.
fn holds(row: &Row) -> Result<(), String> {
    let (before, after) = row.states();
    let mut folder = Folder::of(&before);
    let top = folder.path();
    make_option_folders(&top);
    let commands = Commands::new(OPTIONS, &top);
    commands.git(&["init", "--quiet", "--initial-branch=main"]);
    commands.commit();
    let kept = Kept::new(OPTIONS, &top);
    kept.check()?;
    let old = compiled(OPTIONS, &top);
    let paths = paths_between(&before, &after);
    let may_reach = commands.impact(&paths);
    let unused_before = commands.unused();
    hide(row, &commands, &paths);
    let mut watcher = Watcher::start(&commands)?;

    folder.become_state(&after);
    make_option_folders(&top);
    let new = compiled(OPTIONS, &top);
    let changes = old.changes(&new);
    expect("compilations that keep nothing", &changes, &nodes(row.changes))?;
    expect("watch", &watcher.changed(&changes)?, &changes)?;
    drop(watcher);
    kept.check()?;

    let told: Nodes = changes.union(&nodes(row.serves)).cloned().collect();
    // A node that is to come has no answer that could be asked.
    let is_told = |who: &str, reached: Nodes| match told.difference(&reached).find(|name| old.has(name)) {
        Some(missing) => Err(format!("{who} misses {missing}: it says {reached:?} of {told:?}")),
        None => Ok(()),
    };
    match may_reach {
        Ok(may_reach) => is_told("impact of the paths", may_reach)?,
        // Nothing is looked for there: that is an error, and no answer.
        Err(refusal) if refusal.contains(NOBODY_LOOKS) => {}
        Err(refusal) => return Err(refusal),
    }
    is_told("impact --since", commands.impact_since("HEAD")?)?;
    if !row.is_of_nodes {
        expect("diff of the working tree", &commands.diff(&["HEAD"])?, &told)?;
    }
    if !told.is_empty() {
        is_used("before the edit", &paths, &unused_before)?;
        is_used("after the edit", &paths, &commands.unused())?;
    }
    show(row, &commands, &paths);
    commands.commit();
    if !row.is_of_nodes {
        expect("diff of commits", &commands.diff(&["HEAD~1", "HEAD"])?, &told)?;
    }
    Ok(())
}

fn expect(who: &str, said: &Nodes, right: &Nodes) -> Result<(), String> {
    if said == right { Ok(()) } else { Err(format!("{who} says {said:?}, right is {right:?}")) }
}

/// An edit of a file changed something: so it is used.
fn is_used(when: &str, paths: &[String], unused: &Nodes) -> Result<(), String> {
    match paths.iter().find(|path| unused.contains(*path)) {
        Some(path) => Err(format!("{when}, unused lists {path}")),
        None => Ok(()),
    }
}

/// Sets the flag of git's index on the files that are edited.
fn hide(row: &Row, commands: &Commands, paths: &[String]) {
    for path in paths.iter().filter(|_| row.hidden_by.is_some()) {
        commands.git(&["update-index", &format!("--{}", row.hidden_by.unwrap_or_default()), path]);
    }
}

fn show(row: &Row, commands: &Commands, paths: &[String]) {
    for path in paths.iter().filter(|_| row.hidden_by.is_some()) {
        commands.git(&["update-index", &format!("--no-{}", row.hidden_by.unwrap_or_default()), path]);
    }
}

/// Folders that options name have to be there, and git knows none that is empty.
fn make_option_folders(top: &Path) {
    for name in ["facts", "conf", "enc"] {
        let _ = fs::create_dir(top.join(name));
    }
}

fn pantin() -> Command {
    Command::new(env!("CARGO_BIN_EXE_pantin"))
}
