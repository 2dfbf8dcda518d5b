//! Definitions of bindings that stand among the code of a program: together they are a layer above all others.
//! It must not know what a layer means.

use std::sync::Arc;

use pantin_base::{Source, Span};
use pantin_values::Fault;

use super::files::{BindingsFolders, ReadDefinition};
use crate::code::CodeFile;
use crate::codebase::CodeBase;

/// The title of the layer.
pub(crate) const PROGRAM_LAYER: &str = "program";

impl CodeBase {
    /// The definitions in these files, in the order of their names.
    pub(crate) fn program_definitions(
        &self,
        files: &[Arc<CodeFile>],
        folders: &BindingsFolders,
    ) -> Result<Vec<ReadDefinition>, Fault> {
        let mut found = Vec::new();
        for file in files {
            let source = file.ast.source();
            let name = source.name().unwrap_or("program");
            let shown = folders.shown(std::path::Path::new(name));
            for &span in file.ast.bindings() {
                let alone = Arc::new(alone(source, span)?);
                found.push(self.parse_definition(&alone, &shown, "program:/", None));
            }
        }
        let name = |definition: &ReadDefinition| definition.as_ref().ok().map(|known| Arc::clone(&known.name));
        found.sort_by_key(name);
        Ok(found)
    }
}

/// The source with nothing but what stands at a span, at the same place.
fn alone(source: &Source, span: Span) -> Result<Source, Fault> {
    let inside = span.start as usize..span.end() as usize;
    let bytes = source.text().bytes().enumerate();
    let text = bytes.map(|(at, byte)| if byte == b'\n' || inside.contains(&at) { byte } else { b' ' }).collect();
    Source::from_bytes(source.name(), text).map_err(|_| Fault::new("a definition of bindings cannot be read"))
}
