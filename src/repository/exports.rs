//! The exported resources of a whole fleet, for a run that is about some of its nodes.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use pantin_compile::{Exchange, ExchangeResult};
use pantin_values::Str;
use pantin_world::ExportedResource;

use crate::node_compiler::NodeToPrepare;
use crate::{AnswerNeeds, Repository};

impl Repository {
    /// Compiles all nodes that facts are known of, and these, until what they export settles. From then on an answer collects
    /// that. A node that has no catalog exports nothing.
    pub fn settle_exports(&mut self, named: &[Str]) -> io::Result<ExchangeResult> {
        let names = self.all_node_names(named);
        let crew = self.crew(0, names.len())?;
        let mut exceeded = Ok(());
        let mut exported: Vec<Vec<ExportedResource>> = vec![Vec::new(); names.len()];
        let settled = pantin_compile::settle(names.len(), (0..names.len()).collect(), |_, wanted, exports| {
            let exports = Arc::new(exports);
            let prepare = |wave: &[usize]| self.classify(&wave.iter().map(|&at| names[at].clone()).collect::<Vec<_>>());
            let exchange = |node: &NodeToPrepare| {
                let answer = self.answer_classified(node, Some(&exports), AnswerNeeds::default());
                answer.map(|answer| answer.head.exchange).unwrap_or_default()
            };
            let mut round = Vec::with_capacity(wanted.len());
            let ended = crew.in_waves(wanted, prepare, exchange, |number, _, exchange: Exchange| {
                exported[wanted[number]].clone_from(&exchange.exports);
                round.push((wanted[number], exchange));
                ControlFlow::Continue(())
            });
            match ended {
                Ok(_) => ControlFlow::Continue(round),
                Err(error) => {
                    exceeded = Err(error);
                    ControlFlow::Break(round)
                }
            }
        });
        exceeded?;
        self.exports = Some(Arc::new(exported.concat()));
        Ok(settled)
    }
}
