//! Which provider carries a resource out, for types with several: the one that it names, or the first that works on this machine.
//!
//! Knows of no provider what it does.

use pantin_machine::Reading;

use super::provider_command::find_program;
use crate::failure::{Failure, ProviderLack};
use crate::resource::AttributeValues;

/// A provider that is not carried out here, and a program without which it does not work; none where that is another system's.
pub(super) type ForeignProvider = (&'static str, Option<&'static str>);

/// The providers of a type that are carried out here.
pub(super) trait NativeProvider: Copy + 'static {
    const TYPE: &'static str;
    /// In the order in which they are tried.
    const ALL: &'static [Self];
    const FOREIGN: &'static [ForeignProvider];

    fn name(self) -> &'static str;

    /// Returns true if it works on this machine.
    fn works_on(self, machine: &dyn Reading) -> bool;

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|provider| provider.name() == name)
    }

    /// Returns the names of all providers that Puppet has, carried out here or not.
    fn known_names() -> impl Iterator<Item = &'static str> {
        let native = Self::ALL.iter().map(|provider| provider.name());
        native.chain(Self::FOREIGN.iter().map(|(known, _)| *known))
    }

    /// Returns the provider of resources that name none.
    fn usual(machine: &dyn Reading) -> Option<Self> {
        Self::ALL.iter().copied().find(|provider| provider.works_on(machine))
    }

    /// Returns the provider that carries a resource out, or why none does.
    fn choose(values: &AttributeValues, machine: &dyn Reading) -> Result<Self, Failure> {
        let usual = || Self::usual(machine).map(|provider| provider.name().to_owned());
        let Some(name) = values.text("provider").or_else(usual) else {
            return Err(Failure::lack(ProviderLack::OfType(Self::TYPE.to_owned())));
        };
        match Self::from_name(&name) {
            Some(provider) if provider.works_on(machine) => Ok(provider),
            Some(_) => Err(Failure::lack(ProviderLack::Named(name))),
            None => {
                let known = Self::FOREIGN.iter().find(|(known, _)| *known == name);
                let program = known.and_then(|(_, program)| *program);
                match program.is_some_and(|program| find_program(program, machine).is_some()) {
                    true => Err(Failure::new(format!("no native provider yet: '{name}' of the type {}", Self::TYPE))),
                    false => Err(Failure::lack(ProviderLack::Named(name))),
                }
            }
        }
    }
}
