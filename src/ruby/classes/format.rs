//! `format` and `%`: each directive asks its argument for what it wants.

use pantin_values::Fault;
use pantin_values::sprintf::{float_of as parsed_float, format_with};

use super::encode::is_broken;
use super::kernel::raise_no_number;
use crate::class::Core;
use crate::interp::{CallArguments, Interp, float_of};
use crate::stop::{Flow, Stop};
use crate::value::Value;

pub(super) fn percent(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut args = vec![given.receiver.clone()];
    match interp.as_array(given.arg(0))? {
        Some(items) => args.extend(items),
        None => args.push(given.arg(0).clone()),
    }
    interp.format(&args)
}

/// Returns what a format may name: all that stands in brackets.
fn names_in(format: &str) -> Vec<&str> {
    let within = |open: char, close: char| {
        format.split(open).skip(1).filter_map(move |piece| piece.split_once(close)).map(|(name, _)| name)
    };
    within('<', '>').chain(within('{', '}')).collect()
}

impl Interp<'_> {
    /// `format(…)`
    pub(crate) fn format(&mut self, args: &[Value]) -> Flow {
        let Some((format, args)) = args.split_first() else {
            return self.raise(Core::ArgumentError, "too few arguments");
        };
        let format = self.text_arg(format)?;
        // The places of the values: those of the arguments, then those of the names.
        let mut all = args.to_vec();
        let places: Vec<pantin_values::Value> =
            (0..args.len()).map(|at| pantin_values::Value::Integer(at as i64)).collect();
        let mut names = None;
        if let [Value::Hash(table)] = args {
            let mut entries = Vec::new();
            for (key, value) in table.pairs() {
                if let Value::Symbol(name) = key {
                    entries.push((pantin_values::Value::String(name), pantin_values::Value::Integer(all.len() as i64)));
                    all.push(value);
                }
            }
            let has_default = !table.default.borrow().is_nil() || !table.maker.borrow().is_nil();
            for name in if has_default { names_in(&format) } else { Vec::new() } {
                let key = Value::symbol(name);
                let made = if table.contains(&key) { Value::Nil } else { self.hash_get(&args[0], &key)? };
                if !made.is_nil() {
                    entries.push((pantin_values::Value::string(name), pantin_values::Value::Integer(all.len() as i64)));
                    all.push(made);
                }
            }
            names = Some(entries.into_iter().collect::<pantin_values::Hash>());
        }
        let mut stopped: Option<Box<Stop>> = None;
        let made = format_with(&format, &places, names.as_ref(), &mut |place, letter| {
            let value = match place {
                pantin_values::Value::Integer(at) => all.get(*at as usize).cloned().unwrap_or_default(),
                _ => Value::Nil,
            };
            self.format_arg(&value, letter).map_err(|stop| {
                stopped = Some(stop);
                Fault::new("")
            })
        });
        if let Some(stopped) = stopped {
            return Err(stopped);
        }
        match made {
            Ok(text) => Ok(Value::text(text)),
            Err(fault) => {
                let message = fault.message.to_string();
                let class = match message.as_str() {
                    text if text.starts_with("can't convert") => Core::TypeError,
                    text if text.starts_with("key<") || text.starts_with("key{") => Core::KeyError,
                    _ => Core::ArgumentError,
                };
                self.raise(class, message)
            }
        }
    }

    /// Returns what a directive with this letter wants.
    fn format_arg(&mut self, value: &Value, letter: u8) -> Flow<pantin_values::Value> {
        match letter {
            b's' => Ok(pantin_values::Value::string(self.text_of(value)?)),
            b'p' => Ok(pantin_values::Value::string(self.inspect(value)?)),
            b'*' => Ok(pantin_values::Value::Integer(self.int_arg(value)?)),
            b'c' => match self.as_text(value)? {
                Some(text) => Ok(pantin_values::Value::string(text)),
                None => match self.int_arg(value)? {
                    ..0 => self.unsupported("the character of a negative number"),
                    code => Ok(pantin_values::Value::Integer(code)),
                },
            },
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => match value {
                Value::String(text) if is_broken(text) => raise_no_number(self, value, "Integer"),
                Value::String(text) => Ok(pantin_values::Value::string(self.str_of(text)?)),
                other => match super::kernel::whole(self, other)? {
                    Value::Int(number) => Ok(pantin_values::Value::Integer(number)),
                    big => Ok(pantin_values::Value::string(self.text_of(&big)?)),
                },
            },
            _ => match value {
                Value::Int(number) => Ok(pantin_values::Value::Integer(*number)),
                Value::Big(number) if letter == b'f' => Ok(pantin_values::Value::string(number.to_string())),
                Value::String(text) if is_broken(text) => raise_no_number(self, value, "Float"),
                Value::String(text) => {
                    let text = self.str_of(text)?;
                    match parsed_float(&pantin_values::Value::string(text)) {
                        Ok(number) => Ok(pantin_values::Value::Float(number)),
                        Err(fault) => self.raise(Core::ArgumentError, fault.message.to_string()),
                    }
                }
                other => match float_of(other) {
                    Some(number) => Ok(pantin_values::Value::Float(number)),
                    None => {
                        let of = self.conversion_name(other);
                        self.raise(Core::TypeError, format!("can't convert {of} into Float"))
                    }
                },
            },
        }
    }
}
