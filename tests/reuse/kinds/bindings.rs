//! Edits of bindings: of one, of a contribution, of a layer, of a category, of a condition, of what is included or replaced.

use super::super::state::State;
use super::{Kind, kind, remove, replace, write};

const OWN: &str = "bindings/default.pp";
const NTP: &str = "modules/ntp/bindings/default.pp";
const WEB: &str = "modules/web/bindings/default.pp";
const SITE: &str = "bindings/site.pp";

pub(super) fn table() -> Vec<Kind> {
    let mut all = values();
    all.extend(wider());
    all.extend(files());
    all
}

/// With bindings of the environment and of two modules, and code that injects.
fn bound(name: &'static str) -> Kind {
    let site = "site {
  categories { node => $trusted['certname'], role => $trusted['extensions']['pp_role'], place => $facts['place'] }
}
";
    let own = "bindings default {
  bind override \"greeting\" to 'hello'
  bind alias \"greeting\" as \"salute\"
  bind \"nobody\" to 1
  when node 'db1' { bind \"greeting\" to 'hello db' }
  when role db { bind \"port\" to 5 }
}
";
    let ntp = "bindings ntp::default {
  bind \"greeting\" to 'from ntp'
  bind \"port\" to 1
  bind parameters ntp to { mode => 'bound' }
  multibind Array[Data], \"clocks\" as 'clocks'
  bind to 'c1' in 'clocks'
}
";
    let web = "bindings web::default {
  when role web { bind to 'c2' in 'clocks' }
}
";
    let greet = "class greet {
  notify { 'greet': message => inject('greeting') }
  include greet::clocks
}
";
    let clocks = "class greet::clocks {
  notify { 'clocks': message => String(inject('clocks')) }
}
";
    kind(name)
        .before(write(SITE, site))
        .before(write(OWN, own))
        .before(write(NTP, ntp))
        .before(write(WEB, web))
        .before(write("modules/greet/manifests/init.pp", greet))
        .before(write("modules/greet/manifests/clocks.pp", clocks))
        .before(replace("site/role/manifests/web.pp", "include ntp", "include ntp\n  include greet"))
        .before(replace("site/role/manifests/db.pp", "include ntp", "include ntp\n  include greet"))
}

/// What these edits begin with.
pub(crate) fn bound_repository() -> State {
    bound("").states().0
}

const ALL: &str = "db1 web1 web2";

/// The data of Hiera as the lowest layer.
const DATA_BELOW: &str = "site {
  categories { node => $trusted['certname'], role => $trusted['extensions']['pp_role'], place => $facts['place'] }
  bindings => [
    { 'own': include => 'env:/default' },
    { 'modules': include => 'module:/*::default' },
    { 'data': include => 'hiera:' },
  ]
}
";

fn values() -> Vec<Kind> {
    vec![
        bound("a value of some nodes")
            .edit(replace(OWN, "to 'hello'\n", "to 'good day'\n"))
            .asks(ALL)
            .runs("web1: greet")
            .changes("web1 web2")
            .says("web1", "good day")
            .anew(3),
        bound("a value of one node")
            .edit(replace(OWN, "'hello db'", "'good day db'"))
            .asks(ALL)
            .runs("db1: greet")
            .changes("db1"),
        bound("a value that nobody asks for")
            .edit(replace(OWN, "\"nobody\" to 1", "\"nobody\" to 2"))
            .asks(ALL)
            .anew(0),
        bound("a comment in bindings")
            .edit(replace(OWN, "  bind \"nobody\"", "\n  # Not yet.\n  bind \"nobody\""))
            .asks(ALL)
            .anew(0),
        bound("a value that is shadowed everywhere").edit(replace(NTP, "'from ntp'", "'from the clock'")).asks(ALL),
        bound("a binding more")
            .edit(replace(OWN, "\"nobody\" to 1", "\"nobody\" to 1\n  bind \"more\" to 1"))
            .asks(ALL),
        bound("an override goes")
            .edit(replace(OWN, "  bind override \"greeting\" to 'hello'\n", ""))
            .asks(ALL)
            .runs("web1: greet")
            .changes("web1 web2")
            .says("web2", "from ntp"),
        bound("a contribution").edit(replace(NTP, "'c1'", "'c3'")).asks(ALL).runs("db1: greet::clocks").changes(ALL),
        bound("a contribution more, of some nodes")
            .edit(replace(WEB, "in 'clocks' }", "in 'clocks' bind to 'c4' in 'clocks' }"))
            .asks(ALL)
            .runs("web1: greet::clocks")
            .changes("web1 web2"),
        bound("the parameter of a class")
            .edit(replace(NTP, "'bound'", "'bound again'"))
            .asks(ALL)
            .runs("db1: ntp")
            .changes(ALL)
            .says("db1", "ntp is bound again"),
        bound("a parameter that is bound no more")
            .edit(replace(NTP, "  bind parameters ntp to { mode => 'bound' }\n", ""))
            .asks(ALL)
            .runs("db1: ntp")
            .changes(ALL)
            .says("db1", "ntp is fast"),
        bound("an override of nothing")
            .edit(replace(OWN, "bind \"nobody\"", "bind override \"nobody\""))
            .asks(ALL)
            .changes(ALL)
            .says("db1", "there is no binding below it"),
    ]
}

