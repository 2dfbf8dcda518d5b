//! Look-up and loading of classes, defined types and nodes by name.
//!
//! A name is known once the file that defines it was loaded, for whatever reason; so it depends on the order of
//! loading what is found, as in the real one.

use std::path::PathBuf;
use std::sync::Arc;

use pantin_base::names::{segments, split_last};
use pantin_base::{Language, LiteralPath};
use pantin_eval::issue::{self, UNKNOWN_RESOURCE_TYPE};
use pantin_model::trace::{Answer, Effect, Host, Level, Log, LogSource, NameKind, Outcome, Question};
use pantin_values::ops::MatchData;
use pantin_values::{Fault, FaultKind, Str, Value, ops};
use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{CodeFile, Def, DefKind, HostMatch, lower_name};
use super::loader::Loader;
use super::redefined;
use super::report::{behind, error_without_node, redefinition};
use super::resource_types::origin_of_type;

#[derive(Debug, Default)]
pub(super) struct KnownDefinitions {
    classes: FxHashMap<Str, Arc<Def>>,
    defines: FxHashMap<Str, Arc<Def>>,
    /// By name, those with a pattern by the name of their resource.
    nodes: FxHashMap<Str, Arc<Def>>,
    patterns: Vec<Arc<Def>>,
    loaded: FxHashSet<LiteralPath<PathBuf>>,
}

