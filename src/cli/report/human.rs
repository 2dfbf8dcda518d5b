//! Reports for a person: the message, the source's lines with the place underlined, the help.

use std::borrow::Cow;
use std::fmt;

use miette::{
    Diagnostic as Shown, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents,
    Severity as ShownSeverity, SourceCode, SourceSpan, SpanContents,
};

use super::{Report, Style};
use crate::base::{Diagnostic, Place, Severity, Source, Span};
use crate::cli::check::Checked;

/// Bytes of a line that are shown on either side of a place; generated code has lines of megabytes.
const AROUND: usize = 200;

pub(super) struct Human {
    handler: GraphicalReportHandler,
    max_errors: usize,
}

impl Human {
    pub(super) fn new(style: Style) -> Human {
        let theme = if style.colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let handler = GraphicalReportHandler::new_themed(theme).with_width(style.width).with_links(false);
        Human { handler, max_errors: style.max_errors }
    }
}

impl Report for Human {
    fn file(&self, checked: &Checked) -> String {
        let mut text = String::new();
        let name = printable(checked.shown_name());
        for found in checked.findings(self.max_errors) {
            let shown = ShownFinding {
                found,
                name: &name,
                excerpt: checked.source.as_deref().map(|source| Excerpt::new(source, &name, found)),
            };
            // Writing to a string cannot fail.
            let _ = self.handler.render_report(&mut text, &shown);
            text.push('\n');
        }
        if let Some(hidden) = checked.hidden_errors(self.max_errors) {
            text.push_str(&printable(&hidden));
            text.push_str("\n\n");
        }
        text
    }
}

/// One finding in the words of the renderer.
#[derive(Debug)]
struct ShownFinding<'a> {
    found: &'a Diagnostic,
    name: &'a str,
    excerpt: Option<Excerpt<'a>>,
}

impl fmt::Display for ShownFinding<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = printable(&self.found.message);
        match (self.found.span, self.found.place) {
            (Some(_), _) if self.excerpt.is_some() => write!(to, "{message}"),
            // It names the file itself.
            (None, Place::Nowhere) if message.contains(self.name) => write!(to, "{message}"),
            (_, Place::At { line, column }) => write!(to, "{}:{line}:{column}: {message}", self.name),
            _ => write!(to, "{}: {message}", self.name),
        }
    }
}

impl std::error::Error for ShownFinding<'_> {}

impl Shown for ShownFinding<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.found.code))
    }

    fn severity(&self) -> Option<ShownSeverity> {
        Some(match self.found.severity {
            Severity::Error => ShownSeverity::Error,
            Severity::Warning | Severity::Deprecation => ShownSeverity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.found.help.as_deref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.excerpt.as_ref()?;
        let place = self.found.span?;
        let primary = LabeledSpan::new_primary_with_span(self.found.label.clone(), excerpt.underlined(place));
        let related =
            self.found.related.iter().map(|related| {
                LabeledSpan::new_with_span(Some(related.note.clone()), excerpt.underlined(related.span))
            });
        Some(Box::new(std::iter::once(primary).chain(related)))
    }
}

/// A source's lines around a place, with nothing in them that could play with a terminal.
#[derive(Debug)]
struct Excerpt<'a> {
    source: &'a Source,
    name: &'a str,
    text: Cow<'a, str>,
    found: &'a Diagnostic,
}

impl<'a> Excerpt<'a> {
    fn new(source: &'a Source, name: &'a str, found: &'a Diagnostic) -> Excerpt<'a> {
        let is_harmful = |byte: u8| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\t');
        let text = source.text();
        let text = if text.bytes().any(is_harmful) {
            // As many bytes as before, so that all places stay; `\r` before `\n` is left out of sight.
            let blanked = |letter: char| if letter.is_ascii() && is_harmful(letter as u8) { ' ' } else { letter };
            Cow::Owned(text.chars().map(blanked).collect())
        } else {
            Cow::Borrowed(text)
        };
        Excerpt { source, name, text, found }
    }

    /// What to underline: up to the end of the first line, within what is shown of it.
    fn underlined(&self, span: Span) -> SourceSpan {
        let start = (span.start as usize).min(self.text.len());
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |at| start + at);
        let shown_end = self.boundary_before((start + AROUND).min(line_end));
        let end = (span.end() as usize).clamp(start, shown_end.max(start));
        (start, end - start).into()
    }

    /// Start and end of the lines from `before` above an offset to `after` below it.
    fn lines_around(&self, start: usize, end: usize, before: usize, after: usize) -> (usize, usize) {
        let lines = self.source.lines();
        let first = lines.line(start as u32).saturating_sub(before as u32).max(1);
        let last = lines.line(end as u32).saturating_add(after as u32);
        let begin = lines.start(first) as usize;
        let end = if last < lines.count() { lines.start(last + 1) as usize } else { self.text.len() };
        (begin, end)
    }

    fn boundary_before(&self, at: usize) -> usize {
        (0..=at).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0)
    }

    fn contents(&self, start: usize, end: usize) -> Box<dyn SpanContents<'_> + '_> {
        let place = self.source.place(start as u32);
        let is_primary = self.found.span.is_some_and(|span| span.start as usize == start);
        // What the issue says of its place holds, should it differ from the text's start.
        let place = if is_primary && matches!(self.found.place, Place::At { .. }) { self.found.place } else { place };
        let (line, column) = match place {
            Place::At { line, column } => (line as usize - 1, column as usize - 1),
            Place::Nowhere | Place::WholeFile => (0, 0),
        };
        let data = &self.text.as_bytes()[start..end];
        let line_count = memchr::memchr_iter(b'\n', data).count();
        let span = (start, end - start).into();
        Box::new(MietteSpanContents::new_named(self.name.to_owned(), data, span, line, column, line_count))
    }
}

impl SourceCode for Excerpt<'_> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        if end > self.text.len() {
            return Err(MietteError::OutOfBounds);
        }
        if before == 0 && after == 0 {
            return Ok(self.contents(start, end));
        }
        let (mut begin, mut finish) = self.lines_around(start, end, before, after);
        if start - begin > AROUND * 4 || finish - end > AROUND * 4 {
            // A long line: as much of it as can be read, and none of those around it.
            let (line_begin, line_finish) = self.lines_around(start, end, 0, 0);
            begin = line_begin.max(self.boundary_before(start.saturating_sub(AROUND)));
            finish = line_finish.min(self.boundary_before((end + AROUND).min(self.text.len()))).max(end);
        }
        Ok(self.contents(begin, finish))
    }
}

/// A name or a message without what could play with a terminal.
fn printable(text: &str) -> Cow<'_, str> {
    let is_harmful = |letter: char| letter.is_control() && letter != '\n';
    if text.contains(is_harmful) { Cow::Owned(text.replace(is_harmful, "\u{FFFD}")) } else { Cow::Borrowed(text) }
}
