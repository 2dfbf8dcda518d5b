//! Values, types and errors of functions that are run over the bridge: in the real Puppet's words.
//!
//! Each expectation is what the real Puppet 7.23 said; where there is one, it can be asked again.

use super::{compile, repository, ruby, said};
use crate::Folder;

/// Each value goes to Ruby and comes back, and is of the class there that it has in the real one.
const VALUES: &str = "\
[undef, true, false, 1, -7, 1.5, \"ä\\n\", default, [1, [2]], {'a' => 1, 2 => [3]}, /a+/, Integer, File['/x'],
  Sensitive('x'), Timestamp('2020-01-01'), SemVer('1.2.3'), Binary('AAEC/w=='), Timespan('1-00:00:00'),
  String[1]].each |$value| {
  $back = m::same($value)
  notice($value == $back, $back, m::kind($value))
}
notice(m::same(1, 2, [3]))
";

const VALUES_SAID: &str = "\
Notice: Scope(Class[main]): true  NilClass
Notice: Scope(Class[main]): true true TrueClass
Notice: Scope(Class[main]): true false FalseClass
Notice: Scope(Class[main]): true 1 Integer
Notice: Scope(Class[main]): true -7 Integer
Notice: Scope(Class[main]): true 1.5 Float
Notice: Scope(Class[main]): true ä
 String
Notice: Scope(Class[main]): true default Symbol
Notice: Scope(Class[main]): true [1, [2]] Array
Notice: Scope(Class[main]): true {a => 1, 2 => [3]} Hash
Notice: Scope(Class[main]): true /a+/ Regexp
Notice: Scope(Class[main]): true Integer Puppet::Pops::Types::PIntegerType
Notice: Scope(Class[main]): true File['/x'] Puppet::Pops::Types::PResourceType
Notice: Scope(Class[main]): true Sensitive [value redacted] Puppet::Pops::Types::PSensitiveType::Sensitive
Notice: Scope(Class[main]): true 2020-01-01T00:00:00.000000000 UTC Puppet::Pops::Time::Timestamp
Notice: Scope(Class[main]): true 1.2.3 SemanticPuppet::Version
Notice: Scope(Class[main]): true AAEC/w== Puppet::Pops::Types::PBinaryType::Binary
Notice: Scope(Class[main]): true 1-00:00:00.0 Puppet::Pops::Time::Timespan
Notice: Scope(Class[main]): true String[1] Puppet::Pops::Types::PStringType
Notice: Scope(Class[main]): [1, [2, [3]]]
";

