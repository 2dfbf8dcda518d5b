//! Code that is run: its log, its value, its error, as a script sees them.

use serde_json::{Value, json};

use crate::{Folder, Run};

fn said(run: &Run) -> (&str, &str, Option<i32>) {
    (&run.out, &run.err, run.code)
}

#[test]
fn the_log_goes_where_the_real_one_goes() {
    let folder = Folder::with(&[("a.pp", "notice('a')\nwarning('b')\ninfo('c')\nerr('d')\n")]);
    let expected =
        ("Notice: Scope(Class[main]): a\n", "Warning: Scope(Class[main]): b\nError: Scope(Class[main]): d\n", Some(0));
    assert_eq!(said(&folder.run(&["eval", "a.pp"])), expected);
    let run = folder.run(&["eval", "--log-level", "info", "a.pp"]);
    assert_eq!(run.out, "Notice: Scope(Class[main]): a\nInfo: Scope(Class[main]): c\n");
    assert_eq!(folder.run(&["eval", "--log-level", "err", "a.pp"]).out, "");
    let run = folder.run(&["eval", "--color", "always", "-e", "warning(1)"]);
    assert_eq!(run.err, "\u{1b}[1;33mWarning: Scope(Class[main]): 1\u{1b}[0m\n");
}

#[test]
fn code_comes_from_an_option_a_file_or_a_pipe() {
    let folder = Folder::with(&[("a.pp", "1 + 1")]);
    assert_eq!(folder.run(&["eval", "--print", "-e", "[1, 'a', undef]"]).out, "[1, 'a', undef]\n");
    assert_eq!(folder.run(&["eval", "--print", "a.pp"]).out, "2\n");
    for arguments in [&["eval", "--print"][..], &["eval", "--print", "-"]] {
        assert_eq!(folder.run_with_input(arguments, b"2 * 3").out, "6\n");
    }
    let run = folder.run(&["eval", "gone.pp"]);
    assert_eq!(said(&run), ("", "Error: Cannot read gone.pp: no such file or directory\n", Some(1)));
    assert_eq!(folder.run(&["eval", "-e", "1", "a.pp"]).code, Some(2));
}

#[test]
fn an_error_is_the_line_of_the_real_console() {
    let folder = Folder::with(&[("a.pp", "notice(1)\n$x = $y\n")]);
    let run = folder.run(&["eval", "a.pp"]);
    let expected = format!(
        "Error: Evaluation Error: Unknown variable: 'y'. (file: {}/a.pp, line: 2, column: 6) on node localhost\n",
        folder.real_path()
    );
    assert_eq!(said(&run), ("Notice: Scope(Class[main]): 1\n", expected.as_str(), Some(1)));
    let run = folder.run(&["eval", "-e", "$x = }"]);
    let expected = "Error: Could not parse for environment production: Syntax error at '}' (line: 1, column: 6) \
                    on node localhost\n";
    assert_eq!(said(&run), ("", expected, Some(1)));
}

#[test]
fn settings_change_what_is_an_error() {
    let folder = Folder::with(&[]);
    let code = |arguments: &[&str]| folder.run(&[&["eval"], arguments].concat()).code;
    assert_eq!(code(&["-e", "$nowhere"]), Some(1));
    assert_eq!(code(&["--set", "strict_variables=false", "--set", "strict=warning", "-e", "$nowhere"]), Some(0));
    assert_eq!(code(&["--puppet", "7", "-e", "$nowhere"]), Some(0));
    let loops = "function f() { f() } f()";
    let run = folder.run(&["eval", "--set", "max_depth=50", "-e", loops]);
    assert!(run.err.contains("more than 50 deep"), "{}", run.err);
    let run = folder.run(&["eval", "--set", "max_calls=20", "-e", loops]);
    assert!(run.err.contains("More than 20 calls"), "{}", run.err);
    let run = folder.run(&["eval", "--node", "web.example.org", "-e", "fail('x')"]);
    assert!(run.err.ends_with(" on node web.example.org\n"), "{}", run.err);
    for wrong in ["strict=often", "max_depth=-1", "max_calls=0", "max_elements=many", "colour=red", "strict"] {
        let run = folder.run(&["eval", "--set", wrong, "-e", "1"]);
        assert_eq!(run.code, Some(2), "{wrong}: {}", run.err);
    }
}

