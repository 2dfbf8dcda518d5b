//! The formatter that writes a document as it is.

use super::attributes::listed;
use super::document::{check_encoding, declaration_of};
use super::node::{XmlNode, element_of, node_of};
use super::parent::children;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] =
    &[(Core::RexmlDefault, Side::Class, MAKE), (Core::RexmlDefault, Side::Instance, METHODS)];

const MAKE: &[NativeMethod] = &[method("new", 0, 8, |interp, given| {
    let Value::Class(class) = given.receiver else { return Ok(Value::Nil) };
    let object = Value::object(*class, Data::None);
    interp.call(&object, "initialize", given.rest(0), given.block, None, true, false)?;
    Ok(object)
})];

/// Subclasses change some of these, and so each is called as Ruby would.
const METHODS: &[NativeMethod] = &[
    private("initialize", 0, 1, |interp, given| {
        set(interp, given.receiver, "@ie_hack", given.arg(0).clone())?;
        Ok(Value::Nil)
    }),
    method("write", 2, 2, write),
    private("write_document", 2, 2, |interp, given| {
        for child in children(given.arg(0)) {
            write_child(interp, given, &child)?;
        }
        Ok(Value::Nil)
    }),
    private("write_element", 2, 2, write_element),
    private("write_text", 2, 2, |interp, given| {
        let text = interp.send(given.arg(0), "to_s", &[])?;
        put_value(interp, given, text)
    }),
    private("write_comment", 2, 2, |interp, given| {
        let text = interp.send(given.arg(0), "to_s", &[])?;
        let text = interp.text_of(&text)?;
        put(interp, given, format!("<!--{text}-->"))
    }),
    private("write_cdata", 2, 2, |interp, given| {
        let text = interp.send(given.arg(0), "to_s", &[])?;
        let text = interp.text_of(&text)?;
        put(interp, given, format!("<![CDATA[{text}]]>"))
    }),
    private("write_instruction", 2, 2, |interp, given| {
        let target = interp.send(given.arg(0), "target", &[])?;
        let content = interp.send(given.arg(0), "content", &[])?;
        let mut text = format!("<?{}", interp.text_of(&target)?);
        if content.is_truthy() {
            text.push_str(&format!(" {}", interp.text_of(&content)?));
        }
        put(interp, given, text + "?>")
    }),
];

/// A variable of a formatter: subclasses see them by their names.
pub(super) fn get(interp: &mut Interp<'_>, formatter: &Value, name: &str) -> Flow {
    interp.instance_variable(formatter, &name.into())
}

pub(super) fn set(interp: &mut Interp<'_>, formatter: &Value, name: &str, value: Value) -> Flow<()> {
    interp.set_instance_variable(formatter, &name.into(), value)
}

/// Writes a piece to the output that a method was given behind the node.
pub(super) fn put(interp: &mut Interp<'_>, given: &CallArguments<'_>, text: String) -> Flow {
    put_value(interp, given, Value::text(text))
}

pub(super) fn put_value(interp: &mut Interp<'_>, given: &CallArguments<'_>, text: Value) -> Flow {
    interp.send(given.arg(1), "<<", &[text])
}

pub(super) fn write_child(interp: &mut Interp<'_>, given: &CallArguments<'_>, child: &Value) -> Flow {
    interp.deeper(|interp| interp.send(given.receiver, "write", &[child.clone(), given.arg(1).clone()]))
}

fn write(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (node, output) = (given.arg(0), given.arg(1));
    let how = match node_of(node) {
        Some(XmlNode::Element(element)) if element.is_document => {
            let declaration = declaration_of(interp, node)?;
            let encoding = interp.send(&declaration, "encoding", &[])?;
            check_encoding(interp, &encoding)?;
            "write_document"
        }
        Some(XmlNode::Element(_)) => "write_element",
        Some(XmlNode::Instruction(_)) => "write_instruction",
        Some(XmlNode::Comment(_)) => "write_comment",
        Some(XmlNode::Text(_)) if interp.is_a(node, Core::RexmlCData.class()) => "write_cdata",
        Some(XmlNode::Text(_)) => "write_text",
        Some(XmlNode::Attribute(_)) => return interp.send(node, "write", &[output.clone(), Value::Int(-1)]),
        Some(XmlNode::DocType(_) | XmlNode::Declaration(_)) => {
            return interp.send(node, "write", std::slice::from_ref(output));
        }
        _ => return interp.raise(Core::Exception, "XML FORMATTING ERROR"),
    };
    interp.send(given.receiver, how, &[node.clone(), output.clone()])
}

/// The attributes in the order of their names.
fn write_element(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let node = given.arg(0);
    let name = interp.send(node, "expanded_name", &[])?;
    let name = interp.text_of(&name)?;
    put(interp, given, format!("<{name}"))?;
    if has_attributes(node) {
        let attributes = interp.send(node, "attributes", &[])?;
        let mut named = Vec::new();
        for attribute in listed(interp, &attributes)? {
            let name = interp.send(&attribute, "name", &[])?;
            named.push((interp.text_of(&name)?, attribute));
        }
        named.sort_by(|(one, _), (other, _)| one.cmp(other));
        for (_, attribute) in named {
            put(interp, given, " ".to_owned())?;
            interp.send(&attribute, "write", &given.args[1..2])?;
        }
    }
    if children(node).is_empty() {
        let hack = get(interp, given.receiver, "@ie_hack")?.is_truthy();
        return put(interp, given, if hack { " />" } else { "/>" }.to_owned());
    }
    put(interp, given, ">".to_owned())?;
    for child in children(node) {
        write_child(interp, given, &child)?;
    }
    put(interp, given, format!("</{name}>"))
}

pub(super) fn has_attributes(node: &Value) -> bool {
    element_of(node).is_some_and(|element| !element.attributes.borrow().is_empty())
}

/// Writes a node by the formatter that an indentation calls for.
pub(super) fn write_indented(
    interp: &mut Interp<'_>,
    node: &Value,
    output: &Value,
    indent: &Value,
    transitive: &Value,
    ie_hack: &Value,
) -> Flow {
    let pretty = interp.int_arg(indent)? > -1;
    if pretty && transitive.is_truthy() {
        return interp.unsupported("the class REXML::Formatters::Transitive");
    }
    let hack = ie_hack.is_truthy().into();
    let formatter = if pretty {
        interp.send(&Value::Class(Core::RexmlPretty.class()), "new", &[indent.clone(), hack])?
    } else {
        interp.send(&Value::Class(Core::RexmlDefault.class()), "new", &[hack])?
    };
    interp.send(&formatter, "write", &[node.clone(), output.clone()])
}
