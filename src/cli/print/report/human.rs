//! Reports for a person: the message, the source's lines with the place underlined, the help.

use std::fmt;

use miette::{
    Diagnostic as Shown, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents,
    Severity as ShownSeverity, SourceCode, SourceSpan, SpanContents,
};
use pantin_base::{Diagnostic, Place, Severity, Source, Span};

use super::{Report, Style};
use crate::print::check::Checked;
use crate::print::printable::{blanked, printable, printable_line};

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
        if checked.accepted() && checked.warnings.is_empty() {
            return text;
        }
        let name = printable_line(checked.shown_name());
        let source = checked.source.as_deref().map(|source| (source, blanked(source.text())));
        for found in checked.findings(self.max_errors) {
            let shown = ShownFinding {
                found,
                name: &name,
                excerpt: source.as_ref().map(|(source, text)| Excerpt { source, name: &name, text, found }),
            };
            // Writing to a string cannot fail.
            let _ = self.handler.render_report(&mut text, &shown);
            text.push('\n');
        }
        if let Some(hidden) = checked.hidden_errors(self.max_errors) {
            text.push_str(&printable_line(&hidden));
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
        self.found.help.as_deref().map(|help| Box::new(printable(help)) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.excerpt.as_ref()?;
        let place = self.found.span?;
        let label = self.found.label.as_deref().map(|label| printable(label).into_owned());
        let primary = LabeledSpan::new_primary_with_span(label, excerpt.underlined(place));
        let related = self.found.related.iter().map(|related| {
            let note = printable(&related.note).into_owned();
            LabeledSpan::new_with_span(Some(note), excerpt.underlined(related.span))
        });
        Some(Box::new(std::iter::once(primary).chain(related)))
    }
}

/// A source's lines around a place, with nothing in them that could play with a terminal.
#[derive(Debug)]
struct Excerpt<'a> {
    source: &'a Source,
    name: &'a str,
    /// The source's text, [`blanked`].
    text: &'a str,
    found: &'a Diagnostic,
}

impl Excerpt<'_> {
    /// Returns what to underline: up to the end of the first line, within what is shown of it.
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

    /// Line and column of an offset, counted from zero.
    fn line_and_column(&self, at: usize) -> (usize, usize) {
        // What the issue says of its place holds, should it differ from the text's start. Near it on its
        // line the column is counted from there: the line may be long, and have many findings.
        if let (Some(span), Place::At { line, column }) = (self.found.span, self.found.place) {
            let found_at = span.start as usize;
            let is_on_its_line = at < found_at && self.source.lines().line(at as u32) == line;
            if at == found_at || is_on_its_line {
                let between = &self.text[at..found_at.min(self.text.len())];
                return (line as usize - 1, (column as usize - 1).saturating_sub(between.chars().count()));
            }
        }
        match self.source.place(at as u32) {
            Place::At { line, column } => (line as usize - 1, column as usize - 1),
            Place::Nowhere | Place::WholeFile => (0, 0),
        }
    }

    fn contents(&self, start: usize, end: usize) -> Box<dyn SpanContents<'_> + '_> {
        let (line, column) = self.line_and_column(start);
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
