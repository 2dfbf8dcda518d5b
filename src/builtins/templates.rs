//! `epp` and `inline_epp`: templates of Puppet code.

use crate::eval::{Builtin, Flow, Invocation, optional, overload, required};
use crate::pcore::{Hash, Str, Value};
use crate::trace::{Answer, FileKind, Question};

const RESULT: &str = "Variant[String, Sensitive[String]]";

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::typed(
        "epp",
        &[overload(&[required("String", "path"), optional("Hash[Pattern[/^\\w+$/], Any]", "parameters")], None, epp)
            .returning(RESULT)],
        "The text that a template of a module gives with the parameters.",
    ),
    Builtin::typed(
        "inline_epp",
        &[overload(
            &[required("String", "template"), optional("Hash[Pattern[/^\\w+$/], Any]", "parameters")],
            None,
            inline_epp,
        )
        .returning(RESULT)],
        "The text that a template gives with the parameters; it sees the variables of the code that calls.",
    )
    .finding_variables(),
];

fn parameters(call: &mut Invocation<'_, '_>) -> Hash {
    match call.take(1) {
        Value::Hash(parameters) => parameters,
        _ => Hash::default(),
    }
}

fn epp(call: &mut Invocation<'_, '_>) -> Flow {
    let Value::String(name) = call.take(0) else { return Ok(Value::Undef) };
    let name = with_ending(call, name)?;
    match call.template(&name)? {
        Some(template) => {
            let parameters = parameters(call);
            call.render(&template, &parameters)
        }
        None => Err(call.fault(format!("Could not find template '{name}'"))),
    }
}

/// The ending may be left out, unless the name is the path of a file as it stands.
fn with_ending(call: &mut Invocation<'_, '_>, name: Str) -> Flow<Str> {
    if name.ends_with(".epp") {
        return Ok(name);
    }
    if name.starts_with('/') {
        match call.ask(&Question::FindFile { kind: FileKind::Template, name: name.clone() }) {
            Answer::Value(_) => return Ok(name),
            Answer::Fault(fault) => return Err(fault.into()),
            _ => {}
        }
    }
    Ok(name + ".epp")
}

fn inline_epp(call: &mut Invocation<'_, '_>) -> Flow {
    let Value::String(text) = call.take(0) else { return Ok(Value::Undef) };
    let template = call.inline_template(&text)?;
    let parameters = parameters(call);
    call.render_inline(&template, &parameters)
}
