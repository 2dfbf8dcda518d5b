//! Examples of the book that change a machine: each page has one that is made for it, with a repository in `/case/repository`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::Trial;

use crate::apply_case::{Applier, ApplyCase};
use crate::book_examples::{Example, ExamplePlace, examples, fits};
use crate::machine::Machine;
use crate::workspace::Workspace;

/// The repository of the examples: a module of others, what it is told, and a service that only notes that it was restarted.
const REPOSITORY: [(&str, &str); 4] = [
    ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
    ("environment.conf", "modulepath = modules:/opt/modules\n"),
    (
        "manifests/site.pp",
        "include ntp\n\nexec { 'restart ntp':\n  command     => '/bin/true',\n  refreshonly => true,\n  \
         subscribe   => Class['ntp'],\n}\n\nfile { '/etc/motd':\n  content => \"Ask before you change this machine.\\n\",\n}\n",
    ),
    (
        "data/common.yaml",
        "ntp::servers: [0.pool.ntp.org, 1.pool.ntp.org]\nntp::package_manage: false\nntp::service_manage: false\n",
    ),
];

/// Returns a trial for each page that has such examples.
pub(crate) fn trials(workspace: Option<&Arc<Workspace>>) -> Vec<Trial> {
    pages().into_iter().filter_map(|page| trial(&page, workspace)).collect()
}

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let mut pages: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.sort();
    pages
}

fn trial(page: &Path, workspace: Option<&Arc<Workspace>>) -> Option<Trial> {
    let mut examples = examples(page);
    examples.retain(|example| example.at == ExamplePlace::Machine);
    let name = format!("book: {}", page.file_name()?.to_string_lossy());
    if examples.is_empty() {
        return None;
    }
    let case = case();
    let Some(workspace) = workspace.cloned() else {
        return Some(Trial::test(name, || Ok(())).with_ignored_flag(true));
    };
    if let Some(module) = workspace.missing_module(&case) {
        let needs = format!("needs the module {module}");
        return Some(Trial::test(name, || Ok(())).with_ignored_flag(true).with_kind(needs));
    }
    Some(Trial::test(name, move || run(&case, &examples, &workspace).map_err(Into::into)))
}

fn case() -> ApplyCase {
    let file = |(path, text): (&str, &str)| (format!("repository/{path}"), text.to_owned());
    ApplyCase {
        files: REPOSITORY.into_iter().map(file).collect(),
        modules: vec!["ntp".to_owned(), "stdlib".to_owned()],
        ..ApplyCase::default()
    }
}

/// Runs the examples of a page one after the other. The error shows what they say instead.
fn run(case: &ApplyCase, examples: &[Example], workspace: &Workspace) -> Result<(), String> {
    let mut machine = Machine::start(workspace, case, Applier::Pantin { words_of_7: false })?;
    let mut wrong = Vec::new();
    for example in examples {
        machine.write("/case/example.sh", &format!("cd /case/repository\n{}\n", example.command))?;
        machine.run("/bin/sh /case/example.sh >/case/said/out 2>&1")?;
        let said = String::from_utf8_lossy(&machine.read("/case/said/out")).into_owned();
        if !fits(&example.expected, &said.lines().collect::<Vec<_>>()) {
            wrong.push(format!("{}: $ {}\n{said}", example.place, example.command));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
