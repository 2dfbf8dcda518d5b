//! What is said of slips on the command line and in files of configuration.

use crate::Folder;

const FACTS: &str = r#"{"name": "web01.a", "values": {"os": {"family": "Debian", "release": {"major": "12"}}}}"#;

fn repository(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("facts/web01.a.json", FACTS),
        ("facts/web02.a.json", "{}"),
        ("manifests/site.pp", "notify { 'a': }\n"),
        ("modules/ntp/templates/a.epp", "<%- | $a | -%>\n<%= $a %>\n"),
        ("modules/ntp/manifests/init.pp", "class ntp {}\n"),
    ]);
    files.iter().for_each(|(name, text)| folder.write(name, text));
    folder
}

#[track_caller]
fn assert_said(folder: &Folder, arguments: &[&str], expected: &str) {
    let run = folder.run(arguments);
    assert!(run.err.contains(expected), "{arguments:?}\n{}", run.err);
}

#[test]
fn a_pattern_that_fits_no_node_is_told_with_one_that_does() {
    let folder = repository(&[]);
    assert_said(&folder, &["compile", "wep*.a", "--facts", "facts"], "no node matches 'wep*.a'; did you mean web*.a?");
    let run = folder.run(&["fleet", "--facts", "facts", "--explain-cache", "web03.a"]);
    assert!(run.err.contains("did you mean web01.a?"), "{}", run.err);
}

#[test]
fn commands_for_one_node_take_the_first_or_ask_which() {
    let folder = repository(&[]);
    for arguments in [["eval", "-e", "1"], ["lookup", "a", "--default=1"]] {
        let run = folder.run(&[&arguments[..], &["--facts", "facts"]].concat());
        assert_eq!(
            (run.err.as_str(), run.code),
            ("Warning: of 2 nodes web01.a is taken; --node NAME says another\n", Some(0))
        );
    }
    assert_said(
        &folder,
        &["graph", "--facts", "facts"],
        "Error: which node? There are web01.a, web02.a; --node NAME says it\n",
    );
}

#[test]
fn commands_take_the_first_system_of_a_module() {
    let metadata = r#"{"name": "a-ntp", "version": "1.0.0", "author": "a", "license": "x", "summary": "", "source": "",
        "dependencies": [], "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["11", "12"]}]}"#;
    let folder = Folder::with(&[
        ("metadata.json", metadata),
        ("manifests/init.pp", "class ntp {}\n"),
        ("hiera.yaml", "version: 5\n"),
        ("data/common.yaml", "ntp::a: \"%{facts.os.release.major}\"\n"),
    ]);
    let looked = folder.run(&["lookup", "ntp::a"]);
    let evaluated = folder.run(&["eval", "-e", "notice(lookup('ntp::a'))"]);
    assert_eq!((looked.code, evaluated.code), (Some(0), Some(0)), "{}{}", looked.err, evaluated.err);
    assert!(looked.out.contains("11") && evaluated.out.contains("11"), "{}{}", looked.out, evaluated.out);
}

