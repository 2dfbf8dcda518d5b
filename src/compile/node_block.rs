//! The choice of the node block of the site manifests for a node.

use pantin_values::Fault;

use super::catalog::Site;
use super::code::{Def, DefKind, HostMatch};
use super::loader::Loader;

/// A node block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeBlock {
    /// As it is written: a name, a pattern between slashes, `default`.
    pub matcher: String,
    pub file: Option<String>,
    pub line: Option<u32>,
}

impl Site {
    /// Returns the node block for a node; `None`: the manifests have none at all. `Err`: why no catalog can be made of
    /// them.
    pub fn node_block(&self, name: &str) -> Result<Option<NodeBlock>, String> {
        let files = self.parsed_manifests()?;
        let base = self.base().with_own_reads();
        let mut loader = Loader::new(&base);
        let told = |fault: Fault| fault.message.into_owned();
        for file in files {
            loader.import(file).map_err(told)?;
        }
        if !loader.has_nodes() {
            return Ok(None);
        }
        match loader.node(name).map_err(told)? {
            Some((definition, _)) => Ok(Some(NodeBlock::from_definition(&definition))),
            None => Err(format!("Could not find node statement with name 'default' or '{name}'")),
        }
    }
}

impl NodeBlock {
    fn from_definition(definition: &Def) -> NodeBlock {
        let of = match &definition.kind {
            DefKind::Node(HostMatch::Pattern(pattern)) => format!("/{}/", pattern.source()),
            _ => definition.name.to_string(),
        };
        let place = definition.code.as_ref().map(|(ast, id)| (ast.source().name(), ast.place(*id).line()));
        let file = place.and_then(|(file, _)| file).map(str::to_owned);
        NodeBlock { matcher: of, file, line: place.and_then(|(_, line)| line) }
    }
}
