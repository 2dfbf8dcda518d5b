//! Facts as Facter prints them: its own text, JSON and YAML.

mod json;
mod text;
mod yaml;

use pantin_values::Value;

pub use json::to_json;
pub use text::to_text;
pub use yaml::to_yaml;

/// A fact that was asked for alone; none if there is no such fact.
#[derive(Clone, Copy, Debug)]
pub struct SingleFact<'f>(pub Option<&'f Value>);
