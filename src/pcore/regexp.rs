//! A regular expression as a value: its source, and the compiled form once somebody needs it.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::regex::{Options, Regex};
use super::{Fault, Str};
use crate::syntax::regex::{RegexError, shown};

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
    pub fn of_string(source: &Str, options: Options) -> Arc<Regexp> {
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

    /// Whether Ruby counts any option as set: to it, letters beyond ASCII set one.
    pub fn has_options(&self) -> bool {
        self.options != Options::default() || !self.source.is_ascii()
    }

    pub fn options(&self) -> Options {
        self.options
    }

    /// The compiled form. A literal's pattern was checked when it was parsed; one made of a string may be wrong.
    pub fn compiled(&self) -> Result<&Regex, &RegexError> {
        self.compiled.get_or_init(|| Regex::new(&self.source, self.options)).as_ref()
    }

    /// The compiled form, or what Ruby says is wrong with it: in the end it shows the expression with its options.
    pub fn checked(&self) -> Result<&Regex, Fault> {
        self.compiled().map_err(|error| {
            let Options { ignore_case, multi_line, extended } = self.options;
            let letters = [(multi_line, "m"), (ignore_case, "i"), (extended, "x")];
            let letters: String = letters.into_iter().filter(|letter| letter.0).map(|letter| letter.1).collect();
            Fault::new(format!("{}: /{}/{letters}", error.message, shown(&self.source)))
        })
    }
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
        let (Options { ignore_case, multi_line, extended }, source) = self.as_group();
        let flags = [(multi_line, 'm'), (ignore_case, 'i'), (extended, 'x')];
        f.write_str("(?")?;
        flags.iter().filter(|flag| flag.0).try_for_each(|flag| write!(f, "{}", flag.1))?;
        if flags.iter().any(|flag| !flag.0) {
            f.write_str("-")?;
        }
        flags.iter().filter(|flag| !flag.0).try_for_each(|flag| write!(f, "{}", flag.1))?;
        write!(f, ":{source})")
    }
}

impl Regexp {
    /// What Ruby's `to_s` puts into its group: options that the source begins with are the group's own.
    fn as_group(&self) -> (Options, &str) {
        let (mut options, mut rest) = (self.options, &*self.source);
        while let Some(group) = rest.strip_prefix("(?").filter(|group| group.len() >= 2) {
            let behind = toggled(group, &mut options, true);
            let behind = match behind.strip_prefix('-') {
                Some(off) if !off.is_empty() => toggled(off, &mut options, false),
                _ => behind,
            };
            if let Some(behind) = behind.strip_prefix(')') {
                rest = behind;
                continue;
            }
            let inner = behind.strip_prefix(':').and_then(|inner| inner.strip_suffix(')'));
            return match inner.filter(|inner| Regex::new(inner, options).is_ok()) {
                Some(inner) => (options, inner),
                None => (self.options, &self.source),
            };
        }
        (options, rest)
    }
}

/// Sets the options whose letters a text begins with; the text behind them.
fn toggled<'t>(text: &'t str, options: &mut Options, to: bool) -> &'t str {
    let behind = text.trim_start_matches(['m', 'i', 'x']);
    for letter in text[..text.len() - behind.len()].chars() {
        match letter {
            'm' => options.multi_line = to,
            'i' => options.ignore_case = to,
            _ => options.extended = to,
        }
    }
    behind
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
