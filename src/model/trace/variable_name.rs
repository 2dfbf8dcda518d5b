//! The name by which a body asks for a variable that is not its own.

use std::fmt;

use pantin_values::{Digester, Digestible, Str};

/// A variable, and the scope from which it is looked for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum VariableName {
    /// `x`, `::x` or `a::b::x`, as the code of the body means it.
    FromBody(Str),
    /// `x`, as the scope of the node block sees it: so does a template by its name.
    FromNode(Str),
}

impl VariableName {
    /// Returns the name as it is written.
    pub fn written(&self) -> &Str {
        match self {
            VariableName::FromBody(name) | VariableName::FromNode(name) => name,
        }
    }

    /// The same without the `::` that leads to the top scope.
    pub fn without_top(&self) -> &str {
        self.written().trim_start_matches("::")
    }
}

impl From<Str> for VariableName {
    fn from(name: Str) -> VariableName {
        VariableName::FromBody(name)
    }
}

impl From<&str> for VariableName {
    fn from(name: &str) -> VariableName {
        VariableName::FromBody(name.into())
    }
}

/// As a trace is shown. An error names a variable as it is written.
impl fmt::Display for VariableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VariableName::FromBody(name) => f.write_str(name),
            VariableName::FromNode(name) => write!(f, "node:{name}"),
        }
    }
}

impl Digestible for VariableName {
    fn add_to(&self, digester: &mut Digester) {
        match self {
            VariableName::FromBody(name) => digester.number(0).text(name),
            VariableName::FromNode(name) => digester.number(1).text(name),
        };
    }
}
