//! The trait for a Ruby of the user's own, which runs functions that the small Ruby cannot.

use std::fmt::Debug;

use pantin_values::Value;

use super::error::RubyError;
use super::outside::Outside;
use super::puppet::FunctionFile;

/// A block of that Ruby, handed to a function of Puppet's.
pub trait RubyBlock: Send + Sync + Debug {
    /// Returns how many arguments it takes, as Ruby counts them.
    fn arity(&self) -> i64;

    fn call(&self, args: Vec<Value>, outside: &mut dyn Outside) -> Result<Value, RubyError>;
}

/// Runs functions in a Ruby that is no sandbox: what it does beside asking [`Outside`] nobody knows.
pub trait OwnRuby: Send + Sync + Debug {
    /// Returns true if the person has said that what the function gives depends on its arguments and on what it asks,
    /// and on nothing else.
    fn is_deterministic(&self, function: &str) -> bool;

    /// Calls a function with arguments. What it asks of the world of Puppet it asks `outside`.
    fn call(&self, function: &FunctionFile, args: &[Value], outside: &mut dyn Outside) -> Result<Value, RubyError>;
}
