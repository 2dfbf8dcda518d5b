//! Code that wants to run without end, or to take all memory: each ends with an error that names a place, within limits on the
//! processor's time and on memory, and other nodes have their catalogs.

use std::process::{Command, Stdio};

use crate::{Folder, Run, finish};

/// Kilobytes of memory, and seconds of the processor. A debug build is slow, and so is a machine with others on it.
const MEMORY: u32 = 1_500_000;
const SECONDS: u32 = 100;

/// Steps for what goes on until it is stopped.
pub(crate) const FEW_STEPS: &str = "max_steps=3000000";

/// Runs the binary in a process that may not have more.
pub(crate) fn run_limited(folder: &Folder, arguments: &[&str]) -> Run {
    let known = folder.command(arguments);
    let mut command = Command::new("sh");
    let limits = format!("ulimit -v {MEMORY}; ulimit -t {SECONDS}; ulimit -c 0; exec \"$0\" \"$@\"");
    command.arg("-c").arg(limits).arg(known.get_program()).args(known.get_args());
    command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    crate::take_environment(&mut command, &known);
    finish(command.spawn().unwrap())
}

/// Evaluates code that is to fail with an error that has these words and a place.
pub(crate) fn refused(code: &str, words: &str) {
    refused_with(&[], code, words);
}

pub(crate) fn refused_with(options: &[&str], code: &str, words: &str) {
    let folder = Folder::with(&[]);
    let run = run_limited(&folder, &[&["eval", "-e", code], options].concat());
    assert_eq!(run.code, Some(1), "{code}\n{}{}", run.out, run.err);
    assert!(run.err.contains(words), "{code}\n{}", run.err);
    assert!(run.err.contains("line: 1"), "{code}\n{}", run.err);
}

/// Evaluates code that takes more steps than it may.
pub(crate) fn too_many_steps(code: &str) {
    refused_with(&["--set", FEW_STEPS], code, "The code of one node may take 3000000 steps at most");
}

/// Code that has a value nested in itself so many times.
pub(crate) fn nested(times: u32, begin: &str, step: &str, then: &str) -> String {
    format!("$v = Integer[1,{times}].reduce({begin}) |$m, $x| {{ {step} }} {then}")
}

#[test]
fn values_are_not_nested_without_end() {
    let too_deep = "Values may be nested 4000 deep at most";
    for (begin, step, then) in [
        ("{}", "{ a => $m }", "notice(\"${v}\".length)"),
        ("[]", "[$m]", "notice($v)"),
        ("{}", "{ $m => 1 }", "notice($v == $v)"),
        ("1", "Sensitive([$m])", "notice($v)"),
        ("[]", "[] << $m", "notice($v)"),
        ("{}", "{ b => 1 } + { a => $m }", "notify { 'x': message => $v }"),
        ("1", "Deferred('f', [$m])", "notify { 'x': message => $v }"),
    ] {
        refused(&nested(300_000, begin, step, then), too_deep);
    }
    let object = "type O = Object[{ attributes => { a => Any, b => Any } }] ";
    refused(&format!("{object}{}", nested(300_000, "1", "O($m, 1)", "notice($v)")), too_deep);
    // What is not too deep is shown, compared and stored.
    let then = "notice(\"${v}\".length) notice($v == $v) notice({ $v => 1 }[$v]) notify { 'x': message => $v }";
    let run = run_limited(&Folder::with(&[]), &["eval", "-e", &nested(3_900, "[]", "[$m]", then)]);
    assert_eq!((run.code, run.out.lines().count()), (Some(0), 3), "{}{}", run.out, run.err);
}

#[test]
fn values_that_hold_one_another_do_not_multiply() {
    let too_large = "A value may hold 20000000 values at most, each counted wherever it stands";
    for (begin, step, then) in [
        ("[1]", "[$m, $m]", "notice(\"${v}\".length)"),
        ("[1]", "[$m, $m]", "notice($v == $v)"),
        ("[1]", "[$m, $m]", "notice($v.flatten.length)"),
        ("[1]", "{ a => $m, b => $m }", "notice($v)"),
        ("[1]", "$m + [$m]", "notice($v)"),
        ("[1]", "$m << $m", "notice($v)"),
        ("{}", "$m + { $x => $m }", "notice($v)"),
        ("{}", "merge($m, { $x => $m })", "notice($v)"),
        ("1", "Sensitive([$m, $m])", "notice($v.unwrap)"),
        ("1", "Deferred('f', [$m, $m])", "notify { 'x': message => $v }"),
    ] {
        let functions = "function merge($a, $b) { $a + $b } ";
        refused(&format!("{functions}{}", nested(60, begin, step, then)), too_large);
    }
    let object = "type O = Object[{ attributes => { a => Any, b => Any } }] ";
    refused(&format!("{object}{}", nested(60, "1", "O($m, $m)", "notice(\"${v}\")")), too_large);
    let text = "$t = Integer[1,20].reduce('abcdefghij') |$m, $x| { \"${m}${m}\" } ";
    refused(
        &format!("{text}{}", nested(60, "[$t]", "[$m, $m]", "notice($v)")),
        "A value may hold 268435456 bytes of text at most, each counted wherever it stands",
    );
}

