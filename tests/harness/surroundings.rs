//! What an example has around its source: facts, a template's parameters, what an ENC says, files.

use std::collections::BTreeMap;

use pantin::syntax::SourceKind;
use serde_json::{Map, Value};

use super::document::{Block, Mode};
use super::example;
use super::lookup::Lookup;

#[derive(Debug, Default)]
pub(super) struct Surroundings {
    pub(super) facts: Option<Map<String, Value>>,
    /// The extensions of the node's certificate.
    pub(super) trusted: Option<Map<String, Value>>,
    /// What a template is given; `None`: nothing, which is not the same as an empty hash.
    pub(super) params: Option<Map<String, Value>>,
    /// What an ENC prints for the node, YAML; `None`: there is no ENC.
    pub(super) enc: Option<String>,
    /// What other nodes have exported, as PuppetDB has resources; `None`: there is no such store.
    pub(super) exported: Option<Vec<Value>>,
    /// What is looked up.
    pub(super) lookup: Option<Lookup>,
    /// By their path: `modules/a/functions/f.pp`.
    pub(super) files: BTreeMap<String, Vec<u8>>,
}

impl Surroundings {
    pub(super) fn add(&mut self, block: &Block, mode: Mode) -> Result<(), String> {
        let slot = match block.kind.as_str() {
            "facts" => &mut self.facts,
            "trusted" => &mut self.trusted,
            "params" => &mut self.params,
            "lookup" => return once(&mut self.lookup, Lookup::read(&block.text)?, "lookup"),
            "enc" => return once(&mut self.enc, block.text.clone(), "enc"),
            "exported" => {
                let list =
                    serde_json::from_str(&block.text).map_err(|error| format!("`exported`: no JSON array: {error}"))?;
                return once(&mut self.exported, list, "exported");
            }
            _ => return self.add_file(block, mode),
        };
        let hash =
            serde_json::from_str(&block.text).map_err(|error| format!("`{}`: no JSON hash: {error}", block.kind))?;
        once(slot, hash, &block.kind)
    }

    fn add_file(&mut self, block: &Block, mode: Mode) -> Result<(), String> {
        let path = block.attribute("path").ok_or("a block `file` says path=modules/…")?;
        let is_inside = path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        if !is_inside || (mode == Mode::Evaluate && !path.starts_with("modules/")) {
            return Err(format!("path={path}: a file is one of modules/…"));
        }
        match self.files.insert(path.to_owned(), example::source(block)?) {
            Some(_) => Err(format!("a second file {path}")),
            None => Ok(()),
        }
    }

    /// Whether they fit to the source.
    pub(super) fn fit(&self, kind: SourceKind, path: Option<&str>) -> Result<(), String> {
        if kind == SourceKind::Manifest && self.params.is_some() {
            return Err("a block `params` is for a template".to_owned());
        }
        if path.is_some_and(|path| self.files.contains_key(path)) {
            return Err("the source is also a block `file`".to_owned());
        }
        match path.map(|path| (path, template_name(path))) {
            Some((path, None)) if kind == SourceKind::Template => {
                Err(format!("path={path}: a template's is modules/MODULE/templates/FILE"))
            }
            _ => Ok(()),
        }
    }
}

fn once<T>(slot: &mut Option<T>, value: T, kind: &str) -> Result<(), String> {
    match slot.replace(value) {
        Some(_) => Err(format!("a second block `{kind}`")),
        None => Ok(()),
    }
}

/// `a/b.epp` for `modules/a/templates/b.epp`.
fn template_name(path: &str) -> Option<String> {
    let (module, file) = path.strip_prefix("modules/")?.split_once("/templates/")?;
    (!module.contains('/')).then(|| format!("{module}/{file}"))
}
