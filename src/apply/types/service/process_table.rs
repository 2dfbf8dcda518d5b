//! Finds a service in the table of processes, by the pattern that it has.

use pantin_machine::SystemQuery;
use pantin_values::regex::{Options, Regex, display_pattern};

use super::super::provider_command::query_or_fail;
use super::Service;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;

impl Service {
    /// Returns the number of the first process that the pattern matches.
    pub(super) fn find_process(&self, context: &ApplyContext<'_>) -> Result<Option<String>, Failure> {
        let pattern = self.values.text("pattern").unwrap_or_default();
        let regex = Regex::new(&pattern, Options::default())
            .map_err(|error| Failure::new(format!("{}: /{}/", error.message, display_pattern(&pattern))))?;
        self.say(Level::Debug, "Executing 'ps -ef'", context);
        let table = query_or_fail(&SystemQuery::Processes, context)?.lossy();
        for line in table.lines() {
            if regex.is_match(line).map_err(|_| too_long(&pattern))? {
                self.say(Level::Debug, &format!("Process matched: {line}"), context);
                let process = line.split_whitespace().nth(1).map(str::to_owned);
                if let Some(process) = &process {
                    self.say(Level::Debug, &format!("PID is {process}"), context);
                }
                return Ok(process);
            }
        }
        Ok(None)
    }
}

fn too_long(pattern: &str) -> Failure {
    Failure::new(format!("The regular expression /{pattern}/ takes too many steps to match a process"))
}
