//! A small Ruby: as much of the language as templates and functions of modules use, in a sandbox.
//!
//! `parse` has prism read a text, and `lower` makes a compact tree of it, which any thread may share; `interp` runs
//! that tree. `value`, `text` and `table` are Ruby's values; what the built-in classes can do stands in `classes`, one
//! family a file, and what Puppet's own Ruby code offers in `puppet`. `survey` looks at a tree without running it. `erb` makes Ruby code of a template.
//!
//! Nothing of the world is reached but through [`Outside`]: no file, no process, no variable of the environment, no
//! clock. What Ruby has and this has not is an error that names the method, its class, the file and the line; what no
//! Ruby has either is the exception that Ruby would raise.

mod alone;
mod border;
mod class;
mod classes;
mod code;
pub mod crypt;
mod deep;
mod erb;
mod error;
mod interp;
mod lower;
mod memory;
mod native;
mod outside;
mod own;
mod parse;
mod puppet;
mod stop;
mod survey;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod value;
mod void;

pub use alone::{Bounds, Nowhere, evaluate};
pub use classes::is_built_in_library;
pub use code::{MethodPlace, Script};
pub use erb::{inline_template, template};
pub use error::{Around, Raised, RubyError};
pub use outside::{Called, Held, Outside, Place, Seen, Trouble, TroubleKind};
pub use own::{OwnRuby, RubyBlock};
pub use parse::SyntaxError;
pub use puppet::is_older_function;
pub use puppet::{
    DataType, Declaration, DeclaredBlock, DeclaredParam, Dispatch, FunctionFile, RubySignature, call_function,
    call_member, data_type, declaration, load_error, render, type_table, wrong_count,
};
pub use survey::{Defined, Known, Lack, Required, Role, Survey};
