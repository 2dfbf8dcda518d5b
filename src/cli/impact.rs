//! `pantin impact`: which nodes depend on a file, a class, a function, a template or a key of data.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use indexmap::IndexMap;
use pantin_model::trace::Level;
use pantin_repository::Repository;
use pantin_repository::comparison::{SideInputs, all_names};
use pantin_repository::impact::{
    CollectedType, Impact, ImpactSince, ImpactSubject, ImpactedNode, MissingPath, ResourceImpact, SeenBy, impact,
    impact_of_resources, impact_on_code, impact_on_facts, impact_since, subject_paths,
};
use pantin_repository::options::{CacheOptions, OpenError};
use pantin_repository::provenance::{CodeUse, UsedThing};
use pantin_repository::reads::Read;
use pantin_values::Str;
use pantin_world::{LeafKind, Stopwatch, Surroundings, absolute_path};
use serde_json::{Value, json};

use super::Exit;
use super::args::fleet::FleetArguments;
use super::args::format::PlainFormat;
use super::print::console_log::ConsoleLog;
use super::print::counting::count;
use super::print::failures::grouped_by_reason;
use super::print::printable::{escaped_json, printable_line};
use super::print::relative_path::{place_text, relative_paths};
use super::print::safe::workflow_log::LogReader;

const HELP_AFTER: &str = "\
Examples:
  pantin impact site/profile/manifests/base.pp --facts facts/
  pantin impact data/common.yaml --facts facts/ --explain
  pantin impact --class profile::base --facts facts/
  pantin impact --key ntp::servers --facts facts/
  pantin impact --key ntp::servers --facts facts/ --bodies
  pantin impact --uses-fact os.release --facts facts/
  pantin impact --resource 'Service[nginx]' --facts facts/ --explain
  pantin impact --since origin/main --facts facts/

It tells the nodes whose catalogs were made from what is asked about, or which have copies of it: whoever edits it may change these \
nodes, and no others. Answers that are stored and hold are not compiled again; a node without one is compiled first. A PATH may be a folder, \
which means the files below it, or a file that is not there yet. With --exported fleet, nodes that collect what a node exports are told \
with it. With --since, the nodes whose answers at that revision of git do not hold for the working tree; what changes in \
their catalogs says pantin diff.
Exit codes:
  0  the nodes were told, whether there are any
  1  of a node nobody can say, or exports never settle
  2  wrong usage, no node matches, or no node looks for a PATH that is not there";

/// Say which nodes an edit of a file, a class, a function or a key of data can reach
#[derive(Debug, Args)]
#[command(after_help = HELP_AFTER)]
pub(super) struct Arguments {
    /// Files and folders, from the current folder
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// A class or a defined type; may be given several times
    #[arg(long, value_name = "NAME")]
    class: Vec<String>,

    /// A function; may be given several times
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,

    /// A template, as epp and template name it: MODULE/FILE; may be given several times
    #[arg(long, value_name = "NAME")]
    template: Vec<String>,

    /// A key of data; may be given several times
    #[arg(long, value_name = "KEY")]
    key: Vec<String>,

    /// A fact that code uses, such as os.family; may be given several times. The nodes that read it are compiled once, to tell by
    /// which code
    #[arg(long, value_name = "PATH", conflicts_with_all = ["paths", "class", "function", "template", "key"])]
    uses_fact: Vec<String>,

    /// The nodes that have this resource, and what comes after it on them: 'File[/etc/motd]'; may be given several times
    #[arg(long, value_name = "RESOURCE", conflicts_with_all = ["paths", "class", "function", "template", "key", "uses_fact"])]
    resource: Vec<String>,

    /// Everything that differs between this revision of git and the working tree
    #[arg(long, value_name = "REV", conflicts_with_all = ["paths", "class", "function", "template", "key", "uses_fact", "resource"])]
    since: Option<String>,

    /// Say of each node how it depends on what is asked about
    #[arg(long)]
    explain: bool,

    /// Say of each node which of its classes, defined types and other code use what is asked about, and where; these nodes
    /// are compiled for that once, and what they use is stored
    #[arg(long, conflicts_with_all = ["since", "resource"])]
    bodies: bool,

    /// How the nodes are told
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: PlainFormat,

    #[command(flatten)]
    fleet: FleetArguments,
}

/// Of nodes that fail alike so many are named.
const MOST_UNKNOWN: usize = 3;

