//! The evaluation of each kind of expression.

use std::rc::Rc;

use pantin_base::limits::BYTES_OF_STEP;
use pantin_base::names::is_reserved_variable;
use pantin_base::stack::{StackRoom, with_room};
use pantin_model::trace::{Answer, Container, Effect, Failure, NameKind, Question, Shape, Standing};
use pantin_syntax::ast::BinaryOp;
use pantin_values::{Fault, Resolve, Str, Type, Value, ops, text, types, unencoded};

use super::code::{Access, AccessPath, Assign, Case, EarlyParameter, Expr, ExprKind, If, Target, Variable};
use super::issue;
use super::limits::{grown_weight, set_weight};
use super::machine::{Machine, NO_FRAME};
use super::pending_parameters::too_early;
use super::stop::{Flow, Reason, Stop};
use super::variable_value::{VariableValue, View};

/// What a buffer may keep of its size between two uses.
const KEPT_BUFFER: usize = 64 * 1024;

impl Machine<'_> {
    /// The value of an expression, a view of the outside become what it stands for. An error gets its place where its
    /// expression was wanted, which looks at the result anyhow: so that what is worth something stays where it was written.
    #[inline(always)]
    pub(super) fn value(&mut self, expr: &Expr) -> Flow {
        match self.value_or_fault(expr) {
            Err(stop) => Err(self.with_place(stop, expr)),
            done => done,
        }
    }

    /// The same with an error that may have no place yet.
    fn value_or_fault(&mut self, expr: &Expr) -> Flow {
        if self.is_recorded {
            return self.recorded_value(expr);
        }
        self.unrecorded_value(expr)
    }

    #[inline(always)]
    pub(super) fn unrecorded_value(&mut self, expr: &Expr) -> Flow {
        match &expr.kind {
            ExprKind::Constant(value) => Ok(value.clone()),
            ExprKind::Parameter(slot) => match self.slot(*slot) {
                Some(VariableValue::Value(value)) => Ok(value.clone()),
                _ => self.view_value(expr),
            },
            ExprKind::LastUse(slot) => match self.slot(*slot) {
                Some(VariableValue::Value(value)) => Ok(std::mem::take(value)),
                _ => self.view_value(expr),
            },
            _ => self.compound(expr),
        }
    }

    /// Goes one level further in where the stack has run low, or is another than the one that is known.
    #[cold]
    #[inline(never)]
    fn with_more_room<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> Flow<T>) -> Flow<T> {
        with_room(|| {
            let outer = std::mem::replace(&mut self.room, StackRoom::remaining());
            let result = evaluate(self);
            self.room = outer;
            result
        })
    }

    #[cold]
    fn view_value(&mut self, expr: &Expr) -> Flow {
        let seen = self.look(expr)?;
        self.settle(seen)
    }

    /// Returns the value of an expression, or a view where it is a container of the outside.
    #[inline(always)]
    pub(super) fn look(&mut self, expr: &Expr) -> Flow<VariableValue> {
        match self.look_or_fault(expr) {
            Err(stop) => Err(self.with_place(stop, expr)),
            done => done,
        }
    }

    /// The same with an error that may have no place yet.
    fn look_or_fault(&mut self, expr: &Expr) -> Flow<VariableValue> {
        if !self.room.is_around() {
            return self.with_more_room(|machine| machine.look_or_fault(expr));
        }
        if self.is_recorded {
            return self.recorded_look(expr);
        }
        self.unrecorded_look(expr)
    }

    #[inline(always)]
    pub(super) fn unrecorded_look(&mut self, expr: &Expr) -> Flow<VariableValue> {
        match &expr.kind {
            ExprKind::Parameter(slot) => Ok(self.slot(*slot).clone().unwrap_or(VariableValue::Value(Value::Undef))),
            // What is left in the slot is bound still.
            ExprKind::LastUse(slot) => Ok(self
                .slot(*slot)
                .replace(VariableValue::Value(Value::Undef))
                .unwrap_or(VariableValue::Value(Value::Undef))),
            ExprKind::Variable(variable) => self.variable(variable, expr.at),
            ExprKind::Access(access) => self.access(access),
            ExprKind::Assign(assign) => self.assign(assign),
            ExprKind::Paren(inner) => self.look(inner),
            _ => self.value_or_fault(expr).map(VariableValue::Value),
        }
    }

    #[inline(never)]
    fn compound(&mut self, expr: &Expr) -> Flow {
        if !self.room.is_around() {
            return self.with_more_room(|machine| machine.compound(expr));
        }
        self.spend(1)?;
        match &expr.kind {
            ExprKind::Constant(value) => Ok(value.clone()),
            ExprKind::Parameter(_) | ExprKind::LastUse(_) | ExprKind::Variable(_) | ExprKind::Assign(_) => {
                match self.at_hand(expr) {
                    Some(value) => Ok(value.clone()),
                    None => {
                        let seen = self.look(expr)?;
                        self.settle(seen)
                    }
                }
            }
            ExprKind::Access(access) => match self.at_hand(expr) {
                Some(value) => Ok(value.clone()),
                None => {
                    let seen = self.access(access)?;
                    self.settle(seen)
                }
            },
            ExprKind::Capture(number) => self.capture(*number),
            ExprKind::TooEarly(early) => self.early_parameter(early),
            ExprKind::Paren(inner) => self.value(inner),
            ExprKind::Concat(parts) => self.concat(parts),
            ExprKind::Array(items) => self.list(items).and_then(|items| self.checked(Value::Array(items.into()))),
            ExprKind::Hash(entries) => self.hash(entries),
            ExprKind::Unfold(operand) => {
                let value = self.value(operand)?;
                Ok(Value::Array(self.splat(value)?.into()))
            }
            ExprKind::Not(operand) => Ok(Value::Boolean(!self.value(operand)?.is_truthy())),
            ExprKind::Minus(operand) => self.minus(operand, expr),
            ExprKind::Binary(parts) => self.binary(parts.0, &parts.1, &parts.2, expr),
            ExprKind::Call(call) => self.call(call, expr.at).and_then(|made| self.checked(made)),
            ExprKind::If(parts) => self.conditional(parts),
            ExprKind::Case(case) => self.case(case),
            ExprKind::Block(statements) => self.block(statements),
            ExprKind::Resource(resource) => self.resource(resource, expr.at),
            ExprKind::Defaults(parts) => self.defaults(parts, expr.at),
            ExprKind::Override(parts) => self.override_resources(parts, expr.at),
            ExprKind::Relationship(parts) => self.relate(parts, expr.at),
            ExprKind::Collect(collect) => self.collect(collect, expr.at),
            ExprKind::Template(body) => self.template(body),
            ExprKind::RenderText(text) => {
                self.render(text);
                Ok(Value::Undef)
            }
            ExprKind::Render(operand) => self.render_value(operand),
            ExprKind::CheckedText(parts) => self.value(&parts.1),
            ExprKind::TypeName(name) => self.type_named(name),
            ExprKind::Elsewhere(elsewhere) => self.run_elsewhere(elsewhere, expr.at),
            ExprKind::Wrong(wrong) if wrong.code.is_empty() => Err(Fault::new(wrong.message.clone()).into()),
            ExprKind::Wrong(wrong) => Err(Fault::issue(wrong.code, wrong.message.clone()).into()),
        }
    }

    // ---- literals ----

    /// Returns the values of a list, `*x` spread out in it.
    pub(super) fn list(&mut self, items: &[Expr]) -> Flow<Vec<Value>> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            match &item.kind {
                ExprKind::Unfold(operand) => {
                    let value = self.value(operand)?;
                    values.extend(self.splat(value)?);
                }
                _ => values.push(self.value(item)?),
            }
        }
        Ok(values)
    }

    #[inline(never)]
    fn hash(&mut self, entries: &[(Expr, Expr)]) -> Flow {
        let mut hash = pantin_values::Hash::with_capacity(entries.len());
        let map = hash.make_mut();
        for (key, value) in entries {
            let key = self.value(key)?;
            map.insert(key, self.value(value)?);
        }
        self.checked(Value::Hash(hash))
    }

    /// A hash and what is written behind its `+`, without a hash of that.
    #[inline(never)]
    fn add_entries(&mut self, mut hash: pantin_values::Hash, entries: &[(Expr, Expr)]) -> Flow {
        let mut weight = hash.weight();
        let map = hash.make_mut();
        for (key, value) in entries {
            let (key, value) = (self.value(key)?, self.value(value)?);
            weight = weight.and(key.weight().as_item()).and(value.weight().as_item());
            map.insert(key, value);
        }
        hash.set_weight(weight);
        self.check_elements(hash.len())?;
        let made = Value::Hash(hash);
        self.check_weight_of(&made)?;
        Ok(made)
    }

    /// The text that parts are together. They are written behind each other in a buffer that is kept; a text that is
    /// put together for one of the parts stands behind those before it meanwhile.
    #[inline(never)]
    fn concat(&mut self, parts: &[Expr]) -> Flow {
        let start = self.buffer.len();
        let result = self.concat_from(start, parts);
        self.buffer.truncate(start);
        if start == 0 {
            self.buffer.shrink_to(KEPT_BUFFER);
        }
        result
    }

    fn concat_from(&mut self, start: usize, parts: &[Expr]) -> Flow {
        // A text that nobody else holds grows where it is.
        let (grown, parts) = match parts {
            [first, rest @ ..] if matches!(first.kind, ExprKind::LastUse(_)) => (Some(self.value(first)?), rest),
            _ => (None, parts),
        };
        let grows_unencoded = grown.as_ref().map(Value::is_unencoded);
        let grown = match grown {
            Some(Value::String(text)) => Some(text),
            value => {
                value.iter().for_each(|value| text::push_text(&mut self.buffer, value));
                None
            }
        };
        let before = grown.as_ref().map_or(0, |text| text.len());
        let begins_unencoded = self.push_parts(before, start, parts)?;
        let behind = &self.buffer[start..];
        let text = match grown {
            Some(mut text) => {
                text.push_str(behind);
                text
            }
            None => behind.into(),
        };
        self.spend((text.len() - before) as u64 / BYTES_OF_STEP)?;
        if unencoded::are_any() {
            return Ok(unencoded::join_letters(text, grows_unencoded.unwrap_or(begins_unencoded))?);
        }
        Ok(Value::String(text))
    }

    /// Appends what `"${value}"` gives of each part to the buffer; of a local without a copy of its value. `before`: how
    /// long the text is that they grow. Whether the first of them is a text in no encoding.
    fn push_parts(&mut self, before: usize, start: usize, parts: &[Expr]) -> Flow<bool> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut begins_unencoded = None;
        for part in parts {
            let is_unencoded = match (self.at_hand(part), &part.kind, &self.matched) {
                (Some(value), ..) => {
                    text::push_text(&mut buffer, value);
                    value.is_unencoded()
                }
                (None, ExprKind::Capture(number), Some(matched)) => {
                    buffer.push_str(matched.group_text(*number as usize).unwrap_or_default());
                    matched.is_unencoded
                }
                _ => {
                    self.buffer = buffer;
                    let value = self.value(part)?;
                    buffer = std::mem::take(&mut self.buffer);
                    text::push_text(&mut buffer, &value);
                    value.is_unencoded()
                }
            };
            begins_unencoded.get_or_insert(is_unencoded);
            if before + buffer.len() - start > self.settings.limits.text_bytes {
                self.buffer = buffer;
                self.check_text(before + self.buffer.len() - start)?;
                return Ok(false);
            }
        }
        self.buffer = buffer;
        Ok(begins_unencoded.unwrap_or(false))
    }

    /// A value that lies somewhere, so that nothing has to be done for it: a constant, what a local is bound to, or what
    /// such a collection holds under such a key.
    #[inline]
    pub(super) fn at_hand<'a>(&'a self, expr: &'a Expr) -> Option<&'a Value> {
        match &expr.kind {
            _ if self.is_recorded => None,
            ExprKind::Access(access) => match &*access.keys {
                [key] => element(self.bound(&access.left)?, self.bound(key)?),
                _ => None,
            },
            _ => self.bound(expr),
        }
    }

    /// A constant, or what a local is bound to.
    #[inline]
    fn bound<'a>(&'a self, expr: &'a Expr) -> Option<&'a Value> {
        let seen = match &expr.kind {
            ExprKind::Constant(value) => return Some(value),
            ExprKind::Parameter(slot) => self.slot_at(0, *slot),
            ExprKind::Variable(variable) => variable.places.iter().find_map(|&(depth, slot)| self.slot_at(depth, slot)),
            _ => None,
        };
        match seen {
            Some(VariableValue::Value(value)) => Some(value),
            _ => None,
        }
    }

    #[inline(never)]
    fn type_named(&mut self, name: &Str) -> Flow {
        match self.resolve(name)? {
            Some(found) => Ok(Value::Type(found)),
            None => Err(self.suggest(issue::unknown_resource_type(name), NameKind::Type, name).into()),
        }
    }

    #[inline(never)]
    /// A parameter that may have no value yet.
    fn early_parameter(&mut self, early: &EarlyParameter) -> Flow {
        let (from, to) = (&early.from, &early.to);
        let message = match early.by_name {
            Some((depth, slot, comes_before)) => {
                if let Some(seen) = self.slot_at(depth, slot) {
                    let seen = seen.clone();
                    return self.settle(seen);
                }
                let subject = self.subject.as_deref().filter(|_| !early.is_of_template).unwrap_or(&early.callee);
                too_early(subject, from, to, comes_before)
            }
            None => too_early(&early.callee, from, to, false),
        };
        Err(Reason::TooEarly(Fault::new(message)).into())
    }

    pub(super) fn capture(&mut self, number: u32) -> Flow {
        match &self.matched {
            Some(matched) => Ok(matched.group(number as usize)),
            // Around the top scope there is nothing.
            None if self.standing != Standing::Top => {
                let name = self.standing_name(&number.to_string().into());
                match self.host.ask(&Question::Variable(name)) {
                    Answer::Value(group) => Ok(group),
                    _ => Ok(Value::Undef),
                }
            }
            None => Ok(Value::Undef),
        }
    }

    // ---- control ----

    pub(super) fn block(&mut self, statements: &[Expr]) -> Flow {
        let Some((last, before)) = statements.split_last() else { return Ok(Value::Undef) };
        for statement in before {
            // Nobody wants its value, so a container of the outside stays unread.
            self.look(statement)?;
        }
        self.value(last)
    }

    #[inline(never)]
    fn conditional(&mut self, parts: &If) -> Flow {
        let matched = self.matched.clone();
        let test = self.value(&parts.test);
        let result =
            test.and_then(|test| self.value(if test.is_truthy() { &parts.then_branch } else { &parts.else_branch }));
        self.matched = matched;
        result
    }

    #[inline(never)]
    fn case(&mut self, case: &Case) -> Flow {
        let matched = self.matched.clone();
        let result = self.choose(case);
        self.matched = matched;
        result
    }

    #[inline(never)]
    fn choose(&mut self, case: &Case) -> Flow {
        let test = self.value(&case.test)?;
        for option in &case.options {
            for candidate in &option.values {
                let hit = match &candidate.kind {
                    ExprKind::Unfold(operand) => {
                        let mut hit = false;
                        let value = self.value(operand)?;
                        for value in self.splat(value)? {
                            if self.option_matches(&value, &test)? {
                                hit = true;
                                break;
                            }
                        }
                        hit
                    }
                    ExprKind::Constant(value) => self.option_matches(value, &test)?,
                    _ => {
                        let value = self.value(candidate)?;
                        self.option_matches(&value, &test)?
                    }
                };
                if hit {
                    return self.value(&option.then);
                }
            }
        }
        match &case.default {
            Some(default) => self.value(default),
            None if case.is_selector => Err(self.fail(issue::unmatched_selector(&ops::to_s(&test)), case.test.at)),
            None => Ok(Value::Undef),
        }
    }

    // ---- assignment ----

    #[inline(never)]
    fn assign(&mut self, assign: &Assign) -> Flow<VariableValue> {
        if let Target::Wrong(wrong, at) = &assign.target {
            return Err(Reason::FaultAt(wrong.fault(), *at).into());
        }
        let seen = self.look(&assign.value)?;
        match &assign.target {
            Target::Name { name, slot } => {
                self.bind(name, *slot, seen.clone())?;
                Ok(seen)
            }
            target => {
                let value = self.settle(seen)?;
                self.assign_parts(target, value.clone(), assign)?;
                Ok(VariableValue::Value(value))
            }
        }
    }

    fn assign_parts(&mut self, target: &Target, value: Value, assign: &Assign) -> Flow<()> {
        let targets = match target {
            Target::Name { name, slot } => return self.bind(name, *slot, VariableValue::Value(value)),
            Target::Wrong(wrong, at) => return Err(Reason::FaultAt(wrong.fault(), *at).into()),
            Target::List(targets) => targets,
        };
        match value {
            Value::Hash(entries) => {
                for (target, _) in targets {
                    let Target::Name { name, .. } = target else {
                        return Err(issue::multi_assignment_key(&names(target)).into());
                    };
                    let Some(value) = entries.get_str(name) else {
                        return Err(issue::multi_assignment_key(name).into());
                    };
                    self.assign_parts(target, value.clone(), assign)?;
                }
                Ok(())
            }
            Value::Type(Type::Class(Some(class))) => self.assign_from_class(targets, &class, assign.value.at),
            Value::Array(values) => self.assign_each(targets, &values, assign),
            value => self.assign_each(targets, &[value], assign),
        }
    }

    fn assign_each(&mut self, targets: &[(Target, u32)], values: &[Value], assign: &Assign) -> Flow<()> {
        if targets.len() != values.len() {
            return Err(issue::multi_assignment_size(targets.len(), values.len()).into());
        }
        for ((target, _), value) in targets.iter().zip(values) {
            self.assign_parts(target, value.clone(), assign)?;
        }
        Ok(())
    }

    fn assign_from_class(&mut self, targets: &[(Target, u32)], class: &str, class_at: u32) -> Flow<()> {
        let declared = Question::Defined(Value::Type(Type::Class(Some(class.into()))));
        if !matches!(self.host.ask(&declared), Answer::Value(Value::Boolean(true))) {
            let fault = Fault::issue("UNKNOWN_RESOURCE", format!("Resource not found: Class['{class}']"));
            return Err(self.fail(fault, class_at));
        }
        for (target, at) in targets {
            let Target::Name { name, slot } = target else { continue };
            let variable: Str = format!("{class}::{name}").into();
            match self.host.ask(&Question::Variable(variable.clone().into())) {
                Answer::Absent => {
                    let fault = Fault::issue(
                        "MISSING_MULTI_ASSIGNMENT_VARIABLE",
                        format!(
                            "No value for required variable '${variable}' in assignment to variables from class reference"
                        ),
                    );
                    return Err(self.fail(fault, *at));
                }
                _ => {
                    let seen = self.outer_variable(&variable, None, *at)?;
                    self.bind(name, *slot, seen)?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn bind(&mut self, name: &Str, slot: u32, seen: VariableValue) -> Flow<()> {
        if name == "server_facts" {
            return Err(issue::reserved_assignment(name).into());
        }
        if self.slot(slot).is_some() {
            return Err(already_bound(name));
        }
        let frame = self.frames[self.frame];
        if !(frame.exports && frame.parent == NO_FRAME) {
            self.check_unbound(name)?;
        } else {
            let name = name.clone();
            self.apply(&match &seen {
                VariableValue::Value(value) => Effect::Export { name, value: value.clone() },
                VariableValue::View(view) => {
                    Effect::ExportPart { name, variable: view.variable.clone().into(), path: view.path.clone() }
                }
            })?;
        }
        *self.slot(slot) = Some(seen);
        Ok(())
    }

    /// What the host does not see set has to be checked here: what the scope has from its beginning, and names that are
    /// never free.
    fn check_unbound(&self, name: &Str) -> Flow<()> {
        if self.is_predefined(name) {
            return Err(issue::reassignment(name).into());
        }
        check_unreserved(name)
    }

    /// Returns true if the code is that of a definition, whose scope has this variable from its beginning.
    pub(super) fn is_predefined(&self, name: &Str) -> bool {
        let is_of_all = || matches!(name.as_str(), "title" | "name" | "module_name" | "caller_module_name");
        self.frame == 0 && self.subject.is_some() && (is_of_all() || self.metaparameters.contains(name))
    }

    // ---- access ----

    #[inline(never)]
    fn access(&mut self, access: &Access) -> Flow<VariableValue> {
        if let Some(way) = &access.access_path
            && !self.is_recorded
            && let Some(seen) = self.end_of(way)
        {
            return Ok(seen);
        }
        let Access { left, keys, .. } = access;
        let keys = &**keys;
        if let [key] = keys
            && let (Some(target), Some(key)) = (self.at_hand(left), self.at_hand(key))
            && let Some(found) = element(target, key)
        {
            return Ok(VariableValue::Value(found.clone()));
        }
        let seen = self.look(left)?;
        let target = match seen {
            VariableValue::Value(value) => value,
            VariableValue::View(view) => {
                let [key] = keys else {
                    let whole = self.settle(VariableValue::View(view))?;
                    return self.access_value(whole, left, keys);
                };
                if matches!(key.kind, ExprKind::Unfold(_)) {
                    let whole = self.settle(VariableValue::View(view))?;
                    return self.access_value(whole, left, keys);
                }
                let value = self.value(key)?;
                let is_leaf = match (view.container, &value) {
                    (Container::Hash, _) => true,
                    (Container::Array, Value::Integer(index)) => *index >= 0,
                    (Container::Array, _) => false,
                };
                if is_leaf {
                    return self.part(&view, value);
                }
                let whole = self.settle(VariableValue::View(view))?;
                return self.access_with(whole, left, keys, &[value]).map(VariableValue::Value);
            }
        };
        self.access_value(target, left, keys)
    }

    /// Returns what stands at the end of a way through containers of the outside, asked for in one go: where something
    /// stands there, each step before it is a container. `None` where nothing does: which step is missing is then seen
    /// one by one.
    fn end_of(&mut self, way: &AccessPath) -> Option<VariableValue> {
        let Variable { name, places, .. } = &way.variable;
        let is_near = places.iter().any(|&(depth, slot)| self.slot_at(depth, slot).is_some())
            || self.lent_variable(name).is_some()
            || self.find_held(name).is_some();
        // What is wrong with asking for it is told by the step that does.
        if is_near || self.before_asking(name).is_err() {
            return None;
        }
        let (variable, path) = (self.standing_name(name), way.path.clone());
        let question = Question::Part { variable, path };
        let answer = self.host.ask(&question);
        match (answer, question) {
            (Answer::Value(value), _) => Some(VariableValue::Value(value)),
            (Answer::View(container), Question::Part { variable, path }) => {
                Some(VariableValue::View(Rc::new(View { container, variable, path })))
            }
            _ => None,
        }
    }

    #[inline(never)]
    fn access_value(&mut self, target: Value, left: &Expr, keys: &[Expr]) -> Flow<VariableValue> {
        // The common case without a list of keys.
        if let [key] = keys
            && !matches!(key.kind, ExprKind::Unfold(_))
        {
            let key = self.value(key)?;
            return match element(&target, &key) {
                Some(found) => Ok(VariableValue::Value(found.clone())),
                None => self.access_with(target, left, keys, &[key]).map(VariableValue::Value),
            };
        }
        let mut values = Vec::with_capacity(keys.len());
        for key in keys {
            values.push(self.value(key)?);
        }
        self.access_with(target, left, keys, &values).map(VariableValue::Value)
    }

    /// Returns what `*value` is spread into.
    pub(super) fn splat(&self, value: Value) -> Result<Vec<Value>, Fault> {
        Ok(match value {
            Value::Undef => Vec::new(),
            Value::Array(items) => items.to_vec(),
            Value::Hash(entries) => {
                entries.iter().map(|(key, value)| Value::array([key.clone(), value.clone()])).collect()
            }
            Value::Iterator(sequence) => {
                self.check_elements(usize::try_from(sequence.len()).unwrap_or(usize::MAX))?;
                self.cursors.each(&sequence).collect()
            }
            other => vec![other],
        })
    }

    /// An error about one of the keys stands where that key does. Those that came out of one list have no places of
    /// their own: that of the list is for reports alone.
    #[cold]
    fn blame_key(&self, stop: Stop, keys: &[Expr]) -> Stop {
        match *stop.0 {
            Reason::Fault(fault) => match (fault.key.map(|key| keys.get(key)), keys.last()) {
                (Some(Some(key)), _) => Reason::FaultAt(fault, key.at).into(),
                (Some(None), Some(last)) => {
                    let message = format!("Evaluation Error: {}", fault.message).into();
                    let failure = Failure::new(fault, Shape::Whole, Some(self.place(last.at)));
                    Failure { message, ..failure }.into()
                }
                _ => fault.into(),
            },
            other => other.into(),
        }
    }

    fn access_with(&mut self, target: Value, left: &Expr, keys: &[Expr], values: &[Value]) -> Flow {
        match target {
            Value::Type(of) => match self.access_type(&of, values) {
                Err(stop) => Err(self.blame_key(stop, keys)),
                done => done,
            },
            Value::Resource(resource) if resource.title.is_empty() => {
                let class = "Puppet::Pops::Types::PResourceType";
                Err(Fault::new(format!("undefined method `title=' for #<{class}>:{class}")).into())
            }
            Value::Resource(resource) => self.resource_parameters(&resource.reference(), values),
            Value::Undef => {
                let result = self.index(&Value::Undef, values, left, keys);
                result.map_err(|stop| self.with_missing_key(stop, left))
            }
            target => self.index(&target, values, left, keys),
        }
    }

    fn access_type(&mut self, of: &Type, keys: &[Value]) -> Flow {
        // `File['a']['mode']` is the value of a parameter.
        let titled = match of {
            Type::Resource(Some(resource)) => resource.title.is_some(),
            Type::Class(Some(_)) => true,
            _ => false,
        };
        if titled {
            return self.resource_parameters(of, keys);
        }
        let made = if unencoded::are_any() {
            let keys = unencoded::all_in_utf8(keys, || format!("{of}[]"))?;
            types::access(of, &keys, self)?
        } else {
            types::access(of, keys, self)?
        };
        self.checked(made)
    }

    fn resource_parameters(&mut self, of: &Type, keys: &[Value]) -> Flow {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            // No parameter is called by a number, or by anything that is no text.
            let name: Str = ops::to_s(key).into();
            let question = Question::ResourceParameter { reference: of.clone(), name };
            match self.host.ask(&question) {
                Answer::Value(value) => found.push(value),
                Answer::Fault(fault) => return Err(fault.into()),
                _ => found.push(Value::Undef),
            }
        }
        Ok(if found.len() == 1 { found.swap_remove(0) } else { Value::Array(found.into()) })
    }

    // ---- logic that does not evaluate both sides ----

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, expr: &Expr) -> Flow {
        match op {
            BinaryOp::And => {
                let result = self.value(left)?.is_truthy() && self.value(right)?.is_truthy();
                Ok(Value::Boolean(result))
            }
            BinaryOp::Or => {
                let result = self.value(left)?.is_truthy() || self.value(right)?.is_truthy();
                Ok(Value::Boolean(result))
            }
            _ => {
                if let (Some(left), Some(right)) = (self.at_hand(left), self.at_hand(right))
                    && let Some(result) = ops::plain_numbers(op, left, right)
                {
                    return Ok(result);
                }
                let left_value = self.value(left)?;
                let left_value = match (op, left_value, &right.kind) {
                    (BinaryOp::Add, Value::Hash(hash), ExprKind::Hash(entries)) => {
                        return self.add_entries(hash, entries);
                    }
                    (_, other, _) => other,
                };
                let right_value = self.value(right)?;
                if let Some(result) = ops::plain_numbers(op, &left_value, &right_value) {
                    return Ok(result);
                }
                self.spend_on_operands(&left_value, &right_value)?;
                let weight = grown_weight(op, &left_value, &right_value);
                let made = self.operate(op, left_value, right_value, (expr, left, right))?;
                set_weight(&made, weight);
                self.check_weight_of(&made)?;
                Ok(made)
            }
        }
    }
}

/// A list of names as Ruby shows it, where a hash was asked for it.
fn names(target: &Target) -> String {
    match target {
        Target::Name { name, .. } => format!("{:?}", name.as_str()),
        Target::List(targets) => {
            let shown: Vec<String> = targets.iter().map(|(target, _)| names(target)).collect();
            format!("[{}]", shown.join(", "))
        }
        Target::Wrong(..) => String::new(),
    }
}

pub(super) fn check_unreserved(name: &str) -> Flow<()> {
    match is_reserved_variable(name) {
        true => Err(Fault::new(format!("Attempt to assign to a reserved variable name: '{name}'")).into()),
        false => Ok(()),
    }
}

fn already_bound(name: &str) -> Stop {
    let issue = if is_reserved_variable(name) { issue::reserved_assignment } else { issue::reassignment };
    issue(name).into()
}

/// Returns what stands in a collection under a key, where that needs no more than to look: a hash, or a place of an
/// array.
#[inline]
fn element<'v>(target: &'v Value, key: &Value) -> Option<&'v Value> {
    match (target, key) {
        (Value::Hash(entries), key) => Some(entries.get(key).unwrap_or(&Value::Undef)),
        (Value::Array(items), Value::Integer(index)) => items.get(usize::try_from(*index).ok()?),
        _ => None,
    }
}
