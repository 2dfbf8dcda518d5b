//! What calls of groups lead to, and whether they ever end.
//!
//! A group that can only be matched by way of itself is refused, and so is one that reaches
//! itself before it has taken a character. Knows nothing of look-behinds.

use pantin_base::stack::with_room;

use super::Fault;
use super::name::{UNDEFINED_NAME, Words, quoting};
use super::tree::{SyntaxId, SyntaxNode, SyntaxTree};

/// What Ruby says of a number where groups have names.
pub(super) const NUMBERED: &str = "numbered backref/call is not allowed. (use name)";

/// What Ruby says of a number that no group has.
pub(super) const UNKNOWN_REFERENCE: &str = "invalid backref number/name";

/// How many nodes are looked at before a pattern is believed to be sound.
///
/// A chain of groups that each call the next one twice takes time without bounds to follow.
const PATIENCE: u32 = 1_000_000;

/// Resolves the calls of a tree, and refuses what Ruby refuses of them and of numbers.
pub(super) fn check(tree: &mut SyntaxTree<'_>) -> Result<(), Fault> {
    check_numbers(tree)?;
    if tree.calls.is_empty() {
        return Ok(());
    }
    tree.root = tree.add(SyntaxNode::Group { number: 0, named: false, body: tree.root });
    for at in 0..tree.calls.len() {
        let site = &tree.calls[at];
        let (node, start) = (site.node, site.at);
        if tree.only_named() && site.number.is_some_and(|number| number > 0) {
            return Fault::at(start, NUMBERED);
        }
        let target = target(tree, at)?;
        tree.nodes[node as usize] = SyntaxNode::Call { target, recursive: false };
    }
    let graph = Graph::from_tree(tree);
    let components = graph.components();
    for (caller, node) in &graph.callers {
        if let SyntaxNode::Call { target, recursive } = &mut tree.nodes[*node as usize] {
            *recursive = components[*caller as usize] == components[*target as usize];
        }
    }
    let mut walk = Walk::new(tree, graph.bodies.clone());
    for group in graph.recursive(&components) {
        let never_ends = walk.never_ends(group);
        if let Some(at) = walk.unknown {
            return Fault::at(at, UNKNOWN_REFERENCE);
        }
        if never_ends {
            return Err(Fault { message: "never ending recursion".to_owned(), at: None });
        }
    }
    Ok(())
}

/// Refuses numbers where groups have names.
///
/// Conditions are looked at only where some groups have no name: Ruby then renumbers the others.
fn check_numbers(tree: &SyntaxTree<'_>) -> Result<(), Fault> {
    if !tree.only_named() {
        return Ok(());
    }
    let mut unknown = None;
    if tree.named != tree.groups {
        unknown = tree
            .nodes
            .iter()
            .filter_map(|node| match node {
                SyntaxNode::Condition { groups, at, .. } => tree.is_unknown(groups).then_some(*at),
                _ => None,
            })
            .min();
    }
    match (tree.numbered, unknown) {
        (Some(at), None) => Fault::at(at, NUMBERED),
        (Some(at), Some(unknown)) if at < unknown => Fault::at(at, NUMBERED),
        (_, Some(at)) => Fault::at(at, UNKNOWN_REFERENCE),
        (None, None) => Ok(()),
    }
}

/// The group a call is of.
fn target(tree: &SyntaxTree<'_>, call: usize) -> Result<u32, Fault> {
    const UNDEFINED_GROUP: Words = ("undefined group <", "> reference");
    const AMBIGUOUS: Words = ("multiplex definition name <", "> call");
    let site = &tree.calls[call];
    match (site.number, tree.names.get(site.name).map(|name| tree.namesakes[*name as usize].groups.as_slice())) {
        (Some(number), _) if number > tree.groups => quoting(site.at, UNDEFINED_GROUP, site.name),
        (Some(number), _) | (None, Some(&[number])) => Ok(number),
        (None, None | Some([])) => quoting(site.at, UNDEFINED_NAME, site.name),
        (None, Some(_)) => quoting(site.at, AMBIGUOUS, site.name),
    }
}

/// Which groups hold or call which.
struct Graph {
    edges: Vec<Vec<u32>>,
    /// What is in each group.
    bodies: Vec<SyntaxId>,
    called: Vec<bool>,
    /// Each call, with the group it is in.
    callers: Vec<(u32, SyntaxId)>,
}

