//! Follows a path from node to node.

use pantin_base::stack;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::attribute::{attribute_of, namespace, namespace_of_attribute, namespaces_around};
use super::super::attributes::values;
use super::super::element::root_node;
use super::super::node::{XmlNode, element_of, node_of, parent_of};
use super::super::parent::children;
use super::grammar::{Axis, Expression, Operator, Step, Test};
use crate::interp::Interp;
use crate::stop::Flow;
use crate::value::Value;

pub(super) struct Evaluation<'e, 'o> {
    pub(super) interp: &'e mut Interp<'o>,
    /// Given by who asks; `None`: those that each element declares.
    pub(super) namespaces: Option<&'e [(String, String)]>,
    /// For errors.
    pub(super) path: &'e str,
}

/// A node, and which one of its set it is.
#[derive(Clone)]
pub(super) struct Placed {
    pub(super) value: Value,
    pub(super) position: usize,
}

/// What an expression is worth.
#[derive(Clone)]
pub(super) enum Found {
    Nodes(Vec<Placed>),
    Text(String),
    Integer(i64),
    Float(f64),
    Bool(bool),
    Nil,
}

/// The node that a predicate is about.
#[derive(Clone)]
pub(super) struct PredicateContext {
    pub(super) node: Value,
    pub(super) index: usize,
    pub(super) size: usize,
}

impl Found {
    pub(super) fn into_value(self) -> Value {
        match self {
            Found::Nodes(nodes) => Value::array(nodes.into_iter().map(|node| node.value).collect()),
            Found::Text(text) => Value::text(text),
            Found::Integer(number) => Value::Int(number),
            Found::Float(number) => Value::Float(number),
            Found::Bool(is) => Value::Bool(is),
            Found::Nil => Value::Nil,
        }
    }
}

fn placed(nodes: impl IntoIterator<Item = Value>) -> Vec<Placed> {
    nodes.into_iter().enumerate().map(|(at, value)| Placed { value, position: at + 1 }).collect()
}

impl Evaluation<'_, '_> {
    pub(super) fn start(&mut self, expression: &Expression, nodes: Vec<Value>) -> Flow<Found> {
        self.evaluate(expression, &placed(nodes), None)
    }

    pub(super) fn evaluate(
        &mut self,
        expression: &Expression,
        nodes: &[Placed],
        context: Option<&PredicateContext>,
    ) -> Flow<Found> {
        self.interp.step()?;
        if nodes.is_empty() {
            return Ok(Found::Nodes(Vec::new()));
        }
        stack::with_room(|| self.evaluate_here(expression, nodes, context))
    }

