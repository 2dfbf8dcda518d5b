//! Real modules: every public class and definition of Debian's packages, declared with its defaults and as the module's
//! own specs and documents show it, on six systems; by Pantin and by the real Puppet.
//!
//! The catalog must be the same text, or the error. What differs is grouped by its first difference.

mod answers;
mod ours;
mod report;
mod systems;

use std::path::{Path, PathBuf};
use std::time::Duration;

use pantin::base::Language;

use self::answers::Answers;
use self::report::Report;

/// What is asked for on the command line.
struct Options {
    language: Language,
    /// Names of modules; none: all of them.
    only: Vec<String>,
    /// The time in which the real Puppet is asked what is not known yet; modules that are left then are left out.
    budget: Duration,
    /// How many groups of differences are shown.
    shown: usize,
    /// The least share of equal answers, in percent.
    least: f64,
}

const USAGE: &str = "usage: compare modules [MODULE...] [--puppet 7|8] [--budget SECONDS] [--show N] [--least PERCENT]";

/// The outer error is one of usage; the inner one says that there is no oracle.
pub(super) fn run(arguments: &[String]) -> Result<Result<bool, String>, String> {
    let options = options(arguments)?;
    Ok(compared(&options))
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options {
        language: Language::Puppet7,
        only: Vec::new(),
        budget: Duration::from_secs(3600),
        shown: 20,
        least: 97.0,
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or(USAGE);
        match argument.as_str() {
            "--puppet" => options.language = Language::from_name(value()?).ok_or("--puppet: 7, 8 or openvox")?,
            "--budget" => options.budget = Duration::from_secs(value()?.parse().map_err(|_| USAGE)?),
            "--show" => options.shown = value()?.parse().map_err(|_| USAGE)?,
            "--least" => options.least = value()?.parse().map_err(|_| USAGE)?,
            name if !name.starts_with("--") => options.only.push(name.to_owned()),
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(options)
}

fn compared(options: &Options) -> Result<bool, String> {
    let folder = folder();
    let answers = Answers { folder: &folder, language: options.language };
    let modules = answers.prepare(&options.only)?;
    let known = answers.ask(&modules, options.budget)?;
    let mut report = Report::default();
    let (mut foretold, mut refused) = (0, 0);
    for module in &known {
        let cases = answers.cases(module)?;
        let (ours, told) = ours::of(&answers, module, &cases)?;
        (foretold, refused) = (foretold + told.0, refused + told.1);
        report.add(module, &cases, &answers.of(module)?, &ours);
    }
    for module in modules.iter().filter(|module| !known.contains(module)) {
        println!("left out, the time was over: {module}");
    }
    report.print(options.shown, &folder);
    println!("places of Ruby code that were refused: {refused}, of which `pantin compat` tells {foretold}");
    Ok(report.agrees(options.least) && foretold == refused)
}

/// Where everything of this is kept from run to run.
fn folder() -> PathBuf {
    let oracle = std::env::var_os("PANTIN_ORACLE_DIR").map(PathBuf::from);
    oracle.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target/oracle")).join("modules-run")
}
