//! Mistakes, and what becomes of nodes when these are mended: nodes whose text is as it was are restored, and others are patched from
//! their last good catalog, whatever was edited while they failed.

use std::collections::BTreeMap;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use pantin::repository::query::{Answer, HowComputed};

use super::super::random::numbers::Numbers;
use super::super::state::{Edit, State};
use super::reasons::{COMMON_YAML, data_files};
use super::{
    BASE_PP, FILES, LATE_PP, OWN_PP, ROLES, SITE, SITE_PP, STATEMENTS, THING_PP, Watched, edit_body, replace,
    repository_of,
};

const MOTD_EPP: &str = "modules/base/templates/motd.epp";
const MODE_PP: &str = "modules/base/types/mode.pp";

/// The repository of `patched`, in which a class reads data, a template and a type alias.
fn repository() -> State {
    let mut state = repository_of(SITE, &FILES, &ROLES);
    let reads = "$own = \"is ${lookup('value')}\"\n  notify { 'motd': message => epp('base/motd.epp') }\n  assert_type(Base::Mode, '0644')\n";
    let edits = [
        replace(BASE_PP, "$own = \"${greeting} from base\"\n", reads),
        write(MOTD_EPP, "hello\n"),
        write(MODE_PP, "type Base::Mode = Pattern[/^0/]\n"),
    ];
    data_files().iter().chain(&edits).for_each(|edit| state.edit(edit));
    state
}

fn write(path: &str, text: &str) -> Edit {
    Edit::Write(path.to_owned(), text.as_bytes().to_vec())
}

/// A mistake: what stands in a file while it is there.
struct Mistake {
    name: &'static str,
    path: &'static str,
    old: &'static str,
    new: &'static str,
}

const MISTAKES: [Mistake; 10] = [
    Mistake { name: "syntax of a class", path: BASE_PP, old: "include base::late", new: "include base::late }" },
    Mistake {
        name: "an error in a class",
        path: BASE_PP,
        old: "include base::late",
        new: "fail('no') include base::late",
    },
    Mistake {
        name: "an error on some nodes",
        path: OWN_PP,
        old: "$host =",
        new: "if $facts['kind'] == 'b' { fail('b') }\n  $host =",
    },
    Mistake { name: "a parameter that is none", path: LATE_PP, old: "'late'", new: "'late': messag => 1" },
    Mistake { name: "syntax of a defined type", path: THING_PP, old: "define", new: "defin" },
    Mistake { name: "syntax of data", path: COMMON_YAML, old: "value: 1", new: "wrong: [\nvalue: 1" },
    Mistake { name: "a key that is not there", path: COMMON_YAML, old: "value: 1\n", new: "" },
    Mistake { name: "syntax of a template", path: MOTD_EPP, old: "hello", new: "<%= ( %> hello" },
    Mistake { name: "a type alias that is none", path: MODE_PP, old: "Pattern[", new: "Nothing[" },
    Mistake { name: "syntax of the site's manifest", path: SITE_PP, old: "node default", new: "nod default" },
];

impl Mistake {
    fn make(&self, state: &mut State) {
        let Some(text) = state.text(self.path).filter(|text| text.contains(self.old)) else { return };
        let text = text.replacen(self.old, self.new, 1);
        state.edit(&write(self.path, &text));
    }
}

pub(super) fn trials() -> Vec<Trial> {
    let trial = |mistake: &'static Mistake| {
        Trial::test(format!("patched: mistakes: {}", mistake.name), move || is_mended(mistake))
    };
    let mut trials: Vec<Trial> = MISTAKES.iter().map(trial).collect();
    trials.push(Trial::test("patched: mistakes: nodes that begin to fail one after the other", one_after_the_other));
    trials.push(Trial::test("patched: mistakes: edits at random", at_random));
    trials
}

/// How many nodes were answered in which way.
fn ways(answers: &[Arc<Answer>]) -> BTreeMap<String, usize> {
    let mut ways = BTreeMap::new();
    answers.iter().for_each(|answer| *ways.entry(format!("{:?}", answer.how)).or_default() += 1);
    ways
}

