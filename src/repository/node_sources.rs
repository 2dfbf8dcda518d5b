//! The sources of nodes: facts, node files, an external node classifier.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::{Language, limits};
use pantin_compile::{ChoiceRequest, NoChoice, SettingFolders};
use pantin_model::trace::Level;
use pantin_values::{Digest, Digester, Hash, Str, Timestamp, Value};
use pantin_world::enc::{Classified, Enc};
use pantin_world::facts::{FactChange, FactSource, FactSources, Facts, NodeFacts};
use pantin_world::{Disk, ModuleCheckout, NodeData, NodeFile, Remark, Server, absolute_path, absolute_text};

use crate::class_nodes::ClassNodes;
use crate::node_selection::{KnownNodes, NoneMatch};
use crate::options::{NodeOptions, OpenError};
use crate::query::Prepared;
use crate::world::{ChosenEnvironment, World};

/// How many nodes an ENC is asked about at once.
const ENC_AT_ONCE: usize = 8;

/// What a node without a name is called.
const UNNAMED: &str = "localhost";

/// Where what is known of nodes comes from.
pub struct NodeSources {
    facts: FactSources,
    file: Option<NodeFile>,
    enc: Option<Enc>,
    server: Server,
    /// Trusted facts that are set by hand.
    trusted_changes: Vec<FactChange>,
    /// Classes in place of nodes, if they are what is compiled.
    classes: Option<ClassNodes>,
    /// What is said where all systems of a module are meant, and some cannot be had.
    left_out_systems: Option<Remark>,
    /// The environment that agents ask for, if that was typed.
    agent_environment: Option<String>,
}

impl NodeSources {
    /// Returns the sources; settings of a node's file become those of the world. `facts_disk`: a view of the disk of
    /// its own, for which nodes have facts is no matter of what the world says.
    pub fn open(world: &mut World, facts_disk: &dyn Disk, options: &NodeOptions) -> Result<NodeSources, OpenError> {
        let disk = Arc::clone(&world.disk);
        let file = options.node_file.as_deref().map(|file| NodeFile::read(&*disk, &absolute_path(file))).transpose()?;
        for (name, value) in file.iter().flat_map(|file| &file.settings) {
            world.settings.set(name, value)?;
        }
        world.environment = world.settings.text("environment")?;
        let language = world.settings.language();
        let with_legacy = || world.settings.flag("include_legacy_facts");
        let read = |source: &FactSource| read_facts(facts_disk, source, language, with_legacy);
        // A module is for the systems that its metadata names.
        let module = world.module().filter(|_| options.facts.is_empty() && options.node_file.is_none()).cloned();
        let systems = module.iter().flat_map(|module| &module.systems);
        let left_out_systems = module.as_ref().and_then(ModuleCheckout::left_out);
        let systems: Vec<FactSource> = systems.map(|name| FactSource::OperatingSystem((*name).to_owned())).collect();
        let facts = options.facts.iter().chain(&systems).map(|source| Ok((source.clone(), read(source)?)));
        let facts = FactSources::new(facts.collect::<Result<_, String>>()?, options.fact_changes.clone())
            .map_err(OpenError::Usage)?;
        let mut enc = match (&options.enc.command, world.settings.text("node_terminus")?.as_str()) {
            (Some(command), _) => Some(Enc::new(&absolute_command(command))?),
            (None, "exec") => Some(Enc::new(&world.settings.text("external_nodes")?)?),
            _ => None,
        };
        if let Some(enc) = &mut enc {
            enc.answers = options.enc.answers.as_deref().map(absolute_path);
            enc.refresh = options.enc.refresh;
        }
        let classes = class_nodes(world, &facts, &options.classes)?;
        world.has_classifier = classes.is_some() || enc.is_some() || file.as_ref().is_some_and(NodeFile::has_classes);
        let mut server = Server::new(language);
        if world.settings.is_set("certname") {
            server.name = world.settings.text("certname")?;
        }
        let trusted_changes = options.trusted_changes.clone();
        let agent_environment = options.agent_environment.clone();
        Ok(NodeSources { facts, file, enc, server, trusted_changes, classes, left_out_systems, agent_environment })
    }

    /// Returns the node whose facts a node has: itself, but for a class that is compiled by itself.
    fn facts_name<'n>(&'n self, node: &'n str) -> &'n str {
        self.classes.as_ref().and_then(|classes| classes.facts_of(node)).map_or(node, Str::as_str)
    }