impl Graph {
    fn from_tree(tree: &SyntaxTree<'_>) -> Graph {
        let groups = tree.groups as usize + 1;
        let mut graph = Graph {
            edges: vec![Vec::new(); groups],
            bodies: vec![tree.root; groups],
            called: vec![false; groups],
            callers: Vec::new(),
        };
        let mut pending = vec![(tree.root, 0)];
        while let Some((id, outer)) = pending.pop() {
            let mut holder = outer;
            let node = tree.node(id);
            match *node {
                SyntaxNode::Group { number, body, .. } => {
                    graph.bodies[number as usize] = body;
                    if number != 0 {
                        graph.edges[outer as usize].push(number);
                    }
                    holder = number;
                }
                SyntaxNode::Call { target, .. } => {
                    graph.edges[outer as usize].push(target);
                    graph.called[target as usize] = true;
                    graph.callers.push((outer, tree.resolve(id).0));
                }
                _ => {}
            }
            pending.extend(SyntaxTree::children(node).iter().map(|child| (*child, holder)));
        }
        graph
    }

    /// Returns a number for each group, the same for those that lead to each other (Kosaraju).
    fn components(&self) -> Vec<u32> {
        let count = self.edges.len();
        let mut reversed = vec![Vec::new(); count];
        for (from, edges) in self.edges.iter().enumerate() {
            for to in edges {
                reversed[*to as usize].push(from as u32);
            }
        }
        let mut seen = vec![false; count];
        let mut order = Vec::with_capacity(count);
        for start in 0..count as u32 {
            visit(&self.edges, start, &mut seen, |group| order.push(group));
        }
        let mut seen = vec![false; count];
        let mut components = vec![0; count];
        for start in order.into_iter().rev() {
            visit(&reversed, start, &mut seen, |group| components[group as usize] = start);
        }
        components
    }

    /// The groups that are called and lead back to themselves.
    fn recursive(&self, components: &[u32]) -> Vec<u32> {
        let leads_back = |group: u32| {
            self.edges[group as usize].iter().any(|to| components[*to as usize] == components[group as usize])
        };
        (0..self.edges.len() as u32).filter(|group| self.called[*group as usize] && leads_back(*group)).collect()
    }
}

/// Visits what `start` leads to and was not seen before, each after all it leads to.
fn visit(edges: &[Vec<u32>], start: u32, seen: &mut [bool], mut leave: impl FnMut(u32)) {
    if std::mem::replace(&mut seen[start as usize], true) {
        return;
    }
    let mut path = vec![(start, 0)];
    while let Some((group, next)) = path.last_mut() {
        match edges[*group as usize].get(*next) {
            Some(to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[*to as usize], true) {
                    path.push((*to, 0));
                }
            }
            None => {
                leave(*group);
                path.pop();
            }
        }
    }
}

/// Whether a part leads to the group in question.
#[derive(Clone, Copy, PartialEq)]
enum Recursion {
    /// Not on all ways.
    Avoidable,
    /// On all ways, but only behind some character.
    Certain,
    /// Before any character.
    Endless,
}

#[derive(Clone, Copy, Default)]
struct Visit {
    /// The group in question, or one whose least length is being found.
    marked: bool,
    /// On the way from the group in question.
    entered: bool,
    /// Whether it can match nothing, once known.
    empty: Option<bool>,
}

struct Walk<'t> {
    tree: &'t SyntaxTree<'t>,
    bodies: Vec<SyntaxId>,
    visits: Vec<Visit>,
    patience: u32,
    /// Where a group was asked for that there is not.
    unknown: Option<usize>,
}

impl<'t> Walk<'t> {
    fn new(tree: &'t SyntaxTree<'t>, bodies: Vec<SyntaxId>) -> Self {
        let visits = vec![Visit::default(); bodies.len()];
        Walk { tree, bodies, visits, patience: PATIENCE, unknown: None }
    }

    fn never_ends(&mut self, group: u32) -> bool {
        self.visits[group as usize].marked = true;
        let recursion = self.recursion(self.bodies[group as usize], true);
        self.visits[group as usize].marked = false;
        recursion != Recursion::Avoidable
    }

