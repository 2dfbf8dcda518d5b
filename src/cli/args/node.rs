//! The options that say what is known of nodes: facts, a node's file, an ENC.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use pantin_repository::query::Prepared;
use pantin_values::{Digest, Digester, Hash, Str};
use pantin_world::enc::{Classified, Enc};
use pantin_world::facts::{Facts, Known, os_names};
use pantin_world::settings::from_folder;
use pantin_world::{Disk, MachineDisk, NodeData, NodeFile, Server, absolute_path, absolute_text};

use super::own_ruby::OwnRubyArguments;
use super::world::{ManifestArguments, Refused, World, WorldArguments};

/// How many nodes an ENC is asked about at once.
const ENC_AT_ONCE: usize = 8;

/// Where facts may come from by the name of it.
const PUPPETDB_EXPORT: &str = "puppetdb-export";

/// What a node without a name is called.
const UNNAMED: &str = "localhost";

#[derive(Debug, Args)]
#[command(next_help_heading = "Nodes")]
pub(crate) struct NodeArguments {
    /// Facts: a JSON or YAML file, a folder with a file for each node, or an export of PuppetDB
    #[arg(long, value_name = "FILE|DIR")]
    facts: Option<PathBuf>,

    /// Facts as another tool has them. KIND is puppetdb-export: PuppetDB's answer to a query for facts, or for its
    /// inventory
    #[arg(long, num_args = 2, value_names = ["KIND", "FILE"], conflicts_with_all = ["facts", "os", "node_file"])]
    facts_from: Option<Vec<String>>,

    /// Made-up facts of a fresh machine with this operating system, such as debian-12
    #[arg(long, value_name = "NAME", conflicts_with_all = ["facts", "node_file"], value_parser = operating_system)]
    os: Option<&'static str>,

    /// All about one node: an object with name, facts, trusted, server_facts, classes, parameters, environment and
    /// settings
    #[arg(long, value_name = "FILE", conflicts_with_all = ["facts", "enc"])]
    node_file: Option<PathBuf>,

    /// A command that classifies nodes, called with the node's name
    #[arg(long, value_name = "CMD")]
    enc: Option<String>,

    /// Keep the answers of the ENC in this folder, and do not ask again for those that are there
    #[arg(long, value_name = "DIR")]
    enc_answers: Option<PathBuf>,

    /// Ask the ENC again, and keep what it says now
    #[arg(long, requires = "enc_answers")]
    refresh_enc: bool,
}

/// The options that say which repository, what is evaluated of it first, and what is known of its nodes.
#[derive(Debug, Args)]
pub(crate) struct RepositoryArguments {
    #[command(flatten)]
    first: ManifestArguments,

    #[command(flatten)]
    node: NodeArguments,

    #[command(flatten)]
    own_ruby: OwnRubyArguments,

    #[command(flatten)]
    world: WorldArguments,
}

impl RepositoryArguments {
    /// Settings and sources, read from this disk; which nodes have facts, from another view of it.
    pub(crate) fn open_on(&self, disk: Arc<dyn Disk>, of_facts: &dyn Disk) -> Result<(World, Sources), Refused> {
        let mut world = self.world.world_on(disk, &self.first)?;
        let sources = self.node.sources(&mut world, of_facts)?;
        world.own_ruby = self.own_ruby.as_set(&mut world.settings)?;
        Ok((world, sources))
    }

    /// Whether what was typed is there. It is asked once: what goes later is for whoever follows edits.
    pub(crate) fn check(&self) -> Result<(), Refused> {
        self.world.check()?;
        self.first.check()?;
        self.own_ruby.check()
    }

    /// The same, read from the machine's disk.
    pub(crate) fn open(&self) -> Result<(World, Sources), Refused> {
        self.check()?;
        let disk: Arc<dyn Disk> = Arc::new(MachineDisk::default());
        self.open_on(Arc::clone(&disk), &*disk)
    }
}

fn operating_system(name: &str) -> Result<&'static str, String> {
    os_names().find(|known| *known == name).ok_or_else(|| {
        let known: Vec<&str> = os_names().collect();
        format!("there are {}", known.join(", "))
    })
}

/// Where what is known of nodes comes from.
pub(crate) struct Sources {
    facts: Option<Facts>,
    file: Option<NodeFile>,
    enc: Option<Enc>,
    server: Server,
}

impl NodeArguments {
    /// The sources; settings of a node's file become those of the world.
    pub(crate) fn sources(&self, world: &mut World, of_facts: &dyn Disk) -> Result<Sources, Refused> {
        let disk = Arc::clone(&world.disk);
        let file = self.node_file.as_deref().map(|file| NodeFile::read(&*disk, &absolute_path(file))).transpose()?;
        for (name, value) in file.iter().flat_map(|file| &file.settings) {
            world.settings.set(name, value)?;
        }
        world.environment = world.settings.text("environment")?;
        let language = world.settings.language();
        let given = match self.facts_from.as_deref() {
            Some([kind, file]) if kind == PUPPETDB_EXPORT => Some(PathBuf::from(file)),
            Some([kind, ..]) => {
                return Err(Refused::Usage(format!("facts are taken from {PUPPETDB_EXPORT}, not from '{kind}'")));
            }
            _ => self.facts.clone(),
        };
        let facts = match (given, self.os) {
            (Some(path), _) => Some(Facts::read(of_facts, &absolute_path(&path))?),
            (None, Some(os)) => Some(Facts::of_os(os, language, world.settings.flag("include_legacy_facts")?)?),
            (None, None) => None,
        };
        let mut enc = match (&self.enc, world.settings.text("node_terminus")?.as_str()) {
            (Some(command), _) => Some(Enc::new(&absolute_command(command))?),
            (None, "exec") => Some(Enc::new(&world.settings.text("external_nodes")?)?),
            _ => None,
        };
        if let Some(enc) = &mut enc {
            enc.answers = self.enc_answers.as_deref().map(absolute_path);
            enc.refresh = self.refresh_enc;
        }
        world.has_classifier = enc.is_some() || file.as_ref().is_some_and(NodeFile::has_classes);
        let mut server = Server::new(language);
        if world.settings.is_set("certname") {
            server.name = world.settings.text("certname")?;
        }
        Ok(Sources { facts, file, enc, server })
    }
}

