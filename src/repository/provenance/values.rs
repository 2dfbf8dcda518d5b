//! From a value to what it was made of: variables, facts, data, calls, templates, and the conditions that chose. It must not know
//! which resource wants the value.

use pantin_model::evaluation::{
    EvaluationId, EvaluationKind, EvaluationRecord, ExpressionKind, NodeVariable, VariableHolder, VariableRead,
};
use pantin_values::{Str, Value, ops};
use rustc_hash::FxHashSet;

use super::reason::{Reason, ReasonKind, SourcePlace};
use super::short_code;
use crate::inputs::NodeInputs;

/// Values are followed through so many steps.
const MOST_DEPTH: usize = 40;

/// The functions that render a template by its name.
const TEMPLATE_FUNCTIONS: [&str; 2] = ["template", "epp"];

pub(super) struct ValueExplainer<'r> {
    pub(super) record: &'r EvaluationRecord,
    inputs: &'r NodeInputs,
    /// The variables and parameters that were explained: each is once.
    seen: FxHashSet<(EvaluationId, Str)>,
    pub(super) seen_parameters: FxHashSet<(usize, Str)>,
    depth: usize,
}

impl<'r> ValueExplainer<'r> {
    pub(super) fn new(record: &'r EvaluationRecord, inputs: &'r NodeInputs) -> ValueExplainer<'r> {
        let (seen, seen_parameters) = (FxHashSet::default(), FxHashSet::default());
        ValueExplainer { record, inputs, seen, seen_parameters, depth: 0 }
    }

    pub(super) fn inputs(&self) -> &'r NodeInputs {
        self.inputs
    }

    /// Returns what the value of an evaluation was made of. Of a value that is written out: nothing.
    pub(super) fn reasons(&mut self, id: EvaluationId) -> Vec<Reason> {
        if self.depth >= MOST_DEPTH {
            return Vec::new();
        }
        self.depth += 1;
        let reasons = self.reasons_within(id);
        self.depth -= 1;
        reasons
    }

    fn reasons_within(&mut self, id: EvaluationId) -> Vec<Reason> {
        match &self.record.get(id).kind {
            EvaluationKind::Expression { kind, .. } => match kind {
                ExpressionKind::Variable { name, run: Some(run) } => vec![self.local(*run, name, id)],
                ExpressionKind::Variable { name, run: None } => vec![self.outer_variable(id, name)],
                ExpressionKind::Access => match self.read_by(id) {
                    Some(read) => vec![self.read(read)],
                    None => self.parts(id),
                },
                ExpressionKind::Call { name, arguments } => vec![self.call(id, name, arguments)],
                ExpressionKind::If { test, .. } | ExpressionKind::Case { test, .. } => self.choice(id, *test),
                ExpressionKind::Assignment { value, .. } => {
                    self.record.expression_below(id, *value).map(|value| self.reasons(value)).unwrap_or_default()
                }
                ExpressionKind::Attributes(_) | ExpressionKind::Other => self.parts(id),
            },
            EvaluationKind::Local { name, run } => vec![self.local(*run, name, id)],
            EvaluationKind::Read(_) => vec![self.read(id)],
            EvaluationKind::Lookup(_) => vec![self.lookup(id)],
            EvaluationKind::Run { .. } => self.parts(id),
            EvaluationKind::Body { .. }
            | EvaluationKind::Inherits { .. }
            | EvaluationKind::Effect(_)
            | EvaluationKind::File { .. } => Vec::new(),
        }
    }

    /// Returns what an expression is made of that does nothing but put values together.
    fn parts(&mut self, id: EvaluationId) -> Vec<Reason> {
        let record = self.record;
        record.children(id).iter().flat_map(|child| self.reasons(*child)).collect()
    }

    /// Returns a branch that was chosen, and why.
    fn choice(&mut self, id: EvaluationId, test: u32) -> Vec<Reason> {
        let record = self.record;
        let mut reasons = Vec::new();
        let test = record.expression_below(id, test);
        reasons.extend(test.map(|test| self.condition(test, true)));
        let branch = record.children(id).last().copied().filter(|last| Some(*last) != test);
        if let Some(branch) = branch
            && let Some(at) = record.get(branch).at()
        {
            let value = record.get(branch).value.as_ref();
            let reason = Reason::new(ReasonKind::Branch).at(at).with_code(self.code(branch)).with_value(value);
            reasons.push(reason.because(self.reasons(branch)));
        }
        reasons
    }

    pub(super) fn condition(&mut self, test: EvaluationId, is_taken: bool) -> Reason {
        let evaluation = self.record.get(test);
        let mut reason = Reason::new(ReasonKind::Condition { is_taken }).with_value(evaluation.value.as_ref());
        if let Some(at) = evaluation.at() {
            reason = reason.at(at).with_code(self.code(test));
        }
        reason.because(self.reasons(test))
    }

    /// Returns the conditions on the way to an evaluation, outermost last, within the code of its body or function.
    pub(super) fn conditions_around(&mut self, id: EvaluationId) -> Vec<Reason> {
        let record = self.record;
        let mut conditions = Vec::new();
        let mut inner = id;
        for around in record.ancestors(id).skip(1) {
            match &record.get(around).kind {
                EvaluationKind::Run { is_lambda: false, .. } | EvaluationKind::Body { .. } => break,
                EvaluationKind::Expression {
                    kind: ExpressionKind::If { test, .. } | ExpressionKind::Case { test, .. },
                    ..
                } => {
                    let test = record.expression_below(around, *test);
                    if let Some(test) = test.filter(|test| *test != inner) {
                        conditions.push(self.condition(test, true));
                    }
                }
                _ => {}
            }
            inner = around;
        }
        conditions
    }

    // ---- variables ----

    /// Returns a local of the code that runs: what was assigned, or what its parameter was given.
    fn local(&mut self, run: EvaluationId, name: &Str, id: EvaluationId) -> Reason {
        let value = self.record.get(id).value.clone();
        let mut reason = self.variable_of_run(run, name);
        reason.value = reason.value.or(value);
        reason
    }

    fn variable_of_run(&mut self, run: EvaluationId, name: &Str) -> Reason {
        let record = self.record;
        let is_new = self.seen.insert((run, name.clone()));
        if let Some(assignment) = record.binding(run, name) {
            return self.assignment(assignment, name, is_new);
        }
        let EvaluationKind::Run { parameters, is_lambda, .. } = &record.get(run).kind else {
            return Reason::new(ReasonKind::Variable { name: name.to_string() });
        };
        let parent = record.get(run).parent;
        match parent.map(|parent| (parent, &record.get(parent).kind)) {
            Some((_, EvaluationKind::Body { resource })) => self.parameter(*resource, name),
            Some((
                call,
                EvaluationKind::Expression { kind: ExpressionKind::Call { name: function, arguments }, .. },
            )) => {
                let place = parameters.iter().position(|parameter| parameter.name == *name);
                let (kind, argument) = match place {
                    _ if *is_lambda => (ReasonKind::Element { name: name.to_string() }, arguments.first()),
                    _ if function == "epp" || function == "inline_epp" => {
                        (ReasonKind::Argument { name: name.to_string() }, arguments.get(1))
                    }
                    place => {
                        (ReasonKind::Argument { name: name.to_string() }, place.and_then(|place| arguments.get(place)))
                    }
                };
                let mut reason = Reason::new(kind);
                let argument = argument.and_then(|argument| record.expression_below(call, *argument));
                let argument = argument.map(|argument| self.entry(argument, name).unwrap_or(argument));
                let default = place.and_then(|place| parameters[place].default);
                let given = argument.or_else(|| default.and_then(|default| record.expression_below(run, default)));
                if let Some(given) = given {
                    if let Some(at) = record.get(given).at() {
                        reason = reason.at(at).with_code(self.code(given));
                    }
                    match is_new {
                        true => reason = reason.because(self.reasons(given)),
                        false => reason.is_repeated = true,
                    }
                }
                reason
            }
            _ => Reason::new(ReasonKind::Variable { name: name.to_string() }),
        }
    }

    /// Returns the value of a key in a hash that is written out.
    fn entry(&self, hash: EvaluationId, key: &str) -> Option<EvaluationId> {
        if !matches!(self.record.get(hash).value, Some(Value::Hash(_))) {
            return None;
        }
        let is_key = |id: EvaluationId| self.record.get(id).value.as_ref().and_then(Value::as_str) == Some(key);
        self.record.children(hash).chunks_exact(2).find(|entry| is_key(entry[0])).map(|entry| entry[1])
    }

    fn assignment(&mut self, id: EvaluationId, name: &Str, is_new: bool) -> Reason {
        let record = self.record;
        let evaluation = record.get(id);
        let mut reason = Reason::new(ReasonKind::Assignment { name: name.to_string() });
        let EvaluationKind::Expression { at, kind: ExpressionKind::Assignment { names, value } } = &evaluation.kind
        else {
            return reason;
        };
        let value = record.expression_below(id, *value);
        reason = reason.at(at).with_code(value.and_then(|value| self.code(value)));
        if names.len() == 1 {
            reason = reason.with_value(evaluation.value.as_ref());
        }
        if !is_new {
            reason.is_repeated = true;
            return reason;
        }
        let mut reasons = value.map(|value| self.reasons(value)).unwrap_or_default();
        reasons.extend(self.conditions_around(id));
        reason.because(reasons)
    }

    /// Returns a variable that is no local of the code: of a scope around it, or lent to a template.
    fn outer_variable(&mut self, id: EvaluationId, name: &Str) -> Reason {
        if let Some(read) = self.read_by(id) {
            return self.read(read);
        }
        let record = self.record;
        let lender = record.ancestors(id).filter(|id| matches!(record.get(*id).kind, EvaluationKind::Run { .. }));
        let lender = lender.skip(1).find(|run| self.has_local(*run, name));
        match lender {
            Some(run) => self.local(run, name, id),
            None => {
                let value = record.get(id).value.as_ref();
                Reason::new(ReasonKind::Variable { name: name.to_string() }).with_value(value)
            }
        }
    }

    fn has_local(&self, run: EvaluationId, name: &str) -> bool {
        let EvaluationKind::Run { parameters, .. } = &self.record.get(run).kind else { return false };
        self.record.binding(run, name).is_some() || parameters.iter().any(|parameter| parameter.name == name)
    }

    /// Returns the last question for a variable that an expression asked: it knows the whole way to the value.
    fn read_by(&self, id: EvaluationId) -> Option<EvaluationId> {
        let is_read = |id: &&EvaluationId| matches!(self.record.get(**id).kind, EvaluationKind::Read(_));
        self.record.children(id).iter().rev().find(is_read).copied()
    }

    /// Returns true if an evaluation in a call is a look at a container of which the call then reads a part: `facts` and `facts.os` in
    /// `facts.dig('os', 'family')`.
    fn is_way_to_part(&self, child: EvaluationId, call: EvaluationId) -> bool {
        let record = self.record;
        let read_of = |id: EvaluationId| record.get(id).kind.as_read();
        let Some(read) = read_of(child).or_else(|| self.read_by(child).and_then(read_of)) else { return false };
        record.children(call).iter().filter_map(|other| read_of(*other)).any(|other| {
            other.name == read.name && other.path.len() > read.path.len() && other.path.starts_with(&read.path)
        })
    }

    fn read(&mut self, id: EvaluationId) -> Reason {
        let record = self.record;
        let EvaluationKind::Read(read) = &record.get(id).kind else {
            return Reason::new(ReasonKind::Variable { name: String::new() });
        };
        let mut reason = match &read.holder {
            VariableHolder::Nobody => Reason::new(ReasonKind::Unset { name: written(read) }),
            VariableHolder::Node(of) => Reason::new(node_variable(*of, read)),
            VariableHolder::Body { resource, name } => self.variable_of_body(*resource, name),
        };
        let whole = || record.get(id).parent.and_then(|parent| record.get(parent).value.clone());
        reason.value = record.get(id).value.clone().or(reason.value).or_else(whole);
        reason
    }

    /// Returns a variable of a class, a node block or the site manifests.
    fn variable_of_body(&mut self, resource: usize, name: &Str) -> Reason {
        let record = self.record;
        let runs: Vec<EvaluationId> = record.bodies_of(resource).filter_map(|body| record.run_of_body(body)).collect();
        if let Some(run) = runs.iter().find(|run| self.has_local(**run, name)) {
            let mut reason = self.variable_of_run(*run, name);
            if let ReasonKind::Assignment { name } = &mut reason.kind {
                let class = &record.resources[resource];
                if class.type_name == "Class" && !class.title.eq_ignore_ascii_case("main") {
                    *name = format!("{}::{name}", class.title.to_lowercase());
                }
            }
            return reason;
        }
        if matches!(name.as_str(), "title" | "name") {
            let resource = &record.resources[resource];
            let mut reason = Reason::new(ReasonKind::Variable { name: name.to_string() });
            reason.value = Some(Value::String(resource.title.clone()));
            reason.place = resource.declared_at.as_ref().map(SourcePlace::from_at);
            return reason;
        }
        match record.resources[resource].parameter(name) {
            Some(_) => self.parameter(resource, name),
            None => Reason::new(ReasonKind::Variable { name: name.to_string() }),
        }
    }

    // ---- data ----

    pub(super) fn lookup(&mut self, id: EvaluationId) -> Reason {
        let evaluation = self.record.get(id);
        let EvaluationKind::Lookup(lookup) = &evaluation.kind else {
            return Reason::new(ReasonKind::Lookup { key: String::new(), is_found: false });
        };
        let (key, is_found) = (lookup.key.to_string(), lookup.is_found);
        let kind = match lookup.is_bound {
            true => ReasonKind::Injection { key, is_found },
            false => ReasonKind::Lookup { key, is_found },
        };
        let level = |origin: &pantin_model::evaluation::DataOrigin, is_overridden| {
            let level = origin.level.clone();
            let mut level = Reason::new(match lookup.is_bound {
                true => ReasonKind::Binding { layer: level, is_overridden },
                false => ReasonKind::DataLevel { level, is_overridden },
            });
            let file = origin.file.as_deref().map(Str::from);
            level.place = file.map(|file| SourcePlace { file: Some(file), line: origin.line });
            level
        };
        let levels = lookup.origins.iter().map(|origin| level(origin, false));
        let overridden = lookup.overridden.iter().map(|origin| level(origin, true));
        let mut reasons: Vec<Reason> = levels.chain(overridden).collect();
        if lookup.is_bound {
            reasons.extend(self.parts(id));
        }
        Reason::new(kind).with_value(evaluation.value.as_ref()).because(reasons)
    }

    // ---- calls ----

    fn call(&mut self, id: EvaluationId, function: &Str, arguments: &[u32]) -> Reason {
        let record = self.record;
        let evaluation = record.get(id);
        let mut reason = Reason::new(ReasonKind::Call { function: function.to_string() });
        if let Some(at) = evaluation.at() {
            reason = reason.at(at).with_code(self.code(id));
        }
        reason = reason.with_value(evaluation.value.as_ref());
        let is_template = TEMPLATE_FUNCTIONS.contains(&function.as_str());
        let mut inside = Vec::new();
        let mut given = Vec::new();
        for child in record.children(id) {
            if self.is_way_to_part(*child, id) {
                continue;
            }
            match &record.get(*child).kind {
                EvaluationKind::Run { is_lambda: false, unit, .. } if unit.source.name().is_some() && !is_template => {
                    // What a function says last is what it is worth.
                    inside.extend(record.children(*child).last().map(|last| self.reasons(*last)).unwrap_or_default());
                }
                EvaluationKind::Expression { at, .. } if !is_template && arguments.contains(&at.node) => {
                    given.extend(self.reasons(*child));
                }
                // What a template makes of its parameters leads to them.
                EvaluationKind::Expression { at, .. } if arguments.contains(&at.node) => {}
                _ => inside.extend(self.reasons(*child)),
            }
        }
        if is_template && let Some(name) = self.first_argument(id, arguments) {
            let mut template = Reason::new(ReasonKind::Template { name: name.clone() });
            let file = self.inputs.environment().ok().and_then(|ready| ready.site.template_file(&name));
            let file = file.map(|file| Str::from(file.to_string_lossy().as_ref()));
            template.place = file.map(|file| SourcePlace { file: Some(file), line: None });
            inside.retain(Reason::has_origin);
            inside = vec![template.because(inside)];
        }
        given.extend(inside);
        reason.because(given)
    }

    /// The code of an expression, from the first to the last sign of it and of what was evaluated in it.
    pub(super) fn code(&self, id: EvaluationId) -> Option<String> {
        let at = self.record.get(id).at()?;
        let (mut start, mut end) = (at.span().start, at.span().end());
        let mut pending = self.record.children(id).to_vec();
        while let Some(below) = pending.pop() {
            if matches!(self.record.get(below).kind, EvaluationKind::Expression { .. }) {
                pending.extend(self.record.children(below));
            }
            if let Some(inner) = self.record.get(below).at().filter(|inner| inner.unit.key == at.unit.key) {
                (start, end) = (start.min(inner.span().start), end.max(inner.span().end()));
            }
        }
        let text = at.unit.source.text().get(start as usize..end as usize);
        // The right side of an operator that needed only the left one was not evaluated.
        let is_cut = |text: &&str| text.ends_with(" and") || text.ends_with(" or");
        let more = if text.as_ref().is_some_and(is_cut) { " …" } else { "" };
        text.filter(|text| !text.is_empty()).map(|text| format!("{}{more}", short_code(text)))
    }

    fn first_argument(&self, call: EvaluationId, arguments: &[u32]) -> Option<String> {
        let first = self.record.expression_below(call, *arguments.first()?)?;
        self.record.get(first).value.as_ref()?.as_str().map(str::to_owned)
    }
}

/// Returns a variable with the way to a part of it, as code writes it.
fn written(read: &VariableRead) -> String {
    let keys = read.path.iter().map(|key| format!("[{}]", pantin_values::format::literal(key)));
    format!("{}{}", read.name, keys.collect::<String>())
}

fn node_variable(of: NodeVariable, read: &VariableRead) -> ReasonKind {
    let path = || read.path.iter().map(|key| ops::to_s(key).to_string()).collect::<Vec<_>>().join(".");
    let name = read.name.trim_start_matches("::");
    match of {
        NodeVariable::Fact if name == "facts" => ReasonKind::Fact { path: path() },
        NodeVariable::Fact if read.path.is_empty() => ReasonKind::Fact { path: name.to_owned() },
        NodeVariable::Fact => ReasonKind::Fact { path: format!("{name}.{}", path()) },
        NodeVariable::Trusted => ReasonKind::Trusted { path: path() },
        NodeVariable::ServerFact => ReasonKind::ServerFact { path: path() },
        NodeVariable::Parameter => ReasonKind::NodeVariable { name: written(read) },
    }
}
