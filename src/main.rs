//! The binary: hands over to the command line, which knows all the rest.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    pantin::cli::run()
}
