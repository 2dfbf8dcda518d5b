//! From the names that layers want to definitions.

use std::path::PathBuf;
use std::sync::Arc;

use pantin_base::{Severity, Span};
use pantin_bindings::{
    Definition, Layer, Place, Problem, Segment, SharedInjectors, SiteValues, State, Table, UnknownKeys, Uri, rule,
};
use pantin_values::{Fault, Str};

use super::files::{BindingsFolders, DefinitionFile};
use crate::codebase::CodeBase;

/// The categories of an environment, and the names that its layers include and exclude.
pub(crate) type LayersKey = (Vec<Str>, Vec<String>);

/// A name of bindings, and where it is written.
#[derive(Clone, Debug)]
pub(crate) struct PlacedUri {
    pub(crate) uri: Uri,
    pub(crate) place: Option<Place>,
}

/// A layer as the site wants it.
#[derive(Clone, Debug)]
pub(crate) struct RequestedLayer {
    pub(crate) title: Str,
    pub(crate) include: Vec<PlacedUri>,
    pub(crate) exclude: Vec<PlacedUri>,
}

/// The layers of a site, as it wants them.
#[derive(Clone, Default, Debug)]
pub(crate) struct LayerRequests {
    pub(crate) layers: Vec<RequestedLayer>,
}

/// What the layers came to, but for what is known of a node alone.
#[derive(Debug, Default)]
pub(crate) struct ResolvedLayers {
    pub(crate) layers: Vec<Layer>,
    pub(crate) problems: Vec<Problem>,
    /// Names of schemes that are not of files, by the number of the layer.
    pub(crate) others: Vec<(usize, PlacedUri)>,
}

impl LayerRequests {
    pub(crate) fn by_default() -> LayerRequests {
        let placed = |uris: Vec<Uri>| uris.into_iter().map(|uri| PlacedUri { uri, place: None }).collect();
        let layers = SiteValues::default_layers().into_iter().map(|layer| RequestedLayer {
            title: layer.title,
            include: placed(layer.include),
            exclude: placed(layer.exclude),
        });
        LayerRequests { layers: layers.collect() }
    }

    /// Puts a layer without names above the others.
    pub(crate) fn add_above(&mut self, title: &str) {
        self.layers.insert(0, RequestedLayer { title: title.into(), include: Vec::new(), exclude: Vec::new() });
    }

    /// Finds and reads the definitions of all layers.
    pub(crate) fn resolve(&self, base: &CodeBase, folders: &BindingsFolders) -> Result<ResolvedLayers, Fault> {
        let mut resolved = ResolvedLayers::default();
        let mut seen: Vec<(PathBuf, Str)> = Vec::new();
        for (number, request) in self.layers.iter().enumerate() {
            let mut definitions = Vec::new();
            let mut own: Vec<PathBuf> = Vec::new();
            let mut has_data = false;
            for wanted in &request.include {
                match wanted.uri.scheme.as_str() {
                    "confdir" | "env" | "module" if !wanted.uri.segments.is_empty() => {}
                    "hiera" if matches!(wanted.uri.segments[..], [] | [Segment::One]) => {
                        has_data = !request.exclude.iter().any(|excluded| excluded.uri.scheme == "hiera");
                        continue;
                    }
                    "confdir" | "env" | "module" | "hiera" => {
                        let message = format!("'{}' is no name of bindings", wanted.uri.written);
                        resolved.problems.push(problem(rule::URI, message, wanted));
                        continue;
                    }
                    _ => {
                        resolved.others.push((number, wanted.clone()));
                        continue;
                    }
                }
                let files = base.definition_files(&wanted.uri, folders)?;
                let is_excluded = |file: &DefinitionFile| request.excludes(file);
                if files.is_empty()
                    && !wanted.uri.is_pattern()
                    && !wanted.uri.is_optional
                    && !request.excludes_uri(&wanted.uri)
                {
                    resolved.problems.push(not_found(wanted));
                }
                for file in files.into_iter().filter(|file| !is_excluded(file)) {
                    if own.contains(&file.path) {
                        continue;
                    }
                    own.push(file.path.clone());
                    if let Some((_, higher)) = seen.iter().find(|(path, _)| *path == file.path) {
                        if wanted.place.is_some() {
                            let message = format!(
                                "The bindings '{}' are in the layers '{higher}' and '{}': only the higher one counts",
                                file.uri, request.title
                            );
                            resolved.problems.push(problem(rule::LOADED_TWICE, message, wanted));
                        }
                        continue;
                    }
                    match base.definition(&file, folders)? {
                        Ok(definition) => definitions.push(definition),
                        Err(problems) => resolved.problems.extend(problems.iter().cloned().map(|mut problem| {
                            problem.order = (number, file.name.as_str().into());
                            problem
                        })),
                    }
                }
            }
            seen.extend(own.into_iter().map(|path| (path, request.title.clone())));
            definitions.sort_by(|one: &Arc<Definition>, other| one.name.cmp(&other.name));
            let unknown = UnknownKeys::None;
            resolved.layers.push(Layer { title: request.title.clone(), definitions, has_data, unknown });
        }
        Ok(resolved)
    }
}

