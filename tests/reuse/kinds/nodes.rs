//! Edits of what is known of the nodes.

use super::{Kind, Options, kind, remove, rename, replace, write};

const DB1: &str = "facts/db1.yaml";

/// What an inventory of all nodes knows of them.
const EXPORT: &str = r#"[
{"certname": "db1", "trusted": {"certname": "db1", "extensions": {"pp_role": "db"}}, "facts": {"memory": {"total": 64}}},
{"certname": "web1", "trusted": {"certname": "web1", "extensions": {"pp_role": "web"}}, "facts": {"place": "ams"}}
]"#;

const OF_EXPORT: Options = Options(&["--environment-dir", "{}", "--facts", "{}/export.json", "--confdir", "{}/conf"]);

pub(super) fn table() -> Vec<Kind> {
    let mut all = facts();
    all.extend(facts_that_come_and_go());
    all.extend(certificates_and_exports());
    all.extend(classified());
    all
}

fn facts() -> Vec<Kind> {
    vec![
        kind("a fact that is used")
            .edit(replace(DB1, "total: 64", "total: 32"))
            .anew(1)
            .asks("db1")
            .runs("db1: db")
            .changes("db1")
            .says("db1", " 32"),
        kind("a fact that is used to find data")
            .edit(replace("facts/web1.yaml", "ams", "osl"))
            .asks("web1")
            .runs("web1: web")
            .changes("web1"),
        kind("a fact that is not used").edit(replace(DB1, "free: 8", "free: 9")).asks("db1").anew(0),
        kind("a fact that changes all the time").edit(replace(DB1, "uptime: 100", "uptime: 101")).asks("db1").anew(0),
        kind("facts that change all the time, of all nodes")
            .edit(replace(DB1, "uptime: 100", "uptime: 101"))
            .edit(replace("facts/web1.yaml", "uptime: 100", "uptime: 101"))
            .edit(replace("facts/web2.yaml", "uptime: 200", "uptime: 201"))
            .asks("db1 web1 web2")
            .anew(0),
    ]
}

fn facts_that_come_and_go() -> Vec<Kind> {
    vec![
        kind("a fact that comes").edit(replace(DB1, "uptime", "new: 1, uptime")).asks("db1").anew(0),
        kind("a fact that comes, and is looked for")
            .before(replace("manifests/site.pp", "node default {", "node default { notice(getvar('new'))\n"))
            .edit(replace(DB1, "uptime", "new: 1, uptime"))
            .asks("db1")
            .runs("db1: default")
            .changes("db1")
            .anew(1),
        kind("facts in another order, which code goes through")
            .before(replace("manifests/site.pp", "node default {", "node default { notice($facts['memory'])\n"))
            .edit(replace(DB1, "total: 64, free: 8", "free: 8, total: 64"))
            .asks("db1")
            .runs("db1: default")
            .changes("db1")
            .anew(1),
        kind("facts in another order, which code looks into")
            .edit(replace(DB1, "total: 64, free: 8", "free: 8, total: 64"))
            .asks("db1")
            .anew(0),
        kind("a fact with the name of the environment")
            .edit(replace(DB1, "uptime", "environment: b, uptime"))
            .asks("db1")
            .changes("db1")
            .anew(1),
        kind("a fact that a template in Ruby looks at")
            .before(replace(
                "manifests/site.pp",
                "node default {",
                "node default { notice(inline_template('<%= @uptime %>'))\n",
            ))
            .edit(replace(DB1, "uptime: 100", "uptime: 101"))
            .asks("db1")
            .runs("db1: default")
            .changes("db1")
            .anew(1),
        kind("a fact that goes")
            .edit(replace(DB1, "place: osl, ", ""))
            .asks("db1")
            .runs("db1: ntp")
            .changes("db1")
            .anew(1),
    ]
}

fn certificates_and_exports() -> Vec<Kind> {
    vec![
        kind("what a certificate says")
            .edit(replace("facts/web1.yaml", "pp_role: web", "pp_role: db"))
            .asks("web1")
            .runs("web1: db")
            .changes("web1")
            .says("web1", "/etc/db"),
        kind("what a certificate says and nobody reads").edit(replace(DB1, "inner", "outer")).asks("db1").anew(0),
        kind("facts in other words").edit(replace(DB1, "name: db1", "# of yesterday\nname: \"db1\"")),
        kind("facts that cannot be read")
            .edit(replace(DB1, "values: {", "values: {{"))
            .asks("db1")
            .changes("db1")
            .says("db1", "Error"),
        kind("a fact that nobody reads, in an export of all nodes")
            .with(OF_EXPORT)
            .before(write("export.json", &EXPORT.replace("64", "64, \"free\": 7")))
            .edit(replace("export.json", "7", "8"))
            .asks("db1")
            .anew(0),
        kind("a fact of one node in an export of all")
            .with(OF_EXPORT)
            .before(write("export.json", EXPORT))
            .edit(replace("export.json", "64", "32"))
            .anew(1)
            .asks("db1")
            .runs("db1: db")
            .changes("db1")
            .says("db1", " 32"),
        kind("a node comes")
            .edit(write(
                "facts/db2.yaml",
                "name: db2\ntrusted: {extensions: {pp_role: db}}\nvalues: {place: osl, memory: {total: 64}}\n",
            ))
            .edit(write("enc/db2.yaml", "classes: {}\n"))
            .asks("db2")
            .runs("db2: db")
            .changes("db2")
            .says("db2", "/etc/db"),
        kind("a node goes").edit(remove("facts/web2.yaml")),
        kind("a node gets another name")
            .edit(rename("facts/web2.yaml", "facts/web3.yaml"))
            .edit(rename("enc/web2.yaml", "enc/web3.yaml"))
            .asks("web3")
            .changes("web3")
            .says("web3", "/etc/web"),
    ]
}

fn classified() -> Vec<Kind> {
    vec![
        kind("a classifier names another class")
            .edit(write("enc/web1.yaml", "classes: [db]\n"))
            .asks("web1")
            .runs("web1: db")
            .changes("web1")
            .says("web1", "/etc/db"),
        kind("a classifier gives a parameter")
            .edit(write("enc/web1.yaml", "classes: {}\nparameters: {tier: gold}\n"))
            .asks("web1"),
        kind("a classifier changes a parameter that is read")
            .edit(replace("enc/db1.yaml", "ann", "bob"))
            .asks("db1")
            .runs("db1: backup")
            .changes("db1")
            .says("db1", "ask bob"),
        kind("a classifier changes a parameter that is not read")
            .edit(replace("enc/db1.yaml", "ann", "ann, other: 1"))
            .asks("db1"),
        kind("a classifier gives a class a parameter")
            .edit(write("enc/web1.yaml", "classes: {db: {port: 99}}\n"))
            .asks("web1")
            .runs("web1: db")
            .changes("web1")
            .says("web1", " 99 "),
        kind("a classifier says the same in other words").edit(write("enc/web1.yaml", "---\nclasses: {}\n")),
        kind("a classifier names an environment")
            .edit(write("enc/web1.yaml", "classes: {}\nenvironment: testing\n"))
            .asks("web1")
            .changes("web1"),
        kind("a classifier does not know a node")
            .edit(write("enc/web1.yaml", "\n"))
            .asks("web1")
            .changes("web1")
            .says("web1", "Could not find node 'web1'"),
    ]
}
