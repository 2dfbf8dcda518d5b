//! Views of containers outside of Ruby: only the parts that code looks at are read.

use std::cell::RefCell;
use std::rc::Rc;

use pantin_model::trace::Container;

use super::{Args, Frame, Interp};
use crate::border::{self, NoPuppetValue, UndefSymbol};
use crate::class::Core;
use crate::outside::{HeldValue, OutsideVariable, Place, View};
use crate::stop::Flow;
use crate::value::Value;

impl Interp<'_> {
    /// What the outside has shown, as a value.
    pub(crate) fn value_from_outside(&mut self, seen: OutsideVariable) -> Flow {
        Ok(match seen {
            OutsideVariable::Value(value) => border::inward(&value),
            OutsideVariable::Held(HeldValue(value)) => {
                self.check_held(&value, 0)?;
                value
            }
            OutsideVariable::View(Place { container, variable, path }) => {
                Value::View(Rc::new(View { container, variable, path, whole: RefCell::new(None) }))
            }
        })
    }

    /// Objects of classes that code has defined, and blocks, belong to the run that made them.
    fn check_held(&mut self, value: &Value, depth: u32) -> Flow<()> {
        const DEPTH: u32 = 100;
        let parts = match value {
            Value::Array(list) if depth < DEPTH => list.items.borrow().clone(),
            Value::Hash(table) if depth < DEPTH && table.maker.borrow().is_nil() => {
                let mut parts = vec![table.default.borrow().clone()];
                parts.extend(table.pairs().into_iter().flat_map(|(key, value)| [key, value]));
                parts
            }
            Value::Range(range) => vec![range.from.clone(), range.to.clone()],
            Value::Class(class) if class.core().is_some() => return Ok(()),
            Value::Array(_) | Value::Hash(_) | Value::Proc(_) | Value::Class(_) | Value::Object(_) | Value::View(_) => {
                let of = self.class_name_of(value);
                return self.unsupported(format!("a variable of the scope that holds this value of class {of}"));
            }
            _ => return Ok(()),
        };
        parts.iter().try_for_each(|part| self.check_held(part, depth + 1))
    }

    /// The value itself: a view becomes all it stands for.
    pub(crate) fn settle(&mut self, value: Value) -> Flow {
        let Value::View(view) = &value else { return Ok(value) };
        if let Some(whole) = &*view.whole.borrow() {
            return Ok(whole.clone());
        }
        let original = self.outside.whole_variable(&view.variable, &view.path);
        let original = self.outside(original)?;
        let whole = border::inward(&original);
        self.lend(&view.variable, &view.path, original, &whole);
        *view.whole.borrow_mut() = Some(whole.clone());
        Ok(whole)
    }

    pub(crate) fn settle_all(&mut self, values: &mut [Value]) -> Flow<()> {
        for value in values {
            if let Value::View(_) = value {
                *value = self.settle(std::mem::take(value))?;
            }
        }
        Ok(())
    }

    /// A method of a view: a few look at one part alone.
    pub(super) fn call_view(
        &mut self,
        view: &Rc<View>,
        name: &str,
        mut args: Args,
        block: Option<&Value>,
        frame: Option<&Frame>,
    ) -> Flow {
        let unread = view.whole.borrow().is_none();
        if unread {
            self.settle_all(&mut args.values)?;
            match (name, args.values.as_slice()) {
                ("[]", [key]) if self.is_leaf(view, key) => {
                    let found = self.part(view, key)?;
                    return Ok(found.unwrap_or_default());
                }
                ("dig", [key, rest @ ..]) if self.is_leaf(view, key) => {
                    let found = self.part(view, key)?.unwrap_or_default();
                    return match rest {
                        [] => Ok(found),
                        _ if found.is_nil() => Ok(Value::Nil),
                        rest => self.send(&found, "dig", rest),
                    };
                }
                ("fetch", [key, ..]) if self.is_leaf(view, key) => {
                    if let Some(found) = self.part(view, key)? {
                        return Ok(found);
                    }
                }
                ("key?" | "has_key?" | "include?" | "member?", [key])
                    if view.container == Container::Hash && self.is_leaf(view, key) =>
                {
                    return Ok(Value::Bool(self.part(view, key)?.is_some()));
                }
                ("nil?" | "!", []) => return Ok(Value::Bool(false)),
                ("is_a?" | "kind_of?" | "instance_of?", [Value::Class(class)]) => {
                    let of = self.real_class_of(&Value::View(view.clone()));
                    return Ok(Value::Bool(self.class_is_a(of, *class)));
                }
                ("class", []) => return Ok(Value::Class(self.real_class_of(&Value::View(view.clone())))),
                ("to_h" | "to_hash", []) if view.container == Container::Hash => {}
                _ => {}
            }
        }
        let whole = self.settle(Value::View(view.clone()))?;
        self.call(&whole, name, args, block, frame, false, false)
    }

    fn is_leaf(&self, view: &View, key: &Value) -> bool {
        match view.container {
            Container::Hash => matches!(key, Value::String(_) | Value::Int(_)),
            Container::Array => matches!(key, Value::Int(index) if *index >= 0),
        }
    }

    fn part(&mut self, view: &View, key: &Value) -> Flow<Option<Value>> {
        let Ok(key) = border::outward(key, UndefSymbol::Undef) else {
            return self.raise(Core::TypeError, "this cannot be a key of Puppet's data");
        };
        let mut path = view.path.clone();
        path.push(key);
        let found = self.outside.part(&view.variable, &path);
        let Some(seen) = self.outside(found)? else { return Ok(None) };
        let text = match &seen {
            OutsideVariable::Value(text @ pantin_values::Value::String(_)) => Some(text.clone()),
            _ => None,
        };
        let value = self.value_from_outside(seen)?;
        if let Some(text) = text {
            self.lend(&view.variable, &path, text, &value);
        }
        Ok(Some(value))
    }

    pub(super) fn call_outside_block(&mut self, args: Vec<Value>) -> Flow {
        let mut given = Vec::with_capacity(args.len());
        for arg in args {
            given.push(self.leaving(&arg)?);
        }
        let value = self.outside.call_block(given);
        let value = self.outside(value)?;
        Ok(border::inward(&value))
    }

    /// Returns what a function gave, on its way out. That it is nothing for the outside is an error of where the
    /// function stood last.
    pub(crate) fn value_to_outside(&mut self, value: &Value) -> Flow<pantin_values::Value> {
        let here = (self.script.clone(), self.at);
        (self.script, self.at) = self.ended.clone();
        let value = self.leaving(value);
        (self.script, self.at) = here;
        value
    }

    /// Returns a value on its way out.
    pub(crate) fn leaving(&mut self, value: &Value) -> Flow<pantin_values::Value> {
        self.leaving_with(value, UndefSymbol::Undef)
    }

    /// The same, where `:undef` may stay the symbol.
    pub(crate) fn leaving_with(&mut self, value: &Value, symbol: UndefSymbol) -> Flow<pantin_values::Value> {
        let value = self.settle(value.clone())?;
        match border::outward(&value, symbol) {
            Ok(value) => Ok(value),
            Err(NoPuppetValue::Endless) => {
                let most = pantin_base::limits::NESTING;
                self.fatal(format!(
                    "a value that holds itself, or nests more than {most} levels deep, is nothing that Puppet code has"
                ))
            }
            Err(NoPuppetValue::TooLarge) => {
                let most = pantin_base::limits::RUBY_ELEMENTS;
                self.fatal(format!("a value that Puppet code gets may be made of {most} values at most"))
            }
            Err(NoPuppetValue::Of(culprit)) => {
                let of = self.class_name_of(&culprit);
                self.unsupported(format!("a value of class {of} that is handed to Puppet code"))
            }
        }
    }
}