impl LayerRequests {
    /// Returns what is wrong with schemes that are named in `exclude` alone, and that nobody has.
    pub(super) fn unknown_exclusions(&self, layers: &[Layer]) -> Vec<Problem> {
        let is_known = |scheme: &str| {
            pantin_bindings::SCHEMES.contains(&scheme) || layers.iter().any(|layer| layer.provides(scheme))
        };
        let excluded = self.layers.iter().flat_map(|layer| &layer.exclude);
        excluded.filter(|wanted| !is_known(&wanted.uri.scheme)).map(unknown_scheme).collect()
    }
}

impl RequestedLayer {
    fn excludes(&self, file: &DefinitionFile) -> bool {
        let (scheme, path) = file.uri.split_once(":/").unwrap_or_default();
        let names: Vec<&str> = path.split("::").collect();
        self.exclude.iter().any(|excluded| excluded.uri.scheme == scheme && excluded.uri.matches(&names))
    }

    fn excludes_uri(&self, uri: &Uri) -> bool {
        self.exclude.iter().any(|excluded| excluded.uri.scheme == uri.scheme && excluded.uri.matches(&uri.names()))
    }
}

impl CodeBase {
    /// Returns the injectors of layers whose definitions are files that nothing is wrong with; `None`: there are others among them.
    pub(crate) fn shared_injectors(
        &self,
        requests: &LayerRequests,
        state: &State,
        folders: &BindingsFolders,
    ) -> Result<Option<Arc<SharedInjectors>>, Fault> {
        let mut names = Vec::new();
        for layer in &requests.layers {
            names.push(format!("layer {}", layer.title));
            for (word, uris) in [("include", &layer.include), ("exclude", &layer.exclude)] {
                for PlacedUri { uri, .. } in uris {
                    if !matches!(uri.scheme.as_str(), "confdir" | "env" | "module" | "hiera") {
                        return Ok(None);
                    }
                    names.push(format!("{word} {}", uri.written));
                }
            }
        }
        let categories: Vec<Str> = state.categories.iter().map(|category| category.name.clone()).collect();
        self.names.injectors.get_for_modules(self, (categories, names), |base| {
            let resolved = requests.resolve(base, folders)?;
            let is_right = resolved.problems.is_empty();
            Ok(is_right.then(|| Arc::new(SharedInjectors::new(Table::new(resolved.layers, state)))))
        })
    }
}

/// Returns the problem of a name that finds nothing.
pub(crate) fn not_found(wanted: &PlacedUri) -> Problem {
    problem(rule::NOT_FOUND, format!("Could not find bindings '{}'", wanted.uri), wanted)
}

/// Returns the problem of a scheme that nobody has.
pub(crate) fn unknown_scheme(wanted: &PlacedUri) -> Problem {
    let message = format!("Unknown bindings provider scheme '{}'", wanted.uri.scheme);
    let near = pantin_base::nearest(&wanted.uri.scheme, pantin_bindings::SCHEMES);
    problem(rule::SCHEME, message, wanted).with_help(near.map(|near| format!("did you mean {near}?")))
}

/// Returns the problem of a name that a layer wants.
pub(crate) fn problem(found: rule::Rule, message: String, wanted: &PlacedUri) -> Problem {
    let nowhere = || Place { shown: "".into(), source: None, span: Span::default() };
    let mut problem = Problem::new(found, message, wanted.place.clone().unwrap_or_else(nowhere));
    // What the site says comes before what its layers say.
    problem.order = (0, "".into());
    problem
}

/// Returns true if any of these is an error.
pub(crate) fn are_errors(problems: &[Problem]) -> bool {
    problems.iter().any(|problem| problem.rule.severity == Severity::Error)
}
