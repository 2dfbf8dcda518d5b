//! The `site` statements of an environment, and what they come to for one node.

use std::path::PathBuf;
use std::sync::Arc;

use pantin_base::{Source, Span};
use pantin_bindings::{Place, Problem, SiteValues, State, WrongUri, check_layer_titles, rule};
use pantin_syntax::ast::{Ast, Node, NodeId};
use pantin_syntax::bindings::{Attribute, Layer, SiteItem};
use pantin_values::{Fault, Str, Value};
use pantin_world::Disk;

use super::files::BindingsFolders;
use super::layers::{LayerRequests, PlacedUri, RequestedLayer};
use super::site_code::forbidden_code;
use crate::code::CodeFile;
use crate::codebase::CodeBase;

/// A list of categories or layers, and the tree that it stands in.
#[derive(Clone, Debug)]
struct Found<'f, T: ?Sized> {
    file: &'f Arc<CodeFile>,
    items: &'f T,
    span: Span,
}

/// The `site` statements of an environment.
#[derive(Debug, Default)]
pub(crate) struct SiteStatements {
    /// `bindings/site.pp`, if it is there.
    pub(crate) own_file: Option<Arc<CodeFile>>,
    pub(crate) is_there: bool,
}

/// What they come to.
#[derive(Debug)]
pub(crate) struct EvaluatedSite {
    pub(crate) state: State,
    pub(crate) layers: Arc<LayerRequests>,
    /// Errors in its values, which are told together with those of the layers.
    pub(crate) problems: Vec<Problem>,
}

/// Works out an expression of a `site` statement.
pub(crate) type EvaluateSite<'e> = dyn FnMut(&Arc<CodeFile>, NodeId, &'static str) -> Result<Value, Fault> + 'e;

impl SiteStatements {
    /// Finds them: in the manifests, and in the environment's folder of bindings.
    pub(crate) fn find(
        base: &CodeBase,
        manifests: &[Arc<CodeFile>],
        folders: &BindingsFolders,
    ) -> Result<SiteStatements, Fault> {
        let path: Option<PathBuf> = folders.own.as_ref().map(|own| own.join("site.pp"));
        let own_file = match path.filter(|path| base.modules.disk.exists(path)) {
            Some(path) => Some(base.manifest(&path, &Str::default()).map_err(|broken| broken.fault.clone())?),
            None => None,
        };
        let has_site = |file: &Arc<CodeFile>| !file.ast.sites().is_empty();
        let is_there = own_file.is_some() || manifests.iter().any(has_site);
        Ok(SiteStatements { own_file, is_there })
    }

    fn files<'f>(&'f self, manifests: &'f [Arc<CodeFile>]) -> impl Iterator<Item = &'f Arc<CodeFile>> {
        manifests.iter().chain(&self.own_file)
    }

    /// What needs no node: statements that are given twice, and what the own file holds beside them.
    fn check(&self, manifests: &[Arc<CodeFile>], folders: &BindingsFolders) -> Vec<Problem> {
        let mut problems = Vec::new();
        for is_layers in [false, true] {
            let found: Vec<(&Arc<CodeFile>, Span)> = self
                .files(manifests)
                .flat_map(|file| file.ast.sites().iter().flat_map(|site| &site.items).map(move |item| (file, item)))
                .filter(|(_, item)| match item {
                    SiteItem::Categories { .. } => !is_layers,
                    SiteItem::Layers { .. } => is_layers,
                    _ => false,
                })
                .map(|(file, item)| (file, item.span()))
                .collect();
            let mut all = found.iter().map(|&(file, span)| place(file, span, folders));
            let Some(first) = all.next() else { continue };
            for again in all {
                let what = if is_layers { "layers" } else { "categories" };
                let message = format!("The {what} are given twice, here and at {}", first.at());
                problems.push(Problem::new(rule::SITE_TWICE, message, again).with_related(first.clone(), "the first"));
            }
        }
        if let Some(file) = &self.own_file {
            problems.extend(not_alone(file, folders));
        }
        problems.extend(forbidden_code(self.files(manifests), folders));
        problems
    }

    /// Returns what they come to for a node.
    pub(crate) fn evaluate(
        &self,
        manifests: &[Arc<CodeFile>],
        folders: &BindingsFolders,
        (certname, environment): (&str, &str),
        evaluate: &mut EvaluateSite<'_>,
    ) -> Result<EvaluatedSite, SiteFailure> {
        let problems = self.check(manifests, folders);
        if !problems.is_empty() {
            return Err(SiteFailure::Problems(problems));
        }
        let (mut categories, mut layers) = (None, None);
        for file in self.files(manifests) {
            for item in file.ast.sites().iter().flat_map(|site| &site.items) {
                match item {
                    SiteItem::Categories { span, categories: items } => {
                        categories = Some(Found { file, items: items.as_slice(), span: *span });
                    }
                    SiteItem::Layers { span, layers: items } => {
                        layers = Some(Found { file, items: items.as_slice(), span: *span });
                    }
                    _ => {}
                }
            }
        }
        let mut problems = Vec::new();
        let state = match categories {
            Some(found) => categories_state(&found, folders, (certname, environment), evaluate, &mut problems)?,
            None => SiteValues::state(Vec::new(), certname, environment).unwrap_or_default(),
        };
        let layers = match layers {
            Some(found) => requested_layers(&found, folders, evaluate, &mut problems)?,
            None => LayerRequests::by_default(),
        };
        Ok(EvaluatedSite { state, layers: Arc::new(layers), problems })
    }

