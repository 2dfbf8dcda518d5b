//! Gathers the trials, and chooses by `PANTIN_SPEC` what is done with the specs.

mod calls;
mod catalog;
mod coverage;
mod document;
mod edges;
mod evaluation;
mod example;
mod fuzz;
mod given;
mod graph;
mod issues;
mod json;
mod kept;
mod lookup;
mod oracle;
mod pantin_says;
mod pn;
mod rendering;
#[path = "../oracle/request.rs"]
mod request;
mod rewrite;
mod said;
mod seeds;
mod spec;
mod spec_self;
mod speed;
mod stdlib;
mod surroundings;
mod tidy;
mod version;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use document::Document;
use libtest_mimic::Arguments;

pub(crate) fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    // The trials look at them for as long as the process lives.
    let documents: &'static [Document] = document::read_all(&specs()).leak();
    match std::env::var("PANTIN_SPEC").as_deref() {
        Err(_) | Ok("") => {
            let mut trials = spec::trials(documents);
            trials.extend(kept::trials(documents));
            trials.extend(fuzz::trials());
            trials.extend(spec_self::trials());
            trials.extend(tidy::trials(&root()));
            trials.extend(graph::trials(&root()));
            trials.push(issues::trial(documents));
            trials.push(coverage::trial(documents));
            trials.push(coverage::trial_of_types(documents));
            trials.push(coverage::trial_of_programs(documents));
            trials.push(coverage::trial_of_stdlib(documents));
            trials.push(edges::trial(documents));
            trials.push(seeds::trial(documents, &specs().join("SEEDS.md")));
            libtest_mimic::run(&arguments, trials).exit_code()
        }
        Ok("check") => spec::check(&arguments, documents),
        Ok("bless") => {
            seeds::write(documents, &specs().join("SEEDS.md"));
            spec::bless(&arguments, documents)
        }
        Ok("oracle") => {
            seeds::write(documents, &specs().join("SEEDS.md"));
            spec::ask_oracle(&arguments, documents)
        }
        Ok("speed") => speed::run(&arguments, documents),
        Ok(other) => {
            eprintln!("PANTIN_SPEC={other}: it may be bless, oracle, check or speed, or be absent");
            ExitCode::from(2)
        }
    }
}

/// The folder of the documents: the repository's, or that of another working copy.
fn specs() -> PathBuf {
    std::env::var_os("PANTIN_SPEC_DIR").map_or_else(|| root().join("tests/spec"), PathBuf::from)
}

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}
