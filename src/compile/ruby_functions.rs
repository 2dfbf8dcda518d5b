//! Functions that modules define in Ruby: native, run by the small Ruby, or over the bridge.
//!
//! Those of puppetlabs-stdlib are known natively, where the module has the files that they were compared with; the small
//! Ruby runs all others.
//!
//! What a name means as a function is asked of the host: a function of a manifest, then `functions/*.pp` of a module, then what a
//! module defines in Ruby. Of that, the functions of puppetlabs-stdlib 8 and 9 are known natively (`pantin_eval::builtins::stdlib`): they stand in
//! for the module's own files, so that one is there only where its file is, in the folder `stdlib` whose `metadata.json` says
//! that it is that module, and only where the file says what the native function was compared with (here): `stdlib/files.txt` has
//! the digest of each, comments aside. What another version has for it, or somebody has changed there, the small Ruby runs, but for three functions of versions from 4.24 to 7 that rest
//! on what is Puppet's own or the server's. Functions of the older kind
//! (`lib/puppet/parser/functions`) get their arguments as Ruby's were given them, and fail in their words; those of the newer kind
//! have signatures as data, as core functions have. What has no namespace is asked for together with the module whose code calls
//! (`Unit::module`): the environment's own comes first, then that of the module, of those that its metadata names, of all in their order. Of
//! the older kind the first that is loaded is that of all, so that a name can mean what another body has made of it: nodes in which
//! several modules have one are walked after an edit, not patched (`ObservedNames::is_in_any_order`). A function of the newer kind has no scope but
//! the one at the top, and calls others from there (`Machine::enter_top`). A warning of deprecation tells the calls that led to it: an effect
//! carries those within its body, and the host adds the rest. The module's types are its own files.

use std::path::Path;
use std::sync::Arc;

use pantin_base::LiteralPath;
use pantin_eval::StandIn;
use pantin_eval::builtins::extlib;
use pantin_model::trace::{Definition, FileKind, RubyFile};
use pantin_ruby::Script;
use pantin_values::signature::Api;
use pantin_values::{Digester, Fault, Str};
use pantin_world::LeafKind;
use pantin_world::load::{FunctionFile, Places};
use pantin_world::modules::Metadata;

use super::codebase::{CodeBase, KnownBy};

impl CodeBase {
    /// Finds the file of a function that the code of a module sees first: what the modules have, then what the older
    /// autoloader finds elsewhere.
    pub(super) fn function_file(&self, name: &str, from: &str) -> Option<FunctionFile> {
        let all = self.functions_of(name);
        let seen = self.modules.seen_from(from, &all).cloned();
        seen.or_else(|| Some(FunctionFile::Ruby(Api::Untyped, self.stray_function(name)?.to_path_buf())))
    }

    /// Returns all functions of a name.
    fn functions_of(&self, name: &str) -> Arc<[(String, FunctionFile)]> {
        self.names.functions.get(self, name.into(), |base| {
            let among = if name.contains(':') { Places::default() } else { base.modules_with_functions() };
            base.modules.functions(name, &among).into()
        })
    }

    /// Finds the file of a function that the older autoloader takes, where that may be in no module.
    fn stray_function(&self, name: &str) -> Option<Arc<Path>> {
        let has_strays = self.modules.plugin_folders().len() > self.modules.all().len();
        if has_strays { self.file(FileKind::OlderFunction, &name.into()) } else { None }
    }

    /// Returns true if several functions of the older kind are called so: the first that is loaded is that of all.
    pub(super) fn has_rivals(&self, name: &str) -> bool {
        let all = self.functions_of(name);
        let mut older = all.iter().filter_map(|(_, file)| match file {
            FunctionFile::Ruby(Api::Untyped, file) => Some(file.as_path()),
            _ => None,
        });
        let first = older.next();
        let other = older.next().is_some();
        other || first.is_some_and(|first| self.stray_function(name).is_some_and(|stray| *stray != *first))
    }

    /// Returns a function that stands in a file of Ruby.
    pub(super) fn ruby_function(&self, name: &str, api: Api, path: &Path) -> Result<Definition, Fault> {
        match self.stand_in(name, api, path)? {
            Some(found) => Ok(found),
            None => self.written_in_ruby(name, api, path),
        }
    }

    /// One that the small Ruby runs.
    fn written_in_ruby(&self, name: &str, api: Api, path: &Path) -> Result<Definition, Fault> {
        let key = (Str::from(name), LiteralPath(path.to_owned()));
        self.memos.ruby_functions.get_for_modules(self, key, |base| {
            let script = base.script(RubyFile::Library, path)?;
            let digest = script.digest;
            let (module, script) = (base.modules.module_of_file(path), Script::from_definition(script, name)?);
            let function =
                pantin_ruby::FunctionFile::new(name.into(), api, module.into(), script, base.own_ruby.clone());
            Ok(Definition { digest, code: Arc::new(function) })
        })
    }

    /// Returns true if a file's function is known natively.
    pub(super) fn stands_in(&self, name: &str, file: &Path) -> Result<bool, Fault> {
        let stdlib = self.modules.named("stdlib").filter(|_| self.is_of_stdlib(file));
        match stdlib.and_then(|module| self.modules.find_function(module, name)) {
            Some(FunctionFile::Ruby(api, file)) => Ok(self.stand_in(name, api, &file)?.is_some()),
            _ => Ok(false),
        }
    }

    fn is_of_stdlib(&self, file: &Path) -> bool {
        self.modules.named("stdlib").is_some_and(|module| file.starts_with(&module.folder))
    }

    /// One that is known natively.
    fn stand_in(&self, name: &str, api: Api, file: &Path) -> Result<Option<Definition>, Fault> {
        if let Some(placeholder) = self.stand_in_of_extlib(name, api, file) {
            return Ok(Some(placeholder));
        }
        let Some(module) = self.modules.named("stdlib").filter(|_| self.is_of_stdlib(file)) else { return Ok(None) };
        let is_it = |metadata: &&Metadata| metadata.full_name.as_deref() == Some("puppetlabs/stdlib");
        let Some(metadata) = module.metadata.as_ref().filter(is_it) else { return Ok(None) };
        let Some(functions) = self.functions_known_by(file, &metadata.version)? else { return Ok(None) };
        let Some(known) = functions.get(api, name) else { return Ok(None) };
        let mut digester = Digester::new(b"stand-in");
        digester.text(name).number(functions.major().into()).number(api as u64);
        Ok(Some(Definition { digest: digester.finish(), code: Arc::new(StandIn(known)) }))
    }

    /// Returns what stands for files of the server where no other Ruby is there to read them.
    fn stand_in_of_extlib(&self, name: &str, api: Api, file: &Path) -> Option<Definition> {
        let known = extlib::stand_in(name).filter(|_| api == Api::Typed && self.own_ruby.is_none())?;
        let module = self.modules.named("extlib").filter(|module| file.starts_with(&module.folder))?;
        let full_name = module.metadata.as_ref()?.full_name.as_deref()?;
        let mut digester = Digester::new(b"stand-in of extlib");
        digester.text(name);
        let code = Arc::new(StandIn(known));
        (full_name == "puppet/extlib").then_some(Definition { digest: digester.finish(), code })
    }

    fn functions_known_by(&self, file: &Path, version: &str) -> KnownBy {
        self.memos.stand_ins.get(self, (version.into(), LiteralPath(file.to_owned())), |base| {
            let source = base.source(file, LeafKind::Content)?;
            Ok(base.builtins.stdlib_files.functions(source.text(), version))
        })
    }
}
