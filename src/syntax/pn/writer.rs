//! The notation as text or as JSON, on one line or on many.
//!
//! Knows calls, lists, maps and literals, and nothing of Puppet.

use std::fmt;

use super::Style;

pub(super) struct Writer<'a, W> {
    out: &'a mut W,
    is_json: bool,
    is_pretty: bool,
    /// How many containers are open; a JSON call or map opens two.
    depth: usize,
    /// Nothing stands yet in the innermost container.
    is_first: bool,
    /// A key was written, and its value comes next.
    after_key: bool,
    /// The name that the next call has in place of its own.
    name: Option<&'static str>,
}

impl<'a, W: fmt::Write> Writer<'a, W> {
    pub(super) fn new(style: Style, out: &'a mut W) -> Writer<'a, W> {
        Writer {
            out,
            is_json: matches!(style, Style::Json | Style::PrettyJson),
            is_pretty: matches!(style, Style::PrettyText | Style::PrettyJson),
            depth: 0,
            is_first: true,
            after_key: false,
            name: None,
        }
    }

    /// What comes next is a call with this name; if it is none, it becomes one.
    pub(super) fn rename(&mut self, name: &'static str) {
        self.name = self.name.or(Some(name));
    }

    pub(super) fn begin_call(&mut self, name: &str) -> fmt::Result {
        let name = self.name.take().unwrap_or(name);
        self.separate()?;
        if self.is_json {
            self.begin_object("^")?;
            self.new_item()?;
            write_json_string(self.out, name)?;
        } else {
            self.out.write_char('(')?;
            self.out.write_str(name)?;
            self.depth += 1;
        }
        self.is_first = false;
        Ok(())
    }

    pub(super) fn end_call(&mut self) -> fmt::Result {
        if self.is_json { self.end_object() } else { self.close(')') }
    }

    pub(super) fn empty_call(&mut self, name: &str) -> fmt::Result {
        self.begin_call(name)?;
        self.end_call()
    }

    pub(super) fn begin_list(&mut self) -> fmt::Result {
        self.separate()?;
        self.open('[')
    }

    pub(super) fn end_list(&mut self) -> fmt::Result {
        self.close(']')
    }

    pub(super) fn begin_map(&mut self) -> fmt::Result {
        self.separate()?;
        if self.is_json { self.begin_object("#") } else { self.open('{') }
    }

    pub(super) fn end_map(&mut self) -> fmt::Result {
        if self.is_json { self.end_object() } else { self.close('}') }
    }

    /// Writes the key of a map's next value.
    pub(super) fn entry(&mut self, key: &str) -> fmt::Result {
        self.separate()?;
        self.is_first = false;
        if self.is_json {
            return write_json_string(self.out, key);
        }
        self.after_key = true;
        write!(self.out, ":{key} ")
    }

    pub(super) fn string(&mut self, text: &str) -> fmt::Result {
        self.literal(
            |writer| {
                if writer.is_json { write_json_string(writer.out, text) } else { write_quoted(writer.out, text) }
            },
        )
    }

    /// Writes a literal that text and JSON write in the same way.
    pub(super) fn raw(&mut self, text: &str) -> fmt::Result {
        self.plain(text, text)
    }

    pub(super) fn plain(&mut self, text: &str, json: &str) -> fmt::Result {
        self.literal(|writer| writer.out.write_str(if writer.is_json { json } else { text }))
    }

    fn literal(&mut self, write: impl FnOnce(&mut Self) -> fmt::Result) -> fmt::Result {
        let call = self.name.take();
        if let Some(name) = call {
            self.begin_call(name)?;
        }
        self.separate()?;
        write(self)?;
        self.is_first = false;
        if call.is_some() { self.end_call() } else { Ok(()) }
    }

    /// Writes what stands between the container's last item and the next.
    fn separate(&mut self) -> fmt::Result {
        if self.after_key {
            self.after_key = false;
            return Ok(());
        }
        if self.depth == 0 {
            return Ok(());
        }
        if self.is_json {
            if !self.is_first {
                self.out.write_char(',')?;
            }
            return self.new_item();
        }
        if self.is_pretty {
            self.new_line(self.depth)
        } else if self.is_first {
            Ok(())
        } else {
            self.out.write_char(' ')
        }
    }

    fn new_item(&mut self) -> fmt::Result {
        if self.is_pretty { self.new_line(self.depth) } else { Ok(()) }
    }

    fn new_line(&mut self, depth: usize) -> fmt::Result {
        self.out.write_char('\n')?;
        (0..depth).try_for_each(|_| self.out.write_str("  "))
    }

    fn open(&mut self, bracket: char) -> fmt::Result {
        self.out.write_char(bracket)?;
        self.depth += 1;
        self.is_first = true;
        Ok(())
    }

    fn close(&mut self, bracket: char) -> fmt::Result {
        self.depth = self.depth.saturating_sub(1);
        if self.is_json && self.is_pretty {
            // An empty list has an empty line in it.
            if self.is_first {
                self.out.write_char('\n')?;
            }
            self.new_line(self.depth)?;
        }
        self.is_first = false;
        self.out.write_char(bracket)
    }

    /// JSON has calls and maps as objects of one key, with a list.
    fn begin_object(&mut self, key: &str) -> fmt::Result {
        self.open('{')?;
        self.new_item()?;
        write_json_string(self.out, key)?;
        self.out.write_str(if self.is_pretty { ": " } else { ":" })?;
        self.open('[')
    }

    fn end_object(&mut self) -> fmt::Result {
        self.close(']')?;
        self.close('}')
    }
}

/// Text in double quotes with the notation's escapes.
fn write_quoted<W: fmt::Write>(out: &mut W, text: &str) -> fmt::Result {
    out.write_char('"')?;
    escape(out, text, |out, byte| match byte {
        b'\t' => out.write_str("\\t"),
        b'\n' => out.write_str("\\n"),
        b'\r' => out.write_str("\\r"),
        b'"' => out.write_str("\\\""),
        b'\\' => out.write_str("\\\\"),
        _ => write!(out, "\\o{byte:03o}"),
    })?;
    out.write_char('"')
}

/// Writes a JSON string; what is not ASCII stands as it is.
fn write_json_string<W: fmt::Write>(out: &mut W, text: &str) -> fmt::Result {
    out.write_char('"')?;
    escape(out, text, |out, byte| match byte {
        b'\t' => out.write_str("\\t"),
        b'\n' => out.write_str("\\n"),
        b'\r' => out.write_str("\\r"),
        0x0c => out.write_str("\\f"),
        0x08 => out.write_str("\\b"),
        b'"' => out.write_str("\\\""),
        b'\\' => out.write_str("\\\\"),
        _ => write!(out, "\\u{byte:04x}"),
    })?;
    out.write_char('"')
}

/// Writes text, handing control characters, quotes and backslashes to `special`.
fn escape<W: fmt::Write>(out: &mut W, text: &str, mut special: impl FnMut(&mut W, u8) -> fmt::Result) -> fmt::Result {
    let mut done = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte < 0x20 || byte == b'"' || byte == b'\\' {
            out.write_str(&text[done..at])?;
            special(out, byte)?;
            done = at + 1;
        }
    }
    out.write_str(&text[done..])
}

#[cfg(test)]
mod tests {
    use super::{write_json_string, write_quoted};

    #[test]
    fn control_characters_are_escaped_and_the_rest_is_not() {
        let text = "\t\n\r\"\\\u{0}\u{1b}\u{8}\u{c}\u{7f}/é\u{2028}\u{1f600}";
        let (mut quoted, mut json) = (String::new(), String::new());
        assert!(write_quoted(&mut quoted, text).is_ok() && write_json_string(&mut json, text).is_ok());
        assert_eq!(quoted, "\"\\t\\n\\r\\\"\\\\\\o000\\o033\\o010\\o014\u{7f}/é\u{2028}\u{1f600}\"");
        assert_eq!(json, "\"\\t\\n\\r\\\"\\\\\\u0000\\u001b\\b\\f\u{7f}/é\u{2028}\u{1f600}\"");
    }
}
