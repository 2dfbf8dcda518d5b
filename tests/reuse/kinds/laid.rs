//! What lies on scopes while code runs: a class that sees locals of others, and what has matched around it.

use super::{Kind, kind, replace, write};

const SITE: &str = "manifests/site.pp";
const ROLE: &str = "site/role/manifests/db.pp";
const LENT: &str = "modules/kit/manifests/lent.pp";
const SEES: &str = "class kit::lent { notify { \"lent ${lent}\": } }\n";
/// A function of the newer kind, which stands at the top.
const BRING: &str = "modules/kit/lib/puppet/functions/kit/bring.rb";
const BRINGS: &str = "Puppet::Functions.create_function(:'kit::bring') do
  def bring
    call_function('include', 'kit::lent')
  end
end
";
const FACTS: &str = "facts/db1.yaml";

pub(super) fn table() -> Vec<Kind> {
    let mut all = locals();
    all.extend(facts());
    all.extend(functions_and_data());
    all.extend(of_classes());
    all.extend(matches());
    all
}

/// With a line at the beginning of the block of each node.
fn in_node(line: &str) -> super::Edit {
    replace(SITE, "node default { ", &format!("node default {{\n  {line}\n  "))
}

/// With a line in the class of the database's role alone.
fn in_role(line: &str) -> super::Edit {
    replace(ROLE, "  include ntp\n", &format!("  include ntp\n  {line}\n"))
}

