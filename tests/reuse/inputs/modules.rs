//! A module arrives, goes, or is shadowed by one of the same name earlier in the module path, for each kind of file that a
//! module brings.

use super::super::kinds::{link, remove, rename, replace, write};
use super::{Edit, Row, row};

const TYPE: &str = "Puppet::Type.newtype(:thing) do\n  newparam(:name, namevar: true)\n  newproperty(:size)\nend\n";
const OLD_FUNCTION: &str =
    "module Puppet::Parser::Functions\n  newfunction(:thing, type: :rvalue) do |args|\n    'WORD'\n  end\nend\n";
const FUNCTION: &str = "Puppet::Functions.create_function(:'thing::f') do\n  def f\n    'WORD'\n  end\nend\n";

/// A kind of file that a module brings: what it is, its path in the module, its text with a WORD in it, and a use of it.
const FILES: [(&str, &str, &str, &str); 8] = [
    ("a class", "manifests/init.pp", "class thing { notify { 'WORD': } }", "include thing"),
    ("a defined type", "manifests/it.pp", "define thing::it { notify { 'WORD': } }", "thing::it { 'x': }"),
    ("a function in Puppet", "functions/f.pp", "function thing::f() { 'WORD' }", "notify { \"it is ${thing::f()}\": }"),
    ("a function in Ruby", "lib/puppet/functions/thing/f.rb", FUNCTION, "notify { \"it is ${thing::f()}\": }"),
    ("a type alias", "types/t.pp", "type Thing::T = Enum['WORD']", "notify { \"it is ${'WORD' =~ Thing::T}\": }"),
    ("a template", "templates/t.epp", "WORD", "notify { \"it is ${epp('thing/t.epp')}\": }"),
    ("a file", "files/f", "WORD", "notify { \"it is ${file('thing/f')}\": }"),
    (
        "an older function in Ruby",
        "lib/puppet/parser/functions/thing.rb",
        OLD_FUNCTION,
        "notify { \"it is ${thing()}\": }",
    ),
];

/// A statement of the class `db`.
fn in_db(statement: &str) -> Edit {
    replace("modules/db/manifests/init.pp", "  file", &format!("  {statement}\n  file"))
}

pub(super) fn table() -> Vec<Row> {
    let mut all: Vec<Row> = FILES.into_iter().flat_map(of_file).collect();
    all.extend(types());
    all.extend(others());
    all
}

fn of_file((kind, path, text, usage): (&'static str, &'static str, &'static str, &'static str)) -> Vec<Row> {
    let named = |what: &str| -> &'static str { format!("a module {what}: {kind}").leak() };
    let file = |folder: &str, word: &str| write(&format!("{folder}/thing/{path}"), &text.replace("WORD", word));
    let used = || in_db(&usage.replace("WORD", "one"));
    let mut rows = vec![
        row(named("arrives")).before(used()).edit(file("modules", "one")).changes("db1"),
        row(named("goes")).before(used()).before(file("modules", "one")).edit(remove("modules/thing")).changes("db1"),
        row(named("is linked"))
            .before(used())
            .before(file("elsewhere", "one"))
            .edit(link("modules/thing", "../elsewhere/thing"))
            .changes("db1"),
    ];
    // An older function of a shadowed module is found first or last, as its folder stands in the path.
    if !kind.starts_with("an older") {
        rows.push(
            row(named("shadows"))
                .before(used())
                .before(file("modules", "one"))
                .edit(file("site", "two"))
                .changes("db1"),
        );
        rows.push(
            row(named("shadows no more"))
                .before(used())
                .before(file("modules", "one"))
                .before(file("site", "two"))
                .edit(remove("site/thing"))
                .changes("db1"),
        );
        rows.push(
            row(named("without it shadows"))
                .before(used())
                .before(file("modules", "one"))
                .edit(write("site/thing/metadata.json", "{}"))
                .changes("db1"),
        );
    }
    rows
}

/// Types are found in every `lib` of the module path, also of modules that are shadowed.
fn types() -> Vec<Row> {
    let used = || in_db("thing { 'x': size => 1 }");
    let other = TYPE.replace("size", "width");
    vec![
        row("a module arrives: a type in Ruby")
            .before(used())
            .edit(write("modules/aaa/lib/puppet/type/thing.rb", TYPE))
            .changes("db1"),
        row("a module moves into the path: a type in Ruby")
            .before(used())
            .before(write("elsewhere/aaa/lib/puppet/type/thing.rb", TYPE))
            .edit(rename("elsewhere/aaa", "modules/aaa"))
            .changes("db1"),
        row("a module goes: a type in Ruby")
            .before(used())
            .before(write("modules/aaa/lib/puppet/type/thing.rb", TYPE))
            .edit(remove("modules/aaa"))
            .changes("db1"),
        row("a module that is shadowed brings a type in Ruby")
            .before(used())
            .before(write("site/aaa/manifests/init.pp", "class aaa {}"))
            .edit(write("modules/aaa/lib/puppet/type/thing.rb", TYPE))
            .changes("db1"),
        row("a folder that is no module brings a type in Ruby")
            .before(used())
            .edit(write("modules/bad-name/lib/puppet/type/thing.rb", TYPE))
            .changes("db1"),
        row("a module earlier in the path brings the same type in Ruby")
            .before(used())
            .before(write("modules/aaa/lib/puppet/type/thing.rb", TYPE))
            .edit(write("site/bbb/lib/puppet/type/thing.rb", &other))
            .changes("db1"),
    ]
}

fn others() -> Vec<Row> {
    vec![
        row("a module arrives: a library in Ruby")
            .before(write(
                "modules/kit/lib/puppet/functions/kit/word.rb",
                "require 'thing_words'\nPuppet::Functions.create_function(:'kit::word') do\n  def word\n    ThingWords.word\n  end\nend\n",
            ))
            .before(in_db("notify { \"it is ${kit::word()}\": }"))
            .edit(write("modules/thing/lib/thing_words.rb", "module ThingWords\n  def self.word\n    'one'\n  end\nend\n"))
            .changes("db1"),
        row("a module arrives: data of its own")
            .before(in_db("notify { \"it is ${lookup('thing::colour', {default_value => 'none'})}\": }"))
            .edit(write("modules/thing/hiera.yaml", "version: 5\nhierarchy:\n  - name: all\n    path: common.yaml\n"))
            .edit(write("modules/thing/data/common.yaml", "thing::colour: blue"))
            .changes("db1"),
        row("metadata of a module: what it needs is not there")
            .before(replace("modules/kit/metadata.json", "demo-kit", "demo-kit"))
            .edit(replace("modules/kit/metadata.json", "{", "["))
            .changes("db1 web1 web2"),
    ]
}
