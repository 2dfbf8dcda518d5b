//! Texts that a repository controls, in all formats of all commands that print them: none is markup, a command of a workflow, or
//! something that plays with a terminal.

use std::io::Read;

use serde_json::Value as Json;

use crate::diff::{commit, git};
use crate::watch::Watcher;
use crate::{Folder, Run, finish};

/// As Puppet writes it between quotes: what each kind of reader would take for its own.
const HOSTILE: &str = r##"x\n\n# FAKE\n::error::FAKE\n \t::add-mask::FAKE ##[error]FAKE <!-- FAKE --> ![FAKE](http://FAKE) @FAKE `FAKE` \u{1b}[31m\u{9b}31m\u{202e}\u{200f}\r <img src=x onerror=FAKE> </script> \"];FAKE ]]> =FAKE | FAKE"##;

/// The same as it is.
fn hostile_text() -> String {
    let signs = [
        ("\\n", "\n"),
        ("\\t", "\t"),
        ("\\r", "\r"),
        ("\\\"", "\""),
        ("\\u{1b}", "\u{1b}"),
        ("\\u{9b}", "\u{9b}"),
        ("\\u{202e}", "\u{202e}"),
        ("\\u{200f}", "\u{200f}"),
    ];
    signs.iter().fold(HOSTILE.to_owned(), |text, (written, sign)| text.replace(written, sign))
}

fn site(message: &str) -> String {
    format!(
        "$t = \"{HOSTILE}\"\nnotify {{ $t: message => \"=${{t}}{message}\" }}\nnotify {{ \"{message}${{t}}\": require => Notify[$t] }}\n\
         warning($t)\nnotice($t)\nclass unseen {{ }}\nclass seen($told) {{ $own = $told notify {{ \"${{own}}{message}\": message => $own }} warning($own) }}\n\
         class {{ 'seen': told => \"seen${{t}}\" }}\nif $facts['fails'] {{ fail($t) }}\n\
         if $facts['turns'] {{ Notify[\"{message}${{t}}\"] -> Notify[$t] }}\n"
    )
}

fn facts(name: &str, more: &str) -> (String, String) {
    (format!("facts/{name}.yaml"), format!("name: {name}\nvalues: {{a: 1{more}}}\n"))
}

fn repository() -> Folder {
    let facts = [facts("fine", ""), facts("failing", ", fails: true"), facts("turning", ", turns: true")];
    let data = "\"k\\e[31m\\n::error::FAKE ##[error]FAKE\": 1\nkey: \"=\\e[31m\\u202e\\n\\n# FAKE\\n::error::FAKE ##[error]FAKE <!-- FAKE -->\"\n";
    let before = site("one");
    let mut files: Vec<(&str, &str)> = vec![
        ("manifests/site.pp", &before),
        ("environment.conf", ""),
        ("hiera.yaml", "version: 5\nhierarchy: [{name: Common, path: common.yaml}]\n"),
        ("data/common.yaml", data),
        ("wrong.pp", "$x = \"\u{1b}[31m\u{202e} ##[error]FAKE\n::error::FAKE\n\" 'FAKE\n# FAKE"),
    ];
    files.extend(facts.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let folder = Folder::with(&files);
    // Names of files are texts as well.
    folder.write("modules/m/files/##[error]FAKE\u{1b}[31m\u{202e}", "nobody wants it");
    folder.write("modules/m/manifests/init.pp", "class m { }");
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    commit(&folder);
    folder.write("manifests/site.pp", site("two"));
    folder
}

/// In a job of GitHub's, whose runner reads both streams.
fn run_in_job(folder: &Folder, arguments: &[&str]) -> Run {
    finish(folder.command(arguments).env("GITHUB_ACTIONS", "true").env("CI", "false").spawn().unwrap())
}

fn is_harmful(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\n' | '\t')
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What no text may have, whoever reads it.
fn check_log(what: &str, text: &str, has_commands: bool) {
    // A runner that obeys a line's own command looks for no other in it.
    let is_plain = |line: &&str| !(has_commands && line.starts_with("::"));
    assert!(!text.lines().filter(is_plain).any(|line| line.contains("##[")), "{what}: {text}");
    let commands = text.lines().filter(|line| line.trim_start().starts_with("::"));
    for command in commands {
        let is_own = ["::error ", "::warning ", "::notice "].iter().any(|own| command.starts_with(own));
        assert!(has_commands && is_own, "{what}: {command}");
    }
    if let Some(harmful) = text.chars().find(|letter| is_harmful(*letter)) {
        panic!("{what}: {harmful:?} in {text:?}");
    }
}

/// A line without its code spans: what stands between two runs of as many backticks.
fn without_code_spans(line: &str) -> String {
    let mut outside = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        let run = rest[start..].bytes().take_while(|byte| *byte == b'`').count();
        outside.push_str(&rest[..start]);
        let after = &rest[start + run..];
        let is_end = |at: &usize| {
            after[*at..].bytes().take_while(|byte| *byte == b'`').count() == run && !after[..*at].ends_with('`')
        };
        rest = match after.match_indices('`').map(|(at, _)| at).find(is_end) {
            Some(end) => &after[end + run..],
            None => after,
        };
    }
    outside + rest
}

fn check_markdown(what: &str, text: &str) {
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.trim_start().starts_with("```");
        assert!(is_code || !line.trim_start().starts_with("# "), "{what}: {text}");
        assert!(
            line.is_empty() || !line.contains("# FAKE") || line.starts_with(['-', ' ', '|', '#']),
            "{what}: {line}"
        );
    }
    assert!(!is_code, "{what}: {text}");
    let outside = text.lines().map(without_code_spans).collect::<Vec<_>>().join("\n");
    let own = ["<sub>", "</sub>", "<details>", "</details>", "<summary>", "</summary>", "<b>", "</b>", "<br>"];
    let outside = own.iter().fold(outside, |text, tag| text.replace(tag, ""));
    for markup in ["<!--", "<img", " @FAKE", "![FAKE](", "http://FAKE"] {
        let lines = outside.lines().filter(|line| !line.starts_with("  ")).collect::<Vec<_>>().join("\n");
        assert!(!lines.contains(markup), "{what}: {markup} in {lines}");
    }
}