fn wider() -> Vec<Kind> {
    vec![
        bound("a condition").edit(replace(OWN, "when node 'db1'", "when node 'web1'")).asks(ALL).changes("db1 web1"),
        bound("a category whose value is the same").edit(replace(SITE, "$facts['place']", "$facts[place]")).asks(ALL),
        bound("a category that has another value")
            .edit(replace(SITE, "role => $trusted['extensions']['pp_role']", "role => 'web'"))
            .asks(ALL)
            .changes("db1"),
        bound("a layer")
            .edit(write(SITE, "site { bindings => [ layer { 'modules': include => 'module:/*::default' } ] }\n"))
            .asks(ALL)
            .runs("db1: greet")
            .changes(ALL)
            .says("db1", "from ntp"),
        bound("a class that is included")
            .before(write("modules/greet/manifests/more.pp", "class greet::more {\n  notify { 'more': }\n}\n"))
            .edit(replace(OWN, "bind \"nobody\" to 1", "include greet::more"))
            .asks(ALL)
            .runs("db1: greet::more")
            .changes(ALL),
        bound("a class in the place of another")
            .before(write(
                "modules/ntp/manifests/chrony.pp",
                "class ntp::chrony inherits ntp {\n  notify { 'chrony': }\n}\n",
            ))
            .edit(replace(OWN, "bind \"nobody\" to 1", "bind class greet::clocks to class greet::clocks2"))
            .edit(write(
                "modules/greet/manifests/clocks2.pp",
                "class greet::clocks2 inherits greet::clocks {\n  notify { 'more clocks': }\n}\n",
            ))
            .asks(ALL)
            .runs("db1: greet::clocks2")
            .changes(ALL)
            .says("web1", "more clocks"),
        bound("a variable")
            .before(replace(OWN, "bind \"nobody\" to 1", "bind variables to { rack => 'r1' }"))
            .before(replace("modules/greet/manifests/clocks.pp", "String(inject('clocks'))", "$rack"))
            .edit(replace(OWN, "'r1'", "'r2'"))
            .asks(ALL)
            .runs("db1: greet::clocks")
            .changes(ALL),
        bound("a rename of what the data alone has")
            .before(write(SITE, DATA_BELOW))
            .before(replace(
                "modules/greet/manifests/clocks.pp",
                "inject('clocks')",
                "optionally_inject('nobody::asks')",
            ))
            .edit(replace(OWN, "bind \"nobody\" to 1", "bind renamed 'nobody::asks' as 'asked'"))
            .asks(ALL)
            .runs("db1: greet::clocks")
            .changes(ALL),
        bound("a parameter of a resource")
            .edit(replace(OWN, "bind \"nobody\" to 1", "bind parameters Notify['greet'] to { noop => true }"))
            .asks(ALL)
            .changes(ALL),
    ]
}

fn files() -> Vec<Kind> {
    vec![
        bound("a module with bindings that nobody asks for")
            .edit(write("modules/fresh/bindings/default.pp", "bindings fresh::default {\n  bind \"fresh\" to 1\n}\n"))
            .asks(ALL),
        bound("a module with a contribution")
            .edit(write(
                "modules/fresh/bindings/default.pp",
                "bindings fresh::default {\n  bind to 'f' in 'clocks'\n}\n",
            ))
            .asks(ALL)
            .runs("db1: greet::clocks")
            .runs("web1: greet::clocks")
            .changes(ALL),
        bound("a file of bindings goes").edit(remove(WEB)).asks(ALL).changes("web1 web2"),
        bound("a file that no layer finds")
            .edit(write("bindings/other.pp", "bindings other {\n  bind \"x\" to 1\n}\n")),
        bound("a file that is broken")
            .edit(replace(OWN, "bind \"nobody\" to 1", "bind \"nobody to 1"))
            .asks(ALL)
            .changes(ALL),
    ]
}
