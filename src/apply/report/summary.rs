//! What `--summarize` prints: the numbers of a run.

use pantin_machine::Time;
use pantin_values::Value;

use super::Report;
use super::metrics::label;
use crate::value::text;

impl Report {
    /// Returns the summary as Puppet prints it: sections by name, in each the entries by their values as texts, the total last.
    pub fn summary_text(&self, now: Time) -> String {
        let mut out = String::new();
        let Value::Hash(sections) = self.summary(now) else { return out };
        let mut sections: Vec<(&Value, &Value)> = sections.iter().collect();
        sections.sort_by_key(|(name, _)| text(name).into_owned());
        for (name, entries) in sections {
            out.push_str(&format!("{}:\n", label(&text(name))));
            let Value::Hash(entries) = entries else { continue };
            let mut entries: Vec<(&Value, &Value)> = entries.iter().collect();
            entries.sort_by_key(|(name, value)| (text(name) == "total", text(value).into_owned()));
            for (name, value) in entries {
                let shown = match value {
                    Value::Integer(0) => continue,
                    Value::Float(seconds) if *seconds == 0.0 => continue,
                    Value::Float(seconds) => format!("{seconds:.2}"),
                    other => text(other).into_owned(),
                };
                out.push_str(&format!("   {:>15} {shown}\n", format!("{}:", label(&text(name)))));
            }
        }
        out
    }
}
