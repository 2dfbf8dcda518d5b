//! The code of classes as it is today, run on what their traces of before were told: neither a node nor a catalog is asked.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::catalog::Site;
use super::code::Def;
use super::loader::Loader;
use super::node::{BodyWalk, class_title, instance_digest};
use crate::base::stack;
use crate::catalog::kinds::METAPARAMETERS;
use crate::eval::Builtins;
use crate::eval::{self, Body, Instance, run_definition};
use crate::pcore::Str;
use crate::trace::{Key, Trace, Traces, recall};

/// Classes that were found once, for all nodes.
pub struct Recaller {
    classes: FxHashMap<Str, (Arc<Def>, Arc<Body>)>,
    settings: eval::Settings,
    builtins: &'static Builtins,
}

impl Site {
    /// For those of the classes that stand in a file which `is_edited`; `None`: there is no finding any.
    pub fn recaller<'n>(
        &self,
        classes: impl IntoIterator<Item = &'n Str>,
        is_edited: impl Fn(&str) -> bool,
    ) -> Option<Recaller> {
        let base = self.base().apart();
        let mut loader = Loader::new(&base);
        for file in self.manifests()? {
            loader.import(file).ok()?;
        }
        let mut found = FxHashMap::default();
        for name in classes {
            let class = loader.class(name).ok()?.filter(|class| class.file().is_some_and(&is_edited));
            if let Some((class, body)) = class.and_then(|class| Some((class.clone(), class.body(base.builtins)?))) {
                found.insert(name.clone(), (class, body));
            }
        }
        Some(Recaller { classes: found, settings: base.settings, builtins: base.builtins })
    }
}

impl Recaller {
    /// What the walk would come to now, and by what it is found; `None` if that takes more than what it was told then.
    pub fn recalled(&self, walk: &BodyWalk, told: &Trace, traces: &Traces) -> Option<(Key, Trace)> {
        let (class, body) = self.classes.get(&walk.name)?;
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
        let run =
            |host: &mut dyn crate::trace::Host| run_definition(body, instance, host, self.settings, self.builtins);
        let now = stack::with_room(|| recall(told, traces.secrets(), &body.name, run))?;
        Some((key, now))
    }
}