/// Takes a mistake back: nodes are restored. Mends it after other edits: most of the nodes are patched.
fn is_mended(mistake: &Mistake) -> Result<(), Failed> {
    let before = repository();
    let mut wrong = before.clone();
    mistake.make(&mut wrong);
    let mut watched = Watched::new(&before)?;
    let affected = watched.become_state(&wrong)?;
    let failed = affected.iter().filter(|answer| answer.result.is_err()).count();
    if failed == 0 {
        return Err(format!("it is no mistake: {:?}", ways(&affected)).into());
    }
    let taken_back = watched.become_state(&before)?;
    let restored = taken_back.iter().filter(|answer| answer.how == HowComputed::Restored).count();
    if restored != failed {
        return Err(format!("taken back: {:?}", ways(&taken_back)).into());
    }
    let other = replace("modules/base/manifests/tools.pp", "'0755'", "'0700'");
    watched.become_state(&wrong)?;
    wrong.edit(&other);
    watched.become_state(&wrong)?;
    let mut after = before.clone();
    after.edit(&other);
    let mended = watched.become_state(&after)?;
    let patched = mended.iter().filter(|answer| answer.is_patched()).count();
    if mended.len() < failed || patched * 2 < failed {
        return Err(format!("mended after another edit: {:?}", ways(&mended)).into());
    }
    // With another text than before.
    watched.become_state(&wrong)?;
    after.edit(&replace(OWN_PP, "'all'", "'many'"));
    let mended = watched.become_state(&after)?;
    let patched = mended.iter().filter(|answer| answer.is_patched()).count();
    if patched * 2 < failed { Err(format!("mended with another text: {:?}", ways(&mended)).into()) } else { Ok(()) }
}

/// Each patch starts from the node's own last good catalog.
fn one_after_the_other() -> Result<(), Failed> {
    let mut state = repository();
    let mut watched = Watched::new(&state)?;
    let [some, all] = [&MISTAKES[2], &MISTAKES[1]];
    let steps: [&dyn Fn(&mut State); 6] = [
        &|state| some.make(state),
        &|state| state.edit(&replace(OWN_PP, "'all'", "'many'")),
        &|state| all.make(state),
        &|state| state.edit(&replace(LATE_PP, "'late'", "'later'")),
        &|state| state.edit(&replace(BASE_PP, "fail('no') ", "")),
        &|state| state.edit(&replace(OWN_PP, "if $facts['kind'] == 'b' { fail('b') }\n  ", "")),
    ];
    let mut last = Vec::new();
    for step in steps {
        step(&mut state);
        last.push(ways(&watched.become_state(&state)?));
    }
    let patched = |step: usize| last[step].get("Patched").copied().unwrap_or_default();
    // Two nodes are of kind b: the one is compiled, the other one patched.
    if patched(4) > 20 && patched(5) > 0 { Ok(()) } else { Err(format!("{last:?}").into()) }
}

/// Edits of bodies, data and templates at random, with mistakes that come and go meanwhile.
fn at_random() -> Result<(), Failed> {
    let mut numbers = Numbers::new(57);
    let (mut restored, mut patched, mut mended) = (0, 0, 0);
    for _ in 0..LIVES {
        let mut clean = repository();
        let mut mistakes: Vec<&Mistake> = Vec::new();
        let mut watched = Watched::new(&clean)?;
        for _ in 0..STEPS {
            let before = clean.clone();
            match numbers.below(if mistakes.is_empty() { 5 } else { 8 }) {
                0 => edit_values(&mut clean, &mut numbers),
                1 | 2 => {
                    let path = numbers.pick(&[BASE_PP, OWN_PP, LATE_PP, THING_PP]);
                    edit_body(&mut clean, path, &mut numbers, &STATEMENTS);
                }
                3 | 4 => mistakes.push(&MISTAKES[numbers.below(MISTAKES.len())]),
                _ => drop(mistakes.swap_remove(numbers.below(mistakes.len()))),
            }
            let mut state = clean.clone();
            mistakes.iter().for_each(|mistake| mistake.make(&mut state));
            let failed: Vec<_> =
                watched.last.iter().filter(|last| last.result.is_err()).map(|last| last.node.clone()).collect();
            let answers = watched.become_state(&state)?;
            let good = answers.iter().filter(|answer| answer.result.is_ok() && failed.contains(&answer.node));
            for answer in good {
                mended += 1;
                restored += usize::from(answer.how == HowComputed::Restored);
                patched += usize::from(answer.is_patched());
            }
            // An edit that is a mistake itself is taken back.
            if mistakes.is_empty() && watched.last.iter().any(|answer| answer.result.is_err()) {
                clean = before;
            }
        }
    }
    println!("{restored} restored and {patched} patched of {mended} mended");
    let are_many = (restored + patched) * 4 > mended;
    if restored > 0 && patched > 0 && are_many {
        Ok(())
    } else {
        Err(format!("{restored} and {patched} of {mended}").into())
    }
}

const LIVES: usize = 6;
const STEPS: usize = 40;

/// A value of data, or a line of a template, is another one.
fn edit_values(state: &mut State, numbers: &mut Numbers) {
    let path = numbers.pick(&[COMMON_YAML, MOTD_EPP]);
    let number = numbers.below(5);
    let text = match path {
        COMMON_YAML => format!("value: 1\nother: {number}\nhost: 'on %{{facts.kind}}'\nown: {number}\n"),
        _ => format!("hello {number}\n"),
    };
    state.edit(&write(path, &text));
}
