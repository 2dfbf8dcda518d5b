//! Texts of a document, and sections of CDATA.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::names::{leading, name};
use super::node::{Link, XmlNode, copied, made_blank, node_of};
use super::references::{normalized, one_line_end, unnormalized};
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::text::Text;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[
    (Core::RexmlText, Side::Instance, METHODS),
    (Core::RexmlText, Side::Class, OF_CLASS),
    (Core::RexmlCData, Side::Instance, CDATA),
];

/// Texts are kept as objects: who is given one may change it, and the formatter does.
pub(crate) struct TextNode {
    pub(super) link: Link,
    is_cdata: bool,
    pub(super) string: RefCell<Rc<Text>>,
    /// As it is written is how it stands there.
    pub(super) is_raw: Cell<bool>,
    normalized: RefCell<Option<Rc<Text>>>,
    unnormalized: RefCell<Option<Rc<Text>>>,
}

impl TextNode {
    pub(super) fn new(is_cdata: bool) -> TextNode {
        TextNode {
            link: Link::default(),
            is_cdata,
            string: RefCell::new(Rc::new(Text::new(String::new()))),
            is_raw: Cell::new(false),
            normalized: RefCell::default(),
            unnormalized: RefCell::default(),
        }
    }

    fn set(&self, text: String) {
        *self.string.borrow_mut() = Rc::new(Text::new(text));
        self.forget();
    }

    fn forget(&self) {
        *self.normalized.borrow_mut() = None;
        *self.unnormalized.borrow_mut() = None;
    }
}

const OF_CLASS: &[NativeMethod] = &[
    method("normalize", 1, 1, |interp, given| Ok(Value::text(normalized(&interp.text_of(given.arg(0))?)))),
    method("unnormalize", 1, 1, |interp, given| {
        let text = interp.text_arg(given.arg(0))?;
        unnormalized(interp, &text).map(Value::text)
    }),
];

const METHODS: &[NativeMethod] = &[
    private("initialize", 1, 4, |interp, given| {
        let keeps = given.arg(1).is_truthy();
        initialize(interp, given, keeps, given.arg(2), given.arg(3))
    }),
    method("node_type", 0, 0, |_, _| Ok(Value::symbol("text"))),
    method("raw", 0, 0, |interp, given| Ok(own(interp, given)?.is_raw.get().into())),
    method("raw=", 1, 1, |interp, given| {
        own(interp, given)?.is_raw.set(given.arg(0).is_truthy());
        Ok(given.arg(0).clone())
    }),
    method("empty?", 0, 0, |interp, given| Ok(own(interp, given)?.string.borrow().bytes().is_empty().into())),
    method("clone", 0, 0, |interp, given| {
        let (own, copy) = (own(interp, given)?, made_blank(interp, Core::RexmlText));
        fill_from(interp, &copy, &own)?;
        Ok(copy)
    }),
    method("<<", 1, 1, |interp, given| {
        let (own, more) = (own(interp, given)?, interp.text_arg(given.arg(0))?);
        append(interp, &own, &more)?;
        Ok(given.receiver.clone())
    }),
    method("to_s", 0, 0, |interp, given| {
        let own = own(interp, given)?;
        written(interp, &own).map(Value::String)
    }),
    method("value", 0, 0, |interp, given| {
        let own = own(interp, given)?;
        let known = own.unnormalized.borrow().clone();
        if let Some(known) = known {
            return Ok(Value::String(known));
        }
        let string = interp.str_of(&own.string.borrow().clone())?;
        let meant = Rc::new(Text::new(unnormalized(interp, &string)?));
        *own.unnormalized.borrow_mut() = Some(meant.clone());
        Ok(Value::String(meant))
    }),
    method("value=", 1, 1, |interp, given| {
        let (own, text) = (own(interp, given)?, interp.text_arg(given.arg(0))?);
        own.set(one_line_end(&text));
        own.is_raw.set(false);
        Ok(given.arg(0).clone())
    }),
    method("inspect", 0, 0, |interp, given| {
        let string = Value::String(own(interp, given)?.string.borrow().clone());
        interp.inspect(&string).map(Value::text)
    }),
    method("<=>", 1, 1, |interp, given| {
        let (one, other) = (interp.send(given.receiver, "to_s", &[])?, interp.send(given.arg(0), "to_s", &[])?);
        interp.send(&one, "<=>", &[other])
    }),
    method("==", 1, 1, |interp, given| {
        if given.receiver.is_same(given.arg(0)) {
            return Ok(Value::Bool(true));
        }
        Ok(matches!(interp.send(given.receiver, "<=>", given.args)?, Value::Int(0)).into())
    }),
    method("xpath", 0, 0, |interp, given| {
        let parent = interp.send(given.receiver, "parent", &[])?;
        let path = interp.send(&parent, "xpath", &[])?;
        interp.send(&path, "+", &[Value::text("/text()")])
    }),
    method("write", 1, 4, |interp, given| {
        let indent = given.args.get(1).cloned().unwrap_or(Value::Int(-1));
        super::format::write_indented(interp, given.receiver, given.arg(0), &indent, &Value::Nil, &Value::Nil)
    }),
];

