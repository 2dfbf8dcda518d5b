//! What holds for the sources themselves: layers, dependencies, headers, sizes, nothing forgotten, nothing private.
//!
//! A check takes sources and returns complaints, each with file, line and advice, so that the
//! trials can run it on the repository and on samples that are wrong.

mod dependencies;
mod files;
mod forgotten;
mod hashers;
mod imports;
mod layers;
mod samples;
mod sizes;
mod tokens;
mod words;

use std::path::Path;

use libtest_mimic::{Failed, Trial};

pub(super) use files::File;

type Check = fn(&[File]) -> Vec<String>;

const CHECKS: [(&str, Check); 9] = [
    ("layers: a crate depends on what its row allows", layers::complaints),
    ("dependencies: a source names each", dependencies::complaints),
    ("headers: a source says what it is", sizes::headers),
    ("sizes: files and functions are small", sizes::complaints),
    ("forgotten: every module is compiled", forgotten::modules),
    ("forgotten: every spec is run", forgotten::specs),
    ("hashers: what is stored has no name of 64 bits", hashers::complaints),
    ("words: no digest and no key of what Debug prints", words::debug_in_keys),
    ("words: nothing unfinished, nothing of one machine", words::complaints),
];

pub(super) fn trials(root: &Path) -> Vec<Trial> {
    let files = files::read(root);
    let of_repository = CHECKS.map(|(name, check)| {
        let complaints = check(&files);
        trial(format!("tidy: {name}"), complaints)
    });
    of_repository.into_iter().chain(samples::trials()).collect()
}

fn trial(name: String, complaints: Vec<String>) -> Trial {
    Trial::test(name, move || if complaints.is_empty() { Ok(()) } else { Err(Failed::from(complaints.join("\n"))) })
}
