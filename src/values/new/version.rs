//! `SemVer` and `SemVerRange` made of texts, parts and hashes of parts.

use std::sync::{Arc, LazyLock};

use super::constructor::{Constructor, form};
use super::shapes::*;
use super::{Call, fault};
use crate::scalar::{SemVer, SemVerRange};
use crate::{Fault, Type, Value};

const QUALIFIER: &str = r"\A(?<part>[0-9A-Za-z-]+)(?:\.\g<part>)*\Z";
const VERSION: &str = concat!(
    r"\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)",
    r"(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?\Z"
);

pub(super) static SEM_VER: LazyLock<Constructor> = LazyLock::new(|| {
    let positive = named("PositiveInteger", integer(0, i64::MAX));
    let qualifier = named("SemVerQualifier", pattern(QUALIFIER));
    let parts = named(
        "SemVerHash",
        structure([
            ("major", positive.clone()),
            ("minor", positive.clone()),
            ("patch", positive.clone()),
            ("prerelease?", qualifier.clone()),
            ("build?", qualifier.clone()),
        ]),
    );
    Constructor::new(
        "new_Version",
        [
            form([("str", named("SemVerPattern", pattern(VERSION)))]),
            form([
                ("major", positive.clone()),
                ("minor", positive.clone()),
                ("patch", positive),
                ("prerelease?", qualifier.clone()),
                ("build?", qualifier),
            ]),
            form([("hash_args", parts)]),
        ],
    )
    .refusing([form([("str", string())])])
});

pub(super) static SEM_VER_RANGE: LazyLock<Constructor> = LazyLock::new(|| {
    let bound = || variant([Type::Default, Type::SemVer(Arc::from([]))]);
    let parts = named("SemVerRangeHash", structure([("min", bound()), ("max?", bound()), ("exclude_max?", boolean())]));
    Constructor::new(
        "new_VersionRange",
        [
            form([("str", named("SemVerRangeString", text_of(1)))]),
            form([("min", bound()), ("max", bound()), ("exclude_max?", boolean())]),
            form([("hash_args", parts)]),
        ],
    )
});

pub(super) fn make_sem_ver(call: &mut Call<'_>) -> Result<Value, Fault> {
    let version = match (call.form, call.arg(0)) {
        (0, Value::String(text)) => SemVer::parse(text).map_err(fault)?,
        (1, _) => of_parts([call.arg(0), call.arg(1), call.arg(2)], call.arg(3), call.arg(4)),
        (2, _) => {
            let numbers = [call.named_argument("major"), call.named_argument("minor"), call.named_argument("patch")];
            of_parts(numbers, call.named_argument("prerelease"), call.named_argument("build"))
        }
        (_, text) => return Err(SEM_VER.not_convertible(text, "a SemVer")),
    };
    Ok(Value::SemVer(Arc::new(version)))
}

fn of_parts(numbers: [&Value; 3], prerelease: &Value, build: &Value) -> SemVer {
    let [major, minor, patch] = numbers.map(|number| match number {
        Value::Integer(number) => number.unsigned_abs(),
        _ => 0,
    });
    SemVer::from_parts(major, minor, patch, prerelease.as_str(), build.as_str())
}

pub(super) fn make_sem_ver_range(call: &mut Call<'_>) -> Result<Value, Fault> {
    let range = match (call.form, call.arg(0)) {
        (0, Value::String(text)) => SemVerRange::parse(text),
        (1, least) => between(least, call.arg(1), call.arg(2)),
        _ => between(call.named_argument("min"), call.named_argument("max"), call.named_argument("exclude_max")),
    };
    range.map(|range| Value::SemVerRange(Arc::new(range))).map_err(fault)
}

fn between(least: &Value, most: &Value, exclude_end: &Value) -> Result<SemVerRange, crate::scalar::ScalarError> {
    let bound = |value: &Value| match value {
        Value::SemVer(version) => Some(SemVer::clone(version)),
        _ => None,
    };
    SemVerRange::between(bound(least), bound(most), exclude_end.is_truthy())
}
