//! Checks the runner of the specs on samples that are wrong, so that we know it can fail, and that
//! what it writes is what it reads.

use std::collections::BTreeSet;
use std::path::PathBuf;

use libtest_mimic::{Failed, Trial};
use pantin::base::{Language, Strict};

use super::document::{By, Document};
use super::evaluation::Evaluation;
use super::example::{Example, expected, oracle_said, unescape};
use super::rewrite::{Change, rewrite};
use super::said::Said;
use super::version::VERSIONS;
use super::{issues, pn, rendering, spec};

const RIGHT: &str = "# a\n\nprose\n\n```pp\n$a = = 1\n```\n\n```error\nSyntax error at '=' (line: 1, column: 6)\n```\n\n<!-- oracle: 7.23, 8.10 -->\n";

pub(super) fn trials() -> Vec<Trial> {
    let trial = |name: &str, run: fn() -> Result<(), Failed>| Trial::test(format!("specs themselves: {name}"), run);
    vec![
        trial("a right example passes, a wrong one fails", wrong_examples_fail),
        trial("a document that is not clear is refused", unclear_documents),
        trial("an example that is not clear is refused", unclear_examples),
        trial("an example of evaluation that is not clear is refused", unclear_evaluations),
        trial("an example of a catalog that is not clear is refused", unclear_catalogs),
        trial("what surrounds a source is read", surroundings),
        trial("a catalog that is another one is shown as another one", catalogs),
        trial("a value is read as it was written", values),
        trial("what is written is what is read", written_is_read),
        trial("what differs keeps its blocks", differing_is_kept),
        trial("trees are equal however they are laid out", trees),
        trial("bytes", bytes),
        trial("a code without a spec is named", codes),
    ]
}

fn document(text: &str) -> Document {
    Document::parse(PathBuf::new(), "syntax/topic.md".to_owned(), text.to_owned())
}

fn run(text: &str) -> Result<(), String> {
    let document = document(text);
    document.problem.clone().map_or(Ok(()), Err)?;
    document.examples().try_for_each(spec::compare_section)
}

fn must_fail(result: Result<(), String>, with: &str) -> Result<(), Failed> {
    match result {
        Err(message) if message.contains(with) => Ok(()),
        other => Err(Failed::from(format!("'{with}' was expected in {other:?}"))),
    }
}

fn wrong_examples_fail() -> Result<(), Failed> {
    run(RIGHT)?;
    must_fail(run(&RIGHT.replace("column: 6", "column: 7")), "-Syntax error at '=' (line: 1, column: 7)")?;
    must_fail(run(&RIGHT.replace("= =", "=")), "+(= (var \"a\") 1)")?;
    must_fail(run(&RIGHT.replace("<!--", "<!-- -->")), "nobody confirmed it")?;
    must_fail(run("# a\n```pp\n$a = 1\n```\n"), "just oracle")?;
    must_fail(run(&RIGHT.replace("```error", "```error puppet=8")), "Puppet 7")?;
    must_fail(run(&format!("{RIGHT}\n```log\nWarning: x\n```\n")), "-Warning: x")?;
    must_fail(run(&format!("{RIGHT}\n```ast\n(block\n```\n")), "not a PN tree")?;
    let differs = RIGHT.replace("oracle: 7.23, 8.10", "differs: why");
    let said = |says: &str| run(&format!("{differs}\n```oracle-says\n{says}\n```\n"));
    said("accepted")?;
    must_fail(said("error: Syntax error at '=' (line: 1, column: 6)"), "no longer differs")
}

fn unclear_documents() -> Result<(), Failed> {
    must_fail(run("# prose alone"), "no example")?;
    must_fail(run("```pp\n1\n```\n"), "before the first heading")?;
    must_fail(run("# a\n```pp\n1\n``\n"), "not closed")?;
    must_fail(run("# a\n```pp\n1\n```\n## a\n```pp\n2\n```\n"), "two examples are called 'a'")?;
    must_fail(run("# a\n```\n1\n```\n"), "say what the block is")?;
    must_fail(run("# a\n<!-- differs: -->\n"), "says nothing")?;
    must_fail(run(&format!("{RIGHT}<!-- oracle: 8.10 -->\n")), "a second confirmation")
}

fn unclear_examples() -> Result<(), Failed> {
    let with = |block: &str| run(&format!("{RIGHT}\n{block}\n```\n"));
    must_fail(with("```pp path=b.pp\n2"), "a second source")?;
    must_fail(with("```nodes\n2"), "no trial uses a block `nodes` yet")?;
    must_fail(with("```value\n2"), "an example of this room has no block `value`")?;
    must_fail(with("```settings\nstrict_variables = true"), "no setting 'strict_variables'")?;
    must_fail(with("```oops\n2"), "no block is called `oops`")?;
    must_fail(with("```log path=a\n2"), "no attribute 'path'")?;
    must_fail(with("```error\n2"), "a second block `error`")?;
    must_fail(with("```settings\nstrct = off"), "no setting is called 'strct'")?;
    must_fail(with("```settings\nstrict = on"), "it is off, warning or error")?;
    must_fail(run("# a\n```error\nx\n```\n"), "no source")
}