#[test]
fn types_do_not_multiply_and_are_not_nested_without_end() {
    for step in [
        "Tuple[$m, $m]",
        "Struct[{ a => $m, b => $m }]",
        "Variant[Array[$m], Tuple[$m, $m]]",
        "Callable[[$m, $m], Tuple[$m, $m]]",
        "Hash[Tuple[$m], Tuple[$m]]",
    ] {
        refused(&nested(60, "Integer", step, "notice($v)"), "A type may be made of 100000 types at most");
    }
    for step in ["Sensitive[$m]", "Optional[Array[$m]]", "Type[$m]", "Array[$m]"] {
        refused(&nested(300_000, "Integer", step, "notice($v)"), "Types may be nested 500 deep at most");
    }
    let chain = |first: &str, next: &dyn Fn(u32) -> String, then: &str| {
        let types: String = (1..60).map(|number| format!("type A{number} = {} ", next(number - 1))).collect();
        format!("type A0 = {first} {types}{then}")
    };
    let variants = |inner: u32| format!("Variant[Tuple[A{inner}], Tuple[A{inner}, Integer], Array[A{inner}]]");
    let value = "$v = Integer[1,60].reduce('x') |$m, $x| { [$m] } ";
    too_many_steps(&chain("Integer", &variants, &format!("{value} notice($v =~ A59)")));
    let tuples = |inner: u32| format!("Tuple[A{inner}, Optional[A{inner}]]");
    let others: String = (1..60).map(|n| format!("type B{n} = Tuple[B{}, Optional[B{}]] ", n - 1, n - 1)).collect();
    too_many_steps(&chain("Integer", &tuples, &format!("type B0 = Integer {others} notice(A59 > B59)")));
}

#[test]
fn loops_and_calls_end() {
    for code in [
        "Integer[1,100000].each |$i| { Integer[1,1000000].each |$j| { $x = $i + $j } }",
        "Integer[1,100000].each |$i| { Integer[1,1000000].each |$j| { } }",
        "function f($n) { if $n > 0 { f($n - 1) f($n - 1) } } f(60)",
        "$a = Array(Integer[1,100000]) Integer[1,10000].each |$i| { $x = $a.unique }",
        "$a = Array(Integer[1,100000]) Integer[1,10000].each |$i| { $x = $a.sort }",
        "$a = Array(Integer[1,100000]) Integer[1,10000].each |$i| { $x = $a == ($a + 1) }",
        "$a = Array(Integer[1,100000]) Integer[1,10000].each |$i| { $x = 'a' in $a }",
        "$a = Array(Integer[1,100000]).map |$x| { [$x] } $b = Array(Integer[1,100000]).map |$x| { [-$x] } $c = $b - $a",
        "$t = Integer[1,24].reduce('aaaa') |$m, $x| { \"${m}${m}\" } Integer[1,1000000].each |$i| { $x = sha256($t) }",
        "$t = Integer[1,18].reduce('aaaa') |$m, $x| { \"${m}${m}\" } $all = Integer[1,1000].map |$i| { \"${t}${i}\" }",
        "$all = Integer[1,1000].map |$i| { Array(Integer[1,1000000]) }",
        "Integer[1,100000].each |$i| { $x = \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" =~ /^(a|aa)+(?=x)\\1$/ }",
        "$x = Integer[1,10000].map |$i| { sprintf('%20000000s', 'a') }",
        "Integer[1,10000000].each |$i| { $x = lookup(\"k${i}\", { default_value => 1 }) }",
        "Integer[1,1000].each |$i| { Integer[1,100000].each |$j| { Notify <| title == $j |> } }",
    ] {
        too_many_steps(code);
    }
}

