//! A query over the catalogs of many nodes. What several nodes have alike is told once, with its nodes.

use std::io;
use std::sync::Arc;

use indexmap::IndexMap;
use pantin_model::catalog::diff::ShownValue;
use pantin_model::catalog::{CatalogFragments, MalformedCatalog, Place, ResourceFragment};
use pantin_values::{Digest, Digester, Str};
use rustc_hash::FxBuildHasher;

use super::candidate::{Candidate, CatalogFields, NodeFields};
use super::columns::Column;
use super::evaluate::Truth;
use super::hints::{Hint, NodeSight, Sight};
use super::selector::Selector;
use crate::node_compiler::NodeToPrepare;
use crate::{AnswerNeeds, Repository};

/// What is asked.
#[derive(Clone, Debug)]
pub struct ResourceQuery {
    /// Resources that any of these chooses; all, where there is none.
    pub(super) selectors: Vec<Selector>,
    columns: Vec<Column>,
}

/// What is shown of a resource, by name: as many as there are columns, unless one stands for all parameters.
pub type Values = Vec<(Str, ShownValue)>;

/// What was found.
#[derive(Debug, Default)]
pub struct QueryResult {
    /// By type, then by title.
    pub groups: Vec<ResourceGroup>,
    /// How many nodes were looked at, and how many of them have a resource that was found.
    pub nodes: usize,
    pub nodes_with_any: usize,
    /// Nodes without a catalog, and why.
    pub failed: Vec<(Str, String)>,
    /// Resources that are left out because it depends on a secret whether they are meant,
    pub undecided_for_secrets: usize,
    /// or because an expression takes too many steps.
    pub undecided_for_steps: usize,
    /// What was probably meant where nothing fits.
    pub hints: Vec<Hint>,
}

/// A resource of some nodes.
#[derive(Debug)]
pub struct ResourceGroup {
    pub type_name: Str,
    pub title: Str,
    /// Which values it has on which nodes.
    pub ways: Vec<(Values, Vec<FoundOn>)>,
}

/// A node that has a resource, and where it is declared for that node.
#[derive(Clone, Debug)]
pub struct FoundOn {
    pub node: Str,
    pub place: Option<Place>,
}

impl ResourceGroup {
    /// Returns how many nodes have it.
    pub fn node_count(&self) -> usize {
        self.ways.iter().map(|(_, found)| found.len()).sum()
    }

    /// `Package[nginx]`
    pub fn reference(&self) -> String {
        format!("{}[{}]", self.type_name, self.title)
    }
}

impl ResourceQuery {
    /// `show`: what is shown beside the parameters that the selectors name.
    pub fn new(selectors: Vec<Selector>, show: &[Column]) -> ResourceQuery {
        let of_selectors = selectors.iter().flat_map(|selector| {
            selector.columns.iter().cloned().chain(selector.parameters().into_iter().map(Column::from_path))
        });
        let mut columns: Vec<Column> = Vec::new();
        for column in of_selectors.chain(show.iter().cloned()) {
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
        ResourceQuery { selectors, columns }
    }

    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn may_choose_on(&self, node: NodeFields<'_>) -> bool {
        self.selectors.is_empty() || self.selectors.iter().any(|selector| selector.may_choose_on(node))
    }

    fn may_choose(&self, fragment: &ResourceFragment) -> bool {
        self.selectors.is_empty() || self.selectors.iter().any(|selector| selector.chooses_type(fragment))
    }
}

impl Repository {
    /// Returns the resources of these nodes that a query means, on so many threads (0: on all). `advance` hears of each
    /// node.
    pub fn query_resources(
        &self,
        names: &[Str],
        query: &ResourceQuery,
        threads: usize,
        mut advance: impl FnMut() + Send,
    ) -> io::Result<QueryResult> {
        let sight = Sight::new(query);
        let mut gathered = Gathered::default();
        self.crew(threads, names.len())?.each_in_waves(
            names,
            |wave| self.classify(wave),
            |node| self.query_node(node, query, &sight),
            |_, node, resources| {
                gathered.add(&node.name, resources, &sight);
                advance();
            },
        )?;
        Ok(gathered.finish(&sight, query))
    }

