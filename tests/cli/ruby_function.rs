//! A repository with one function in Ruby whose code a test chooses.

use serde_json::Value;

use crate::{Folder, Run};

/// A repository whose function `m::run` is this code.
pub(crate) fn repository(code: &str) -> Folder {
    let function = format!("Puppet::Functions.create_function(:'m::run') do\n  def run\n    {code}\n  end\nend\n");
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "notify { 'x': message => m::run() }\n"),
        ("modules/m/lib/puppet/functions/m/run.rb", &function),
    ])
}

/// Compiles the node `a` of the repository, with these options.
pub(crate) fn compile(folder: &Folder, more: &[&str]) -> Run {
    folder.run(&[&["compile", "a", "--log-level", "err"], more].concat())
}

/// Returns what the function gave: the message of the last resource.
pub(crate) fn message(run: &Run) -> Value {
    let catalog: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    catalog["resources"].as_array().unwrap().last().unwrap()["parameters"]["message"].clone()
}