#[test]
fn ruby_code_ends() {
    let ruby = |code: &str| format!("$x = inline_template('<% {code} %>') notice($x)");
    for code in [
        "require \"openssl\"; OpenSSL::PKCS5.pbkdf2_hmac(\"a\", \"b\", 2000000000, 32, \"sha512\")",
        "a = \"x\" * 10000000; 1000000.times { a.upcase == a.reverse }",
        "a = (1..1000000).to_a; 1000.times { a.sort; a.reverse; a.uniq; a.map(&:to_s) }",
        "a = 3 ** 100000; 100000.times { a * a; (a * a) % 7 }",
        "a = \"x\" * 1000000; 1000.times { a.gsub(/x/, \"yy\") }",
        "def f(n) n == 0 ? 0 : f(n - 1) + f(n - 1) end; f(60)",
    ] {
        refused_with(&["--set", FEW_STEPS], &ruby(code), "steps");
    }
    too_many_steps("Integer[1,1000000].each |$i| { $x = inline_template('<% 100000.times { |i| i + 1 } %>') }");
    refused(&ruby("while true; end"), "Ruby code took more than 20000000 steps");
    refused("$t = '<%= scope.call_function(\"inline_template\", [@t]) %>' notice(inline_template($t))", "nested");
    refused("$t = '<%= inline_epp($t, { t => $t }) %>' notice(inline_epp($t, { t => $t }))", "nested");
}

