//! Manifests, templates, functions and types: each edited, arriving, going, and shadowed.

use super::super::kinds::{link, remove, replace, write};
use super::{Edit, Row, row};

/// A statement of the class `db`.
fn in_db(statement: &str) -> Edit {
    replace("modules/db/manifests/init.pp", "  file", &format!("  {statement}\n  file"))
}

pub(super) fn table() -> Vec<Row> {
    let mut all = manifests();
    all.extend(files());
    all.extend(functions());
    all.extend(types());
    all
}

fn manifests() -> Vec<Row> {
    vec![
        row("a class").edit(replace("modules/ntp/manifests/init.pp", "ntp is", "ntp was")).changes("db1 web1 web2"),
        row("a class goes").edit(remove("modules/db/manifests/init.pp")).changes("db1"),
        row("a class that was looked for arrives")
            .before(in_db("if defined(Class['db::more']) { notice('more') }"))
            .before(in_db("include db::more"))
            .edit(write("modules/db/manifests/more.pp", "class db::more { notify { 'more': } }"))
            .changes("db1"),
        row("a class arrives in a folder that is not there yet")
            .before(in_db("include db::deep::more"))
            .edit(write("modules/db/manifests/deep/more.pp", "class db::deep::more { notify { 'more': } }"))
            .changes("db1"),
        row("a defined type").edit(replace("modules/web/manifests/host.pp", "/srv", "/var")).changes("web1 web2"),
        row("a file of the main manifest arrives")
            .edit(write("manifests/a.pp", "notify { 'a': }"))
            .changes("db1 web1 web2"),
        row("a file of the main manifest arrives in a new folder")
            .edit(write("manifests/sub/a.pp", "notify { 'a': }"))
            .changes("db1 web1 web2"),
        row("a folder of the main manifest goes")
            .before(write("manifests/sub/a.pp", "notify { 'a': }"))
            .edit(remove("manifests/sub"))
            .changes("db1 web1 web2"),
        row("a file becomes a folder")
            .before(write("modules/db/manifests/more.pp", "class db::more { notify { 'more': } }"))
            .before(in_db("include db::more"))
            .edit(write("modules/db/manifests/more.pp/x", ""))
            .changes("db1"),
        row("a folder becomes a file")
            .before(write("data/nodes/db1.yaml/x", "db::port: 1"))
            .edit(write("data/nodes/db1.yaml", "db::port: 6000"))
            .changes("db1"),
        row("a folder of modules becomes a file").edit(write("site/role", "x")).changes("db1 web1 web2"),
        row("an error of the parser").edit(replace("modules/db/manifests/init.pp", "{", "{{")).changes("db1"),
        row("a warning of the parser")
            .before(in_db("$w = \"C:\\\\windows\""))
            .edit(replace("modules/db/manifests/init.pp", "C:\\\\w", "C:\\w"))
            .changes("db1"),
    ]
}

fn files() -> Vec<Row> {
    vec![
        row("a template of EPP").edit(write("modules/ntp/templates/ntp.conf.epp", "other")).changes("db1 web1 web2"),
        row("a template of ERB").edit(write("modules/web/templates/web.erb", "other")).changes("web1 web2"),
        row("a template goes").edit(remove("modules/web/templates/web.erb")).changes("db1 web1 web2"),
        row("a file that code reads").edit(write("modules/web/files/banner", "other")).changes("web1 web2"),
        row("the first of several files arrives")
            .before(in_db("notify { \"it is ${file('db/first', 'db/second')}\": }"))
            .before(write("modules/db/files/second", "second"))
            .edit(write("modules/db/files/first", "first"))
            .changes("db1"),
        row("a file that code only looks for")
            .before(in_db("notify { \"it is ${find_file('db/first') =~ Undef}\": }"))
            .edit(write("modules/db/files/first", "first"))
            .changes("db1"),
        row("the only file of a folder that code only looks for goes")
            .before(in_db("notify { \"it is ${find_file('db/folder') =~ Undef}\": }"))
            .before(write("modules/db/files/folder/only", ""))
            .edit(remove("modules/db/files/folder"))
            .changes("db1"),
        row("a file whose path alone code is told goes")
            .before(in_db("notify { \"it is ${find_file('db/first') =~ Undef}\": }"))
            .before(write("modules/db/files/first", "first"))
            .edit(remove("modules/db/files/first"))
            .changes("db1"),
        row("a file that an agent fetches")
            .before(in_db("file { '/f': source => 'puppet:///modules/db/f' }"))
            .before(write("modules/db/files/f", "one"))
            .edit(write("modules/db/files/f", "two"))
            .serves("db1"),
        row("a file that an agent fetches from a server with a name")
            .before(in_db("file { '/f': source => 'puppet://files.example.org/modules/db/f' }"))
            .before(write("modules/db/files/f", "one"))
            .edit(write("modules/db/files/f", "two"))
            .serves("db1"),
        row("a folder that an agent fetches")
            .before(in_db("file { '/f': ensure => directory, recurse => true, source => 'puppet:///modules/db/f' }"))
            .before(write("modules/db/files/f/one", "one"))
            .edit(write("modules/db/files/f/sub/two", "two"))
            .serves("db1"),
        row("what a link leads to, which an agent fetches")
            .before(in_db("file { '/f': source => 'puppet:///modules/db/f' }"))
            .before(write("shared/f", "one"))
            .before(link("modules/db/files/f", "../../../shared/f"))
            .edit(write("shared/f", "two"))
            .serves("db1"),
        row("a file that Ruby finds by a pattern arrives")
            .before(write(
                "modules/kit/lib/puppet/functions/kit/found.rb",
                "Puppet::Functions.create_function(:'kit::found') do\n  def found(folder)\n    Dir.glob(File.join(folder, '*.txt')).map { |f| File.basename(f) }.sort\n  end\nend\n",
            ))
            .before(write("modules/db/files/a.txt", "a"))
            .before(in_db("notify { \"it is ${kit::found(\"${module_directory('db')}/files\")}\": }"))
            .edit(write("modules/db/files/b.txt", "b"))
            .changes("db1"),
    ]
}