const CDATA: &[NativeMethod] = &[
    private("initialize", 1, 3, |interp, given| {
        let keeps = given.args.get(1).is_none_or(Value::is_truthy);
        initialize(interp, given, keeps, given.arg(2), &Value::Bool(false))
    }),
    method("clone", 0, 0, |interp, given| {
        let (own, copy) = (own(interp, given)?, made_blank(interp, Core::RexmlCData));
        fill_from(interp, &copy, &own)?;
        Ok(copy)
    }),
    method("to_s", 0, 0, |interp, given| Ok(Value::String(own(interp, given)?.string.borrow().clone()))),
    method("value", 0, 0, |interp, given| Ok(Value::String(own(interp, given)?.string.borrow().clone()))),
];

fn own(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Rc<TextNode>> {
    match node_of(given.receiver) {
        Some(XmlNode::Text(text)) => Ok(text),
        _ => interp.unsupported(format!("the method REXML::Text#{}", given.name)),
    }
}

fn initialize(interp: &mut Interp<'_>, given: &CallArguments<'_>, keeps: bool, parent: &Value, raw: &Value) -> Flow {
    if !parent.is_nil() {
        interp.send(parent, "add", std::slice::from_ref(given.receiver))?;
    }
    let inherited = match node_of(parent) {
        Some(_) => interp.send(parent, "raw", &[])?.is_truthy(),
        None => false,
    };
    if let Some(XmlNode::Text(other)) = node_of(given.arg(0)) {
        fill_from(interp, given.receiver, &other)?;
    } else {
        let Value::String(text) = given.arg(0) else {
            return interp.unsupported("a REXML::Text of what is no text");
        };
        let text = interp.str_of(text)?;
        let raw = if raw.is_nil() { inherited } else { raw.is_truthy() };
        fill(interp, given.receiver, text, keeps, raw)?;
    }
    Ok(Value::Nil)
}

fn fill_from(interp: &mut Interp<'_>, copy: &Value, other: &TextNode) -> Flow<()> {
    let Some(XmlNode::Text(own)) = node_of(copy) else { return Ok(()) };
    let string = interp.str_of(&other.string.borrow().clone())?;
    own.set(one_line_end(&string));
    own.is_raw.swap(&copied(&other.is_raw));
    Ok(())
}

/// Gives a new text its content.
pub(super) fn fill(interp: &mut Interp<'_>, text: &Value, content: String, keeps: bool, raw: bool) -> Flow<()> {
    let Some(XmlNode::Text(own)) = node_of(text) else { return Ok(()) };
    let content = one_line_end(&if keeps { content } else { squeezed(&content, " \n\t") });
    own.is_raw.set(raw);
    if raw {
        check(interp, &content)?;
    }
    own.set(content);
    Ok(())
}

pub(super) fn append(interp: &mut Interp<'_>, own: &TextNode, more: &str) -> Flow<()> {
    let string = own.string.borrow().clone();
    let more = Text::new(one_line_end(more));
    own.forget();
    interp.send(&Value::String(string), "<<", &[Value::String(Rc::new(more))]).map(|_| ())
}

/// As it is written in a document.
pub(super) fn written(interp: &mut Interp<'_>, own: &TextNode) -> Flow<Rc<Text>> {
    if own.is_raw.get() || own.is_cdata {
        return Ok(own.string.borrow().clone());
    }
    let known = own.normalized.borrow().clone();
    if let Some(known) = known {
        return Ok(known);
    }
    let string = interp.str_of(&own.string.borrow().clone())?;
    let made = Rc::new(Text::new(normalized(&string)));
    *own.normalized.borrow_mut() = Some(made.clone());
    Ok(made)
}

/// Returns the text of a node, for paths.
pub(super) fn written_text(interp: &mut Interp<'_>, node: &Value) -> Flow<String> {
    match node_of(node) {
        Some(XmlNode::Text(text)) => {
            let written = written(interp, &text)?;
            interp.str_of(&written)
        }
        _ => Ok(String::new()),
    }
}

/// One of each run of the same letter, of those that are named.
pub(super) fn squeezed(text: &str, of: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if !(of.contains(letter) && out.ends_with(letter)) {
            out.push(letter);
        }
    }
    out
}