#[test]
fn relationships_have_a_limit() {
    let many = "Integer[1,6000].each |$i| { notify { \"n${i}\": } } ";
    let folder = Folder::with(&[]);
    for arrow in ["Notify<||> -> Notify<||>", "Notify<| |> ~> Notify<| title != 'x' |>"] {
        let run = run_limited(&folder, &["eval", "-e", &format!("{many}{arrow}")]);
        let words =
            "The relationships of a catalog may have 1000000 edges at most; the setting max_edges raises the limit";
        assert!(run.code == Some(1) && run.err.contains(words), "{}", run.err);
        assert!(run.err.contains("line: 1"), "{}", run.err);
    }
    // Between lists, none of which is long.
    refused(
        "$n = Integer[1,2000].map |$i| { \"n${i}\" } notify { $n: } Notify[$n] -> Notify[$n]",
        "The relationships of a catalog may have 1000000 edges at most",
    );
    too_many_steps("Integer[1,3000].each |$i| { notify { \"n${i}\": } Notify <| |> { tag => 'x' } }");
    let run =
        folder.run(&["eval", "--set", "max_edges=10", "-e", "notify { ['a', 'b', 'c']: } Notify<||> -> Notify<||>"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
}

/// One node's end is that node's error: the others have their catalogs, and the report is written.
#[test]
fn a_fleet_outlives_its_hostile_nodes() {
    let site = "node default { notify { 'fine': } }\n\
                node 'deep' { $h = Integer[1,300000].reduce({}) |$m, $x| { { a => $m } } notify { 'x': message => \"${h}\" } }\n\
                node 'wide' { $h = Integer[1,60].reduce([1]) |$m, $x| { [$m, $m] } notify { 'x': message => \"${h}\" } }\n\
                node 'long' { Integer[1,100000].each |$i| { Integer[1,1000000].each |$j| { $x = $j } } }\n\
                node 'edges' { Integer[1,6000].each |$i| { notify { \"n${i}\": } } Notify<||> -> Notify<||> }\n";
    let nodes = ["deep", "edges", "fine1", "fine2", "long", "wide"];
    let facts: Vec<(String, String)> =
        nodes.iter().map(|name| (format!("facts/{name}.yaml"), format!("name: {name}\nvalues: {{a: 1}}\n"))).collect();
    let mut files: Vec<(&str, &str)> = facts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    files.extend([("manifests/site.pp", site), ("environment.conf", "")]);
    let folder = Folder::with(&files);
    let arguments = [
        "fleet",
        "-q",
        "--environment-dir",
        ".",
        "--facts",
        "facts",
        "--set",
        FEW_STEPS,
        "--out",
        "out",
        "--format",
        "json",
    ];
    for _ in 0..2 {
        let run = run_limited(&folder, &arguments);
        assert_eq!(run.code, Some(1), "{}", run.err);
        let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        for name in nodes {
            let is_fine = name.starts_with("fine");
            let written = folder.path().join(format!("out/{name}.json")).exists();
            assert_eq!(written, is_fine, "{name}: {report}");
        }
        for words in ["nested 4000 deep", "20000000 values", "3000000 steps", "1000000 edges"] {
            assert!(run.out.contains(words), "{words}: {report}");
        }
    }
}

/// The second stop looks at the clock: what it ends is not stored.
#[test]
fn seconds_of_the_processor_have_a_limit_that_is_never_stored() {
    let site = "$x = Integer[1,100000].reduce(0) |$m, $i| { Integer[1,1000000].reduce(0) |$n, $j| { $n + $j } }\n";
    let folder = Folder::with(&[("manifests/site.pp", site)]);
    let compile = |more: &[&str]| {
        let arguments = ["compile", "web01", "--environment-dir", "."];
        run_limited(&folder, &[&arguments[..], more].concat())
    };
    let words = "The node takes more seconds of the processor than it may";
    for _ in 0..2 {
        let run = compile(&["--node-seconds", "1", "--set", "max_steps=100000000000", "--explain-cache"]);
        assert!(run.code == Some(1) && run.err.contains(words), "{}", run.err);
        assert!(run.err.contains("site.pp, line: 1, column: "), "{}", run.err);
    }
    let run = compile(&["--set", FEW_STEPS]);
    assert!(run.code == Some(1) && run.err.contains("3000000 steps"), "{}", run.err);
}

/// A name as long as a file's may be, and longer: the catalogs and the report are written.
#[test]
fn long_names_of_nodes_have_their_files() {
    let folder = Folder::with(&[("manifests/site.pp", "notify { 'a': }\n"), ("environment.conf", "")]);
    let name = "n".repeat(250);
    folder.write(&format!("facts/{}.json", "f".repeat(100)), format!(r#"{{"name": "{name}", "values": {{"a": 1}}}}"#));
    let longer = "m".repeat(300);
    for node in [name.as_str(), &longer] {
        for out in ["out/", "out.tar"] {
            let arguments = ["fleet", node, "--environment-dir", ".", "-q", "--out", out, "--format", "json"];
            let run = folder.run(&arguments);
            assert!(run.code == Some(0) && run.out.contains(node), "{out}: {}{}", run.out, run.err);
        }
    }
    let mut written: Vec<String> = std::fs::read_dir(folder.path().join("out"))
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter(|file| file.ends_with(".json"))
        .collect();
    written.sort();
    assert_eq!(written.len(), 2, "{written:?}");
    assert!(written[0].starts_with(&"m".repeat(200)) && written[0].len() < 255, "{written:?}");
    assert_eq!(written[1], format!("{name}.json"));
}

/// The cache may lack an entry; the run goes on.
#[cfg(unix)]
#[test]
fn a_limit_on_files_does_not_end_a_run() {
    let site = "Integer[1, 300].each |$i| { notify { \"a notify with a long title, number ${i}\": message => sha256(\"${i}\") } }\n";
    let folder = Folder::with(&[("manifests/site.pp", site), ("environment.conf", "")]);
    let known = folder.command(&["compile", "web01", "--environment-dir", ".", "--format", "summary"]);
    let mut command = Command::new("sh");
    command.arg("-c").arg("ulimit -f 4; exec \"$0\" \"$@\"").arg(known.get_program()).args(known.get_args());
    command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    crate::take_environment(&mut command, &known);
    let run = finish(command.spawn().unwrap());
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("notify") || run.out.contains("Notify"), "{}", run.out);
}

/// What runs or grants comes first, however much else changes.
#[test]
fn many_changes_hide_no_command() {
    let before = "notify { 'a': }\n";
    let after = "notify { 'a': }\nInteger[1, 400].each |$i| { file { \"/a/${i}\": ensure => file } }\n\
                 exec { 'x': command => '/bin/true' }\nuser { 'u': ensure => present }\n";
    let folder =
        Folder::with(&[("manifests/site.pp", before), ("environment.conf", ""), ("facts/n.json", r#"{"a": 1}"#)]);
    crate::diff::git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    crate::diff::commit(&folder);
    folder.write("manifests/site.pp", after);
    for format in ["text", "markdown"] {
        let run = folder.run(&["diff", "--facts", "facts", "--quiet", "--format", format]);
        let place = |text: &str| run.out.find(text).unwrap_or_else(|| panic!("no {text} in {}", run.out));
        assert!(place("Exec[x]") < place("File[/a/") && place("User[u]") < place("File[/a/"), "{}", run.out);
    }
}
