//! Nodes that come to the same in ways of their own: what is learnt of one of them is not all of it true of another.

use super::super::state::{Edit, State};
use super::{Row, Watched, holds_of, put_nodes, second_ones_compiled};
use libtest_mimic::{Failed, Trial};

/// Two nodes of each role; of the role `plain` there are two kinds.
const ROLES: [(&str, &str); 6] = [
    ("aware", "notify { 'aware': message => file('one/told') }\n  include one, two"),
    ("far", "\n\n  notify { 'far': }"),
    ("keeping", "include one\n  notify { 'needed': }"),
    ("losing", "include one\n  notify { 'needed': }\n  notify { 'other': }"),
    ("near", "notify { 'near': }"),
    ("plain", "include one, two"),
];

const SITE: &str = "node default { include \"role::${facts['role']}\" }\n";

const FILES: [(&str, &str); 4] = [
    (ONE_PP, "class one {\n  notify { 'one': message => \"on ${facts['host']}\" }\n}\n"),
    (
        TWO_PP,
        "class two {
  if $facts['kind'] == 'a' { notify { 'kind': } } else { notify { 'kind': } }
  notify { 'two': message => 'none' }
}
",
    ),
    (TOLD, "first\n"),
    ("environment.conf", "modulepath = modules\n"),
];

const ONE_PP: &str = "modules/one/manifests/init.pp";
const TWO_PP: &str = "modules/two/manifests/init.pp";
const TOLD: &str = "modules/one/files/told";

fn repository() -> State {
    let mut state = State::default();
    let mut put = |path: &str, text: &str| state.edit(&Edit::Write(path.to_owned(), text.as_bytes().to_vec()));
    put("manifests/site.pp", SITE);
    FILES.iter().for_each(|(path, text)| put(path, text));
    put_nodes(&mut state, &ROLES);
    state
}

fn replace(path: &str, old: &str, new: &str) -> Edit {
    Edit::Replace { path: path.to_owned(), old: old.to_owned(), new: new.to_owned() }
}

fn of_role(role: &str, old: &str, new: &str) -> Edit {
    replace(&format!("modules/role/manifests/{role}.pp"), old, new)
}

fn rows() -> Vec<Row> {
    let row = |name, edits: &[Edit], doubts| Row { name, edits: edits.to_vec(), doubts };
    vec![
        row(
            "the same comes, of two files",
            &[
                of_role("far", "'far': }", "'far': }\n  notify { 'same': }"),
                of_role("near", "'near': }", "'near': }\n  notify { 'same': }"),
            ],
            "",
        ),
        row(
            "the same comes, in two branches",
            &[replace(
                TWO_PP,
                "{ notify { 'kind': } } else { notify { 'kind': } }",
                "{ notify { 'kind': } notify { 'same': } }\n  else { notify { 'kind': } notify { 'same': } }",
            )],
            "",
        ),
        row("two branches on a line of their own", &[replace(TWO_PP, " else", "\n  else")], ""),
        row(
            "two branches on a line of their own, otherwise",
            &[replace(
                TWO_PP,
                "{ notify { 'kind': } } else { notify { 'kind': } }",
                "{ notify { 'kind': message => 'k' } }\n  else { notify { 'kind': message => 'k' } }",
            )],
            "",
        ),
        row(
            "something comes that needs what goes on some nodes",
            &[
                replace(ONE_PP, "'one':", "'new': require => Notify['needed'] }\n  notify { 'one':"),
                of_role("losing", "  notify { 'needed': }\n", ""),
            ],
            "aware b losing plain",
        ),
    ]
}

pub(super) fn trials() -> Vec<Trial> {
    let one = |row: Row| Trial::test(format!("patched: apart: {}", row.name), move || holds_of(repository(), &row));
    let mut trials: Vec<Trial> = rows().into_iter().map(one).collect();
    trials.push(Trial::test("patched: apart: a file that is asked for anew is edited", asked_for_anew));
    trials
}

/// Of those that learn it from others one has asked for the file already, and one has another edited body before that.
fn asked_for_anew() -> Result<(), Failed> {
    let mut state = repository();
    let mut watched = Watched::new(&state)?;
    state.edit(&replace(ONE_PP, "on $", "here, on $"));
    state.edit(&replace(TWO_PP, "'none'", "file('one/told')"));
    let compiled = second_ones_compiled(&watched.become_state(&state)?);
    if !compiled.is_empty() {
        return Err(format!("{compiled} was compiled as well").into());
    }
    state.edit(&Edit::Write(TOLD.to_owned(), b"second\n".to_vec()));
    watched.become_state(&state).map(drop)
}
