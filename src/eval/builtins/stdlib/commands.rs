//! Functions that would run something beside the compiler: commands, Augeas, a debugger. They check what they are given, and
//! say that nothing is run.

use pantin_values::Value;
use pantin_values::sprintf::inspect;

use super::ruby::{Result, fail, older};
use crate::Builtin;

pub(super) static FUNCTIONS: &[Builtin] = &[
    older!("validate_cmd", validate_cmd, "Would fail on a text that a command does not accept; no command is run."),
    older!("validate_augeas", validate_augeas, "Would fail on a text that Augeas does not read; there is no Augeas."),
    older!(
        "validate_x509_rsa_key_pair",
        validate_x509_rsa_key_pair,
        "Would fail on a certificate that does not belong to a key; it is not checked here."
    ),
    older!("pry", pry, "Would start a debugger of Ruby's; there is none."),
];

fn validate_cmd(args: Vec<Value>) -> Result {
    if !matches!(args.len(), 2 | 3) {
        return fail(format!("validate_cmd(): wrong number of arguments ({}; must be 2 or 3)", args.len()));
    }
    fail(format!("validate_cmd(): the command {} is not run: Pantin runs no commands", inspect(&args[1])))
}

/// In the words that Puppet has where Ruby has no Augeas.
fn validate_augeas(_: Vec<Value>) -> Result {
    fail(
        "validate_augeas(): this function requires the augeas feature. See \
         http://docs.puppetlabs.com/guides/augeas.html#pre-requisites for how to activate it.",
    )
}

fn validate_x509_rsa_key_pair(args: Vec<Value>) -> Result {
    if args.len() != 2 {
        let given = args.len();
        return fail(format!("validate_x509_rsa_key_pair(): wrong number of arguments ({given}; must be 2)"));
    }
    for arg in &args {
        match arg {
            Value::String(_) => {}
            other => return fail(format!("{} is not a string.", inspect(other))),
        }
    }
    fail("validate_x509_rsa_key_pair(): certificates and keys are not compared: Pantin does not support it")
}

fn pry(_: Vec<Value>) -> Result {
    fail("pry(): Requires the 'pry' rubygem to use, but it was not found")
}
