//! The evaluator of one body. It knows the outside only through [`Host`](pantin_model::trace::Host).
//!
//! A tree is lowered (`lower`) to code with resolved slots (`code`), and a machine walks that.
//! Core functions are given in as data (`function`): which there are, another room says.

pub mod builtins;
mod calls;
mod code;
mod cursors;
mod deeds;
mod deferred;
mod definition;
mod dispatch;
mod elsewhere;
mod expressions;
mod function;
mod given;
mod half_done;
mod held;
mod invocation;
pub mod issue;
mod laid;
mod limits;
mod lower;
mod machine;
mod operators;
mod resources;
mod ruby;
mod ruby_calls;
mod run;
mod seen;
mod stand_in;
mod stop;
mod template;
mod under_way;
pub(crate) mod unencoded;

pub use code::Body;
pub use cursors::Cursors;
pub use definition::{Instance, check_definition, run_definition};
pub use function::{
    Block as BlockParam, Builtin, Builtins, Known, Overload, Param, Run, block, optional, optional_block, overload,
    repeated, required, several,
};
pub use half_done::too_early;
pub use invocation::{Block, FoundFile, Invocation};
pub use limits::Limits;
pub use lower::{definition_body, main_body, node_body, template_body};
pub use machine::{Machine, Settings};
pub use run::{call, check_parameter_types, render, run};
pub use stand_in::{Function, StandIn};
pub use stop::{Flow, Reason, Stop};
pub use template::INLINE_TEMPLATE;
