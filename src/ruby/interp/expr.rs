//! Expressions.

use std::rc::Rc;
use std::sync::Arc;

use pantin_values::{Regexp, Str};

use super::{Frame, Interp, LOAD_PATH, MethodKind};
use crate::class::Core;
use crate::classes;
use crate::classes::{Binding, standard_error};
use crate::code::{Call, Expr, ExprKind};
use crate::stop::{Flow, Stop};
use crate::table::Table;
use crate::text::{Encoding, Text};
use crate::value::{Data, Proc, ProcKind, Range, Value};

impl Interp<'_> {
    pub(crate) fn expr(&mut self, expr: &Expr, frame: &Frame) -> Flow {
        match &expr.kind {
            ExprKind::Nil => Ok(Value::Nil),
            ExprKind::True => Ok(Value::Bool(true)),
            ExprKind::False => Ok(Value::Bool(false)),
            ExprKind::SelfValue => Ok(frame.context.self_value.clone()),
            ExprKind::Integer(value) => Ok(Value::Int(*value)),
            ExprKind::Float(value) => Ok(Value::Float(*value)),
            ExprKind::String(text) => Ok(Value::text(text.as_str())),
            ExprKind::FrozenString(text) => Ok(Value::frozen_text(text.as_str())),
            ExprKind::Symbol(name) => Ok(Value::Symbol(name.clone())),
            ExprKind::Local(depth, slot) => Ok(frame.env.get(*depth, *slot)),
            ExprKind::Instance(name) => self.instance_variable(&frame.context.self_value, name),
            ExprKind::Call(call) => self.call_expr(call, expr.at, frame),
            ExprKind::Assign(target, value) => self.assign(target, value, frame),
            ExprKind::Sequence(all) => {
                let mut last = Value::Nil;
                for one in all {
                    last = self.expr(one, frame)?;
                }
                Ok(last)
            }
            ExprKind::If(parts) => {
                let (test, then, otherwise) = &**parts;
                let chosen = if self.expr(test, frame)?.is_truthy() { then } else { otherwise };
                self.expr(chosen, frame)
            }
            ExprKind::And(left, right) => {
                let value = self.expr(left, frame)?;
                if value.is_truthy() { self.expr(right, frame) } else { Ok(value) }
            }
            ExprKind::Or(left, right) => {
                let value = self.expr(left, frame)?;
                if value.is_truthy() { Ok(value) } else { self.expr(right, frame) }
            }
            ExprKind::Not(operand) => {
                let value = self.expr(operand, frame)?;
                self.negated(&value, expr.at)
            }
            _ => pantin_base::stack::with_room(|| self.other_expr(expr, frame)),
        }
    }

    fn other_expr(&mut self, expr: &Expr, frame: &Frame) -> Flow {
        match &expr.kind {
            ExprKind::Array(items) => {
                let items = self.values(items, frame)?;
                Ok(Value::array(items))
            }
            ExprKind::Hash(pairs) | ExprKind::Keywords(pairs) => self.hash_literal(pairs, frame),
            ExprKind::Joined(parts) => self.joined(parts, expr.at, frame),
            ExprKind::JoinedSymbol(parts) => self.joined_symbol(parts, expr.at, frame),
            ExprKind::Regex(regex) => Ok(Value::Regex(regex.clone())),
            ExprKind::JoinedRegex(parts, options) => {
                let source = self.joined_pattern(parts, frame)?;
                self.at = expr.at;
                self.regex(&source, *options)
            }
            ExprKind::Big(value) => Ok(Value::Big(Rc::new((**value).clone()))),
            ExprKind::Bytes(bytes) => Ok(Value::String(Rc::new(Text::with_encoding(Encoding::Utf8, bytes.to_vec())))),
            ExprKind::Range(from, to, exclusive) => {
                let from = from.as_ref().map_or(Ok(Value::Nil), |from| self.settled_expr(from, frame))?;
                let to = to.as_ref().map_or(Ok(Value::Nil), |to| self.settled_expr(to, frame))?;
                self.at = expr.at;
                self.range(from, to, *exclusive)
            }
            ExprKind::Splat(inside) => {
                let value = self.expr(inside, frame)?;
                Ok(Value::array(self.splat(value)?))
            }
            ExprKind::Global(name) => self.global(name, expr.at, frame),
            ExprKind::ClassVariable(name) => self.class_variable(name, frame, expr.at),
            ExprKind::Constant(name) => {
                self.at = expr.at;
                self.constant(name, frame)
            }
            ExprKind::ConstantOf(scope, name) => {
                let scope = self.expr(scope, frame)?;
                self.at = expr.at;
                self.open_constant_of(&scope, name)
            }
            ExprKind::TopConstant(name) => {
                self.at = expr.at;
                self.constant_of(&Value::Class(Core::Object.class()), name)
            }
            ExprKind::Matched(number) => Ok(self.matched_group(*number, frame)),
            ExprKind::OpAssign(parts) => self.op_assign(parts, expr.at, frame),
            ExprKind::AssignMany(targets, value) => self.assign_many(targets, value, frame),
            ExprKind::Super(args, block) => self.call_super(args.as_deref(), block, expr.at, frame),
            ExprKind::Yield(args) => self.call_yield(args, expr.at, frame),
            ExprKind::Defined(operand) => self.defined(operand, frame),
            ExprKind::Lambda(code) => {
                let kind = ProcKind::Code { code: code.clone(), frame: frame.clone() };
                Ok(Value::Proc(Rc::new(Proc { tag: self.tag(), kind, is_lambda: true })))
            }
            ExprKind::MatchWrite(call, locals) => {
                let value = self.expr(call, frame)?;
                self.bind_named_groups(locals, frame);
                Ok(value)
            }
            ExprKind::File => self.script.clone().path.reveal(self, str::to_owned),
            ExprKind::Binding(names) => {
                let binding = Binding::from_frame(frame, names);
                Ok(Value::object(Core::Binding.class(), Data::Binding(Rc::new(binding))))
            }
            ExprKind::Refused(what) => {
                self.at = expr.at;
                self.unsupported(what)
            }
            _ => self.control(expr, frame),
        }
    }

    /// A value that is wanted whole.
    pub(super) fn settled_expr(&mut self, expr: &Expr, frame: &Frame) -> Flow {
        let value = self.expr(expr, frame)?;
        self.settle(value)
    }

    fn negated(&mut self, value: &Value, at: u32) -> Flow {
        // Only objects of classes of the program may have another meaning of it.
        if let Value::Object(_) = value
            && self.method_of(value, "!").is_some_and(|method| method.is_own())
        {
            self.at = at;
            return self.send(value, "!", &[]);
        }
        Ok(Value::Bool(!value.is_truthy()))
    }

    /// Elements or arguments, with splats spread out.
    pub(super) fn values(&mut self, exprs: &[Expr], frame: &Frame) -> Flow<Vec<Value>> {
        let mut values = Vec::with_capacity(exprs.len());
        for expr in exprs {
            match &expr.kind {
                ExprKind::Splat(inside) => {
                    let value = self.expr(inside, frame)?;
                    values.extend(self.splat(value)?);
                }
                _ => values.push(self.settled_expr(expr, frame)?),
            }
        }
        Ok(values)
    }

    /// Returns what `*value` stands for.
    pub(crate) fn splat(&mut self, value: Value) -> Flow<Vec<Value>> {
        let value = self.settle(value)?;
        Ok(match &value {
            Value::Nil => Vec::new(),
            Value::Array(list) => list.items.borrow().clone(),
            Value::Hash(table) => table.pairs().into_iter().map(|(key, value)| Value::pair(key, value)).collect(),
            Value::Range(_) => self.items(&value)?,
            Value::Object(_) if self.responds(&value, "to_a")? => {
                let list = self.send(&value, "to_a", &[])?;
                self.items(&list)?
            }
            _ => vec![value],
        })
    }

    pub(super) fn hash_literal(&mut self, pairs: &[(Option<Expr>, Expr)], frame: &Frame) -> Flow {
        let table = Table::default();
        let mut is_written_out = true;
        for (key, value) in pairs {
            is_written_out &= key.is_some();
            match key {
                Some(key) => {
                    // Of a key that is written twice only the second is there.
                    let is_literal = is_written_out
                        && matches!(
                            key.kind,
                            ExprKind::Symbol(_)
                                | ExprKind::String(_)
                                | ExprKind::FrozenString(_)
                                | ExprKind::Integer(_)
                        );
                    let key = self.settled_expr(key, frame)?;
                    let value = self.settled_expr(value, frame)?;
                    if is_literal {
                        table.remove(&key);
                    }
                    self.put_into(&table, key, value)?;
                }
                None => {
                    let more = match self.settled_expr(value, frame)? {
                        Value::Hash(more) => more.pairs(),
                        other => self.hash_arg(&other)?,
                    };
                    for (key, value) in more {
                        self.put_into(&table, key, value)?;
                    }
                }
            }
        }
        Ok(Value::hash(table))
    }

    // ---- texts ----

    fn joined_symbol(&mut self, parts: &[Expr], at: u32, frame: &Frame) -> Flow {
        let text = self.joined(parts, at, frame)?;
        Ok(Value::Symbol(self.text_of(&text)?.into()))
    }

    /// The first part says in which encoding it is, unless letters beyond ASCII do. Where nothing is written between the
    /// parts, that is a text without letters, which is in UTF-8.
    fn joined(&mut self, parts: &[Expr], at: u32, frame: &Frame) -> Flow {
        let mut text = String::new();
        let mut is_of_bytes = false;
        for (index, part) in parts.iter().enumerate() {
            if let ExprKind::String(piece) | ExprKind::FrozenString(piece) = &part.kind {
                text.push_str(piece);
                continue;
            }
            let value = self.settled_expr(part, frame)?;
            self.at = at;
            match &value {
                Value::String(piece) if piece.is_binary() => {
                    is_of_bytes |= index == 0 && parts.iter().any(is_written);
                    if !piece.bytes().is_ascii() {
                        let before = if is_of_bytes { Text::binary(text.into_bytes()) } else { Text::new(text) };
                        return self.joined_with_bytes(before, piece, &parts[index + 1..], at, frame);
                    }
                    self.push_to_s(&mut text, &value)?;
                }
                _ => self.push_to_s(&mut text, &value)?,
            }
        }
        self.check_bytes(text.len())?;
        let is_of_bytes = is_of_bytes && text.is_ascii();
        Ok(Value::String(Rc::new(if is_of_bytes { Text::binary(text.into_bytes()) } else { Text::new(text) })))
    }

    /// The same from the first part on that has bytes beyond ASCII.
    fn joined_with_bytes(&mut self, text: Text, first: &Text, parts: &[Expr], at: u32, frame: &Frame) -> Flow {
        classes::join_texts(self, &text, first)?;
        for part in parts {
            match self.settled_expr(part, frame)? {
                Value::String(piece) => classes::join_texts(self, &text, &piece)?,
                value => {
                    self.at = at;
                    let mut piece = String::new();
                    self.push_to_s(&mut piece, &value)?;
                    classes::join_texts(self, &text, &Text::new(piece))?;
                }
            }
        }
        self.check_bytes(text.bytes().len())?;
        Ok(Value::String(Rc::new(text)))
    }

    fn joined_pattern(&mut self, parts: &[Expr], frame: &Frame) -> Flow<String> {
        let mut text = String::new();
        for part in parts {
            match &part.kind {
                ExprKind::String(piece) | ExprKind::FrozenString(piece) => text.push_str(piece),
                _ => match self.settled_expr(part, frame)? {
                    Value::Regex(regex) => text.push_str(&super::form::regex_to_s(&regex)),
                    other => self.push_to_s(&mut text, &other)?,
                },
            }
        }
        Ok(text)
    }

    pub(crate) fn regex(&mut self, source: &str, options: pantin_values::regex::Options) -> Flow {
        let source: Str = source.into();
        self.run.make_pattern(source.len());
        let regex: Arc<Regexp> = Regexp::from_string(&source, options);
        if let Err(error) = regex.regex() {
            let message = format!("{}: /{}/", error.message, pantin_values::regex::display_pattern(&source));
            return self.raise(Core::RegexpError, message);
        }
        Ok(Value::Regex(regex))
    }

    pub(crate) fn range(&mut self, from: Value, to: Value, exclusive: bool) -> Flow {
        let comparable = from.is_nil() || to.is_nil() || self.compare(&from, &to)?.is_some();
        if !comparable {
            return self.raise(Core::ArgumentError, "bad value for range");
        }
        Ok(Value::Range(Rc::new(Range::new(from, to, exclusive))))
    }

    // ---- variables ----

    fn global(&mut self, name: &Str, at: u32, frame: &Frame) -> Flow {
        self.at = at;
        match plain_name(name) {
            "$~" => Ok(frame.context.matched.borrow().clone()),
            "$&" => Ok(self.matched_group(0, frame)),
            "$`" => Ok(self.around_match(true, frame)),
            "$'" => Ok(self.around_match(false, frame)),
            "$!" => Ok(self.globals.get("$!").cloned().unwrap_or_default()),
            "$," | "$;" => Ok(Value::Nil),
            "$/" => Ok(Value::text("\n")),
            // The folders of modules are on it anyway; what code adds is asked behind them.
            "$LOAD_PATH" | "$:" => {
                Ok(self.globals.entry(LOAD_PATH.into()).or_insert_with(|| Value::array(Vec::new())).clone())
            }
            "$DEBUG" | "$VERBOSE" => Ok(self.globals.get(name).cloned().unwrap_or(Value::Bool(false))),
            "$stderr" => Ok(self.globals.entry("$stderr".into()).or_insert_with(standard_error).clone()),
            "$stdout" | "$stdin" | "$0" | "$PROGRAM_NAME" | "$$" | "$*" | "$@" | "$." | "$_" | "$<" | "$>" | "$\\"
            | "$\"" | "$LOADED_FEATURES" | "$FILENAME" | "$+" => {
                self.unsupported(format!("the global variable {name}"))
            }
            plain => Ok(self.globals.get(plain).cloned().unwrap_or_default()),
        }
    }

    // ---- defined? ----

    fn defined(&mut self, operand: &Expr, frame: &Frame) -> Flow {
        let what = match &operand.kind {
            ExprKind::Local(..) => "local-variable",
            ExprKind::Instance(name) => {
                let value = self.instance_variable_if(&frame.context.self_value, name)?;
                return Ok(value.map_or(Value::Nil, |_| Value::text("instance-variable")));
            }
            ExprKind::Global(name) if self.globals.contains_key(name) => "global-variable",
            ExprKind::Global(_) => return Ok(Value::Nil),
            // Whether it is there says nothing of what is in it.
            ExprKind::Constant(name) | ExprKind::TopConstant(name) if classes::is_core_constant(name) => "constant",
            ExprKind::Constant(_) | ExprKind::ConstantOf(..) | ExprKind::TopConstant(_) => {
                match self.expr(operand, frame) {
                    Ok(_) => "constant",
                    Err(stop) => return undefined_is_nil(*stop),
                }
            }
            ExprKind::Call(call) => {
                let receiver = match &call.receiver {
                    Some(receiver) => match self.expr(receiver, frame) {
                        Ok(receiver) => receiver,
                        Err(stop) => return undefined_is_nil(*stop),
                    },
                    None => frame.context.self_value.clone(),
                };
                if !self.can_call(call, &receiver, frame)? {
                    return Ok(Value::Nil);
                }
                "method"
            }
            ExprKind::Super(..) if self.has_super(frame) => "super",
            ExprKind::Super(..) => return Ok(Value::Nil),
            ExprKind::Yield(_) if frame.context.block.is_some() => "yield",
            ExprKind::Yield(_) => return Ok(Value::Nil),
            ExprKind::SelfValue => "self",
            ExprKind::Nil => "expression",
            ExprKind::Assign(..) | ExprKind::OpAssign(_) | ExprKind::AssignMany(..) => "assignment",
            _ => "expression",
        };
        Ok(Value::text(what))
    }
}

