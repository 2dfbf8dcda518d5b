//! Tables of the built-in methods, by class and name.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::class::{CORE, Class, Core};
use super::classes;
use super::interp::{CallArguments, Classes, Interp};
use super::stop::Flow;

/// Whether a method is one of a class's objects, or of the class itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Side {
    Instance,
    Class,
}

pub(super) type Run = for<'a, 'g, 'o> fn(&'a mut Interp<'o>, &'a CallArguments<'g>) -> Flow;

pub(super) struct NativeMethod {
    pub(super) name: &'static str,
    /// How many arguments it takes at least and at most; `ANY` is no bound.
    pub(super) min_args: u8,
    pub(super) max_args: u8,
    pub(super) is_private: bool,
    /// Whether it goes through a text that is no UTF-8 letter by letter (`classes::broken`), and does not refuse it.
    pub(super) by_letters: bool,
    pub(super) run: Run,
}

pub(super) const ANY: u8 = u8::MAX;

pub(super) const fn method(name: &'static str, least: u8, most: u8, run: Run) -> NativeMethod {
    NativeMethod { name, min_args: least, max_args: most, is_private: false, by_letters: false, run }
}

/// A method of texts that takes those that are no UTF-8 too.
pub(super) const fn by_letters(name: &'static str, least: u8, most: u8, run: Run) -> NativeMethod {
    NativeMethod { by_letters: true, ..method(name, least, most, run) }
}

/// One that is called without a receiver, such as `raise`.
pub(super) const fn private(name: &'static str, least: u8, most: u8, run: Run) -> NativeMethod {
    NativeMethod { is_private: true, ..method(name, least, most, run) }
}

/// What a file of a class has to offer.
pub(super) type Table = (Core, Side, &'static [NativeMethod]);

type Inherited = FxHashMap<&'static str, (&'static NativeMethod, Class)>;

pub(super) struct Tables {
    methods: FxHashMap<(Class, Side), FxHashMap<&'static str, &'static NativeMethod>>,
    /// All that objects of a class have, from its modules and the classes above too, and whose it is; made when it is asked.
    inherited: Vec<OnceLock<Inherited>>,
    /// Methods that Ruby has, by class: what of them is in no table is not supported.
    known: FxHashMap<(Class, Side), rustc_hash::FxHashSet<&'static str>>,
}

impl Tables {
    pub(super) fn shared() -> &'static Tables {
        static TABLES: OnceLock<Tables> = OnceLock::new();
        TABLES.get_or_init(|| {
            let mut tables = Tables {
                methods: FxHashMap::default(),
                inherited: CORE.iter().map(|_| OnceLock::new()).collect(),
                known: classes::known_methods(),
            };
            for (class, side, methods) in classes::tables() {
                let table = tables.methods.entry((class.class(), side)).or_default();
                table.extend(methods.iter().map(|method| (method.name, method)));
            }
            tables
        })
    }

    pub(super) fn get(&self, class: Class, side: Side, name: &str) -> Option<&'static NativeMethod> {
        class.core()?;
        self.methods.get(&(class, side))?.get(name).copied()
    }

    /// Returns what an object of a class has under this name, as long as nobody has added anything; and whose it is.
    pub(super) fn inherited(&self, class: Class, name: &str) -> Option<(&'static NativeMethod, Class)> {
        let all = self.inherited.get(class.0 as usize)?.get_or_init(|| {
            let mut all = Inherited::default();
            for owner in Classes::default().ancestors(class) {
                for (name, method) in self.methods.get(&(owner, Side::Instance)).into_iter().flatten() {
                    all.entry(name).or_insert((method, owner));
                }
            }
            all
        });
        all.get(name).copied()
    }

    /// Returns true if any class has a method of this name.
    pub(super) fn any_has(&self, name: &str) -> bool {
        self.methods.values().any(|methods| methods.contains_key(name))
    }

    /// Returns true if Ruby has a method of this name in any class that is here.
    pub(super) fn any_knows(&self, name: &str) -> bool {
        self.known.values().any(|known| known.contains(name))
    }

    /// The same of the classes that are not Puppet's.
    pub(super) fn ruby_knows(&self, name: &str) -> bool {
        let is_of_puppet = |class: &Class| class.core().is_some_and(|core| core.path.starts_with("Puppet"));
        self.known.iter().any(|((class, _), known)| !is_of_puppet(class) && known.contains(name))
    }

    pub(super) fn is_known(&self, class: Class, side: Side, name: &str) -> bool {
        self.known.get(&(class, side)).is_some_and(|known| known.contains(name))
    }
}
