//! The evaluator of one body. It knows the outside only through [`Host`](pantin_model::trace::Host).
//!
//! A tree is lowered (`lower`) to code with resolved slots (`code`), and a machine walks that.
//! Functions are data (`function`): core functions and those of stdlib stand in `builtins`, others come from the host.
//!
//! ```text
//! lower/        a tree to code with resolved slots; what is the same every time is worked out once
//! code.rs       that code
//! machine.rs    frames, what matched, what was asked already; expressions, access, assignment, operators, calls, resources beside it
//! lambda_signature.rs  the parameters of a lambda: types, arguments, defaults
//! pending_parameters.rs  parameters while the defaults of others are worked out
//! shared_locals.rs  what others see of the locals of code that is under way
//! argument_variables.rs  what functions in Ruby see of the code that calls: its locals by their names, what of it an argument is, and
//!               what is frozen
//! function.rs   what a core function is: signatures as Puppet writes them, a sentence, the code of each
//! record.rs     tells a host that wants to know how each value came about
//! invocation.rs one call, as the code of a core function sees it
//! unencoded.rs  what core functions make of texts in no encoding
//! ```
//!
//! In the real Puppet a scope is an object with a stack: what a lambda, a function or a template has of its own lies on the scope that
//! its code stands in, and so does what has matched, and a class that is evaluated meanwhile finds it there. The locals of a body are slots
//! that nobody else sees. So just before a class is evaluated, and only where there is any such thing, an effect (`Effect::ShareLocals`) tells the
//! host all that lies on scopes then (`shared_locals.rs`); what the class finds there is an answer to its question like any other. A
//! body that ends leaves on its scope what has matched in it.
//!
//! A container of the outside (`$facts`, a hash of another scope) is a view until something needs all of it: only the parts
//! that were looked at are recorded as read. Where all keys are written as constants (`$facts['os']['family']`) the whole way is
//! one read: what stands at its end is there only if each step before it is a container; where nothing stands there, the steps
//! are asked for one by one. Views live in locals and in the hands of the evaluator; a value never holds one,
//! and its type says so (`variable_value.rs`).
//!
//! Parameters are told the host once all of them have values. Whoever looks at one before (a function by `$own_class::x`, a class that
//! a default includes, data) is shown those that have one by then: an effect of its own (`Effect::Showing`), done only before something in
//! which others may look, so that most bodies never do it.

mod access;
mod argument_variables;
mod assignment;
pub mod builtins;
mod call_stack;
mod calls;
mod code;
mod cursors;
mod deferred;
mod definition;
mod dispatch;
mod effect_log;
mod expressions;
mod function;
mod held;
mod invocation;
pub mod issue;
mod lambda_signature;
mod legacy_facts;
mod limits;
mod lower;
mod machine;
mod missing_key;
mod operators;
mod pending_parameters;
mod record;
mod resources;
mod ruby;
mod ruby_calls;
mod ruby_lambda;
mod run;
mod shared_locals;
mod stand_in;
mod stop;
mod template;
pub(crate) mod unencoded;
mod variable_value;
mod view_parts;

pub use code::Body;
pub use cursors::Cursors;
pub use definition::{Instance, check_definition, run_definition};
pub use function::{
    Block as BlockParam, Builtin, Builtins, Overload, Param, RegisteredFunction, Run, block, optional, optional_block,
    overload, repeated, required, several,
};
pub use invocation::{Block, FoundFile, Invocation};
pub use limits::{Limits, budget_fault, too_many_types};
pub use lower::{definition_body, expression_body, main_body, node_body, template_body};
pub use machine::{Machine, Settings};
pub use pending_parameters::too_early;
pub use run::{call, call_lambda, check_parameter_types, render, run};
pub use stand_in::{Function, StandIn};
pub use stop::{Flow, Reason, Stop};
pub use template::INLINE_TEMPLATE;