    /// `None`: no resource of this node can be meant.
    fn query_node(
        &self,
        node: &NodeToPrepare,
        query: &ResourceQuery,
        sight: &Sight,
    ) -> Result<Option<NodeResources>, String> {
        let unknown = NodeFields { name: &node.name, environment: None, decrypted: &Default::default() };
        if !query.may_choose_on(unknown) {
            return Ok(None);
        }
        let needs = AnswerNeeds { catalog: true, ..AnswerNeeds::default() };
        let answer = self.answer_classified(node, self.exports.as_ref(), needs).map_err(|error| error.to_string())?;
        let Some(catalog) = &answer.catalog else {
            return Err(answer.failure().map(|failure| failure.text.clone()).unwrap_or_default());
        };
        let head = &answer.head;
        let fields = NodeFields { name: &node.name, environment: Some(&head.environment), decrypted: &head.decrypted };
        if !query.may_choose_on(fields) {
            return Ok(None);
        }
        let fragments = catalog.fragments().map_err(|error| error.to_string())?;
        let found = NodeResources::from_catalog(fields, &fragments, query, sight);
        found.map(Some).map_err(|error| error.to_string())
    }
}

/// What a query finds on one node.
#[derive(Debug, Default)]
struct NodeResources {
    found: Vec<FoundResource>,
    undecided_for_secrets: usize,
    undecided_for_steps: usize,
    sight: NodeSight,
}

#[derive(Debug)]
struct FoundResource {
    type_name: Str,
    title: Str,
    values: Values,
    place: Option<Place>,
}

impl NodeResources {
    fn from_catalog(
        node: NodeFields<'_>,
        fragments: &CatalogFragments,
        query: &ResourceQuery,
        sight: &Sight,
    ) -> Result<NodeResources, MalformedCatalog> {
        let catalog = CatalogFields::new(node, fragments);
        let mut resources = NodeResources { sight: sight.unseen_types(fragments), ..NodeResources::default() };
        let mut files: Vec<Option<Arc<str>>> = vec![None; fragments.files.len()];
        let mut place = |fragment: &ResourceFragment| {
            let place = fragment.place?;
            let file = files.get_mut(place.file as usize)?;
            let file = file.get_or_insert_with(|| fragments.files[place.file as usize].as_str().into());
            Some(Place { file: Arc::clone(file), line: place.line })
        };
        for (number, fragment) in fragments.resources.iter().enumerate() {
            if !query.may_choose(fragment) {
                continue;
            }
            let candidate = Candidate::new(&catalog, number, fragment);
            match query.chooses(&candidate, sight, &mut resources.sight)? {
                Truth::No => {}
                Truth::Yes => resources.found.push(FoundResource {
                    type_name: fragment.type_name.clone(),
                    title: candidate.title(),
                    values: candidate.values(&query.columns)?,
                    place: place(fragment),
                }),
                Truth::Unknown if candidate.has_met_secret() => resources.undecided_for_secrets += 1,
                Truth::Unknown => resources.undecided_for_steps += 1,
            }
        }
        Ok(resources)
    }
}

impl ResourceQuery {
    fn chooses(
        &self,
        candidate: &Candidate<'_>,
        sight: &Sight,
        seen: &mut NodeSight,
    ) -> Result<Truth, MalformedCatalog> {
        if self.selectors.is_empty() {
            return Ok(Truth::Yes);
        }
        let mut chosen = Vec::with_capacity(self.selectors.len());
        for (number, selector) in self.selectors.iter().enumerate() {
            chosen.push(candidate.is_chosen_by(selector)?);
            sight.note(number, selector, candidate, seen);
        }
        Ok(Truth::any(chosen.into_iter()))
    }
}

type Ordered<Key, Item> = IndexMap<Key, Item, FxBuildHasher>;

type TypeAndTitle = (Str, Str);

/// By their digests, values and the nodes that have them.
type Ways = Ordered<Digest, (Values, Vec<FoundOn>)>;

/// What was found so far.
#[derive(Default)]
struct Gathered {
    groups: Ordered<TypeAndTitle, Ways>,
    result: QueryResult,
}

impl Gathered {
    fn add(&mut self, node: &Str, resources: Result<Option<NodeResources>, String>, sight: &Sight) {
        let resources = match resources {
            Ok(Some(resources)) => resources,
            Ok(None) => return,
            Err(reason) => return self.result.failed.push((node.clone(), reason)),
        };
        self.result.nodes += 1;
        self.result.nodes_with_any += usize::from(!resources.found.is_empty());
        self.result.undecided_for_secrets += resources.undecided_for_secrets;
        self.result.undecided_for_steps += resources.undecided_for_steps;
        sight.add(resources.sight);
        for FoundResource { type_name, title, values, place } in resources.found {
            let ways = self.groups.entry((type_name, title)).or_default();
            let mut digester = Digester::new(b"values of a resource");
            for (name, value) in &values {
                digester.text(name).item(value);
            }
            let way = ways.entry(digester.finish()).or_insert_with(|| (values, Vec::new()));
            way.1.push(FoundOn { node: node.clone(), place });
        }
    }

    fn finish(self, sight: &Sight, query: &ResourceQuery) -> QueryResult {
        let Gathered { groups, mut result } = self;
        let group = |((type_name, title), ways): (TypeAndTitle, Ways)| ResourceGroup {
            type_name,
            title,
            ways: ways.into_values().collect(),
        };
        result.groups = groups.into_iter().map(group).collect();
        result.groups.sort_by(|one, other| (&one.type_name, &one.title).cmp(&(&other.type_name, &other.title)));
        result.hints = sight.hints(query, result.groups.is_empty());
        result
    }
}