/// A node definition, with what its pattern matched.
pub(super) type ChosenNode = (Arc<Def>, Option<MatchData>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ClassOrDefine {
    Class,
    Define,
}

impl Loader<'_> {
    /// Makes known what a manifest defines.
    pub(super) fn import(&mut self, file: &Arc<CodeFile>) -> Result<(), Fault> {
        for definition in &file.definitions {
            self.load_types(definition, file)?;
        }
        for definition in &file.definitions {
            self.add(definition)?;
        }
        self.take(file.clone());
        Ok(())
    }

    pub(super) fn add(&mut self, new: &Arc<Def>) -> Result<(), Fault> {
        self.check_metaparameters(new)?;
        let language = self.base.settings.language;
        let name = new.resource_name(language);
        let known = &mut self.known;
        let refuse = |old: &Arc<Def>, text: &dyn Fn(&str) -> String| {
            let old = behind(" ", &old.location());
            Err(Fault::new(format!("{}{}", text(&old), behind(" ", &new.location()))))
        };
        let (classes, defines, nodes) = (known.classes.get(&name), known.defines.get(&name), known.nodes.get(&name));
        match &new.kind {
            DefKind::Class => {
                if let Some(old) = classes {
                    return refuse(old, &|at| format!("Class '{name}' is already defined{at}; cannot redefine"));
                }
                if let Some(old) = nodes {
                    return refuse(old, &|at| {
                        format!("Node '{name}' is already defined{at}; cannot be redefined as a class")
                    });
                }
                if let Some(old) = defines {
                    return refuse(old, &|at| {
                        format!("Definition '{name}' is already defined{at}; cannot be redefined as a class")
                    });
                }
                known.classes.insert(name, new.clone());
            }
            DefKind::Define => {
                if let Some(old) = classes {
                    return refuse(old, &|at| {
                        format!("'{name}' is already defined{at} as a class; cannot redefine as a definition")
                    });
                }
                // The loader of types has it by its name, whichever file it stands in.
                if let Some(old) = defines {
                    return Err(Fault::new(redefinition("type", &name, &old.origin())));
                }
                if let Some(origin) = origin_of_type(&self.types, &name) {
                    return Err(Fault::new(redefinition("type", &name, &origin)));
                }
                known.defines.insert(name, new.clone());
            }
            DefKind::Node(matching) => {
                if let Some(old) = nodes {
                    return refuse(old, &|at| format!("Node '{name}' is already defined{at}; cannot redefine"));
                }
                if let Some(old) = classes {
                    return refuse(old, &|at| {
                        format!("Class '{name}' is already defined{at}; cannot be redefined as a node")
                    });
                }
                if matches!(matching, HostMatch::Pattern(_)) {
                    known.patterns.push(new.clone());
                }
                known.nodes.insert(name, new.clone());
            }
        }
        Ok(())
    }

    /// The types of a definition's parameters are loaded with it. That there is none, or that its file is wrong, is an
    /// error here already. Of the manifest's own aliases those before it are known.
    fn load_types(&mut self, definition: &Def, file: &CodeFile) -> Result<(), Fault> {
        for (name, id) in &definition.type_names {
            match self.type_named(name) {
                Answer::Fault(fault) if matches!(fault.kind, FaultKind::Located | FaultKind::Logged) => {
                    return Err(fault);
                }
                Answer::Absent if !file.has_alias_before(name, *id) => {
                    let message = issue::unknown_resource_type(name).message;
                    let place = definition.place_text(*id);
                    let fault = Fault::located(format!("Evaluation Error: {message}{place}"));
                    let fault = fault.with_help_if(self.help_for_name(NameKind::Type, name));
                    return Err(definition.seen_part(*id, fault, UNKNOWN_RESOURCE_TYPE, &message));
                }
                // What else is wrong is told where the type is asked for.
                _ => {}
            }
        }
        match definition.has_doubtful_types() {
            true => self.check_parameter_types(definition),
            false => Ok(()),
        }
    }

    /// What is wrong with them is told in the words of who evaluates them.
    fn check_parameter_types(&mut self, definition: &Def) -> Result<(), Fault> {
        let (settings, builtins) = (self.base.settings, self.base.builtins);
        let Some(body) = definition.body(builtins) else { return Ok(()) };
        let checked = pantin_eval::check_parameter_types(&body, &mut LoadingHost(self), settings, builtins);
        checked.map_err(|failure| Fault::located(error_without_node(&failure)))
    }

    /// A parameter may have the name of a metaparameter if it has a default.
    fn check_metaparameters(&mut self, new: &Def) -> Result<(), Fault> {
        let of = &new.name;
        for (name, has_default) in &new.metaparameters {
            if !has_default {
                let message =
                    format!("{name} is a metaparameter; please choose another parameter name in the {of} definition");
                return Err(Fault::new(message));
            }
            let message = format!(
                "{name} is a metaparam; this value will inherit to all contained resources in the {of} definition"
            );
            self.pending_logs.push(Log {
                level: Level::Warning,
                source: LogSource::Puppet,
                once: Some(message.as_str().into()),
                message: message.into(),
                at: None,
            });
        }
        Ok(())
    }

    // ---- classes and defined types ----

    pub(super) fn class(&mut self, name: &str) -> Result<Option<Arc<Def>>, Fault> {
        self.find(ClassOrDefine::Class, name)
    }

    /// One that was loaded already.
    pub(super) fn loaded_class(&self, name: &str) -> Option<Arc<Def>> {
        self.loaded_definition(ClassOrDefine::Class, name)
    }

    pub(super) fn loaded_define(&self, name: &str) -> Option<Arc<Def>> {
        self.loaded_definition(ClassOrDefine::Define, name)
    }

    pub(super) fn define(&mut self, name: &str) -> Result<Option<Arc<Def>>, Fault> {
        self.find(ClassOrDefine::Define, name)
    }

    fn find(&mut self, wanted: ClassOrDefine, name: &str) -> Result<Option<Arc<Def>>, Fault> {
        let name = lower_name(name);
        if let Some(known) = self.loaded_definition(wanted, &name) {
            return Ok(Some(known));
        }
        if name.is_empty() {
            return Ok(None);
        }
        self.load(wanted, &name)
    }

    fn loaded_definition(&self, wanted: ClassOrDefine, name: &str) -> Option<Arc<Def>> {
        let table = match wanted {
            ClassOrDefine::Class => &self.known.classes,
            ClassOrDefine::Define => &self.known.defines,
        };
        table.get(name).cloned()
    }

    /// From the file that is named most closely to the one of the whole module. Whatever is loaded of a module, its
    /// `init.pp` is loaded before.
    fn load(&mut self, wanted: ClassOrDefine, name: &str) -> Result<Option<Arc<Def>>, Fault> {
        let module: Str = segments(name).next().unwrap_or_default().into();
        if self.base.modules.folder(&module).is_none() {
            return Ok(None);
        }
        let within = name.split_once("::").map_or("", |(_, within)| within);
        refuse_odd_path(&module, &within.replace("::", "/"))?;
        if within.contains(['/', '.']) || segments(name).skip(1).any(str::is_empty) {
            return Ok(None);
        }
        let mut home = name;
        loop {
            if self.load_files(&self.base.homes(home), &module)?
                && let Some(found) = self.loaded_definition(wanted, name)
            {
                return Ok(Some(found));
            }
            match split_last(home) {
                Some((around, _)) => home = around,
                None => return Ok(None),
            }
        }
    }

    /// Returns true if any of them was loaded now.
    fn load_files(&mut self, files: &[PathBuf], module: &Str) -> Result<bool, Fault> {
        let mut parsed = Vec::new();
        for path in files {
            if !self.known.loaded.contains(path.as_os_str()) {
                parsed.push(self.manifest(path, module)?);
                self.known.loaded.insert(LiteralPath(path.clone()));
            }
        }
        for file in &parsed {
            let has_aliases = !file.aliases.is_empty();
            if has_aliases && let Some(problem) = redefined::redefinition_error(std::slice::from_ref(file)) {
                return Err(Fault::new(problem));
            }
            self.import(file)?;
        }
        Ok(!parsed.is_empty())
    }

    // ---- nodes ----

    pub(super) fn has_nodes(&self) -> bool {
        !self.known.nodes.is_empty()
    }

    /// Returns the node definition for a node: by its name, by the first pattern that matches it, or the default. With
    /// what matched.
    pub(super) fn node(&self, name: &str) -> Result<Option<ChosenNode>, Fault> {
        let name: Str = name.to_lowercase().into();
        if let Some(found) = self.known.nodes.get(&name) {
            return Ok(Some((found.clone(), None)));
        }
        match self.node_with_pattern(&name)? {
            None => Ok(self.known.nodes.get("default").map(|found| (found.clone(), None))),
            found => Ok(found),
        }
    }

    /// Returns the first node block with a pattern that matches a name.
    pub(super) fn node_with_pattern(&self, name: &Str) -> Result<Option<ChosenNode>, Fault> {
        for definition in &self.known.patterns {
            let DefKind::Node(HostMatch::Pattern(pattern)) = &definition.kind else { continue };
            let pattern = Value::Regexp(pattern.clone());
            let found = ops::match_operator(&Value::String(name.clone()), &pattern).map_err(|blamed| blamed.fault)?;
            if found.matched {
                return Ok(Some((definition.clone(), found.captured)));
            }
        }
        Ok(None)
    }
}

