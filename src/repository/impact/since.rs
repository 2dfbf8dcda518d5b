//! The nodes whose answers at one revision do not hold at another.
//!
//! Nothing is compiled at the second one: an answer says itself what it depends on.

use std::io;
use std::path::{Path, PathBuf};

use pantin_values::Str;
use pantin_world::absolute_path;
use rustc_hash::FxHashMap;

use super::search::reads_any_file;
use crate::comparison::ServedFiles;
use crate::{AnswerNeeds, Repository};

/// What became of the answers of nodes between two revisions.
#[derive(Default, Debug)]
pub struct ImpactSince {
    /// The nodes whose answers no longer hold, each with what it read that is otherwise now.
    pub nodes: Vec<(Str, Vec<String>)>,
    /// How many nodes were asked.
    pub asked: usize,
    /// How many of these had to be compiled at the first revision.
    pub compiled: usize,
    /// Nodes of which nobody can say, and why.
    pub unknown: Vec<(Str, String)>,
}

/// The nodes whose answers at one revision do not hold at another, or whose files of modules differ. Compiles at the first one what
/// is not stored, and nothing at the other.
pub fn impact_since(
    from: &mut Repository,
    to: &mut Repository,
    names: &[Str],
    mut progress: impl FnMut() + Send,
) -> io::Result<ImpactSince> {
    let mut since = ImpactSince { asked: names.len(), ..ImpactSince::default() };
    let mut sources: FxHashMap<Str, (String, Vec<Str>)> = FxHashMap::default();
    let mut failing: FxHashMap<Str, String> = FxHashMap::default();
    let mut unanswered: FxHashMap<Str, String> = FxHashMap::default();
    from.each_answer(names, AnswerNeeds::default(), |name, answer| {
        progress();
        match answer {
            Ok(answer) => {
                since.compiled += usize::from(!answer.is_stored);
                failing.extend(answer.failure().map(|failure| (name.clone(), failure.text.clone())));
                sources.insert(name.clone(), (answer.head.environment.clone(), answer.head.served_sources));
            }
            Err(error) => {
                unanswered.insert(name.clone(), error.to_string());
            }
        }
    })?;
    // What was compiled is found from now on.
    from.close_store();
    from.open_store();
    to.open_store();
    let served = ServedFiles::default();
    let unread = unread_differences(from, to);
    let nodes = from.classify(names).into_iter().zip(to.classify(names));
    for (name, (before, now)) in names.iter().zip(nodes) {
        // A node that is new has no answer before, and is reached.
        let is_known_now = || to.compiler.known_node(&now).is_some();
        if let Some(error) = unanswered.remove(name).filter(|_| !is_known_now()) {
            since.unknown.push((name.clone(), error));
            continue;
        }
        let old = from.stored_hit(&before);
        let is_same = old.zip(to.stored_hit(&now)).is_some_and(|(old, new)| old.is_same(&new));
        if !is_same {
            let reasons = to.reasons_against_stored(&now);
            since.nodes.push((name.clone(), reasons));
            continue;
        }
        // The environment is a part of what holds.
        let Some((environment, sources)) = sources.get(name) else { continue };
        let differs = |source: &&Str| served.change((&*from, environment), (&*to, environment), source).is_some();
        let differing: Vec<String> = sources
            .iter()
            .filter(differs)
            .map(|source| format!("the content of {source}, which its files are copies of"))
            .collect();
        if !differing.is_empty() {
            since.nodes.push((name.clone(), differing));
        } else if let Some(failure) = failing.get(name) {
            // What it would depend on behind its error is not known.
            since.unknown.push((name.clone(), failure.clone()));
        } else if let Some(reason) = &unread {
            since.unknown.push((name.clone(), reason.clone()));
        }
    }
    Ok(since)
}

/// Returns why both sides may be taken for the same where they are not: a file that is not read of either revision differs between them,
/// or a program reads files that nobody knows.
fn unread_differences(from: &Repository, to: &Repository) -> Option<String> {
    let content = |repository: &Repository, path: &Path| repository.compiler.files().read(path).ok().flatten();
    let differs = |path: &PathBuf| content(from, path) != content(to, path);
    // A file that was only looked for counts too: the other side may have it.
    let mut configuration = to.configuration_reads().iter().map(|read| read.path.clone());
    if let Some(path) = configuration.find(differs) {
        return Some(format!("{} differs, and both sides are read with that of the working tree", path.display()));
    }
    let classifier = to.compiler.sources.classifier().filter(|classifier| classifier.runs_program())?;
    let mut programs = classifier.words().map(|word| absolute_path(Path::new(word)));
    if let Some(path) = programs.find(differs) {
        return Some(format!("the classifier {} differs, and that of the working tree is run", path.display()));
    }
    let program = classifier.words().next()?;
    Some(format!("{}, and that of the working tree is asked for both sides", reads_any_file(program)))
}