    fn evaluate_here(
        &mut self,
        expression: &Expression,
        nodes: &[Placed],
        context: Option<&PredicateContext>,
    ) -> Flow<Found> {
        match expression {
            Expression::Text(text) => Ok(Found::Text(text.clone())),
            Expression::Integer(number) => Ok(Found::Integer(*number)),
            Expression::Float(number) => Ok(Found::Float(*number)),
            Expression::Path { from_root, steps } => self.follow(*from_root, steps, nodes).map(Found::Nodes),
            Expression::Negated(inside) => {
                let inside = self.evaluate(inside, nodes, context)?;
                Ok(Found::Float(-self.number(&inside)?))
            }
            Expression::Binary(operator, left, right) => self.operate(*operator, left, right, nodes, context),
            Expression::Call(name, arguments) => {
                let [node] = nodes else {
                    let path = self.path;
                    return self.interp.unsupported(format!("a call for several nodes in the XPath {path}"));
                };
                let own = PredicateContext { node: node.value.clone(), index: node.position, size: nodes.len() };
                let context = context.unwrap_or(&own);
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.evaluate(argument, nodes, Some(context))?);
                }
                self.call(name, values, context)
            }
        }
    }

    fn operate(
        &mut self,
        operator: Operator,
        left: &Expression,
        right: &Expression,
        nodes: &[Placed],
        context: Option<&PredicateContext>,
    ) -> Flow<Found> {
        let left = self.evaluate(left, nodes, context)?;
        if matches!(operator, Operator::Or | Operator::And) && self.boolean(&left) == (operator == Operator::Or) {
            return Ok(Found::Bool(operator == Operator::Or));
        }
        let right = self.evaluate(right, nodes, context)?;
        match operator {
            Operator::Or | Operator::And => Ok(Found::Bool(self.boolean(&right))),
            Operator::Union => {
                let (Found::Nodes(mut all), Found::Nodes(more)) = (left, right) else {
                    let path = self.path;
                    return self.interp.unsupported(format!("a union of what are no nodes in the XPath {path}"));
                };
                all.extend(more);
                let mut known = FxHashSet::default();
                let unique = all.into_iter().map(|node| node.value).filter(|node| known.insert(node.identity()));
                Ok(Found::Nodes(placed(unique)))
            }
            Operator::Plus | Operator::Minus | Operator::Times | Operator::Divide | Operator::Modulo => {
                let (left, right) = (self.number(&left)?, self.number(&right)?);
                Ok(Found::Float(match operator {
                    Operator::Plus => left + right,
                    Operator::Minus => left - right,
                    Operator::Times => left * right,
                    Operator::Divide => left / right,
                    _ => left - right * (left / right).floor(),
                }))
            }
            comparison => self.compare_sets(&left, comparison, &right).map(Found::Bool),
        }
    }

    fn follow(&mut self, from_root: bool, steps: &[Step], nodes: &[Placed]) -> Flow<Vec<Placed>> {
        let mut nodes = match nodes.first() {
            Some(first) if from_root => placed([root_node(self.interp, &first.value)?]),
            _ => nodes.to_vec(),
        };
        for step in steps {
            if nodes.is_empty() {
                break;
            }
            nodes = self.step(step, &nodes)?;
        }
        Ok(nodes)
    }

    fn step(&mut self, step: &Step, nodes: &[Placed]) -> Flow<Vec<Placed>> {
        let mut sets = self.along(step.axis, nodes)?;
        for set in &mut sets {
            let mut kept = Vec::new();
            for node in set.drain(..) {
                self.interp.step()?;
                if self.passes(&step.test, step.axis, &node)? {
                    kept.push(node);
                }
            }
            *set = kept;
        }
        let mut sets: Vec<Vec<Placed>> = sets.into_iter().map(placed).collect();
        for predicate in &step.predicates {
            for set in &mut sets {
                *set = self.filtered(predicate, set)?;
            }
        }
        if let [set] = sets.as_slice() {
            return Ok(placed(set.iter().map(|node| node.value.clone())));
        }
        if step.axis == Axis::PrecedingSibling && sets.iter().any(|set| !set.is_empty()) {
            let path = self.path;
            return self.interp.unsupported(format!("the axis preceding-sibling of several nodes in the XPath {path}"));
        }
        self.in_order(sets.into_iter().flatten().map(|node| node.value).collect())
    }

    /// Returns the nodes that an axis leads to from each of some nodes.
    fn along(&mut self, axis: Axis, nodes: &[Placed]) -> Flow<Vec<Vec<Value>>> {
        if axis == Axis::Itself {
            return Ok(vec![nodes.iter().map(|node| node.value.clone()).collect()]);
        }
        let mut sets = Vec::new();
        for node in nodes {
            self.interp.step()?;
            let own = &node.value;
            let set = match axis {
                Axis::Child => match element_of(own) {
                    Some(element) if !element.is_document => Some(children(own)),
                    Some(_) => {
                        let is_skipped =
                            |child: &Value| matches!(node_of(child), Some(XmlNode::Declaration(_) | XmlNode::Text(_)));
                        Some(children(own).into_iter().filter(|child| !is_skipped(child)).collect::<Vec<_>>())
                            .filter(|set| !set.is_empty())
                    }
                    None => None,
                },
                Axis::Attribute => element_of(own)
                    .filter(|element| !element.is_document && !element.attributes.borrow().is_empty())
                    .map(|element| values(&element)),
                Axis::Parent => self.above(own)?.map(|parent| vec![parent]),
                Axis::Ancestor | Axis::AncestorOrSelf => self.ancestors(axis, own)?,
                Axis::Descendant => Some(self.descendants(own, false)?).filter(|set| !set.is_empty()),
                Axis::DescendantOrSelf => Some(self.descendants(own, true)?),
                Axis::FollowingSibling | Axis::PrecedingSibling => self.siblings(axis, own)?,
                Axis::Itself => None,
            };
            sets.extend(set);
        }
        Ok(sets)
    }

    fn above(&mut self, own: &Value) -> Flow<Option<Value>> {
        match attribute_of(own) {
            Some(attribute) => attribute.element.get(self.interp),
            None => parent_of(self.interp, own),
        }
    }

    fn ancestors(&mut self, axis: Axis, own: &Value) -> Flow<Option<Vec<Value>>> {
        let with_itself = axis == Axis::AncestorOrSelf;
        if with_itself && element_of(own).is_none_or(|element| element.is_document) {
            return Ok(None);
        }
        let mut all = if with_itself { vec![own.clone()] } else { Vec::new() };
        let mut next = parent_of(self.interp, own)?;
        while let Some(parent) = next {
            self.interp.step()?;
            next = parent_of(self.interp, &parent)?;
            all.push(parent);
        }
        Ok(Some(all).filter(|all| !all.is_empty()))
    }

    fn descendants(&mut self, own: &Value, with_itself: bool) -> Flow<Vec<Value>> {
        let (mut all, mut left) = (Vec::new(), vec![own.clone()]);
        while let Some(next) = left.pop() {
            self.interp.step()?;
            left.extend(children(&next).into_iter().rev());
            if with_itself || !next.is_same(own) {
                all.push(next);
            }
        }
        Ok(all)
    }

    fn siblings(&mut self, axis: Axis, own: &Value) -> Flow<Option<Vec<Value>>> {
        let Some(parent) = parent_of(self.interp, own)? else { return Ok(None) };
        let mut all = children(&parent);
        let Some(at) = all.iter().position(|child| child.is_same(own)) else { return Ok(None) };
        let found = if axis == Axis::FollowingSibling {
            all.split_off(at + 1)
        } else {
            all.truncate(at);
            all.reverse();
            all
        };
        Ok(Some(found).filter(|found| !found.is_empty()))
    }

    fn passes(&mut self, test: &Test, axis: Axis, node: &Value) -> Flow<bool> {
        let Some(kind) = node_of(node) else { return Ok(false) };
        Ok(match (test, &kind) {
            (Test::Node, _) => true,
            (Test::Any, XmlNode::Element(element)) => axis != Axis::Attribute && !element.is_document,
            (Test::Any, XmlNode::Attribute(_)) => axis == Axis::Attribute,
            (Test::Text, XmlNode::Text(_)) | (Test::Comment, XmlNode::Comment(_)) => true,
            (Test::Instruction(target), XmlNode::Instruction(own)) => {
                let own = self.interp.text_of(&own.target.borrow().clone())?;
                target.is_empty() || *target == own
            }
            (Test::Name { prefix, local }, XmlNode::Element(element)) if !element.is_document => {
                let (own, name) = (element.name.borrow().prefix().to_owned(), element.name.borrow().local().to_owned());
                if name != *local {
                    return Ok(false);
                }
                let Some(prefix) = prefix else { return Ok(true) };
                let wanted = match self.namespaces {
                    Some(_) => Some(self.given_namespace(prefix)),
                    None => namespace(self.interp, node, prefix)?,
                };
                namespace(self.interp, node, &own)? == wanted
            }
            (Test::Name { prefix, local }, XmlNode::Attribute(attribute)) => {
                if attribute.name.borrow().local() != local {
                    return Ok(false);
                }
                let own = namespace_of_attribute(self.interp, node)?;
                match prefix.as_deref() {
                    None => true,
                    Some("") => own.as_deref() == Some(""),
                    Some(prefix) => match (self.namespaces, attribute.element.get(self.interp)?) {
                        (Some(_), _) => own == Some(self.given_namespace(prefix)),
                        (None, Some(element)) => own == namespace(self.interp, &element, prefix)?,
                        (None, None) => false,
                    },
                }
            }
            (Test::Prefix(prefix), XmlNode::Element(element)) if !element.is_document => {
                let own = element.name.borrow().prefix().to_owned();
                namespace(self.interp, node, &own)? == self.namespace_around(node, prefix)?
            }
            (Test::Prefix(prefix), XmlNode::Attribute(attribute)) => match attribute.element.get(self.interp)? {
                Some(element) => {
                    namespace_of_attribute(self.interp, node)? == self.namespace_around(&element, prefix)?
                }
                None => false,
            },
            _ => false,
        })
    }

    /// The namespace of a prefix that is declared where an element is.
    fn namespace_around(&mut self, element: &Value, prefix: &str) -> Flow<Option<String>> {
        let all = match self.namespaces {
            Some(given) => given.to_vec(),
            None => namespaces_around(self.interp, element)?,
        };
        Ok(all.into_iter().find(|(known, _)| known == prefix).map(|(_, uri)| uri))
    }

    fn given_namespace(&self, prefix: &str) -> String {
        let all = self.namespaces.unwrap_or_default();
        all.iter().find(|(known, _)| known == prefix).map(|(_, uri)| uri.clone()).unwrap_or_default()
    }

    fn filtered(&mut self, predicate: &Expression, set: &[Placed]) -> Flow<Vec<Placed>> {
        let mut kept = Vec::new();
        for node in set {
            let context = PredicateContext { node: node.value.clone(), index: node.position, size: set.len() };
            let found = self.evaluate(predicate, std::slice::from_ref(node), Some(&context))?;
            let is_kept = match found {
                Found::Integer(number) => number == node.position as i64,
                #[expect(clippy::float_cmp, reason = "as REXML does")]
                Found::Float(number) => number == node.position as f64,
                Found::Nodes(nodes) => !nodes.is_empty(),
                Found::Bool(is) => is,
                Found::Text(_) => true,
                Found::Nil => false,
            };
            if is_kept {
                kept.push(node.value.clone());
            }
        }
        Ok(placed(kept))
    }

    /// In the order of the document.
    fn in_order(&mut self, nodes: Vec<Value>) -> Flow<Vec<Placed>> {
        let mut keyed = Vec::with_capacity(nodes.len());
        // Which child of its parent each is, of the parents that were met.
        let mut places: FxHashMap<usize, FxHashMap<usize, usize>> = FxHashMap::default();
        for node in nodes {
            let mut key = Vec::new();
            let mut next = match attribute_of(&node) {
                Some(attribute) => attribute.element.get(self.interp)?,
                None => Some(node.clone()),
            };
            while let Some(own) = next {
                self.interp.step()?;
                let Some(parent) = parent_of(self.interp, &own)? else { break };
                if element_of(&parent).is_none_or(|parent| parent.is_document) {
                    break;
                }
                let places = places.entry(parent.identity()).or_insert_with(|| {
                    children(&parent).iter().enumerate().map(|(at, child)| (child.identity(), at)).collect()
                });
                key.push(places.get(&own.identity()).copied().unwrap_or_default());
                next = Some(parent);
            }
            key.reverse();
            keyed.push((key, node));
        }
        keyed.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(placed(keyed.into_iter().map(|(_, node)| node)))
    }
}
