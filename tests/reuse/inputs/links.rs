//! Links to files and folders, their targets, and files that the flags of git's index hide.

use super::super::kinds::{link, remove, rename, replace, write};
use super::{Row, row};

pub(super) fn table() -> Vec<Row> {
    let mut all = links();
    all.extend(hidden());
    all
}

fn links() -> Vec<Row> {
    vec![
        row("the target of linked data")
            .before(rename("data/common.yaml", "shared/common.yaml"))
            .before(link("data/common.yaml", "../shared/common.yaml"))
            .edit(replace("shared/common.yaml", "clock1", "clock2"))
            .changes("db1 web1 web2"),
        row("the target of a chain of links")
            .before(rename("data/common.yaml", "shared/far/common.yaml"))
            .before(link("shared/common.yaml", "far/common.yaml"))
            .before(link("data/common.yaml", "../shared/common.yaml"))
            .edit(replace("shared/far/common.yaml", "clock1", "clock2"))
            .changes("db1 web1 web2"),
        row("a link in the middle of a chain")
            .before(rename("data/common.yaml", "shared/far/common.yaml"))
            .before(write("shared/far/other.yaml", "ntp::servers: [clock9]\ndb::port: 1\nweb::hosts: [x]"))
            .before(link("shared/common.yaml", "far/common.yaml"))
            .before(link("data/common.yaml", "../shared/common.yaml"))
            .edit(link("shared/common.yaml", "far/other.yaml"))
            .changes("db1 web1 web2"),
        row("the target of a linked folder")
            .before(rename("data", "shared/data"))
            .before(link("data", "shared/data"))
            .edit(replace("shared/data/common.yaml", "clock1", "clock2"))
            .changes("db1 web1 web2"),
        row("a file arrives in the target of a linked folder")
            .before(rename("data", "shared/data"))
            .before(link("data", "shared/data"))
            .edit(write("shared/data/nodes/web1.yaml", "web::hosts: [more]"))
            .changes("web1"),
        row("the target of a linked module")
            .before(rename("modules/ntp", "elsewhere/ntp"))
            .before(link("modules/ntp", "../elsewhere/ntp"))
            .edit(replace("elsewhere/ntp/manifests/init.pp", "ntp is", "ntp was"))
            .changes("db1 web1 web2"),
        row("a linked module leads to another one")
            .before(rename("modules/ntp", "elsewhere/ntp"))
            .before(write("elsewhere/ntp2/manifests/init.pp", "class ntp { $drift = '/d' }"))
            .before(link("modules/ntp", "../elsewhere/ntp"))
            .edit(link("modules/ntp", "../elsewhere/ntp2"))
            .changes("db1 web1 web2"),
        row("the target of linked facts")
            .before(rename("facts/db1.yaml", "shared/db1.yaml"))
            .before(link("facts/db1.yaml", "../shared/db1.yaml"))
            .edit(replace("shared/db1.yaml", "total: 64", "total: 65"))
            .changes("db1")
            .of_nodes(),
        row("a link whose target arrives")
            .before(link("data/nodes/web1.yaml", "../../shared/web1.yaml"))
            .edit(write("shared/web1.yaml", "web::hosts: [more]"))
            .changes("web1"),
        row("a link whose target goes")
            .before(write("shared/web1.yaml", "web::hosts: [more]"))
            .before(link("data/nodes/web1.yaml", "../../shared/web1.yaml"))
            .edit(remove("shared"))
            .changes("web1"),
        row("the target of a linked template")
            .before(rename("modules/web/templates/web.erb", "shared/web.erb"))
            .before(link("modules/web/templates/web.erb", "../../../shared/web.erb"))
            .edit(write("shared/web.erb", "other"))
            .changes("web1 web2"),
        row("the target of a linked main manifest")
            .before(rename("manifests/site.pp", "shared/site.pp"))
            .before(link("manifests/site.pp", "../shared/site.pp"))
            .edit(replace("shared/site.pp", "\nnode", "\nnotify { 'more': }\nnode"))
            .changes("db1 web1 web2"),
    ]
}

fn hidden() -> Vec<Row> {
    let flags = ["assume-unchanged", "skip-worktree"];
    let rows = flags.into_iter().flat_map(|flag| {
        let name = |names: [&'static str; 2]| if flag == "assume-unchanged" { names[0] } else { names[1] };
        [
            row(name(["data that git is told not to look at", "data outside of a sparse checkout"]))
                .edit(replace("data/common.yaml", "clock1", "clock2"))
                .hidden_by(flag)
                .changes("db1 web1 web2"),
            row(name(["code that git is told not to look at", "code outside of a sparse checkout"]))
                .edit(replace("modules/ntp/manifests/init.pp", "ntp is", "ntp was"))
                .hidden_by(flag)
                .changes("db1 web1 web2"),
        ]
    });
    rows.collect()
}
