//! Functions that modules define in Ruby: who answers for them.
//!
//! Those of puppetlabs-stdlib are known natively; the small Ruby runs all others. That a function is there at all, and
//! how it behaves, is a matter of the module that the environment has: of its files, and of its version.

use std::path::Path;
use std::sync::Arc;

use super::codebase::CodeBase;
use crate::base::Written;
use crate::builtins::stdlib;
use crate::eval::StandIn;
use crate::pcore::{Digester, Fault, Str};
use crate::ruby::{FunctionFile, Script};
use crate::trace::{Definition, RubyFile};
use crate::world::modules::Metadata;

impl CodeBase {
    /// A function that a module defines in Ruby.
    pub(super) fn ruby_function(&self, name: &str) -> Result<Option<Definition>, Fault> {
        self.names.functions.get(self, name.into(), |base| match base.stand_in(name)? {
            Some(found) => Ok(Some(found)),
            None => base.written_in_ruby(name),
        })
    }

    /// One that the small Ruby runs.
    fn written_in_ruby(&self, name: &str) -> Result<Option<Definition>, Fault> {
        let Some((api, path)) = self.modules.ruby_function(name) else { return Ok(None) };
        let key = (Str::from(name), Written(path.clone()));
        let function = self.memos.ruby_functions.get(self, key, |base| {
            let script = base.script(RubyFile::Library, &path)?;
            let digest = script.digest;
            let function = FunctionFile::new(name.into(), api, Script::of(script, name)?, base.own_ruby.clone());
            Ok(Definition { digest, code: Arc::new(function) })
        });
        function.map(Some)
    }

    /// Whether a file's function is known natively.
    pub(super) fn stands_in(&self, name: &str, file: &Path) -> Result<bool, Fault> {
        let is_of_stdlib = self.modules.named("stdlib").is_some_and(|module| file.starts_with(&module.folder));
        Ok(is_of_stdlib && self.stand_in(name)?.is_some())
    }

    /// One that is known natively.
    fn stand_in(&self, name: &str) -> Result<Option<Definition>, Fault> {
        let Some(module) = self.modules.named("stdlib") else { return Ok(None) };
        let is_it = |metadata: &&Metadata| metadata.full_name.as_deref() == Some("puppetlabs/stdlib");
        let Some(metadata) = module.metadata.as_ref().filter(is_it) else { return Ok(None) };
        let Some((api, file)) = self.modules.ruby_function_of(module, name) else { return Ok(None) };
        let version = &metadata.version;
        let major = version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or_default();
        let Some(functions) = stdlib::of_version(major) else {
            let why = format!("is of puppetlabs-stdlib {version}, of which versions 8 and 9 alone are supported");
            return Err(refused(name, &file, &why));
        };
        let Some(known) = functions.get(api, name) else { return Ok(None) };
        let mut digester = Digester::new(b"stand-in");
        digester.text(name).number(major.into()).number(api as u64);
        Ok(Some(Definition { digest: digester.finish(), code: Arc::new(StandIn(known)) }))
    }
}

fn refused(name: &str, file: &Path, why: &str) -> Fault {
    Fault::new(format!("The function '{name}' ({}) {why}", file.display()))
}
