//! Edits of manifests, functions, types and templates.

use super::{Kind, kind, remove, rename, replace, write};

const NTP: &str = "modules/ntp/manifests/init.pp";
const WEB: &str = "modules/web/manifests/init.pp";
const HOST: &str = "modules/web/manifests/host.pp";
const DB: &str = "modules/db/manifests/init.pp";
const SITE: &str = "manifests/site.pp";
const EPP: &str = "modules/ntp/templates/ntp.conf.epp";
const ERB: &str = "modules/web/templates/web.erb";

pub(super) fn table() -> Vec<Kind> {
    let mut all = lines();
    all.extend(classes());
    all.extend(files());
    all.extend(resources());
    all.extend(site());
    all.extend(templates());
    all.extend(functions_and_types());
    all.extend(functions_of_one_name());
    all.extend(errors());
    all.extend(warnings_of_the_parser());
    all
}

/// What means the same, and is warned of.
fn warnings_of_the_parser() -> Vec<Kind> {
    let (silent, warned) = (r#""C:\\windows""#, r#""C:\windows""#);
    let said = "Unrecognized escape sequence";
    let with = |text: &str| format!("  $folder = {text}\n  Notify <<");
    let function = |text: &str| {
        format!("function kit::line($name, $value) {{\n  $folder = {text}\n  \"${{name}} = ${{value}}\"\n}}\n")
    };
    let line = "modules/kit/functions/line.pp";
    let alias = |text: &str| format!("type Kit::Port = Variant[Integer[1, 65535], Enum[{text}]]");
    vec![
        kind("a class that means the same is warned of")
            .before(replace(DB, "  Notify <<", &with(silent)))
            .edit(replace(DB, silent, warned))
            .asks("db1")
            .changes("db1")
            .says("db1", said),
        kind("a class that was warned of means the same")
            .before(replace(DB, "  Notify <<", &with(warned)))
            .edit(replace(DB, warned, silent))
            .asks("db1")
            .changes("db1"),
        kind("a body that means another thing is warned of")
            .before(replace(HOST, "content =>", "owner => 'root', content =>"))
            .edit(replace(HOST, "'root'", "\"\\whoever\""))
            .asks("web1 web2")
            .runs_whatever()
            .changes("web1 web2")
            .says("web1", said),
        kind("a function that means the same is warned of")
            .before(write(line, &function(silent)))
            .edit(write(line, &function(warned)))
            .asks("web1 web2")
            .changes("web1 web2")
            .says("web1", said),
        kind("a type alias that means the same is warned of")
            .before(write("modules/kit/types/port.pp", &alias(silent)))
            .edit(write("modules/kit/types/port.pp", &alias(warned)))
            .asks("db1 web1 web2")
            .changes("db1 web1 web2")
            .says("db1", said),
        kind("a site manifest that means the same is warned of")
            .before(replace(SITE, "$zone", &format!("$folder = {silent}\n$zone")))
            .edit(replace(SITE, silent, warned))
            .asks("db1 web1 web2")
            .changes("db1 web1 web2")
            .says("db1", said),
        kind("an EPP template that means the same is warned of")
            .before(replace(EPP, "place ", &format!("<% $folder = {silent} -%>\nplace ")))
            .edit(replace(EPP, silent, warned))
            .asks("db1 web1 web2")
            .runs_whatever()
            .changes("db1 web1 web2")
            .says("db1", said),
    ]
}

fn lines() -> Vec<Kind> {
    vec![
        kind("a comment where lines stay").edit(replace(DB, "# A database.", "# The database.")).asks("db1").anew(0),
        kind("a comment that moves lines")
            .edit(replace(DB, "class db", "#\nclass db"))
            .asks("db1")
            .changes("db1")
            .anew(0),
        kind("a comment above what is warned of")
            .before(replace(DB, "  Notify <<", "  notice($nobody)\n  Notify <<"))
            .edit(replace(DB, "class db", "#\nclass db"))
            .asks("db1")
            .changes("db1")
            .anew(1),
        kind("a blank line at the end")
            .edit(replace(DB, "<<| tag == 'served' |>>\n}", "<<| tag == 'served' |>>\n}\n"))
            .asks("db1")
            .anew(0),
        kind("spaces within a line").edit(replace(DB, "class db (", "class   db (")).asks("db1").anew(0),
    ]
}

fn classes() -> Vec<Kind> {
    vec![
        kind("a class is moved to another file")
            .edit(remove("modules/backup/manifests/init.pp"))
            .edit(replace(SITE, "$zone", "class backup {\n  notify { \"ask ${contact}\": }\n}\n$zone"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp")
            .changes("db1"),
        kind("a literal")
            .edit(replace(NTP, "\"ntp is", "\"ntp was"))
            .asks("db1 web1 web2")
            .runs("db1: ntp")
            .changes("db1 web1 web2"),
        kind("a parameter is added")
            .edit(replace(NTP, "= 'slow'", "= 'slow', $more = 1"))
            .asks("db1 web1 web2")
            .runs("db1: ntp")
            .runs("web1: ntp")
            .changes("db1 web1 web2"),
        kind("a default that is used")
            .edit(replace(HOST, "/srv/", "/web/"))
            .asks("web1 web2")
            .runs("web1: web::host, web::host")
            .changes("web1 web2"),
        kind("a default that data overrides")
            .edit(replace(NTP, "'slow'", "'late'"))
            .asks("db1 web1 web2")
            .runs("db1: ntp"),
        kind("a variable that another class reads")
            .edit(replace(NTP, "/var/lib/ntp", "/ntp"))
            .asks("db1 web1 web2")
            .runs("db1: ntp, db")
            .changes("db1")
            .says("db1", "\"/ntp 5433"),
        kind("a variable that nobody reads")
            .edit(replace(NTP, "nobody reads", "no one reads"))
            .asks("db1 web1 web2")
            .runs("db1: ntp"),
        kind("a class of one node")
            .edit(replace("site/role/manifests/db.pp", "include users", "include users\n  notify { 'more': }"))
            .asks("db1")
            .runs("db1: role::db")
            .changes("db1"),
        kind("the class that another inherits")
            .edit(replace(WEB, "file('web/banner')", "'closed'"))
            .asks("web1 web2")
            .runs("web1: web")
            .changes("web1 web2")
            .says("web1", "closed"),
        kind("a statement before all others")
            .edit(replace(WEB, "  web::host", "  notice('hello')\n  web::host"))
            .asks("web1 web2")
            .runs("web1: web")
            .runs("web2: web")
            .changes("web1 web2")
            .says("web2", "hello"),
    ]
}

fn files() -> Vec<Kind> {
    vec![
        kind("a file that nobody needs").edit(write("modules/ntp/manifests/unused.pp", "class ntp::unused {}")),
        kind("a file in a folder of no meaning").edit(write("README.md", "read me")),
        kind("a file that now wins an autoload look-up")
            .edit(write("site/db/manifests/init.pp", "class db { notify { 'the site wins': } }"))
            .asks("db1 web1 web2")
            .runs("db1: db")
            .changes("db1")
            .says("db1", "the site wins"),
        kind("a file that is deleted")
            .edit(remove(DB))
            .asks("db1")
            .runs("db1: role::db, default")
            .changes("db1")
            .says("db1", "Could not find class ::db"),
        kind("a file that is deleted and was not needed").edit(remove("modules/kit/functions/nobody_calls.pp")),
        kind("a file comes that was missed")
            .before(rename(DB, "db.pp"))
            .edit(rename("db.pp", DB))
            .asks("db1")
            .runs("db1: db, role::db, default, backup")
            .changes("db1")
            .says("db1", "/etc/db"),
        kind("a file under another name")
            .edit(rename(HOST, "modules/web/manifests/hosts.pp"))
            .asks("web1 web2")
            .runs("web1: web, role::web, default")
            .runs("web2: web")
            .changes("web1 web2")
            .says("web1", "Unknown resource type: 'web::host'"),
        kind("a second site manifest")
            .edit(write("manifests/more.pp", "notify { 'more': }"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/more.pp")
            .changes("db1 web1 web2")
            .says("web1", "more"),
        kind("a file is emptied")
            .edit(write(DB, ""))
            .asks("db1")
            .runs("db1: role::db, default")
            .changes("db1")
            .says("db1", "Could not find class"),
        kind("the same bytes again").edit(write("conf/puppet.conf", "[main]\nstoreconfigs = true\n")),
        kind("a file that is read as it is")
            .edit(write("modules/web/files/banner", "closed\n"))
            .asks("web1 web2")
            .runs("web1: web")
            .changes("web1 web2")
            .says("web1", "closed"),
        kind("a file that is read as it is, and is no text")
            .edit(super::Edit::Write("modules/web/files/banner".to_owned(), vec![0xff, 0xfe]))
            .asks("web1 web2")
            .runs("web1: web, role::web, default")
            .runs("web2: web")
            .changes("web1 web2"),
        kind("a file beside it").edit(write("modules/web/files/unread", "other")),
    ]
}

fn resources() -> Vec<Kind> {
    vec![
        kind("a collector's query")
            .edit(replace("site/role/manifests/web.pp", "tag == 'http'", "tag == 'sql'"))
            .asks("web1 web2")
            .runs("web1: role::web")
            .changes("web1 web2")
            .says("web1", "bob"),
        kind("a collector overrides")
            .edit(replace("site/role/manifests/web.pp", "tag == 'http' |>", "tag == 'http' |> { uid => 7 }"))
            .asks("web1 web2")
            .runs("web1: role::web")
            .changes("web1 web2")
            .says("web1", "\"uid\": 7"),
        kind("what is collected")
            .edit(replace("modules/users/manifests/init.pp", "'bob': tag => 'sql'", "'bob': tag => 'http'"))
            .asks("db1 web1 web2")
            .runs("db1: users")
            .changes("db1 web1 web2")
            .says("web1", "bob"),
        kind("an override")
            .edit(replace("modules/web/manifests/tuned.pp", "0600", "0640"))
            .asks("web1 web2")
            .runs("web1: web::tuned")
            .changes("web1 web2")
            .says("web1", "0640"),
        kind("defaults of a type")
            .edit(replace(SITE, "withpath => true", "withpath => false"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp")
            .changes("db1 web1 web2")
            .says("db1", "\"withpath\": false"),
        kind("a resource is exported")
            .edit(replace(DB, "Notify <<|", "@@notify { 'mine': tag => 'served' }\n  Notify <<|"))
            .asks("db1")
            .runs("db1: db")
            .changes("db1")
            .says("db1", "mine"),
        kind("an exported resource of another")
            .edit(replace(WEB, "serves\"", "serves all\""))
            .asks("web1 web2")
            .runs("web1: web")
            .runs("web2: web"),
        kind("a define used by many")
            .edit(replace(HOST, "'port'", "'listen'"))
            .asks("web1 web2")
            .runs("web1: web::host, web::host")
            .changes("web1 web2")
            .says("web1", "listen = 80"),
        kind("an arrow")
            .edit(replace("site/role/manifests/db.pp", "include db", "include db\n  Class['ntp'] -> Class['db']"))
            .asks("db1")
            .runs("db1: role::db")
            .changes("db1")
            .says("db1", "\"Class[Db]\"\n        ]"),
    ]
}

fn site() -> Vec<Kind> {
    vec![
        kind("a node block")
            .edit(replace(SITE, "node default", "node web1 { notify { 'alone': } }\nnode default"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp")
            .runs("web1: web1")
            .changes("web1")
            .says("web1", "alone"),
        kind("a variable of the site that is read")
            .edit(replace(SITE, "'inside'", "'outside'"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp")
            .runs("web1: web")
            .runs("web2: web")
            .changes("web1 web2")
            .says("web1", "zone outside"),
        kind("a variable of the site that no code or template reads")
            .edit(replace(SITE, "$zone", "$other = 1\n$zone"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp"),
        kind("a tag")
            .edit(replace(DB, "  file", "  tag('tagged')\n  file"))
            .asks("db1")
            .runs("db1: db")
            .changes("db1")
            .says("db1", "tagged"),
        kind("a stage")
            .edit(replace(SITE, "$zone", "stage { 'early': before => Stage['main'] }\n$zone"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp")
            .changes("db1 web1 web2")
            .says("db1", "early"),
    ]
}

fn templates() -> Vec<Kind> {
    vec![
        kind("the text of an EPP template")
            .edit(replace(EPP, "server ", "peer "))
            .asks("db1 web1 web2")
            .runs("db1: ntp")
            .changes("db1 web1 web2")
            .says("db1", "peer clock1"),
        kind("a comment in an EPP template").edit(replace(EPP, "place", "<%# where -%>\nplace")).asks("db1 web1 web2"),
        kind("an EPP template reads another fact")
            .edit(replace(EPP, "['place']", "['memory']['free']"))
            .asks("db1 web1 web2")
            .runs("db1: ntp")
            .runs("web1: ntp")
            .runs("web2: ntp")
            .changes("db1 web1 web2")
            .says("db1", "place 8"),
        kind("the text of an ERB template")
            .edit(replace(ERB, "listen", "port"))
            .asks("web1 web2")
            .runs("web1: web")
            .runs("web2: web")
            .changes("web1 web2")
            .says("web1", "port 80"),
        kind("a variable that an ERB template reads")
            .edit(replace("data/common.yaml", "db::port", "web::port: 81\ndb::port"))
            .asks("db1 web1 web2")
            .runs("web1: web, web::host, web::host")
            .runs("web2: web")
            .changes("web1 web2")
            .says("web1", "listen 81"),
        kind("a variable that an ERB template does not read")
            .edit(replace("data/common.yaml", "[shop]", "[shop, wiki]"))
            .asks("db1 web1 web2")
            .runs("web1: web, web::host")
            .runs("web2: web")
            .changes("web1 web2")
            .says("web2", "/srv/wiki"),
        kind("a template goes")
            .edit(remove(ERB))
            .asks("web1 web2")
            .runs("web1: web, role::web, default")
            .runs("web2: web")
            .changes("web1 web2")
            .says("web1", "Could not find template"),
    ]
}

fn older(text: &str) -> String {
    format!("Puppet::Parser::Functions.newfunction(:older, :type => :rvalue) do |args|\n  args[0] + ' {text}'\nend\n")
}

fn functions_of_one_name() -> Vec<Kind> {
    vec![
        kind("a module gets a function of its own that another one has")
            .edit(write("modules/db/lib/puppet/parser/functions/older.rb", &older("of its own")))
            .asks("db1")
            .runs("db1: db")
            .changes("db1")
            .says("db1", "data of its own"),
        kind("another body loads a function of the older kind first now")
            .before(write("modules/users/lib/puppet/parser/functions/older.rb", &older("of people")))
            .before(replace(
                "modules/users/manifests/init.pp",
                "class users {",
                "class users {\n  notice(older('names'))",
            ))
            .edit(replace("modules/db/manifests/init.pp", "${older('data')}", "data"))
            .asks("db1")
            .runs("db1: db")
            .changes("db1")
            .says("db1", "names of people"),
    ]
}

fn functions_and_types() -> Vec<Kind> {
    vec![
        kind("the body of a function")
            .edit(replace("modules/kit/functions/line.pp", " = ", " is "))
            .asks("web1 web2")
            .runs("web1: web::host, web::host")
            .changes("web1 web2")
            .says("web1", "port is 80"),
        kind("a comment in a function")
            .edit(replace("modules/kit/functions/line.pp", "One", "A"))
            .asks("web1 web2")
            .anew(0),
        kind("a function that nobody calls")
            .edit(write("modules/kit/functions/nobody_calls.pp", "function kit::nobody_calls() { 2 }")),
        kind("a type alias")
            .edit(replace("modules/kit/types/port.pp", "[1,", "[100,"))
            .asks("db1 web1 web2")
            .runs("db1: db")
            .runs("web1: web, role::web, default")
            .runs("web2: web")
            .changes("web1 web2")
            .says("web1", "expects a Kit::Port"),
        kind("a type alias that still takes the value")
            .edit(replace("modules/kit/types/port.pp", "[1,", "[0,"))
            .asks("db1 web1 web2")
            .runs("db1: db")
            .runs("web1: web")
            .runs("web2: web"),
        kind("a function in Ruby")
            .edit(replace("modules/kit/lib/puppet/functions/kit/loud.rb", "'!'", "'?'"))
            .asks("web1 web2")
            .runs("web1: web")
            .runs("web2: web")
            .changes("web1 web2")
            .says("web1", "SMALL?"),
        kind("a comment in a function in Ruby")
            .edit(replace("modules/kit/lib/puppet/functions/kit/loud.rb", "# Louder", "# Loud"))
            .asks("web1 web2")
            .runs("web1: web")
            .runs("web2: web"),
        kind("an older function in Ruby")
            .edit(replace("modules/kit/lib/puppet/parser/functions/older.rb", "of old", "of yore"))
            .asks("db1")
            .runs("db1: db")
            .changes("db1")
            .says("db1", "data of yore"),
        kind("a function in Ruby of the environment itself comes before that of a module")
            .edit(write(
                "lib/puppet/functions/older.rb",
                "Puppet::Functions.create_function(:older) do\n  def older(*)\n    'of its own'\n  end\nend\n",
            ))
            .asks("db1")
            .runs("db1: db")
            .changes("db1")
            .says("db1", "of its own"),
        kind("a native type in Ruby")
            .edit(replace("modules/kit/lib/puppet/type/gadget.rb", "newproperty(:size)", "newproperty(:length)"))
            .asks("web1 web2")
            .changes("web1 web2")
            .says("web1", "no parameter named 'size'"),
    ]
}

fn errors() -> Vec<Kind> {
    vec![
        kind("an error is made")
            .edit(replace(DB, "$port)", "$port"))
            .asks("db1")
            .runs("db1: role::db, default")
            .changes("db1")
            .says("db1", "Syntax error"),
        kind("an error is mended")
            .before(replace(DB, "content =>", "content ==>"))
            .edit(replace(DB, "==>", "=>"))
            .asks("db1")
            .runs("db1: db, role::db, default, backup")
            .changes("db1")
            .says("db1", "/etc/db"),
        kind("an error in the site manifest")
            .edit(replace(SITE, "node default {", "node default ("))
            .asks("db1 web1 web2")
            .changes("db1 web1 web2")
            .says("web2", "Syntax error"),
        kind("a failure")
            .edit(replace(DB, "  file", "  fail('no more')\n  file"))
            .asks("db1")
            .runs("db1: db, role::db, default")
            .changes("db1")
            .says("db1", "no more"),
        kind("a failure of all moves down")
            .before(replace(NTP, "  $drift", "  fail('no more')\n  $drift"))
            .edit(replace(NTP, "# The", "#\n# The"))
            .asks("db1 web1 web2")
            .changes("db1 web1 web2"),
        kind("a warning")
            .edit(replace(DB, "  file", "  warning('old')\n  file"))
            .asks("db1")
            .runs("db1: db")
            .changes("db1")
            .says("db1", "Scope(Class[Db]): old"),
        kind("a file that is no text")
            .edit(super::Edit::Write(DB.to_owned(), b"class db { notify { '\xff': } }".to_vec()))
            .asks("db1")
            .runs("db1: role::db, default")
            .changes("db1"),
    ]
}
