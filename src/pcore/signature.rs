//! What a function or lambda accepts.

use super::types::CallableType;
use super::{Str, Type, Value};

#[derive(Clone, PartialEq, Debug)]
pub struct Signature {
    pub params: Vec<Param>,
    pub block: Option<Block>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    pub name: Str,
    pub of: Type,
    pub kind: ParamKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    Required,
    Optional,
    Repeated,
    RequiredRepeated,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    pub name: Str,
    pub of: Type,
    pub optional: bool,
}

impl Signature {
    pub fn check(&self, _args: &[Value], _block: Option<&CallableType>) -> bool {
        true
    }
}

impl Signature {
    pub fn callable(&self) -> CallableType {
        CallableType { params: None, block: None, returns: None }
    }
}
