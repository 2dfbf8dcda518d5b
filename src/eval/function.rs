//! The declaration of a core function: its signatures as data, and the code behind each.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use pantin_base::Language;
use pantin_values::signature::{Api, Signature};
use pantin_values::{Fault, Resolve, Type, Value, signature, types};
use rustc_hash::{FxHashMap, FxHashSet};

use super::invocation::Invocation;
use super::stop::Stop;
use crate::builtins::stdlib::KnownFiles;

/// The code of a signature.
pub type Run = fn(&mut Invocation<'_, '_>) -> Result<Value, Stop>;

/// A core function. One declaration serves dispatch, error texts, documentation and the editor.
#[derive(Debug)]
pub struct Builtin {
    pub name: &'static str,
    pub doc: &'static str,
    pub api: Api,
    /// Whether it looks into containers of the outside itself: then only what it looks at counts as read.
    pub looks: bool,
    /// Whether it finds variables by their names: then a call of it knows the names of all locals.
    pub finds_variables: bool,
    /// Whether its signatures begin with the scope of the caller, as those of some functions of modules do.
    pub takes_scope: bool,
    /// Whether its signatures name types of the environment: those of the module that it belongs to.
    pub names_types: bool,
    /// Types that the signatures name, each with what it stands for.
    pub types: &'static [(&'static str, &'static str)],
    pub overloads: &'static [Overload],
}

#[derive(Debug)]
pub struct Overload {
    pub params: &'static [Param],
    pub block: Option<Block>,
    pub returns: &'static str,
    /// The first version that has it.
    pub since: Language,
    /// The last version that has it; `None`: it is still there.
    pub until: Option<Language>,
    /// Whether it takes what the function does not: it is worth the text of the error then.
    pub explains: bool,
    pub run: Run,
}

#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// A type as it is written in Puppet.
    pub type_text: &'static str,
    pub name: &'static str,
    pub kind: signature::ParamKind,
}

#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub type_text: &'static str,
    pub name: &'static str,
    pub optional: bool,
}

pub const fn required(of: &'static str, name: &'static str) -> Param {
    Param { type_text: of, name, kind: signature::ParamKind::Required }
}

pub const fn optional(of: &'static str, name: &'static str) -> Param {
    Param { type_text: of, name, kind: signature::ParamKind::Optional }
}

/// Any number, also none.
pub const fn repeated(of: &'static str, name: &'static str) -> Param {
    Param { type_text: of, name, kind: signature::ParamKind::Repeated }
}

/// At least one.
pub const fn several(of: &'static str, name: &'static str) -> Param {
    Param { type_text: of, name, kind: signature::ParamKind::RequiredRepeated }
}

pub const fn block(of: &'static str) -> Option<Block> {
    Some(Block { type_text: of, name: "block", optional: false })
}

pub const fn optional_block(of: &'static str) -> Option<Block> {
    Some(Block { type_text: of, name: "block", optional: true })
}

pub const fn overload(params: &'static [Param], block: Option<Block>, run: Run) -> Overload {
    Overload { params, block, returns: "Any", since: Language::Puppet7, until: None, explains: false, run }
}

impl Overload {
    pub const fn returning(mut self, of: &'static str) -> Overload {
        self.returns = of;
        self
    }

    /// Earlier versions do not have it.
    pub const fn since(mut self, first: Language) -> Overload {
        self.since = first;
        self
    }

    /// Later versions do not have it.
    pub const fn until(mut self, last: Language) -> Overload {
        self.until = Some(last);
        self
    }

    /// It takes arguments that are wrong, and says in which way.
    pub const fn explaining(mut self) -> Overload {
        self.explains = true;
        self
    }

    /// Returns true if a version has it.
    pub fn is_in(&self, language: Language) -> bool {
        language >= self.since && self.until.is_none_or(|last| language <= last)
    }
}

impl Builtin {
    const fn new(name: &'static str, api: Api, overloads: &'static [Overload], doc: &'static str) -> Builtin {
        Builtin {
            name,
            doc,
            api,
            looks: false,
            finds_variables: false,
            takes_scope: false,
            names_types: false,
            types: &[],
            overloads,
        }
    }

    pub const fn typed(name: &'static str, overloads: &'static [Overload], doc: &'static str) -> Builtin {
        Builtin::new(name, Api::Typed, overloads, doc)
    }

    pub const fn untyped(name: &'static str, overloads: &'static [Overload], doc: &'static str) -> Builtin {
        Builtin::new(name, Api::Untyped, overloads, doc)
    }

    /// It wants a part of its first argument: of a container of the outside, only that part is read.
    pub const fn looking(mut self) -> Builtin {
        self.looks = true;
        self
    }

    /// It asks for variables with [`Invocation::variable`].
    pub const fn finding_variables(mut self) -> Builtin {
        self.finds_variables = true;
        self
    }

    /// Notes that the first parameter of its signatures is the scope of the caller: undef stands for it.
    pub const fn taking_scope(mut self) -> Builtin {
        self.takes_scope = true;
        self
    }

