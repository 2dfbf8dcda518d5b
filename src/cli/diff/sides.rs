//! The options that one side of a comparison may have of its own.

use std::path::PathBuf;

use clap::Args;
use pantin_base::Language;
use pantin_repository::options::{FactSource, OpenError, Options};
use pantin_world::{Disk, MachineDisk, absolute_path};

use crate::args::candidates;
use crate::args::given_paths::{check_folders, check_present};
use crate::args::language::PuppetVersion;
use crate::args::node::operating_system;

#[derive(Debug, Args)]
#[command(next_help_heading = "What differs beside files")]
pub(super) struct SideArguments {
    /// Whose behaviour FROM follows
    #[arg(long, value_name = "VERSION")]
    from_puppet: Option<PuppetVersion>,

    /// Whose behaviour TO follows
    #[arg(long, value_name = "VERSION")]
    to_puppet: Option<PuppetVersion>,

    /// Facts of FROM
    #[arg(long, value_name = "FILE|DIR")]
    from_facts: Option<PathBuf>,

    /// Facts of TO
    #[arg(long, value_name = "FILE|DIR")]
    to_facts: Option<PathBuf>,

    /// Folders of modules of FROM, divided by colons
    #[arg(long, value_name = "DIR[:DIR]…")]
    from_modulepath: Option<String>,

    /// Folders of modules of TO, divided by colons
    #[arg(long, value_name = "DIR[:DIR]…")]
    to_modulepath: Option<String>,

    /// Made-up facts of FROM: a fresh machine with this operating system
    #[arg(long, value_name = "NAME", requires = "to_os", value_parser = operating_system, add = candidates::operating_systems())]
    from_os: Option<String>,

    /// Made-up facts of TO
    #[arg(long, value_name = "NAME", requires = "from_os", value_parser = operating_system, add = candidates::operating_systems())]
    to_os: Option<String>,
}

/// Where facts come from, and how old they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FactAge {
    pub(super) source: String,
    pub(super) files: usize,
    /// When the oldest and the newest file were written, in seconds since 1970; `None`: they are made up.
    pub(super) written: Option<(i64, i64)>,
}

/// A node of any name has these facts.
const UNNAMED: &str = "localhost";

impl SideArguments {
    /// Returns the options of both sides. `common`: what both have.
    pub(super) fn options(&self, common: &Options) -> Result<[Options; 2], OpenError> {
        let side = |which: &str,
                    puppet: Option<PuppetVersion>,
                    facts: &Option<PathBuf>,
                    modules: &Option<String>,
                    os: &Option<String>| {
            let mut options = common.clone();
            if let Some(version) = puppet {
                options.world.language = Some(Language::from(version));
            }
            if let Some(folders) = modules {
                check_folders(&format!("--{which}-modulepath"), folders)?;
                options.world.modulepath = Some(folders.clone());
            }
            if let Some(path) = facts {
                check_present(&format!("--{which}-facts"), path)?;
                options.nodes.facts = vec![FactSource::At(path.clone())];
            }
            if let Some(name) = os {
                options.nodes.facts = vec![FactSource::OperatingSystem(name.clone())];
            }
            Ok::<Options, OpenError>(options)
        };
        Ok([
            side("from", self.from_puppet, &self.from_facts, &self.from_modulepath, &self.from_os)?,
            side("to", self.to_puppet, &self.to_facts, &self.to_modulepath, &self.to_os)?,
        ])
    }

    /// Returns what each side has of its own beside files, in words.
    pub(super) fn own_options(&self) -> [Vec<String>; 2] {
        let side =
            |puppet: Option<PuppetVersion>, facts: &Option<PathBuf>, modules: &Option<String>, os: &Option<String>| {
                let puppet = puppet.map(Language::from).map(|it| format!("{} {}", it.product(), it.release()));
                let facts = facts.as_ref().map(|path| format!("facts {}", path.display()));
                let modules = modules.as_ref().map(|folders| format!("modules {folders}"));
                [puppet, facts, modules, os.clone()].into_iter().flatten().collect()
            };
        [
            side(self.from_puppet, &self.from_facts, &self.from_modulepath, &self.from_os),
            side(self.to_puppet, &self.to_facts, &self.to_modulepath, &self.to_os),
        ]
    }

    /// Two operating systems are the same node.
    pub(super) fn node_patterns(&self, given: &[String]) -> Vec<String> {
        match self.from_os.is_some() && given.is_empty() {
            true => vec![UNNAMED.to_owned()],
            false => given.to_vec(),
        }
    }

    /// Of each source of facts of either side.
    pub(super) fn fact_ages(options: [&Options; 2]) -> Vec<FactAge> {
        let disk = MachineDisk::default();
        let mut ages: Vec<FactAge> = Vec::new();
        for options in options {
            let options = options.configured(&disk).unwrap_or_else(|_| options.clone());
            let found = options.nodes.facts.iter().map(|source| FactAge::read(&disk, source));
            for age in found {
                if !ages.contains(&age) {
                    ages.push(age);
                }
            }
        }
        ages
    }
}

impl FactAge {
    fn read(disk: &dyn Disk, source: &FactSource) -> FactAge {
        let FactSource::At(path) = source else {
            return FactAge { source: source.to_string(), files: 0, written: None };
        };
        let path = absolute_path(path);
        let inside = disk.list(&path).ok().flatten();
        let files: Vec<PathBuf> = match inside {
            Some(entries) => {
                entries.into_iter().filter(|entry| !entry.is_folder).map(|entry| path.join(entry.name)).collect()
            }
            None => vec![path],
        };
        let written: Vec<i64> =
            files.iter().filter_map(|file| Some(disk.facts(file, true).ok().flatten()?.modified)).collect();
        let span = written.iter().min().copied().zip(written.iter().max().copied());
        FactAge { source: source.to_string(), files: files.len(), written: span }
    }
}
