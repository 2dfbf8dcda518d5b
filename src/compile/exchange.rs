//! The exchange of exported resources between nodes: what each exports and collects, and whether a fleet has settled.
//!
//! In each round every node sees what all exported the round before, its own included; in the first one nothing is
//! exported. A node is asked again if another one has changed what it exports of a type that the node collects. Who asks,
//! and on how many threads, is not known here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::ControlFlow;

use pantin_base::limits::EXPORT_ROUNDS;
use pantin_values::{Digest, Digester, Str};
use pantin_world::ExportedResource;

/// What a node gives to the store of exported resources, and what it asks of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Exchange {
    /// In the order of the catalog; nothing, where there is none.
    pub exports: Vec<ExportedResource>,
    /// The types that its collectors are for, each once, sorted; also where there is no catalog.
    pub collects: Vec<Str>,
}

/// Of each node of a run the last that was heard.
#[derive(Debug)]
struct Exchanges(Vec<Exchange>);

/// What a round has changed.
#[derive(Debug, Default)]
struct Changes {
    /// Which nodes export other resources of a type than before.
    by_type: BTreeMap<Str, BTreeSet<usize>>,
    /// `File[/x] of web01`, some of them.
    shown: Vec<String>,
}

/// Exported resources that are others after each round.
#[derive(Clone, PartialEq, Debug)]
pub struct UnsettledExports {
    pub rounds: usize,
    /// `File[/x] of web01`, some of those that still changed in the last one.
    pub changing: Vec<String>,
}

/// How the rounds ended.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ExchangeResult {
    pub rounds: usize,
    /// How many resources are exported in the end.
    pub exports: usize,
    pub unsettled: Option<UnsettledExports>,
}

/// What nodes, by their numbers, have said in a round.
pub type RoundExchanges = Vec<(usize, Exchange)>;

/// So many of what still changes is told.
const SHOWN: usize = 5;

impl fmt::Display for UnsettledExports {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            to,
            "what the nodes export still changes after {} rounds, because it depends on what they collect from each \
             other: {}",
            self.rounds,
            self.changing.join(", ")
        )
    }
}

/// Asks in rounds until nothing changes that any of so many nodes collects, `wanted` in the first one. `ask` is given the number
/// of the round, who is asked and what they see; with `Break` there is no further round.
pub fn settle(
    nodes: usize,
    mut wanted: Vec<usize>,
    mut ask: impl FnMut(usize, &[usize], Vec<ExportedResource>) -> ControlFlow<RoundExchanges, RoundExchanges>,
) -> ExchangeResult {
    let mut known = Exchanges(vec![Exchange::default(); nodes]);
    let mut settled = ExchangeResult::default();
    while !wanted.is_empty() && settled.rounds <= EXPORT_ROUNDS {
        settled.rounds += 1;
        let (round_exchanges, is_last) = match ask(settled.rounds, &wanted, known.exports()) {
            ControlFlow::Continue(round_exchanges) => (round_exchanges, false),
            ControlFlow::Break(round_exchanges) => (round_exchanges, true),
        };
        let changes = known.add_round(round_exchanges);
        settled.exports = known.count();
        if is_last {
            break;
        }
        wanted = known.touched_by(&changes);
        let unsettled = UnsettledExports { rounds: settled.rounds, changing: changes.shown };
        settled.unsettled = (!wanted.is_empty()).then_some(unsettled);
    }
    settled
}

impl Exchanges {
    /// Returns what all of them export.
    fn exports(&self) -> Vec<ExportedResource> {
        self.0.iter().flat_map(|known| known.exports.iter().cloned()).collect()
    }

    fn count(&self) -> usize {
        self.0.iter().map(|known| known.exports.len()).sum()
    }

    /// Returns what a round has brought, of some of the nodes.
    fn add_round(&mut self, round_exchanges: RoundExchanges) -> Changes {
        let mut changes = Changes::default();
        for (at, exchange) in round_exchanges {
            let before = std::mem::replace(&mut self.0[at], exchange);
            changes.note(at, &before.exports, &self.0[at].exports);
        }
        changes
    }

    /// Returns the nodes that collect something of what others have changed.
    fn touched_by(&self, changes: &Changes) -> Vec<usize> {
        let is_touched = |at: &usize| {
            let of_type = self.0[*at].collects.iter().filter_map(|name| changes.by_type.get(name));
            of_type.flatten().any(|exporter| exporter != at)
        };
        (0..self.0.len()).filter(is_touched).collect()
    }
}

impl Changes {
    fn note(&mut self, node: usize, before: &[ExportedResource], now: &[ExportedResource]) {
        if before == now {
            return;
        }
        let changed = [(before, now), (now, before)];
        let changed = changed.into_iter().flat_map(|(one, other)| one.iter().filter(|each| !other.contains(each)));
        let mut is_any = false;
        for each in changed {
            is_any = true;
            self.by_type.entry(each.type_name.clone()).or_default().insert(node);
            let shown = format!("{}[{}] of {}", each.type_name, each.title, each.certname);
            if self.shown.len() < SHOWN && !self.shown.contains(&shown) {
                self.shown.push(shown);
            }
        }
        if !is_any {
            // The same in another order, which is the order in which they are collected.
            for each in now {
                self.by_type.entry(each.type_name.clone()).or_default().insert(node);
            }
        }
    }
}

/// Returns what names all that is exported, by type.
pub fn digests_by_type(exports: &[ExportedResource]) -> BTreeMap<Str, Digest> {
    let mut digesters: BTreeMap<Str, Digester> = BTreeMap::new();
    for ExportedResource { certname, type_name, title, tags, parameters } in exports {
        let digester = digesters.entry(type_name.clone()).or_insert_with(|| Digester::new(b"exported"));
        digester.text(certname).text(title).number(tags.len() as u64);
        for tag in tags {
            digester.text(tag);
        }
        digester.number(parameters.len() as u64);
        for (name, value) in parameters {
            digester.text(name).item(value);
        }
    }
    digesters.into_iter().map(|(name, digester)| (name, digester.finish())).collect()
}
