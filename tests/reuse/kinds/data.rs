//! Edits of the data, and of where it is looked up.

use super::{Kind, kind, remove, rename, replace, write};

const COMMON: &str = "data/common.yaml";

/// The two halves of one are those of the other in the other order, each with the difference of the two seeds of the hash:
/// a product of the same factors.
const COLLIDING: &str = "Xım8zeqY՚g0pls";
const WITH: &str = "ήIᖐJDϿb랚CF";

pub(super) fn table() -> Vec<Kind> {
    let mut all = values();
    all.extend(merges_and_errors());
    all.extend(files());
    all.extend(hierarchy());
    all
}

fn values() -> Vec<Kind> {
    vec![
        kind("a value of one node")
            .edit(replace("data/nodes/db1.yaml", "5433", "5434"))
            .asks("db1")
            .runs("db1: db")
            .changes("db1")
            .says("db1", "5434")
            .anew(1),
        kind("a value of all nodes")
            .edit(replace(COMMON, "[clock1]", "[clock2]"))
            .asks("db1 web1 web2")
            .runs("db1: ntp")
            .changes("db1 web1 web2")
            .says("web2", "clock2"),
        kind("a value of no node").edit(replace(COMMON, "asks: 1", "asks: 2")).asks("db1 web1 web2").anew(0),
        kind("a value that a more special one hides")
            .edit(replace(COMMON, "5432", "5431"))
            .asks("db1 web1 web2")
            .anew(1),
        kind("a value that joins others")
            .edit(replace("data/places/ams.yaml", "[blog]", "[blog, wiki]"))
            .asks("web1")
            .runs("web1: web, web::host")
            .changes("web1")
            .says("web1", "/srv/wiki"),
        kind("a comment in data").edit(replace(COMMON, "ntp::", "# clocks\nntp::")).asks("db1 web1 web2").anew(0),
        kind("a value moves to another level")
            .edit(remove("data/nodes/db1.yaml"))
            .edit(replace(COMMON, "5432", "5433"))
            .asks("db1 web1 web2"),
        kind("a value for a parameter that has a default")
            .edit(replace(COMMON, "db::", "web::port: 8080\ndb::"))
            .asks("db1 web1 web2")
            .runs("web1: web, web::host, web::host")
            .runs("web2: web")
            .changes("web1 web2")
            .says("web1", "port = 8080")
            .anew(2),
        // Two texts to which FxHash gives the same number.
        kind("values of two keys with colliding hashes are swapped")
            .before(replace(
                "modules/db/manifests/init.pp",
                "  Notify <<",
                &format!("  notify {{ \"${{lookup('{COLLIDING}')}} and ${{lookup('{WITH}')}}\": }}\n  Notify <<"),
            ))
            .before(replace(COMMON, "nobody::", &format!("'{COLLIDING}': one\n'{WITH}': two\nnobody::")))
            .edit(replace(
                COMMON,
                &format!("'{COLLIDING}': one\n'{WITH}': two"),
                &format!("'{COLLIDING}': two\n'{WITH}': one"),
            ))
            .asks("db1 web1 web2")
            .runs("db1: db")
            .changes("db1")
            .says("db1", "two and one")
            .anew(1),
        kind("a key that is no text comes")
            .edit(replace(COMMON, "nobody::", "1: x\nnobody::"))
            .asks("db1 web1 web2")
            .anew(0),
    ]
}

fn merges_and_errors() -> Vec<Kind> {
    vec![
        kind("how values are joined")
            .edit(replace(COMMON, "unique", "first"))
            .asks("db1 web1 web2")
            .runs("web1: web")
            .changes("web1"),
        kind("how values of nobody are joined")
            .edit(replace(COMMON, "unique}", "unique}\n  nobody::asks: {merge: deep}"))
            .asks("db1 web1 web2"),
        kind("a value interpolates a fact")
            .edit(replace(COMMON, "[clock1]", "['%{facts.place}']"))
            .asks("db1 web1 web2")
            .runs("db1: ntp")
            .changes("db1 web1 web2")
            .says("web1", "server ams"),
        kind("data that is wrong")
            .edit(replace("data/nodes/db1.yaml", ":", ": ["))
            .asks("db1")
            .runs("db1: ntp, role::db, default")
            .changes("db1")
            .says("db1", "Error"),
        kind("data that is right again")
            .before(replace("data/nodes/db1.yaml", ":", ": ["))
            .edit(replace("data/nodes/db1.yaml", ": [", ":"))
            .asks("db1")
            .runs("db1: db, role::db, default, backup")
            .changes("db1")
            .says("db1", "5433"),
        kind("data of a module")
            .edit(replace("modules/ntp/data/common.yaml", "fast", "faster"))
            .asks("db1 web1 web2")
            .runs("db1: ntp")
            .runs("web1: ntp")
            .changes("db1 web1 web2")
            .says("db1", "ntp is faster"),
    ]
}

