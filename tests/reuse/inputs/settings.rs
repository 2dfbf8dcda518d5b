//! Settings of the environment and of Puppet, and what is installed.

use super::super::kinds::{remove, replace, write};
use super::{Row, row};

pub(super) fn table() -> Vec<Row> {
    vec![
        row("environment.conf: another module path")
            .edit(replace("environment.conf", "site:modules", "modules"))
            .changes("db1 web1 web2"),
        row("environment.conf: another main manifest")
            .before(write("other.pp", "notify { 'other': }"))
            .edit(replace("environment.conf", "modulepath", "manifest = other.pp\nmodulepath"))
            .changes("db1 web1 web2"),
        row("environment.conf goes").edit(remove("environment.conf")).changes("db1 web1 web2"),
        row("environment.conf: a comment").edit(replace("environment.conf", "modulepath", "# ours\nmodulepath")),
        row("puppet.conf: the environment")
            .edit(replace("conf/puppet.conf", "[main]", "[main]\nenvironment = other"))
            .changes("db1 web1 web2"),
        row("puppet.conf: a setting that code reads")
            .before(replace(
                "modules/db/manifests/init.pp",
                "  file",
                "  notify { \"it is ${settings::runinterval}\": }\n  file",
            ))
            .edit(replace("conf/puppet.conf", "[main]", "[main]\nruninterval = 100"))
            .changes("db1"),
        row("puppet.conf: a setting that matters to all")
            .before(replace("modules/db/manifests/init.pp", "  file", "  $x = $unknown\n  file"))
            .edit(replace("conf/puppet.conf", "[main]", "[main]\nstrict = off\nstrict_variables = false"))
            .changes("db1"),
        row("puppet.conf: a setting that does not matter").edit(replace(
            "conf/puppet.conf",
            "[main]",
            "[main]\nhttp_read_timeout = 100",
        )),
    ]
}
