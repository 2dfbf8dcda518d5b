//! The report of a node without a catalog: Puppet's line and a person's diagnostic, as data that can be stored.
//!
//! Knows nothing of how it is shown.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use pantin_base::{Diagnostic, Place, Related, Severity, Sighting, Source, Span};
use pantin_compile::CompileError;
use pantin_model::trace::{At, Failure};
use pantin_world::Disk;
use serde::{Deserialize, Serialize};

use crate::messages::FilePlace;

use super::relocate::{Attacher, Detacher, RelocatablePath, RelocatableText};

/// The code of errors that have no other.
pub const EVALUATION_ERROR: &str = "EVALUATION_ERROR";

#[derive(Clone, Debug)]
pub struct FailureReport {
    /// In Puppet's words, without `Error: `.
    pub text: String,
    /// Where something is to be shown of a source.
    pub detail: Option<Box<FailureDetail>>,
}

#[derive(Clone, Debug)]
pub struct FailureDetail {
    pub diagnostic: Diagnostic,
    /// Where a person looks first: the place of the diagnostic, or of an error at the end of a file what is not closed there.
    pub place: Place,
    /// What the diagnostic underlines.
    pub source: Option<FailureSource>,
    /// The calls it went through on its way out, innermost first.
    pub calls: Vec<FailureCall>,
}

#[derive(Clone, Debug)]
pub struct FailureCall {
    pub source: FailureSource,
    pub line: u32,
    pub column: u32,
}

/// Names the text of a source.
type TextHash = [u8; 32];

fn hash_of_text(text: &str) -> TextHash {
    *blake3::hash(text.as_bytes()).as_bytes()
}

/// A source that a failure names.
#[derive(Clone, Debug)]
pub enum FailureSource {
    Loaded(Arc<Source>),
    /// In a file whose text has this hash.
    InFile {
        path: String,
        hash: TextHash,
    },
}

impl FailureSource {
    /// Returns the source, read if it has to be. `None`: it is another one by now.
    pub fn load(&self, disk: &dyn Disk) -> Option<Arc<Source>> {
        match self {
            FailureSource::Loaded(source) => Some(Arc::clone(source)),
            FailureSource::InFile { path, hash } => {
                let bytes = disk.read(Path::new(path)).ok().flatten()?;
                let source = Source::from_bytes(Some(path), bytes).ok()?;
                (hash_of_text(source.text()) == *hash).then(|| Arc::new(source))
            }
        }
    }
}

impl FailureReport {
    /// An error of which nothing but its words is known.
    pub fn from_text(text: String) -> FailureReport {
        FailureReport { text, detail: None }
    }

    /// Returns what probably mends it.
    pub fn help(&self) -> Option<&str> {
        self.detail.as_ref()?.diagnostic.help.as_deref()
    }

    /// `given`: the source that a person has typed or named, which an error without another one is about.
    pub fn from_ended(ended: &CompileError, given: Option<&Arc<Source>>) -> FailureReport {
        FailureReport { text: ended.text.clone(), detail: FailureDetail::from_ended(ended, given).map(Box::new) }
    }
}

impl FailureDetail {
    /// The line that a person is shown, if it is in a file.
    pub fn file_place(&self) -> Option<FilePlace> {
        let Place::At { line, column } = self.place else { return None };
        let file = match self.source.as_ref()? {
            FailureSource::Loaded(source) => source.name()?.to_owned(),
            FailureSource::InFile { path, .. } => path.clone(),
        };
        Some(FilePlace { file, line, column: Some(column) })
    }

    fn from_ended(ended: &CompileError, given: Option<&Arc<Source>>) -> Option<FailureDetail> {
        let (diagnostic, source) = match (&ended.diagnostic, &ended.failure) {
            (Some(diagnostic), _) => {
                let source = ended.source.as_ref().or(given);
                // Whoever knows a line to show knows its source as well.
                if source.is_none() && ended.failure.is_none() {
                    return None;
                }
                ((**diagnostic).clone(), source.cloned())
            }
            (None, Some(failure)) => match &failure.sighting {
                Some(seen) => (sighted(failure, seen), seen.source.clone()),
                None => (diagnostic(failure), failure.at.as_ref().map(|at| Arc::clone(&at.unit.source))),
            },
            (None, None) => return None,
        };
        // The code that met an error of data comes first.
        let met =
            ended.failure.iter().filter(|failure| failure.sighting.is_some()).filter_map(|failure| failure.at.as_ref());
        let calls = met.chain(ended.failure.iter().flat_map(|failure| &failure.calls)).filter_map(|call| {
            let Place::At { line, column } = call.place() else { return None };
            Some(FailureCall { source: FailureSource::Loaded(Arc::clone(&call.unit.source)), line, column })
        });
        let place = place_to_look_at(&diagnostic, source.as_deref());
        Some(FailureDetail { diagnostic, place, source: source.map(FailureSource::Loaded), calls: calls.collect() })
    }
}

fn place_to_look_at(diagnostic: &Diagnostic, source: Option<&Source>) -> Place {
    match (diagnostic.place, diagnostic.related.first(), source) {
        (Place::WholeFile, Some(related), Some(source)) => source.place(related.span.start),
        (place, _, _) => place,
    }
}