/// Of each limit: a setting that is too low, and one that is enough; a program; what is said of it, and where; what it says
/// to its end.
type OfLimit = ([&'static str; 2], &'static str, &'static str, (u32, u32), &'static str);

const LIMITS: &[OfLimit] = &[
    (
        ["max_depth=10000", "max_depth=10200"],
        "function f($n) {\n  if $n > 0 { f($n - 1) } else { 'done' }\n}\nnotice(f(10100))",
        "Calls are nested more than 10000 deep; the setting max_depth raises the limit",
        (2, 15),
        "done",
    ),
    (
        ["max_calls=999", "max_calls=1000"],
        "$all = Integer[1, 1000]\nnotice($all.map |$x| { $x }.length)",
        "More than 999 calls of functions and blocks; the setting max_calls raises the limit",
        (2, 12),
        "1000",
    ),
    (
        ["max_text_bytes=8191", "max_text_bytes=8192"],
        "$long = Integer[1, 13].reduce('x') |$m, $n| {\n  \"${m}${m}\"\n}\nnotice($long.length / 2)",
        "A text may have 8191 bytes at most; the setting max_text_bytes raises the limit",
        (2, 3),
        "4096",
    ),
    (
        ["max_text_bytes=12", "max_text_bytes=13"],
        "notice(1 and\n  join([1, 2, 3, 4], ' + '))",
        "A text may have 12 bytes at most; the setting max_text_bytes raises the limit",
        (2, 3),
        "true",
    ),
    (
        ["max_elements=1999", "max_elements=2000"],
        "$half = Array(1000)\nnotice(($half +\n  $half).length)",
        "An array or hash may have 1999 elements at most; the setting max_elements raises the limit",
        (2, 15),
        "2000",
    ),
    (
        ["max_elements=999", "max_elements=1000"],
        "notice(1)\nnotice(Array(1000).length)",
        "1000 elements are more than the 999 that one array may have; the setting max_elements raises the limit",
        (2, 8),
        "1000",
    ),
    (
        ["max_elements=1999", "max_elements=2000"],
        "function h($from) { Hash(Integer[$from, $from + 999].map |$n| { [$n, $n] }) }\n\n$all = h(0) + h(1000)\nnotice($all.length)",
        "An array or hash may have 1999 elements at most; the setting max_elements raises the limit",
        (3, 13),
        "2000",
    ),
    (
        ["max_regex_steps=100000", "max_regex_steps=10000000"],
        "$text = 'aaaaaaaaaaaaaaaaaab'\nnotice($text =~\n  /^(a|a)*\\1\\1c$/)",
        "The regular expression /^(a|a)*\\1\\1c$/ takes too many steps to match a text of 19 bytes; the setting \
         max_regex_steps raises the limit",
        (2, 14),
        "false",
    ),
    (
        ["max_regex_steps=100000", "max_regex_steps=10000000"],
        "$text = 'aaaaaaaaaaaaaaaaaab'\nnotice(\n$text =~ Pattern[/^(a|a)*\\1\\1c$/])",
        "The regular expression /^(a|a)*\\1\\1c$/ takes too many steps to match a text of 19 bytes; the setting \
         max_regex_steps raises the limit",
        (3, 7),
        "false",
    ),
];

/// Each is come to, at the line where it happens, and no more when its setting says so; by `eval` as by `compile`.
#[test]
fn a_limit_is_raised_by_its_setting() {
    let folder = Folder::with(&[("environments/production/manifests/site.pp", "")]);
    for ([low, enough], code, message, (line, column), noticed) in LIMITS {
        let error =
            format!("Error: Evaluation Error: {message} (line: {line}, column: {column}) on node n.example.org\n");
        let notice = format!("Notice: Scope(Class[main]): {noticed}\n");
        let eval = ["eval", "--node", "n.example.org", "-e", code, "--set"];
        let compile = ["compile", "n.example.org", "--environmentpath", "environments", "-e", code, "--set"];
        for command in [&eval[..], &compile[..]] {
            let run = folder.run(&[command, &[low]].concat());
            assert!(run.err.ends_with(&error) && run.code == Some(1), "{command:?} {low}: {}", run.err);
            let run = folder.run(&[command, &[enough]].concat());
            assert!(run.code == Some(0), "{command:?} {enough}: {}", run.err);
            assert!(format!("{}{}", run.out, run.err).contains(&notice), "{command:?} {enough}: {}", run.err);
        }
    }
}

/// An iterator over more numbers than anybody can go through is a value like others.
#[test]
fn numbers_without_end_take_no_memory() {
    let folder = Folder::with(&[]);
    let all = "reverse_each(9223372036854775807)";
    let log = |code: &str| folder.run(&["eval", "-e", code]).err;
    for code in [all.to_owned(), format!("$x = {all}"), format!("[{all}, {{ a => step({all}, 3) }}]")] {
        assert_eq!(said(&folder.run(&["eval", "-e", &code])), ("", "", Some(0)), "{code}");
    }
    for (code, shown) in [
        (all.to_owned(), "Iterator[Integer]-Value\n"),
        (format!("[[{all}]]"), "Tuple[Tuple[Iterator[Integer]]]-Value\n"),
    ] {
        assert_eq!(said(&folder.run(&["eval", "--print", "-e", &code])), (shown, "", Some(0)), "{code}");
    }
    let code =
        format!("function f() {{ {all} }}\n$x = f()\n$x.each |$n| {{ notice($n) break() }}\nnotice($x, type($x))");
    let run = folder.run(&["eval", "-e", &code]);
    let noticed = "Scope(Class[main]): 9223372036854775806\n";
    assert!(run.code == Some(0) && format!("{}{}", run.out, run.err).contains(noticed), "{}{}", run.out, run.err);
    let too_many = "An array or hash may have 20000000 elements at most";
    for (code, error) in [
        (format!("notice(Array({all}))"), too_many),
        (format!("notice(String({all}))"), too_many),
        (format!("notice(String([{all}]))"), "elements are more than the 20000000 that one array may have"),
        (format!("notice(*{all})"), too_many),
        (format!("$x = {all}\nnotice(inline_template('<%= @x.to_a.length %>'))"), "undefined method `to_a'"),
    ] {
        assert!(log(&code).contains(error), "{code}: {}", log(&code));
    }
}

/// Instances that declare more and more instances would take all memory before the rounds of a catalog end.
#[test]
fn a_catalog_may_have_so_many_resources() {
    let site = "define grows() {\n  grows { [\"${title}a\", \"${title}b\"]: }\n}\ngrows { 'x': }\n";
    let folder = Folder::with(&[("environments/production/manifests/site.pp", site)]);
    let run = |settings: &[&str]| {
        let arguments = ["compile", "n.example.org", "--environmentpath", "environments"];
        folder.run(&[&arguments[..], settings].concat())
    };
    for (settings, most) in [(&[][..], 250_000), (&["--set", "max_resources=1000"], 1000)] {
        let run = run(settings);
        let message =
            format!("A catalog may have {most} resources at most; the setting max_resources raises the limit");
        assert!(run.code == Some(1) && run.err.contains(&message), "{most}: {}", run.err);
        assert!(run.err.contains("site.pp, line: 2)"), "{}", run.err);
    }
    let ends = ["--set", "max_resources=7", "-e", "define d() { notify { $title: } }\nd { ['a', 'b']: }"];
    // Besides these four: the stage, and the classes `settings` and `main`.
    assert_eq!(run(&ends).code, Some(0), "{}", run(&ends).err);
    assert_eq!(run(&[&ends[..], &["--set", "max_resources=6"]].concat()).code, Some(1));
}

/// What data is converted to is held to it as well.
#[test]
fn a_limit_holds_where_data_is_converted() {
    let folder = Folder::with(&[
        ("environments/production/manifests/site.pp", "notice(lookup('many').length)"),
        ("environments/production/hiera.yaml", "version: 5\n"),
        ("environments/production/data/common.yaml", "many: 1000\nlookup_options:\n  many: {convert_to: Array}\n"),
    ]);
    let run =
        |setting| folder.run(&["compile", "n.example.org", "--environmentpath", "environments", "--set", setting]);
    let low = run("max_elements=999");
    let message =
        "1000 elements are more than the 999 that one array may have; the setting max_elements raises the limit";
    assert!(low.code == Some(1) && low.err.contains(message), "{}", low.err);
    let enough = run("max_elements=1000");
    assert!(enough.code == Some(0) && enough.err.contains("Scope(Class[main]): 1000"), "{}{}", enough.out, enough.err);
}

#[test]
fn facts_come_from_json_or_yaml() {
    let folder = Folder::with(&[
        ("facts.json", r#"{"networking": {"fqdn": "a.example.org"}, "count": 3}"#),
        ("facts.yaml", "networking:\n  fqdn: a.example.org\ncount: 3\n"),
        ("list.json", "[1]"),
        ("broken.yml", "a: [1\n"),
        ("large.json", r#"{"a": 18446744073709551615}"#),
    ]);
    let code = "[$facts['count'], $count + 1, $facts['networking']['fqdn']]";
    for file in ["facts.json", "facts.yaml"] {
        let run = folder.run(&["eval", "--print", "--facts", file, "-e", code]);
        assert_eq!(said(&run), ("[3, 4, 'a.example.org']\n", "", Some(0)));
    }
    // What somebody asks for is an error only where it goes into a resource.
    let run = folder.run(&["eval", "--print", "--facts", "large.json", "-e", "[$a, $facts['a'] > 1]"]);
    assert_eq!(said(&run), ("[18446744073709551615, true]\n", "", Some(0)));
    for (file, reason) in
        [("list.json", "element 1 of the list is a number"), ("broken.yml", "did not find expected ',' or ']'")]
    {
        let run = folder.run(&["eval", "--facts", file, "-e", "1"]);
        assert!(run.err.starts_with("Error: cannot take ") && run.err.contains(reason), "{}", run.err);
        assert_eq!(run.code, Some(1));
    }
    let run = folder.run(&["eval", "--facts", "gone.json", "-e", "1"]);
    assert_eq!(said(&run), ("", "Error: --facts: gone.json: no such file or directory\n", Some(2)));
}

#[test]
fn a_yaml_file_cannot_grow_without_end() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let inner = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{inner}]\n"));
    }
    let folder = Folder::with(&[("bomb.yaml", &bomb), ("deep.yaml", &format!("a: {}", "[".repeat(100_000)))]);
    for file in ["bomb.yaml", "deep.yaml"] {
        assert_eq!(folder.run(&["eval", "--facts", file, "-e", "1"]).code, Some(1), "{file}");
    }
}

