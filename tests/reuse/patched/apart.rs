//! Nodes that come to the same in ways of their own: what is learnt of one of them is not all of it true of another.

use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use pantin::repository::query::Answer;

use super::super::random::numbers::Numbers;
use super::super::state::{Edit, State};
use super::{Row, Watched, edit_body, holds_of, live, replace, repository_of, row_of as row, second_ones_compiled};

/// Two nodes of each role; of the role `plain` there are two kinds.
const ROLES: [(&str, &str); 7] = [
    ("aware", "notify { 'aware': message => file('one/told') }\n  own { 'aware': a => 1 }\n  include one, two, named"),
    ("far", "\n\n  notify { 'far': }"),
    ("keeping", "include one\n  notify { 'needed': }"),
    ("losing", "include one\n  notify { 'needed': }\n  notify { 'other': }"),
    ("named", "include named::heir"),
    ("near", "notify { 'near': message => \"${said} ${of_node}\" }"),
    (
        "plain",
        "include one, two, three, four\n  if $facts['kind'] == 'a' { notify { 'told': message => file('one/told') } }",
    ),
];

const SITE: &str = "$said = lookup('said')
node default {
  $of_node = lookup('of_node')
  include fan
}
";

const FILES: [(&str, &str); 12] = [
    (FOUR_PP, "class four {\n  notify { 'four': message => 'none' }\n}\n"),
    (OWN_RB, OWN),
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
    (
        THREE_PP,
        "class three {
  if $facts['kind'] == 'b' { Notify { withpath => true } }
  notify { 'three': message => 'none', withpath => true }
}
",
    ),
    (TOLD, "first\n"),
    ("environment.conf", "modulepath = modules\n"),
];

const ONE_PP: &str = "modules/one/manifests/init.pp";
const TWO_PP: &str = "modules/two/manifests/init.pp";
const THREE_PP: &str = "modules/three/manifests/init.pp";
const FOUR_PP: &str = "modules/four/manifests/init.pp";
/// A type of a module, of which nearly no node has anything.
const OWN: &str = "Puppet::Type.newtype(:own) do
  newparam(:name, namevar: true)
  newparam(:a)
end
";

const OWN_RB: &str = "modules/one/lib/puppet/type/own.rb";
const COMMON_YAML: &str = "data/common.yaml";
const TOLD: &str = "modules/one/files/told";

fn repository() -> State {
    repository_of(SITE, &FILES, &ROLES)
}

fn of_role(role: &str, old: &str, new: &str) -> Edit {
    replace(&format!("modules/role/manifests/{role}.pp"), old, new)
}

/// All second ones.
const ALL: &str = "aware b far keeping losing named near plain";

