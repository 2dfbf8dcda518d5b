//! The comparison of arguments with signatures.

use std::fmt::Write;

use super::describe::{Counted, describe, merged};
use super::{Mismatch, MismatchKind, Step, extended, help_for};
use crate::signature::{Param, ParamKind, Signature};
use crate::types::Size;
use crate::{Fault, Type, Value};

/// Returns why none of the signatures takes the arguments. `name` is a function's, or `lambda` for a block; `block` is
/// the type of the block that was given: a `Callable`.
pub fn call_fault(name: &str, signatures: &[Signature], args: &[Value], block: Option<&Type>) -> Fault {
    let args: Vec<Type> = args.iter().map(Type::infer).collect();
    let each = || signatures.iter().enumerate();
    let mut errors: Vec<Vec<Mismatch>> =
        each().map(|(index, signature)| of_arguments(signature, &args, &[Step::Signature(index)])).collect();
    if errors.iter().any(Vec::is_empty) {
        // The arguments of some are right, so the block may be what is wrong.
        let of_blocks: Vec<Vec<Mismatch>> =
            each().map(|(index, signature)| of_block(signature, block, &[Step::Signature(index)])).collect();
        if of_blocks.iter().all(|errors| !errors.is_empty()) {
            errors = of_blocks;
        } else {
            for (errors, of_block) in errors.iter_mut().zip(of_blocks) {
                if errors.is_empty() {
                    *errors = of_block;
                }
            }
        }
    }
    let label = if name == "lambda" { "block".to_owned() } else { format!("'{name}'") };
    let merged = merged(0, Counted::Arguments, errors.clone());
    let help = help_for(&merged);
    let message = match merged.as_slice() {
        [only] => format!("{label}{only}"),
        _ => told_each(&label, signatures, errors),
    };
    Fault::new(message).with_help_if(help)
}

fn told_each(label: &str, signatures: &[Signature], errors: Vec<Vec<Mismatch>>) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let tell = |errors: Vec<Mismatch>, indent: &str, out: &mut String| {
        for error in errors {
            let _ = write!(out, "\n{indent}rejected:{}", error.without_step(0));
        }
    };
    if let [only] = signatures {
        let _ = write!(out, "{label} expects ({})", signature_text(only));
        errors.into_iter().for_each(|errors| tell(errors, "  ", &mut out));
        return out;
    }
    let _ = write!(out, "The function {label} was called with arguments it does not accept. It expects one of:");
    for (signature, errors) in signatures.iter().zip(errors) {
        let _ = write!(out, "\n  ({})", signature_text(signature));
        tell(errors, "    ", &mut out);
    }
    out
}

fn of_arguments(signature: &Signature, args: &[Type], path: &[Step]) -> Vec<Mismatch> {
    let (expected, given) = (signature.count(), Size::exactly(args.len()));
    if !expected.covers(given) {
        return vec![Counted::Arguments.mismatch(path, expected, given)];
    }
    for (index, of) in args.iter().enumerate() {
        let Some(param) = signature.params.get(index).or(signature.params.last()) else { break };
        if !param.param_type.assignable(of) {
            let errors = describe(&param.param_type, of, &extended(path, Step::Parameter(param.name.clone())));
            if !errors.is_empty() {
                return errors;
            }
        }
    }
    Vec::new()
}

fn of_block(signature: &Signature, block: Option<&Type>, path: &[Step]) -> Vec<Mismatch> {
    match (&signature.block, block) {
        (None, Some(_)) => vec![Mismatch::new(path, MismatchKind::UnexpectedBlock)],
        (Some(wanted), Some(block)) => describe(&wanted.written(), block, &extended(path, Step::Block)),
        (Some(wanted), None) if !wanted.optional => vec![Mismatch::new(path, MismatchKind::MissingBlock)],
        _ => Vec::new(),
    }
}

/// Returns the parameters as a message shows them: `Integer a, String b?, Any c*, Callable block`. Nothing of a block
/// where there are no parameters, as in Puppet.
pub fn signature_text(signature: &Signature) -> String {
    if signature.params.is_empty() {
        return String::new();
    }
    let mut parts: Vec<String> = signature.params.iter().map(param_text).collect();
    // Of a block that must be there, nothing is shown where its type has a name of its own.
    if let Some(block) = &signature.block
        && (block.optional || !matches!(block.block_type, Type::Alias(_)))
    {
        parts.push(format!("{} {}{}", block.block_type, block.name, if block.optional { "?" } else { "" }));
    }
    parts.join(", ")
}

fn param_text(param: &Param) -> String {
    let mark = match param.kind {
        ParamKind::Required => "",
        ParamKind::Optional => "?",
        ParamKind::Repeated => "*",
        ParamKind::RequiredRepeated => "+",
    };
    match &param.param_type {
        Type::Optional(Some(of)) if param.kind == ParamKind::Optional => format!("{of} {}{mark}", param.name),
        // The type without parameters has nothing inside that could be shown.
        Type::Optional(None) if param.kind == ParamKind::Optional => format!(" {}{mark}", param.name),
        of => format!("{of} {}{mark}", param.name),
    }
}
