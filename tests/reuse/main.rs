//! What is used again is what would be worked out anew: kinds of edit, each by its name.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]
#![allow(clippy::disallowed_methods, reason = "it sets up files")]

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod kinds;
mod state;
mod ways;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    libtest_mimic::run(&Arguments::from_args(), kinds::trials()).exit_code()
}
