//! Reads and checks one target, and sorts what was found for the reports.

use std::path::Path;
use std::sync::Arc;

use pantin_base::{Diagnostic, Location, Place, Severity, Source, limits};
use pantin_repository::file_check::{FileChecker, FileKind};
use pantin_syntax::{Issue, MessageLimits, Settings, SourceKind};
use pantin_world::{Disk, Locator, MachineDisk, ReadError, absolute_text, read_file, read_standard_input};

use crate::args::targets::{StandardInput, Target, TargetKind, display_path};

/// How standard input is called where a name is needed.
pub(crate) const STANDARD_INPUT: &str = "<stdin>";

/// What all targets of a run are checked by.
pub(crate) struct Checker {
    pub(crate) settings: Settings,
    pub(crate) limits: MessageLimits,
    pub(crate) locator: Locator,
    /// Checks what is no Puppet code.
    pub(crate) files: FileChecker,
    /// Name files by their whole path, as the real command does.
    pub(crate) absolute_names: bool,
}

/// What a report tells of one target.
pub(crate) struct Checked {
    /// The file's name; `None` for standard input.
    pub(crate) name: Option<String>,
    pub(crate) is_manifest: bool,
    /// The text, where there is one.
    pub(crate) source: Option<Arc<Source>>,
    pub(crate) bytes: usize,
    /// Warnings and deprecations, in order, as many as were asked for.
    pub(crate) warnings: Vec<Diagnostic>,
    /// The errors, in order, as many as are kept.
    pub(crate) errors: Vec<Diagnostic>,
    /// How many errors there are.
    pub(crate) error_count: usize,
    /// The sentence that counts several errors; without it the last error is what the file failed with.
    pub(crate) giving_up: Option<String>,
    /// Why there are no bytes; an error of its own says it too.
    pub(crate) unread: Option<ReadError>,
}

impl Checked {
    pub(crate) fn accepted(&self) -> bool {
        self.errors.is_empty()
    }

    /// Returns true if there is a file, or standard input, that it was found in.
    pub(crate) fn is_of_file(&self) -> bool {
        self.name.is_some() || self.source.is_some() || self.bytes > 0 || self.unread.is_some()
    }

    pub(crate) fn shown_name(&self) -> &str {
        self.name.as_deref().unwrap_or(STANDARD_INPUT)
    }

    /// Warnings, then errors up to `max_errors`, of which one is always shown.
    pub(crate) fn findings(&self, max_errors: usize) -> impl Iterator<Item = &Diagnostic> {
        self.warnings.iter().chain(self.errors.iter().take(max_errors.max(1)))
    }

    /// Returns what is left out of [`Checked::findings`], and how to see it.
    pub(crate) fn hidden_errors(&self, max_errors: usize) -> Option<String> {
        let shown = self.errors.len().min(max_errors.max(1));
        let (errors, them) = match self.error_count - shown {
            0 => return None,
            1 => ("1 more error".to_owned(), "it"),
            hidden => (format!("{hidden} more errors"), "them"),
        };
        let name = self.shown_name();
        Some(if shown < self.errors.len() {
            format!("{errors} in {name}: see {them} with --max-errors")
        } else {
            format!("{errors} in {name}: too many to be kept")
        })
    }

    /// A source with one error, for a report of it.
    pub(crate) fn with_error(name: String, source: Option<Arc<Source>>, error: Diagnostic) -> Checked {
        Checked { source, ..Checked::failed(Some(name), 0, error) }
    }

    /// A source with several errors.
    pub(crate) fn with_errors(name: String, source: Option<Arc<Source>>, errors: Vec<Diagnostic>) -> Checked {
        Checked { source, error_count: errors.len(), errors, ..Checked::without_findings(name) }
    }

    /// Something that was checked elsewhere, and is accepted.
    pub(crate) fn without_findings(name: String) -> Checked {
        Checked {
            name: Some(name),
            is_manifest: true,
            source: None,
            bytes: 0,
            warnings: Vec::new(),
            errors: Vec::new(),
            error_count: 0,
            giving_up: None,
            unread: None,
        }
    }

    fn unread(name: Option<String>, reason: ReadError) -> Checked {
        let (message, place) = match reason {
            ReadError::TooLarge { bytes, .. } => {
                (Issue::SourceTooLarge { bytes: bytes.to_string() }.message(), Place::WholeFile)
            }
            // The name is in the words already.
            _ => {
                let name = name.as_deref().unwrap_or("standard input");
                (format!("Cannot read {name}: {reason}{}", reason.hint()), Place::Nowhere)
            }
        };
        let error = Diagnostic {
            severity: Severity::Error,
            code: reason.code(),
            message,
            place,
            span: None,
            label: None,
            help: None,
            related: Vec::new(),
        };
        Checked { unread: Some(reason), ..Checked::failed(name, 0, error) }
    }

    fn failed(name: Option<String>, bytes: usize, error: Diagnostic) -> Checked {
        Checked { name, bytes, errors: vec![error], error_count: 1, ..Checked::without_findings(String::new()) }
    }
}