fn as_json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn a_program_gets_json() {
    let folder = Folder::with(&[]);
    let run = folder.run(&["eval", "--json", "-e", "notice(1) [1, default, /a/, { 'a' => undef }]"]);
    let expected = json!({
        "value": [1, { "__ptype": "Default" }, { "__ptype": "Regexp", "__pvalue": "a" }, { "a": null }],
        "log": [{ "level": "notice", "text": "Notice: Scope(Class[main]): 1" }],
        "error": null,
    });
    assert_eq!((as_json(&run), run.err.as_str(), run.code), (expected, "", Some(0)));

    let run = folder.run(&["eval", "--json", "-e", "function f() { notise(1) }\nf()"]);
    let answer = as_json(&run);
    let expected = json!({
        "message": "Evaluation Error: Unknown function: 'notise'. (line: 1, column: 16) on node localhost",
        "code": "UNKNOWN_FUNCTION", "help": "did you mean notice?", "file": null, "line": 1, "column": 16,
        "offset": 15, "length": 9,
        "calls": [{ "file": null, "line": 2, "column": 1, "offset": 27, "length": 3 }],
    });
    assert_eq!((&answer["error"], &answer["value"], run.code), (&expected, &Value::Null, Some(1)));

    let run = folder.run(&["eval", "--json", "-e", "if true {"]);
    assert_eq!(as_json(&run)["error"]["code"], "SYNTAX_ERROR");
}

