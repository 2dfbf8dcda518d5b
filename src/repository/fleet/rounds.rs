//! The rounds of a run: nodes are compiled once, or until collected exports no longer change.
//!
//! What is seen in a round, and who is asked again, `pantin_compile::exchange` says, whatever threads do: so a round says the
//! same on one thread and on many, and the last one is what each node would get from a PuppetDB to which all others have
//! reported.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use pantin_compile::{Exchange, ExchangeResult, RoundExchanges};
use pantin_values::Str;
use pantin_world::ExportedResource;

use super::crew::Crew;
use super::report::NodeReport;

/// How the catalog of a node is come by: the one thing that a fleet is given. Asked on many threads.
pub trait Catalogs: Sync {
    /// What is known of a node before it is compiled.
    type Prepared: Send + Sync;
    /// What is to be written of it.
    type Kept: Send;

    /// In the order of the nodes. A node that cannot be prepared is not left out: it fails when it is compiled.
    fn prepare(&self, nodes: &[Str]) -> Vec<Self::Prepared>;

    /// `exports`: what the nodes of this run export, its own included; empty where they do not collect from each other.
    fn compile(&self, prepared: &Self::Prepared, exports: &Arc<Vec<ExportedResource>>) -> Answer<Self::Kept>;
}

/// What came of a node.
#[derive(Debug)]
pub struct Answer<Kept> {
    pub report: NodeReport,
    pub kept: Kept,
    pub exchange: Exchange,
}

/// What is to be done.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub nodes: Vec<Str>,
    /// For each whether it is told of: the others are compiled for what they export.
    pub is_reported: Vec<bool>,
    /// Whether they collect what the others export.
    pub exchanges: bool,
    /// Stop at the first node that fails.
    pub fail_fast: bool,
}

/// Who hears of each node, in the order of the plan.
pub trait Listener<Kept>: Send {
    /// A round begins in which it will hear of so many nodes.
    fn round(&mut self, number: usize, nodes: usize);

    /// What was told of the node before counts no longer: it may be compiled in several rounds.
    fn node(&mut self, told: NodeOutcome<Kept>) -> ControlFlow<()>;
}

/// A node that is told of.
#[derive(Debug)]
pub struct NodeOutcome<Kept> {
    /// Its place in the plan.
    pub at: usize,
    pub report: NodeReport,
    pub kept: Kept,
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunEnd {
    pub settled: ExchangeResult,
    /// Nodes after a certain one were not compiled.
    pub is_stopped: bool,
}

impl Plan {
    /// Compiles all of it. Nothing but `catalogs` and `listener` knows more than names. `Err`: it takes more memory than it may.
    pub fn run<C: Catalogs>(
        &self,
        crew: &Crew<'_>,
        catalogs: &C,
        listener: &mut dyn Listener<C::Kept>,
    ) -> io::Result<RunEnd> {
        let wanted: Vec<usize> = (0..self.nodes.len()).filter(|&at| self.exchanges || self.is_reported[at]).collect();
        let (mut is_stopped, mut exceeded) = (false, Ok(()));
        let settled = pantin_compile::settle(self.nodes.len(), wanted, |number, wanted, exports| {
            listener.round(number, wanted.iter().filter(|&&at| self.is_reported[at]).count());
            let mut heard = RoundExchanges::new();
            match self.round(wanted, Arc::new(exports), (crew, catalogs), listener, &mut heard) {
                Ok(stopped) => is_stopped = stopped.is_break(),
                Err(error) => exceeded = Err(error),
            }
            match is_stopped || exceeded.is_err() || !self.exchanges {
                true => ControlFlow::Break(heard),
                false => ControlFlow::Continue(heard),
            }
        });
        exceeded?;
        Ok(RunEnd { settled, is_stopped })
    }