    /// Returns the nodes that facts or a file are of.
    fn known_nodes(&self) -> KnownNodes {
        if let Some(file) = &self.file {
            return KnownNodes { names: vec![Str::from(&file.name)], is_open: false };
        }
        if let Some(classes) = &self.classes {
            return KnownNodes { names: classes.names(), is_open: false };
        }
        let (mut names, is_open) = (self.facts.names(), self.facts.serves_any_node());
        if names.is_empty() {
            names.push(UNNAMED.into());
        }
        KnownNodes { names, is_open }
    }

    /// Returns the nodes that fit these names and patterns; all that anything is known of, where there are none of
    /// these.
    pub fn select(&self, patterns: &[String]) -> Result<Vec<Str>, NoneMatch> {
        self.known_nodes().select(patterns)
    }

    /// The same for a command that is about the nodes of a repository. `Err` also where nobody has named a node or said where facts
    /// are: the command would be about a node that nobody has.
    pub fn select_named(&self, world: &World, patterns: &[String]) -> Result<Vec<Str>, OpenError> {
        if patterns.is_empty() && self.have_no_facts() {
            world.check_unnamed_node()?;
        }
        Ok(self.select(patterns)?)
    }

    /// The same after an edit, which may have taken away what was known of a node.
    pub fn select_leniently(&self, patterns: &[String]) -> Vec<Str> {
        self.known_nodes().select_leniently(patterns)
    }

    /// Returns the file in which the facts of a node stand among those of others.
    pub fn shared_facts_file(&self, node: &str) -> Option<PathBuf> {
        self.facts.shared_file(self.facts_name(node)).filter(|_| self.file.is_none()).map(absolute_path)
    }

    /// Returns the folders that have a file of facts for each node.
    pub fn facts_folders(&self) -> Vec<PathBuf> {
        self.facts.folders().map(absolute_path).collect()
    }

    /// Returns the external classifier, if there is one.
    pub fn classifier(&self) -> Option<&Enc> {
        self.enc.as_ref()
    }

    /// Returns true if nothing says what the facts of any node are.
    pub fn have_no_facts(&self) -> bool {
        self.facts.is_empty() && self.file.is_none()
    }

    /// Returns what is said once of the nodes of a run. `is_named`: somebody has typed their names.
    pub fn remarks(&self, disk: &dyn Disk, names: &[Str], is_named: bool) -> Vec<Remark> {
        let Some(first) = names.first() else { return Vec::new() };
        let mut remarks: Vec<Remark> = match (is_named, names.len()) {
            (true, _) => self.lack_of_facts(names).into_iter().collect(),
            (false, 1) => Vec::new(),
            (false, _) => self.left_out_systems.iter().cloned().collect(),
        };
        for (name, near) in self.facts.misspelt_changes(disk, self.facts_name(first)) {
            remarks.push(Remark::warning(format!("--fact {name}: {first} has no such fact; did you mean {near}?")));
        }
        remarks
    }

    /// Returns what is said where nothing is known of nodes but their names.
    pub fn lack_of_facts(&self, names: &[Str]) -> Option<Remark> {
        let lacks_facts = self.have_no_facts() && !self.facts.has_changes();
        let of = match names {
            [] => return None,
            [one] => one.to_string(),
            [first, ..] => format!("{} nodes, such as {first}", names.len()),
        };
        lacks_facts.then(|| {
            Remark::warning(format!(
                "there are no facts of {of}: --facts says where those of nodes are, --os makes some up"
            ))
        })
    }

    /// Returns the digest of all that facts say of a node, where no file of its own says it.
    pub fn known_digest(&self, node: &str) -> Option<Digest> {
        self.facts.known_digest(self.facts_name(node))
    }

    /// Where what is known of a node comes from, beside the ENC. What stands there is no part of it.
    pub fn origin(&self, node: &str, folder: &str) -> Digest {
        self.facts.origin(self.facts_name(node), Path::new(folder))
    }