fn functions() -> Vec<Row> {
    vec![
        row("a function in Puppet").edit(replace("modules/kit/functions/line.pp", " = ", " is ")).changes("web1 web2"),
        row("a function in Ruby")
            .edit(replace("modules/kit/lib/puppet/functions/kit/loud.rb", "upcase", "downcase"))
            .changes("web1 web2"),
        row("an older function in Ruby")
            .edit(replace("modules/kit/lib/puppet/parser/functions/older.rb", "of old", "of yore"))
            .changes("db1"),
        row("an older function goes").edit(remove("modules/kit/lib/puppet/parser/functions/older.rb")).changes("db1"),
        row("a function goes").edit(remove("modules/kit/lib/puppet/functions/kit/loud.rb")).changes("db1 web1 web2"),
        row("a newer function arrives before an older one")
            .edit(write(
                "modules/kit/lib/puppet/functions/older.rb",
                "Puppet::Functions.create_function(:older) do\n  def older(text)\n    'newer'\n  end\nend\n",
            ))
            .changes("db1"),
        row("a library that Ruby requires")
            .before(write("modules/kit/lib/kit_words.rb", "module KitWords\n  def self.word\n    'one'\n  end\nend\n"))
            .before(write(
                "modules/kit/lib/puppet/functions/kit/word.rb",
                "require 'kit_words'\nPuppet::Functions.create_function(:'kit::word') do\n  def word\n    KitWords.word\n  end\nend\n",
            ))
            .before(in_db("notify { \"it is ${kit::word()}\": }"))
            .edit(replace("modules/kit/lib/kit_words.rb", "'one'", "'two'"))
            .changes("db1"),
    ]
}

fn types() -> Vec<Row> {
    vec![
        row("a type alias").edit(replace("modules/kit/types/port.pp", "65535", "5000")).changes("db1"),
        row("a type alias goes").edit(remove("modules/kit/types/port.pp")).changes("db1 web1 web2"),
        row("a type in Ruby")
            .edit(replace("modules/kit/lib/puppet/type/gadget.rb", "size", "width"))
            .changes("db1 web1 web2"),
        row("a type in Ruby goes").edit(remove("modules/kit/lib/puppet/type/gadget.rb")).changes("db1 web1 web2"),
        row("a type in Ruby arrives")
            .before(in_db("gizmo { 'g': size => 1 }"))
            .edit(write(
                "modules/kit/lib/puppet/type/gizmo.rb",
                "Puppet::Type.newtype(:gizmo) do\n  newparam(:name, namevar: true)\n  newproperty(:size)\nend\n",
            ))
            .changes("db1"),
        row("a type in Ruby arrives before a defined type")
            .edit(write(
                "modules/kit/lib/puppet/type/banner.rb",
                "Puppet::Type.newtype(:banner) do\n  newparam(:name, namevar: true)\nend\n",
            ))
            .before(write("modules/banner/manifests/init.pp", "define banner { notify { 'of the banner': } }"))
            .before(in_db("banner { 'b': }"))
            .changes("db1"),
    ]
}
