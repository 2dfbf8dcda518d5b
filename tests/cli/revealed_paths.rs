//! Every way in which code learns a path of the repository: what it makes of that, a digest or a length, is never told of
//! another checkout. The cases follow the table in `src/compile/node/paths.rs`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::moved::Checkouts;

/// A function of the newer kind whose value is this Ruby code, in the module m.
fn newer(code: &str) -> (&'static str, String) {
    let text = format!(
        "Puppet::Functions.create_function(:'m::f') do\n  dispatch :f do\n  end\n  def f\n    {code}\n  end\nend\n"
    );
    ("modules/m/lib/puppet/functions/m/f.rb", text)
}

/// The same of the older kind.
fn older(code: &str) -> (&'static str, String) {
    let text = format!(
        "module Puppet::Parser::Functions\n  newfunction(:older_f, :type => :rvalue) do |args|\n    {code}\n  end\nend\n"
    );
    ("modules/m/lib/puppet/parser/functions/older_f.rb", text)
}

const DIGEST: &str = "require 'digest'\n    Digest::MD5.hexdigest(PATH)";

/// The code that is evaluated, and what the module m has for it.
struct Case {
    name: &'static str,
    code: String,
    files: Vec<(&'static str, String)>,
}

fn case(name: &'static str, code: &str, files: Vec<(&'static str, String)>) -> Case {
    Case { name, code: code.to_owned(), files }
}

/// A case of Ruby code that gives a path, by its length and by its digest.
fn in_ruby(name: &'static str, path: &str) -> [Case; 3] {
    let digest = DIGEST.replace("PATH", path);
    [
        case(name, "m::f()", vec![newer(&format!("({path}).to_s.length"))]),
        case(name, "m::f()", vec![newer(&digest)]),
        case(name, "older_f()", vec![older(&format!("({path}).to_s.length"))]),
    ]
}

fn in_template(name: &'static str, text: &str) -> Case {
    case(name, "template('m/t.erb')", vec![("modules/m/templates/t.erb", text.to_owned())])
}

fn cases() -> Vec<Case> {
    let mut all = vec![
        // The language.
        case("find_file", "md5(find_file('m/x'))", vec![]),
        case("find_file of several", "length(find_file(['m/y', 'm/x']))", vec![]),
        case("find_template", "length(find_template('m/given.epp'))", vec![]),
        case("module_directory", "sha256(module_directory('m'))", vec![]),
        case("a setting as a variable", "length($settings::modulepath)", vec![]),
        case("a setting of several levels", "md5($::settings::manifest)", vec![]),
        case("a setting in a text", "md5(\"a ${settings::environmentpath} b ${settings::modulepath}\")", vec![]),
        case("a setting in a template", "epp('m/given.epp')", vec![(
            "modules/m/templates/given.epp",
            "<%= length($settings::modulepath) %>".to_owned(),
        )]),
        // Data.
        case("a setting in data", "length(lookup('told'))", vec![(
            "data/common.yaml",
            "told: '%{settings::modulepath}'\n".to_owned(),
        )]),
        case("a back end in the language", "lookup('k')", vec![
            ("hiera.yaml", HIERA.replace("yaml_data", "m::data")),
            (
                "modules/m/functions/data.pp",
                "function m::data(Hash $options, $context) { { 'k' => length($options['path']) } }\n".to_owned(),
            ),
        ]),
        case("a back end in Ruby", "lookup('k')", vec![
            ("hiera.yaml", HIERA.replace("data_hash: yaml_data", "lookup_key: m::data")),
            (
                "modules/m/lib/puppet/functions/m/data.rb",
                "require 'digest'\nPuppet::Functions.create_function(:'m::data') do\n  dispatch :f do\n    param 'String', \
                 :key\n    param 'Hash', :options\n    param 'Puppet::LookupContext', :context\n  end\n  def f(key, options, \
                 context)\n    key == 'k' ? Digest::MD5.hexdigest(options['path']) : context.not_found\n  end\nend\n"
                    .to_owned(),
            ),
        ]),
        // Templates.
        in_template("the file of a template", "<%= file.length %>"),
        in_template("a template as text", "<%= to_s.length %>"),
        in_template("__FILE__ in a template", "<%= __FILE__.length %>"),
        in_template("__dir__ in a template", "<%= __dir__.length %>"),
        in_template("a setting, by the scope of a template", "<%= scope['settings::modulepath'].length %>"),
        in_template("a setting, looked up by a template", "<%= scope.lookupvar('::settings::modulepath').length %>"),
        in_template("a function that a template calls", "<%= scope.call_function('find_file', ['m/x']).length %>"),
        case("an inline template", "inline_template(\"<%= scope['settings::modulepath'].length %>\")", vec![]),
    ];
    let ways = [
        ("Puppet::Module.find", "Puppet::Module.find('m').path"),
        ("a file of a module", "Puppet::Module.find('m').file('x')"),
        ("a module as text", "Puppet::Module.find('m').to_s"),
        ("__FILE__", "__FILE__"),
        ("__dir__", "__dir__"),
        ("File.expand_path", "File.expand_path('../..', __FILE__)"),
        ("File.join", "File.join(__dir__, 'x')"),
        ("Dir.glob", "Dir.glob(File.join(__dir__, '*')).join(':')"),
        ("a setting", "Puppet[:modulepath]"),
        ("settings", "Puppet.settings[:modulepath]"),
        ("where it failed", "begin; raise 'no'; rescue => e; e.backtrace.first; end"),
        ("what could not be read", "begin; File.read(File.join(__dir__, 'gone')); rescue => e; e.message; end"),
        ("an error as text", "begin; File.read(File.join(__dir__, 'gone')); rescue => e; \"#{e}\"; end"),
    ];
    all.extend(ways.into_iter().flat_map(|(name, path)| in_ruby(name, path)));
    all.extend(settings_by_bare_names());
    all.extend(failures());
    all.extend(what_is_read_once());
    all
}