impl Checker {
    pub(crate) fn check(&self, target: &Target) -> Checked {
        // `puppet epp validate` names a template as it was given.
        let is_named_as_given = match target {
            Target::File { kind, .. } => *kind != TargetKind::Puppet(SourceKind::Manifest),
            Target::StandardInput(input) => matches!(input.kind, TargetKind::Other(_)),
            Target::Unusable { .. } => false,
        };
        let has_whole_name = self.absolute_names && !is_named_as_given;
        let name_of = |path: &Path| if has_whole_name { absolute_text(path) } else { display_path(path) };
        let limit = limits::SOURCE_BYTES as u64;
        match target {
            Target::Unusable { path, reason } => {
                let name = if matches!(reason, ReadError::Missing) { display_path(path) } else { name_of(path) };
                Checked::unread(Some(name), reason.duplicate())
            }
            Target::StandardInput(StandardInput { kind, path }) => {
                let name = path.as_deref().map(name_of);
                match read_standard_input(limit) {
                    Ok(bytes) => self.check_target(name, bytes, *kind, path.as_deref()),
                    Err(reason) => Checked::unread(name, reason),
                }
            }
            Target::File { path, kind } => match read_file(path, limit) {
                Ok(bytes) => self.check_target(Some(name_of(path)), bytes, *kind, Some(path)),
                Err(reason) => Checked::unread(Some(name_of(path)), reason),
            },
        }
    }

    /// Checks the grammar of a definition of bindings.
    fn check_bindings(&self, name: Option<String>, source: Arc<Source>, bytes: usize) -> Checked {
        let parsed = pantin_syntax::parse_bindings(&source, self.settings);
        let (mut errors, warnings): (Vec<_>, Vec<_>) =
            parsed.warnings.into_iter().partition(|found| found.severity == Severity::Error);
        errors.extend(parsed.result.err().unwrap_or_default());
        let name = name.unwrap_or_default();
        Checked { bytes, warnings, ..Checked::with_errors(name, Some(source), errors) }
    }

    /// Checks a text. `path`: where it stands, if it stands anywhere.
    fn check_target(&self, name: Option<String>, bytes: Vec<u8>, kind: TargetKind, path: Option<&Path>) -> Checked {
        match kind {
            TargetKind::Puppet(kind) => {
                let location = path.map_or(Location::Anywhere, |path| self.locator.locate(path));
                let tasks = self.settings.tasks || path.is_some_and(|path| self.locator.is_plan(path));
                self.check_puppet(name, bytes, kind, &location, Settings { tasks, ..self.settings })
            }
            TargetKind::Other(kind) => self.check_file(name, bytes, kind, path),
        }
    }

    fn check_file(&self, name: Option<String>, bytes: Vec<u8>, kind: FileKind, path: Option<&Path>) -> Checked {
        let length = bytes.len();
        let source = match Source::from_bytes(name.as_deref(), bytes) {
            Ok(source) => Arc::new(source),
            Err(error) => {
                let failed = Checked::failed(name, length, pantin_syntax::unreadable_source(error));
                return Checked { is_manifest: false, ..failed };
            }
        };
        let found = self.files.check(kind, &source, path);
        let (errors, mut warnings): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|found| found.severity == Severity::Error);
        warnings.truncate(self.limits.warnings);
        let error_count = errors.len();
        let whole = Checked::without_findings(String::new());
        let source = Some(source);
        Checked { name, is_manifest: false, source, bytes: length, warnings, errors, error_count, ..whole }
    }

    fn check_puppet(
        &self,
        name: Option<String>,
        bytes: Vec<u8>,
        kind: SourceKind,
        location: &Location,
        settings: Settings,
    ) -> Checked {
        let length = bytes.len();
        let source = match Source::from_bytes(name.as_deref(), bytes) {
            Ok(source) => Arc::new(source),
            Err(error) => return Checked::failed(name, length, pantin_syntax::unreadable_source(error)),
        };
        if kind == SourceKind::Manifest
            && name.as_deref().is_some_and(|name| holds_bindings(Path::new(name), &source, self.settings))
        {
            return self.check_bindings(name, source, length);
        }
        // All errors are asked for, so that they can be counted; a report shows the first of them.
        let limits = MessageLimits { errors: usize::MAX, ..self.limits };
        let outcome = pantin_syntax::check(Arc::clone(&source), kind, location, settings, limits);
        let (mut errors, warnings): (Vec<_>, Vec<_>) =
            outcome.log.into_iter().partition(|found| found.severity == Severity::Error);
        let mut giving_up = None;
        match outcome.error {
            // Several errors are in the log, and the last one counts them.
            Some(error) if error.code == pantin_syntax::GIVING_UP => giving_up = Some(error.message),
            error => errors.extend(error),
        }
        // Errors in the Puppet text of a heredoc are in the log, before the one that they led to.
        let error_count = outcome.error_count.max(errors.len());
        Checked {
            name,
            is_manifest: kind == SourceKind::Manifest,
            source: Some(source),
            bytes: length,
            warnings,
            errors,
            error_count,
            giving_up,
            unread: None,
        }
    }
}

/// Returns true for a file in the folder of bindings of a module or an environment, and for one below any folder of that name
/// that begins with a definition.
pub(crate) fn holds_bindings(path: &Path, source: &Source, settings: Settings) -> bool {
    let folder = path.ancestors().skip(1).find(|folder| folder.file_name().is_some_and(|name| name == "bindings"));
    let Some(folder) = folder else { return false };
    let disk = MachineDisk::default();
    let beside = |name: &str| disk.exists(&folder.with_file_name(name));
    let is_own = ["manifests", "metadata.json", "environment.conf"].into_iter().any(beside);
    let is_site = path.file_name().is_some_and(|file| file == "site.pp");
    let mut lines = source.text().lines().map(str::trim_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    settings.bindings && !is_site && (is_own || first.starts_with("bindings"))
}
