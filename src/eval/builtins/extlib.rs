//! `extlib::cache_data`, of the module extlib: what a server keeps in a folder of its own, such as passwords made at random.
//!
//! The folder is no part of a repository, and writing into it is no part of compiling: a text stands for the data, the same in each run.

use std::sync::LazyLock;

use pantin_values::Value;

use crate::{Builtin, Builtins, Flow, Invocation, RegisteredFunction, overload, required};

/// Functions that read and write files of the server.
pub const CACHE_FUNCTION: &str = "extlib::cache_data";

static FUNCTIONS: &[Builtin] = &[Builtin::typed(
    CACHE_FUNCTION,
    &[overload(
        &[required("String[1]", "namespace"), required("String[1]", "name"), required("Any", "initial_data")],
        None,
        cache_data,
    )],
    "A text that stands for data which a server keeps.",
)];

static REGISTERED: LazyLock<Builtins> = LazyLock::new(|| Builtins::from_functions(FUNCTIONS.iter()));

/// Returns the function of this name that stands in for the module's own.
pub fn stand_in(name: &str) -> Option<&'static RegisteredFunction> {
    REGISTERED.get(name)
}

fn cache_data(call: &mut Invocation<'_, '_>) -> Flow {
    let name = call.take(1);
    let placeholder = format!("[cache_data {}]", name.as_str().unwrap_or_default());
    call.warn(format!("{CACHE_FUNCTION} keeps its data in a folder of the server: {placeholder} stands for it"))?;
    let is_secret = matches!(call.arg(2), Value::Sensitive(_));
    let placeholder = Value::from(placeholder);
    Ok(if is_secret { Value::sensitive(placeholder) } else { placeholder })
}
