//! Nodes that come to the same in ways of their own: what is learnt of one of them is not all of it true of another.

use super::super::state::{Edit, State};
use super::{Row, Watched, holds_of, put_nodes, second_ones_compiled};
use libtest_mimic::{Failed, Trial};

/// Two nodes of each role; of the role `plain` there are two kinds.
const ROLES: [(&str, &str); 7] = [
    ("aware", "notify { 'aware': message => file('one/told') }\n  include one, two, named"),
    ("far", "\n\n  notify { 'far': }"),
    ("keeping", "include one\n  notify { 'needed': }"),
    ("losing", "include one\n  notify { 'needed': }\n  notify { 'other': }"),
    ("named", "include named::heir"),
    ("near", "notify { 'near': message => \"${said} ${of_node}\" }"),
    ("plain", "include one, two"),
];

const SITE: &str = "$said = lookup('said')
node default {
  $of_node = lookup('of_node')
  include fan
}
";

const FILES: [(&str, &str); 9] = [
    ("modules/fan/manifests/init.pp", "class fan {\n  include \"role::${facts['role']}\"\n}\n"),
    (
        "modules/named/manifests/init.pp",
        "class named($extra = undef, $other = 1) {\n  notify { 'named': message => 'none' }\n}\n",
    ),
    (
        "modules/named/manifests/heir.pp",
        "class named::heir inherits named {
  notify { 'heir': message => inline_template('<%= instance_variables.include?(:@extra) %>') }
}
",
    ),
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - { name: all, path: common.yaml, data_hash: yaml_data, datadir: data }\n",
    ),
    (COMMON_YAML, "said: 1\nof_node: 1\nnamed::other: 1\n"),
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
const COMMON_YAML: &str = "data/common.yaml";
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

/// All second ones.
const ALL: &str = "aware b far keeping losing named near plain";

fn rows() -> Vec<Row> {
    let row = |name, edits: &[Edit], doubts| Row { name, edits: edits.to_vec(), doubts };
    vec![
        row(
            "the same comes, of two files",
            &[
                of_role("far", "'far': }", "'far': }\n  notify { 'same': }"),
                of_role("near", "notify { 'near'", "notify { 'same': }\n  notify { 'near'"),
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
        row("a variable at the top that data says", &[replace(COMMON_YAML, "said: 1", "said: 2")], ALL),
        row("a variable of a node block that data says", &[replace(COMMON_YAML, "of_node: 1", "of_node: 2")], ALL),
        row(
            "a variable of a class, of which the names are asked for",
            &[replace(COMMON_YAML, "other: 1", "other: 2")],
            "",
        ),
        row(
            "a variable that comes, of a class of which the names are asked for",
            &[replace(COMMON_YAML, "named::other: 1", "named::extra: 1")],
            "named",
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