/// Whether a text may stand in a document as it is.
pub(super) fn check(interp: &mut Interp<'_>, text: &str) -> Flow<()> {
    // As soon as one line has no letter that may not be there, none is looked for.
    let lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    if !lines.into_iter().any(|line| line.chars().all(is_valid))
        && let Some(letter) = text.chars().find(|letter| !is_valid(*letter))
    {
        return illegal(interp, &letter.to_string(), text);
    }
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&']) {
        rest = &rest[at..];
        let length = match rest.strip_prefix('&') {
            None => return illegal(interp, "<", text),
            Some(inside) => match reference_length(inside) {
                Some(length) => length,
                None => return illegal(interp, "&", text),
            },
        };
        let (reference, behind) = rest.split_at(length + 2);
        if let Some(number) = reference.strip_prefix("&#").and_then(|number| number.strip_suffix(';'))
            && !is_number_valid(number)
        {
            return illegal(interp, reference, text);
        }
        rest = behind;
    }
    Ok(())
}

fn illegal<T>(interp: &mut Interp<'_>, what: &str, text: &str) -> Flow<T> {
    let (what, text) = (interp.inspect(&what.into())?, interp.inspect(&text.into())?);
    interp.raise(Core::RuntimeError, format!("Illegal character {what} in raw string {text}"))
}

/// Returns how long a reference is without `&` and `;`.
fn reference_length(inside: &str) -> Option<usize> {
    let length = match inside.strip_prefix('#') {
        Some(number) => {
            let zeros = number.len() - number.trim_start_matches('0').len();
            let digits = leading(number, |letter| letter.is_ascii_digit(), |letter| letter.is_ascii_digit());
            let hex = number[zeros..]
                .strip_prefix('x')
                .and_then(|hex| leading(hex, |letter| letter.is_ascii_hexdigit(), |letter| letter.is_ascii_hexdigit()));
            match (hex, digits) {
                (Some(hex), _) => 2 + zeros + hex.len(),
                (None, Some(digits)) => 1 + digits.len(),
                (None, None) => return None,
            }
        }
        None => name(inside)?.len(),
    };
    inside[length..].starts_with(';').then_some(length)
}

fn is_number_valid(number: &str) -> bool {
    let code = match number.strip_prefix('x') {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        // Ruby reads as many digits as there are.
        None => number.split('x').next().unwrap_or_default().parse().ok(),
    };
    code.and_then(char::from_u32).is_some_and(is_valid)
}

fn is_valid(letter: char) -> bool {
    matches!(letter,
        '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..='\u{10FFFF}')
}

/// Makes the white space of a text what the formatter wants it to be, in the node itself.
pub(super) fn make_one_space(interp: &mut Interp<'_>, text: &Value) -> Flow<String> {
    let Value::String(own) = text else { return interp.text_of(text) };
    let spaced: String = interp
        .str_of(own)?
        .chars()
        .map(|letter| if matches!(letter, ' ' | '\t' | '\r' | '\n' | '\u{b}' | '\u{c}') { ' ' } else { letter })
        .collect();
    let spaced = squeezed(&spaced, " ");
    if own.frozen.get() {
        return interp.frozen(text);
    }
    own.set(spaced.clone());
    Ok(spaced)
}