    fn round<C: Catalogs>(
        &self,
        wanted: &[usize],
        exports: Arc<Vec<ExportedResource>>,
        (crew, catalogs): (&Crew<'_>, &C),
        listener: &mut dyn Listener<C::Kept>,
        heard: &mut RoundExchanges,
    ) -> io::Result<ControlFlow<()>> {
        let prepare = |wave: &[usize]| {
            let names: Vec<Str> = wave.iter().map(|&at| self.nodes[at].clone()).collect();
            catalogs.prepare(&names)
        };
        crew.in_waves(
            wanted,
            prepare,
            |prepared| catalogs.compile(prepared, &exports),
            |number, _, Answer { report, kept, exchange }| {
                let at = wanted[number];
                // Who collects may still succeed when there is something to collect.
                let is_last = self.fail_fast && !report.is_ok() && exchange.collects.is_empty();
                heard.push((at, exchange));
                if !self.is_reported[at] {
                    return ControlFlow::Continue(());
                }
                listener.node(NodeOutcome { at, report, kept })?;
                if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use pantin_base::limits::EXPORT_ROUNDS;
    use pantin_values::Value;

    /// Nodes that export a number which depends on what they see.
    struct Counting<F: Fn(&str, &[ExportedResource]) -> Option<Vec<i64>> + Sync> {
        exported: F,
    }

    fn resource(node: &str, number: i64) -> ExportedResource {
        ExportedResource {
            certname: node.into(),
            type_name: "Notify".into(),
            title: format!("{node} {number}").into(),
            tags: Vec::new(),
            parameters: vec![("message".into(), Value::Integer(number))],
        }
    }

    impl<F: Fn(&str, &[ExportedResource]) -> Option<Vec<i64>> + Sync> Catalogs for Counting<F> {
        type Prepared = Str;
        type Kept = usize;

        fn prepare(&self, nodes: &[Str]) -> Vec<Str> {
            nodes.to_vec()
        }

        fn compile(&self, node: &Str, exports: &Arc<Vec<ExportedResource>>) -> Answer<usize> {
            let exported = (self.exported)(node, exports);
            let report =
                NodeReport { name: node.clone(), resources: exported.as_ref().map(Vec::len), ..NodeReport::default() };
            let collects = if node.starts_with('c') { vec!["Notify".into()] } else { Vec::new() };
            let exports_of_it = exported.unwrap_or_default().into_iter().map(|number| resource(node, number)).collect();
            Answer { report, kept: exports.len(), exchange: Exchange { exports: exports_of_it, collects } }
        }
    }

    #[derive(Default)]
    struct Heard {
        rounds: Vec<usize>,
        last: BTreeMap<usize, (String, usize)>,
    }

    impl Listener<usize> for Heard {
        fn round(&mut self, number: usize, nodes: usize) {
            assert_eq!(number, self.rounds.len() + 1);
            self.rounds.push(nodes);
        }

        fn node(&mut self, told: NodeOutcome<usize>) -> ControlFlow<()> {
            self.last.insert(told.at, (told.report.name.to_string(), told.kept));
            ControlFlow::Continue(())
        }
    }

    fn run<F: Fn(&str, &[ExportedResource]) -> Option<Vec<i64>> + Sync>(plan: &Plan, exported: F) -> (RunEnd, Heard) {
        let catalogs = Counting { exported };
        let mut first = Heard::default();
        let ended = plan.run(&Crew::new(1).unwrap(), &catalogs, &mut first).unwrap();
        let mut second = Heard::default();
        assert_eq!(plan.run(&Crew::new(4).unwrap(), &catalogs, &mut second).unwrap(), ended);
        assert_eq!((&first.rounds, &first.last), (&second.rounds, &second.last));
        (ended, first)
    }

    fn plan(nodes: &[&str]) -> Plan {
        let nodes: Vec<Str> = nodes.iter().map(|node| Str::from(*node)).collect();
        Plan { is_reported: vec![true; nodes.len()], nodes, exchanges: true, fail_fast: false }
    }

    #[test]
    fn who_collects_is_compiled_until_nothing_changes() {
        // Each c exports one more than the c before it has: a chain, settled link by link.
        let exported = |node: &str, seen: &[ExportedResource]| {
            let before = match node {
                "c1" => "a",
                "c2" => "c1",
                _ => return Some(vec![7]),
            };
            let found = seen.iter().find(|one| one.certname == before);
            Some(found.map(|_| 1).into_iter().collect())
        };
        let (ended, heard) = run(&plan(&["a", "b", "c1", "c2"]), exported);
        assert_eq!((ended.settled.rounds, ended.settled.exports, ended.settled.unsettled), (4, 4, None));
        assert_eq!(heard.rounds, [4, 2, 1, 1]);
        assert_eq!(heard.last[&0], ("a".to_owned(), 0));
        assert_eq!(heard.last[&3], ("c2".to_owned(), 3));
        assert_eq!(heard.last[&2], ("c1".to_owned(), 4));
    }

    #[test]
    fn without_collectors_one_round_is_enough() {
        let (ended, heard) = run(&plan(&["a", "b"]), |_, _| Some(vec![1]));
        assert_eq!((ended.settled.rounds, heard.rounds), (1, vec![2]));
        let alone = Plan { exchanges: false, ..plan(&["c1", "c2"]) };
        assert_eq!(run(&alone, |_, _| Some(vec![1])).0.settled.rounds, 1);
    }

    #[test]
    fn what_never_settles_is_told() {
        let grows = |node: &str, seen: &[ExportedResource]| {
            let most = seen.iter().filter(|one| one.certname != node).filter_map(|one| match one.parameters[0].1 {
                Value::Integer(number) => Some(number),
                _ => None,
            });
            Some(vec![most.max().unwrap_or(0) + 1])
        };
        let (ended, _) = run(&plan(&["c1", "c2"]), grows);
        let said = ended.settled.unsettled.unwrap().to_string();
        assert!(
            said.starts_with(&format!("what the nodes export still changes after {} rounds", EXPORT_ROUNDS + 1)),
            "{said}"
        );
        assert!(said.contains("Notify[c1 20] of c1"), "{said}");
    }

    #[test]
    fn of_nodes_that_are_not_told_of_only_the_exports_count() {
        let partly = Plan { is_reported: vec![false, true], ..plan(&["a", "c1"]) };
        let (ended, heard) = run(&partly, |node, _| Some(if node == "a" { vec![1, 2] } else { vec![] }));
        assert_eq!((ended.settled.rounds, heard.rounds.clone()), (2, vec![1, 1]));
        assert_eq!(heard.last, BTreeMap::from([(1, ("c1".to_owned(), 2))]));
        let alone = Plan { exchanges: false, ..partly };
        assert_eq!(run(&alone, |_, _| Some(vec![1])).1.rounds, [1]);
    }

    #[test]
    fn the_first_failure_ends_the_run_if_that_is_wanted() {
        let exported = |node: &str, _: &[ExportedResource]| (node != "b").then(Vec::new);
        let fast = Plan { fail_fast: true, exchanges: false, ..plan(&["a", "b", "d", "e"]) };
        let (ended, heard) = run(&fast, exported);
        assert!(ended.is_stopped);
        assert_eq!(heard.last.len(), 2);
        let (ended, heard) = run(&Plan { fail_fast: false, ..fast }, exported);
        assert!(!ended.is_stopped);
        assert_eq!(heard.last.len(), 4);
    }
}
