//! The type of what can be called: a function, a lambda.

use super::{TupleType, Type};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CallableType {
    /// `None`: any parameters.
    pub params: Option<TupleType>,
    pub block: Option<Type>,
    pub returns: Option<Type>,
}
