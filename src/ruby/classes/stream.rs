//! Texts that are read and written piece by piece: `StringIO`, and files that were opened, which are read whole first.

use std::rc::Rc;

use memchr::memmem;

use super::string_parts::chomps;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::text::Text;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::StringIo, Side::Class, MAKE),
    (Core::StringIo, Side::Instance, READ),
    (Core::StringIo, Side::Instance, WRITE),
    (Core::File, Side::Instance, READ),
];

/// Where one is in a text.
#[derive(Clone)]
pub(crate) struct Stream {
    pub(crate) text: Rc<Text>,
    /// In bytes.
    at: usize,
    line: i64,
    may_read: bool,
    may_write: bool,
    /// Whatever is written comes to the end.
    appends: bool,
    closed: bool,
}

const MAKE: &[NativeMethod] = &[method("new", 0, 2, new), method("open", 0, 2, open)];

const READ: &[NativeMethod] = &[
    method("read", 0, 1, read),
    method("gets", 0, 2, |interp, given| Ok(line(interp, given)?.unwrap_or_default())),
    method("readline", 0, 2, |interp, given| match line(interp, given)? {
        Some(line) => Ok(line),
        None => interp.raise(Core::EofError, "end of file reached"),
    }),
    method("readlines", 0, 2, |interp, given| {
        let mut lines = Vec::new();
        while let Some(line) = line(interp, given)? {
            interp.check_count(lines.len())?;
            lines.push(line);
        }
        Ok(Value::array(lines))
    }),
    method("each_line", 0, 2, each_line),
    method("each", 0, 2, each_line),
    method("getc", 0, 0, |interp, given| Ok(reading(interp, given, Stream::letter)?.unwrap_or_default())),
    method("each_char", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        while let Some(letter) = reading(interp, given, Stream::letter)? {
            interp.step()?;
            interp.yield_one(block, letter)?;
        }
        Ok(given.receiver.clone())
    }),
    method("eof?", 0, 0, is_at_end),
    method("eof", 0, 0, is_at_end),
    method("rewind", 0, 0, |interp, given| {
        with(interp, given, |stream| (stream.at, stream.line) = (0, 0))?;
        Ok(Value::Int(0))
    }),
    method("pos", 0, 0, |interp, given| with(interp, given, |stream| Value::Int(stream.at as i64))),
    method("tell", 0, 0, |interp, given| with(interp, given, |stream| Value::Int(stream.at as i64))),
    method("pos=", 1, 1, move_to),
    method("lineno", 0, 0, |interp, given| with(interp, given, |stream| Value::Int(stream.line))),
    method("size", 0, 0, |interp, given| with(interp, given, |stream| Value::Int(stream.text.bytes().len() as i64))),
    method("close", 0, 0, |interp, given| with(interp, given, |stream| stream.closed = true).map(|()| Value::Nil)),
    method("closed?", 0, 0, |interp, given| with(interp, given, |stream| stream.closed.into())),
    method("binmode", 0, 0, |_, given| Ok(given.receiver.clone())),
];