/// A name that would lead out of the folder of manifests is an error of its own. The last part is safe: it gets an
/// ending.
fn refuse_odd_path(module: &str, path: &str) -> Result<(), Fault> {
    if path.contains('\0') {
        return Err(Fault::new("string contains null byte"));
    }
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    if !folders.split('/').any(|folder| folder == "..") {
        return Ok(());
    }
    let message = format!(
        "The pattern \"{path}\" to find manifests in the module \"{module}\" is invalid and potentially unsafe."
    );
    Err(Fault::new(message))
}

impl Def {
    /// Returns the name of its resource: of a pattern what is left of it without the signs that no name can have.
    pub(super) fn resource_name(&self, language: Language) -> Str {
        let DefKind::Node(HostMatch::Pattern(pattern)) = &self.kind else { return self.name.clone() };
        let mut source = pattern.source().to_lowercase();
        if language >= Language::Puppet8 {
            source = with_named_look_around(&source);
        }
        if language >= Language::OpenVox8 {
            source.make_ascii_lowercase();
        }
        let kept: String =
            source.chars().filter(|&sign| sign.is_ascii_alphanumeric() || "-_:.".contains(sign)).collect();
        format!("__node_regexp__{}", kept.trim_start_matches('.')).into()
    }
}

/// Newer versions tell patterns apart that differ in their groups with `?` alone: the signs in those become letters.
fn with_named_look_around(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(start) = rest.find("(?") {
        let Some(end) = rest[start..].find(')').map(|length| start + length + 1) else { break };
        out.push_str(&rest[..start]);
        for sign in rest[start..end].chars() {
            match sign {
                '(' => out.push_str("LP"),
                '?' => out.push_str("QU"),
                '<' => out.push_str("LT"),
                '>' => out.push_str("GT"),
                '!' => out.push_str("EX"),
                '=' => out.push_str("EQ"),
                ')' => out.push_str("RP"),
                other => out.push(other),
            }
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// All that code is told while definitions are loaded: which types there are.
struct LoadingHost<'l, 'c>(&'l mut Loader<'c>);

impl Host for LoadingHost<'_, '_> {
    fn ask(&mut self, question: &Question) -> Answer {
        match question {
            Question::Type(name) => self.0.type_named(name),
            _ => Answer::Absent,
        }
    }

    fn apply(&mut self, effect: &Effect) -> Outcome {
        if let Effect::Log(log) = effect {
            self.0.pending_logs.push((**log).clone());
        }
        Outcome::Done
    }
}
