//! What `pantin apply` does to a machine: manifests on fresh machines, beside what the real Puppet did there.
//!
//!     cargo test --test apply [FILTER]
//!     PANTIN_SPEC=oracle cargo test --test apply -- [FILTER]      the real Puppet writes what is expected
//!     PANTIN_SPEC=check  cargo test --test apply -- [FILTER]      fails on what it does not say again
//!     PANTIN_SPEC=bless  cargo test --test apply -- [FILTER]      Pantin writes it, where it is meant to differ
//!
//! `PANTIN_APPLY_LOOKS=all` runs all cases three times more: without reading files ahead, with it, and where they are disturbed meanwhile.
//! `PANTIN_SPEC_SAMPLE=10` takes ten cases at random (`PANTIN_SEED`). README.md explains the documents.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]
#![allow(clippy::disallowed_methods, reason = "it makes machines, and runs programs on them")]

mod apply_case;
mod base_root;
mod book;
#[path = "../cli/book_examples.rs"]
mod book_examples;
mod booter;
mod document;
mod log_text;
mod looks;
mod machine;
mod package_text;
mod recorder;
mod report_text;
mod root_option;
mod runner;
mod tree_text;
mod workspace;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use apply_case::ApplyCase;
use document::Document;
use libtest_mimic::{Arguments, Trial};
use looks::Look;
use workspace::Workspace;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let documents = document::read_all(&folder().join("cases"));
    let mode = std::env::var("PANTIN_SPEC").unwrap_or_default();
    if arguments.list || documents.iter().any(|document| document.problem.is_some()) {
        return libtest_mimic::run(&arguments, trials(&documents, None)).exit_code();
    }
    let missing = workspace::what_is_missing();
    if let Some(missing) = missing {
        eprintln!("tests/apply: no manifest was applied, since {missing}");
        let code = if mode.is_empty() {
            libtest_mimic::run(&arguments, trials(&documents, None)).exit_code()
        } else {
            ExitCode::from(3)
        };
        return code;
    }
    if let Err(code) = workspace::enter_private_mounts() {
        return code;
    }
    let workspace = match Workspace::open() {
        Ok(workspace) => Arc::new(workspace),
        Err(problem) => {
            eprintln!("tests/apply: {problem}");
            return ExitCode::from(3);
        }
    };
    let mut documents = documents;
    if needs_systemd(&arguments, &documents)
        && let Err(why) = workspace.booter()
    {
        eprintln!("tests/apply: no case with systemd is run, since {why}");
        mark(&mut documents, |case| case.boots.then(|| "systemd".to_owned()));
    }
    mark(&mut documents, |case| workspace.missing_module(case).map(|name| format!("the module {name}")));
    let code = match mode.as_str() {
        "" => libtest_mimic::run(&arguments, trials(&documents, Some(&workspace))).exit_code(),
        "oracle" => recorder::record(&arguments, documents, &workspace),
        "check" => recorder::check(&arguments, &documents, &workspace),
        "bless" => recorder::bless(&arguments, documents, &workspace),
        other => {
            eprintln!("PANTIN_SPEC={other}: it may be oracle, check or bless, or be absent");
            ExitCode::from(2)
        }
    };
    workspace.close();
    code
}

/// Returns true if a case is chosen that needs systemd.
fn needs_systemd(arguments: &Arguments, documents: &[Document]) -> bool {
    let is_chosen = |document: &Document, case: &ApplyCase| {
        let name = document.trial_name(case);
        arguments.filter.as_ref().is_none_or(|filter| name.contains(filter.as_str()))
    };
    documents.iter().any(|document| document.cases.iter().any(|case| case.boots && is_chosen(document, case)))
}

/// Marks the cases that lack something, so that they are shown as ignored.
fn mark(documents: &mut [Document], lacks: impl Fn(&ApplyCase) -> Option<String>) {
    for case in documents.iter_mut().flat_map(|document| &mut document.cases) {
        case.lacks = case.lacks.take().or_else(|| lacks(case));
    }
}

/// The folder of this test.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/apply")
}

/// Returns a trial for each case; without a workspace they are shown as ignored.
fn trials(documents: &[Document], workspace: Option<&Arc<Workspace>>) -> Vec<Trial> {
    let mut trials = Vec::new();
    for document in documents {
        if let Some(problem) = document.problem.clone() {
            let says = format!("{}: {problem}", document.name);
            trials.push(Trial::test(document.name.clone(), move || Err(says.into())));
        }
        for case in &document.cases {
            let case = case.clone();
            let name = document.trial_name(&case);
            trials.push(match workspace {
                Some(_) if case.lacks.is_some() => {
                    let needs = format!("needs {}", case.lacks.unwrap_or_default());
                    Trial::test(name, || Ok(())).with_ignored_flag(true).with_kind(needs)
                }
                // What the real Puppet does is not recorded yet: `PANTIN_SPEC=oracle PANTIN_SPEC_NEW=1`.
                Some(_) if !case.is_recorded() => {
                    Trial::test(name, || Ok(())).with_ignored_flag(true).with_kind("not recorded")
                }
                Some(workspace) => {
                    let workspace = Arc::clone(workspace);
                    Trial::test(name, move || {
                        runner::compare_with_pantin(&case, &workspace, Look::Usual).map_err(Into::into)
                    })
                }
                None => Trial::test(name, || Ok(())).with_ignored_flag(true),
            });
        }
    }
    trials.extend(root_option::trials(workspace));
    trials.extend(looks::trials(documents, workspace));
    trials.extend(book::trials(workspace));
    trials
}
