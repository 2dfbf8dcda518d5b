//! Each question that a body may ask of the outside, and an edit elsewhere that changes the answer.

use super::{Edit, Kind, kind, replace, write};

const ROLE: &str = "site/role/manifests/db.pp";
const FACTS: &str = "facts/db1.yaml";
pub(crate) const STDLIB: &str = r#"{"name": "puppetlabs-stdlib", "version": "9.4.1", "author": "x", "summary": "", "license": "x",
    "source": "", "dependencies": []}"#;

const BACK_END: &str = "
function kit::data(Hash $options, Puppet::LookupContext $context) {
  { 'ntp::servers' => [$context.interpolate('%{facts.place}')] }
}
";

/// What it keeps makes a difference to what it answers: to ask its context twice is not to ask it once.
const BACK_END_IN_RUBY: &str = "
Puppet::Functions.create_function(:'kit::key') do
  dispatch :key do
    param 'String[1]', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def key(key, options, context)
    before = context.cached_value('asked')
    context.cache('asked', before.to_i + 1)
    after = context.cached_value('asked')
    context.not_found unless key == 'ntp::servers'
    lines = context.cached_file_data(options['path']) { |text| text.split(/[\\r\\n]+/) }
    lines + [\"asked #{before.to_i < after}\"]
  end
end
";

/// Runs a line of Ruby on the folder of the files of the module `kit`.
const IN_RUBY: &str = "
Puppet::Functions.create_function(:'kit::files') do
  def files(code)
    folder = File.dirname(call_function('find_file', 'kit/first'))
    CODE
  end
end
";

/// What this function is depends on the node and on a setting, which its file asks while it is run, and no call does.
const ASKS_WHEN_RUN: &str = "
Puppet::Functions.create_function(:'kit::which') do
  if Puppet[:certname] == 'web2' && Puppet[:digest_algorithm] == 'md5'
    def which
      'that of the second server'
    end
  else
    def which
      'that of all others'
    end
  end
end
";

/// The class `db` is told what a function in Ruby finds among files.
fn ruby_finds(name: &'static str, code: &str) -> Kind {
    kind(name)
        .before(write("modules/kit/files/first", "one"))
        .before(write("modules/kit/lib/puppet/functions/kit/files.rb", &IN_RUBY.replace("CODE", code)))
        .before(in_db("notice(kit::files('x'))"))
        .asks("db1")
        .runs("db1: db")
        .changes("db1")
}

/// A statement of the class `db`.
fn in_db(statement: &str) -> Edit {
    replace("modules/db/manifests/init.pp", "  file", &format!("  {statement}\n  file"))
}

/// A statement before `db` is included.
fn before_db(statement: &str) -> Edit {
    replace(ROLE, "  include db", &format!("  {statement}\n  include db"))
}

/// The text of the files of stdlib in these tests, for which native functions stand in here.
pub(crate) const STAND_IN: &str = "these_tests_have_this_for_stdlib 9\n";

/// The module stdlib, with one function that is written in Ruby and known natively.
fn with_stdlib(kind: Kind, function: &str) -> Kind {
    let metadata = write("modules/stdlib/metadata.json", STDLIB);
    let needs = replace(
        "modules/db/metadata.json",
        "{\"name\": \"demo-kit\"}",
        "{\"name\": \"puppetlabs-stdlib\"}, {\"name\": \"demo-kit\"}",
    );
    kind.before(metadata)
        .before(needs)
        .before(write(&format!("modules/stdlib/lib/puppet/parser/functions/{function}.rb"), STAND_IN))
}

pub(super) fn table() -> Vec<Kind> {
    let mut all = of_the_node();
    all.extend(of_what_stands_around());
    all.extend(of_back_ends());
    all.extend(of_the_catalog());
    all.extend(of_files());
    all.extend(never_the_same());
    all
}

fn of_the_node() -> Vec<Kind> {
    vec![
        kind("a container as a whole")
            .before(in_db("notice($facts['memory'])"))
            .edit(replace(FACTS, "free: 8", "free: 9"))
            .asks("db1")
            .runs("db1: db")
            .changes("db1"),
        kind("a part that is not there")
            .before(in_db("notice($facts['gone'])"))
            .edit(replace(FACTS, "uptime", "gone: here, uptime"))
            .asks("db1")
            .runs("db1: db")
            .changes("db1"),
        kind("a variable that is not there")
            .before(in_db("notice(getvar('role::db::mine'))"))
            .edit(before_db("$mine = 'now'"))
            .asks("db1")
            .runs("db1: db, role::db")
            .changes("db1"),
        kind("what the name of a node is matched with")
            .before(replace("manifests/site.pp", "node default", "node /^web(\\d)$/ { notice($1) }\nnode default"))
            .edit(replace("facts/web1.yaml", "uptime: 100", "uptime: 101"))
            .asks("web1"),
        kind("a node's own, where others make something of the path of a file")
            .before(write("modules/kit/files/first", "one"))
            .before(in_db("notice(length(find_file('kit/first')))"))
            .edit(replace("facts/web1.yaml", "uptime: 100", "uptime: 101"))
            .asks("web1"),
        kind("a setting")
            .edit(replace("conf/puppet.conf", "true", "false"))
            .asks("db1 web1 web2")
            .runs("db1: db")
            .runs("web1: web")
            .runs("web2: web")
            .changes("db1 web1 web2"),
        kind("a local that a look-up reads")
            .before(in_db("$mine = 'osl'\n  notice(lookup('web::hosts'))"))
            .edit(replace("hiera.yaml", "facts.place", "mine"))
            .asks("db1 web1 web2")
            .runs("db1: db")
            .runs("web1: web")
            .changes("db1 web1 web2"),
        kind("what a back end asks of its context")
            .before(write("modules/kit/functions/data.pp", BACK_END))
            .before(replace("hiera.yaml", "hierarchy:", "hierarchy:\n  - name: own\n    data_hash: kit::data"))
            .edit(replace(FACTS, "place: osl", "place: ams"))
            .asks("db1")
            .changes("db1"),
    ]
}

fn of_what_stands_around() -> Vec<Kind> {
    vec![
        kind("what the file of a function in Ruby asks, for each body that calls it")
            .before(write("modules/kit/lib/puppet/functions/kit/which.rb", ASKS_WHEN_RUN))
            .before(replace("modules/ntp/manifests/init.pp", "  $drift", "  notice(kit::which())\n  $drift"))
            .before(replace(
                "modules/users/manifests/init.pp",
                "  @user { 'ann'",
                "  notice(kit::which())\n  @user { 'ann'",
            ))
            .edit(replace("conf/puppet.conf", "true", "true\ndigest_algorithm = md5"))
            .asks("db1 web1 web2")
            .runs("web2: ntp, users")
            .changes("web2")
            .says("web2", "that of the second server"),
        kind("defaults, as a template in Ruby sees them")
            .before(in_db("notice(inline_template(\"<%= scope.lookupdefaults('Exec').values.map(&:value) %>\"))"))
            .before(replace("manifests/site.pp", "\nnode", "\nExec { cwd => '/first' }\nnode"))
            .edit(replace("manifests/site.pp", "/first", "/second"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp, db")
            .changes("db1")
            .says("db1", "/second"),
        with_stdlib(kind("whether a template is run by a node block"), "assert_private")
            .before(write("modules/db/templates/private.epp", "<% assert_private() %>no"))
            .before(in_db("notice(epp('db/private.epp'))"))
            .edit(replace("manifests/site.pp", "node default { ", ""))
            .edit(replace("manifests/site.pp", "\" }", "\""))
            .asks("db1 web1 web2")
            .runs("db1: db, role::db, main manifests/site.pp")
            .runs("web1: main manifests/site.pp")
            .changes("db1 web1 web2")
            .says("db1", "is private"),
        kind("what a name that nobody knows is like")
            .before(in_db("notice($colour)"))
            .edit(replace("manifests/site.pp", "\nnode", "\n$color = 1\nnode"))
            .asks("db1 web1 web2")
            .runs("db1: main manifests/site.pp, db, role::db, default")
            .changes("db1")
            .says("db1", "did you mean $color?"),
    ]
}

fn of_back_ends() -> Vec<Kind> {
    vec![
        with_back_end_in_ruby(kind("the file that a back end in Ruby has made its data of"))
            .edit(write("data/clocks.txt", "clock8"))
            .asks("db1 web1 web2")
            .runs("db1: ntp")
            .runs("web1: ntp")
            .changes("db1 web1 web2")
            .says("web2", "clock8"),
        with_back_end_in_ruby(kind("the code of a back end in Ruby"))
            .edit(replace("modules/kit/lib/puppet/functions/kit/key.rb", "asked #", "was asked #"))
            .asks("db1 web1 web2")
            .runs("db1: ntp")
            .runs("web1: ntp")
            .changes("db1 web1 web2")
            .says("web1", "was asked true"),
    ]
}

fn with_back_end_in_ruby(kind: Kind) -> Kind {
    let entry = "hierarchy:\n  - name: own\n    lookup_key: kit::key\n    path: clocks.txt";
    kind.before(write("modules/kit/lib/puppet/functions/kit/key.rb", BACK_END_IN_RUBY))
        .before(write("data/clocks.txt", "clock7"))
        .before(replace("hiera.yaml", "hierarchy:", entry))
}

fn of_the_catalog() -> Vec<Kind> {
    vec![
        kind("whether a class is there")
            .before(in_db("notice(defined(Class['users']))"))
            .edit(before_db("include users"))
            .asks("db1")
            .runs("db1: db, role::db")
            .changes("db1"),
        kind("whether a resource is there")
            .before(in_db("notice(defined(Notify['early']))"))
            .edit(before_db("notify { 'early': }"))
            .asks("db1")
            .runs("db1: db, role::db")
            .changes("db1"),
        kind("whether there is a tag")
            .before(in_db("notice(tagged('special'))"))
            .edit(before_db("tag('special')"))
            .asks("db1")
            .runs("db1: db, role::db")
            .changes("db1"),
        kind("the classes that are evaluated by now, as a template sees them")
            .before(write("modules/kit/manifests/early.pp", "class kit::early { }"))
            .before(in_db("notice(inline_template('<%= classes.join %> <%= all_tags.include?(%q(early)) %>'))"))
            .edit(before_db("include kit::early"))
            .asks("db1")
            .runs("db1: kit::early, db, role::db")
            .changes("db1"),
        kind("the parameter of a resource")
            .before(in_db("notice(File['/etc/ntp.conf']['content'])"))
            .edit(replace("modules/ntp/templates/ntp.conf.epp", "server ", "peer "))
            .asks("db1 web1 web2")
            .runs("db1: ntp, db")
            .runs("web1: ntp")
            .changes("db1 web1 web2"),
        with_stdlib(kind("the parameter of a resource, as a function in Ruby sees it"), "getparam")
            .before(in_db("notice(getparam(File['/etc/ntp.conf'], 'content'))"))
            .edit(replace("modules/ntp/templates/ntp.conf.epp", "server ", "peer "))
            .asks("db1 web1 web2")
            .runs("db1: ntp, db")
            .runs("web1: ntp")
            .changes("db1 web1 web2"),
        with_stdlib(kind("whether a resource is declared with parameters"), "defined_with_params")
            .before(in_db("notice(defined_with_params(Notify['early'], { 'message' => 'x' }))"))
            .edit(before_db("notify { 'early': message => 'x' }"))
            .asks("db1")
            .runs("db1: db, role::db")
            .changes("db1"),
        kind("whether a resource is there, before and after")
            .before(in_db(
                "notice(defined(Notify['own']))\n  notify { 'own': }\n  notice(\"then: ${defined(Notify['own'])}\")",
            ))
            .edit(replace(FACTS, "total: 64", "total: 32"))
            .asks("db1")
            .runs("db1: db")
            .changes("db1"),
        kind("a variable of a class that is half done")
            .before(before_db("$early = 1"))
            .before(in_db("notice($role::db::early)"))
            .edit(replace(ROLE, "$early = 1", "$early = 2"))
            .asks("db1")
            .runs("db1: db, role::db")
            .changes("db1"),
        kind("who calls")
            .before(in_db("notice($caller_module_name)"))
            .before(write("modules/users/manifests/more.pp", "class users::more { include db }"))
            .edit(before_db("include users::more"))
            .asks("db1")
            .runs("db1: db, users::more, role::db")
            .changes("db1"),
    ]
}

fn of_files() -> Vec<Kind> {
    vec![
        kind("which file there is")
            .before(in_db("notice(find_file('web/first', 'web/banner'))"))
            .edit(write("modules/web/files/first", ""))
            .asks("db1")
            .runs("db1: db")
            .changes("db1"),
        with_stdlib(kind("which files there are"), "glob")
            .before(in_db("notice(glob(\"${settings::confdir}/*.conf\"))"))
            .edit(write("conf/more.conf", ""))
            .asks("db1")
            .runs("db1: db")
            .changes("db1"),
        ruby_finds("a file that Ruby code reads", "File.readlines(\"#{folder}/first\")")
            .edit(write("modules/kit/files/first", "two")),
        ruby_finds("a file that is not there for Ruby code", "File.file?(\"#{folder}/second\")")
            .edit(write("modules/kit/files/second", "")),
        ruby_finds("a folder that is not there for Ruby code", "Dir.exist?(\"#{folder}/more\")")
            .edit(write("modules/kit/files/more/second", "")),
        ruby_finds("the files whose names Ruby code matches", "Dir.glob(\"#{folder}/*.txt\").size")
            .edit(write("modules/kit/files/second.txt", "")),
        kind("what Ruby code may read")
            .before(write("modules/kit/files/first", "one"))
            .before(write(
                "modules/kit/lib/puppet/functions/kit/files.rb",
                &IN_RUBY.replace("CODE", "File.exist?('/nowhere/at/all')"),
            ))
            .before(in_db("notice(kit::files('x'))"))
            .before(replace("conf/puppet.conf", "[main]", "[main]\nruby_reads = /nowhere"))
            .edit(replace("conf/puppet.conf", "ruby_reads = /nowhere", "ruby_reads = /elsewhere"))
            .asks("db1 web1 web2")
            .runs("db1: db, role::db, default")
            .changes("db1")
            .says("db1", "may not read '/nowhere/at/all'"),
        kind("a type that is not there")
            .before(in_db("notice(1 =~ Kit::More)"))
            .edit(write("modules/kit/types/more.pp", "type Kit::More = Integer"))
            .asks("db1")
            .runs("db1: db, role::db, default, backup")
            .changes("db1"),
        kind("a function that is not there")
            .before(in_db("notice(kit::more())"))
            .edit(write("modules/kit/functions/more.pp", "function kit::more() { 'more' }"))
            .asks("db1")
            .runs("db1: db, role::db, default, backup")
            .changes("db1"),
        kind("a template that is not there")
            .before(in_db("notice(epp('db/more.epp'))"))
            .edit(write("modules/db/templates/more.epp", "more"))
            .asks("db1")
            .runs("db1: db, role::db, default, backup")
            .changes("db1"),
        kind("a template in Ruby that is not there")
            .before(in_db("notice(template('db/more.erb'))"))
            .edit(write("modules/db/templates/more.erb", "more"))
            .asks("db1")
            .runs("db1: db, role::db, default, backup")
            .changes("db1"),
        kind("a class that is not there")
            .before(in_db("notice(defined('users::more'))"))
            .edit(write("modules/users/manifests/more.pp", "class users::more { }"))
            .asks("db1")
            .runs("db1: db")
            .changes("db1"),
    ]
}

/// Whatever is edited, these are asked again.
fn never_the_same() -> Vec<Kind> {
    let kind = |name| kind(name).edit(replace("facts/web1.yaml", "uptime: 100", "uptime: 101")).volatile();
    vec![
        kind("the time")
            .before(in_db("if Timestamp() > Timestamp(0) { notice('late') }"))
            .asks("db1 web1")
            .runs("db1: db"),
        kind("what a command says")
            .before(in_db("notice(generate('/bin/echo', 'said'))"))
            .asks("db1 web1")
            .runs("db1: db"),
        kind("what a command of Ruby code says")
            .before(write("modules/kit/lib/puppet/functions/kit/files.rb", &IN_RUBY.replace("CODE", "`echo said`")))
            .before(write("modules/kit/files/first", "one"))
            .before(in_db("notice(kit::files('x'))"))
            .asks("db1 web1")
            .runs("db1: db"),
        kind("a number that nobody can foresee")
            .before(write("modules/kit/lib/puppet/functions/kit/files.rb", &IN_RUBY.replace("CODE", "rand(1)")))
            .before(write("modules/kit/files/first", "one"))
            .before(in_db("notice(kit::files('x'))"))
            .asks("db1 web1")
            .runs("db1: db"),
    ]
}