fn evaluation(text: &str) -> Result<Example, String> {
    example_of("types", text)
}

fn example_of(room: &str, text: &str) -> Result<Example, String> {
    let document = Document::parse(PathBuf::new(), format!("{room}/topic.md"), text.to_owned());
    document.problem.clone().map_or(Ok(()), Err)?;
    document.examples().next().map_or_else(|| Err("no example".to_owned()), Example::read)
}

fn unclear_evaluations() -> Result<(), Failed> {
    let with = |block: &str| evaluation(&format!("# a\n```pp\n1\n```\n{block}\n```\n")).map(drop);
    with("```value\n1")?;
    must_fail(with("```ast\n1"), "an example of this room has no block `ast`")?;
    must_fail(with("```settings\nast = false"), "no setting 'ast'")?;
    must_fail(with("```facts\na: 1"), "no JSON hash")?;
    must_fail(with("```facts\n{}\n```\n```facts\n{}"), "a second block `facts`")?;
    must_fail(with("```params\n{}"), "`params` is for a template")?;
    must_fail(with("```file\n1"), "says path=modules/")?;
    must_fail(with("```file path=modules/../a\n1"), "a file is one of modules/")?;
    must_fail(with("```file path=modules/a/b\n1\n```\n```file path=modules/a/b\n1"), "a second file")?;
    must_fail(evaluation("# a\n```epp path=a.epp\n1\n```\n").map(drop), "modules/MODULE/templates/FILE")?;
    must_fail(with("```catalog\nA[b]"), "an example of this room has no block `catalog`")?;
    must_fail(with("```enc\nclasses: []"), "an example of this room has no block `enc`")?;
    must_fail(with("```settings\nnode = a"), "no setting 'node'")?;
    let elsewhere = Document::parse(PathBuf::new(), "room/topic.md".to_owned(), RIGHT.to_owned());
    must_fail(elsewhere.problem.map_or(Ok(()), Err), "no room of the specs is called 'room'")
}

fn unclear_catalogs() -> Result<(), Failed> {
    let with = |block: &str| example_of("catalogs", &format!("# a\n```pp\n1\n```\n{block}\n```\n"));
    let example = with("```file path=data/common.yaml\na: 1\n```\n```settings\nnode = a.b\nhiera_config = /x")?;
    let files: Vec<&str> = example.surroundings.files.keys().map(String::as_str).collect();
    ensure(files == ["data/common.yaml", "manifests/site.pp"], "the files")?;
    ensure(example.settings.node.as_deref() == Some("a.b") && example.settings.more.len() == 1, "the settings")?;
    let fails = |block: &str, why: &str| must_fail(with(block).map(drop), why);
    fails("```file path=manifests/site.pp\n1", "the source is also a block `file`")?;
    fails("```file path=../a\n1", "a file is one of")?;
    fails("```enc\n{}\n```\n```enc\n{}", "a second block `enc`")?;
    fails("```exported\n{}", "no JSON array")?;
    fails("```value\n1", "an example of this room has no block `value`")?;
    fails("```settings\nmodulepath = a", "no setting 'modulepath'")
}

const CATALOG: &str = r#"{"tags":["settings","a","class"],"name":"node.example.org","version":1,"code_id":null,
"catalog_uuid":"00000000-0000-0000-0000-000000000000","catalog_format":2,"environment":"production","resources":[
{"type":"Stage","title":"main","tags":["stage"],"exported":false,"kind":"compilable_type","parameters":{"name":"main"}},
{"type":"Class","title":"Settings","tags":["class","settings"],"exported":false,"kind":"unknown"},
{"type":"Class","title":"main","tags":["class"],"exported":false,"kind":"unknown","parameters":{"name":"main"}},
{"type":"Class","title":"A","tags":["class","a"],"exported":false,"kind":"unknown"},
{"type":"File","title":"/x","tags":["file","class","a"],"file":"/scratch/manifests/site.pp","line":3,"exported":false,
"kind":"compilable_type","parameters":{"mode":"0644","ensure":"file"}}],"edges":[
{"source":"Stage[main]","target":"Class[Settings]"},{"source":"Stage[main]","target":"Class[main]"},
{"source":"Stage[main]","target":"Class[A]"},{"source":"Class[A]","target":"File[/x]"}],"classes":["settings","a"]}"#;