/// Nodes, and how each depends on what is asked about.
struct ImpactReport {
    nodes: Vec<(Str, Vec<String>, Vec<CodeUse>)>,
    asked: usize,
    compiled: usize,
    unknown: Vec<(Str, String)>,
    /// Something that is asked about is nowhere, and nobody looks for it.
    is_misnamed: bool,
    seconds: f64,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.fleet.begin(surroundings)?;
    let report = match &arguments.since {
        Some(revision) => arguments.since(revision, surroundings, &console)?,
        None => arguments.now(surroundings, &console)?,
    };
    let report = match report {
        Ok(report) => report,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let text = match arguments.format {
        PlainFormat::Text => LogReader::of_stdout(surroundings).laid_out(&report.text(arguments.explain)).into_owned(),
        PlainFormat::Json => escaped_json(format!("{:#}\n", report.json())),
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(match (report.is_misnamed, report.unknown.is_empty()) {
        (true, _) => Exit::Failed,
        (false, true) => Exit::Accepted,
        (false, false) => Exit::Rejected,
    })
}

impl Arguments {
    fn subjects(&self) -> Vec<ImpactSubject> {
        let class = |name: &String| ImpactSubject::Resource(name.trim_start_matches("::").to_lowercase());
        let paths = self.paths.iter().map(|path| ImpactSubject::Path(absolute_path(path)));
        let functions = self.function.iter().cloned().map(ImpactSubject::Function);
        let templates = self.template.iter().cloned().map(ImpactSubject::Template);
        let keys = self.key.iter().cloned().map(ImpactSubject::Key);
        paths.chain(self.class.iter().map(class)).chain(functions).chain(templates).chain(keys).collect()
    }

    fn facts(&self) -> Vec<UsedThing> {
        self.uses_fact.iter().cloned().map(UsedThing::Fact).collect()
    }

    /// Returns what code may use of that which is asked about, which is also in these files.
    fn keys_and_paths(&self, paths: &[PathBuf]) -> Vec<UsedThing> {
        let keys = self.key.iter().cloned().map(UsedThing::Key);
        keys.chain(paths.iter().cloned().map(UsedThing::Path)).collect()
    }

    /// Who depends on something as it is now.
    fn now(&self, surroundings: &Surroundings, console: &ConsoleLog) -> io::Result<Result<ImpactReport, OpenError>> {
        let running = Stopwatch::start();
        let (mut repository, names, paths) = match self.open(console) {
            Ok(opened) => opened,
            Err(refused) => return Ok(Err(refused)),
        };
        let mut progress = self.fleet.progress(surroundings, names.len());
        if !self.resource.is_empty() {
            let found = impact_of_resources(&repository, &names, &self.resource, || progress.advance(running))?;
            progress.finish();
            for (resource, near) in &found.near {
                let hint = near.as_ref().map(|near| format!("; did you mean {near}?")).unwrap_or_default();
                console.say(Level::Warning, &format!("no node has {resource}{hint}"))?;
            }
            self.fleet.repository.close(&mut repository, console)?;
            return Ok(Ok(ImpactReport::from_resources(found, running)));
        }
        let mut found = match self.uses_fact.is_empty() {
            true => impact(&repository, &names, &paths, &self.key, || progress.advance(running))?,
            false => impact_on_facts(&repository, &names, &self.facts(), || progress.advance(running))?,
        };
        progress.finish();
        if self.bodies && self.uses_fact.is_empty() {
            let names: Vec<Str> = found.nodes.iter().map(|node| node.name.clone()).collect();
            let mut progress = self.fleet.progress(surroundings, names.len());
            let code = impact_on_code(&repository, &names, &self.keys_and_paths(&paths), || progress.advance(running))?;
            progress.finish();
            found.add_uses(code);
        }
        for (fact, near) in &found.missing_facts {
            let hint = near.as_ref().map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            console.say(Level::Warning, &format!("no node has the fact {fact}{hint}"))?;
        }
        let misnamed = say_missing_paths(&found.missing_paths, console)?;
        let has_others = misnamed.len() < paths.len() + self.key.len() || !self.uses_fact.is_empty();
        if let Some((last, others)) = misnamed.split_last().filter(|_| !has_others) {
            others.iter().for_each(|message| console.complain(message));
            self.fleet.repository.close(&mut repository, console)?;
            return Ok(Err(OpenError::Usage(last.clone())));
        }
        misnamed.iter().for_each(|message| console.complain(message));
        for (key, near) in &found.missing_keys {
            let hint = near.as_ref().map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            console.say(
                Level::Warning,
                &format!("no data that the nodes read has the key {key}, and no node looks it up{hint}"),
            )?;
        }
        self.fleet.repository.close(&mut repository, console)?;
        Ok(Ok(ImpactReport { is_misnamed: !misnamed.is_empty(), ..ImpactReport::from_impact(found, running) }))
    }

    fn open(&self, console: &ConsoleLog) -> Result<(Repository, Vec<Str>, Vec<PathBuf>), OpenError> {
        let subjects = self.subjects();
        if let Some(path) = self.paths.iter().find(|path| path.to_str().is_some_and(|path| path.contains("::"))) {
            let name = path.display();
            return Err(OpenError::Usage(format!(
                "{name} is the name of a class, a defined type or a function: use --class {name}, or --function {name}"
            )));
        }
        if subjects.is_empty() && self.uses_fact.is_empty() && self.resource.is_empty() {
            return Err(OpenError::Usage(
                "nothing is asked about: name a PATH, or --class, --function, --template, --key, --uses-fact, --resource or --since".to_owned(),
            ));
        }
        if let Some(name) = self.resource.iter().find(|name| !(name.contains('[') && name.ends_with(']'))) {
            return Err(OpenError::Usage(format!("{name} is no resource, such as File[/etc/motd]")));
        }
        let repository = self.fleet.open_repository(console)?;
        let paths = subject_paths(&repository, &subjects).map_err(OpenError::Usage)?;
        let (repository, names) = self.fleet.with_nodes(repository)?;
        Ok((repository, names, paths))
    }

    /// Whose answers of a revision do not hold any more.
    fn since(
        &self,
        revision: &str,
        surroundings: &Surroundings,
        console: &ConsoleLog,
    ) -> io::Result<Result<ImpactReport, OpenError>> {
        let running = Stopwatch::start();
        // The answers of the revision are held against the working tree where they are stored, if only for this run.
        let (_own_store, cache) = match self.fleet.cache() {
            CacheOptions::Off | CacheOptions::ReadOnly(_) => {
                let folder = tempfile::tempdir()?;
                let cache = CacheOptions::In(Some(folder.path().to_owned()));
                (Some(folder), cache)
            }
            kept @ CacheOptions::In(_) => (None, kept),
        };
        let opened = self.fleet.open_since(revision, SideInputs::OfEachSide, &cache, console);
        let [(mut old, old_names), (mut new, new_names)] = match opened {
            Ok(sides) => sides,
            Err(refused) => return Ok(Err(refused)),
        };
        if !old.has_cache() {
            return Ok(Err(OpenError::Usage(
                "--since needs a cache, and the settings have none: --no-cache uses one of its own".to_owned(),
            )));
        }
        let names = all_names(&old_names, &new_names);
        let mut progress = self.fleet.progress(surroundings, names.len());
        let since = impact_since(&mut old, &mut new, &names, || progress.advance(running))?;
        progress.finish();
        for repository in [&mut old, &mut new] {
            self.fleet.repository.close(repository, console)?;
        }
        Ok(Ok(ImpactReport::from_since(since, running)))
    }
}

/// Says what there is to say of paths that are not there. Returns what is wrong with those that nobody looks for.
fn say_missing_paths(missing: &[MissingPath], console: &ConsoleLog) -> io::Result<Vec<String>> {
    let mut misnamed = Vec::new();
    for MissingPath { path, near, seen_by } in missing {
        let shown = |path: &PathBuf| relative_paths(&path.display().to_string()).into_owned();
        let near = near.as_ref().map(|near| format!("; did you mean {}?", shown(near))).unwrap_or_default();
        let path = shown(path);
        match seen_by {
            SeenBy::Nobody => misnamed.push(format!("{path} is not there, and no node looks for it{near}")),
            SeenBy::Facts => {
                console
                    .say(Level::Warning, &format!("{path} is not there: a file of facts there makes another node"))?;
            }
            SeenBy::Unknown => console
                .say(Level::Warning, &format!("{path} is not there; nodes without a catalog may look for it{near}"))?,
            SeenBy::Nodes if near.is_empty() => {}
            SeenBy::Nodes => console.say(Level::Warning, &format!("{path} is not there{near}"))?,
        }
    }
    Ok(misnamed)
}

/// Returns how a node depends on what is asked about.
fn reasons(node: &ImpactedNode) -> Vec<String> {
    let mut reasons: Vec<String> = node.reads.iter().map(read_text).collect();
    reasons.extend(node.served.iter().map(|source| format!("has files that are copies of {source}")));
    reasons.extend(node.keys.iter().map(|key| format!("looks up the key {key}")));
    let classifier = node.classifier.iter().map(|path| path.display().to_string());
    reasons.extend(classifier.map(|path| format!("is classified by {}", relative_paths(&path))));
    reasons.extend(node.collects.iter().map(|CollectedType { name, exporter }| match exporter {
        Some(exporter) => format!("collects {name}, which {exporter} exports"),
        None => format!("collects {name}, which nodes that are reached may begin to export"),
    }));
    reasons
}

/// Returns a place in code that uses what is asked about.
fn use_text(used: &CodeUse) -> String {
    let place = used.place.as_ref().and_then(place_text).map(|place| format!("  ({place})")).unwrap_or_default();
    let code = used.code.as_ref().map(|code| format!(": {code}")).unwrap_or_default();
    let key = used.key.as_ref().map(|key| format!(", through the key {key} of the data")).unwrap_or_default();
    format!("{}{code}{key}{place}", used.body)
}

/// Returns how a read is told.
fn read_text(read: &Read) -> String {
    let path = read.path.display().to_string();
    let path = relative_paths(&path).into_owned();
    match read.kind {
        LeafKind::Code => format!("runs the code of {path}"),
        LeafKind::Data => format!("looks up keys in {path}"),
        LeafKind::Bindings => format!("takes the bindings of {path}"),
        LeafKind::Puppetfile => format!("reads which modules {path} names"),
        LeafKind::Text | LeafKind::Content | LeafKind::Key | LeafKind::NodeFacts => format!("reads {path}"),
        LeafKind::Exists | LeafKind::Named | LeafKind::BindingsFile => format!("looks whether there is {path}"),
        LeafKind::Folder => format!("looks whether {path} is a folder"),
        LeafKind::List | LeafKind::BindingsList => format!("lists what is in {path}"),
        LeafKind::Link => format!("looks where {path} leads"),
        LeafKind::Facts | LeafKind::LinkFacts => format!("looks at the metadata of {path}"),
        LeafKind::Revealed | LeafKind::Variable => path,
    }
}

impl ImpactReport {
    fn from_impact(impact: Impact, running: Stopwatch) -> ImpactReport {
        let nodes = impact.nodes.into_iter().map(|node| (node.name.clone(), reasons(&node), node.uses));
        ImpactReport {
            nodes: nodes.collect(),
            asked: impact.asked,
            compiled: impact.compiled,
            unknown: impact.unknown,
            is_misnamed: false,
            seconds: running.elapsed().as_secs_f64(),
        }
    }

    fn from_resources(impact: ResourceImpact, running: Stopwatch) -> ImpactReport {
        ImpactReport {
            nodes: impact.nodes.into_iter().map(|(name, how)| (name, how, Vec::new())).collect(),
            asked: impact.asked,
            compiled: impact.compiled,
            unknown: impact.unknown,
            is_misnamed: false,
            seconds: running.elapsed().as_secs_f64(),
        }
    }

    fn from_since(since: ImpactSince, running: Stopwatch) -> ImpactReport {
        ImpactReport {
            nodes: since.nodes.into_iter().map(|(name, how)| (name, how, Vec::new())).collect(),
            asked: since.asked,
            compiled: since.compiled,
            unknown: since.unknown,
            is_misnamed: false,
            seconds: running.elapsed().as_secs_f64(),
        }
    }

    /// Nodes that depend on it alike stand together.
    fn text(&self, explains: bool) -> String {
        let mut text = format!("{} of {}\n", self.nodes.len(), count(self.asked, "node"));
        let mut groups: IndexMap<Vec<String>, Vec<&Str>> = IndexMap::new();
        for (name, how, uses) in &self.nodes {
            let how = how.iter().filter(|_| explains).cloned();
            groups.entry(how.chain(uses.iter().map(use_text)).collect()).or_default().push(name);
        }
        for (how, names) in groups {
            for name in names {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "  {}", printable_line(name));
            }
            for line in how {
                let _ = writeln!(text, "      {}", printable_line(&relative_paths(&line)));
            }
        }
        for (names, reason) in grouped_by_reason(&self.unknown) {
            let more = names.len().saturating_sub(MOST_UNKNOWN);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let names: Vec<&str> = names.into_iter().take(MOST_UNKNOWN).collect();
            let line = format!("not known of {}{more}, for {reason}", names.join(", "));
            let _ = writeln!(text, "  {}", printable_line(&relative_paths(&line)));
        }
        let _ = writeln!(text, "{} compiled for this; {:.2} s", count(self.compiled, "node"), self.seconds);
        text
    }

    fn json(&self) -> Value {
        let used = |used: &CodeUse| {
            let (file, line) = used.place.as_ref().map(|place| (place.file.as_deref(), place.line)).unwrap_or_default();
            let file = file.map(relative_paths);
            json!({"body": used.body, "file": file, "line": line, "code": used.code, "key": used.key})
        };
        let nodes = self.nodes.iter().map(|(name, how, uses)| {
            let uses: Vec<Value> = uses.iter().map(used).collect();
            json!({"name": &**name, "reads": how, "uses": uses})
        });
        let unknown = self.unknown.iter().map(|(name, reason)| json!({"name": &**name, "reason": reason}));
        json!({
            "nodes": nodes.collect::<Vec<_>>(),
            "unknown": unknown.collect::<Vec<_>>(),
            "asked": self.asked,
            "compiled": self.compiled,
            "seconds": self.seconds,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_says_what_is_done() {
        let read = |kind| read_text(&Read { kind, path: "/x/a.pp".into() });
        assert_eq!(read(LeafKind::Code), "runs the code of /x/a.pp");
        assert_eq!(read(LeafKind::List), "lists what is in /x/a.pp");
    }
}
