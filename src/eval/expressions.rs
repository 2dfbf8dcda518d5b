//! The evaluation of each kind of expression.

use pantin_base::limits::BYTES_OF_STEP;
use pantin_base::stack::{StackRoom, with_room};
use pantin_model::trace::{Answer, NameKind, Question, Standing};
use pantin_syntax::ast::BinaryOp;
use pantin_values::{Fault, Resolve, Str, Value, ops, text, unencoded};

use super::access::element;
use super::code::{Case, EarlyParameter, Expr, ExprKind, If};
use super::issue;
use super::limits::{grown_weight, set_weight};
use super::machine::Machine;
use super::pending_parameters::too_early;
use super::stop::{Flow, Reason};
use super::variable_value::VariableValue;

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
