//! The code of a class as it is today, run on what a trace of it was told: neither a node nor a catalog is asked.

use std::sync::Arc;

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

/// A class that was found once, for all nodes.
pub struct Recaller {
    class: Arc<Def>,
    body: Arc<Body>,
    settings: eval::Settings,
    builtins: &'static Builtins,
}

impl Site {
    /// For a class by its name; `None`: there is no finding it.
    pub fn recaller(&self, class: &Str) -> Option<Recaller> {
        let base = self.base().apart();
        let mut loader = Loader::new(&base);
        for file in self.manifests()? {
            loader.import(file).ok()?;
        }
        let class = loader.class(class).ok()??;
        let body = class.body(base.builtins)?;
        Some(Recaller { class, body, settings: base.settings, builtins: base.builtins })
    }
}

impl Recaller {
    /// The file that the class stands in.
    pub fn file(&self) -> Option<&str> {
        self.class.file()
    }

    /// What the walk would come to now, and by what it is found; `None` if that takes more than what it was told.
    pub fn recalled(&self, walk: &BodyWalk, told: &Trace, traces: &Traces) -> Option<(Key, Trace)> {
        let Recaller { class, body, .. } = self;
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
