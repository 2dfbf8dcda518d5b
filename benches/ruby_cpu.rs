//! CPU seconds of templates and functions of real modules in Ruby, and of reading all their types: the counterpart of
//! `tests/oracle/bench_ruby.rb`.
//!
//! `PANTIN_MODULES=FOLDER cargo bench --bench ruby_cpu` prints a line of JSON for each; `benches/ruby-against-oracle` sets them
//! beside the real Puppet's. `-- NAME` measures those alone whose name holds it.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a bench reads files and clocks"
)]
#![allow(unsafe_code, reason = "the clock of the system")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin::base::{Language, Strict};
use pantin::compile::catalog::{EnvironmentMemos, Site};
use pantin::eval;
use pantin::eval::builtins;
use pantin::values::format;
use pantin::world::MachineDisk;
use pantin::world::environment::Environment;
use pantin::world::load::Modules;

mod programs;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// CPU seconds that a round takes at least, and how many rounds there are.
const ROUND: f64 = 0.1;
const ROUNDS: usize = 5;

fn main() {
    let modules = PathBuf::from(std::env::var_os("PANTIN_MODULES").expect("PANTIN_MODULES names a folder of modules"));
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let programs = programs::all("benches/ruby", std::slice::from_ref(&modules));
    for program in programs.iter().filter(|program| program.name.contains(&wanted)) {
        let value = serde_json::to_string(format::literal(&program.run()).as_str()).expect("JSON");
        let seconds = seconds(|| drop(black_box(program.run())));
        println!(r#"{{"name":"{}","seconds":{seconds:e},"value":{value}}}"#, program.name);
    }
    if !"types".contains(&wanted) {
        return;
    }
    let names = type_names(&modules);
    let read = read_types(&modules, &names);
    let seconds = seconds(|| {
        black_box(read_types(&modules, &names));
    });
    println!(r#"{{"name":"types","seconds":{seconds:e},"value":"{read} types"}}"#);
}

/// CPU seconds of one run: the best of several rounds.
fn seconds(run: impl Fn()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let before = cpu_seconds();
        let mut runs = 0;
        let mut spent = 0.0;
        while spent < ROUND {
            run();
            runs += 1;
            spent = cpu_seconds() - before;
        }
        best = best.min(spent / f64::from(runs));
    }
    best
}

/// The types that the modules declare in Ruby.
fn type_names(modules: &Path) -> Vec<String> {
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let files = entries(modules).flat_map(|module| entries(&module.join("lib/puppet/type")).collect::<Vec<_>>());
    let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "rb"));
    let mut names: Vec<String> =
        files.map(|file| file.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    names.sort();
    names.dedup();
    names
}

/// Reads all of them, and keeps nothing of before; how many there are.
fn read_types(modules: &Path, names: &[String]) -> usize {
    let modulepath = [modules.to_owned()];
    let environment =
        Environment { name: "production".to_owned(), modulepath: modulepath.to_vec(), ..Environment::default() };
    let disk = Arc::new(MachineDisk::default());
    let (modules, _) = Modules::list(disk, &modulepath, None, Strict::Off, Language::Puppet8).expect("modules");
    let settings = eval::Settings::from_language(Language::Puppet7);
    let site = Site::load(&environment, modules, settings, false, builtins::all(), &EnvironmentMemos::default());
    names.iter().filter(|name| matches!(site.resource_type(name), Ok(Some(_)))).count()
}

/// CPU seconds of this thread.
fn cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes to the timespec alone.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "a clock of CPU time");
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
