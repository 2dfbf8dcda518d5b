//! Collectors that ask for tags: a node is compiled if what an edit adds, takes away or changes has one of the tags, and patched
//! otherwise.

use libtest_mimic::{Failed, Trial};

use super::super::random::numbers::Numbers;
use super::super::state::{Edit, State};
use super::{Row, edit_body, holds_of, live, replace, repository_of, row_of as row};

/// Two nodes of each role; of the role `plain` there are two kinds.
const ROLES: [(&str, &str); 9] = [
    ("plain", "include base"),
    // Nothing has this tag.
    ("unmatched", "include base\n  File <| tag == 'elsewhere' |> -> Notify <| tag == 'elsewhere' |>"),
    // All that the class declares has the tag of its name; a resource has those of its type and title.
    ("class", "include base\n  File <| tag == 'base' |> -> Notify['end']\n  notify { 'end': }"),
    ("title", "include base\n  File <| tag == 'motd' |> -> Notify['end']\n  notify { 'end': }"),
    ("setting", "include base\n  File <| tag == 'base' |> { owner => 'me' }"),
    ("parameter", "include base\n  File <| tag == 'base' and mode == '0600' |> -> Notify['end']\n  notify { 'end': }"),
    (
        "either",
        "include base\n  File <| tag == 'elsewhere' or tag == 'marked' |> -> Notify['end']\n  notify { 'end': }",
    ),
    // The parameter is read before the tag.
    ("first", "include base\n  File <| mode == '0600' and tag == 'elsewhere' |> -> Notify['end']\n  notify { 'end': }"),
    // What the class contains matches a tag that only this one gets, and gets it late.
    ("late", "include base\n  tag('lately')\n  File <| tag == 'lately' |> -> Notify['end']\n  notify { 'end': }"),
];

const FILES: [(&str, &str); 2] = [
    (
        BASE_PP,
        "class base {
  file { '/etc/motd': content => 'none', tag => 'motd' }
  file { '/etc/issue': content => 'all', mode => '0600' }
  package { 'ntp': }
}
",
    ),
    ("environment.conf", "modulepath = modules\n"),
];

const BASE_PP: &str = "modules/base/manifests/init.pp";

fn repository() -> State {
    repository_of(super::SITE, &FILES, &ROLES)
}

fn edit(old: &str, new: &str) -> Edit {
    replace(BASE_PP, old, new)
}

fn rows() -> Vec<Row> {
    vec![
        row(
            "tags: a resource more",
            &[edit("package", "file { '/new': }\n  package")],
            "class first late parameter setting",
        ),
        row(
            "tags: a resource more with a tag",
            &[edit("package", "file { '/new': tag => 'marked' }\n  package")],
            "class either first late parameter setting",
        ),
        row("tags: a resource more of another type", &[edit("package", "notify { 'new': }\n  package")], ""),
        row(
            "tags: a resource less",
            &[edit("file { '/etc/issue': content => 'all', mode => '0600' }\n", "\n")],
            "class first late parameter setting",
        ),
        row(
            "tags: a resource less with a tag",
            &[edit("file { '/etc/motd': content => 'none', tag => 'motd' }\n", "\n")],
            "class first late parameter setting title",
        ),
        row("tags: another value", &[edit("'none'", "'some'")], "first parameter setting"),
        row("tags: another value of what a query reads", &[edit("'0600'", "'0644'")], "first parameter setting"),
    ]
}

/// What is put into the body at random; `{}` is a number.
const STATEMENTS: [&str; 6] = [
    "file { '/s/{}': }",
    "file { '/s/{}': mode => '0600' }",
    "file { '/t/{}': tag => 'marked' }",
    "file { '/t/{}': tag => ['elsewhere', 'more'] }",
    "notify { 's{}': tag => 'elsewhere' }",
    "package { 'p{}': }",
];

fn at_random() -> Result<(), Failed> {
    live(&repository, &mut Numbers::new(83), |state, numbers| edit_body(state, BASE_PP, numbers, &STATEMENTS))
}

pub(super) fn trials() -> Vec<Trial> {
    let one = |row: Row| Trial::test(format!("patched: {}", row.name), move || holds_of(repository(), &row));
    let mut trials: Vec<Trial> = rows().into_iter().map(one).collect();
    trials.push(Trial::test("patched: tags, edits at random", at_random));
    trials
}
