//! The names in a survey that Ruby or Puppet has and that are missing here.

use pantin_values::Str;
use rustc_hash::FxHashSet;

use super::{KnownNames, Lack, Receiver, Role, Survey};
use crate::class::{Class, Core, core_named};
use crate::classes;
use crate::native::{Side, Tables};

impl Survey {
    /// Returns what would not run, in the order of lines.
    pub fn lacks(&self, role: Role, defined: KnownNames<'_>) -> Vec<Lack> {
        let mut lacks = self.refused.clone();
        let known = Here { tables: Tables::shared(), role, defined };
        for used in &self.calls {
            if let Some(method) = known.missing_method(&used.name, &used.of) {
                let is_of_ruby = known.is_of_ruby(&used.name, &method);
                lacks.push(Lack { line: used.line, what: format!("the method {method}"), is_of_ruby });
            }
        }
        for used in &self.constants {
            if let Some(path) = known.missing_constant(&used.name, &used.of) {
                // Whatever stands around it, as written it may be of a library.
                let is_of_ruby = !is_of_puppet(&used.name);
                lacks.push(Lack { line: used.line, what: format!("the constant {path}"), is_of_ruby });
            }
        }
        lacks.sort();
        lacks.dedup();
        lacks
    }
}

struct Here<'d> {
    tables: &'static Tables,
    role: Role,
    defined: KnownNames<'d>,
}

impl Here<'_> {
    /// Returns true if a method that is missing is one that Ruby has without Puppet. `shown`: with the class, if that
    /// is known.
    fn is_of_ruby(&self, name: &str, shown: &str) -> bool {
        let is_of_class = shown.len() > name.len();
        if is_of_class { !is_of_puppet(shown) || self.own_has(name) } else { self.tables.ruby_knows(name) }
    }

    /// What every object has stands behind a call without a receiver, whatever object that is.
    fn own_has(&self, name: &str) -> bool {
        [Core::Kernel, Core::Object].iter().any(|class| self.tables.is_known(class.class(), Side::Instance, name))
    }

    fn missing_method(&self, name: &str, of: &Receiver) -> Option<String> {
        if self.defined.methods.iter().any(|defined| defined.methods.contains(name)) {
            return None;
        }
        match of {
            Receiver::Own => self.missing_in(self.own_class(), Side::Instance, name),
            Receiver::Object(path) => self.missing_in(core_named(path)?, Side::Instance, name),
            Receiver::Named(path) => self.missing_of_class(path, name),
            Receiver::Anything => {
                let is_missing = !self.tables.any_has(name) && self.tables.any_knows(name);
                is_missing.then(|| name.to_owned())
            }
        }
    }

    /// Returns the class of the object that runs the code.
    fn own_class(&self) -> Class {
        match self.role {
            Role::Template => Core::PuppetTemplateWrapper.class(),
            Role::Function => Core::PuppetInternalFunction.class(),
            Role::Library => Core::Object.class(),
        }
    }

    /// Returns a method of the objects of a class: one of another's, `function_…` of a scope, is not missed.
    fn missing_in(&self, class: Class, side: Side, name: &str) -> Option<String> {
        let ancestors = inherited(class);
        let has = |name: &str| ancestors.iter().any(|class| self.tables.get(*class, side, name).is_some());
        if has(name) || (class.is(Core::PuppetScope) && name.starts_with("function_")) {
            return None;
        }
        let is_known = ancestors.iter().any(|class| self.tables.is_known(*class, side, name));
        is_known.then(|| format!("{}#{name}", path_of(class)))
    }

    /// Returns a method of a class itself.
    fn missing_of_class(&self, path: &str, name: &str) -> Option<String> {
        let class = core_named(path)?;
        let ancestors = inherited(class);
        let of_objects = [inherited(Core::ClassClass.class()), inherited(Core::Module.class())].concat();
        let has = ancestors.iter().any(|class| self.tables.get(*class, Side::Class, name).is_some())
            || of_objects.iter().any(|class| self.tables.get(*class, Side::Instance, name).is_some());
        if has {
            return None;
        }
        let is_known = ancestors.iter().any(|class| self.tables.is_known(*class, Side::Class, name))
            || of_objects.iter().any(|class| self.tables.is_known(*class, Side::Instance, name));
        is_known.then(|| format!("{path}.{name}"))
    }

    fn missing_constant(&self, path: &str, nesting: &[Str]) -> Option<String> {
        let last = path.rsplit("::").next().unwrap_or(path);
        let first = path.split("::").next().unwrap_or(path);
        let mine = &self.defined.constants.constants;
        if mine.contains(last) || (mine.contains(first) && core_named(first).is_none()) {
            return None;
        }
        let mut around: Vec<String> = (1..=nesting.len()).map(|depth| nesting[..depth].join("::")).collect();
        around.push(String::new());
        let is_there = |within: &String| {
            let whole = if within.is_empty() { path.to_owned() } else { format!("{within}::{path}") };
            core_named(&whole).is_some() || classes::constant(&whole).is_some()
        };
        if around.iter().any(is_there) {
            return None;
        }
        if classes::is_known_constant(path) {
            return Some(path.to_owned());
        }
        let within = nesting.join("::");
        let whole = format!("{within}::{path}");
        (!within.is_empty() && classes::is_known_constant(&whole)).then_some(whole)
    }
}

fn is_of_puppet(path: &str) -> bool {
    path.split(['.', '#', ':']).next() == Some("Puppet")
}

fn path_of(class: Class) -> &'static str {
    class.core().map_or("Object", |core| core.path)
}

/// Returns a class that is built in, its mixins, and those above it.
fn inherited(class: Class) -> Vec<Class> {
    let (mut all, mut seen) = (Vec::new(), FxHashSet::default());
    let mut left = vec![class];
    while let Some(class) = left.pop() {
        let Some(core) = class.core().filter(|_| seen.insert(class)) else { continue };
        all.push(class);
        left.extend(core.parent);
        left.extend(core.mixins);
    }
    all
}
