//! Gathers the trials, and chooses by `PANTIN_SPEC` what is done with the specs.

mod document;
mod example;
mod fuzz;
mod issues;
mod oracle;
mod pantin_says;
mod pn;
mod rewrite;
mod said;
mod spec;
mod spec_self;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::Arguments;

pub(crate) fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let documents = document::read_all(&root().join("tests/spec"));
    match std::env::var("PANTIN_SPEC").as_deref() {
        Err(_) | Ok("") => {
            let mut trials = spec::trials(&documents);
            trials.extend(fuzz::trials());
            trials.extend(spec_self::trials());
            trials.extend(tidy::trials(&root()));
            trials.push(issues::trial(&documents));
            libtest_mimic::run(&arguments, trials).exit_code()
        }
        Ok("check") => spec::check(&arguments, documents),
        Ok("bless") => spec::bless(&arguments, documents),
        Ok("oracle") => spec::ask_oracle(&arguments, documents),
        Ok(other) => {
            eprintln!("PANTIN_SPEC={other}: it may be bless, oracle or check, or be absent");
            ExitCode::from(2)
        }
    }
}

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}
