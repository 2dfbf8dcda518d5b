//! Every way in which code learns a path of the repository: what it makes of that, a digest or a length, is never told of
//! another checkout. The cases follow the doors at which a path is handed to code; `pantin_ruby::outside::Outside::reveal`,
//! `FoundFile::reveal` and the settings are all there are.

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
        // A type, whose file is read once for all nodes.
        case("a type of resources", "length(String(defined(File['/x'])))", vec![(
            "modules/m/lib/puppet/type/thing.rb",
            "Puppet::Type.newtype(:thing) do\n  newparam(:name, :namevar => true)\n  newparam(\"p#{__FILE__.length}\".to_sym)\n\
             end\n"
            .to_owned(),
        )]),
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
    all
}

const HIERA: &str = "version: 5\nhierarchy:\n- name: all\n  path: common.yaml\n  data_hash: yaml_data\n";

#[test]
fn what_code_makes_of_a_path_is_right_in_every_checkout() {
    for Case { name, code, files } in cases() {
        let mut checkouts = Checkouts::with(&[
            ("modules/m/files/x", "x"),
            ("modules/m/templates/given.epp", "given"),
            ("modules/m/manifests/init.pp", "class m { notify { 'told': message => \"${told::value()}\" } }\n"),
            ("manifests/site.pp", "node /^bad/ { }\nnode default { include m }\n"),
        ]);
        checkouts.write("modules/told/functions/value.pp", &format!("function told::value() {{ {code} }}\n"));
        for (path, text) in &files {
            checkouts.write(path, text);
        }
        // The second of the two nodes in a fleet gets what the first was told, where that is remembered.
        let (stored, ..) = checkouts.fleet(0, &[]);
        assert_eq!(stored, 0, "{name}");
        let (_, messages, written) = checkouts.fleet(1, &[]);
        let (_, right, right_written) = checkouts.fleet(1, &["--no-cache"]);
        assert_eq!(messages, right, "{name}: {code} {files:?}");
        assert_eq!(written, right_written, "{name}: {code} {files:?}");
        let catalog: Value = serde_json::from_str(&written[std::path::Path::new("web1.json")])
            .unwrap_or_else(|_| panic!("{name}: {messages}"));
        let resources = catalog["resources"].as_array().unwrap();
        let told = resources.iter().find(|resource| resource["title"] == "told").unwrap();
        assert!(told["parameters"]["message"].as_str().is_some_and(|text| !text.is_empty()), "{name}: {told}");
        // And what was made of the other path is not taken for what is right here, later on.
        let (_, again, written_again) = checkouts.fleet(0, &[]);
        let (_, right, right_written) = checkouts.fleet(0, &["--no-cache"]);
        assert_eq!((again, written_again), (right, right_written), "{name}");
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
