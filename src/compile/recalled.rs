//! The code of a class as it is today, run on what its trace of before was told: neither a node nor a catalog is asked.

use super::catalog::Site;
use super::loader::Loader;
use super::node::{BodyWalk, class_title, instance_digest};
use crate::base::stack;
use crate::catalog::kinds::METAPARAMETERS;
use crate::eval::{Instance, run_definition};
use crate::trace::{Key, Trace, Traces, recall};

impl Site {
    /// What the walk would come to now, and by what it is found; `None` if that takes more than what it was told then.
    /// `is_edited` says of a file whether the class may stand there.
    pub fn recalled(
        &self,
        walk: &BodyWalk,
        told: &Trace,
        traces: &Traces,
        is_edited: impl Fn(&str) -> bool,
    ) -> Option<(Key, Trace)> {
        let base = self.base().apart();
        let mut loader = Loader::new(&base);
        for file in self.manifests()? {
            loader.import(file).ok()?;
        }
        let class = loader.class(&walk.name).ok()?.filter(|class| class.file().is_some_and(is_edited))?;
        let body = class.body(base.builtins)?;
        let instance = Instance {
            subject: format!("Class[{}]", class_title(&class.name)).into(),
            given: &[],
            metaparameters: &METAPARAMETERS,
            data_prefix: Some(format!("{}::", class.name).into()),
            matched: None,
            is_node: false,
        };
        // What a class was given that was declared like a resource is not known any more.
        let key = traces.key(body.digest, instance_digest(&instance));
        if key.parameters != walk.key.parameters {
            return None;
        }
        let (settings, builtins) = (base.settings, base.builtins);
        let run = |host: &mut dyn crate::trace::Host| run_definition(&body, instance, host, settings, builtins);
        let now = stack::with_room(|| recall(told, traces.secrets(), &body.name, run))?;
        Some((key, now))
    }
}
