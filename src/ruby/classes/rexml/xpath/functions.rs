//! The functions of paths.

use super::evaluate::{Evaluation, Found, PredicateContext};
use crate::stop::Flow;

impl Evaluation<'_, '_> {
    pub(super) fn call(&mut self, name: &str, arguments: Vec<Found>, context: &PredicateContext) -> Flow<Found> {
        match (name, arguments.as_slice()) {
            ("last", []) => Ok(Found::Integer(context.size as i64)),
            ("position", []) => Ok(Found::Integer(context.index as i64)),
            ("count", [Found::Nodes(nodes)]) => Ok(Found::Integer(nodes.len() as i64)),
            ("true", []) => Ok(Found::Bool(true)),
            ("false", []) => Ok(Found::Bool(false)),
            ("not", [one]) => Ok(Found::Bool(!self.boolean(one))),
            ("boolean", [one]) => Ok(Found::Bool(self.boolean(one))),
            ("number", [one]) => self.number(one).map(Found::Float),
            ("string", [one]) => self.text(one).map(Found::Text),
            ("string", []) => self.text_of_node(&context.node).map(Found::Text),
            ("name" | "local-name", []) => {
                let found = self.name_of(&context.node, name == "local-name");
                Ok(found.map_or(if name == "name" { Found::Nil } else { Found::Text(String::new()) }, Found::Text))
            }
            ("local-name", [Found::Nodes(nodes)]) => {
                let found = nodes.iter().find_map(|node| self.name_of(&node.value, true));
                Ok(Found::Text(found.unwrap_or_default()))
            }
            ("concat", all) => {
                let mut text = String::new();
                for one in all {
                    text.push_str(&self.text(one)?);
                }
                Ok(Found::Text(text))
            }
            ("contains", [one, other]) => {
                let (one, other) = (self.text(one)?, self.text(other)?);
                Ok(Found::Bool(one.contains(&other)))
            }
            ("starts-with", [one, other]) => {
                let (one, other) = (self.text(one)?, self.text(other)?);
                Ok(Found::Bool(one.starts_with(&other)))
            }
            ("substring-before", [one, other]) => {
                let (one, other) = (self.text(one)?, self.text(other)?);
                Ok(Found::Text(one.split_once(&other).map_or(String::new(), |(before, _)| before.to_owned())))
            }
            ("string-length", [one]) => Ok(Found::Integer(self.text(one)?.chars().count() as i64)),
            ("normalize-space", [one @ (Found::Text(_) | Found::Integer(_))]) => {
                Ok(Found::Text(one_blank(&self.text(one)?)))
            }
            ("normalize-space", []) => Ok(Found::Text(one_blank(&self.text_of_node(&context.node)?))),
            ("translate", [text, from, to]) => {
                let (text, from, to) = (self.text(text)?, self.text(from)?, self.text(to)?);
                let to: Vec<char> = to.chars().collect();
                let changed = text.chars().filter_map(|letter| match from.chars().position(|other| other == letter) {
                    Some(at) => to.get(at).copied(),
                    None => Some(letter),
                });
                Ok(Found::Text(changed.collect()))
            }
            ("sum", [Found::Nodes(nodes)]) => {
                let mut sum = 0.0;
                for node in nodes {
                    let text = Found::Text(self.text_of_node(&node.value)?);
                    sum += self.number(&text)?;
                }
                Ok(if nodes.is_empty() { Found::Integer(0) } else { Found::Float(sum) })
            }
            ("floor", [one]) => self.whole(one, f64::floor),
            ("ceiling", [one]) => self.whole(one, f64::ceil),
            ("round", [one]) => self.whole(one, f64::round),
            _ => {
                let path = self.path;
                self.interp.unsupported(format!("the function {name} with these arguments in the XPath {path}"))
            }
        }
    }

    fn whole(&mut self, one: &Found, how: fn(f64) -> f64) -> Flow<Found> {
        let number = how(self.number(one)?);
        if number.is_finite() {
            return Ok(Found::Integer(number as i64));
        }
        let path = self.path;
        self.interp.unsupported(format!("what is no number, made whole in the XPath {path}"))
    }
}

fn one_blank(text: &str) -> String {
    text.split(|letter: char| letter.is_ascii_whitespace())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
