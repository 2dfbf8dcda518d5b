//! What a function, a lambda, a template or a class takes.

use super::types::{CallableType, Size, TupleType};
use super::{Fault, Str, Type, Value};

/// One way to call something: its parameters in order, and its block.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    pub params: Vec<Param>,
    pub block: Option<Block>,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub name: Str,
    /// Of a repeated parameter: of each argument.
    pub param_type: Type,
    pub kind: ParamKind,
}

/// Required ones stand first, a repeated one stands last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    Required,
    Optional,
    /// None or more.
    Repeated,
    /// One or more.
    RequiredRepeated,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub name: Str,
    /// A `Callable`, or a choice of them.
    pub block_type: Type,
    pub optional: bool,
}

/// Which of Puppet's two interfaces a function has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Api {
    /// It gets values, checked against its signatures: `Puppet::Functions.create_function`.
    Typed,
    /// The older one, `newfunction`: any arguments; undef comes as an empty string, references and types as they are.
    Untyped,
}

impl Signature {
    /// Returns how many arguments it takes.
    #[inline]
    pub fn count(&self) -> Size {
        let needed = |param: &&Param| matches!(param.kind, ParamKind::Required | ParamKind::RequiredRepeated);
        let min = self.params.iter().filter(needed).count() as u64;
        let max = match self.params.last().map(|param| param.kind) {
            Some(ParamKind::Repeated | ParamKind::RequiredRepeated) => Size::UNBOUNDED,
            _ => self.params.len() as u64,
        };
        Size { min, max }
    }

    /// Returns true if it takes these arguments, and this block (the type of one: a `Callable`).
    pub fn check(&self, args: &[Value], block: Option<&Type>) -> Result<bool, Fault> {
        if !self.count().contains(args.len()) {
            return Ok(false);
        }
        for (index, value) in args.iter().enumerate() {
            if let Some(param) = self.params.get(index).or(self.params.last())
                && !param.param_type.accepts(value)?
            {
                return Ok(false);
            }
        }
        // Types of blocks take longer to compare.
        Ok(self.takes_block(block))
    }

    /// Functions count with 64 bits. An argument that is larger is refused where a number is asked for; where anything is
    /// taken, it is handed on.
    pub fn refuse_large(&self, function: &str, args: &[Value]) -> Result<(), Fault> {
        for (index, value) in args.iter().enumerate() {
            if let Value::Large(number) = value
                && let Some(param) = self.params.get(index).or(self.params.last())
                && !param.param_type.accepts(&Value::from(""))?
            {
                return Err(Fault::limit(format!("The number {number} is too large for the function '{function}'")));
            }
        }
        Ok(())
    }

    fn takes_block(&self, block: Option<&Type>) -> bool {
        match (&self.block, block) {
            (None, None) => true,
            (None, Some(_)) => false,
            (Some(wanted), None) => wanted.optional,
            (Some(wanted), Some(block)) => wanted.block_type.assignable(block),
        }
    }

    /// The same as a type.
    pub fn callable(&self, returns: Option<Type>) -> CallableType {
        let count = self.count();
        // Without parameters the size is said, else it would be a callable with any.
        let is_plain = count == Size::exactly(self.params.len()) && !self.params.is_empty();
        let size = (!is_plain).then_some(count);
        let types = self.params.iter().map(|param| param.param_type.clone()).collect();
        let block = self.block.as_ref().map(Block::written);
        CallableType { params: Some(TupleType { types, size }), block, returns }
    }
}

impl Block {
    /// Returns its type, `Optional[…]` where it may be left out.
    pub(super) fn written(&self) -> Type {
        if self.optional { Type::optional(self.block_type.clone()) } else { self.block_type.clone() }
    }
}
