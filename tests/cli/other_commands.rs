//! The version, the help, completions and manual pages.

use crate::Folder;

#[test]
fn the_version_names_a_commit() {
    let run = Folder::with(&[]).run(&["--version"]);
    let commit = run.out.trim_end().strip_prefix(concat!("pantin ", env!("CARGO_PKG_VERSION"), " (")).unwrap();
    let commit = commit.strip_suffix(')').unwrap();
    let is_hash = commit.len() >= 12 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(is_hash || commit == "unknown", "{commit}");
}

#[test]
fn every_command_has_help_with_examples() {
    let folder = Folder::with(&[]);
    for command in ["validate", "dump", "eval", "epp", "compat", "doc", "completions", "man"] {
        let run = folder.run(&[command, "--help"]);
        assert!(run.out.contains(&format!("Examples:\n  pantin {command}")), "{}", run.out);
    }
}

/// All commands, and those within them.
fn commands(folder: &Folder, command: &[&str]) -> Vec<Vec<String>> {
    let help = folder.run(&[command, &["--help"]].concat()).out;
    let listed = help.split_once("Commands:\n").map_or("", |(_, rest)| rest.split("\n\n").next().unwrap());
    let names = listed.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let mut all = vec![command.iter().map(|name| (*name).to_owned()).collect()];
    for name in names.filter(|name| !name.is_empty() && *name != "help") {
        all.extend(commands(folder, &[command, &[name]].concat()));
    }
    all
}

/// A line that is broken by hand ends before the terminal does, and the terminal breaks it once more.
#[test]
fn the_help_of_all_commands_fills_its_lines_and_no_more() {
    let folder = Folder::with(&[]);
    let commands = commands(&folder, &[]);
    assert!(commands.len() > 20, "{commands:?}");
    for (command, columns) in commands.iter().flat_map(|command| [(command, 80), (command, 100)]) {
        let help =
            folder.command(&[]).args(command).arg("--help").env("COLUMNS", columns.to_string()).output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let lines: Vec<&str> = help.lines().collect();
        let width = |text: &str| text.chars().count();
        for two in lines.windows(2) {
            let [line, next] = two else { continue };
            let is_prose = |line: &str| line.starts_with(|letter: char| !letter.is_whitespace());
            let first = next.split(' ').next().unwrap();
            let is_full = line.ends_with(['.', ':', '}']) || width(line) + 1 + width(first) > columns;
            assert!(width(line) <= columns, "{command:?}, {columns}: {line}");
            assert!(!is_prose(line) || !is_prose(next) || is_full, "{command:?}, {columns}: {line}\n{next}");
        }
    }
}

#[test]
fn completions_know_the_commands() {
    let folder = Folder::with(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = folder.run(&["completions", "--static", shell]);
        assert!(run.out.contains("validate") && run.out.contains("max-errors"), "{shell}");
    }
}

#[test]
fn manual_pages_of_all_commands() {
    let folder = Folder::with(&[]);
    assert!(folder.run(&["man"]).out.contains(".TH pantin 1"));
    let run = folder.run(&["man", "--out", "out/man1"]);
    assert_eq!(run.code, Some(0));
    for command in ["", "-validate", "-dump", "-eval", "-epp", "-doc", "-completions", "-man"] {
        let page = format!("pantin{command}.1");
        let text = std::fs::read_to_string(folder.path().join("out/man1").join(&page)).unwrap();
        assert!(text.contains(".SH SYNOPSIS"), "{page}");
    }
    let text = std::fs::read_to_string(folder.path().join("out/man1/pantin-dump.1")).unwrap();
    let examples = "Examples:\n.nf\n  pantin dump site.pp\n  pantin dump \\-\\-format json";
    assert!(text.contains(examples) && text.contains("\nExit codes:\n.nf\n  0  everything"), "{text}");
    assert!(text.contains("could not be written\n.fi\n"), "{text}");
    folder.write("file", "");
    let run = folder.run(&["man", "--out", "file"]);
    assert!(run.err.starts_with("error: cannot write file/pantin.1: "), "{}", run.err);
    assert_eq!(run.code, Some(2));
}

#[test]
fn tokens_stand_one_a_line() {
    let folder = Folder::with(&[("a.pp", "notice(1)\n"), ("b.pp", "$x = \"unclosed\n")]);
    let run = folder.run(&["dump", "--tokens", "a.pp"]);
    let expected = "--- a.pp\n1:1 NAME \"notice\"\n1:7 LPAREN \"(\"\n1:8 NUMBER \"1\"\n1:9 RPAREN \")\"\n";
    assert_eq!((run.out.as_str(), run.err.as_str(), run.code), (expected, "", Some(0)));

    let run = folder.run(&["dump", "--tokens", "--format", "json", "-e", "$x"]);
    let token: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let expected = serde_json::json!({
        "name": "VARIABLE", "text": "x", "line": 1, "column": 1, "offset": 0, "length": 2,
    });
    assert_eq!(token, expected);

    let run = folder.run(&["dump", "--tokens", "b.pp", "a.pp", "gone.pp"]);
    assert!(run.err.contains("Error: Unclosed quote after"), "{}", run.err);
    assert!(run.err.contains("Error: Cannot read gone.pp: no such file or directory"), "{}", run.err);
    assert!(run.out.contains("--- a.pp\n1:1 NAME"), "{}", run.out);
    assert_eq!(run.code, Some(1));
    assert_eq!(folder.run_with_input(&["dump", "--tokens", "--epp"], b"<%= 1 %>").code, Some(0));
    assert_eq!(folder.run(&["dump", "--tokens", "-e", "1", "a.pp"]).code, Some(2));
}