fn rows() -> Vec<Row> {
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
        row(
            "something comes that the body itself gives defaults on some nodes",
            &[replace(THREE_PP, "notify {", "notify { 'new': }\n  notify {")],
            "",
        ),
        row(
            "a parameter goes that the body itself gives on some nodes",
            &[replace(THREE_PP, ", withpath => true }\n}", " }\n}")],
            "",
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
    trials.push(Trial::test("patched: apart: a type of what comes is edited", of_new_type));
    trials.push(Trial::test("patched: apart: code of a node that others learn from is edited", of_own_files));
    trials.push(Trial::test("patched: apart: edits at random", at_random));
    trials
}

/// Of those that learn it from others one has asked for the file already, and one has another edited body before that.
fn asked_for_anew() -> Result<(), Failed> {
    let told = |path| replace(path, "'none'", "file('one/told')");
    for edits in [vec![replace(ONE_PP, "on $", "here, on $"), told(TWO_PP)], vec![told(FOUR_PP)]] {
        let mut state = repository();
        let mut watched = Watched::new(&state)?;
        edits.iter().for_each(|edit| state.edit(edit));
        let compiled = second_ones_compiled(&watched.become_state(&state)?);
        if !compiled.is_empty() {
            return Err(format!("{compiled} was compiled as well").into());
        }
        state.edit(&Edit::Write(TOLD.to_owned(), b"second\n".to_vec()));
        watched.become_state(&state)?;
    }
    Ok(())
}

/// Of those that learn it from others one has something of the type already.
fn of_new_type() -> Result<(), Failed> {
    let mut state = repository();
    let mut watched = Watched::new(&state)?;
    state.edit(&replace(TWO_PP, "notify { 'two'", "own { 'two': a => 2 }\n  notify { 'two'"));
    let compiled = second_ones_compiled(&watched.become_state(&state)?);
    if !compiled.is_empty() {
        return Err(format!("{compiled} was compiled as well").into());
    }
    state.edit(&replace(OWN_RB, "(:a)", "(:b)"));
    watched.become_state(&state).map(drop)
}

/// All nodes learn of one, a file asked for anew and a type among it; then code of its role is edited.
fn of_own_files() -> Result<(), Failed> {
    let mut state = repository();
    let five = "modules/five/manifests/init.pp";
    state.edit(&Edit::Write(five.to_owned(), b"class five {\n  notify { 'five': }\n}\n".to_vec()));
    state.edit(&replace("modules/fan/manifests/init.pp", "class fan {", "class fan {\n  include five"));
    let mut watched = Watched::new(&state)?;
    let come = "user { 'come': comment => file('one/told') }\n  notify { 'five'";
    state.edit(&replace(five, "notify { 'five'", come));
    let learnt = watched.become_state(&state)?;
    state.edit(&of_role("aware", "'aware':", "'aware' :"));
    let asked = watched.become_state(&state)?;
    let names = |answers: &[Arc<Answer>]| answers.iter().map(|answer| answer.node.to_string()).collect::<Vec<_>>();
    let compiled: Vec<_> = learnt.iter().filter(|answer| !answer.is_patched()).cloned().collect();
    match (names(&compiled), names(&asked)) {
        (compiled, asked) if compiled == ["aware-a1"] && asked == ["aware-a1", "aware-a2"] => Ok(()),
        (compiled, asked) => Err(format!("compiled: {compiled:?}, then asked: {asked:?}").into()),
    }
}

/// What is put into bodies at random; `{}` is a number.
const STATEMENTS: [&str; 19] = [
    "notify { 's{}': }",
    "notify { 's{}': message => 'm{}' }",
    "notify { 's{}': message => 'none', withpath => true }",
    "file { '/s/{}': mode => '06{}0' }",
    "if $facts['kind'] == 'a' { notify { 's{}': } } else { notify { 's{}': } }",
    "if $facts['kind'] == 'a' { notify { 's{}': message => 'x' } }\n  else { notify { 's{}': message => 'x' } }",
    "if $facts['host'] =~ /1/ { notify { 's{}': } }",
    "notify { 'needs{}': require => Notify['s{}'] }",
    "notify { 'needed{}': before => File['/s/{}'] }",
    "notify { 'told{}': message => file('one/told{}') }",
    "$v{} = {}",
    "$v{} = lookup('said')",
    "notify { 'v{}': message => \"${getvar('named::v{}')} ${getvar('two::v{}')} ${getvar('of_node')}\" }",
    "notify { 'said{}': message => \"${said} ${lookup('of_node')}\" }",
    "notify { 'names{}': message => inline_template('<%= instance_variables.include?(:@v{}) %>') }",
    "unless defined(Notify['s{}']) { notify { 's{}': } }",
    "Notify { withpath => false }",
    "if $facts['kind'] == 'b' { Notify { withpath => true } }",
    "include named",
];

/// What is put into data at random.
const VALUES: [&str; 8] = [
    "said: {}",
    "said: \"%{facts.kind} {}\"",
    "of_node: {}",
    "of_node: \"%{lookup('said')} {}\"",
    "named::extra: {}",
    "named::extra: \"%{alias('said')}\"",
    "named::other: {}",
    "named::other: \"%{::said}\"",
];

/// One edit after the other, or two at once, of bodies, of data, and of files that code asks for.
fn at_random() -> Result<(), Failed> {
    let roles = ["aware", "far", "keeping", "near", "plain"].map(|role| format!("modules/role/manifests/{role}.pp"));
    let named = ["modules/named/manifests/init.pp", "modules/named/manifests/heir.pp"];
    let bodies: Vec<&str> =
        [ONE_PP, TWO_PP, THREE_PP].into_iter().chain(named).chain(roles.iter().map(String::as_str)).collect();
    let edit = |state: &mut State, numbers: &mut Numbers| match numbers.below(8) {
        0 => {
            let (path, text) = (format!("{TOLD}{}", numbers.below(4)), format!("{}\n", numbers.below(4)));
            state.edit(&Edit::Write(path.clone(), text.clone().into_bytes()));
            format!("{path}: {text}")
        }
        1 | 2 => edit_data(state, numbers),
        _ => edit_body(state, numbers.pick(&bodies), numbers, &STATEMENTS),
    };
    let beginning = || {
        let mut state = repository();
        (0..4).for_each(|number| state.edit(&Edit::Write(format!("{TOLD}{number}"), b"told\n".to_vec())));
        state
    };
    live(&beginning, &mut Numbers::new(79), |state, numbers| {
        let first = edit(state, numbers);
        if numbers.below(2) == 0 { first } else { format!("{first}{}", edit(state, numbers)) }
    })
}

fn edit_data(state: &mut State, numbers: &mut Numbers) -> String {
    let value = numbers.pick(&VALUES).replace("{}", &numbers.below(3).to_string());
    let key = format!("{}: ", value.split(": ").next().unwrap_or_default());
    let lines = state.text(COMMON_YAML).unwrap_or_default().lines().filter(|line| !line.starts_with(&key));
    let text = lines.map(|line| format!("{line}\n")).collect::<String>() + &value + "\n";
    state.edit(&Edit::Write(COMMON_YAML.to_owned(), text.clone().into_bytes()));
    format!("{COMMON_YAML}:\n{text}")
}
