//! Classes that are compiled by themselves: each class on each set of facts is a node; `role::web` on `debian-12` is
//! `web.role.debian-12`, which code may take for the name of a machine.
//!
//! Such a node is classified with its class and has the facts of the set. Knows nothing of how nodes are compiled.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::{Language, Source, nearest};
use pantin_syntax::ast::{DefinitionKind, Node};
use pantin_syntax::{Settings, SourceKind};
use pantin_values::{Digest, Digester, Str};
use pantin_world::enc::Classified;
use pantin_world::environment::Environment;
use pantin_world::{Disk, NodeClasses, glob_under};

use crate::pattern::Pattern;

/// The classes that are compiled, and the facts on which each of them is.
#[derive(Debug)]
pub(crate) struct ClassNodes {
    /// By the name of the node: the class, and the node whose facts it has.
    nodes: BTreeMap<Str, (Str, Str)>,
}

impl ClassNodes {
    /// Pairs the classes that fit the patterns with sets of facts. `Err`: a pattern fits no class.
    pub(crate) fn new(
        disk: &dyn Disk,
        environment: &Environment,
        language: Language,
        patterns: &[String],
        fact_sets: &[Str],
    ) -> Result<ClassNodes, String> {
        let known = class_names(disk, environment, language);
        let mut nodes = BTreeMap::new();
        for pattern in patterns {
            let text = pattern.trim_start_matches("::").to_lowercase();
            let fitting = Pattern::new(text.clone(), false);
            let mut fits_any = false;
            for class in known.iter().filter(|class| fitting.fits(class)) {
                fits_any = true;
                for facts in fact_sets {
                    let new = (class.clone(), facts.clone());
                    match nodes.insert(node_name(class, facts), new) {
                        Some((other, its_facts)) if (&other, &its_facts) != (class, facts) => {
                            return Err(format!(
                                "--class: {other} on {its_facts} and {class} on {facts} would be nodes of one name"
                            ));
                        }
                        _ => {}
                    }
                }
            }
            if !fits_any {
                let near = nearest(&text, known.iter().map(Str::as_str));
                let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
                return Err(format!("--class: no class of the module path matches '{pattern}'{near}"));
            }
        }
        Ok(ClassNodes { nodes })
    }

    /// Returns the nodes, class by class.
    pub(crate) fn names(&self) -> Vec<Str> {
        self.nodes.keys().cloned().collect()
    }

    /// Returns the node whose facts a node has.
    pub(crate) fn facts_of(&self, node: &str) -> Option<&Str> {
        self.nodes.get(node).map(|(_, facts)| facts)
    }

    /// Returns what an ENC would say of a node.
    pub(crate) fn classified(&self, node: &str) -> Option<Classified> {
        let (class, _) = self.nodes.get(node)?;
        Some(Classified { classes: NodeClasses::Names(vec![class.clone()]), ..Classified::default() })
    }

    /// Digest of which node is of which class and has which facts.
    pub(crate) fn digest(&self) -> Digest {
        let mut digester = Digester::new(b"class nodes");
        for (name, (class, facts)) in &self.nodes {
            digester.text(name).text(class).text(facts);
        }
        digester.finish()
    }
}

/// Returns the name of the node of a class with these facts: its parts are those of the class, the last one first.
fn node_name(class: &str, facts: &str) -> Str {
    let parts: Vec<String> = class.rsplit("::").map(|part| part.replace('_', "-")).collect();
    format!("{}.{facts}", parts.join(".")).into()
}

/// Returns the classes of all modules of an environment, sorted.
fn class_names(disk: &dyn Disk, environment: &Environment, language: Language) -> Vec<Str> {
    let own = environment.module.iter().map(|module| module.folder.clone());
    let in_path = environment.modulepath.iter().flat_map(|folder| {
        let entries = disk.list(folder).ok().flatten().unwrap_or_default();
        entries.into_iter().filter(|entry| entry.is_folder).map(|entry| folder.join(entry.name)).collect::<Vec<_>>()
    });
    let modules: Vec<PathBuf> = own.chain(in_path).collect();
    let mut names: Vec<Str> = modules
        .iter()
        .flat_map(|module| glob_under(disk, &module.join("manifests"), "**/*.pp").unwrap_or_default())
        .flat_map(|file| classes_in(disk, &file, language))
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Returns the classes that a manifest defines. What cannot be parsed defines none.
fn classes_in(disk: &dyn Disk, file: &Path, language: Language) -> Vec<Str> {
    let Some(bytes) = disk.read(file).ok().flatten() else { return Vec::new() };
    let Ok(source) = Source::from_bytes(Some(&file.to_string_lossy()), bytes) else { return Vec::new() };
    let parsed = pantin_syntax::parse(Arc::new(source), SourceKind::Manifest, Settings::from_language(language));
    let Ok(ast) = parsed.result else { return Vec::new() };
    let class = |id| match ast.node(id) {
        Node::Definition(of) if ast.definition(of).kind == DefinitionKind::Class => {
            Some(Str::from(ast.text(ast.definition(of).name).trim_start_matches("::")))
        }
        _ => None,
    };
    ast.ids().filter_map(class).collect()
}