#[test]
fn bindings_and_site_statements_have_a_notation() {
    let folder = Folder::with(&[(
        "bindings/default.pp",
        "bindings default {\n  when role [web, db] and virtual true { bind override Integer, 'n' to 1 in 'id' }\n  \
         bind parameters ntp to { servers => [] }\n  bind dependency File['/a'] ~> Class[ntp]\n  include ntp\n}\n",
    )]);
    let run = folder.run(&["dump", "bindings/default.pp"]);
    let expected = "--- bindings/default.pp(bindings {:name \"default\" :items [(when {:condition (and (category \"role\" \"web\" \"db\") \
                    (category \"virtual\" \"true\")) :items [(bind {:override true :type (qr \"Integer\") :name \"n\" :to 1 :in \"id\"})]}) \
                    (bind-parameters {:of (class \"ntp\") :to (hash (=> (qn \"servers\") (array)))}) (bind-dependency {:sides \
                    [[(access (qr \"File\") \"/a\")] [(access (qr \"Class\") (qn \"ntp\"))]] :arrows [\"~>\"]}) (include \"ntp\")]})\n";
    assert_eq!((run.out.as_str(), run.code), (expected, Some(0)), "{}", run.err);
    folder.write("bindings/default.pp", "bindings default { bind 'x' to { a => 1, a => 2 } }\n");
    let run = folder.run(&["dump", "bindings/default.pp"]);
    assert!(run.code == Some(1) && run.out.is_empty() && run.err.contains("declared more than once"), "{}", run.err);
    let run =
        folder.run(&["dump", "-e", "site { categories { node => 1 } bindings => [layer { 'a': include => 'b' }] }"]);
    assert_eq!(run.out, "(site (categories {:node 1}) (bindings (layer \"a\" {:include \"b\"})))\n");
}

#[test]
fn a_file_of_bindings_without_a_definition_is_no_manifest() {
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("bindings/k.pp", "class a { }\n"),
        ("manifests/bindings/k.pp", "class b { }\n"),
    ]);
    let run = folder.run(&["validate", "bindings/k.pp"]);
    let said = [run.out, run.err].concat();
    assert!(run.code == Some(1) && said.contains("A file of bindings holds one definition"), "{said}");
    assert_eq!(folder.run(&["validate", "manifests/bindings/k.pp"]).code, Some(0));
}

#[test]
fn trees_as_the_real_command_prints_them() {
    let folder = Folder::with(&[("ok.pp", "notice(1)\n"), ("bad.pp", "$x = }\n"), ("odd.pp", "1 = 2\n3 = 4\n")]);
    let printed = |arguments: &[&str]| {
        let run = folder.run(&[&["dump"], arguments].concat());
        (run.out, run.err, run.code)
    };
    let notation = r#"(invoke {:functor (qn "notice") :args [1]})"#;
    let as_json = r##"{"^":["invoke",{"#":["functor",{"^":["qn","notice"]},"args",[1]]}]}"##;
    let shown = |text: String| (text, String::new(), Some(0));
    assert_eq!(printed(&["ok.pp"]), shown(format!("--- ok.pp{notation}\n")));
    assert_eq!(printed(&["-e", "notice(1)"]), shown(format!("{notation}\n")));
    assert_eq!(printed(&["--format", "json", "ok.pp"]), shown(format!("{as_json}\n")));
    let pretty = "--- ok.pp(invoke\n  {\n    :functor (qn\n      \"notice\")\n    :args [\n      1]})\n";
    assert_eq!(printed(&["--pretty", "ok.pp"]), shown(pretty.to_owned()));
    let (out, _, code) = printed(&["--format", "tree", "ok.pp"]);
    assert!(out.starts_with("--- ok.pp\n") && out.contains("  1:1-1:10\n"), "{out}");
    assert_eq!(code, Some(0));

    let (out, err, code) = printed(&["bad.pp", "ok.pp", "gone.pp"]);
    assert_eq!(out, format!("--- ok.pp{notation}\n"));
    let expected = "Error: Syntax error at '}' (file: bad.pp, line: 1, column: 6)\n\
                    Error: Cannot read gone.pp: no such file or directory\n";
    assert_eq!((err.as_str(), code), (expected, Some(1)));
    assert_eq!(printed(&["odd.pp"]).2, Some(1));
    assert_eq!(printed(&["--no-validate", "odd.pp"]), shown("--- odd.pp(block (= 1 2) (= 3 4))\n".to_owned()));
    assert_eq!(printed(&["--epp", "-e", "<%= 1 %>"]).2, Some(0));
}

#[test]
fn commands_may_be_called_as_puppet_calls_them() {
    let folder = Folder::with(&[("a.pp", "$x = }"), ("t.epp", "1 + 1 is <%= 1 + 1 %>")]);
    let (theirs, ours) = (folder.run(&["parser", "validate", "a.pp"]), folder.run(&["validate", "a.pp"]));
    // The last line tells how long it took.
    let without_time = |said: &str| said.split(" in ").next().map(str::to_owned);
    assert_eq!((&theirs.out, theirs.code), (&ours.out, ours.code));
    assert_eq!(without_time(&theirs.err), without_time(&ours.err));
    assert_eq!(theirs.code, Some(1));
    assert_eq!(folder.run(&["epp", "render", "t.epp"]).out, "1 + 1 is 2");
    assert!(folder.run(&["catalog", "compile", "x", "-e", "notify { 'y': }"]).out.contains(r#""title":"y""#));
}
