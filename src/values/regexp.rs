//! A regular expression as a value: its source, and the compiled form once somebody needs it.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use pantin_base::limits;
use pantin_regex::{RegexError, display_pattern};
use rustc_hash::FxHashMap;

use super::regex::{Options, Regex};
use super::{Fault, Str};

pub struct Regexp {
    source: Str,
    options: Options,
    compiled: OnceLock<Result<Regex, RegexError>>,
}

impl Regexp {
    pub fn new(source: impl Into<Str>, options: Options) -> Regexp {
        Regexp { source: source.into(), options, compiled: OnceLock::new() }
    }

    /// One made of a string, as a loop gives it again and again: the last ones of this thread stay compiled.
    pub fn from_string(source: &Str, options: Options) -> Arc<Regexp> {
        if source.len() > REMEMBERED_BYTES {
            return Arc::new(Regexp::new(source.clone(), options));
        }
        REMEMBERED.with_borrow_mut(|remembered| {
            let key = (source.clone(), options);
            if let Some(known) = remembered.get(&key) {
                return known.clone();
            }
            if remembered.len() >= REMEMBERED_COUNT {
                remembered.clear();
            }
            let regexp = Arc::new(Regexp::new(source.clone(), options));
            remembered.insert(key, regexp.clone());
            regexp
        })
    }

    /// Without slashes and options.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns true if Ruby counts any option as set: to it, letters beyond ASCII set one.
    pub fn has_options(&self) -> bool {
        self.options != Options::default() || !self.source.is_ascii()
    }

    pub fn options(&self) -> Options {
        self.options
    }

    /// Returns the compiled form. A literal's pattern was checked when it was parsed; one made of a string may be
    /// wrong.
    pub fn regex(&self) -> Result<&Regex, &RegexError> {
        self.compiled.get_or_init(|| Regex::new(&self.source, self.options)).as_ref()
    }

    /// The compiled form, or what Ruby says is wrong with it: in the end it shows the expression with its options.
    pub fn checked_regex(&self) -> Result<&Regex, Fault> {
        self.regex().map_err(|error| {
            let Options { ignore_case, multi_line, extended } = self.options;
            let letters = [(multi_line, "m"), (ignore_case, "i"), (extended, "x")];
            let letters: String = letters.into_iter().filter(|letter| letter.0).map(|letter| letter.1).collect();
            Fault::new(format!("{}: /{}/{letters}", error.message, display_pattern(&self.source)))
        })
    }
}

/// A search was given up.
#[cold]
pub fn too_many_steps(regex: &Regex, text: &str) -> Fault {
    let (pattern, bytes) = (regex.pattern(), text.len());
    Fault::beyond(
        format_args!("The regular expression /{pattern}/ takes too many steps to match a text of {bytes} bytes"),
        limits::MAX_REGEX_STEPS,
    )
}

/// How many expressions made of strings stay compiled, and how long their sources may be.
const REMEMBERED_COUNT: usize = 256;
const REMEMBERED_BYTES: usize = 256;

thread_local! {
    static REMEMBERED: RefCell<FxHashMap<(Str, Options), Arc<Regexp>>> = RefCell::default();
}

/// As Ruby's `to_s` shows it: `(?-mix:source)`; without options that is what `Regexp` hashes and compares by too.
impl std::fmt::Display for Regexp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.options.write_group(f, &self.source)
    }
}

impl std::fmt::Debug for Regexp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

impl PartialEq for Regexp {
    fn eq(&self, other: &Regexp) -> bool {
        self.source == other.source && self.options == other.options
    }
}

impl Eq for Regexp {}

impl std::hash::Hash for Regexp {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.source.hash(state);
        self.options.hash(state);
    }
}