fn locals() -> Vec<Kind> {
    vec![
        kind("a local that a class sees")
            .before(write(LENT, SEES))
            .before(in_node("['one'].each |$lent| { include kit::lent }"))
            .edit(replace(SITE, "'one'", "'two'"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp, kit::lent, default")
            .runs("web1: default")
            .changes("db1 web1 web2")
            .says("web2", "lent two"),
        kind("a local that no class sees")
            .before(write(LENT, SEES))
            .before(in_node("['one'].each |$lent| {\n    $other = 1\n    include kit::lent\n  }"))
            .edit(replace(SITE, "$other = 1", "$other = 2"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp, default")
            .runs("web1: default"),
        kind("a local comes to hide a variable of the node")
            .before(write(LENT, SEES))
            .before(in_node("$lent = 'of the node'\n  ['one'].each |$more| { include kit::lent }"))
            .edit(replace(SITE, "|$more|", "|$lent|"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp, kit::lent, default")
            .runs("web1: default")
            .changes("db1 web1 web2")
            .says("db1", "lent one"),
    ]
}

fn facts() -> Vec<Kind> {
    vec![
        kind("a fact that a local holds")
            .before(write(LENT, SEES))
            .before(in_node("[$facts['place']].each |$lent| { include kit::lent }"))
            .edit(replace(FACTS, "place: osl", "place: moved"))
            .asks("db1")
            .runs("db1: kit::lent, ntp, default")
            .changes("db1")
            .says("db1", "lent moved"),
        kind("a part of what a local holds that a class looks at")
            .before(write(LENT, "class kit::lent { notify { \"lent ${lent['memory']['total']}\": } }\n"))
            .before(in_node("with(1) |$one| {\n    $lent = $facts\n    include kit::lent\n  }"))
            .edit(replace(FACTS, "total: 64", "total: 77"))
            .asks("db1")
            .runs("db1: kit::lent, db")
            .changes("db1")
            .says("db1", "lent 77"),
        kind("what a local holds beside what a class looks at")
            .before(write(LENT, "class kit::lent { notify { \"lent ${lent['place']}\": } }\n"))
            .before(in_node("with(1) |$one| {\n    $lent = $facts\n    include kit::lent\n  }"))
            .edit(replace(FACTS, "total: 64", "total: 77"))
            .asks("db1")
            .runs("db1: db")
            .changes("db1"),
    ]
}

fn functions_and_data() -> Vec<Kind> {
    vec![
        kind("a parameter of a function that a class sees")
            .before(write(LENT, SEES))
            .before(write("modules/kit/functions/lend.pp", "function kit::lend($lent) { include kit::lent }\n"))
            .before(in_role("kit::lend('one')"))
            .edit(replace(ROLE, "'one'", "'two'"))
            .asks("db1")
            .runs("db1: kit::lent, role::db")
            .changes("db1")
            .says("db1", "lent two"),
        kind("a variable of the node where a function in Ruby includes a class from the top")
            .before(write(LENT, SEES))
            .before(write(BRING, BRINGS))
            .before(replace(SITE, "$zone = 'inside'", "$zone = 'inside'\n$lent = 'at the top'"))
            .before(in_node("$lent = 'of the node'\n  kit::bring()"))
            .edit(replace(SITE, "of the node", "of none"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp, default")
            .runs("web1: default"),
        kind("a variable at the top where a function in Ruby includes a class from there")
            .before(write(LENT, SEES))
            .before(write(BRING, BRINGS))
            .before(replace(SITE, "$zone = 'inside'", "$zone = 'inside'\n$lent = 'at the top'"))
            .before(in_node("$lent = 'of the node'\n  kit::bring()"))
            .edit(replace(SITE, "at the top", "above"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp, kit::lent")
            .changes("db1 web1 web2")
            .says("web2", "lent above"),
        kind("what a function gives a class to see")
            .before(write(LENT, SEES))
            .before(write(
                "modules/kit/functions/lend.pp",
                "function kit::lend() {\n  $lent = 'one'\n  include kit::lent\n}\n",
            ))
            .before(in_role("kit::lend()"))
            .edit(replace("modules/kit/functions/lend.pp", "'one'", "'two'"))
            .asks("db1")
            .runs("db1: kit::lent, role::db")
            .changes("db1")
            .says("db1", "lent two"),
        kind("data that depends on a local")
            .before(write(LENT, "class kit::lent($p = 'none') { notify { \"lent ${p}\": } }\n"))
            .before(replace(
                "hiera.yaml",
                "hierarchy:\n",
                "hierarchy:\n  - name: lent\n    path: \"lent/%{lent}.yaml\"\n",
            ))
            .before(write("data/lent/one.yaml", "kit::lent::p: first\n"))
            .before(write("data/lent/two.yaml", "kit::lent::p: second\n"))
            .before(in_node("['one'].each |$lent| { include kit::lent }"))
            .edit(replace(SITE, "'one'", "'two'"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp, kit::lent, default")
            .runs("web1: default")
            .changes("db1 web1 web2")
            .says("web1", "lent second"),
    ]
}

fn of_classes() -> Vec<Kind> {
    vec![
        kind("a local of a class that is inherited")
            .before(write(LENT, &SEES.replace("kit::lent {", "kit::lent inherits role::db {")))
            .before(in_role("['one'].each |$lent| { include kit::lent }"))
            .edit(replace(ROLE, "'one'", "'two'"))
            .asks("db1")
            .runs("db1: kit::lent, role::db")
            .changes("db1")
            .says("db1", "lent two"),
        kind("a local by the name of its class")
            .before(write(LENT, &SEES.replace("${lent}", "${role::db::lent}")))
            .before(in_role("[lookup('lent_by_data')].each |$lent| { include kit::lent }"))
            .before(write("data/nodes/db1.yaml", "lent_by_data: one\ndb::port: 5433\n"))
            .edit(replace("data/nodes/db1.yaml", "one", "two"))
            .asks("db1")
            .runs("db1: kit::lent, role::db")
            .changes("db1")
            .says("db1", "lent two"),
        kind("a local that is the parameter of another class, by data")
            .before(write(LENT, SEES))
            .before(write("modules/kit/functions/lend.pp", "function kit::lend($lent) { include kit::lent }\n"))
            .before(in_role("kit::lend(lookup('lent_by_data'))"))
            .before(write("data/nodes/db1.yaml", "lent_by_data: one\ndb::port: 5433\n"))
            .edit(replace("data/nodes/db1.yaml", "one", "two"))
            .asks("db1")
            .runs("db1: kit::lent, role::db")
            .changes("db1")
            .says("db1", "lent two"),
    ]
}

fn matches() -> Vec<Kind> {
    let sees = "define kit::seen() { notify { \"seen ${1}\": } }\n";
    vec![
        kind("what matched at the top")
            .before(write("modules/kit/manifests/seen.pp", sees))
            .before(replace(SITE, "$zone", "$m = 'one two' =~ /(one)/\nkit::seen { 'x': }\n$zone"))
            .edit(replace(SITE, "/(one)/", "/(two)/"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp, kit::seen")
            .changes("db1 web1 web2")
            .says("web2", "seen two"),
        kind("what matched at the top, and nobody looks at")
            .before(write("modules/kit/manifests/seen.pp", &sees.replace("${1}", "${2}")))
            .before(replace(SITE, "$zone", "$m = 'one two' =~ /(one) (two)/\nkit::seen { 'x': }\n$zone"))
            .edit(replace(SITE, "/(one) (two)/", "/(o)ne (two)/"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp"),
        kind("what matched in a class that is inherited")
            .before(write(
                "modules/kit/manifests/seen.pp",
                "class kit::seen inherits kit::found { notify { \"seen ${1}\": } }\n",
            ))
            .before(write("modules/kit/manifests/found.pp", "class kit::found { $m = 'one two' =~ /(one)/ }\n"))
            .before(in_role("include kit::seen"))
            .edit(replace("modules/kit/manifests/found.pp", "/(one)/", "/(two)/"))
            .asks("db1")
            .runs("db1: kit::found, kit::seen")
            .changes("db1")
            .says("db1", "seen two"),
        kind("nothing matches any more in a class that is inherited")
            .before(write(
                "modules/kit/manifests/seen.pp",
                "class kit::seen inherits kit::found { notify { \"seen ${1}\": } }\n",
            ))
            .before(write("modules/kit/manifests/found.pp", "class kit::found { $m = 'one two' =~ /(one)/ }\n"))
            .before(in_role("include kit::seen"))
            .edit(replace("modules/kit/manifests/found.pp", "/(one)/", "/(three)/"))
            .asks("db1")
            .runs("db1: kit::found, kit::seen")
            .changes("db1")
            .says("db1", "seen \","),
        kind("what matched in another manifest of the folder")
            .before(write("manifests/a.pp", "$m = 'one two' =~ /(one)/\n"))
            .before(write("manifests/zz.pp", "notify { \"seen ${1}\": }\n"))
            .edit(replace("manifests/a.pp", "/(one)/", "/(two)/"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/a.pp, main manifests/zz.pp")
            .changes("db1 web1 web2")
            .says("web1", "seen two"),
    ]
}
