//! Which data gave a class a value of the wrong type. It helps the reader of the error alone.

use pantin_hiera::{Explainer, KeyRequest};
use pantin_model::trace::Failure;
use pantin_values::{Str, Value};

use super::Compiler;

/// Values whose origin is told.
const MOST_ORIGINS: usize = 3;

impl Compiler<'_> {
    /// The error of a class's parameters, with the files that gave those their values. `given`: those that code gave.
    #[cold]
    pub(super) fn with_data_origin(&mut self, mut failure: Failure, class: &str, given: &[(Str, Value)]) -> Failure {
        let Some(names) = misfit_parameters(&failure.message) else { return failure };
        if failure.help.is_some() {
            return failure;
        }
        let mut origins: Vec<String> = Vec::new();
        for name in names.into_iter().filter(|name| !given.iter().any(|(known, _)| known == name)) {
            let key: Str = format!("{class}::{name}").into();
            if let Some(origin) = self.data_origin(&key)
                && origins.len() < MOST_ORIGINS
                && !origins.contains(&origin)
            {
                origins.push(origin);
            }
        }
        if !origins.is_empty() {
            failure.help = Some(origins.join("\n"));
        }
        failure
    }

    fn data_origin(&mut self, key: &Str) -> Option<String> {
        let lookups = self.lookups.clone().filter(|lookups| !lookups.explains())?;
        lookups.explain_with(Explainer::new(false));
        let found = lookups.lookup_parameter(&KeyRequest::named(key.clone()), self);
        let explained = lookups.explained();
        found.ok().flatten()?;
        let origin = explained?.origin(key)?;
        Some(format!("the value of '{key}' is from the data: {}", origin.describe(key, self)))
    }
}

/// The parameters that an error of a class says to have the wrong type.
fn misfit_parameters(message: &str) -> Option<Vec<&str>> {
    let (_, rest) = message.strip_prefix("Class[")?.split_once("]:")?;
    let names: Vec<&str> =
        rest.split(" parameter '").skip(1).filter_map(|rest| rest.split_once('\'').map(|(name, _)| name)).collect();
    (!names.is_empty()).then_some(names)
}
