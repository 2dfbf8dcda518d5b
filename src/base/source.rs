//! A text with a name, and the table of its lines.

use std::sync::OnceLock;

use super::{Place, Span, limits};

/// One source text. Valid UTF-8, no byte order mark, within the size limit: whoever holds a
/// `Source` need not check again.
#[derive(Debug, Default)]
pub struct Source {
    name: Option<String>,
    text: String,
    lines: OnceLock<Lines>,
}

/// Why bytes are no source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourceError {
    /// A byte order mark, with the name of the format and its bytes.
    ByteOrderMark {
        format: &'static str,
        bytes: String,
    },
    /// The first byte that is not UTF-8.
    NotUtf8 {
        place: Place,
        byte: u8,
    },
    TooLarge {
        bytes: usize,
    },
}

/// Longest first where one is the beginning of another.
const BYTE_ORDER_MARKS: [(&str, &[u8]); 10] = [
    ("UTF-32", &[0x00, 0x00, 0xFE, 0xFF]),
    ("UTF-32", &[0xFF, 0xFE, 0x00, 0x00]),
    ("GB-18030", &[0x84, 0x31, 0x95, 0x33]),
    ("UTF-EBCDIC", &[0xDD, 0x73, 0x66, 0x73]),
    ("SCSU", &[0x0E, 0xFE, 0xFF]),
    ("UTF-8", &[0xEF, 0xBB, 0xBF]),
    ("UTF-1", &[0xF7, 0x64, 0x4C]),
    ("BOCU", &[0xFB, 0xEE, 0x28]),
    ("UTF-16", &[0xFE, 0xFF]),
    ("UTF-16", &[0xFF, 0xFE]),
];

impl Source {
    /// A source out of text that is known to be UTF-8, such as code given on a command line.
    pub fn new(name: Option<&str>, text: impl Into<String>) -> Result<Source, SourceError> {
        Source::from_bytes(name, text.into().into_bytes())
    }

    pub fn from_bytes(name: Option<&str>, bytes: Vec<u8>) -> Result<Source, SourceError> {
        if bytes.len() > limits::SOURCE_BYTES {
            return Err(SourceError::TooLarge { bytes: bytes.len() });
        }
        for (format, mark) in BYTE_ORDER_MARKS {
            if bytes.starts_with(mark) {
                let shown: Vec<String> = mark.iter().map(|byte| format!("{byte:X}")).collect();
                return Err(SourceError::ByteOrderMark { format, bytes: format!("[{}]", shown.join(" ")) });
            }
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Source { name: name.map(str::to_owned), text, lines: OnceLock::new() }),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let bytes = error.as_bytes();
                // What comes before is valid, so its lines can be counted.
                let before = String::from_utf8_lossy(&bytes[..at]).into_owned();
                let place = Lines::from_text(&before).place(&before, at as u32);
                Err(SourceError::NotUtf8 { place, byte: bytes[at] })
            }
        }
    }

    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| Lines::from_text(&self.text))
    }

    /// Line and column of a byte offset.
    pub fn place(&self, offset: u32) -> Place {
        self.lines().place(&self.text, offset)
    }
}

/// Where each line begins.
#[derive(Debug)]
pub struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    pub fn from_text(text: &str) -> Lines {
        let mut starts = Vec::with_capacity(text.len() / 32 + 1);
        starts.push(0);
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1));
        Lines { starts }
    }

    pub fn count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Returns the line of an offset, counted from one.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32
    }

    /// Where a line, counted from one, begins.
    pub fn start(&self, line: u32) -> u32 {
        self.starts[(line as usize).clamp(1, self.starts.len()) - 1]
    }

    /// Line and column of a byte offset; the column counts characters.
    pub fn place(&self, text: &str, offset: u32) -> Place {
        let offset = (offset as usize).min(text.len());
        let line = self.line(offset as u32);
        let begin = self.start(line) as usize;
        let characters = text.as_bytes()[begin..offset].iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        Place::At { line, column: characters as u32 + 1 }
    }
}

/// Places of many offsets of one source. A line may be long and hold many of them, so a column is
/// counted from the last one's where both stand on the same line.
#[derive(Debug)]
pub struct Places<'a> {
    source: &'a Source,
    /// An offset, its line and its column.
    last: (u32, u32, u32),
}

impl<'a> Places<'a> {
    pub fn from_source(source: &'a Source) -> Places<'a> {
        Places { source, last: (0, 1, 1) }
    }

    /// Line and column of a byte offset.
    pub fn place_at(&mut self, offset: u32) -> Place {
        let text = self.source.text();
        let offset = offset.min(text.len() as u32);
        let lines = self.source.lines();
        let line = lines.line(offset);
        let width = |from: u32, to: u32| {
            let bytes = &text.as_bytes()[from as usize..to as usize];
            bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32
        };
        let (last, last_line, last_column) = self.last;
        let column = if last_line != line {
            1 + width(lines.start(line), offset)
        } else if last <= offset {
            last_column + width(last, offset)
        } else {
            last_column - width(offset, last)
        };
        self.last = (offset, line, column);
        Place::At { line, column }
    }

    /// Returns the very end of the source.
    pub fn end(&self) -> Span {
        Span::new(self.source.text().len() as u32, 0)
    }
}