/// What a certificate may be called, and a file that is called after it.
pub(crate) fn is_certname(name: &str) -> bool {
    let is_printable = name.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'/');
    is_printable && !name.is_empty() && !name.contains("..")
}

/// A command may be named from the current folder.
fn absolute_command(command: &str) -> String {
    let (program, rest) = command.split_once(' ').unwrap_or((command, ""));
    if !program.contains('/') {
        return command.to_owned();
    }
    format!("{} {rest}", absolute_text(program.as_ref())).trim_end().to_owned()
}

impl Sources {
    /// The nodes that are meant where none are named.
    pub(crate) fn names(&self, given: &[String]) -> Vec<Str> {
        if !given.is_empty() {
            return given.iter().map(Str::from).collect();
        }
        let known = match (&self.file, &self.facts) {
            (Some(file), _) => vec![Str::from(&file.name)],
            (None, Some(facts)) => facts.names(),
            (None, None) => Vec::new(),
        };
        if known.is_empty() { vec![UNNAMED.into()] } else { known }
    }

    /// Whether nothing says what the facts of any node are.
    pub(crate) fn have_no_facts(&self) -> bool {
        self.facts.is_none() && self.file.is_none()
    }

    /// What decides what is known of a node, beside a file of its own facts and what the ENC says.
    pub(crate) fn origin(&self, node: &str, folder: &str) -> Digest {
        let of_facts = self.facts.as_ref().map(|facts| facts.origin(node, Path::new(folder)));
        of_facts.unwrap_or_else(|| Digest::of_text("no facts"))
    }

    /// What names all that is known of the sources, but for the nodes in them.
    pub(crate) fn shape(&self, folder: &str) -> Digest {
        let Sources { file, enc, server, .. } = self;
        let mut digester = Digester::new(b"sources");
        digester
            .digest(file.as_ref().map_or(Digest::atom(0), NodeFile::digest))
            .text(&from_folder(&format!("{enc:?} {server:?}"), folder));
        digester.finish()
    }

    /// What the ENC says of each; nothing where there is none.
    pub(crate) fn classified(&self, disk: &dyn Disk, names: &[Str]) -> Vec<Result<Classified, String>> {
        let Some(enc) = &self.enc else { return names.iter().map(|_| Ok(Classified::default())).collect() };
        let answers = enc.classify_all(disk, names, ENC_AT_ONCE);
        let found = |(name, answer): (&Str, Result<Option<Classified>, String>)| match answer {
            Ok(Some(classified)) => Ok(classified),
            Ok(None) => Err(format!("Could not find node '{name}'; cannot compile")),
            Err(reason) => Err(format!("Failed when searching for node {name}: {reason}")),
        };
        names.iter().zip(answers).map(found).collect()
    }

    /// The nodes, each with its environment, in the order of the names.
    pub(crate) fn prepare(&self, world: &World, names: &[Str]) -> Vec<Result<Prepared, String>> {
        self.prepare_on(&*world.disk, world, names)
    }

    /// The same, with what is known of the nodes read from this disk.
    pub(crate) fn prepare_on(&self, disk: &dyn Disk, world: &World, names: &[Str]) -> Vec<Result<Prepared, String>> {
        let classified = self.classified(disk, names);
        names.iter().zip(classified).map(|(name, classified)| self.one(disk, world, name, classified?)).collect()
    }

    /// One node, with what the ENC said of it.
    pub(crate) fn one(
        &self,
        disk: &dyn Disk,
        world: &World,
        name: &str,
        classified: Classified,
    ) -> Result<Prepared, String> {
        if !is_certname(name) {
            return Err(format!(
                "'{name}' is no name of a node: it consists of printable ASCII letters without / and .."
            ));
        }
        let known = self.known(disk, name)?;
        let of_file = self.file.as_ref().and_then(|file| file.environment.clone());
        let recorded = known.environment.clone().filter(|name| world.knows(name));
        let wanted = classified.environment.or(of_file).or(recorded).unwrap_or_else(|| world.environment.clone());
        let loaded = world.environment(&wanted)?;
        let environment = Arc::clone(&loaded.environment);
        let mut node = match &self.file {
            Some(file) => file.node(&self.server, &wanted)?,
            None => NodeData::of(name, known, &self.server, &wanted),
        };
        if self.file.is_none() {
            node.classes = classified.classes;
            node.parameters = classified.parameters;
        }
        Ok(Prepared { node: Arc::new(node), environment, remarks: loaded.remarks.clone() })
    }

    /// Whether the facts of a node stand in a file of its own.
    pub(crate) fn reads_facts_again(&self, name: &str) -> bool {
        self.file.is_none() && self.facts.as_ref().is_some_and(|facts| facts.has_own_file(name))
    }

    /// What it has as facts, without the rest that is known of it.
    pub(crate) fn facts_again(&self, disk: &dyn Disk, name: &str) -> Result<Hash, String> {
        Ok(NodeData::facts_of(self.known(disk, name)?.facts, name, &self.server))
    }

    fn known(&self, disk: &dyn Disk, name: &str) -> Result<Known, String> {
        let Some(facts) = &self.facts else { return Ok(Known::default()) };
        facts.of(disk, name)?.ok_or_else(|| format!("there are no facts of node {name}"))
    }
}
