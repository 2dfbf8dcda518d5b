//! Variables and assignments: from names to slots.

use indexmap::IndexMap;
use pantin_base::names::is_module_variable;
use pantin_base::nearest;
use pantin_base::stack::with_room;
use pantin_model::trace::{FixedLocal, Path};
use pantin_syntax::ast::{AssignOp, Node, NodeId, UnaryOp};
use pantin_values::Str;
use rustc_hash::FxBuildHasher;

use super::super::code::{AccessPath, Assign, CodeError, EarlyParameter, ExprKind, Locals, Target, Variable};
use super::super::issue;
use super::Lower;

/// The names of one lambda, function or body while it is lowered.
#[derive(Debug)]
pub(super) struct Frame {
    /// Parameters, then what is assigned.
    pub(super) slots: Vec<Str>,
    pub(super) params: usize,
    /// While a parameter's default is lowered: that parameter, and the name of what is called.
    pub(super) default_of: Option<(usize, Str)>,
    /// How often each slot is read, by whatever code sees it.
    pub(super) reads: Vec<u32>,
    /// Whether any code reads what a slot holds: who finds variables by their names reads those that have a value by then.
    pub(super) is_read: Vec<bool>,
    /// The assignments so far: to which slot, and of what Ruby code cannot change, if it is that.
    pub(super) assigned: Vec<(usize, Option<FixedLocal>)>,
}

impl Frame {
    fn slot(&self, name: &str) -> Option<usize> {
        // Of two parameters of one name the last one counts.
        self.slots.iter().rposition(|known| known == name)
    }

    /// Returns what a slot holds that Ruby code cannot change, if that is all it may hold.
    fn fixed(&self, slot: usize) -> Option<FixedLocal> {
        let mut assigned = self.assigned.iter().filter(|(known, _)| *known == slot);
        let (_, first) = assigned.next()?;
        first.clone().filter(|_| assigned.next().is_none())
    }

    /// The same for code that reads it.
    fn read(&mut self, name: &str) -> Option<usize> {
        let slot = self.slot(name)?;
        self.note_read(slot);
        Some(slot)
    }

    fn note_read(&mut self, slot: usize) {
        if let (Some(reads), Some(is_read)) = (self.reads.get_mut(slot), self.is_read.get_mut(slot)) {
            *reads += 1;
            *is_read = true;
        }
    }

    /// Notes that code may find any of the variables by its name. What is assigned further on has no value yet.
    pub(super) fn note_all_seen(&mut self) {
        self.reads.iter_mut().for_each(|reads| *reads += 2);
        let (parameters, assigned) = (0..self.params, self.assigned.iter().map(|(slot, _)| *slot));
        for slot in parameters.chain(assigned) {
            if let Some(is_read) = self.is_read.get_mut(slot) {
                *is_read = true;
            }
        }
    }
}