const WRITE: &[NativeMethod] = &[
    method("string", 0, 0, |interp, given| with(interp, given, |stream| Value::String(stream.text.clone()))),
    method("length", 0, 0, |interp, given| with(interp, given, |stream| Value::Int(stream.text.bytes().len() as i64))),
    method("write", 0, ANY, |interp, given| {
        let mut count = 0;
        for piece in given.args {
            let piece = interp.text_of(piece)?;
            count += piece.len() as i64;
            put(interp, given, &piece)?;
        }
        Ok(Value::Int(count))
    }),
    method("print", 0, ANY, |interp, given| {
        for piece in given.args {
            let piece = interp.text_of(piece)?;
            put(interp, given, &piece)?;
        }
        Ok(Value::Nil)
    }),
    method("<<", 1, 1, |interp, given| {
        let piece = interp.text_of(given.arg(0))?;
        put(interp, given, &piece)?;
        Ok(given.receiver.clone())
    }),
    method("printf", 1, ANY, |interp, given| {
        let text = interp.format(given.args)?;
        let text = interp.text_of(&text)?;
        put(interp, given, &text)?;
        Ok(Value::Nil)
    }),
    method("puts", 0, ANY, |interp, given| {
        let mut text = String::new();
        lines_of(interp, given.args, &mut text)?;
        if given.args.is_empty() {
            text.push('\n');
        }
        put(interp, given, &text)?;
        Ok(Value::Nil)
    }),
    method("flush", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("sync", 0, 0, |_, _| Ok(Value::Bool(true))),
    method("sync=", 1, 1, |_, given| Ok(given.arg(0).clone())),
];

impl Stream {
    pub(crate) fn to_read(text: Rc<Text>) -> Stream {
        Stream { text, at: 0, line: 0, may_read: true, may_write: false, appends: false, closed: false }
    }

    fn left(&self) -> usize {
        self.text.bytes().len().saturating_sub(self.at)
    }

    fn take(&mut self, count: usize) -> Value {
        let bytes = self.text.bytes().get(self.at..self.at + count).unwrap_or_default().to_vec();
        self.at += count;
        Value::String(Rc::new(match String::from_utf8(bytes) {
            Ok(text) => Text::new(text),
            Err(error) => Text::binary(error.into_bytes()),
        }))
    }

    /// Up to a separator, to the next empty line where that is empty, or all that is left.
    fn line(&mut self, separator: Option<&str>, chomps: bool) -> Option<Value> {
        let is_paragraph = separator == Some("");
        let ending = if is_paragraph { "\n\n" } else { separator.unwrap_or_default() };
        let (skipped, length, shown) = {
            let bytes = self.text.bytes();
            let rest = bytes.get(self.at..).unwrap_or_default();
            let skipped = if is_paragraph { rest.iter().take_while(|byte| **byte == b'\n').count() } else { 0 };
            let rest = &rest[skipped..];
            if rest.is_empty() {
                return None;
            }
            let found = if ending.is_empty() { None } else { memmem::find(rest, ending.as_bytes()) };
            let is_return = |at: usize| ending == "\n" && rest[..at].ends_with(b"\r");
            match found {
                Some(at) if chomps && is_paragraph => (skipped, at + ending.len(), at + 1),
                Some(at) if chomps => (skipped, at + ending.len(), at - usize::from(is_return(at))),
                Some(at) => (skipped, at + ending.len(), at + ending.len()),
                None => (skipped, rest.len(), rest.len()),
            }
        };
        self.at += skipped;
        let behind = self.at + length;
        let line = self.take(shown);
        self.at = behind;
        self.line += 1;
        Some(line)
    }

    fn letter(&mut self) -> Option<Value> {
        let length = {
            let bytes = self.text.bytes();
            let rest = bytes.get(self.at..).unwrap_or_default();
            match String::from_utf8_lossy(&rest[..rest.len().min(4)]).chars().next()? {
                char::REPLACEMENT_CHARACTER => 1,
                letter => letter.len_utf8(),
            }
        };
        Some(self.take(length))
    }
}

/// Returns what `with` looks at, of a stream that may have been closed.
fn with<T>(interp: &mut Interp<'_>, given: &CallArguments<'_>, look: impl FnOnce(&mut Stream) -> T) -> Flow<T> {
    if let Value::Object(object) = given.receiver
        && let Data::Stream(stream) = &mut *object.data.borrow_mut()
    {
        return Ok(look(stream));
    }
    interp.raise(Core::IoError, "uninitialized stream")
}

/// The same, of one that is open for reading.
fn reading<T>(interp: &mut Interp<'_>, given: &CallArguments<'_>, look: impl FnOnce(&mut Stream) -> T) -> Flow<T> {
    if with(interp, given, |stream| stream.closed || !stream.may_read)? {
        return interp.raise(Core::IoError, "not opened for reading");
    }
    with(interp, given, look)
}

fn new(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = match given.args.first() {
        None => Rc::new(Text::new(String::new())),
        Some(Value::String(text)) => text.clone(),
        Some(other) => Rc::new(Text::new(interp.text_arg(other)?)),
    };
    let mode = match given.args.get(1) {
        None if text.frozen.get() => "r".to_owned(),
        None => "r+".to_owned(),
        Some(mode) => interp.text_arg(mode)?,
    };
    let (kind, both) = (mode.chars().next().unwrap_or('r'), mode.contains('+'));
    if kind == 'w' {
        text.set(String::new());
    }
    let (may_read, may_write) = (both || kind == 'r', both || kind != 'r');
    let stream = Stream { may_read, may_write, appends: kind == 'a', ..Stream::to_read(text) };
    Ok(Value::object(Core::StringIo.class(), Data::Stream(stream)))
}

fn open(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let made = new(interp, given)?;
    match given.block {
        Some(block) => interp.yield_one(block, made),
        None => Ok(made),
    }
}

/// `read`: all that is left, or so many bytes, and nil where there are none.
fn read(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let most = match given.args.first() {
        None | Some(Value::Nil) => None,
        Some(count) => Some(interp.int_arg(count)?),
    };
    if let Some(negative) = most.filter(|most| *most < 0) {
        return interp.raise(Core::ArgumentError, format!("negative length {negative} given"));
    }
    reading(interp, given, |stream| match most {
        Some(most) if most > 0 && stream.left() == 0 => Value::Nil,
        Some(most) => bytes_of(&stream.take(stream.left().min(most as usize))),
        None => stream.take(stream.left()),
    })
}

/// What was read by its length is bytes, and no longer text.
fn bytes_of(value: &Value) -> Value {
    match value {
        Value::String(text) if !text.bytes().is_ascii() => Value::String(Rc::new(Text::binary(text.bytes().to_vec()))),
        other => other.clone(),
    }
}

fn line(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Option<Value>> {
    let separator = match given.args.first() {
        None | Some(Value::Hash(_)) => Some("\n".to_owned()),
        Some(Value::Nil) => None,
        Some(Value::Int(_)) => return interp.unsupported("a line of at most so many bytes"),
        Some(separator) => Some(interp.text_arg(separator)?),
    };
    reading(interp, given, |stream| stream.line(separator.as_deref(), chomps(given)))
}

fn each_line(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    while let Some(line) = line(interp, given)? {
        interp.step()?;
        interp.yield_one(block, line)?;
    }
    Ok(given.receiver.clone())
}

fn is_at_end(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    reading(interp, given, |stream| (stream.left() == 0).into())
}

fn move_to(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Ok(at) = usize::try_from(interp.int_arg(given.arg(0))?) else {
        return interp.raise(Core::ErrnoEinval, "Invalid argument");
    };
    interp.check_bytes(at)?;
    with(interp, given, |stream| stream.at = at)?;
    Ok(given.arg(0).clone())
}

/// Writes over what stands there, and goes on behind it.
fn put(interp: &mut Interp<'_>, given: &CallArguments<'_>, piece: &str) -> Flow<()> {
    if with(interp, given, |stream| stream.closed || !stream.may_write)? {
        return interp.raise(Core::IoError, "not opened for writing");
    }
    let (text, at) = with(interp, given, |stream| {
        let end = stream.text.bytes().len();
        (stream.text.clone(), if stream.appends { end } else { stream.at })
    })?;
    interp.step()?;
    interp.check_bytes(at + piece.len())?;
    if at == text.bytes().len() {
        super::encode::join(interp, &text, &Text::new(piece.to_owned()))?;
    } else {
        let mut bytes = text.bytes().to_vec();
        bytes.resize(bytes.len().max(at + piece.len()), 0);
        bytes[at..at + piece.len()].copy_from_slice(piece.as_bytes());
        match String::from_utf8(bytes) {
            Ok(whole) => text.set(whole),
            Err(_) => return interp.unsupported("writing over a part of a letter"),
        }
    }
    with(interp, given, |stream| stream.at = at + piece.len())
}

/// What `puts` writes: a line each, of lists a line for each element.
pub(super) fn lines_of(interp: &mut Interp<'_>, values: &[Value], text: &mut String) -> Flow<()> {
    for value in values {
        if let Value::Array(list) = value {
            let inner = list.items.borrow().clone();
            interp.deeper(|interp| lines_of(interp, &inner, text))?;
            continue;
        }
        let line = interp.text_of(value)?;
        text.push_str(&line);
        if !line.ends_with('\n') {
            text.push('\n');
        }
    }
    Ok(())
}
