//! Functions of version 9 that have a name within `stdlib::` now: the older name warns, and calls the newer one.

use super::deprecation::deprecate;
use crate::{Builtin, Flow, Invocation, optional_block, overload, repeated};

macro_rules! shim {
    ($name:literal) => {
        Builtin::typed(
            $name,
            &[overload(&[repeated("Any", "args")], None, |call| moved(call, $name, concat!("stdlib::", $name)))],
            concat!("The older name of stdlib::", $name, "."),
        )
    };
}

pub(super) static NEW: &[Builtin] = &[
    shim!("batch_escape"),
    shim!("ensure_packages"),
    shim!("fqdn_rand_string"),
    shim!("fqdn_rotate"),
    shim!("has_interface_with"),
    shim!("os_version_gte"),
    shim!("parsehocon"),
    shim!("powershell_escape"),
    shim!("seeded_rand"),
    shim!("seeded_rand_string"),
    shim!("shell_escape"),
    shim!("to_json"),
    shim!("to_json_pretty"),
    shim!("to_python"),
    shim!("to_ruby"),
    shim!("to_toml"),
    shim!("to_yaml"),
    shim!("type_of"),
    shim!("validate_domain_name"),
    shim!("validate_email_address"),
    Builtin::typed(
        "merge",
        &[overload(&[repeated("Any", "args")], optional_block("Variant[Callable[2,2], Callable[3,3]]"), |call| {
            moved(call, "merge", "stdlib::merge")
        })],
        "The older name of stdlib::merge.",
    ),
    Builtin::typed(
        "time",
        &[overload(&[repeated("Any", "args")], None, |call| {
            let args = call.args().iter().cloned().collect();
            call.call_function("stdlib::time", args)
        })],
        "The older name of stdlib::time.",
    ),
];

fn moved(call: &mut Invocation<'_, '_>, name: &str, newer: &str) -> Flow {
    deprecate(call, name, &format!("This function is deprecated, please use {newer} instead."), false)?;
    let args = call.args().iter().cloned().collect();
    call.call_function(newer, args)
}
