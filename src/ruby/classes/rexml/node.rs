//! The nodes of a document as objects of Ruby: what each holds, whose child it is, and what all nodes can do.
//!
//! A node holds its children and names its parent weakly, so that no two of them keep each other. As in Ruby a parent
//! stays as long as a child may ask for it: what has children is kept until the run ends (`Interp::keep_node`).

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use indexmap::IndexMap;
use pantin_values::Str;
use rustc_hash::FxBuildHasher;

use super::attribute::Attribute;
use super::declaration::XmlDeclaration;
use super::doctype::DocType;
use super::names::Name;
use super::parent::delete_child;
use super::text::{TextNode, check};
use crate::class::{Class, Core};
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::{Data, Object, Value};

/// What an object of REXML's holds.
#[derive(Clone)]
pub(crate) enum XmlNode {
    /// An element, or a document.
    Element(Rc<Element>),
    DocType(Rc<DocType>),
    Text(Rc<TextNode>),
    Comment(Rc<Comment>),
    Instruction(Rc<Instruction>),
    Declaration(Rc<XmlDeclaration>),
    Attribute(Rc<Attribute>),
    /// The elements that are children of an element.
    Elements(Value),
    /// The attributes of an element.
    Attributes(Value),
}

/// The object that a node belongs to; `None`: to none.
#[derive(Default)]
pub(super) struct Link(RefCell<Option<Weak<Object>>>);

impl Link {
    pub(super) fn set(&self, to: Option<&Value>) {
        *self.0.borrow_mut() = match to {
            Some(Value::Object(object)) => Some(Rc::downgrade(object)),
            _ => None,
        };
    }

    pub(super) fn get(&self, interp: &mut Interp<'_>) -> Flow<Option<Value>> {
        let found = self.0.borrow().as_ref().map(Weak::upgrade);
        match found {
            None => Ok(None),
            Some(Some(object)) => Ok(Some(Value::Object(object))),
            Some(None) => interp.unsupported("the parent of an XML node that an earlier call has made"),
        }
    }
}

/// Attributes of one local name.
#[derive(Clone)]
pub(super) enum Held {
    One(Value),
    /// With different prefixes.
    Several(Vec<(Str, Value)>),
}

pub(crate) struct Element {
    pub(super) link: Link,
    pub(super) is_document: bool,
    pub(super) name: RefCell<Name>,
    pub(super) children: RefCell<Vec<Value>>,
    pub(super) attributes: RefCell<IndexMap<Str, Held, FxBuildHasher>>,
    pub(super) context: RefCell<Value>,
    /// The objects that stand for elements and attributes, as long as anybody has them.
    pub(super) elements_object: RefCell<Weak<Object>>,
    pub(super) attributes_object: RefCell<Weak<Object>>,
}

#[derive(Default)]
pub(crate) struct Comment {
    pub(super) link: Link,
    pub(super) string: RefCell<Value>,
}

#[derive(Default)]
pub(crate) struct Instruction {
    pub(super) link: Link,
    pub(super) target: RefCell<Value>,
    pub(super) content: RefCell<Value>,
}

impl Element {
    fn new(is_document: bool) -> Element {
        Element {
            link: Link::default(),
            is_document,
            name: RefCell::default(),
            children: RefCell::default(),
            attributes: RefCell::default(),
            context: RefCell::default(),
            elements_object: RefCell::default(),
            attributes_object: RefCell::default(),
        }
    }
}

pub(super) const TABLES: &[Table] = &[
    (Core::RexmlChild, Side::Class, MAKE),
    (Core::RexmlAttribute, Side::Class, MAKE),
    (Core::RexmlNode, Side::Instance, NODE),
    (Core::RexmlChild, Side::Instance, CHILD),
];

const MAKE: &[NativeMethod] = &[method("new", 0, ANY, new)];

