//! What is known of a node before its catalog is compiled.

use crate::pcore::{Hash, Str};

/// Worked out from facts, certificate and ENC; plain data.
#[derive(Clone, Debug, Default)]
pub struct NodeData {
    /// The certificate's name.
    pub name: String,
    /// What the agent sent, cleaned as the server cleans it.
    pub facts: Hash,
    /// `$trusted`, whole: `authenticated`, `certname`, `domain`, `extensions`, `external`, `hostname`.
    pub trusted: Hash,
    /// `$server_facts`, whole.
    pub server_facts: Hash,
    /// What the ENC says of classes.
    pub classes: NodeClasses,
    /// The ENC's parameters: they come before facts of the same names.
    pub parameters: Hash,
}

/// The two forms in which an ENC names classes.
#[derive(Clone, Debug)]
pub enum NodeClasses {
    Names(Vec<Str>),
    /// Each with its parameters, if it has any.
    WithParameters(Vec<(Str, Option<Hash>)>),
}

impl Default for NodeClasses {
    fn default() -> NodeClasses {
        NodeClasses::Names(Vec::new())
    }
}
