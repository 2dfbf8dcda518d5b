//! What an evaluated example has around its source: facts, a template's parameters, files of modules.

use std::collections::BTreeMap;

use pantin::syntax::Kind;
use serde_json::{Map, Value};

use super::document::Block;
use super::example;

#[derive(Debug, Default)]
pub(super) struct Surroundings {
    pub(super) facts: Option<Map<String, Value>>,
    /// The extensions of the node's certificate.
    pub(super) trusted: Option<Map<String, Value>>,
    /// What a template is given; `None`: nothing, which is not the same as an empty hash.
    pub(super) params: Option<Map<String, Value>>,
    /// By their path: `modules/a/functions/f.pp`.
    pub(super) files: BTreeMap<String, Vec<u8>>,
}

impl Surroundings {
    pub(super) fn add(&mut self, block: &Block) -> Result<(), String> {
        let slot = match block.kind.as_str() {
            "facts" => &mut self.facts,
            "trusted" => &mut self.trusted,
            "params" => &mut self.params,
            _ => return self.add_file(block),
        };
        let hash =
            serde_json::from_str(&block.text).map_err(|error| format!("`{}`: no JSON hash: {error}", block.kind))?;
        match slot.replace(hash) {
            Some(_) => Err(format!("a second block `{}`", block.kind)),
            None => Ok(()),
        }
    }

    fn add_file(&mut self, block: &Block) -> Result<(), String> {
        let path = block.attribute("path").ok_or("a block `file` says path=modules/…")?;
        let is_inside = path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        if !is_inside || !path.starts_with("modules/") {
            return Err(format!("path={path}: a file is one of modules/…"));
        }
        match self.files.insert(path.to_owned(), example::source(block)?) {
            Some(_) => Err(format!("a second file {path}")),
            None => Ok(()),
        }
    }

    /// Whether they fit to the source.
    pub(super) fn fit(&self, kind: Kind, path: Option<&str>) -> Result<(), String> {
        if kind == Kind::Manifest && self.params.is_some() {
            return Err("a block `params` is for a template".to_owned());
        }
        if path.is_some_and(|path| self.files.contains_key(path)) {
            return Err("the source is also a block `file`".to_owned());
        }
        match path.map(|path| (path, template_name(path))) {
            Some((path, None)) if kind == Kind::Template => {
                Err(format!("path={path}: a template's is modules/MODULE/templates/FILE"))
            }
            _ => Ok(()),
        }
    }
}

/// `a/b.epp` for `modules/a/templates/b.epp`.
fn template_name(path: &str) -> Option<String> {
    let (module, file) = path.strip_prefix("modules/")?.split_once("/templates/")?;
    (!module.contains('/')).then(|| format!("{module}/{file}"))
}
