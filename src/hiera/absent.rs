//! A fast test for keys that no data has: of the parameters of classes, which are all looked up, nearly none has a value.

use pantin_values::Str;

use super::key::{self, LOOKUP_OPTIONS};
use super::lookups::Lookups;

impl Lookups {
    /// Returns true if surely no data has a key: all layers are known, and depend on nothing that could have changed.
    /// Nothing is asked for that.
    pub fn surely_lacks(&self, name: &Str) -> bool {
        let is_alone = self.current.borrow().is_none() && self.names.borrow().is_empty();
        if !is_alone || self.explains() {
            return false;
        }
        if !key::is_name(name) || name == LOOKUP_OPTIONS || self.settings.data_binding_terminus != "hiera" {
            return false;
        }
        self.asked.note(name);
        let module = key::module_name(name);
        self.options.do_not_matter_to(name, &module) && self.layers.all_lack(name, module.as_ref())
    }
}