    /// Returns where a part leads; `first` while no character was certainly taken before it.
    fn recursion(&mut self, id: SyntaxId, first: bool) -> Recursion {
        if self.patience == 0 {
            return Recursion::Avoidable;
        }
        self.patience -= 1;
        with_room(|| {
            let tree = self.tree;
            match tree.node(id) {
                SyntaxNode::Text(_)
                | SyntaxNode::One(_)
                | SyntaxNode::LineBreak
                | SyntaxNode::GraphemeCluster
                | SyntaxNode::Anchor(_)
                | SyntaxNode::BackReference { .. } => Recursion::Avoidable,
                SyntaxNode::List(parts) => self.recursion_in_list(parts, first),
                SyntaxNode::Alternatives(branches) => {
                    let mut all = Recursion::Certain;
                    for branch in branches {
                        match self.recursion(*branch, first) {
                            Recursion::Endless => return Recursion::Endless,
                            Recursion::Avoidable => all = Recursion::Avoidable,
                            Recursion::Certain => {}
                        }
                    }
                    all
                }
                SyntaxNode::Repeat { low, body, .. } => match self.recursion(*body, first) {
                    Recursion::Certain if *low == 0 => Recursion::Avoidable,
                    recursion => recursion,
                },
                SyntaxNode::Call { target, .. } => self.recursion_in_group(*target, first),
                SyntaxNode::Group { number, .. } => self.recursion_in_group(*number, first),
                SyntaxNode::Look { body, .. }
                | SyntaxNode::Options { body, .. }
                | SyntaxNode::Atomic { body }
                | SyntaxNode::Absent { body } => self.recursion(*body, first),
                SyntaxNode::Condition { body, .. } => match self.recursion(*body, first) {
                    Recursion::Certain if !matches!(tree.node(*body), SyntaxNode::Alternatives(_)) => {
                        Recursion::Avoidable
                    }
                    recursion => recursion,
                },
            }
        })
    }

    fn recursion_in_list(&mut self, parts: &[SyntaxId], mut first: bool) -> Recursion {
        let mut any = Recursion::Avoidable;
        for part in parts {
            match self.recursion(*part, first) {
                Recursion::Endless => return Recursion::Endless,
                Recursion::Certain => any = Recursion::Certain,
                Recursion::Avoidable => {}
            }
            first = first && self.may_be_empty(*part);
        }
        any
    }

    fn recursion_in_group(&mut self, group: u32, first: bool) -> Recursion {
        let visit = &mut self.visits[group as usize];
        if visit.entered {
            return Recursion::Avoidable;
        }
        if visit.marked {
            return if first { Recursion::Endless } else { Recursion::Certain };
        }
        visit.entered = true;
        let recursion = self.recursion(self.bodies[group as usize], first);
        self.visits[group as usize].entered = false;
        recursion
    }

    fn may_be_empty(&mut self, id: SyntaxId) -> bool {
        if self.patience == 0 {
            return false;
        }
        self.patience -= 1;
        with_room(|| {
            let tree = self.tree;
            match tree.node(id) {
                SyntaxNode::Text(text) => text.length == 0,
                SyntaxNode::One(_) | SyntaxNode::LineBreak | SyntaxNode::GraphemeCluster => false,
                SyntaxNode::Anchor(_) | SyntaxNode::Look { .. } | SyntaxNode::Absent { .. } => true,
                SyntaxNode::BackReference { open: true, .. } => true,
                SyntaxNode::BackReference { groups, at, .. } => {
                    if tree.is_unknown(groups) {
                        self.unknown.get_or_insert(*at);
                    }
                    let groups = tree.groups(groups);
                    // Many groups of one name are paid for like nodes: each is asked.
                    self.patience = self.patience.saturating_sub(groups.len() as u32);
                    groups.iter().any(|group| self.group_may_be_empty(*group))
                }
                SyntaxNode::Call { target, recursive: true } => self.visits[*target as usize].empty.unwrap_or(true),
                SyntaxNode::Call { target: group, .. } | SyntaxNode::Group { number: group, .. } => {
                    self.group_may_be_empty(*group)
                }
                SyntaxNode::Repeat { low, body, .. } => *low == 0 || self.may_be_empty(*body),
                SyntaxNode::Options { body, .. } | SyntaxNode::Atomic { body } => self.may_be_empty(*body),
                // Without a branch for "no", that is empty.
                SyntaxNode::Condition { body, .. } => {
                    !matches!(tree.node(*body), SyntaxNode::Alternatives(_)) || self.may_be_empty(*body)
                }
                SyntaxNode::List(parts) => parts.iter().all(|part| self.may_be_empty(*part)),
                SyntaxNode::Alternatives(branches) => branches.iter().any(|branch| self.may_be_empty(*branch)),
            }
        })
    }

    fn group_may_be_empty(&mut self, group: u32) -> bool {
        let Some(visit) = self.visits.get(group as usize) else { return true };
        if let Some(empty) = visit.empty {
            return empty;
        }
        if visit.marked {
            return true;
        }
        self.visits[group as usize].marked = true;
        let empty = self.may_be_empty(self.bodies[group as usize]);
        let visit = &mut self.visits[group as usize];
        visit.marked = false;
        visit.empty = Some(empty);
        empty
    }
}
