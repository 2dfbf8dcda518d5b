//! The declaration that a document begins with: `<?xml version='1.0'?>`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::node::{Link, XmlNode, made_blank, node_of, parent_of};
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] =
    &[(Core::RexmlXmlDecl, Side::Instance, METHODS), (Core::RexmlXmlDecl, Side::Class, OF_CLASS)];

#[derive(Default)]
pub(crate) struct XmlDeclaration {
    pub(super) link: Link,
    pub(super) version: RefCell<Value>,
    /// In capitals.
    pub(super) encoding: RefCell<String>,
    pub(super) standalone: RefCell<Value>,
    writes_encoding: Cell<bool>,
    pub(super) is_written: Cell<bool>,
}

const OF_CLASS: &[NativeMethod] = &[method("default", 0, 0, |interp, _| default(interp))];

const METHODS: &[NativeMethod] = &[
    private("initialize", 0, 3, initialize),
    method("version", 0, 0, |interp, given| Ok(own(interp, given)?.version.borrow().clone())),
    method("version=", 1, 1, |interp, given| {
        own(interp, given)?.version.borrow_mut().clone_from(given.arg(0));
        Ok(given.arg(0).clone())
    }),
    method("encoding", 0, 0, |interp, given| Ok(Value::text(own(interp, given)?.encoding.borrow().clone()))),
    method("encoding=", 1, 1, |interp, given| {
        let own = own(interp, given)?;
        set_encoding(interp, &own, given.arg(0))?;
        Ok(given.arg(0).clone())
    }),
    method("standalone", 0, 0, |interp, given| Ok(own(interp, given)?.standalone.borrow().clone())),
    method("stand_alone?", 0, 0, |interp, given| Ok(own(interp, given)?.standalone.borrow().clone())),
    method("standalone=", 1, 1, |interp, given| {
        own(interp, given)?.standalone.borrow_mut().clone_from(given.arg(0));
        Ok(given.arg(0).clone())
    }),
    method("writethis", 0, 0, |interp, given| Ok(own(interp, given)?.is_written.get().into())),
    method("writeencoding", 0, 0, |interp, given| Ok(own(interp, given)?.writes_encoding.get().into())),
    method("nowrite", 0, 0, |interp, given| {
        own(interp, given)?.is_written.set(false);
        Ok(Value::Bool(false))
    }),
    method("dowrite", 0, 0, |interp, given| {
        own(interp, given)?.is_written.set(true);
        Ok(Value::Bool(true))
    }),
    method("write", 1, 4, write),
    method("clone", 0, 0, |interp, given| {
        let class = Value::Class(Core::RexmlXmlDecl.class());
        interp.send(&class, "new", std::slice::from_ref(given.receiver))
    }),
    method("==", 1, 1, |interp, given| {
        let Some(XmlNode::Declaration(other)) = node_of(given.arg(0)) else { return Ok(Value::Bool(false)) };
        let own = own(interp, given)?;
        let (version, standalone) = (own.version.borrow().clone(), own.standalone.borrow().clone());
        let (others, theirs) = (other.version.borrow().clone(), other.standalone.borrow().clone());
        let same_encoding = *own.encoding.borrow() == *other.encoding.borrow();
        Ok((same_encoding && interp.equal(&version, &others)? && interp.equal(&standalone, &theirs)?).into())
    }),
    method("node_type", 0, 0, |_, _| Ok(Value::symbol("xmldecl"))),
    method("inspect", 0, 0, |_, _| Ok(Value::text("<?xml ... ?>"))),
];

fn own(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Rc<XmlDeclaration>> {
    match node_of(given.receiver) {
        Some(XmlNode::Declaration(own)) => Ok(own),
        _ => interp.unsupported(format!("the method REXML::XMLDecl#{}", given.name)),
    }
}

fn initialize(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let own = own(interp, given)?;
    if let Some(XmlNode::Declaration(other)) = node_of(given.arg(0)) {
        own.version.borrow_mut().clone_from(&other.version.borrow());
        own.encoding.borrow_mut().clone_from(&other.encoding.borrow());
        own.standalone.borrow_mut().clone_from(&other.standalone.borrow());
        own.writes_encoding.set(other.writes_encoding.get());
        own.is_written.set(other.is_written.get());
        return Ok(Value::Nil);
    }
    fill(interp, &own, given.arg(0).clone(), given.arg(1), given.arg(2))?;
    Ok(Value::Nil)
}

pub(super) fn fill(
    interp: &mut Interp<'_>,
    own: &XmlDeclaration,
    version: Value,
    encoding: &Value,
    standalone: &Value,
) -> Flow<()> {
    set_encoding(interp, own, encoding)?;
    *own.version.borrow_mut() = if version.is_nil() { Value::text("1.0") } else { version };
    own.standalone.borrow_mut().clone_from(standalone);
    Ok(())
}

/// One that says nothing but the version, and is not written.
pub(super) fn default(interp: &mut Interp<'_>) -> Flow {
    let made = made_blank(interp, Core::RexmlXmlDecl);
    if let Some(XmlNode::Declaration(own)) = node_of(&made) {
        fill(interp, &own, Value::Nil, &Value::Nil, &Value::Nil)?;
        own.is_written.set(false);
    }
    Ok(made)
}

fn set_encoding(interp: &mut Interp<'_>, own: &XmlDeclaration, encoding: &Value) -> Flow<()> {
    let name = match encoding {
        Value::Nil => "UTF-8".to_owned(),
        name => interp.text_arg(name)?.to_uppercase(),
    };
    *own.encoding.borrow_mut() = name;
    own.writes_encoding.set(!encoding.is_nil());
    own.is_written.set(true);
    Ok(())
}

fn write(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let own = own(interp, given)?;
    if !own.is_written.get() {
        return Ok(Value::Nil);
    }
    let context = match parent_of(interp, given.receiver)? {
        Some(parent) => interp.send(&parent, "context", &[])?,
        None => Value::Nil,
    };
    let quote = match &context {
        Value::Hash(table) => table.get_symbol("prologue_quote").unwrap_or_default(),
        _ => Value::Nil,
    };
    let quote = if matches!(quote, Value::Symbol(quote) if quote == "quote") { '"' } else { '\'' };
    let version = interp.text_of(&own.version.borrow().clone())?;
    let mut text = format!("<?xml version={quote}{version}{quote}");
    let encoding = own.encoding.borrow().clone();
    if own.writes_encoding.get() || encoding != "UTF-8" {
        text.push_str(&format!(" encoding={quote}{encoding}{quote}"));
    }
    let standalone = own.standalone.borrow().clone();
    if standalone.is_truthy() {
        let standalone = interp.text_of(&standalone)?;
        text.push_str(&format!(" standalone={quote}{standalone}{quote}"));
    }
    text.push_str("?>");
    interp.send(given.arg(0), "<<", &[Value::text(text)])
}