/// Returns what was seen where the error is, with what was found out on its way.
fn sighted(failure: &Failure, seen: &Sighting) -> Diagnostic {
    let mut error = seen.diagnostic.clone();
    error.help = error.help.or_else(|| failure.help.clone());
    if error.code.is_empty() {
        error.code = EVALUATION_ERROR;
    }
    error
}

fn diagnostic(failure: &Failure) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: failure_code(failure),
        message: failure.message.to_string(),
        place: failure.at.as_ref().map_or(Place::Nowhere, At::place),
        span: failure.at.as_ref().map(At::span),
        label: None,
        help: failure.help.clone(),
        related: Vec::new(),
    }
}

/// The code of an error, which may have none of its own.
pub fn failure_code(failure: &Failure) -> &'static str {
    if failure.code.is_empty() { EVALUATION_ERROR } else { failure.code }
}

/// A failure as it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredFailure {
    text: RelocatableText,
    detail: Option<StoredDetail>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredDetail {
    severity: Severity,
    code: String,
    message: RelocatableText,
    place: Place,
    place_to_look_at: Place,
    span: Option<Span>,
    label: Option<RelocatableText>,
    help: Option<RelocatableText>,
    related: Vec<(Span, RelocatableText)>,
    source: Option<StoredSource>,
    calls: Vec<(StoredSource, u32, u32)>,
}

#[derive(Debug, Serialize, Deserialize)]
enum StoredSource {
    File {
        path: RelocatablePath,
        hash: TextHash,
    },
    /// Code that is in no file.
    Text(RelocatableText),
}

impl StoredFailure {
    pub(super) fn detach(report: &FailureReport, detacher: &mut Detacher<'_>) -> StoredFailure {
        let detail = report.detail.as_ref().map(|detail| {
            let FailureDetail { diagnostic, place, source, calls } = &**detail;
            let mut text = |text: &Option<String>| text.as_ref().map(|text| detacher.text(text));
            let (label, help) = (text(&diagnostic.label), text(&diagnostic.help));
            let related = diagnostic.related.iter().map(|related| (related.span, detacher.text(&related.note)));
            StoredDetail {
                related: related.collect(),
                severity: diagnostic.severity,
                code: diagnostic.code.to_owned(),
                message: detacher.text(&diagnostic.message),
                place: diagnostic.place,
                place_to_look_at: *place,
                span: diagnostic.span,
                label,
                help,
                source: source.as_ref().map(|source| StoredSource::detached(source, detacher)),
                calls: calls
                    .iter()
                    .map(|call| (StoredSource::detached(&call.source, detacher), call.line, call.column))
                    .collect(),
            }
        });
        StoredFailure { text: detacher.text(&report.text), detail }
    }

    /// `None`: it is about lines that have moved.
    pub(super) fn attach(self, attacher: &Attacher<'_>) -> Option<FailureReport> {
        let detail = self.detail.map(|detail| detail.attached(attacher));
        let detail = match detail {
            Some(detail) => Some(Box::new(detail?)),
            None => None,
        };
        Some(FailureReport { text: attacher.text(&self.text)?, detail })
    }
}

impl StoredDetail {
    fn attached(self, attacher: &Attacher<'_>) -> Option<FailureDetail> {
        let text = |text: Option<RelocatableText>| match text {
            Some(text) => attacher.text(&text).map(Some),
            None => Some(None),
        };
        let related = self.related.iter().map(|(span, note)| Some(Related { span: *span, note: attacher.text(note)? }));
        let source = match self.source {
            Some(source) => Some(source.attached(attacher)?),
            None => None,
        };
        let calls = self
            .calls
            .into_iter()
            .map(|(source, line, column)| Some(FailureCall { source: source.attached(attacher)?, line, column }));
        let diagnostic = Diagnostic {
            severity: self.severity,
            code: static_code(&self.code),
            message: attacher.text(&self.message)?,
            place: self.place,
            span: self.span,
            label: text(self.label)?,
            help: text(self.help)?,
            related: related.collect::<Option<_>>()?,
        };
        let (place, calls) = (self.place_to_look_at, calls.collect::<Option<_>>()?);
        Some(FailureDetail { diagnostic, place, source, calls })
    }
}

impl StoredSource {
    fn detached(source: &FailureSource, detacher: &mut Detacher<'_>) -> StoredSource {
        match source {
            FailureSource::Loaded(source) => match source.name() {
                Some(name) => StoredSource::File { path: detacher.path(name), hash: hash_of_text(source.text()) },
                None => StoredSource::Text(detacher.text(source.text())),
            },
            FailureSource::InFile { path, hash } => StoredSource::File { path: detacher.path(path), hash: *hash },
        }
    }

    fn attached(self, attacher: &Attacher<'_>) -> Option<FailureSource> {
        match self {
            StoredSource::File { path, hash } => {
                let path = attacher.path(&path);
                attacher.has_old_lines(&path).then(|| FailureSource::InFile { path, hash })
            }
            StoredSource::Text(text) => {
                let source = Source::new(None, attacher.text(&text)?).ok()?;
                Some(FailureSource::Loaded(Arc::new(source)))
            }
        }
    }
}

/// Returns a code that lives as long as the process: there are few, all of them named in the sources.
fn static_code(code: &str) -> &'static str {
    static CODES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut codes = CODES.lock().unwrap_or_else(PoisonError::into_inner);
    match codes.get(code) {
        Some(known) => known,
        None => {
            let known: &'static str = Box::leak(code.into());
            codes.insert(known);
            known
        }
    }
}