/// Each by itself, and what it says but for its place.
const ENDS: &[(&str, &str)] = &[
    (
        "notice(m::fails('parse'))",
        "Error: Evaluation Error: Error while evaluating a Function Call, it is so (file: /manifests/site.pp, line: 2, column: 8)\n",
    ),
    (
        "notice(m::fails('argument'))",
        "Error: Evaluation Error: Error while evaluating a Function Call, not this (file: /manifests/site.pp, line: 2, column: 8)\n",
    ),
    (
        "notice(m::fails('ruby'))",
        "Error: Evaluation Error: Error while evaluating a Function Call, invalid value for Integer(): \"x\" (file: /manifests/site.pp, line: 2, column: 8)\n",
    ),
    (
        "notice(m::fails('own'))",
        "Error: Evaluation Error: Error while evaluating a Function Call, my own (file: /manifests/site.pp, line: 2, column: 8)\n",
    ),
    (
        "notice(m::fails('inner'))",
        "Error: Evaluation Error: Error while evaluating a Function Call, from within (file: /manifests/site.pp, line: 2, column: 8)\n",
    ),
    (
        "notice(m::fails('unknown'))",
        "Error: Evaluation Error: Error while evaluating a Function Call, Function m::fails(): Unknown function: 'no_such_function' (file: /manifests/site.pp, line: 2, column: 8)\n",
    ),
    (
        "notice(m::fails('types'))",
        "Error: Evaluation Error: Error while evaluating a Function Call, 'm::puppet' parameter 'x' expects an Integer value, got String (file: /manifests/site.pp, line: 2, column: 8)\n",
    ),
    (
        "notice(m::fails())",
        "Error: Evaluation Error: Error while evaluating a Function Call, 'm::fails' expects 1 argument, got none (file: /manifests/site.pp, line: 2, column: 8)\n",
    ),
    (
        "notice(m::det('x'))",
        "Error: Evaluation Error: Error while evaluating a Function Call, 'm::det' wants rows, not the text 'x' (file: /manifests/site.pp, line: 2, column: 8)\n",
    ),
    (
        "notice(m::det(1, 2))",
        "Error: Evaluation Error: Error while evaluating a Function Call, 'm::det' parameter 'rows' expects a Rows = Array[Array[Numeric], 1] value, got Integer (file: /manifests/site.pp, line: 2, column: 8)\n",
    ),
    (
        "notice(m::det([[1]], 'far'))",
        "Error: Evaluation Error: Error while evaluating a Function Call, 'm::det' parameter 'how' expects a match for Enum['exact', 'near'], got 'far' (file: /manifests/site.pp, line: 2, column: 8)\n",
    ),
    (
        "notice(m::det([[1, 2], [3, 4]], 'near'))",
        "Error: Evaluation Error: Error while evaluating a Function Call, value returned from function 'det' has wrong type, expects an Integer value, got Float (file: /manifests/site.pp, line: 2, column: 8)\n",
    ),
    (
        "notice(older())",
        "Error: Evaluation Error: Error while evaluating a Function Call, older(): Wrong number of arguments given (0 for minimum 1) (file: /manifests/site.pp, line: 2, column: 8)\n",
    ),
    (
        "notice(m::calls([1]))",
        "Error: Evaluation Error: Error while evaluating a Function Call, 'm::calls' expects a block (file: /manifests/site.pp, line: 2, column: 8)\n",
    ),
    (
        "m::calls([1]) |$x, $y| { 1 }",
        "Error: Evaluation Error: Error while evaluating a Function Call, 'm::calls' block expects 1 argument, got 2 (file: /manifests/site.pp, line: 2, column: 1)\n",
    ),
    (
        "m::calls([1]) |$x| { fail('in block') }",
        "Error: Evaluation Error: Error while evaluating a Function Call, in block (file: /manifests/site.pp, line: 2, column: 22)\n",
    ),
    (
        "notice(older('bad'))",
        "Notice: Scope(Class[main]): older says [\"bad\", \"more\"]\nError: Evaluation Error: Error while evaluating a Function Call, older does not like this (file: /manifests/site.pp, line: 2, column: 8)\n",
    ),
    (
        "notice(older('early', 'x'))",
        "Notice: Scope(Class[main]): older says [\"early\", \"x\", \"more\"]\nNotice: Scope(Class[main]): early\n",
    ),
    ("notice(m::fails('rescued'))", "Notice: Scope(Class[main]): rescued from within\n"),
    ("[1].each |$z| { m::calls([1]) |$x| { next(7) } }", "Notice: Scope(Class[main]): made [7]\nWarning: of Linux\n"),
];

/// What the real Puppet says of the same manifest.
fn real(folder: &Folder) -> String {
    let at = |name: &str| folder.path().join(name).display().to_string();
    let run = std::process::Command::new("puppet")
        .args(["apply", "--noop", "--color=false", "--modulepath", &at("modules"), "--vardir", &at("var")])
        .args(["--confdir", &at("conf"), &at("manifests/site.pp")])
        .output()
        .unwrap();
    let text = format!("{}{}", String::from_utf8(run.stdout).unwrap(), String::from_utf8(run.stderr).unwrap());
    let is_of_code =
        |line: &&str| !["Facter:", "Compiled catalog", "Applied catalog"].iter().any(|of| line.contains(of));
    let at = folder.real_path();
    let lines = text.lines().filter(is_of_code).map(|line| line.replace(&at, ""));
    lines.map(|line| line.split(" on node ").next().unwrap_or_default().to_owned() + "\n").collect()
}

/// Code of [`ENDS`] with what it needs.
fn with_top(code: &str) -> Folder {
    repository(&format!("$top = 't'\n{code}\n"))
}

#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn values_come_back_as_they_went() {
    let ruby = ruby();
    let folder = repository(VALUES);
    let run = compile(&folder, &["--ruby", &ruby]);
    assert_eq!((said(&folder, &run).as_str(), run.code), (VALUES_SAID, Some(0)));
}

#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn types_and_errors_are_in_the_words_of_the_real_one() {
    let ruby = ruby();
    for (code, expected) in ENDS {
        let folder = with_top(code);
        let run = compile(&folder, &["--ruby", &ruby]);
        assert_eq!(said(&folder, &run), *expected, "{code}");
    }
}

#[test]
#[ignore = "needs the real Puppet 7.23; `.ci/run` runs it"]
fn the_real_one_says_the_same() {
    assert_eq!(real(&repository(VALUES)), VALUES_SAID);
    for (code, expected) in ENDS {
        assert_eq!(real(&with_top(code)), *expected, "{code}");
    }
}