#[test]
fn help_names_what_was_probably_meant() {
    let folder = Folder::with(&[]);
    for (code, help) in [
        ("notise(1)", "did you mean notice?"),
        ("function own() { 1 } $x = onw()", "did you mean own?"),
        ("$colour = 1 notice($color)", "did you mean $colour?"),
        ("with_local()  function with_local() { $inside = 1 $insade }", "did you mean $inside?"),
        ("function f($param) { $parm } f(1)", "did you mean $param?"),
        ("$fatcs", "did you mean $facts?"),
        ("$x = Stirng", "did you mean String?"),
        ("type Mine = Integer $x = Mien", "did you mean Mine?"),
    ] {
        let run = folder.run(&["eval", "--json", "-e", code]);
        assert_eq!(as_json(&run)["error"]["help"], help, "{code}: {}", run.out);
    }
    let run = folder.run(&["eval", "--json", "-e", "quite_another_thing()"]);
    assert_eq!(as_json(&run)["error"]["help"], Value::Null);
}

#[test]
fn calls_are_told_of_across_files_and_up_to_a_limit() {
    let folder = Folder::with(&[("modules/m/functions/f.pp", "function m::f($x) {\n  $x + 'a'\n}\n")]);
    let run = folder.run(&["eval", "--json", "--modulepath", "modules", "-e", "$y = m::f(1)"]);
    let error = &as_json(&run)["error"];
    assert!(error["file"].as_str().unwrap().ends_with("/modules/m/functions/f.pp"), "{error}");
    assert_eq!((&error["line"], &error["calls"][0]["column"]), (&json!(2), &json!(6)));
    let run =
        folder.run(&["eval", "--json", "-e", "function f($n) { if $n > 0 { f($n - 1) } else { fail('x') } } f(50)"]);
    assert_eq!(as_json(&run)["error"]["calls"].as_array().unwrap().len(), 20);
}