    /// Notes that its signatures name types of the environment.
    pub const fn naming_types(mut self) -> Builtin {
        self.names_types = true;
        self
    }

    /// Types of its own that its signatures name. One may name itself and those before it.
    pub const fn with_types(mut self, types: &'static [(&'static str, &'static str)]) -> Builtin {
        self.types = types;
        self
    }
}

/// A function of the registry, with its signatures made of their texts once.
#[derive(Debug)]
pub struct RegisteredFunction {
    pub declared: &'static Builtin,
    compiled: OnceLock<Result<Box<[Signature]>, Fault>>,
    /// Which signatures were ever called in this process: what a test of the tests asks.
    called: Box<[AtomicBool]>,
}

impl RegisteredFunction {
    fn new(declared: &'static Builtin) -> RegisteredFunction {
        let called = declared.overloads.iter().map(|_| AtomicBool::new(false)).collect();
        RegisteredFunction { declared, compiled: OnceLock::new(), called }
    }

    #[inline]
    pub(super) fn note_call(&self, overload: usize) {
        if let Some(called) = self.called.get(overload)
            && !called.load(Ordering::Relaxed)
        {
            called.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the signatures that nobody has called in this process, by their places.
    pub fn never_called(&self) -> impl Iterator<Item = usize> {
        self.called.iter().enumerate().filter(|(_, called)| !called.load(Ordering::Relaxed)).map(|(index, _)| index)
    }

    pub fn signatures(&self) -> Result<&[Signature], &Fault> {
        self.compiled.get_or_init(|| self.compile()).as_ref().map(|all| &**all)
    }

    /// Returns the signatures; those that name types of the environment are compiled with the types of `resolve`.
    pub(super) fn signatures_with(
        &'static self,
        resolve: &mut dyn Resolve,
    ) -> Result<Cow<'static, [Signature]>, Fault> {
        if !self.declared.names_types {
            return self.signatures().map(Cow::Borrowed).map_err(Clone::clone);
        }
        self.declared.overloads.iter().map(|overload| compile(overload, resolve)).collect()
    }

    fn compile(&self) -> Result<Box<[Signature]>, Fault> {
        let mut own = OwnTypes(Vec::new());
        for (name, text) in self.declared.types {
            // It is known before it is defined, for it may name itself.
            let alias = Arc::new(types::Alias::new(*name));
            own.0.push((name, Type::Alias(alias.clone())));
            types::Alias::define(&alias, types::parse(text, &mut own)?)?;
        }
        self.declared.overloads.iter().map(|overload| compile(overload, &mut own)).collect()
    }
}

/// The types that a function has for itself.
struct OwnTypes(Vec<(&'static str, Type)>);

impl Resolve for OwnTypes {
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Fault> {
        Ok(self.0.iter().find(|(known, _)| *known == name).map(|(_, of)| of.clone()))
    }
}

fn compile(overload: &Overload, resolve: &mut dyn Resolve) -> Result<Signature, Fault> {
    let params = overload
        .params
        .iter()
        .map(|param| {
            Ok(signature::Param {
                name: param.name.into(),
                param_type: types::parse(param.type_text, resolve)?,
                kind: param.kind,
            })
        })
        .collect::<Result<_, Fault>>()?;
    let block = match &overload.block {
        Some(block) => Some(signature::Block {
            name: block.name.into(),
            block_type: types::parse(block.type_text, resolve)?,
            optional: block.optional,
        }),
        None => None,
    };
    Ok(Signature { params, block })
}

/// All core functions by name. There is one registry, which lives as long as the process.
#[derive(Debug, Default)]
pub struct Builtins {
    known: FxHashMap<&'static str, RegisteredFunction>,
    /// The names of those that modules may have, and that are known natively too.
    of_modules: FxHashSet<&'static str>,
    /// The files of stdlib for which native functions stand in.
    pub stdlib_files: KnownFiles,
}

impl Builtins {
    pub fn new(
        families: &[&'static [Builtin]],
        of_modules: impl Iterator<Item = &'static str>,
        stdlib_files: KnownFiles,
    ) -> Builtins {
        let of_modules = of_modules.collect();
        Builtins { of_modules, stdlib_files, ..Builtins::from_functions(families.iter().copied().flatten()) }
    }

    pub fn from_functions(functions: impl Iterator<Item = &'static Builtin>) -> Builtins {
        let known = functions.map(|declared| (declared.name, RegisteredFunction::new(declared))).collect();
        Builtins { known, of_modules: FxHashSet::default(), stdlib_files: KnownFiles::default() }
    }

    /// Returns true if a function of a module of this name is mostly one that is known natively.
    pub fn may_stand_in(&self, name: &str) -> bool {
        self.of_modules.contains(name)
    }

    /// Returns those of a registry that lives as long as the process.
    pub fn get(&self, name: &str) -> Option<&RegisteredFunction> {
        self.known.get(name)
    }

    /// In order of their names.
    pub fn all(&self) -> Vec<&RegisteredFunction> {
        let mut all: Vec<_> = self.known.values().collect();
        all.sort_by_key(|function| function.declared.name);
        all
    }
}
