//! Brings a machine into the state that a catalog describes: resources that can look at the machine and change it, the
//! transaction, events, reports, state.
//!
//! Everything that touches the machine goes through the door that [`pantin_machine`] is. Must not know how a catalog is
//! compiled, or how anything is shown.

mod applied_catalog;
mod check;
mod context;
mod deferred;
mod failure;
#[cfg(test)]
mod faults;
mod footprint;
mod known_sums;
mod log;
mod machine_resources;
mod managed;
mod plan;
mod provider;
mod record_file;
mod report;
mod resource;
mod run;
mod settings;
mod sources;
mod state;
mod transaction;
mod types;
mod value;

pub use applied_catalog::AppliedCatalog;
pub use check::{
    AnyModulePlugins, ModulePlugins, ModuleType, NoModulePlugins, NodeSystem, Refusal, SYSTEM_FACTS, check_catalog,
    check_resource,
};
pub use context::ApplyContext;
pub use deferred::{DeferredValues, NoDeferredValues};
pub use failure::{Failure, ProviderLack};
pub use footprint::{FileFootprint, Footprint};
pub use log::{Level, LogLine, LogSink};
pub use machine_resources::{
    ChangedResource, MachineRequest, MachineResource, change_resource, check_type, find_resource, list_resources,
};
pub use managed::{
    ChangeMessage, Generated, Managed, Observation, ObservationMode, Property, StateCheck, ensure_message, is_equal,
};
pub use pantin_values::Value;
pub use plan::{DriftMode, MAX_REMOVALS, Plan, PlannedChange, PlannedResource, Prune, Scope};
pub use provider::{Delta, ProvidedBy, ProvidedResource, Provider, ProviderEntry, Row, SetMode, WantedResource};
pub use report::{Event, EventStatus, Metric, Number, Report, Status, StoredReport};
pub use resource::{AttributeRule, AttributeValues, Draft, Metaparameters, ResourceInfo};
pub use run::{Applied, ApplyRequest, apply};
pub use settings::{ApplySettings, ReadAhead};
pub use sources::{NoSources, Sources};
pub use transaction::is_removable;
pub use types::{FileToRead, Make, NewResource, TypeEntry, Validate, find_type, type_names};
pub use value::{display, inspect, text};
