//! The book: its links lead somewhere, its examples say what the binary says, and its reference is that of the command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::book_examples::{Example, ExamplePlace, examples, fits};
use crate::{Folder, finish};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README and the pages of the book.
fn pages() -> Vec<PathBuf> {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> = docs.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// The targets of `[text](target)` outside of code.
fn links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        let parts = line.split("](").skip(1).filter(|_| !is_code);
        links.extend(parts.filter_map(|part| Some(part.split_once(')')?.0.to_owned())));
    }
    links
}

#[test]
fn every_link_leads_somewhere() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            if file.starts_with("http") {
                continue;
            }
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link} is not there", page.display());
            if !anchor.is_empty() && target.extension().is_some_and(|ending| ending == "md") {
                let target_text = fs::read_to_string(&target).unwrap();
                let headings = target_text.lines().filter(|line| line.starts_with('#')).map(anchor_of);
                assert!(headings.into_iter().any(|heading| heading == anchor), "{}: {link}", page.display());
            }
        }
    }
}

/// As mdBook and GitHub make it of a heading.
fn anchor_of(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let named = links(&summary);
    for page in pages().iter().filter(|page| page.parent().unwrap().ends_with("docs")) {
        let name = page.file_name().unwrap().to_str().unwrap();
        assert!(name == "SUMMARY.md" || named.iter().any(|link| link == name), "{name} is not in SUMMARY.md");
    }
}

/// `PANTIN_BOOK=write cargo test --test cli book` writes it.
#[test]
fn the_reference_is_that_of_the_command_line() {
    let said = Folder::with(&[]).run(&["man", "--markdown"]).out;
    let file = root().join("docs/reference.md");
    if std::env::var("PANTIN_BOOK").is_ok_and(|wish| wish == "write") {
        fs::write(&file, &said).unwrap();
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    let lines = written.lines().zip(said.lines()).find(|(written, said)| written != said);
    assert!(written == said, "docs/reference.md is not what `pantin man --markdown` says: {lines:?}");
}

/// `PANTIN_BOOK=write cargo test --test cli book` writes it.
#[test]
fn each_error_of_bindings_is_explained() {
    let listed = Folder::with(&[]).run(&["doc", "error", "--format", "json"]).out;
    let errors: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let mut page = String::from(
        "# Errors of bindings\n\nWhat each error and each warning of [bindings](bindings.md) means, and how to mend it. `pantin doc error \
         CODE` says the same.\n",
    );
    for error in errors.as_array().unwrap() {
        let [code, severity, text, example, help] =
            ["code", "severity", "text", "example", "help"].map(|name| error[name].as_str().unwrap());
        page.push_str(&format!("\n## {code}\n\n{text}\n\n```puppet\n{example}\n```\n"));
        let said = match help {
            "" => String::new(),
            help => format!(" Help: `{help}`."),
        };
        page.push_str(&format!("\nIt is {} {severity}.{said}\n", if severity == "error" { "an" } else { "a" }));
    }
    let file = root().join("docs/bindings-errors.md");
    if std::env::var("PANTIN_BOOK").is_ok_and(|wish| wish == "write") {
        fs::write(&file, &page).unwrap();
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert!(written == page, "docs/bindings-errors.md is not what `pantin doc error` says");
    for code in ["BINDINGS_LOOP", "loop"] {
        let described = Folder::with(&[]).run(&["doc", "error", code]).out;
        assert!(described.starts_with("BINDINGS_LOOP (error)\n\n"), "{described}");
    }
}

// ---- examples ----

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target)
        } else {
            drop(fs::copy(entry.path(), target))
        }
    }
}

/// The folders in which the examples of a page run, one after the other.
struct Scratch {
    folder: TempDir,
}

impl Scratch {
    fn new() -> Scratch {
        let folder = TempDir::new().unwrap();
        let repository = folder.path().join("control-repo");
        copy(&root().join("fixtures/control-repo"), &repository);
        copy(&root().join("fixtures/facts"), &repository.join("facts"));
        copy(&root().join("fixtures/troubled"), &repository.join("troubled"));
        copy(&root().join("docs/examples/module"), &folder.path().join("module"));
        fs::create_dir(folder.path().join("home")).unwrap();
        Scratch { folder }
    }

    fn run(&self, example: &Example) -> String {
        let binary = Path::new(env!("CARGO_BIN_EXE_pantin")).parent().unwrap();
        let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("sh");
        // The home is of this test, and so is all that stands in it.
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("PANTIN_") || name.starts_with("XDG_")) {
            command.env_remove(name);
        }
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "TERM", "CI", "GITHUB_ACTIONS", "GITLAB_CI", "JENKINS_URL"] {
            command.env_remove(name);
        }
        let folder = if example.at == ExamplePlace::Module { "module" } else { "control-repo" };
        command.args(["-c", &format!("{{ {}\n}} 2>&1", example.command)]).current_dir(self.folder.path().join(folder));
        command.env("PATH", path).env("HOME", self.folder.path().join("home"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        finish(command.spawn().unwrap()).out
    }
}

#[test]
fn every_example_says_what_the_binary_says() {
    let mut wrong = Vec::new();
    for page in pages() {
        // Those that are run on a machine are of `tests/apply`.
        let mut examples = examples(&page);
        examples.retain(|example| example.at != ExamplePlace::Machine);
        if examples.is_empty() {
            continue;
        }
        let scratch = Scratch::new();
        for example in examples {
            let out = scratch.run(&example);
            if !fits(&example.expected, &out.lines().collect::<Vec<_>>()) {
                wrong.push(format!("{}: $ {}\n{out}", example.place, example.command));
            }
        }
    }
    assert!(wrong.is_empty(), "these examples say something else:\n\n{}", wrong.join("\n"));
}

#[test]
fn expectations_may_leave_out() {
    let fits = |expected: &str, out: &str| {
        fits(&expected.lines().map(str::to_owned).collect::<Vec<_>>(), &out.lines().collect::<Vec<_>>())
    };
    assert!(fits("a\n...\nd [..] s", "a\nb\nc\nd 0.1 s"));
    assert!(!fits("a\n...\nd [..] s", "a\nb\nc\nd 0.1 h"));
    assert!(fits("...", "") && fits("a [..] b [..]", "a 1 b 2") && !fits("a", "a b") && !fits("", "a"));
}
