//! Functions that modules define in Ruby: where such a file is, and who answers for it.
//!
//! Those of puppetlabs-stdlib are known natively; the small Ruby runs all others. That a function is there at all, and how it behaves, is a matter of
//! the module that the environment has: of its files, and of its version.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::codebase::CodeBase;
use crate::builtins::stdlib;
use crate::eval::{Api, StandIn};
use crate::pcore::{Digester, Fault};
use crate::ruby::{self, FunctionFile, Script};
use crate::trace::{Definition, RubyFile};
use crate::world::modules::Metadata;

impl CodeBase {
    /// A function that a module defines in Ruby.
    pub(super) fn ruby_function(&self, name: &str) -> Result<Option<Definition>, Fault> {
        match self.stand_in(name)? {
            Some(found) => Ok(Some(found)),
            None => self.written_in_ruby(name),
        }
    }

    /// One that the small Ruby runs.
    fn written_in_ruby(&self, name: &str) -> Result<Option<Definition>, Fault> {
        let modules = &self.modules;
        let found = match name.split_once("::") {
            Some((module, _)) => modules.named(module).and_then(|module| self.ruby_file(&module.folder, name)),
            None => modules.all().iter().find_map(|module| self.ruby_file(&module.folder, name)),
        };
        let Some((api, path)) = found else { return Ok(None) };
        let script = self.script(RubyFile::Library, &path)?;
        let api = if api == Api::Typed { ruby::Api::Newer } else { ruby::Api::Older };
        let function = FunctionFile { name: name.into(), api, script: script_of(&script)? };
        Ok(Some(Definition { digest: script.digest, code: Arc::new(function) }))
    }

    /// One that is known natively.
    fn stand_in(&self, name: &str) -> Result<Option<Definition>, Fault> {
        let Some(module) = self.modules.named("stdlib") else { return Ok(None) };
        let is_it = |metadata: &&Metadata| metadata.full_name.as_deref() == Some("puppetlabs/stdlib");
        let Some(metadata) = module.metadata.as_ref().filter(is_it) else { return Ok(None) };
        let Some((api, file)) = self.ruby_file(&module.folder, name) else { return Ok(None) };
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

    /// Where a module defines a function, and for which of the two interfaces.
    fn ruby_file(&self, module: &Path, name: &str) -> Option<(Api, PathBuf)> {
        let is_name = |character: char| character.is_ascii_alphanumeric() || character == '_' || character == ':';
        if name.is_empty() || !name.chars().all(is_name) {
            return None;
        }
        let newer = module.join("lib/puppet/functions").join(name.replace("::", "/")).with_extension("rb");
        let older = module.join("lib/puppet/parser/functions").join(name).with_extension("rb");
        let found = |file: &PathBuf| self.modules.disk.exists(file);
        let newer = Some(newer).filter(found).map(|file| (Api::Typed, file));
        newer.or_else(|| Some(older).filter(|file| !name.contains(':') && found(file)).map(|file| (Api::Untyped, file)))
    }
}

fn refused(name: &str, file: &Path, why: &str) -> Fault {
    Fault::new(format!("The function '{name}' ({}) {why}", file.display()))
}

fn script_of(definition: &Definition) -> Result<Arc<Script>, Fault> {
    let code: Arc<dyn Any + Send + Sync> = definition.code.clone();
    code.downcast().map_err(|_| Fault::new("internal error: a file of Ruby is none"))
}