/// What is left out of the text of a catalog is left out only where it is as always.
fn catalogs() -> Result<(), Failed> {
    let shown = rendering::render(CATALOG)?;
    let usual = "classes: a\nClass[A]\nFile[/x] {mode => \"0644\", ensure => \"file\"} @3 in=Class[A]";
    ensure(shown == usual, &shown)?;
    let changes = [
        (r#"["settings","a","class"]"#, r#"["a","settings","class"]"#),
        (r#""version":1"#, r#""version":2"#),
        (r#""code_id":null,"#, ""),
        (r#""catalog_format":2"#, r#""catalog_format":1"#),
        (r#""environment":"production""#, r#""environment":"other""#),
        (r#""tags":["stage"]"#, r#""tags":[]"#),
        (r#""tags":["class","settings"]"#, r#""tags":["settings","class"]"#),
        (
            r#""parameters":{"name":"main"}},
{"type":"Class","title":"A""#,
            r#""parameters":{}},
{"type":"Class","title":"A""#,
        ),
        (r#""tags":["file","class","a"]"#, r#""tags":["file","a","class"]"#),
        (r#""tags":["file","class","a"],"#, ""),
        (r#""line":3"#, r#""line":4"#),
        (r#","line":3"#, ""),
        ("manifests/site.pp", "manifests/other.pp"),
        (r#""file":"/scratch/manifests/site.pp","#, ""),
        (
            r#""exported":false,
"#,
            r#""exported":true,"#,
        ),
        (
            r#""exported":false,
"#,
            "",
        ),
        (r#""kind":"compilable_type","parameters":{"mode""#, r#""kind":"defined_type","parameters":{"mode""#),
        (r#""kind":"compilable_type","parameters":{"mode""#, r#""parameters":{"mode""#),
        (r#""mode":"0644","ensure":"file""#, r#""ensure":"file","mode":"0644""#),
        (r#""0644""#, "644"),
        (r#"{"mode":"0644","ensure":"file"}"#, "{}"),
        (r#""ensure":"file"}}"#, r#""ensure":"file"},"sensitive_parameters":["mode"]}"#),
        (r#""ensure":"file"}}"#, r#""ensure":"file"},"more":1}"#),
        (
            r#""target":"Class[Settings]"},{"source":"Stage[main]","target":"Class[main]"}"#,
            r#""target":"Class[main]"},{"source":"Stage[main]","target":"Class[Settings]"}"#,
        ),
        (r#",{"source":"Class[A]","target":"File[/x]"}"#, ""),
        (r#"{"source":"Class[A]""#, r#"{"source":"Class[main]""#),
        (
            r#"{"source":"Stage[main]","target":"Class[A]"},{"source":"Class[A]","target":"File[/x]"}"#,
            r#"{"source":"Class[A]","target":"File[/x]"},{"source":"Stage[main]","target":"Class[A]"}"#,
        ),
        (r#""target":"File[/x]"}"#, r#""target":"File[/x]"},{"source":"Class[main]","target":"File[/x]"}"#),
        (r#""target":"File[/x]"}"#, r#""target":"File[/x]"},{"source":"Class[main]","target":"File[/y]"}"#),
        (r#""target":"File[/x]"}"#, r#""target":"File[/x]","label":1}"#),
        (r#""classes":["settings","a"]"#, r#""classes":["a","settings"]"#),
    ];
    let mut texts = BTreeSet::from([shown]);
    for (from, to) in changes {
        ensure(CATALOG.contains(from), from)?;
        let text = rendering::render(&CATALOG.replacen(from, to, 1))?;
        ensure(texts.insert(text.clone()), &format!("{from} to {to} is shown as another one is:\n{text}"))?;
    }
    must_fail(rendering::render("[]").map(drop), "a JSON object")?;
    must_fail(rendering::render("{}").map(drop), "an array 'resources'")
}

/// As the evaluator gets it: whole paths, the defaults of each version.
fn surroundings() -> Result<(), Failed> {
    let example = evaluation(concat!(
        "# a\n```epp path=modules/m/templates/a.epp\na\n```\n```file path=modules/m/types/t.pp newline=none\nb\n```\n",
        "```params\n{\"p\": [1]}\n```\n```facts\n{\"f\": 1}\n```\n```settings\ntasks = true\n```\n",
    ))?;
    let [seven, eight, _] = VERSIONS.map(|version| Evaluation::new(&example, version));
    ensure(seven.strict == Strict::Warning && !seven.strict_variables, "the defaults of 7")?;
    ensure(eight.strict == Strict::Error && eight.strict_variables && eight.tasks, "the defaults of 8")?;
    ensure(eight.path.as_deref() == Some("/scratch/modules/m/templates/a.epp"), "the path")?;
    let files: Vec<_> = eight.files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let expected: [(&str, &[u8]); 2] =
        [("/scratch/modules/m/templates/a.epp", b"a\n"), ("/scratch/modules/m/types/t.pp", b"b")];
    ensure(files == expected, "the files")?;
    ensure(eight.params.is_some_and(|params| params.contains_key("p")) && eight.facts.contains_key("f"), "the hashes")
}

fn values() -> Result<(), Failed> {
    let said = |value| Said::evaluated(value, &["Notice: x".to_owned()], None);
    for answers in [[Some("a\n"), Some("a")], [Some(""), None], [Some("a\n```\r"), Some("a\n```\r")]] {
        let answers = [(Language::Puppet7, said(answers[0])), (Language::Puppet8, said(answers[1]))];
        let text = "# a\n```pp\n1\n```\n";
        let written = rewrite(&document(text), &[(1, Change::expectations(&answers))]);
        let section = &document(&written).sections[1];
        for (version, said) in answers {
            ensure(expected(section, version)? == said, &written)?;
        }
    }
    Ok(())
}

/// The answers of two versions through a document and back.
fn written_is_read() -> Result<(), Failed> {
    let said = |ast: Option<&str>, log: &[&str], error: Option<&str>| {
        let log: Vec<String> = log.iter().map(|line| (*line).to_owned()).collect();
        Said::new(ast, &log, error)
    };
    let seven = said(Some("(block 1 2)"), &["Warning: ```x", "Warning: two\nlines"], None)?;
    let eight = said(None, &["Warning: ```x", "Warning: two\nlines"], Some("bad \u{0}"))?;
    let text =
        "# a\n~~~pp\n# not a heading\n```\n~~~\n\n```log\nold\n```\n\nprose, kept\n\n```error puppet=7\nold\n```\nend";
    let answers = [(Language::Puppet7, seven.clone()), (Language::Puppet8, eight.clone())];
    let change = Change { oracle: Some("7.23, 8.10".to_owned()), ..Change::expectations(&answers) };
    let written = rewrite(&document(text), &[(1, change)]);
    let again = document(&written);
    let section = &again.sections[1];
    ensure(expected(section, Language::Puppet7)? == seven && expected(section, Language::Puppet8)? == eight, &written)?;
    let confirmed = section.confirmation.as_ref().map(|confirmation| &confirmation.by);
    ensure(confirmed == Some(&By::Oracle("7.23, 8.10".to_owned())), &written)?;
    ensure(
        written.contains("prose, kept\n") && written.contains("```error puppet=8.10\n") && !written.contains("old"),
        &written,
    )?;
    ensure(Example::read(section)?.source == b"# not a heading\n```\n", &written)?;
    // Writing it once more changes nothing.
    let change = Change { oracle: Some("7.23, 8.10".to_owned()), ..Change::expectations(&answers) };
    ensure(rewrite(&again, &[(1, change)]) == written, &written)
}

fn differing_is_kept() -> Result<(), Failed> {
    let text = RIGHT.replace("oracle: 7.23, 8.10", "differs: of two\nlines");
    let says = VERSIONS.map(|version| (version, "crash: x".to_owned()));
    let written = rewrite(&document(&text), &[(1, Change::oracle_says(&says))]);
    let section = &document(&written).sections[1];
    ensure(oracle_said(section, Language::Puppet8).as_deref() == Some("crash: x"), &written)?;
    let kept = text.replace("\n<!--", "\n```oracle-says\ncrash: x\n```\n\n<!--");
    ensure(written == kept, &written)
}

fn trees() -> Result<(), Failed> {
    let wide = format!("(block {} {{:a [1 \"(\\\"\"]}})", "(call x) ".repeat(30));
    let pretty = pn::pretty(&wide)?;
    ensure(pretty.lines().count() == 32 && pn::pretty(&pretty)? == pretty, &pretty)?;
    ensure(pn::pretty("( a\n b )")? == "(a b)", "(a b)")?;
    ["(a", "a)", "\"a", "", "(a]"].iter().try_for_each(|wrong| must_fail(pn::pretty(wrong).map(drop), "not a PN tree"))
}

fn bytes() -> Result<(), Failed> {
    ensure(unescape("a\\xFF\\n\\\\\\*3{(\\x00}é")? == b"a\xFF\n\\(\0(\0(\0\xC3\xA9", "escapes")?;
    ["\\", "\\q", "\\x", "\\xZZ", "\\*2", "\\*2{a", "\\*a{a}"]
        .iter()
        .try_for_each(|wrong| must_fail(unescape(wrong).map(drop), ""))
}

fn codes() -> Result<(), Failed> {
    let provoked = ["A"].into();
    issues::problem(&["A", "B"], &provoked, &[("B", "why")])?;
    must_fail(issues::problem(&["A", "B"], &provoked, &[]), "B")?;
    must_fail(issues::problem(&["A"], &provoked, &[("A", "why")]), "OUT_OF_REACH")
}

fn ensure(holds: bool, shown: &str) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(Failed::from(shown.to_owned())) }
}
