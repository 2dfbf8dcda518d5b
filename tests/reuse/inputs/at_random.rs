//! `pantin impact` before edits at random of code, data, facts, settings, `pantin.toml` and files that agents fetch: whoever comes to
//! something else afterwards was named.

use libtest_mimic::{Failed, Trial};

use super::super::edits::generate;
use super::super::kinds::{remove, replace, repository, write};
use super::super::random::numbers::Numbers;
use super::super::state::{Edit, Folder, State};
use super::super::ways::OPTIONS;
use super::commands::{Commands, Compiled, compiled};
use super::{NOBODY_LOOKS, Nodes, make_option_folders, paths_between};

const STEPS: usize = 60;
const SEED: u64 = 20_261_129;

/// A file that agents fetch, where it lies, and by which source.
const SERVED: &str = "modules/web/files/served";
const SOURCE: &str = "puppet:///modules/web/served";

const CONFIGURATION: [&str; 8] = [
    "strict = \"off\"\n",
    "strict = \"error\"\n",
    "puppet = \"7\"\n",
    "modulepath = [\"modules\"]\n",
    "modulepath = [\"site\", \"modules\"]\n",
    "basemodulepath = [\"more\"]\n",
    "# nothing\n",
    "= nothing\n",
];

const SETTINGS: [&str; 6] = [
    "strict = off",
    "strict_variables = false",
    "runinterval = 7",
    "storeconfigs = false",
    "environment = other",
    "= x",
];

const FACTS: [(&str, &str); 5] = [
    ("place: ams", "place: osl"),
    ("place: osl", "place: ams"),
    ("uptime: 100", "uptime: 101"),
    ("total: 64", "total: 65"),
    ("pp_role: web", "pp_role: db"),
];

pub(super) fn trial() -> Trial {
    Trial::test(format!("inputs: impact before {STEPS} edits at random"), || run().map_err(Failed::from))
}

fn edit(state: &State, first: &State, numbers: &mut Numbers) -> Edit {
    let number = numbers.below(100);
    match numbers.below(9) {
        0 => write("pantin.toml", numbers.pick(&CONFIGURATION)),
        1 => remove("pantin.toml"),
        2 => write("conf/puppet.conf", &format!("[main]\nstoreconfigs = true\n{}\n", numbers.pick(&SETTINGS))),
        3 => write(SERVED, &format!("{number}\n")),
        4 => {
            let (old, new) = numbers.pick(&FACTS);
            replace(&format!("facts/{}.yaml", numbers.pick(&["db1", "web1", "web2"])), old, new)
        }
        _ => generate::edit(state, first, numbers),
    }
}

fn run() -> Result<(), String> {
    let mut numbers = Numbers::new(SEED);
    let mut first = repository();
    first.edit(&write(SERVED, "one\n"));
    let source = format!("file {{ '/served': source => '{SOURCE}' }}\n  gadget");
    first.edit(&replace("modules/web/manifests/init.pp", "gadget", &source));
    let mut state = first.clone();
    let mut folder = Folder::of(&state);
    let top = folder.path();
    make_option_folders(&top);
    let commands = Commands::new(OPTIONS, &top);
    commands.git(&["init", "--quiet", "--initial-branch=main"]);
    commands.commit();
    let mut old = compiled(OPTIONS, &top);
    let mut changed = 0;
    for step in 0..STEPS {
        let mut after = state.clone();
        after.edit(&edit(&state, &first, &mut numbers));
        // What is broken is mended soon.
        if old.failures() > 1 || old.is_empty() {
            after = first.clone();
        }
        let paths = paths_between(&state, &after);
        if paths.is_empty() {
            continue;
        }
        let may_reach = commands.impact(&paths);
        folder.become_state(&after);
        make_option_folders(&top);
        let new = compiled(OPTIONS, &top);
        let right = changes(&state, &after, &old, &new);
        changed += right.len();
        let described = |reason: String| {
            let edits: String = state.edits_to(&after).iter().map(|edit| format!("\n  {edit}")).collect();
            format!("step {step}: {reason}; the edits:{edits}")
        };
        let is_unreadable = old.is_empty() || new.is_empty();
        judge("impact of the paths", may_reach, &right, is_unreadable).map_err(described)?;
        judge("impact --since", commands.impact_since("HEAD"), &right, is_unreadable).map_err(described)?;
        commands.commit();
        (state, old) = (after, new);
    }
    if changed > STEPS / 2 { Ok(()) } else { Err(format!("{changed} nodes changed: that shows nothing")) }
}

/// Returns the nodes that come to something else, or are sent another file.
fn changes(before: &State, after: &State, old: &Compiled, new: &Compiled) -> Nodes {
    let mut changes = old.changes(new);
    if before.bytes(SERVED) != after.bytes(SERVED) {
        changes.extend(old.names().filter(|name| old.says(name, SOURCE) && new.says(name, SOURCE)));
    }
    // A node that is to come has no answer that could be asked.
    changes.retain(|name| old.has(name));
    changes
}

/// `is_unreadable`: the repository cannot be opened before the edit, or after it.
fn judge(who: &str, said: Result<Nodes, String>, right: &Nodes, is_unreadable: bool) -> Result<(), String> {
    match said {
        // A repository that cannot be opened says so itself.
        _ if is_unreadable => Ok(()),
        Ok(said) => match right.difference(&said).next() {
            Some(missing) => Err(format!("{who} misses {missing}: it says {said:?} of {right:?}")),
            None => Ok(()),
        },
        Err(refusal) if refusal.contains(NOBODY_LOOKS) && right.is_empty() => Ok(()),
        Err(refusal) => Err(format!("{who}: {refusal}")),
    }
}
