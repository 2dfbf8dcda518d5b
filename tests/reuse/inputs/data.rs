//! Data, its hierarchies, and what is known of nodes.

use super::super::kinds::{remove, replace, write};
use super::{Row, row};

pub(super) fn table() -> Vec<Row> {
    let mut all = files();
    all.extend(hierarchies());
    all.extend(of_nodes());
    all
}

fn files() -> Vec<Row> {
    vec![
        row("a key").edit(replace("data/common.yaml", "clock1", "clock2")).changes("db1 web1 web2"),
        row("a key that nobody asks for").edit(replace("data/common.yaml", "asks: 1", "asks: 2")),
        row("a file of one node arrives").edit(write("data/nodes/web1.yaml", "web::hosts: [more]")).changes("web1"),
        row("a file of one node goes").edit(remove("data/nodes/db1.yaml")).changes("db1"),
        row("a folder of data arrives")
            .before(remove("data/places"))
            .edit(write("data/places/osl.yaml", "ntp::servers: [clock3]"))
            .changes("db1 web2"),
        row("data is no YAML").edit(write("data/places/ams.yaml", "a: [")).changes("db1 web1"),
        row("data that lines and comments alone change").edit(replace(
            "data/common.yaml",
            "ntp::servers",
            "# a comment\nntp::servers",
        )),
        row("options of a look-up").edit(replace("data/common.yaml", "merge: unique", "merge: first")).changes("web1"),
        row("data of a module").edit(replace("modules/ntp/data/common.yaml", "fast", "slow")).changes("db1 web1 web2"),
        row("data of a module goes").edit(remove("modules/ntp/data")).changes("db1 web1 web2"),
    ]
}

fn hierarchies() -> Vec<Row> {
    vec![
        row("the hierarchy of the environment")
            .edit(replace("hiera.yaml", "nodes/%{trusted.certname}.yaml", "none.yaml"))
            .changes("db1"),
        row("the hierarchy of the environment goes").edit(remove("hiera.yaml")).changes("db1 web1 web2"),
        row("the hierarchy of a module goes").edit(remove("modules/ntp/hiera.yaml")).changes("db1 web1 web2"),
        row("the hierarchy of a module arrives")
            .before(replace("modules/db/manifests/init.pp", "$port", "$port, $colour = 'red'"))
            .before(replace("modules/db/manifests/init.pp", "  file", "  notify { \"it is ${colour}\": }\n  file"))
            .before(write("modules/db/data/common.yaml", "db::colour: blue"))
            .edit(write("modules/db/hiera.yaml", "version: 5\nhierarchy:\n  - name: all\n    path: common.yaml\n"))
            .changes("db1"),
        row("files of data by a pattern")
            .before(replace("hiera.yaml", "  - name: all", "  - name: more\n    glob: more/*.yaml\n  - name: all"))
            .before(write("data/more/a.yaml", "a: 1"))
            .edit(write("data/more/b.yaml", "ntp::servers: [clock4]"))
            .changes("db1 web1 web2"),
        row("files of data by a pattern, in a folder that is not there yet")
            .before(replace("hiera.yaml", "  - name: all", "  - name: more\n    glob: more/*.yaml\n  - name: all"))
            .edit(write("data/more/b.yaml", "ntp::servers: [clock4]"))
            .changes("db1 web1 web2"),
    ]
}

fn of_nodes() -> Vec<Row> {
    vec![
        row("a fact").edit(replace("facts/web1.yaml", "place: ams", "place: osl")).changes("web1").of_nodes(),
        row("a fact that nobody reads").edit(replace("facts/web1.yaml", "uptime: 100", "uptime: 101")).of_nodes(),
        row("a node arrives")
            .edit(write(
                "facts/web3.yaml",
                "name: web3\ntrusted: {extensions: {pp_role: web, pp_zone: outer}}\nvalues: {place: ams, memory: {total: 1, free: 1}, uptime: 1}\n",
            ))
            .edit(write("enc/web3.yaml", "classes: {}"))
            // Whoever collects what all web servers export gets one more.
            .changes("db1 web3")
            .of_nodes(),
        row("a node goes").edit(remove("facts/web2.yaml")).changes("db1 web2").of_nodes(),
        row("what a classifier says").edit(replace("enc/db1.yaml", "ann", "bob")).changes("db1").of_nodes(),
        row("the environment of a classifier").edit(write("enc/web1.yaml", "classes: {}\nenvironment: other\n")).changes("db1 web1").of_nodes(),
        row("a class of a classifier").edit(write("enc/web1.yaml", "classes: [backup]\nparameters: {contact: bob}")).changes("web1").of_nodes(),
        row("what one node exports, another collects")
            .edit(replace("modules/web/manifests/init.pp", "} serves", "} serves well"))
            .changes("db1"),
        row("the data of one node is in what another collects")
            .before(replace("modules/web/manifests/init.pp", "['certname']} serves", "['certname']} serves ${lookup('word', {default_value => 'x'})}"))
            .edit(write("data/nodes/web1.yaml", "word: other"))
            .changes("db1"),
    ]
}