/// A class that inherits `settings` sees them as if they were its own.
fn settings_by_bare_names() -> Vec<Case> {
    let heir = |name, message: &str| {
        let class = format!("class m inherits settings {{ notify {{ 'told': message => \"${{{message}}}\" }} }}\n");
        case(
            name,
            "''",
            vec![
                (INIT, class),
                ("modules/m/templates/heir.erb", "<%= @modulepath.length %>".to_owned()),
                ("data/common.yaml", "told: '%{modulepath}'\n".to_owned()),
            ],
        )
    };
    vec![
        heir("an inherited setting", "length($modulepath)"),
        heir("an inherited hash of settings", "md5($all_local['modulepath'])"),
        heir("an inherited setting in a template", "template('m/heir.erb')"),
        heir("an inherited setting in data", "length(lookup('told'))"),
        case(
            "a setting of an heir",
            "''",
            vec![
                (
                    INIT,
                    "class m { include m::heir notify { 'told': message => md5($m::heir::modulepath) } }\n".to_owned(),
                ),
                ("modules/m/manifests/heir.pp", "class m::heir inherits settings { }\n".to_owned()),
            ],
        ),
    ]
}

/// An exception that tells of a file, and the ways to get at what it says.
fn failures() -> Vec<Case> {
    let failing = [
        ("a template that is wrong", "call_function('template', 'm/bad.erb')"),
        ("a template that cannot be parsed", "call_function('epp', 'm/bad.epp')"),
        ("a function that cannot be parsed", "call_function('m::bad')"),
        ("a function in Ruby that cannot be parsed", "call_function('m::bad_ruby')"),
        ("a library that cannot be parsed", "require_relative 'bad_ruby'"),
        ("a class that cannot be parsed", "call_function('include', 'm::bad_class')"),
        ("data that cannot be parsed", "call_function('lookup', 'k')"),
        ("a file that is no text", "call_function('file', 'm/bytes')"),
        ("a resource that is there already", "2.times { call_function('create_resources', 'notify', {'n' => {}}) }"),
    ];
    let shown = [
        "e.message.length",
        "\"#{e}\".length",
        "e.inspect.length",
        "[e].join.length",
        "format('%s', e).length",
        "\"#{e.dup}\" =~ /one/",
    ];
    let files = || {
        vec![
            ("modules/m/templates/bad.erb", "<%= nowhere_to_be_found %>".to_owned()),
            ("modules/m/templates/bad.epp", "<% if %>".to_owned()),
            ("modules/m/functions/bad.pp", "function m::bad() { 1 + }\n".to_owned()),
            ("modules/m/lib/puppet/functions/m/bad_ruby.rb", "def\n".to_owned()),
            ("modules/m/manifests/bad_class.pp", "class m::bad_class {\n".to_owned()),
        ]
    };
    let mut all = Vec::new();
    for (at, (name, call)) in failing.into_iter().enumerate() {
        // All ways to show it for the first; for the others those that are different code.
        for show in &shown[..if at == 0 { shown.len() } else { 3 }] {
            let mut files = files();
            match name {
                "data that cannot be parsed" => files.push(("data/common.yaml", "a: [\n".to_owned())),
                "a file that is no text" => files.push(("modules/m/files/bytes", BYTES.to_owned())),
                _ => {}
            }
            files.push(newer(&format!("begin; {call}; 'none'; rescue Exception => e; ({show}).inspect; end")));
            all.push(case(name, "m::f()", files));
        }
    }
    all
}

