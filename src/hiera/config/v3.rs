//! Version 3, which the global layer still takes.

use pantin_values::{Hash, Value};

use super::{Body, File, V3, schema, texts};
use crate::merge::{MergeKind, Strategy};
use crate::trouble::Trouble;

/// Returns what stands for a file that holds no hash.
pub(super) fn default_config() -> Hash {
    [
        ("backends".into(), Value::array(["yaml".into()])),
        ("hierarchy".into(), Value::array(["nodes/%{::trusted.certname}".into(), "common".into()])),
        ("merge_behavior".into(), "native".into()),
    ]
    .into_iter()
    .collect()
}

pub(super) fn body(file: &File<'_>, mut data: Hash) -> Result<Body, Trouble> {
    let mut fill = |key: &str, value: Value| {
        if !data.get_str(key).is_some_and(Value::is_truthy) {
            data.insert(key.into(), value);
        }
    };
    fill("version", 3.into());
    for (key, value) in default_config().iter() {
        fill(key.as_str().unwrap_or_default(), value.clone());
    }
    fill("deep_merge_options", Value::hash([]));
    let backends = texts(data.get_str("backends"));
    let expected = schema::v3(&backends).map_err(Trouble::mismatch)?;
    file.check(&expected, &data)?;
    let merge = merge(&data)?;
    Ok(Body::V3(V3 { backends, paths: texts(data.get_str("hierarchy")), config: data, merge }))
}

fn merge(data: &Hash) -> Result<Strategy, Trouble> {
    let name = match data.get_str("merge_behavior").and_then(Value::as_str) {
        Some("deep") => "reverse_deep",
        Some("deeper") => "unconstrained_deep",
        _ => return Ok(Strategy::plain(MergeKind::Default)),
    };
    let mut options: Hash = [("strategy".into(), name.into())].into_iter().collect();
    if let Some(Value::Hash(more)) = data.get_str("deep_merge_options") {
        options.make_mut().extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
    Strategy::new(&Value::Hash(options))
}
