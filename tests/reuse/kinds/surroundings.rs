//! Edits of settings, modules, links, modes, and of several things at once.

use super::super::ways::Options;
use super::{Edit, Kind, kind, link, remove, rename, replace, write};

pub(super) fn table() -> Vec<Kind> {
    let mut all = settings();
    all.extend(modules());
    all.extend(disk());
    all.extend(several());
    all.extend(chosen());
    all
}

fn settings() -> Vec<Kind> {
    vec![
        kind("a setting that matters")
            .before(replace("modules/db/manifests/init.pp", "  file", "  $x = $unknown\n  file"))
            .edit(replace("conf/puppet.conf", "[main]", "[main]\nstrict = off\nstrict_variables = false"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp, ntp, db, users, role::db, default, backup")
            .runs("web1: ntp, web, web::tuned, role::web, default, web::host, web::host")
            .runs("web2: web")
            .changes("db1")
            .says("db1", "/etc/db"),
        kind("a setting that does not matter")
            .edit(replace("conf/puppet.conf", "[main]", "[main]\nruninterval = 100"))
            .asks("db1 web1 web2"),
        kind("a setting that code reads")
            .before(replace("modules/db/manifests/init.pp", "  file", "  notice($settings::runinterval)\n  file"))
            .edit(replace("conf/puppet.conf", "[main]", "[main]\nruninterval = 100"))
            .asks("db1 web1 web2")
            .runs("db1: db")
            .changes("db1")
            .says("db1", "100"),
        kind("a comment in the settings").edit(replace("conf/puppet.conf", "[main]", "# ours\n[main]")),
        kind("settings of others").edit(replace("conf/puppet.conf", "[main]", "[agent]\nruninterval = 100\n[main]")),
        kind("a setting that is what it would be anyhow")
            .edit(replace("conf/puppet.conf", "[main]", "[main]\nruninterval = 1800"))
            .asks("db1 web1 web2"),
        kind("environment.conf: another modulepath")
            .edit(replace("environment.conf", "site:modules", "modules"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp, default")
            .runs("web1: default")
            .runs("web2: default")
            .changes("db1 web1 web2")
            .says("db1", "Could not find class ::role::db"),
        kind("environment.conf: the same said in another way").edit(replace(
            "environment.conf",
            "modulepath = ",
            "# ours first\nmodulepath=",
        )),
        kind("environment.conf: a setting that nobody knows")
            .edit(replace("environment.conf", "modulepath", "unknown = 1\nmodulepath"))
            .asks("db1 web1 web2")
            .changes("db1 web1 web2")
            .says("db1", "unknown setting"),
        kind("environment.conf: another manifest")
            .edit(write("other.pp", "notify { 'other': }"))
            .edit(replace("environment.conf", "modulepath", "manifest = other.pp\nmodulepath"))
            .asks("db1 web1 web2")
            .runs("db1: main other.pp, backup")
            .changes("db1 web1 web2")
            .says("db1", "other"),
        kind("environment.conf goes")
            .edit(remove("environment.conf"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp, default")
            .runs("web1: default")
            .runs("web2: default")
            .changes("db1 web1 web2"),
    ]
}

fn modules() -> Vec<Kind> {
    vec![
        kind("a module that nobody needs")
            .edit(write("modules/new/manifests/init.pp", "class new {}"))
            .asks("db1 web1 web2"),
        kind("a module goes")
            .edit(remove("modules/db"))
            .asks("db1 web1 web2")
            .runs("db1: role::db, default")
            .changes("db1")
            .says("db1", "Could not find class ::db"),
        kind("a module's metadata: a word of no meaning")
            .edit(replace("modules/ntp/metadata.json", "1.0.0", "1.0.1"))
            .asks("db1 web1 web2"),
        kind("a module's metadata: what it needs")
            .edit(replace("modules/ntp/metadata.json", "demo-kit", "demo-other"))
            .asks("db1 web1 web2"),
        kind("a module's metadata is wrong")
            .edit(replace("modules/kit/metadata.json", "{", "["))
            .asks("db1 web1 web2")
            .runs("db1: role::db, default")
            .runs("web1: role::web, default")
            .changes("db1 web1 web2"),
        kind("a module's metadata goes").edit(remove("modules/kit/metadata.json")).asks("db1 web1 web2"),
        kind("a Puppetfile comes")
            .edit(write("Puppetfile", "mod 'demo/missing', '1.0.0'\n"))
            .asks("db1 web1 web2")
            .changes("db1 web1 web2")
            .says("db1", "demo/missing"),
    ]
}

fn disk() -> Vec<Kind> {
    vec![
        kind("the mode of a file").edit(Edit::Mode("modules/web/files/banner".to_owned(), 0o600)),
        kind("a file becomes a link to the same text")
            .before(write("modules/web/files/other", "welcome\n"))
            .edit(link("modules/web/files/banner", "other")),
        kind("a link leads to another text")
            .before(write("modules/web/files/other", "closed\n"))
            .before(link("modules/web/files/banner", "unread"))
            .edit(link("modules/web/files/banner", "other"))
            .asks("web1 web2")
            .runs("web1: web")
            .changes("web1 web2")
            .says("web1", "closed"),
        kind("a link leads nowhere")
            .edit(link("modules/web/files/banner", "nowhere"))
            .asks("web1 web2")
            .runs("web1: web, role::web, default")
            .runs("web2: web")
            .changes("web1 web2")
            .says("web1", "Could not find any files from web/banner"),
        kind("what a link leads to")
            .before(rename("modules/web/files/banner", "banner"))
            .before(link("modules/web/files/banner", "../../../banner"))
            .edit(write("banner", "closed\n"))
            .asks("web1 web2")
            .runs("web1: web")
            .changes("web1 web2")
            .says("web1", "closed"),
        kind("a module becomes a link")
            .edit(rename("modules/db", "elsewhere"))
            .edit(link("modules/db", "../elsewhere"))
            .asks("db1 web1 web2"),
        kind("a link goes round")
            .edit(link("modules/web/files/banner", "banner"))
            .asks("web1 web2")
            .runs("web1: web, role::web, default")
            .runs("web2: web")
            .changes("web1 web2"),
        kind("a file becomes a folder")
            .edit(write("data/nodes/db1.yaml/x", ""))
            .asks("db1")
            .runs("db1: ntp, role::db, default")
            .changes("db1"),
        kind("a folder becomes a file").edit(write("data/places", "x")).asks("web1").runs("web1: web").changes("web1"),
        kind("an empty folder").edit(Edit::Folder("modules/empty".to_owned())).asks("db1 web1 web2"),
    ]
}

/// The folder of settings is that of the environments: `environments.pp` stands there.
const CHOSEN: Options = Options(&[
    "--confdir",
    "{}",
    "--environmentpath",
    "{}/environments",
    "--facts",
    "{}/facts",
    "--enc",
    "/bin/false",
    "--enc-answers",
    "{}/enc",
]);

/// With a file that says which environments there are.
fn chosen() -> Vec<Kind> {
    let file = "site {
  environment { 'production': }
  environment { 'testing': manifestdir => 'testing' }
}
notice('chosen by all')
";
    let plain = |name| {
        kind(name)
            .with(CHOSEN)
            .runs_whatever()
            .before(write("environments.pp", file))
            .before(write("testing/site.pp", "notify { 'testing': }\n"))
    };
    // No answer of an environment that the file chose is stored.
    let kind = |name| plain(name).volatile();
    let of_some = "if $facts['place'] == 'ams' { $environment = 'testing' }\nsite {";
    vec![
        kind("environments.pp: another environment for some")
            .edit(replace("environments.pp", "site {", of_some))
            .asks("web1")
            .changes("web1")
            .says("web1", "testing"),
        kind("environments.pp: an environment that is another one")
            .before(replace("environments.pp", "site {", of_some))
            .edit(write("tested/site.pp", "notify { 'tested': }\n"))
            .edit(replace("environments.pp", "manifestdir => 'testing'", "manifestdir => 'tested'"))
            .asks("web1")
            .changes("web1")
            .says("web1", "tested"),
        kind("environments.pp: what a fact says of an environment")
            .edit(write("of_ams/site.pp", "notify { 'of ams': }\n"))
            .edit(replace(
                "environments.pp",
                "'production': }",
                "'production': manifestdir => $facts['place'] ? { 'ams' => 'of_ams', default => 'manifests' } }",
            ))
            .asks("web1")
            .changes("web1")
            .says("web1", "of ams"),
        kind("environments.pp: what it logs")
            .edit(replace("environments.pp", "chosen by all", "chosen for all"))
            .asks("db1 web1 web2")
            .changes("db1 web1 web2")
            .says("web2", "chosen for all"),
        kind("environments.pp: a comment").edit(replace("environments.pp", "site {", "# All.\nsite {")),
        kind("environments.pp: an environment that nobody knows")
            .edit(replace("environments.pp", "site {", "$environment = 'nobody'\nsite {"))
            .asks("db1 web1 web2")
            .changes("db1 web1 web2")
            .says("web1", "unknown environment 'nobody'"),
        kind("environments.pp: a manifest of an environment that it chose")
            .before(replace("environments.pp", "site {", of_some))
            .edit(replace("testing/site.pp", "'testing'", "'other'"))
            .asks("web1")
            .changes("web1")
            .says("web1", "other"),
        plain("environments.pp comes")
            .before(remove("environments.pp"))
            .before(write("environments/production/manifests/site.pp", "notify { 'plain': }\n"))
            .edit(write("environments.pp", file))
            .asks("db1 web1 web2")
            .changes("db1 web1 web2")
            .says("web1", "chosen by all"),
    ]
}

fn several() -> Vec<Kind> {
    vec![
        kind("two edits at once, of different nodes")
            .edit(replace("data/nodes/db1.yaml", "5433", "5434"))
            .edit(replace("data/places/ams.yaml", "blog", "wiki"))
            .asks("db1 web1")
            .runs("db1: db")
            .runs("web1: web::host")
            .changes("db1 web1"),
        kind("two edits at once, of one body")
            .edit(replace("modules/ntp/manifests/init.pp", "ntp is", "ntp was"))
            .edit(replace("modules/ntp/data/common.yaml", "fast", "faster"))
            .asks("db1 web1 web2")
            .runs("db1: ntp")
            .runs("web1: ntp")
            .changes("db1 web1 web2")
            .says("web1", "ntp was faster"),
        kind("an edit that is taken back at once").edit(replace("data/common.yaml", "clock1", "clock2")).edit(replace(
            "data/common.yaml",
            "clock2",
            "clock1",
        )),
        kind("all data goes")
            .edit(remove("data"))
            .asks("db1 web1 web2")
            .runs("db1: ntp, role::db, default")
            .runs("web1: role::web, default")
            .changes("db1 web1 web2")
            .says("db1", "Error"),
        kind("all modules go")
            .edit(remove("modules"))
            .asks("db1 web1 web2")
            .runs("db1: role::db, default")
            .runs("web1: role::web, default")
            .runs("web2: role::web, default")
            .changes("db1 web1 web2")
            .says("db1", "Error"),
    ]
}
