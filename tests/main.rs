//! The one test binary: literate specs and the checks on the sources themselves, each a trial of its own.
//!
//! `tests/spec/README.md` explains the specs.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]
#![allow(clippy::disallowed_methods, reason = "tests read files and run the oracle")]

/// As in the program: what is measured here is to be what it does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod harness;

fn main() -> std::process::ExitCode {
    harness::main()
}
