//! Keys that stand nowhere, told at once: of the parameters of classes, which are all looked up, nearly none has a value.

use super::key::{self, LOOKUP_OPTIONS};
use super::lookups::{Lookups, Wanted};

impl Lookups {
    /// Whether surely no data has a key: all layers are known, and rest on nothing that could have changed. Nothing is asked
    /// for that. `is_hidden`: whether a local of the code that asks hides a variable.
    pub fn surely_lacks(&self, wanted: &Wanted, is_hidden: impl Fn(&str) -> bool) -> bool {
        let is_alone = self.current.borrow().is_none() && self.names.borrow().is_empty();
        if !is_alone || self.explains() || !wanted.is_name_alone() {
            return false;
        }
        let name = wanted.name.as_str();
        if !key::is_name(name) || name == LOOKUP_OPTIONS || self.settings.data_binding_terminus != "hiera" {
            return false;
        }
        self.asked.note(name);
        let module = key::module_of(name);
        self.options.do_not_matter_to(name, &module) && self.layers.all_lack(name, module.as_ref(), &is_hidden)
    }
}

impl Wanted {
    /// Whether nothing is said of how the key is to be looked up.
    fn is_name_alone(&self) -> bool {
        self.merge.is_undef()
            && !self.is_hiera_call
            && self.locations.is_empty()
            && self.overrides.is_empty()
            && self.defaults.is_empty()
    }
}