fn files() -> Vec<Kind> {
    vec![
        kind("a file of data comes for one node")
            .edit(write("data/nodes/web1.yaml", "ntp::servers: [own]\n"))
            .asks("web1")
            .runs("web1: ntp")
            .changes("web1")
            .says("web1", "server own"),
        kind("a file of data comes for nobody").edit(write("data/nodes/web9.yaml", "ntp::servers: [own]\n")),
        kind("a file of data goes")
            .edit(remove("data/nodes/db1.yaml"))
            .asks("db1")
            .runs("db1: db")
            .changes("db1")
            .says("db1", "5432"),
        kind("a file of data is called otherwise")
            .edit(rename("data/places/ams.yaml", "data/places/osl.yaml"))
            .asks("db1 web1 web2")
            .runs("web1: web")
            .runs("web2: web")
            .changes("web1 web2")
            .says("web2", "/srv/blog"),
    ]
}

fn hierarchy() -> Vec<Kind> {
    vec![
        kind("a level that has nothing")
            .edit(replace("hiera.yaml", "  - name: all", "  - name: new\n    path: new.yaml\n  - name: all"))
            .asks("db1 web1 web2"),
        kind("a level that has something")
            .before(write("data/new.yaml", "ntp::servers: [new]\n"))
            .edit(replace("hiera.yaml", "  - name: all", "  - name: new\n    path: new.yaml\n  - name: all"))
            .asks("db1 web1 web2")
            .runs("db1: ntp")
            .runs("web1: ntp")
            .changes("db1 web1 web2")
            .says("db1", "server new"),
        kind("levels change places")
            .edit(replace("hiera.yaml", "nodes/%{trusted.certname}.yaml", "common.yaml"))
            .edit(replace("hiera.yaml", "all\n    path: common.yaml", "all\n    path: nodes/%{trusted.certname}.yaml"))
            .asks("db1 web1 web2")
            .runs("db1: db")
            .runs("web1: web")
            .changes("db1 web1")
            .says("db1", "5432"),
        kind("a comment in the hierarchy")
            .edit(replace("hiera.yaml", "hierarchy:", "# from top to bottom\nhierarchy:"))
            .asks("db1 web1 web2"),
        kind("the hierarchy is wrong")
            .edit(replace("hiera.yaml", "version: 5", "version: 9"))
            .asks("db1 web1 web2")
            .runs("db1: ntp, role::db, default")
            .runs("web1: role::web, default")
            .changes("db1 web1 web2")
            .says("db1", "Error"),
        kind("a level interpolates another fact")
            .edit(replace("hiera.yaml", "facts.place", "facts.uptime"))
            .asks("db1 web1 web2")
            .runs("web1: web")
            .changes("web1"),
        kind("a hierarchy of a module comes")
            .edit(write("modules/web/hiera.yaml", "version: 5\nhierarchy:\n- {name: own, path: own.yaml}\n"))
            .edit(write("modules/web/data/own.yaml", "web::port: 90\n"))
            .asks("web1 web2")
            .runs("web1: web, web::host, web::host")
            .runs("web2: web")
            .changes("web1 web2")
            .says("web1", "port = 90"),
        kind("the hierarchy of a module goes")
            .edit(remove("modules/ntp/hiera.yaml"))
            .asks("db1 web1 web2")
            .runs("db1: ntp")
            .runs("web1: ntp")
            .changes("db1 web1 web2")
            .says("db1", "ntp is slow"),
    ]
}
