//! The options for Ruby code of modules: what it may read, and what runs functions that want more than the small Ruby has.

use std::path::PathBuf;

use clap::Args;
use pantin_repository::options::{OpenError, RubyOptions};
use pantin_world::absolute_path;

use super::given_paths::check_program;

#[derive(Debug, Args)]
#[command(next_help_heading = "Ruby")]
pub(crate) struct OwnRubyArguments {
    /// A Ruby of your own, for functions of modules that need more of it than is built in, such as a gem. Puppet need
    /// not be there. These functions run in no sandbox: they can do all that you can. What they give is not kept from
    /// one run to the next, but for those that the setting deterministic_functions names (`--set
    /// deterministic_functions=a::b,c`)
    #[arg(long, value_name = "PATH")]
    ruby: Option<String>,

    /// A file, or a folder with all that is in it, that Ruby code of modules may read, whether it is there or not; may be
    /// given several times, and adds to the setting ruby_reads. It always may read the environment, modules, and the folders of Puppet's settings
    /// (confdir, codedir, vardir); anything else is an error
    #[arg(long, value_name = "PATH")]
    ruby_reads: Vec<PathBuf>,
}

impl OwnRubyArguments {
    /// Whether what was typed is there. What code may read need not be: code also asks whether a file is there.
    pub(crate) fn check(&self) -> Result<(), OpenError> {
        self.ruby.iter().try_for_each(|ruby| check_program("--ruby", ruby))
    }

    pub(crate) fn options(&self) -> RubyOptions {
        RubyOptions { program: self.ruby.clone(), reads: self.reads() }
    }

    /// Returns what may be read, as the command line has it.
    pub(crate) fn reads(&self) -> Vec<PathBuf> {
        self.ruby_reads.iter().map(|path| absolute_path(path)).collect()
    }
}