fn check(what: &str, format: &str, run: &Run) {
    check_log(&format!("{what}: standard error"), &run.err, false);
    assert!(run.out.contains("FAKE") || run.err.contains("FAKE"), "{what} shows nothing: {}{}", run.out, run.err);
    check_log(what, &run.out, format == "github");
    match format {
        "json" | "gitlab" | "sarif" => {
            let mut values = serde_json::Deserializer::from_str(&run.out).into_iter::<Json>();
            assert!(values.all(|value| value.is_ok()), "{what}: {}", run.out);
        }
        "junit" => assert!(roxmltree::Document::parse(&run.out).is_ok(), "{what}: {}", run.out),
        "markdown" => check_markdown(what, &run.out),
        "html" => {
            for markup in ["<!--", "<img", "</script> "] {
                assert!(!run.out.contains(markup), "{what}: {markup}");
            }
        }
        "csv" => {
            for line in run.out.lines().skip(1) {
                assert!(!line.starts_with('=') && !line.contains(",=") && !line.contains(",\"="), "{what}: {line}");
            }
        }
        "dot" => {
            let quotes = run.out.replace("\\\\", "").replace("\\\"", "").matches('"').count();
            assert!(
                quotes.is_multiple_of(2) && run.out.lines().all(|line| !line.trim_start().starts_with("# ")),
                "{}",
                run.out
            );
        }
        _ => {}
    }
}

#[test]
fn no_text_of_a_repository_is_obeyed() {
    let folder = &repository();
    let node = ["--node", "fine", "--facts", "facts"];
    let all = ["--facts", "facts"];
    let why = format!("Notify[seen{}two]", hostile_text());
    let commands: [(&[&str], &[&str], &[&str]); 15] = [
        (&["validate", "wrong.pp"], &[], &["text", "puppet", "json", "junit", "github", "gitlab", "sarif", "markdown"]),
        (&["fleet", "-q"], &all, &["text", "json", "junit", "github", "gitlab", "sarif", "markdown", "html"]),
        (&["diff", "--data"], &all, &["text", "json", "junit", "markdown", "html"]),
        (&["compile", "--log-level", "notice"], &all, &["json", "pretty", "summary"]),
        (&["compile", "--log-format", "text"], &all, &["summary"]),
        (&["query", "Notify"], &all, &["text", "json", "csv"]),
        (&["graph"], &node, &["dot", "html", "json"]),
        (&["lookup", "key"], &node, &["s", "json", "yaml"]),
        (&["lookup", "key", "--explain"], &node, &["s", "json"]),
        (&["impact", "manifests/site.pp", "--explain"], &all, &["text", "json"]),
        (&["trace", "fine", "--body", "seen"], &all, &[""]),
        (&["why", &why, "message"], &node, &["text", "json", "dot"]),
        (&["why", "key"], &node, &["text", "json", "dot"]),
        (&["unused"], &all, &["text", "json"]),
        (&["eval", "--print", "--node", "fine", "--facts", "facts"], &[], &["text", "json"]),
    ];
    for (command, options, formats) in commands {
        for format in formats {
            let code = site("three");
            let mut arguments = [command, options].concat();
            if command[0] == "eval" {
                arguments.extend(["-e", &code]);
            }
            if !format.is_empty() {
                arguments.extend(["--format", format]);
            }
            let what = arguments[..2].join(" ") + " --format " + format;
            check(&what, format, &run_in_job(folder, &arguments));
        }
    }
}

/// What a watch says of an edit, on both streams.
#[test]
fn no_text_of_an_edit_is_obeyed() {
    for format in ["text", "json"] {
        let folder = &repository();
        let mut command = folder.command(&["watch", "--facts", "facts", "--edits", "1", "--format", format]);
        command.env("GITHUB_ACTIONS", "true").env("CI", "false");
        let mut watcher = Watcher::of(command);
        let mut errors = watcher.errors();
        let first = watcher.line();
        folder.write("manifests/site.pp", site("four"));
        let out = first + "\n" + &watcher.rest().join("\n");
        let mut err = String::new();
        errors.read_to_string(&mut err).unwrap();
        check(&format!("watch --format {format}"), format, &Run { out, err, code: Some(0) });
    }
}