impl Interp<'_> {
    /// Returns true if code that stands there finds the method.
    fn can_call(&mut self, call: &Call, receiver: &Value, frame: &Frame) -> Flow<bool> {
        let own = call.receiver.as_ref().is_none_or(|receiver| matches!(receiver.kind, ExprKind::SelfValue));
        match self.method_of(receiver, &call.name) {
            Some(method) if matches!(method.kind, MethodKind::Undefined) => Ok(false),
            Some(method) => Ok(own || self.is_open(receiver, &method, Some(frame))),
            None => self.responds(receiver, &call.name),
        }
    }

    /// Returns true if there is a method above the one that runs.
    fn has_super(&self, frame: &Frame) -> bool {
        let Some((name, owner)) = &frame.context.method else { return false };
        let is_everywhere =
            matches!(name.as_str(), "initialize" | "inherited" | "included" | "method_missing" | "respond_to_missing?");
        is_everywhere || self.method_above(&frame.context.self_value, *owner, name).is_some()
    }
}

fn undefined_is_nil(stop: Stop) -> Flow {
    match stop {
        Stop::Raise(_) => Ok(Value::Nil),
        other => Err(Box::new(other)),
    }
}

/// The name of a global variable, for which the library English, which Puppet itself asks for, has a word.
fn plain_name(name: &str) -> &str {
    match name {
        "$ERROR_INFO" => "$!",
        "$ERROR_POSITION" => "$@",
        "$FS" | "$FIELD_SEPARATOR" => "$;",
        "$OFS" | "$OUTPUT_FIELD_SEPARATOR" => "$,",
        "$RS" | "$INPUT_RECORD_SEPARATOR" => "$/",
        "$ORS" | "$OUTPUT_RECORD_SEPARATOR" => "$\\",
        "$NR" | "$INPUT_LINE_NUMBER" => "$.",
        "$LAST_READ_LINE" => "$_",
        "$DEFAULT_OUTPUT" => "$>",
        "$DEFAULT_INPUT" => "$<",
        "$PID" | "$PROCESS_ID" => "$$",
        "$CHILD_STATUS" => "$?",
        "$LAST_MATCH_INFO" => "$~",
        "$ARGV" => "$*",
        "$MATCH" => "$&",
        "$PREMATCH" => "$`",
        "$POSTMATCH" => "$'",
        "$LAST_PAREN_MATCH" => "$+",
        other => other,
    }
}

/// Returns true if a part of a text stands in the source.
fn is_written(part: &Expr) -> bool {
    matches!(part.kind, ExprKind::String(_) | ExprKind::FrozenString(_))
}
