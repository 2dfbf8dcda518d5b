//! Functions that modules define in Ruby: where such a file is, and who answers for it.
//!
//! Those of puppetlabs-stdlib are known natively. That a function is there at all, and how it behaves, is a matter of
//! the module that the environment has: of its files, and of its version.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::codebase::CodeBase;
use crate::builtins::stdlib;
use crate::eval::{Api, StandIn};
use crate::pcore::{Digester, Fault};
use crate::trace::Definition;

/// The module `stdlib` of an environment, if it is the one of Puppet Labs.
#[derive(Debug)]
pub(super) struct Stdlib {
    folder: PathBuf,
    /// As its metadata has it.
    version: String,
}

impl Stdlib {
    fn major(&self) -> Option<u32> {
        self.version.split('.').next()?.parse().ok()
    }

    fn read(base: &CodeBase) -> Option<Stdlib> {
        let folder = base.modules.folder("stdlib")?.to_owned();
        let content = base.content(&folder.join("metadata.json")).ok()??;
        let metadata: serde_json::Value = serde_json::from_slice(&content).ok()?;
        let is_it = matches!(metadata["name"].as_str()?, "puppetlabs-stdlib" | "puppetlabs/stdlib");
        is_it.then(|| Stdlib { folder, version: metadata["version"].as_str().unwrap_or_default().to_owned() })
    }
}

impl CodeBase {
    /// A function that a module defines in Ruby.
    pub(super) fn ruby_function(&self, name: &str) -> Result<Option<Definition>, Fault> {
        let Some(stdlib) = self.stdlib.get_or_init(|| Stdlib::read(self)) else { return Ok(None) };
        let Some((api, file)) = self.ruby_file(&stdlib.folder, name) else { return Ok(None) };
        let known = stdlib.major().and_then(stdlib::of_version).map(|functions| functions.get(api, name));
        match known {
            Some(Some(known)) => {
                let mut digester = Digester::new(b"stand-in");
                digester.text(name).number(u64::from(stdlib.major().unwrap_or_default())).number(api as u64);
                Ok(Some(Definition { digest: digester.finish(), code: Arc::new(StandIn(known)) }))
            }
            Some(None) => Err(refused(name, &file, "is not known natively, and Ruby code is not run")),
            None => {
                let version = &stdlib.version;
                let why = format!("is of puppetlabs-stdlib {version}, of which versions 8 and 9 alone are supported");
                Err(refused(name, &file, &why))
            }
        }
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
