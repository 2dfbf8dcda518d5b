//! Placeholder until the real descriptions are here.

use super::Value;
use super::signature::Signature;
use super::types::{CallableType, Type};

pub fn describe_call(name: &str, _signatures: &[Signature], _args: &[Value], _block: Option<&CallableType>) -> String {
    format!("'{name}' was called with arguments it does not accept")
}

pub fn describe_returned(name: &str, of: &Type, value: &Value) -> String {
    format!("value returned from {name} has wrong type, expects {of}, got {}", Type::of(value))
}
