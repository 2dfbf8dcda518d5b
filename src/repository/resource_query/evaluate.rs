//! Whether a condition holds for a resource, as far as is known of it.

use std::cmp::Ordering;

use pantin_base::version_order;
use pantin_values::{Value, ops};

use super::selector::{Condition, FieldTest, Operand, Test};

/// What is known of whether something is so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Truth {
    Yes,
    No,
    /// Not yet, or never: it depends on a secret.
    Unknown,
}

impl From<bool> for Truth {
    fn from(is_so: bool) -> Truth {
        if is_so { Truth::Yes } else { Truth::No }
    }
}

impl Truth {
    fn negated(self) -> Truth {
        match self {
            Truth::Yes => Truth::No,
            Truth::No => Truth::Yes,
            Truth::Unknown => Truth::Unknown,
        }
    }

    /// Combines answers: the `decisive` answer of any part decides; without one, an unknown part leaves the whole unknown.
    fn combined(parts: impl Iterator<Item = Truth>, decisive: Truth) -> Truth {
        let mut combined = decisive.negated();
        for part in parts {
            if part == decisive {
                return decisive;
            }
            if part == Truth::Unknown {
                combined = Truth::Unknown;
            }
        }
        combined
    }

    pub(super) fn all(parts: impl Iterator<Item = Truth>) -> Truth {
        Truth::combined(parts, Truth::No)
    }

    pub(super) fn any(parts: impl Iterator<Item = Truth>) -> Truth {
        Truth::combined(parts, Truth::Yes)
    }
}

impl Condition {
    pub(super) fn holds(&self, test: &impl Fn(&FieldTest) -> Truth) -> Truth {
        match self {
            Condition::All(parts) => Truth::all(parts.iter().map(|part| part.holds(test))),
            Condition::Any(parts) => Truth::any(parts.iter().map(|part| part.holds(test))),
            Condition::Not(part) => part.holds(test).negated(),
            Condition::Test(of) => test(of),
        }
    }
}

impl Test {
    /// Whether a value is as the test wants it; of an array, whether any item is.
    pub(super) fn accepts(&self, value: &Value) -> Truth {
        match (self, value) {
            (Test::IsSet, _) => Truth::Yes,
            (_, Value::Array(items)) => Truth::any(items.iter().map(|item| self.accepts(item))),
            (_, Value::Hash(_)) => Truth::No,
            (Test::Equals(operand), value) => operand.equals(value).into(),
            (Test::Matches(regex), value) => match regex.is_match(&ops::to_s(value)) {
                Ok(is_match) => is_match.into(),
                // It would take for ever.
                Err(_) => Truth::Unknown,
            },
            (Test::Compares(order, operand), value) => {
                operand.order_of(value).is_some_and(|found| order.holds(found)).into()
            }
        }
    }

    pub(super) fn accepts_text(&self, text: &str) -> Truth {
        match self {
            Test::Equals(operand) => operand.pattern.fits(text).into(),
            _ => self.accepts(&Value::from(text)),
        }
    }
}

impl Operand {
    /// Values are equal if their texts are; numbers also if they are the same number.
    fn equals(&self, value: &Value) -> bool {
        match (value, self.number) {
            (Value::Undef, _) => self.pattern.literal() == Some("undef"),
            (Value::Integer(number), Some(wanted)) => *number as f64 == wanted,
            (Value::Float(number), Some(wanted)) => *number == wanted,
            (value, _) => match value.as_str() {
                Some(text) => self.pattern.fits(text),
                None => self.pattern.fits(&ops::to_s(value)),
            },
        }
    }

    /// Numbers are compared as numbers, texts as versions.
    fn order_of(&self, value: &Value) -> Option<Ordering> {
        match (value, self.number) {
            (Value::Integer(number), Some(wanted)) => (*number as f64).partial_cmp(&wanted),
            (Value::Float(number), Some(wanted)) => number.partial_cmp(&wanted),
            (Value::String(text), _) => Some(version_order::compare(text, self.pattern.text())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource_query::selector::Selector;

    /// Returns true if a value fits what is said of the parameter `p`.
    fn fits(condition: &str, value: &Value) -> bool {
        let selector = Selector::parse(&format!("{{ p {condition} }}")).unwrap();
        selector.condition.holds(&|test| test.test.accepts(value)) == Truth::Yes
    }

    #[test]
    fn values_are_compared_by_their_texts_and_numbers_as_numbers() {
        assert!(fits("= a", &"a".into()) && fits("= a*", &"abc".into()) && !fits("= 'a*'", &"abc".into()));
        assert!(fits("= true", &true.into()) && fits("= 80", &80.into()) && fits("= 80.0", &80.into()));
        assert!(fits("= '80'", &80.into()) && fits("= 80", &"80".into()) && !fits("= 80.0", &"80".into()));
        assert!(fits("= undef", &Value::Undef) && !fits("= ''", &Value::Undef));
        assert!(fits("> 9", &10.into()) && !fits("< 9", &10.into()) && fits("<= 10", &10.into()));
        assert!(fits("> 1.9", &"1.18".into()) && fits("< 1.20", &"1.18".into()) && !fits("> 1", &true.into()));
        assert!(fits("~ ^a.c$", &"abc".into()) && fits("!~ b", &"ac".into()) && fits("~ 8", &80.into()));
    }

    #[test]
    fn any_item_of_an_array_counts() {
        let list = Value::array(["a".into(), Value::array(["b".into(), 3.into()])]);
        assert!(fits("= b", &list) && fits("~ a", &list) && fits("> 2", &list) && !fits("= c", &list));
        assert!(fits("!= c", &list) && !fits("!= b", &list));
        assert!(!fits("= a", &Value::hash([("a".into(), "a".into())])));
    }

    #[test]
    fn what_is_unknown_decides_nothing_in_either_direction() {
        use Truth::{No, Unknown, Yes};
        let holds = |text: &str| {
            let selector = Selector::parse(text).unwrap();
            selector.condition.holds(&|test| match &test.field {
                crate::resource_query::selector::Field::Parameter(path) if path[0] == "secret" => Unknown,
                crate::resource_query::selector::Field::Parameter(path) => (path[0] == "yes").into(),
                _ => No,
            })
        };
        assert_eq!(
            (holds("{ secret = a }"), holds("{ secret != a }"), holds("{ not secret = a }")),
            (Unknown, Unknown, Unknown)
        );
        assert_eq!((holds("{ secret = a and yes }"), holds("{ secret = a and no }")), (Unknown, No));
        assert_eq!((holds("{ secret = a or yes }"), holds("{ secret = a or no }")), (Yes, Unknown));
        assert_eq!((holds("{}"), holds("{ not no }")), (Yes, Yes));
    }
}
