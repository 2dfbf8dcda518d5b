//! Differences that somebody does not want to see: `TYPE[TITLE]` or `TYPE[TITLE]::PARAMETER`, each a pattern with `*` and `?`.

use pantin_model::catalog::diff::Change;

use super::node::ResourceDifference;
use crate::pattern::Pattern;

/// One rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IgnoreRule {
    /// In lower case.
    type_name: Pattern,
    title: Pattern,
    /// `None`: the whole resource.
    parameter: Option<Pattern>,
}

impl IgnoreRule {
    pub fn parse(text: &str) -> Result<IgnoreRule, String> {
        let malformed =
            || format!("'{text}' is no TYPE[TITLE] or TYPE[TITLE]::PARAMETER, such as File[/etc/motd]::content");
        let (type_name, rest) = text.split_once('[').ok_or_else(malformed)?;
        let at = rest.rfind(']').ok_or_else(malformed)?;
        let (title, after) = (&rest[..at], &rest[at + 1..]);
        let parameter = match after {
            "" => None,
            after => Some(after.strip_prefix("::").filter(|name| !name.is_empty()).ok_or_else(malformed)?),
        };
        match type_name.is_empty() || title.is_empty() {
            true => Err(malformed()),
            false => {
                let pattern = |text: &str| Pattern::new(text.to_owned(), false);
                let type_name = pattern(type_name).in_lower_case();
                Ok(IgnoreRule { type_name, title: pattern(title), parameter: parameter.map(pattern) })
            }
        }
    }

    fn concerns(&self, difference: &ResourceDifference) -> bool {
        let title =
            difference.reference[difference.type_name.len()..].strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        self.type_name.fits_in_any_case(&difference.type_name) && self.title.fits(title.unwrap_or_default())
    }

    /// Takes away what the rules say; gives how much that was, and whether something is left.
    pub(super) fn apply(rules: &[IgnoreRule], difference: &mut ResourceDifference) -> (usize, bool) {
        let mut ignored = 0;
        for rule in rules {
            if !rule.concerns(difference) {
                continue;
            }
            let Some(pattern) = &rule.parameter else { return (1, false) };
            if let Change::Changed(parameters) = &mut difference.change {
                let before = parameters.len();
                parameters.retain(|parameter| !pattern.fits(&parameter.name));
                ignored += before - parameters.len();
            }
            let before = difference.relationships.len() + difference.contents.len();
            difference.relationships.retain(|one| !pattern.fits(one.kind.name()));
            if pattern.fits("content") || pattern.fits("source") {
                difference.contents.clear();
            }
            ignored += before - difference.relationships.len() - difference.contents.len();
        }
        (ignored, difference.says_something())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pantin_model::catalog::diff::{ParameterChange, ShownValue};

    fn difference(reference: &str, parameters: &[&str]) -> ResourceDifference {
        let parameter =
            |name: &&str| ParameterChange { name: (*name).into(), old: ShownValue::Absent, new: ShownValue::Secret };
        ResourceDifference {
            reference: reference.into(),
            type_name: reference.split('[').next().unwrap().into(),
            change: Change::Changed(parameters.iter().map(parameter).collect()),
            relationships: Vec::new(),
            contents: Vec::new(),
            place: None,
        }
    }

    #[test]
    fn a_rule_takes_away_what_it_names() {
        let ignored = |rule: &str, reference: &str| {
            let mut difference = difference(reference, &["content", "mode"]);
            let rules = [IgnoreRule::parse(rule).unwrap()];
            let (ignored, is_left) = IgnoreRule::apply(&rules, &mut difference);
            (ignored, is_left.then(|| difference.parameters().len()))
        };
        assert_eq!(ignored("File[/etc/motd]::content", "File[/etc/motd]"), (1, Some(1)));
        assert_eq!(ignored("file[/etc/*]::*", "File[/etc/motd]"), (2, None));
        assert_eq!(ignored("*[/etc/motd]", "File[/etc/motd]"), (1, None));
        assert_eq!(ignored("File[/etc/motd]::content", "File[/etc/issue]"), (0, Some(2)));
        assert_eq!(ignored("File[a[b]]::mode", "File[a[b]]"), (1, Some(1)));
        assert_eq!(ignored("File[*]::mode", "File[.hidden]"), (1, Some(1)));
        for malformed in ["File", "File[/x", "[x]", "File[]", "File[x]content", "File[x]::"] {
            assert!(IgnoreRule::parse(malformed).is_err(), "{malformed}");
        }
    }
}
