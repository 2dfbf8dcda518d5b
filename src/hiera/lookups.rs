//! The look-ups of one request, and the door to them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use pantin_base::nearest;
use pantin_model::trace::LookupQuestion;
use pantin_values::{Hash, Str, Value};
use rustc_hash::FxHashMap;

use super::context::BackendCall;
use super::decrypted::DecryptedTexts;
use super::explain::Explainer;
use super::keys::{KeyHash, KeyLog};
use super::layer::Layers;
use super::options::KnownOptions;
use super::outside::{FileUse, Outside};
use super::search::{Call, Search};
use super::settings::Settings;
use super::store::{Content, Format, Hiera, Loaded};
use super::trouble::Trouble;
use super::undefs::{is_undef_symbol, without};

/// One node's request. A back end may look up keys itself: everything here is borrowed for moments only.
pub struct Lookups {
    pub(super) hiera: Arc<Hiera>,
    pub(super) settings: Settings,
    pub(super) layers: Layers,
    pub(super) options: KnownOptions,
    /// The files of this request, so that one is read once.
    pub(super) files: RefCell<FxHashMap<(PathBuf, Format, FileUse), Arc<Loaded>>>,
    pub(super) asked: KeyLog,
    /// What back ends have made of files, by their paths.
    pub(super) file_data: RefCell<Hash>,
    /// The keys and expressions that are being looked up, outermost first.
    pub(super) names: RefCell<Vec<Str>>,
    pub(super) explainer: RefCell<Option<Explainer>>,
    /// The calls of back ends that are not finished.
    pub(super) running: RefCell<Vec<Rc<BackendCall>>>,
    /// Texts that were decrypted.
    pub(super) decrypted: RefCell<BTreeSet<Str>>,
    /// Keys whose values could not be.
    pub(super) unread: RefCell<BTreeSet<Str>>,
    /// Whether any value had `:undef` in it.
    pub(super) saw_undef: Cell<bool>,
    /// What the look-up that is under way hands to those inside it.
    pub(super) current: RefCell<Option<Call>>,
}

/// What becomes of encrypted values where there is no private key.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MissingKey {
    #[default]
    Error,
    /// A text that says so stands for them.
    Placeholder,
}

/// What is wanted.
#[derive(Clone, Debug, Default)]
pub struct KeyRequest {
    pub name: Str,
    /// Undef, the name of a strategy, or a hash with the name and options.
    pub merge: Value,
    /// One of the functions `hiera…` asks.
    pub is_hiera_call: bool,
    /// The locations that it asks for before all others.
    pub locations: Arc<[Str]>,
    /// What `%{…}` finds before and after the variables.
    pub overrides: Hash,
    pub defaults: Hash,
    /// The data of modules does not count.
    pub skips_modules: bool,
}

impl KeyRequest {
    pub fn named(name: impl Into<Str>) -> KeyRequest {
        KeyRequest { name: name.into(), ..KeyRequest::default() }
    }

    pub fn from_question(question: &LookupQuestion) -> KeyRequest {
        KeyRequest {
            name: question.key.clone(),
            merge: question.merge.clone(),
            is_hiera_call: question.is_hiera_call,
            locations: Arc::clone(&question.locations),
            overrides: question.overrides.clone(),
            defaults: question.defaults.clone(),
            skips_modules: false,
        }
    }
}

impl Lookups {
    pub fn new(hiera: Arc<Hiera>, settings: Settings) -> Lookups {
        Lookups {
            hiera,
            settings,
            layers: Layers::default(),
            options: KnownOptions::default(),
            files: RefCell::default(),
            asked: KeyLog::default(),
            file_data: RefCell::default(),
            names: RefCell::default(),
            explainer: RefCell::default(),
            running: RefCell::default(),
            decrypted: RefCell::default(),
            unread: RefCell::default(),
            saw_undef: Cell::default(),
            current: RefCell::default(),
        }
    }

    pub fn has_decrypted(&self) -> bool {
        !self.decrypted.borrow().is_empty()
    }

    /// Returns what was decrypted so far.
    pub fn decrypted(&self) -> DecryptedTexts {
        self.decrypted.borrow().iter().cloned().collect()
    }

    /// Returns true if a text shows what was decrypted so far: it is to be kept secret.
    pub fn contains_decrypted_text(&self, text: &str) -> bool {
        self.decrypted.borrow().iter().any(|secret| text.contains(secret.as_str()))
    }

    /// Returns the keys so far for whose values, or parts of them, something stood because they could not be decrypted.
    pub fn unread(&self) -> Vec<Str> {
        self.unread.borrow().iter().cloned().collect()
    }

    /// Returns the value of a key, merged and not checked; `None` where no data has it.
    pub fn lookup(&self, wanted: &KeyRequest, outside: &mut dyn Outside) -> Result<Option<Value>, Trouble> {
        let found = self.lookup_parameter(wanted, outside)?;
        Ok(found.map(|value| if is_undef_symbol(&value) { Value::Undef } else { value }))
    }

    /// The same for a parameter of a class, to which the symbol `:undef` is another answer than undef.
    pub fn lookup_parameter(&self, wanted: &KeyRequest, outside: &mut dyn Outside) -> Result<Option<Value>, Trouble> {
        let call = Call::new(wanted, self.current.borrow().as_ref());
        let mut search = Search::new(self, outside, call);
        if wanted.is_hiera_call {
            search.confine_to_global()?;
        }
        let found = search.lookup(&wanted.name, &wanted.merge)?;
        Ok(found.map(|value| match self.saw_undef.get() && !is_undef_symbol(&value) {
            true => without(value),
            false => value,
        }))
    }

    /// Returns the keys that were asked for in files of data so far, by their hashes, ascending.
    pub fn asked_keys(&self) -> Vec<KeyHash> {
        self.asked.hashes(&self.hiera.key_hashes)
    }

    /// Keys, and expressions, with the hashes of others that were come to because of what they say.
    pub fn keys_asked_inside(&self) -> Vec<(Str, KeyHash)> {
        self.asked.inner()
    }

    /// Returns the files of data that were read so far, sorted.
    pub fn read_files(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self.files.borrow().keys().map(|(path, _, _)| path.clone()).collect();
        paths.sort();
        paths.dedup();
        paths
    }

    /// A key of the data that was read which may have been meant by another.
    pub fn nearest_key(&self, key: &str) -> Option<String> {
        let files = self.files.borrow();
        let tables = files.values().filter_map(|loaded| match &loaded.content {
            Content::Table(table) => Some(table.entries.keys().filter_map(Value::as_str)),
            Content::Other(_) | Content::Broken(_) => None,
        });
        nearest(key, tables.flatten()).map(str::to_owned)
    }

    /// Returns true if notes are taken.
    pub fn explains(&self) -> bool {
        self.explainer.borrow().is_some()
    }

    /// From now on notes are taken. The same explainer may see several look-ups.
    pub fn explain_with(&self, explainer: Explainer) {
        self.explainer.replace(Some(explainer));
    }

    /// Returns the notes so far; none are taken any more.
    pub fn explained(&self) -> Option<Explainer> {
        self.explainer.take()
    }
}

impl std::fmt::Debug for Lookups {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lookups").field("settings", &self.settings).finish_non_exhaustive()
    }
}
