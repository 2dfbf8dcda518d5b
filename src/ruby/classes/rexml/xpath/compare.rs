//! Values of paths as texts, numbers and booleans, and how two are compared.

use super::super::attribute::{attribute_of, value};
use super::super::node::{XmlNode, element_of, is_element, node_of};
use super::super::parent::children;
use super::super::text::written_text;
use super::evaluate::{Evaluation, Found};
use super::grammar::Operator;
use crate::stop::Flow;
use crate::value::Value;

impl Evaluation<'_, '_> {
    /// Returns the text of a node: of an element, all texts in it as they are written.
    pub(super) fn text_of_node(&mut self, node: &Value) -> Flow<String> {
        Ok(match node_of(node) {
            Some(XmlNode::Attribute(attribute)) => {
                let value = value(self.interp, &attribute)?;
                self.interp.text_of(&value)?
            }
            Some(XmlNode::Element(element)) => {
                let start = match element.is_document {
                    true => children(node).into_iter().find(is_element).unwrap_or_default(),
                    false => node.clone(),
                };
                let (mut text, mut left) = (String::new(), vec![start]);
                while let Some(next) = left.pop() {
                    self.interp.step()?;
                    match element_of(&next) {
                        Some(_) => left.extend(children(&next).into_iter().rev()),
                        None => text.push_str(&written_text(self.interp, &next)?),
                    }
                }
                text
            }
            Some(XmlNode::Instruction(own)) => self.interp.text_of(&own.content.borrow().clone())?,
            _ => {
                let text = self.interp.send(node, "to_s", &[])?;
                self.interp.text_of(&text)?
            }
        })
    }

    pub(super) fn text(&mut self, found: &Found) -> Flow<String> {
        Ok(match found {
            Found::Nodes(nodes) => match nodes.first() {
                Some(first) => self.text_of_node(&first.value)?,
                None => String::new(),
            },
            Found::Text(text) => text.clone(),
            Found::Integer(number) => number.to_string(),
            Found::Float(number) if number.is_nan() => "NaN".to_owned(),
            Found::Float(number) if number.fract() == 0.0 && number.abs() < 1e18 => format!("{}", *number as i64),
            Found::Float(number) => self.interp.text_of(&Value::Float(*number))?,
            Found::Bool(is) => is.to_string(),
            Found::Nil => String::new(),
        })
    }

    pub(super) fn number(&mut self, found: &Found) -> Flow<f64> {
        Ok(match found {
            Found::Integer(number) => *number as f64,
            Found::Float(number) => *number,
            Found::Bool(is) => f64::from(u8::from(*is)),
            other => number_in(&self.text(other)?),
        })
    }

    pub(super) fn boolean(&mut self, found: &Found) -> bool {
        match found {
            Found::Nodes(nodes) => !nodes.is_empty(),
            Found::Text(text) => !text.is_empty(),
            Found::Integer(number) => *number != 0,
            Found::Float(number) => *number != 0.0 && !number.is_nan(),
            Found::Bool(is) => *is,
            Found::Nil => false,
        }
    }

    pub(super) fn compare_sets(&mut self, left: &Found, operator: Operator, right: &Found) -> Flow<bool> {
        match (left, right) {
            (Found::Nodes(some), Found::Nodes(others)) => {
                for one in some {
                    let one = Found::Text(self.text_of_node(&one.value)?);
                    for other in others {
                        let other = Found::Text(self.text_of_node(&other.value)?);
                        if self.compare(&one, operator, &other)? {
                            return Ok(true);
                        }
                    }
                }
                Ok(false)
            }
            // Whichever side the nodes are on, they come first.
            (Found::Nodes(nodes), value) | (value, Found::Nodes(nodes)) => {
                for node in nodes {
                    let text = self.text_of_node(&node.value)?;
                    let (own, value) = match value {
                        Found::Bool(_) => (Found::Bool(true), value.clone()),
                        Found::Integer(_) | Found::Float(_) => (Found::Float(number_in(&text)), value.clone()),
                        Found::Text(digits) if is_plain_number(digits) => {
                            (Found::Float(number_in(&text)), Found::Float(number_in(digits)))
                        }
                        other => (Found::Text(text), Found::Text(self.text(other)?)),
                    };
                    if self.compare(&own, operator, &value)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => self.compare(left, operator, right),
        }
    }

    fn compare(&mut self, left: &Found, operator: Operator, right: &Found) -> Flow<bool> {
        if matches!(left, Found::Nil) || matches!(right, Found::Nil) {
            let path = self.path;
            return self.interp.unsupported(format!("a comparison with nothing in the XPath {path}"));
        }
        let is_equality = matches!(operator, Operator::Equal | Operator::Unequal);
        let is_bool = |found: &Found| matches!(found, Found::Bool(_));
        let is_number = |found: &Found| matches!(found, Found::Integer(_) | Found::Float(_));
        if is_equality && (is_bool(left) || is_bool(right)) {
            return Ok((self.boolean(left) == self.boolean(right)) == (operator == Operator::Equal));
        }
        if is_equality && !is_number(left) && !is_number(right) {
            return Ok((self.text(left)? == self.text(right)?) == (operator == Operator::Equal));
        }
        let (left, right) = (self.number(left)?, self.number(right)?);
        #[expect(clippy::float_cmp, reason = "as REXML does")]
        Ok(match operator {
            Operator::Equal => left == right,
            Operator::Unequal => left != right,
            Operator::Less => left < right,
            Operator::LessOrEqual => left <= right,
            Operator::Greater => left > right,
            _ => left >= right,
        })
    }

    /// The attribute that a node is, as functions of names see it.
    pub(super) fn name_of(&mut self, node: &Value, is_local: bool) -> Option<String> {
        let name = match (element_of(node), attribute_of(node)) {
            (Some(element), _) if element.is_document => return Some(String::new()),
            (Some(element), _) => element.name.borrow().clone(),
            (None, Some(attribute)) => attribute.name.borrow().clone(),
            (None, None) => return None,
        };
        Some(if is_local { name.local() } else { name.expanded() }.to_owned())
    }
}

fn number_in(text: &str) -> f64 {
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = digits.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
        && digits.matches('.').count() <= 1
        && digits.chars().any(|letter| letter.is_ascii_digit());
    if is_number { text.parse().unwrap_or(f64::NAN) } else { f64::NAN }
}

/// Digits, and digits behind a point.
fn is_plain_number(text: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit());
    match text.split_once('.') {
        Some((whole, fraction)) => is_digits(whole) && is_digits(fraction),
        None => is_digits(text),
    }
}