#[test]
fn nodes_without_facts_and_misspelt_facts_are_warned_of_once() {
    let folder = repository(&[]);
    let warnings = |arguments: &[&str]| {
        let err = folder.run(arguments).err;
        err.lines().filter(|line| line.starts_with("Warning: ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let without = |of: &str| {
        vec![format!("Warning: there are no facts of {of}: --facts says where those of nodes are, --os makes some up")]
    };
    assert_eq!(warnings(&["compile", "a"]), without("a"));
    assert_eq!(warnings(&["compile", "a", "b"]), without("2 nodes, such as a"));
    assert_eq!(warnings(&["eval", "--node", "a", "-e", "1"]), without("a"));
    assert_eq!(warnings(&["compile", "-e", "notify { 'x': }"]), Vec::<String>::new());
    assert_eq!(warnings(&["trace", "a"]), without("a"));
    assert_eq!(warnings(&["lookup", "k"]), without("localhost"));
    assert_eq!(warnings(&["eval", "-e", "notice(1)"]), Vec::<String>::new());
    assert_eq!(warnings(&["eval", "-e", "notice($facts['os']['family'])"]), without("localhost"));
    assert_eq!(warnings(&["compile", "a", "--os", "debian-12"]), Vec::<String>::new());
    let changed = ["compile", "--facts", "facts", "--fact", "os.release.majr=13"];
    assert_eq!(
        warnings(&changed),
        ["Warning: --fact os.release.majr: web01.a has no such fact; did you mean os.release.major?"]
    );
}

/// One answer of all commands that are about the nodes of a repository.
#[test]
fn without_facts_and_names_there_are_no_nodes() {
    let folder = repository(&[]);
    for command in ["compile", "fleet", "watch", "trace", "node", "graph", "impact", "unused"] {
        let more: &[&str] = if command == "impact" { &["--key", "a"] } else { &[] };
        let run = folder.run(&[&[command], more].concat());
        assert!(run.err.starts_with("Error: there are no nodes: --facts says where"), "{command}: {}", run.err);
        assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{command}");
    }
    // Code that is given may be for any node.
    let run = folder.run(&["compile", "-e", "notify { 'x': }", "--format", "summary"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let empty = Folder::with(&[("x", "")]);
    let run = empty.run(&["compile"]);
    assert!(run.err.contains("there is no control repository around this folder"), "{}", run.err);
}

#[test]
fn code_that_is_taken_for_a_file_is_told_how_it_is_given() {
    let folder = repository(&[]);
    let said = "Cannot read notice(1): no such file or directory; code stands behind -e: pantin eval -e 'notice(1)'";
    assert_said(&folder, &["eval", "notice(1)", "--facts", "facts", "--node", "web01.a"], said);
    let run = folder.run(&["eval", "site.pp", "--facts", "facts", "--node", "web01.a"]);
    assert!(!run.err.contains("-e"), "{}", run.err);
}

#[test]
fn a_template_goes_by_its_name_and_takes_values_inline() {
    let folder = repository(&[("values.yaml", "a: 1\n")]);
    let epp = |more: &[&str]| {
        folder.run(&[&["epp", "ntp/a.epp", "--facts", "facts", "--node", "web01.a"][..], more].concat())
    };
    for values in ["{ a => 2 }", "{ 'a' => 1 + 1 }", r#"{"a": 2}"#] {
        assert_eq!(epp(&["--values", values]).out, "2\n", "{values}");
    }
    assert_eq!(epp(&["--values-file", "values.yaml"]).out, "1\n");
    assert_eq!(epp(&["--values-file", "values.yaml", "--values", "{ a => 3 }"]).out, "3\n");
    let refused = epp(&["--values", "[1]"]);
    assert_eq!((refused.code, refused.err.as_str()), (Some(2), "Error: --values: it is no hash but an Array\n"));
    let missing = epp(&[]);
    assert_eq!(missing.code, Some(1));
}

#[test]
fn a_wrong_path_of_the_configuration_is_told_with_its_place() {
    let folder = repository(&[("pantin.toml", "# ours\nfacts = 'fcts'\n")]);
    let here = folder.real_path();
    let said = format!("Error: {here}/pantin.toml:2: 'facts': {here}/fcts: no such file or directory\n");
    assert_said(&folder, &["compile"], &said);
    assert_eq!(folder.run(&["compile", "--facts", "facts"]).code, Some(0));
    // Who follows edits hears the same.
    assert_said(&folder, &["watch"], &said);
    for (text, reason) in [
        (
            "facts = 'facts'\nenvironment = 'prodcution'\n",
            "pantin.toml:2: 'environment': prodcution: did you mean production?",
        ),
        ("facts = 'facts'\nexported = 'flet'\n", "/flet: no such file or directory; did you mean 'fleet'?"),
        ("os = ['debian-12', 'debain-12']\n", "pantin.toml:1: 'os': 'debain-12': did you mean debian-12?"),
    ] {
        folder.write("pantin.toml", text);
        for command in ["compile", "watch"] {
            assert_said(&folder, &[command], reason);
        }
    }
    folder.write("pantin.toml", "facts = [facts]\n");
    assert_said(&folder, &["compile"], "; a text stands in quotes: facts = ['facts']");
    folder.write("pantin.toml", "");
    let mut command = folder.command(&["compile"]);
    command.env("PANTIN_FACTS", "nowhere");
    let run = crate::finish(command.spawn().unwrap());
    assert!(run.err.starts_with("Error: PANTIN_FACTS: 'facts': "), "{}", run.err);
}

#[test]
fn slips_in_the_files_of_an_environment_are_warned_of() {
    let folder = repository(&[
        ("environment.conf", "modulpath = modules\n"),
        ("hiera.yaml", "version: 5\ndefaults:\n  datadir: /nowhere/data\n  data_hash: yaml_data\n"),
    ]);
    assert_said(
        &folder,
        &["compile", "web01.a", "--facts", "facts"],
        "there is no setting modulpath; did you mean modulepath?",
    );
    assert_said(
        &folder,
        &["compile", "web01.a", "--facts", "facts"],
        "hiera.yaml:3: the folder of data /nowhere/data is not there",
    );
}

#[test]
fn reports_have_the_help_and_markdown_has_a_row_for_each_finding() {
    let folder = Folder::with(&[("a.pp", "file { '/x'\n  ensure => file }\n"), ("b.pp", "$a = 1\n")]);
    let report = |format: &str| folder.run(&["validate", "--format", format, "-q", "a.pp", "b.pp"]).out;
    let help = "help: a colon follows the title";
    for format in ["gitlab", "junit", "github", "markdown", "text", "human"] {
        assert!(report(format).contains(help), "{format}: {}", report(format));
    }
    let rows = "| where | | what |\n|---|---|---|\n| `a.pp:2:3` | error | Syntax error at 'ensure'<br>help: ";
    assert!(report("markdown").starts_with(rows), "{}", report("markdown"));
    assert!(report("markdown").ends_with("\n\n2 files: 1 rejected, 1 error, 0 warnings\n"), "{}", report("markdown"));
}

#[test]
fn code_of_the_command_line_is_no_file_in_a_report() {
    let folder = repository(&[]);
    let code = "notify { 'a': require => Notify['b'] }\nnotify { 'b': require => Notify['a'] }";
    let report = |format: &str| folder.run(&["fleet", "--facts", "facts", "-e", code, "--format", format, "-q"]).out;
    assert!(report("github").starts_with("::error title=DEPENDENCY_CYCLE::"), "{}", report("github"));
    assert!(!report("sarif").contains("\"uri\":\"\""), "{}", report("sarif"));
    for format in ["text", "junit", "markdown", "json"] {
        let report = report(format);
        assert!(
            !report.contains(":1:") && !report.contains("\n:1") && !report.contains("\"file\": \"\""),
            "{format}: {report}"
        );
    }
}
