//! Edits after which something is equal to what was there before, or to what another node has, in all but one thing: a
//! resource, an instance of a defined type, an answer of the disk.

use super::{Edit, Kind, kind, link, rename, replace, write};

const DB: &str = "modules/db/manifests/init.pp";
const CONF: &str = "conf/puppet.conf";

/// One more thing in the class of the database, all of it in one line.
fn in_db(code: &str) -> Edit {
    replace(DB, "  file {", &format!("  {code}\n  file {{"))
}

/// A resource in the class of the database becomes another.
fn twin(name: &'static str, code: &str, old: &str, new: &str) -> Kind {
    kind(name).before(in_db(code)).edit(replace(DB, old, new)).asks("db1").runs("db1: db").changes("db1")
}

/// One more manifest for all nodes, in which web1 has something else than the others, of the same name.
fn other_on_web1(name: &'static str, of_web1: &str, of_others: &str, code: &str) -> Kind {
    let chosen = format!("$it = $trusted['certname'] ? {{ 'web1' => {of_web1}, default => {of_others} }}");
    let all = kind(name).edit(write("manifests/more.pp", &format!("{chosen}\n{code}\n")));
    let ran = |kind: Kind, node| kind.runs(&format!("{node}: main manifests/more.pp"));
    ["db1", "web1", "web2"].into_iter().fold(all.asks("db1 web1 web2").changes("db1 web1 web2"), ran)
}

pub(super) fn table() -> Vec<Kind> {
    vec![
        other_on_web1("another value on one node", "'one'", "'other'", "notify { 'twin': message => $it }"),
        other_on_web1("another parameter on one node", "'owner'", "'group'", "file { '/twin': * => { $it => 'ann' } }"),
        other_on_web1("secret on one node", "Sensitive('told')", "'told'", "notify { 'twin': message => $it }"),
        // A number is no tag, and a text is one: both are tagged with it here, so that nothing tells them apart beside that.
        other_on_web1(
            "a title that is a number on one node",
            "1",
            "'1'",
            "create_resources('notify', { $it => { tag => '1' } })",
        ),
        other_on_web1(
            "exported on one node",
            "'@@notify'",
            "'@notify'",
            "create_resources($it, { 'twin' => {} }) Notify <| title == 'twin' |>",
        ),
        other_on_web1(
            "elsewhere on one node",
            "true",
            "false",
            "if $it { notify { 'twin': } }\nelse { notify { 'twin': } }",
        ),
        twin("of another type", "user { 'twin': tag => ['group', 'user'] }", "user { 'twin'", "group { 'twin'"),
        twin("exported or not", "@@notify { 'twin': } Notify <| title == 'twin' |>", "@@notify", "@notify"),
        twin("with another parameter", "file { '/twin': owner => 'ann' }", "owner =>", "group =>"),
        twin("secret or not", "notify { 'twin': message => 'told' }", "'told'", "Sensitive('told')"),
        kind("in another file")
            .before(write("manifests/more.pp", "notify { 'twin': }"))
            .edit(rename("manifests/more.pp", "manifests/other.pp"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/other.pp")
            .changes("db1 web1 web2")
            .says("db1", "manifests/other.pp"),
        kind("an instance of another title fails in the same way")
            .before(replace("modules/web/manifests/init.pp", "port => $port", "port => 'none', root => '/srv'"))
            .edit(replace("data/places/ams.yaml", "blog", "wiki"))
            .asks("web1")
            .runs("web1: web, web::host")
            .changes("web1")
            .says("web1", "Web::Host[wiki]"),
        kind("an environment that is a link leads to another folder")
            .before(replace(
                CONF,
                "[main]",
                "[main]\nenvironmentpath = $confdir/../envs\nversioned_environment_dirs = true",
            ))
            .before(write("envs/v1/manifests/site.pp", "notify { 'first': }"))
            .before(write("envs/v2/manifests/site.pp", "notify { 'second': }"))
            .before(link("envs/testing", "v1"))
            .before(write("enc/web1.yaml", "classes: {}\nenvironment: testing\n"))
            .edit(link("envs/testing", "v2"))
            .asks("web1")
            .runs("web1: main envs/v2/manifests/site.pp")
            .changes("web1")
            .says("web1", "second"),
        kind("what is not there cannot be read")
            .before(super::remove("environment.conf"))
            .edit(write("environment.conf/x", ""))
            .asks("db1 web1 web2")
            .changes("db1 web1 web2")
            .says("db1", "Is a directory"),
    ]
}