    /// Returns what names all that is known of the sources, but for the nodes in them.
    pub fn shape(&self, folder: &str) -> Digest {
        let NodeSources { file, enc, server, trusted_changes, classes, .. } = self;
        let mut digester = Digester::new(b"sources");
        digester.digest(file.as_ref().map_or(Digest::atom(0), NodeFile::digest));
        digester.digest(enc.as_ref().map_or(Digest::atom(0), |enc| enc.shape(folder)));
        digester.text(&server.name).text(&server.address).number(server.language as u64);
        digester.digest(classes.as_ref().map_or(Digest::atom(0), ClassNodes::digest));
        for change in trusted_changes {
            digester.text(&change.text());
        }
        if let Some(name) = &self.agent_environment {
            digester.text("agent environment").text(name);
        }
        digester.finish()
    }

    /// Returns what the ENC says of each; nothing where there is none.
    pub fn classify(&self, disk: &dyn Disk, names: &[Str]) -> Vec<Result<Classified, String>> {
        if let Some(classes) = &self.classes {
            let of_node = |name: &Str| classes.classified(name).ok_or_else(|| format!("there is no node {name}"));
            return names.iter().map(of_node).collect();
        }
        let Some(enc) = &self.enc else { return names.iter().map(|_| Ok(Classified::default())).collect() };
        let answers = enc.classify_all(disk, names, ENC_AT_ONCE);
        let found = |(name, answer): (&Str, Result<Option<Classified>, String>)| match answer {
            Ok(Some(classified)) => Ok(classified),
            Ok(None) => Err(format!("Could not find node '{name}'; cannot compile")),
            Err(reason) => Err(format!("Failed when searching for node {name}: {reason}")),
        };
        names.iter().zip(answers).map(found).collect()
    }

    /// A node with its environment, with what is known of it read from this disk.
    pub fn prepare(&self, disk: &dyn Disk, world: &World, name: &str) -> Result<Prepared, String> {
        let name = Str::from(name);
        let classified = self.classify(disk, std::slice::from_ref(&name)).pop();
        self.one(disk, world, &name, classified.ok_or_else(|| format!("there is no node {name}"))??)
    }

    /// One node, with what the ENC said of it.
    pub fn one(&self, disk: &dyn Disk, world: &World, name: &str, classified: Classified) -> Result<Prepared, String> {
        if !is_certname(name) {
            return Err(format!(
                "'{name}' is no name of a node: it consists of printable ASCII letters without / and .."
            ));
        }
        let known = self.known(disk, name)?;
        let in_file = self.file.as_ref().and_then(|file| file.environment.clone());
        let recorded = known.environment.clone().filter(|name| world.knows(name));
        let from_file = self.choice(disk, world, name, (&known, &classified), in_file.as_deref())?;
        let (wanted, loaded, log) = match from_file {
            Some((loaded, log)) => (loaded.environment.name.clone(), loaded, log),
            None => {
                let wanted = classified.environment.clone().or(in_file).or(recorded);
                let wanted = wanted.unwrap_or_else(|| world.environment.clone());
                let loaded = world.environment(&wanted)?;
                (wanted, loaded, Vec::new())
            }
        };
        let environment = Arc::clone(&loaded.environment);
        let mut node = match &self.file {
            Some(file) => file.node(&self.server, &wanted)?,
            None => NodeData::new(name, known, &self.server, &wanted),
        };
        if self.file.is_none() {
            node.classes = classified.classes;
            node.parameters = classified.parameters;
        }
        let node = self.with_trusted_changes(node)?;
        Ok(Prepared { node: Arc::new(node), environment, remarks: loaded.remarks.clone(), log })
    }

    /// Puts what the person says of trusted facts in the place of what is known.
    fn with_trusted_changes(&self, mut node: NodeData) -> Result<NodeData, String> {
        for change in &self.trusted_changes {
            node.trusted =
                change.apply(&node.trusted).map_err(|error| format!("--trusted {}: {error}", change.text()))?;
        }
        Ok(node)
    }