const NODE: &[NativeMethod] = &[
    method("to_s", 0, 1, |interp, given| {
        let formatter = if given.arg(0).is_nil() { Core::RexmlDefault } else { Core::RexmlPretty };
        let formatter = interp.send(&Value::Class(formatter.class()), "new", given.args)?;
        let text = Value::text("");
        interp.send(&formatter, "write", &[given.receiver.clone(), text.clone()])?;
        Ok(text)
    }),
    method("parent?", 0, 0, |_, _| Ok(Value::Bool(false))),
    method("next_sibling_node", 0, 0, |interp, given| sibling(interp, given, 1)),
    method("previous_sibling_node", 0, 0, |interp, given| sibling(interp, given, -1)),
    method("index_in_parent", 0, 0, |interp, given| {
        let parent = interp.send(given.receiver, "parent", &[])?;
        let index = interp.send(&parent, "index", std::slice::from_ref(given.receiver))?;
        interp.send(&index, "+", &[Value::Int(1)])
    }),
    method("each_recursive", 0, 0, |interp, given| {
        let Some(block) = given.block else { return Ok(Value::Nil) };
        let elements = interp.send(given.receiver, "elements", &[])?;
        let elements = interp.items(&elements)?;
        for element in &elements {
            interp.yield_one(block, element.clone())?;
            interp.send_with(element, "each_recursive", &[], Some(block))?;
        }
        Ok(Value::array(elements))
    }),
    method("find_first_recursive", 0, 0, |interp, given| {
        let Some(block) = given.block else { return Ok(Value::Nil) };
        let mut left = vec![given.receiver.clone()];
        while let Some(next) = left.pop() {
            if !next.is_same(given.receiver) && interp.yield_one(block, next.clone())?.is_truthy() {
                return Ok(next);
            }
            let elements = interp.send(&next, "elements", &[])?;
            left.extend(interp.items(&elements)?.into_iter().rev());
        }
        Ok(Value::Nil)
    }),
];

const CHILD: &[NativeMethod] = &[
    method("parent", 0, 0, |interp, given| Ok(parent_of(interp, given.receiver)?.unwrap_or_default())),
    method("parent=", 1, 1, |interp, given| {
        let parent = Some(given.arg(0)).filter(|parent| !parent.is_nil());
        set_parent(interp, given.receiver, parent)?;
        Ok(given.arg(0).clone())
    }),
    method("remove", 0, 0, |interp, given| {
        if let Some(parent) = parent_of(interp, given.receiver)? {
            interp.send(&parent, "delete", std::slice::from_ref(given.receiver))?;
        }
        Ok(given.receiver.clone())
    }),
    method("replace_with", 1, 1, |interp, given| {
        let parent = interp.send(given.receiver, "parent", &[])?;
        interp.send(&parent, "replace_child", &[given.receiver.clone(), given.arg(0).clone()])?;
        Ok(given.receiver.clone())
    }),
    method("next_sibling", 0, 0, |interp, given| sibling(interp, given, 1)),
    method("previous_sibling", 0, 0, |interp, given| sibling(interp, given, -1)),
    method("next_sibling=", 1, 1, |interp, given| beside(interp, given, "insert_after")),
    method("previous_sibling=", 1, 1, |interp, given| beside(interp, given, "insert_before")),
    method("document", 0, 0, |interp, given| Ok(document_of(interp, given.receiver)?.unwrap_or_default())),
];

fn new(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Value::Class(class) = given.receiver else { return Ok(Value::Nil) };
    let Some(node) = blank(interp, *class) else {
        let name = interp.classes.name(*class);
        return interp.unsupported(format!("the method {name}.new"));
    };
    let object = made(interp, *class, node);
    interp.call(&object, "initialize", given.rest(0), given.block, None, true, false)?;
    Ok(object)
}

/// Returns what an object of a class holds before it is initialized.
fn blank(interp: &Interp<'_>, class: Class) -> Option<XmlNode> {
    let is = |core: Core| interp.class_is_a(class, core.class());
    Some(if is(Core::RexmlElement) {
        XmlNode::Element(Rc::new(Element::new(is(Core::RexmlDocument))))
    } else if is(Core::RexmlText) {
        XmlNode::Text(Rc::new(TextNode::new(is(Core::RexmlCData))))
    } else if is(Core::RexmlComment) {
        XmlNode::Comment(Rc::default())
    } else if is(Core::RexmlInstruction) {
        XmlNode::Instruction(Rc::default())
    } else if is(Core::RexmlXmlDecl) {
        XmlNode::Declaration(Rc::default())
    } else if is(Core::RexmlDocType) {
        XmlNode::DocType(Rc::default())
    } else if is(Core::RexmlAttribute) {
        XmlNode::Attribute(Rc::default())
    } else {
        return None;
    })
}

