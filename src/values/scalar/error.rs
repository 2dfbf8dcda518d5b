//! What can be wrong with a plain value or with what is done to it.

use std::borrow::Cow;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScalarError {
    /// An argument that makes no value, in the words that Puppet says it in.
    Argument(Cow<'static, str>),
    /// A number beyond what is supported here, though not beyond what Ruby counts to.
    Limit(&'static str),
    /// The divisor is zero.
    DivisionByZero,
    /// The operator is not for this value, whatever the other one is.
    NoSuchOperator,
    /// The operator is for one of the two values, but not with the other one.
    NoSuchOperatorBetween,
}

impl ScalarError {
    pub(super) fn argument(message: impl Into<Cow<'static, str>>) -> ScalarError {
        ScalarError::Argument(message.into())
    }
}

impl fmt::Display for ScalarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScalarError::Argument(message) => f.write_str(message),
            ScalarError::Limit(message) => f.write_str(message),
            ScalarError::DivisionByZero => f.write_str("divided by 0"),
            ScalarError::NoSuchOperator | ScalarError::NoSuchOperatorBetween => {
                f.write_str("the operator is not applicable")
            }
        }
    }
}

impl std::error::Error for ScalarError {}