    /// Returns the environment that `environments.pp` chooses, with what it logged; `None`: there is no such file.
    fn choice(
        &self,
        disk: &dyn Disk,
        world: &World,
        name: &str,
        (known, classified): (&NodeFacts, &Classified),
        in_file: Option<&str>,
    ) -> Result<Option<ChosenEnvironment>, String> {
        if !world.has_environments_file(disk) {
            return Ok(None);
        }
        let mut node = match &self.file {
            Some(file) => file.node(&self.server, "")?,
            None => NodeData::new(name, known.clone(), &self.server, ""),
        };
        if self.file.is_none() {
            node.classes = classified.classes.clone();
            node.parameters = classified.parameters.clone();
        }
        let node = self.with_trusted_changes(node)?;
        let in_facts = || node.facts.get_str("agent_specified_environment").and_then(Value::as_str).map(str::to_owned);
        let request = ChoiceRequest {
            agent_environment: self.agent_environment.clone().or_else(in_facts),
            node,
            environment: classified.environment.clone(),
            folders: SettingFolders::default(),
            now: Timestamp::from_seconds(0),
            seconds: limits::NODE_SECONDS,
        };
        world.chosen_environment(disk, request, in_file).map_err(told)
    }

    /// Returns true if the facts of a node stand in a file of its own.
    pub fn can_reread_facts(&self, name: &str) -> bool {
        self.file.is_none() && self.facts.has_own_file(self.facts_name(name))
    }

    /// Returns what it has as facts, without the rest that is known of it.
    pub fn reread_facts(&self, disk: &dyn Disk, name: &str) -> Result<Hash, String> {
        Ok(NodeData::node_facts(self.known(disk, name)?.facts, name, &self.server))
    }

    fn known(&self, disk: &dyn Disk, name: &str) -> Result<NodeFacts, String> {
        self.facts.for_node(disk, self.facts_name(name))?.ok_or_else(|| format!("there are no facts of node {name}"))
    }
}

/// Reads one source of facts. `with_legacy`: whether made-up facts have legacy ones.
pub(crate) fn read_facts(
    disk: &dyn Disk,
    source: &FactSource,
    language: Language,
    with_legacy: impl FnOnce() -> Result<bool, String>,
) -> Result<Facts, String> {
    match source {
        FactSource::At(path) => Facts::read(disk, &absolute_path(path)),
        FactSource::OperatingSystem(name) => Facts::for_os(name, language, with_legacy()?),
        FactSource::Known(name, facts) => {
            let known = NodeFacts { facts: facts.clone(), ..NodeFacts::default() };
            Ok(Facts::One(Some(name.clone()), Box::new(known)))
        }
    }
}

/// Returns the error of a choice, behind the errors that were logged before it.
fn told(none: NoChoice) -> String {
    let mut text = String::new();
    for line in none.log.iter().filter(|line| line.level == Level::Err) {
        text.push_str(line.text.strip_prefix("Error: ").filter(|_| text.is_empty()).unwrap_or(&line.text));
        text.push('\n');
    }
    if text.is_empty() { none.text } else { format!("{text}Error: {}", none.text) }
}

/// Returns the classes in place of nodes, where patterns name some.
fn class_nodes(world: &World, facts: &FactSources, patterns: &[String]) -> Result<Option<ClassNodes>, OpenError> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let fact_sets = facts.names();
    if fact_sets.is_empty() {
        let reason = "--class wants facts on which classes are compiled: --os makes some up, --facts names some";
        return Err(OpenError::Usage(reason.to_owned()));
    }
    let environment = world.environment(&world.environment)?;
    let language = world.settings.language();
    ClassNodes::new(&*world.disk, &environment.environment, language, patterns, &fact_sets)
        .map(Some)
        .map_err(OpenError::Usage)
}

/// Returns what a certificate may be called, and a file that is called after it.
pub fn is_certname(name: &str) -> bool {
    let is_printable = name.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'/');
    is_printable && !name.is_empty() && !name.contains("..")
}

/// Returns what the files of a node are called, without what follows the dot: its name, or of one that is too long for
/// a file its beginning with a digest.
pub fn file_stem(name: &str) -> Cow<'_, str> {
    /// A name in a folder may have 255 bytes.
    const MOST: usize = 255 - ".json".len();
    const BEGINNING: usize = 200;
    if name.len() <= MOST {
        return Cow::Borrowed(name);
    }
    let digest = Digester::new(b"file of a node").text(name).finish().to_hex();
    Cow::Owned(format!("{}-{}", &name[..name.floor_char_boundary(BEGINNING)], &digest[2..]))
}

/// A command may be named from the current folder.
fn absolute_command(command: &str) -> String {
    let (program, rest) = command.split_once(' ').unwrap_or((command, ""));
    if !program.contains('/') {
        return command.to_owned();
    }
    format!("{} {rest}", absolute_text(program.as_ref())).trim_end().to_owned()
}
