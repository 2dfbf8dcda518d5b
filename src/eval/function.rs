//! What a core function is: its signatures as data, and the code behind each.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::invocation::Invocation;
use super::stop::Stop;
use crate::pcore::signature::{self, Signature};
use crate::pcore::types;
use crate::pcore::{BuiltInOnly, Fault, Value};

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
    pub overloads: &'static [Overload],
}

/// How a function gets its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Api {
    /// As values, checked against the signatures.
    Typed,
    /// The older way: any arguments; undef comes as an empty string, references and types as they are.
    Untyped,
}

#[derive(Debug)]
pub struct Overload {
    pub params: &'static [Param],
    pub block: Option<Block>,
    pub returns: &'static str,
    pub run: Run,
}

#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// A type as it is written in Puppet.
    pub of: &'static str,
    pub name: &'static str,
    pub kind: signature::ParamKind,
}

#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub of: &'static str,
    pub name: &'static str,
    pub optional: bool,
}

pub const fn required(of: &'static str, name: &'static str) -> Param {
    Param { of, name, kind: signature::ParamKind::Required }
}

pub const fn optional(of: &'static str, name: &'static str) -> Param {
    Param { of, name, kind: signature::ParamKind::Optional }
}

/// Any number, also none.
pub const fn repeated(of: &'static str, name: &'static str) -> Param {
    Param { of, name, kind: signature::ParamKind::Repeated }
}

/// At least one.
pub const fn several(of: &'static str, name: &'static str) -> Param {
    Param { of, name, kind: signature::ParamKind::RequiredRepeated }
}

pub const fn block(of: &'static str) -> Option<Block> {
    Some(Block { of, name: "block", optional: false })
}

pub const fn optional_block(of: &'static str) -> Option<Block> {
    Some(Block { of, name: "block", optional: true })
}

pub const fn overload(params: &'static [Param], block: Option<Block>, run: Run) -> Overload {
    Overload { params, block, returns: "Any", run }
}

impl Overload {
    pub const fn returning(mut self, of: &'static str) -> Overload {
        self.returns = of;
        self
    }
}

impl Builtin {
    pub const fn typed(name: &'static str, overloads: &'static [Overload], doc: &'static str) -> Builtin {
        Builtin { name, doc, api: Api::Typed, looks: false, overloads }
    }

    pub const fn untyped(name: &'static str, overloads: &'static [Overload], doc: &'static str) -> Builtin {
        Builtin { name, doc, api: Api::Untyped, looks: false, overloads }
    }

    /// It looks into its arguments with [`Invocation::seen`].
    pub const fn looking(mut self) -> Builtin {
        self.looks = true;
        self
    }
}

/// A function of the registry, with its signatures made of their texts once.
#[derive(Debug)]
pub struct Known {
    pub declared: &'static Builtin,
    compiled: OnceLock<Result<Box<[Signature]>, Fault>>,
}

impl Known {
    pub fn signatures(&self) -> Result<&[Signature], &Fault> {
        let compile = || self.declared.overloads.iter().map(compile).collect::<Result<Box<[_]>, _>>();
        self.compiled.get_or_init(compile).as_ref().map(|all| &**all)
    }
}

fn compile(overload: &Overload) -> Result<Signature, Fault> {
    let mut resolve = BuiltInOnly;
    let params = overload
        .params
        .iter()
        .map(|param| {
            Ok(signature::Param {
                name: param.name.into(),
                of: types::parse(param.of, &mut resolve)?,
                kind: param.kind,
            })
        })
        .collect::<Result<_, Fault>>()?;
    let block = match &overload.block {
        Some(block) => Some(signature::Block {
            name: block.name.into(),
            of: types::parse(block.of, &mut resolve)?,
            optional: block.optional,
        }),
        None => None,
    };
    Ok(Signature { params, block })
}

/// All core functions by name. There is one registry, which lives as long as the process.
#[derive(Debug, Default)]
pub struct Builtins(FxHashMap<&'static str, Known>);

impl Builtins {
    pub fn new(families: &[&'static [Builtin]]) -> Builtins {
        let known = |declared: &'static Builtin| (declared.name, Known { declared, compiled: OnceLock::new() });
        Builtins(families.iter().copied().flatten().map(known).collect())
    }

    pub fn get(&self, name: &str) -> Option<&Known> {
        self.0.get(name)
    }

    /// In order of their names.
    pub fn all(&self) -> Vec<&Known> {
        let mut all: Vec<_> = self.0.values().collect();
        all.sort_by_key(|function| function.declared.name);
        all
    }
}
