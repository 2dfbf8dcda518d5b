//! Templates: `epp` and `inline_epp` of Puppet code, `template` and `inline_template` of Ruby.

use std::sync::Arc;

use pantin_base::Diagnostic;
use pantin_model::trace::FileKind;
use pantin_ruby::RubyError;
use pantin_values::{Fault, Hash, Str, Value, unencoded};

use crate::{Builtin, Flow, Invocation, optional, overload, required, several};

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
    Builtin::untyped(
        "template",
        &[overload(&[several("Any", "args")], None, template)],
        "The text that ERB templates of modules give; they see the variables of the code that calls.",
    )
    .finding_variables(),
    Builtin::untyped(
        "inline_template",
        &[overload(&[several("Any", "args")], None, inline_template)],
        "The text that texts give as ERB templates; they see the variables of the code that calls.",
    )
    .finding_variables(),
];

/// Names of templates, or their texts, each rendered, one after the other.
fn each_text(call: &mut Invocation<'_, '_>, render: fn(&mut Invocation<'_, '_>, &Str) -> Flow) -> Flow {
    let args = super::older::at_least(call, 1)?;
    if call.is_set("tasks") {
        let feature = if call.name() == "template" { "ERB template" } else { "ERB inline_template" };
        return Err(Fault::issue(
            "FEATURE_NOT_SUPPORTED_WHEN_SCRIPTING",
            format!("The feature '{feature}' is only available when compiling a catalog"),
        )
        .into());
    }
    let mut all: Option<Value> = None;
    for arg in &args {
        let Value::String(text) = arg else {
            return Err(match call.name() {
                "template" => super::files::no_path(call, arg),
                // What is as good as nothing is taken for the name of a file that was not given.
                _ if !arg.is_truthy() => Fault::new(
                    "Failed to parse inline template: FileSystem implementation expected Pathname, got: 'NilClass'",
                )
                .into(),
                _ => {
                    // A symbol has an encoding.
                    let method = if matches!(arg, Value::Default) { "b" } else { "encoding" };
                    let fault = super::older::no_method(method, arg);
                    Fault::new(format!("Failed to parse inline template: {}", fault.message)).into()
                }
            });
        };
        let rendered = render(call, text)?;
        let together = match all {
            None => rendered,
            Some(before) => {
                let letters = [&before, &rendered].iter().filter_map(|text| text.as_str()).collect();
                unencoded::join_letters(letters, before.is_unencoded())?
            }
        };
        call.check_text(together.as_str().map_or(0, str::len))?;
        all = Some(together);
    }
    Ok(all.unwrap_or_else(|| "".into()))
}

fn template(call: &mut Invocation<'_, '_>) -> Flow {
    each_text(call, |call, name| {
        let Some(template) = call.ruby_template(name)? else {
            return Err(call.fault(format!("Could not find template '{name}'")));
        };
        match call.render_ruby(&template)? {
            Ok(text) => Ok(text),
            Err(RubyError::Fatal(fault, _) | RubyError::Lacks(fault)) => Err(fault.into()),
            Err(RubyError::Raised(raised)) => {
                let place = raised.place.map(|(file, line)| (file.beyond_code().clone(), line));
                let (path, line) = place.unwrap_or_default();
                let detail = raised.message;
                let source = template.source.as_ref().filter(|source| source.name() == Some(path.as_str()));
                let seen = source.and_then(|source| {
                    let diagnostic = Diagnostic::in_source(source, line, None, &detail)?;
                    Some((Arc::clone(source), diagnostic))
                });
                let message = format!(
                    "Failed to parse template {name}:\n  Filepath: {path}\n  Line: {line}\n  Detail: {detail}\n"
                );
                let fault = Fault::new(message);
                Err(match seen {
                    Some((source, diagnostic)) => fault.seen_in(Some(source), diagnostic),
                    None => fault,
                }
                .into())
            }
        }
    })
}

fn inline_template(call: &mut Invocation<'_, '_>) -> Flow {
    each_text(call, |call, text| {
        let template = pantin_ruby::inline_template(text)
            .map_err(|error| call.fault(format!("Failed to parse inline template: {error}")))?;
        match call.render_ruby(&template)? {
            Ok(text) => Ok(text),
            Err(RubyError::Fatal(fault, _) | RubyError::Lacks(fault)) => Err(fault.into()),
            Err(RubyError::Raised(raised)) => {
                Err(call.fault(format!("Failed to parse inline template: {}", raised.message)))
            }
        }
    })
}

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
    if name.starts_with('/') && call.find_file(FileKind::Template, name.clone())?.is_some() {
        return Ok(name);
    }
    Ok(name + ".epp")
}

fn inline_epp(call: &mut Invocation<'_, '_>) -> Flow {
    let Value::String(text) = call.take(0) else { return Ok(Value::Undef) };
    let template = call.inline_template(&text)?;
    let parameters = parameters(call);
    call.render_inline(&template, &parameters)
}
