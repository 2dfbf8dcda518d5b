//! Where an example meets the evaluator. The one place to change when the evaluator's interface changes.

use std::collections::BTreeMap;

use pantin::syntax::{Kind, Strict};
use serde_json::{Map, Value};

use super::example::{Example, Version};
use super::said::Said;

/// Where the files of an example lie, also the environment's folder: `/scratch/modules/a/…`.
pub(super) const ROOT: &str = "/scratch";

/// One example for one version, with every default filled in. The node is `node.example.org` in the
/// environment `production`; `$server_facts` has servername `puppet.example.org`, serverip `192.0.2.1`
/// and serverversion `7.23.0` or `8.10.0`.
#[expect(dead_code, reason = "the evaluator is not connected yet")]
pub(super) struct Evaluation<'a> {
    pub(super) version: Version,
    /// A site manifest, or a template that the node's main class renders.
    pub(super) kind: Kind,
    pub(super) source: &'a [u8],
    /// The source as a file: `/scratch/manifests/site.pp`, or a template's path among `files`.
    pub(super) path: Option<String>,
    /// Files of modules, by their whole path; the module path is `/scratch/modules`.
    pub(super) files: BTreeMap<String, &'a [u8]>,
    pub(super) facts: Map<String, Value>,
    /// The extensions in `$trusted`.
    pub(super) trusted: Map<String, Value>,
    /// A template's parameters; `None`: it is given none.
    pub(super) params: Option<&'a Map<String, Value>>,
    pub(super) strict: Strict,
    pub(super) strict_variables: bool,
    pub(super) tasks: bool,
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(example: &'a Example, version: Version) -> Evaluation<'a> {
        let around = &example.surroundings;
        let settings = &example.settings;
        let path = example.path.as_ref().map(|path| format!("{ROOT}/{path}"));
        let mut files: BTreeMap<String, &[u8]> =
            around.files.iter().map(|(path, text)| (format!("{ROOT}/{path}"), text.as_slice())).collect();
        if let Some(path) = path.clone().filter(|_| example.kind == Kind::Template) {
            files.insert(path, &example.source);
        }
        Evaluation {
            version,
            kind: example.kind,
            source: &example.source,
            path,
            files,
            facts: around.facts.clone().unwrap_or_default(),
            trusted: around.trusted.clone().unwrap_or_default(),
            params: around.params.as_ref(),
            strict: settings.for_version(version).strict,
            strict_variables: settings.strict_variables.unwrap_or(version == Version::Eight),
            tasks: settings.tasks,
        }
    }
}

/// What Pantin says: `Said::evaluated`.
pub(super) fn evaluate(_: &Evaluation) -> Said {
    Said::evaluated(None, &[], Some("evaluation is not built yet"))
}
