//! `URI` made of text or of a hash of its components.

use std::sync::{Arc, LazyLock};

use super::constructor::{Constructor, form};
use super::shapes::*;
use super::{Call, fault};
use crate::scalar::{Uri, UriParts};
use crate::{Fault, Value};

pub(super) static URI: LazyLock<Constructor> = LazyLock::new(|| {
    let components = structure([
        ("scheme?", text_of(1)),
        ("userinfo?", text_of(1)),
        ("host?", text_of(1)),
        ("port?", integer(0, i64::MAX)),
        ("path?", text_of(1)),
        ("query?", text_of(1)),
        ("fragment?", text_of(1)),
        ("opaque?", text_of(1)),
    ]);
    // Puppet's own slip of the pen.
    Constructor::new("new_error", [form([("uri", text_of(1))]), form([("hash", components)])])
});

pub(super) fn make_uri(call: &mut Call<'_>) -> Result<Value, Fault> {
    let uri = match call.arg(0) {
        Value::String(text) => Uri::parse(text),
        _ => Uri::build(&UriParts {
            scheme: call.named_argument("scheme").as_str(),
            userinfo: call.named_argument("userinfo").as_str(),
            host: call.named_argument("host").as_str(),
            port: match call.named_argument("port") {
                Value::Integer(port) => u64::try_from(*port).ok(),
                _ => None,
            },
            path: call.named_argument("path").as_str(),
            query: call.named_argument("query").as_str(),
            fragment: call.named_argument("fragment").as_str(),
            opaque: call.named_argument("opaque").as_str(),
        }),
    };
    uri.map(|uri| Value::Uri(Arc::new(uri))).map_err(fault)
}