/// Stands for bytes that are no text in UTF-8.
const BYTES: &str = "(bytes)";

/// Files of Ruby that declare something, which is known to all nodes once it was read for one.
fn what_is_read_once() -> Vec<Case> {
    const FUNCTION: &str = "modules/m/lib/puppet/functions/m/f.rb";
    let declared = |name, before: &str, within: &str, body: &str| {
        let text = format!(
            "{before}\nPuppet::Functions.create_function(:'m::f') do\n  {within}\n  def f\n    {body}\n  end\nend\n"
        );
        case(name, "m::f()", vec![(FUNCTION, text)])
    };
    let of_type = |name, body: &str| {
        let declared = format!("Puppet::Type.newtype(:thing) do\n  newparam(:name, :namevar => true)\n  {body}\nend\n");
        case(
            name,
            "''",
            vec![
                ("modules/m/lib/puppet/type/thing.rb", declared),
                ("modules/m/lib/puppet/type/beside.rb", "BESIDE = __FILE__\n".to_owned()),
                (INIT, "class m { thing { 'x': extra => 1 } notify { 'told': message => 'there' } }\n".to_owned()),
            ],
        )
    };
    vec![
        declared("a constant of a file", "LENGTH = __FILE__.length", "", "LENGTH"),
        declared("a method that is defined by a path", "", "n = __FILE__.length\n  define_method(:n) { n }", "n"),
        case("a way to call by a path", "m::f('abc')", vec![(
            FUNCTION,
            "Puppet::Functions.create_function(:'m::f') do\n  dispatch(__FILE__ =~ /deeper/ ? :a : :b) do\n    param              'String', :x\n  end\n  def a(x); 'a'; end\n  def b(x); 'b'; end\nend\n"
                .to_owned(),
        )]),
        of_type("a type of resources", "newparam(:extra) if __FILE__ =~ /deeper/"),
        of_type("a type by a folder", "newparam(:extra) if __dir__.length > 0 && __dir__ =~ /deeper/"),
        of_type("a type by a file beside it", "require_relative 'beside'\n  newparam(:extra) if BESIDE =~ /deeper/"),
        of_type("a type by an error", "begin; raise 'x'; rescue => e; newparam(:extra) if e.backtrace.first =~ /deeper/; end"),
        case("a data type", "Dt().x", vec![(
            "modules/m/lib/puppet/datatypes/dt.rb",
            "Puppet::DataTypes.create_type('Dt') do\n  interface \"attributes => { x => { type => Integer, value =>              #{__FILE__.length} } }\"\nend\n"
                .to_owned(),
        )]),
        case("the code of a data type", "Dt(1).y", vec![(
            "modules/m/lib/puppet/datatypes/dt.rb",
            "Puppet::DataTypes.create_type('Dt') do\n  interface \"attributes => { x => Integer }, functions => { y =>              Callable[[], Integer] }\"\n  implementation do\n    def y; __FILE__.length; end\n  end\nend\n"
                .to_owned(),
        )]),
    ]
}

const INIT: &str = "modules/m/manifests/init.pp";

const HIERA: &str = "version: 5\nhierarchy:\n- name: all\n  path: common.yaml\n  data_hash: yaml_data\n";

/// Two checkouts with the files of a case.
fn checkouts_with(Case { code, files, .. }: &Case) -> Checkouts {
    let mut checkouts = Checkouts::with(&[
        ("modules/m/files/x", "x"),
        ("modules/m/templates/given.epp", "given"),
        (INIT, "class m { notify { 'told': message => \"${told::value()}\" } }\n"),
        ("manifests/site.pp", "node /^bad/ { }\nnode default { include m }\n"),
    ]);
    checkouts.write("modules/told/functions/value.pp", &format!("function told::value() {{ {code} }}\n"));
    for (path, text) in files {
        match text.as_str() {
            BYTES => checkouts.write_bytes(path, &[0xff, 0xfe, 0x00]),
            text => checkouts.write(path, text),
        }
    }
    checkouts
}