impl Lower<'_> {
    pub(super) fn variable(&mut self, written: &str) -> ExprKind {
        if let Ok(number) = written.parse::<u32>() {
            return ExprKind::Capture(number);
        }
        if let Some(places) = self.own_local(written) {
            return self.outer(written, places);
        }
        let name = self.local_name(written);
        let Some(name) = name else { return self.outer(written, Vec::new()) };
        let mut places = Vec::new();
        // `::x` skips the lambdas.
        let innermost = if written.starts_with("::") { 1 } else { self.frames.len() };
        let skipped = self.frames.len() - innermost;
        let by_name = self.by_name;
        for (depth, frame) in self.frames[..innermost].iter_mut().rev().enumerate() {
            let Some(slot) = frame.slot(name) else { continue };
            let depth = depth + skipped;
            let is_outermost = depth + 1 == innermost + skipped;
            frame.note_read(slot);
            if slot < frame.params {
                match &frame.default_of {
                    Some((of, callee)) if slot >= *of || (by_name && is_outermost) => {
                        let (from, to) = (frame.slots[*of].clone(), frame.slots[slot].clone());
                        let by_name = (by_name && is_outermost).then_some((depth as u32, slot as u32, slot < *of));
                        let (callee, is_of_template) = (callee.clone(), self.is_template);
                        return ExprKind::TooEarly(Box::new(EarlyParameter {
                            from,
                            to,
                            callee,
                            by_name,
                            is_of_template,
                        }));
                    }
                    _ if depth == 0 && places.is_empty() => return ExprKind::Parameter(slot as u32),
                    _ => {
                        places.push((depth as u32, slot as u32));
                        break;
                    }
                }
            }
            places.push((depth as u32, slot as u32));
        }
        self.outer(written, places)
    }

    /// Returns all locals that an expression sees, by name.
    pub(super) fn locals(&mut self) -> Box<Locals> {
        self.frames.iter_mut().for_each(Frame::note_all_seen);
        let mut seen: IndexMap<&Str, Vec<(u32, u32)>, FxBuildHasher> = IndexMap::default();
        for (depth, frame) in (0..).zip(self.frames.iter().rev()) {
            for (slot, name) in (0..).zip(&frame.slots) {
                let places = seen.entry(name).or_default();
                match places.last_mut() {
                    // Of two parameters of one name the last one counts.
                    Some((known, of_before)) if *known == depth => *of_before = slot,
                    _ => places.push((depth, slot)),
                }
            }
        }
        seen.into_iter().map(|(name, places)| (name.clone(), places.into())).collect()
    }

    fn outer(&self, written: &str, places: Vec<(u32, u32)>) -> ExprKind {
        let near = if places.is_empty() { self.near_local(written) } else { None };
        ExprKind::Variable(Box::new(Variable { name: written.into(), places: places.into(), near }))
    }

    fn near_local(&self, written: &str) -> Option<Str> {
        let locals = self.frames.iter().flat_map(|frame| frame.slots.iter().map(Str::as_str));
        nearest(written, locals).map(Str::from)
    }

    /// Returns the name by which a local of the outermost frame, or of a lambda in it, may be meant.
    fn local_name<'n>(&self, written: &'n str) -> Option<&'n str> {
        match written.strip_prefix("::") {
            Some(rest) if self.is_main && !rest.contains("::") => Some(rest),
            None if !written.contains("::") => Some(written),
            _ => self.own_parameter(written),
        }
    }

    /// In a lambda of a class `$own_class::x` is a variable of the class if that has one by then, else the local `$x`.
    fn own_local(&mut self, written: &str) -> Option<Vec<(u32, u32)>> {
        let (class, name) = written.strip_prefix("::").unwrap_or(written).rsplit_once("::")?;
        let is_scopes_own = matches!(name, "title" | "name") || is_module_variable(name);
        if self.of_class != Some(class)
            || is_scopes_own
            || self.frames.first().is_none_or(|frame| frame.default_of.is_some())
        {
            return None;
        }
        let (outermost, lambdas) = self.frames.split_first_mut()?;
        let mut places: Vec<(u32, u32)> = Vec::new();
        for (depth, frame) in lambdas.iter_mut().rev().enumerate() {
            let Some(slot) = frame.read(name) else { continue };
            places.push((depth as u32, slot as u32));
        }
        if !places.is_empty()
            && let Some(slot) = outermost.read(name)
        {
            places.insert(0, (lambdas.len() as u32, slot as u32));
        }
        (!places.is_empty()).then_some(places)
    }

    /// In a default of a class's parameter `$own_class::x` is the parameter `$x`: the class has no other variables yet.
    fn own_parameter<'n>(&self, written: &'n str) -> Option<&'n str> {
        let (class, name) = written.strip_prefix("::").unwrap_or(written).rsplit_once("::")?;
        let frame = self.frames.first().filter(|frame| frame.default_of.is_some())?;
        let is_parameter = self.of_class == Some(class) && frame.slot(name).is_some_and(|slot| slot < frame.params);
        is_parameter.then_some(name)
    }

    pub(super) fn assign(&mut self, id: NodeId, op: AssignOp, left: NodeId, right: NodeId) -> ExprKind {
        if op != AssignOp::Set {
            return Self::wrong(issue::unsupported_operator(op.symbol()));
        }
        let target = self.target(left, id);
        let left_at = self.place_number(left);
        let value = self.expr(right);
        match &target {
            Target::Name { slot, .. } => {
                let fixed = self.fixed(right, &value.kind);
                self.note_assigned(*slot, fixed);
            }
            target => self.note_list(target),
        }
        ExprKind::Assign(Box::new(Assign { target, value, left_at }))
    }

    fn note_assigned(&mut self, slot: u32, fixed: Option<FixedLocal>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.assigned.push((slot as usize, fixed));
        }
    }

    fn note_list(&mut self, target: &Target) {
        match target {
            Target::Name { slot, .. } => self.note_assigned(*slot, None),
            Target::List(targets) => targets.iter().for_each(|(target, _)| self.note_list(target)),
            Target::Wrong(..) => {}
        }
    }

    /// Returns what Ruby code cannot change of a value that is assigned.
    fn fixed(&self, written: NodeId, value: &ExprKind) -> Option<FixedLocal> {
        let local = |places: &[(u32, u32)]| match places {
            [(depth, slot)] => self.frames.iter().rev().nth(*depth as usize)?.fixed(*slot as usize),
            _ => None,
        };
        match value {
            ExprKind::Variable(of) if of.places.is_empty() => Some(FixedLocal::As(of.name.clone(), Path::default())),
            ExprKind::Variable(of) => local(&of.places),
            ExprKind::Access(access) => {
                access.access_path.as_ref().and_then(|AccessPath { variable: of, path }| match local(&of.places) {
                    _ if of.places.is_empty() => Some(FixedLocal::As(of.name.clone(), path.clone())),
                    Some(FixedLocal::As(name, way)) => {
                        Some(FixedLocal::As(name, way.iter().chain(&**path).cloned().collect()))
                    }
                    _ => None,
                })
            }
            _ => self.is_written_out(written).then_some(FixedLocal::Text),
        }
    }

    /// Returns a text that the real Puppet has frozen: a word, or one in single quotes. Of several ways all have to
    /// lead to one.
    fn is_written_out(&self, id: NodeId) -> bool {
        with_room(|| match self.ast.node(id) {
            Node::Name(_) => true,
            Node::String(_) => self.ast.source().text()[self.ast.span(id).start as usize..].starts_with('\''),
            Node::Unary { op: UnaryOp::Paren, operand } => self.is_written_out(operand),
            Node::Selector { entries, .. } => self.ast.list(entries).iter().all(|entry| match self.ast.node(*entry) {
                Node::SelectorEntry { value, .. } => self.is_written_out(value),
                _ => false,
            }),
            Node::If { then: Some(then), otherwise: Some(otherwise), .. } => {
                self.is_written_out(then) && self.is_written_out(otherwise)
            }
            Node::Block(all) => self.ast.list(all).last().is_some_and(|last| self.is_written_out(*last)),
            _ => false,
        })
    }

    fn target(&mut self, left: NodeId, assignment: NodeId) -> Target {
        match self.ast.node(left) {
            Node::Variable(name) => {
                let name = self.text(name);
                if name.contains("::") {
                    return Target::Wrong(
                        CodeError::from(issue::cross_scope_assignment(name)),
                        self.place_number(left),
                    );
                }
                if name.starts_with(|first: char| first.is_ascii_digit()) {
                    return Target::Wrong(CodeError::from(issue::numeric_assignment(name)), self.place_number(left));
                }
                let Some(frame) = self.frames.last_mut() else {
                    return Target::Wrong(CodeError::from(issue::illegal_assignment()), self.place_number(left));
                };
                if let Some((_, _)) = &frame.default_of {
                    return Target::Wrong(
                        CodeError::from(issue::assignment_in_default(name)),
                        assignment.index().saturating_sub(self.first) as u32,
                    );
                }
                let slot = frame.slot(name).unwrap_or_else(|| {
                    frame.slots.push(name.into());
                    frame.slots.len() - 1
                });
                Target::Name { name: name.into(), slot: slot as u32 }
            }
            Node::Array(items) => {
                let items = self.ast.list(items);
                Target::List(
                    items.iter().map(|&item| (self.target(item, assignment), self.place_number(item))).collect(),
                )
            }
            _ => Target::Wrong(CodeError::from(issue::illegal_assignment()), self.place_number(left)),
        }
    }
}
