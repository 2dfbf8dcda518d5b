//! What is used again after an edit is what would be worked out anew: kinds of edit, each by its name, edits at random,
//! and mutants that these must notice.
//!
//!     cargo test --test reuse [FILTER]
//!     cargo test --release --test reuse -- edits [--seed N] [--steps N] [--life N] [--fleet FOLDER --facts FOLDER --modules FOLDER]
//!     cargo test --test reuse -- revisions [--seed N] [--commits N] [--life N]
//!     cargo test --release --test reuse -- replay --repository FOLDER --facts FOLDER [--commits N] [-- OPTION…]
//!     cargo test --test reuse -- mutants [NAME,... | --sample COUNT --seed SEED]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]
#![allow(clippy::disallowed_methods, reason = "it sets up files")]

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod edits;
mod exchange;
mod exchange_patched;
mod inputs;
mod kept;
mod kinds;
mod mutants;
mod patched;
#[path = "../random/mod.rs"]
mod random;
mod revisions;
mod state;
mod ways;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((first, options)) if first == "edits" => edits::run(options),
        Some((first, options)) if first == "revisions" => revisions::run_tool(options),
        Some((first, options)) if first == "replay" => revisions::replay::run_tool(options),
        Some((first, options)) if first == "mutants" => mutants::run(options),
        _ => {
            let mut trials = kinds::trials();
            trials.extend(patched::trials());
            trials.extend(inputs::trials());
            trials.push(edits::trial());
            trials.extend(revisions::trials());
            trials.push(exchange::trial());
            trials.extend(exchange_patched::trials());
            trials.extend(kept::trials());
            trials.push(mutants::trial());
            trials.push(mutants::unrecorded::trial());
            libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
        }
    }
}
