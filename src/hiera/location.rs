//! The locations of a hierarchy's entry: as declared, and as this node's variables make them.

use std::path::Path;

use pantin_values::{Str, Uri, Value, ruby_class, sprintf};

use super::interpolate::{Methods, has_expression_in};
use super::path::join;
use super::search::Search;
use super::trouble::Trouble;

/// As declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum DeclaredLocations {
    /// The entry has none.
    None,
    Paths(Vec<Str>),
    Globs(Vec<Str>),
    Uris(Vec<Str>),
    /// A variable, a name for each of its items, and a path with that name.
    Mapped([Str; 3]),
}

/// As resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Location {
    pub(super) original: Str,
    pub(super) resolved: String,
    pub(super) is_uri: bool,
    pub(super) exists: bool,
}

impl Search<'_> {
    /// `None` where the entry declares none.
    pub(super) fn resolve(
        &mut self,
        declared: &DeclaredLocations,
        datadir: &str,
        extension: Option<&str>,
    ) -> Result<Option<Vec<Location>>, Trouble> {
        match declared {
            DeclaredLocations::None => Ok(None),
            DeclaredLocations::Paths(paths) => self.paths(paths, datadir, extension).map(Some),
            DeclaredLocations::Globs(globs) => self.globs(globs, datadir).map(Some),
            DeclaredLocations::Uris(uris) => self.uris(uris).map(Some),
            DeclaredLocations::Mapped(mapped) => self.mapped_paths(mapped, datadir).map(Some),
        }
    }

    pub(super) fn filled_in(&mut self, text: &str) -> Result<String, Trouble> {
        if !has_expression_in(text) {
            return Ok(text.to_owned());
        }
        match self.interpolate(&text.into(), Methods::Refused)? {
            Value::String(text) => Ok(text.as_str().to_owned()),
            other => Ok(sprintf::inspect(&other)),
        }
    }

    /// Paths below the folder of the data, with an extension where they have none.
    pub(super) fn paths(
        &mut self,
        paths: &[Str],
        datadir: &str,
        extension: Option<&str>,
    ) -> Result<Vec<Location>, Trouble> {
        let mut locations = Vec::with_capacity(paths.len());
        for original in paths {
            let mut path = self.filled_in(original)?;
            if let Some(extension) = extension.filter(|extension| !path.ends_with(extension)) {
                path.push_str(extension);
            }
            let resolved = self.below(datadir, &path);
            let exists = self.outside.exists(Path::new(&resolved));
            locations.push(Location { original: original.clone(), resolved, is_uri: false, exists });
        }
        Ok(locations)
    }

    /// A variable may bring an absolute path: where the files are is known, then, to whoever has given it its value.
    fn below(&mut self, datadir: &str, path: &str) -> String {
        if path.starts_with('/') {
            self.outside.reveal(path);
        }
        join(datadir, path)
    }

    fn globs(&mut self, globs: &[Str], datadir: &str) -> Result<Vec<Location>, Trouble> {
        let mut locations = Vec::new();
        for original in globs {
            let pattern = self.filled_in(original)?;
            let pattern = self.below(datadir, &pattern);
            let files = self.outside.glob(&pattern).map_err(Trouble::outside)?;
            for file in files {
                let (original, resolved) = (pattern.as_str().into(), file.display().to_string());
                locations.push(Location { original, resolved, is_uri: false, exists: true });
            }
        }
        Ok(locations)
    }

    fn uris(&mut self, uris: &[Str]) -> Result<Vec<Location>, Trouble> {
        let mut locations = Vec::with_capacity(uris.len());
        for original in uris {
            let resolved = self.filled_in(original)?;
            let is_text = resolved.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte));
            if !is_text {
                let shown = sprintf::inspect(&resolved.as_str().into());
                return Err(Trouble::ruby(if resolved.is_ascii() {
                    format!("bad URI(is not URI?): {shown}")
                } else {
                    format!("URI must be ascii only {shown}")
                }));
            }
            // As Ruby writes what it has read: `ftp://a` becomes `ftp://a/`.
            let resolved = Uri::parse(&resolved).map_or(resolved, |uri| uri.to_string());
            locations.push(Location { original: original.clone(), resolved, is_uri: true, exists: true });
        }
        Ok(locations)
    }

    /// Returns a path for each item of a variable.
    fn mapped_paths(&mut self, [variable, name, path]: &[Str; 3], datadir: &str) -> Result<Vec<Location>, Trouble> {
        let items = match self.scope_value(variable, "mapped_path[0]")? {
            Value::Undef => return Ok(Vec::new()),
            Value::String(text) if text.is_empty() => return Ok(Vec::new()),
            Value::String(text) => vec![Value::String(text)],
            Value::Array(items) => items.to_vec(),
            Value::Hash(entries) => {
                entries.iter().map(|(key, value)| Value::array([key.clone(), value.clone()])).collect()
            }
            other => {
                let shown = sprintf::inspect(&other);
                let class = ruby_class(&other);
                return Err(Trouble::ruby(format!("undefined method `empty?' for {shown}:{class}")));
            }
        };
        let mut locations = Vec::with_capacity(items.len());
        let remembered = self.observed_variables.as_ref().map_or(0, Vec::len);
        for item in items {
            self.locals.push((name.clone(), item));
            let path_of_item = self.filled_in(path);
            self.locals.pop();
            let resolved = self.below(datadir, &path_of_item?);
            let exists = self.outside.exists(Path::new(&resolved));
            locations.push(Location { original: path.clone(), resolved, is_uri: false, exists });
        }
        self.forget(remembered, name);
        Ok(locations)
    }
}