    /// Returns the categories in the order of the site, without values but for that of the environment.
    pub(crate) fn categories_without_node(&self, manifests: &[Arc<CodeFile>], environment: &str) -> State {
        let mut names: Vec<(Str, Value)> = Vec::new();
        for file in self.files(manifests) {
            for item in file.ast.sites().iter().flat_map(|site| &site.items) {
                if let SiteItem::Categories { categories, .. } = item {
                    names.extend(categories.iter().map(|category| {
                        let is_environment = category.name.text == "environment";
                        let value = if is_environment { true.into() } else { Value::Undef };
                        (Str::from(category.name.text.as_str()), value)
                    }));
                }
            }
        }
        let mut state = SiteValues::state(names, "", environment).unwrap_or_default();
        for category in &mut state.categories {
            if category.name != "environment" {
                category.value = None;
            }
        }
        state
    }
}

/// Why a `site` statement comes to nothing.
#[derive(Debug)]
pub(crate) enum SiteFailure {
    Problems(Vec<Problem>),
    Fault(Fault),
}

impl From<Problem> for SiteFailure {
    fn from(problem: Problem) -> SiteFailure {
        SiteFailure::Problems(vec![problem])
    }
}

pub(crate) fn place(file: &Arc<CodeFile>, span: Span, folders: &BindingsFolders) -> Place {
    let source: &Arc<Source> = file.ast.source();
    let path = PathBuf::from(source.name().unwrap_or_default());
    Place { shown: folders.shown(&path), source: Some(Arc::clone(source)), span }
}

/// Returns what the file of a `site` statement holds beside it.
fn not_alone(file: &Arc<CodeFile>, folders: &BindingsFolders) -> Option<Problem> {
    let ast = &file.ast;
    let root = ast.root();
    let alone = [root];
    let statements = match ast.node(root) {
        Node::Block(list) => ast.list(list),
        _ => &alone,
    };
    let other = statements.iter().find(|&&id| !matches!(ast.node(id), Node::Site(_) | Node::Nop))?;
    let message = "A file of bindings holds one definition and nothing else";
    Some(Problem::new(rule::NOT_ALONE, message, place(file, ast.span(*other), folders)))
}

fn categories_state(
    found: &Found<'_, [Attribute]>,
    folders: &BindingsFolders,
    (certname, environment): (&str, &str),
    evaluate: &mut EvaluateSite<'_>,
    problems: &mut Vec<Problem>,
) -> Result<State, SiteFailure> {
    let mut values = Vec::with_capacity(found.items.len());
    for category in found.items {
        let value = evaluate(found.file, category.value, "categories").map_err(SiteFailure::Fault)?;
        values.push((Str::from(category.name.text.as_str()), value));
    }
    loop {
        match SiteValues::state(values.clone(), certname, environment) {
            Ok(state) => return Ok(state),
            Err((index, (broken, message))) => {
                let span = found.items.get(index).map_or(found.span, |category| found.file.ast.span(category.value));
                problems.push(Problem::new(broken, message, place(found.file, span, folders)));
                values[index].1 = if values[index].0 == "environment" { true.into() } else { Value::Undef };
            }
        }
    }
}

fn requested_layers(
    found: &Found<'_, [Layer]>,
    folders: &BindingsFolders,
    evaluate: &mut EvaluateSite<'_>,
    problems: &mut Vec<Problem>,
) -> Result<LayerRequests, SiteFailure> {
    let ast: &Ast = &found.file.ast;
    let mut layers = Vec::with_capacity(found.items.len());
    for layer in found.items {
        let title = evaluate(found.file, layer.title, "layers").map_err(SiteFailure::Fault)?;
        let mut requested =
            RequestedLayer { title: pantin_values::text::display(&title), include: Vec::new(), exclude: Vec::new() };
        for attribute in &layer.attributes {
            let value = evaluate(found.file, attribute.value, "layers").map_err(SiteFailure::Fault)?;
            let at = |text: &str| place(found.file, written_at(ast, attribute.value, text), folders);
            let (uris, wrong) = SiteValues::uris(&value);
            let placed = uris.into_iter().map(|uri| PlacedUri { place: Some(at(&uri.written)), uri });
            match attribute.name.text.as_str() {
                "include" => requested.include.extend(placed),
                _ => requested.exclude.extend(placed),
            }
            problems.extend(
                wrong
                    .into_iter()
                    .map(|WrongUri { written, broken: (broken, message) }| Problem::new(broken, message, at(&written))),
            );
        }
        layers.push(requested);
    }
    let titles: Vec<Str> = layers.iter().map(|layer| layer.title.clone()).collect();
    if let Some((first, again)) = check_layer_titles(&titles) {
        let at = |index: usize| place(found.file, ast.span(found.items[index].title), folders);
        let message = format!("The layer '{}' is defined twice, here and at {}", titles[again], at(first).at());
        problems.push(Problem::new(rule::LAYER_TWICE, message, at(again)).with_related(at(first), "the first"));
    }
    Ok(LayerRequests { layers })
}

/// Returns where a text is written in an expression; the expression where it is worked out.
fn written_at(ast: &Ast, root: NodeId, text: &str) -> Span {
    let mut pending = vec![root];
    while let Some(id) = pending.pop() {
        if let Node::String(written) = ast.node(id)
            && ast.text(written) == text
        {
            return ast.span(id);
        }
        ast.each_child(id, |child| pending.push(child));
    }
    ast.span(root)
}