/// What the catalog of a node has for the message; `None`: there is no catalog.
fn message(written: &BTreeMap<PathBuf, String>, node: &str) -> Option<String> {
    let catalog: Value = serde_json::from_str(written.get(Path::new(&format!("{node}.json")))?).unwrap();
    let resources = catalog["resources"].as_array().unwrap();
    let told = resources.iter().find(|resource| resource["title"] == "told").unwrap();
    Some(told["parameters"]["message"].as_str().unwrap().to_owned())
}

#[test]
fn what_code_makes_of_a_path_is_right_in_every_checkout() {
    for case in cases() {
        let Case { name, code, files } = &case;
        let checkouts = checkouts_with(&case);
        // The second of the two nodes in a fleet gets what the first was told, where that is remembered.
        let (stored, _, first) = checkouts.fleet(0, &[]);
        assert_eq!(stored, 0, "{name}");
        let (_, messages, written) = checkouts.fleet(1, &[]);
        let (_, right, right_written) = checkouts.fleet(1, &["--no-cache"]);
        assert_eq!(messages, right, "{name}: {code} {files:?}");
        assert_eq!(written, right_written, "{name}: {code} {files:?}");
        for node in ["web1", "web2"] {
            let told = message(&written, node);
            assert!(told.as_ref().is_some_and(|told| !told.is_empty()), "{name}: {messages}");
            assert_ne!(told, message(&first, node), "the code of this case makes nothing of a path: {name} {files:?}");
        }
        // And what was made of the other path is not taken for what is right here, later on.
        let (_, again, written_again) = checkouts.fleet(0, &[]);
        let (_, right, right_written) = checkouts.fleet(0, &["--no-cache"]);
        assert_eq!((again, written_again), (right, right_written), "{name}");
    }
}

/// Code that was told a path by a fact reads what is there, not what is at the same place of its own checkout.
#[test]
fn a_path_from_a_fact_leads_to_the_checkout_that_it_names() {
    let ways = [
        ("file(\"${facts['at']}ne/modules/m/files/x\")", "path: common.yaml"),
        ("template(\"${facts['at']}ne/modules/m/files/x\")", "path: common.yaml"),
        ("epp(\"${facts['at']}ne/modules/m/files/x\")", "path: common.yaml"),
        ("m::f(\"${facts['at']}ne/modules/m/files/x\")", "path: common.yaml"),
        ("lookup('k')", "path: '%{facts.at}ne/data/told.yaml'"),
    ];
    for (code, path) in ways {
        let read = newer("File.read(path)").1.replace("dispatch :f do", "dispatch :f do\n    param 'String', :path");
        let hiera = HIERA.replace("path: common.yaml", path);
        let mut files = vec![("modules/m/lib/puppet/functions/m/f.rb", read.replace("def f\n", "def f(path)\n"))];
        files.extend([("hiera.yaml", hiera), ("data/told.yaml", "k: x\n".to_owned())]);
        let mut checkouts = checkouts_with(&case("a fact", code, files));
        let at = format!("{}/o", checkouts.folder());
        checkouts.write("facts/web1.json", &serde_json::json!({ "role": "web", "at": at }).to_string());
        checkouts.write("facts/web2.json", &serde_json::json!({ "role": "more", "at": at }).to_string());
        let folder = checkouts.folder();
        let reads = ["--ruby-reads", &folder];
        checkouts.fleet(0, &reads);
        checkouts.write_at(0, "modules/m/files/x", "y");
        checkouts.write_at(0, "data/told.yaml", "k: y\n");
        let (_, messages, written) = checkouts.fleet(1, &reads);
        let (_, right, right_written) = checkouts.fleet(1, &[&reads[..], &["--no-cache"]].concat());
        assert_eq!((messages, &written), (right, &right_written), "{code}");
        assert_eq!(message(&written, "web1").as_deref(), Some("y"), "{code}");
    }
}

#[test]
fn nodes_whose_code_learns_no_path_move() {
    let checkouts = Checkouts::with(&[(
        "modules/web/templates/w.epp",
        // Words that look like questions for a path.
        "# find_file, __FILE__, Puppet[:confdir], settings::vardir, caller(1)\n<%= $facts['role'] %>\n",
    )]);
    assert_eq!(checkouts.carried(), 3);
}
