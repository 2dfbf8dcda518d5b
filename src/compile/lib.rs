//! The compiler: bodies run against a host that holds the state of one node, from a request to its answer. Must not know a
//! command line, a store, or how an answer is shown.
//!
//! `codebase` and `code` hold what is parsed, shared by all nodes; `loader` what one request has loaded of it;
//! `node` the catalog of one node while it is made. `catalog` compiles a node of an environment, `program` one piece of
//! code; `compat` says what of the modules' Ruby runs here.
//!
//! ```text
//! catalog.rs    a `Site`: an environment whose manifests are parsed, ready for any node
//! program.rs    one piece of code as the whole of what is evaluated (`pantin eval`, `pantin epp`)
//! codebase.rs, code.rs   what all nodes share: files parsed once, each definition lowered when it is first wanted
//! memo.rs       what was worked out of files, kept as long as they say what they said; by paths for every list of modules, by
//!               names (`codebase::Names`) for one: another module may give a name another meaning
//! alias_memo.rs what type aliases stand for, for all nodes in which the names in them mean the same
//! loader.rs, known_definitions.rs  what one request has loaded: what a name means depends on what was loaded before
//! similar.rs    what was probably meant, for errors about names that nothing has
//! prefetch.rs   what loaded code names is read by threads that have nothing else to do, before the node gets to it
//! types.rs, type_set.rs  aliases and object types of manifests and modules
//! resource_types.rs      types of resources: native ones, then those that a module declares in Ruby, read once for all nodes
//! title_converter.rs     what code of such a type makes of its titles
//! node/         the catalog of one node while it is made; `mod.rs` has the sequence of it
//!   host.rs         the door of its bodies: which question and which effect is whose
//!   state/          the catalog under construction; every look at what a patch may change is recorded there
//!   variables.rs, questions.rs, lookup.rs             what bodies may ask
//!   start.rs, classes.rs, declare.rs, defines.rs      what they declare, and when it is evaluated
//!   overrides.rs, collectors.rs, collector_query.rs, relationships.rs   what changes resources that stand elsewhere
//!   finish.rs                                         the end
//!   walks.rs                                          the walks through its bodies: for patching
//!   lookup_observations.rs                            look-ups, and the variables that they read: for patching
//!   binding_observations.rs                           what was asked of the injector: for patching
//! recalled.rs   runs today's code of a class or a defined type on the answers of a trace
//! question_replayer.rs   repeats the look-ups of a node after an edit of data
//! injection_replayer.rs  asks an injector again after an edit of bindings
//! node_independent_answers.rs   answers that are the same for all nodes of an environment
//! deferred_functions.rs  the functions that a catalog leaves to the agent
//! static_catalog.rs      what a static catalog says of the files of modules
//! report.rs     the log and the errors, word for word
//! ```
//!
//! **Reading ahead.** A node is compiled on one thread. If it is the only one, the other threads read ahead (`prefetch.rs`): with a
//! loader of their own they find what the loaded files name (classes, types, functions, templates), parse and lower it,
//! and go on from there. The results are the shared ones that the node would have made itself (`memo.rs`), so nothing waits for
//! them, nothing depends on them, and an error in a branch that is not taken is never reported.
//!
//! **Ruby in modules.** Functions of the newer interface are looked for in every module; types, providers and functions of the
//! older interface in `lib` of every folder of the module path (`load::PluginKind`). Which of these have any is read once, and
//! only they are searched for a name; whether a folder has a name is one leaf (`LeafKind::Named`), wherever a link of that name
//! leads. What was worked out of a type holds for one list of modules (`Memo::get_for_modules`).
//!
//! **Equal resources.** Most resources of a node are equal to those of a node before it. Before a resource is made for the wire,
//! its parts are compared with those of recent resources of its type and title (`node/state/resource_interner.rs`). If all are
//! equal, the earlier object is used again, and its JSON, which is kept from the second use on
//! (`catalog::RenderedText`), is copied. No answer depends on this: the tests of reuse compare with compilers without it
//! (`Site::with_nothing_alike`). The number of kept resources is bounded, in two generations. Tables that number tags
//! (`catalog::TagTables`) pass from catalog to catalog in the same way.

mod alias_memo;
mod binding_code;
mod bindings;
pub mod catalog;
#[cfg(test)]
mod catalog_tests;
mod clock;
mod code;
mod codebase;
pub mod compat;
mod deferred_functions;
mod doubtful;
mod environments_file;
mod exchange;
mod file;
mod generated_types;
mod injection_replayer;
mod known_definitions;
mod known_modules;
mod loader;
mod memo;
mod module_plugins;
mod node;
mod node_block;
mod node_independent_answers;
mod prefetch;
mod program;
mod question_replayer;
mod recalled;
mod redefined;
mod report;
mod resource_checks;
mod resource_types;
mod ruby_functions;
mod session;
mod similar;
mod static_catalog;
#[cfg(test)]
mod tests;
mod title_converter;
mod type_set;
mod types;

pub use bindings::{
    BindingsCheck, FileBinding, bound_names, bound_resource, changed_bindings, named_rows, row_hashes_of_name,
    rows_of_bindings, written_bindings,
};
pub use catalog::Site;
pub use clock::{BodyClock, BodyRun};
pub use deferred_functions::deferred_functions;
pub use environments_file::{
    ChoiceRequest, EnvironmentChoice, EnvironmentsFile, NoChoice, SettingFolders, WrittenEnvironments,
};
pub use exchange::{Exchange, ExchangeResult, RoundExchanges, UnsettledExports, digests_by_type, settle};
pub use injection_replayer::{BoundParameter, ChangedRows, InjectionReplayer, RereadBindings, changed_rows};
pub use module_plugins::ModulePlugins;
pub use node::{
    BindingObservations, BindingReads, Bodies, BodyWalk, ExplainedInjection, InjectionAnswer, InjectionRequest,
    LookupObservations, NodeRequest, ObservedNames, ParameterGiver, RowHash, WalkContent, Walks, WantedKey, file_hash,
    hash_of_row, presence_of_resource_hash, variable_hash,
};
pub use node_block::NodeBlock;
pub use node_independent_answers::SharedDependencies;
pub use pantin_bindings::{
    Injector, Problem as BindingsProblem, REPLACEMENTS, Row, SharedInjectors, Subject, Table, WrittenBinding,
    contributions_row, parameter_subject, shown_row,
};
pub use program::{CompileError, Program, ProgramContext, ProgramOutput, Request};
pub use question_replayer::QuestionReplayer;
pub use recalled::Recaller;
pub use report::{LogLine, without_node};
pub use resource_checks::CheckedType;
pub use session::Session;
pub use static_catalog::{served_sources, served_sources_of};