/// Returns a new object. One that may have children is kept until the run ends.
pub(super) fn made(interp: &mut Interp<'_>, class: Class, node: XmlNode) -> Value {
    let keeps = matches!(node, XmlNode::Element(_));
    let object = Value::object(class, Data::Xml(node));
    if keeps {
        interp.keep_node(object.clone());
    }
    object
}

/// Returns a new object of a class of REXML's own.
pub(super) fn made_blank(interp: &mut Interp<'_>, class: Core) -> Value {
    match blank(interp, class.class()) {
        Some(node) => made(interp, class.class(), node),
        None => Value::Nil,
    }
}

// ---- what an object holds ----

pub(super) fn node_of(value: &Value) -> Option<XmlNode> {
    match value {
        Value::Object(object) => match &*object.data.borrow() {
            Data::Xml(node) => Some(node.clone()),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn element_of(value: &Value) -> Option<Rc<Element>> {
    match node_of(value) {
        Some(XmlNode::Element(element)) => Some(element),
        _ => None,
    }
}

pub(super) fn is_element(value: &Value) -> bool {
    matches!(node_of(value), Some(XmlNode::Element(_)))
}

pub(super) fn is_text(value: &Value) -> bool {
    matches!(node_of(value), Some(XmlNode::Text(_)))
}

/// The element that a method is called on, or that an object of its elements or attributes is of.
pub(super) fn own_element(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Rc<Element>> {
    let found = match node_of(given.receiver) {
        Some(XmlNode::Elements(of) | XmlNode::Attributes(of)) => element_of(&of),
        _ => element_of(given.receiver),
    };
    match found {
        Some(element) => Ok(element),
        None => {
            let of = interp.class_name_of(given.receiver);
            interp.unsupported(format!("the method {of}#{}", given.name))
        }
    }
}

fn with_link<T>(value: &Value, look: impl FnOnce(&Link) -> T) -> Option<T> {
    Some(match &node_of(value)? {
        XmlNode::Element(node) => look(&node.link),
        XmlNode::DocType(node) => look(&node.link),
        XmlNode::Text(node) => look(&node.link),
        XmlNode::Comment(node) => look(&node.link),
        XmlNode::Instruction(node) => look(&node.link),
        XmlNode::Declaration(node) => look(&node.link),
        XmlNode::Attribute(_) | XmlNode::Elements(_) | XmlNode::Attributes(_) => return None,
    })
}

/// Returns true if it is a node that may be a child.
pub(super) fn is_child(value: &Value) -> bool {
    with_link(value, |_| ()).is_some()
}

pub(super) fn parent_of(interp: &mut Interp<'_>, value: &Value) -> Flow<Option<Value>> {
    with_link(value, |link| link.get(interp)).unwrap_or(Ok(None))
}

/// Says whose child a node is, without a look at the children of that.
pub(super) fn set_link(value: &Value, parent: Option<&Value>) {
    with_link(value, |link| link.set(parent));
}

/// Makes a node the child of another, and no longer of the one before.
pub(super) fn set_parent(interp: &mut Interp<'_>, child: &Value, parent: Option<&Value>) -> Flow<()> {
    let old = parent_of(interp, child)?;
    let is_same = match (&old, parent) {
        (Some(old), Some(parent)) => old.is_same(parent),
        (None, None) => true,
        _ => false,
    };
    if !is_same {
        if let Some(old) = old {
            delete_child(&old, child);
        }
        set_link(child, parent);
    }
    match node_of(child) {
        Some(XmlNode::Text(text)) if text.is_raw.get() && parent.is_some() => {
            let string = interp.str_of(&text.string.borrow().clone())?;
            check(interp, &string)
        }
        _ => Ok(()),
    }
}

/// Returns the document that a node is in.
pub(super) fn document_of(interp: &mut Interp<'_>, value: &Value) -> Flow<Option<Value>> {
    let mut next = Some(value.clone());
    while let Some(node) = next {
        interp.step()?;
        if element_of(&node).is_some_and(|element| element.is_document) {
            return Ok(Some(node));
        }
        next = parent_of(interp, &node)?;
    }
    Ok(None)
}

fn sibling(interp: &mut Interp<'_>, given: &CallArguments<'_>, step: i64) -> Flow {
    let Some(parent) = parent_of(interp, given.receiver)? else { return Ok(Value::Nil) };
    let Value::Int(index) = interp.send(&parent, "index", std::slice::from_ref(given.receiver))? else {
        return Ok(Value::Nil);
    };
    if step < 0 && index == 0 {
        return Ok(Value::Nil);
    }
    interp.send(&parent, "[]", &[Value::Int(index + step)])
}

fn beside(interp: &mut Interp<'_>, given: &CallArguments<'_>, how: &str) -> Flow {
    let parent = interp.send(given.receiver, "parent", &[])?;
    interp.send(&parent, how, &[given.receiver.clone(), given.arg(0).clone()])?;
    Ok(given.arg(0).clone())
}

/// Returns an instance variable of REXML's own code, for code that opens its classes; an error for one that has no
/// counterpart here.
pub(crate) fn own_variable(interp: &mut Interp<'_>, object: &Value, name: &str) -> Flow<Option<Value>> {
    const OTHERS: &[&str] = &["@entity_filter", "@whitespace", "@ignore_whitespace_nodes", "@namespace", "@entities"];
    let text = |text: Option<&Str>| text.map(|text| Value::text(text.as_str())).unwrap_or_default();
    let Some(node) = node_of(object) else { return Ok(None) };
    Ok(match (name, &node) {
        ("@parent", _) => parent_of(interp, object)?,
        ("@children", XmlNode::Element(_)) => {
            return interp.unsupported("the instance variable @children of a node of REXML's");
        }
        ("@expanded_name", XmlNode::Element(element)) => Some(text(element.name.borrow().expanded.as_ref())),
        ("@name", XmlNode::Element(element)) => Some(text(element.name.borrow().local.as_ref())),
        ("@prefix", XmlNode::Element(element)) => Some(text(element.name.borrow().prefix.as_ref())),
        ("@context", XmlNode::Element(element)) => Some(element.context.borrow().clone()),
        ("@elements" | "@attributes", XmlNode::Element(_)) => Some(interp.send(object, &name[1..], &[])?),
        ("@expanded_name", XmlNode::Attribute(attribute)) => Some(text(attribute.name.borrow().expanded.as_ref())),
        ("@name", XmlNode::Attribute(attribute)) => Some(text(attribute.name.borrow().local.as_ref())),
        ("@prefix", XmlNode::Attribute(attribute)) => Some(text(attribute.name.borrow().prefix.as_ref())),
        ("@element", XmlNode::Attribute(attribute)) => attribute.element.get(interp)?,
        ("@normalized", XmlNode::Attribute(attribute)) => Some(attribute.normalized.borrow().clone()),
        ("@unnormalized", XmlNode::Attribute(attribute)) => Some(attribute.unnormalized.borrow().clone()),
        ("@element", XmlNode::Elements(of) | XmlNode::Attributes(of)) => Some(of.clone()),
        ("@string", XmlNode::Text(text)) => Some(Value::String(text.string.borrow().clone())),
        ("@raw", XmlNode::Text(text)) => Some(text.is_raw.get().into()),
        ("@string", XmlNode::Comment(comment)) => Some(comment.string.borrow().clone()),
        ("@target", XmlNode::Instruction(pi)) => Some(pi.target.borrow().clone()),
        ("@content", XmlNode::Instruction(pi)) => Some(pi.content.borrow().clone()),
        (other, _) if OTHERS.contains(&other) => {
            return interp.unsupported(format!("the instance variable {name} of a node of REXML's"));
        }
        _ => None,
    })
}

/// Returns true if it is an instance variable that REXML's own code goes by, so that setting it would change what that
/// does.
pub(crate) fn is_own_variable(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "@parent",
        "@children",
        "@expanded_name",
        "@name",
        "@prefix",
        "@context",
        "@elements",
        "@attributes",
        "@element",
        "@normalized",
        "@unnormalized",
        "@string",
        "@raw",
        "@target",
        "@content",
        "@entity_filter",
    ];
    NAMES.contains(&name)
}

/// Returns a cell that is a copy of another one.
pub(super) fn copied(cell: &Cell<bool>) -> Cell<bool> {
    Cell::new(cell.get())
}