#[test]
fn json_that_nests_without_end_is_refused() {
    let folder = Folder::with(&[]);
    let run = folder.run(&["eval", "--json", "-e", "Integer[1, 2000].reduce([]) |$inner, $_n| { [$inner] }"]);
    assert_eq!(said(&run), ("", "error: the value is nested too deep for JSON\n", Some(2)));
}

#[test]
fn templates_are_rendered() {
    let folder = Folder::with(&[
        (
            "a.epp",
            "<%- | String $who, Integer $n = 2 | -%>\n<% notice('log') -%>\nHello <%= $who %> <%= $n %> <%= $facts['os'] %>\n",
        ),
        ("v.json", r#"{"who": "you"}"#),
        ("v.yaml", "who: you\nn: 3\n"),
        ("f.json", r#"{"os": "Debian"}"#),
        ("bad.epp", "<%= $nowhere %>"),
    ]);
    let run = folder.run(&["epp", "a.epp", "--values-file", "v.json", "--facts", "f.json"]);
    assert_eq!(said(&run), ("Hello you 2 Debian\n", "Notice: Scope(Class[main]): log\n", Some(0)));
    let run = folder.run(&["epp", "a.epp", "--values-file", "v.yaml", "--facts", "f.json"]);
    assert_eq!(run.out, "Hello you 3 Debian\n");
    assert_eq!(folder.run_with_input(&["epp", "-"], b"<%= 1 + 1 %>").out, "2");
    let run = folder.run(&["epp", "bad.epp"]);
    assert!(run.err.starts_with("Error: Evaluation Error: Unknown variable: 'nowhere'."), "{}", run.err);
    assert_eq!((run.out.as_str(), run.code), ("", Some(1)));
    assert_eq!(folder.run(&["epp", "gone.epp"]).code, Some(1));
    assert_eq!(folder.run(&["epp"]).code, Some(2));
}

#[test]
fn functions_and_types_are_described() {
    let folder = Folder::with(&[]);
    let run = folder.run(&["doc", "function", "notice"]);
    assert!(run.out.starts_with("notice(Any *$values) >> Undef\n\nLogs the arguments"), "{}", run.out);
    assert_eq!(as_json(&folder.run(&["doc", "function", "notice", "--json"]))["api"], "typed");
    let run = folder.run(&["doc", "type", "struct"]);
    assert!(run.out.starts_with("Struct\nStruct[{key => T, …}]\n\n"), "{}", run.out);
    let run = folder.run(&["doc", "type"]);
    assert!(run.out.lines().count() > 40 && run.out.contains("\nInteger "), "{}", run.out);
    let names = as_json(&folder.run(&["doc", "function", "--json"]));
    assert!(names.as_array().unwrap().iter().any(|function| function["name"] == "notice"));
    let run = folder.run(&["doc", "function", "notise"]);
    assert_eq!(said(&run), ("", "Error: there is no function 'notise'; did you mean notice?\n", Some(1)));
    assert_eq!(folder.run(&["doc", "type", "Nothing"]).code, Some(1));
    assert_eq!(folder.run(&["doc", "thing"]).code, Some(1));
    assert_eq!(folder.run(&["doc", "thing", "notice"]).code, Some(2));
}
