//! `format` and `%`: each directive asks its argument for what it wants.

use super::encode::is_broken;
use super::kernel::raise_no_number;
use crate::pcore::sprintf::{float_of as parsed_float, format_with};
use crate::pcore::{self, Fault};
use crate::ruby::class::Core;
use crate::ruby::interp::{Given, Interp, float_of};
use crate::ruby::stop::{Flow, Stop};
use crate::ruby::value::Value;

pub(super) fn percent(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let mut args = vec![given.receiver.clone()];
    match interp.as_array(given.arg(0))? {
        Some(items) => args.extend(items),
        None => args.push(given.arg(0).clone()),
    }
    interp.format(&args)
}

/// What a format may name: all that stands in brackets.
fn names_in(format: &str) -> Vec<&str> {
    let within = |open: char, close: char| {
        format.split(open).skip(1).filter_map(move |piece| piece.split_once(close)).map(|(name, _)| name)
    };
    within('<', '>').chain(within('{', '}')).collect()
}

impl Interp<'_> {
    /// `format(…)`
    pub(in crate::ruby) fn format(&mut self, args: &[Value]) -> Flow {
        let Some((format, args)) = args.split_first() else {
            return self.raise(Core::ArgumentError, "too few arguments");
        };
        let format = self.text_arg(format)?;
        // The places of the values: those of the arguments, then those of the names.
        let mut all = args.to_vec();
        let places: Vec<pcore::Value> = (0..args.len()).map(|at| pcore::Value::Integer(at as i64)).collect();
        let mut names = None;
        if let [Value::Hash(table)] = args {
            let mut entries = Vec::new();
            for (key, value) in table.pairs() {
                if let Value::Symbol(name) = key {
                    entries.push((pcore::Value::String(name), pcore::Value::Integer(all.len() as i64)));
                    all.push(value);
                }
            }
            let has_default = !table.default.borrow().is_nil() || !table.maker.borrow().is_nil();
            for name in if has_default { names_in(&format) } else { Vec::new() } {
                let key = Value::symbol(name);
                let made = if table.contains(&key) { Value::Nil } else { self.hash_get(&args[0], &key)? };
                if !made.is_nil() {
                    entries.push((pcore::Value::string(name), pcore::Value::Integer(all.len() as i64)));
                    all.push(made);
                }
            }
            names = Some(entries.into_iter().collect::<pcore::Hash>());
        }
        let mut stopped: Option<Box<Stop>> = None;
        let made = format_with(&format, &places, names.as_ref(), &mut |place, letter| {
            let value = match place {
                pcore::Value::Integer(at) => all.get(*at as usize).cloned().unwrap_or_default(),
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

    /// What a directive with this letter wants.
    fn format_arg(&mut self, value: &Value, letter: u8) -> Flow<pcore::Value> {
        match letter {
            b's' => Ok(pcore::Value::string(self.text_of(value)?)),
            b'p' => Ok(pcore::Value::string(self.inspect(value)?)),
            b'*' => Ok(pcore::Value::Integer(self.int_arg(value)?)),
            b'c' => match self.as_text(value)? {
                Some(text) => Ok(pcore::Value::string(text)),
                None => match self.int_arg(value)? {
                    ..0 => self.unsupported("the character of a negative number"),
                    code => Ok(pcore::Value::Integer(code)),
                },
            },
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => match value {
                Value::String(text) if is_broken(text) => raise_no_number(self, value, "Integer"),
                Value::String(text) => Ok(pcore::Value::string(self.str_of(text)?)),
                other => match super::kernel::whole(self, other)? {
                    Value::Int(number) => Ok(pcore::Value::Integer(number)),
                    big => Ok(pcore::Value::string(self.text_of(&big)?)),
                },
            },
            _ => match value {
                Value::Int(number) => Ok(pcore::Value::Integer(*number)),
                Value::Big(number) if letter == b'f' => Ok(pcore::Value::string(number.to_string())),
                Value::String(text) if is_broken(text) => raise_no_number(self, value, "Float"),
                Value::String(text) => {
                    let text = self.str_of(text)?;
                    match parsed_float(&pcore::Value::string(text)) {
                        Ok(number) => Ok(pcore::Value::Float(number)),
                        Err(fault) => self.raise(Core::ArgumentError, fault.message.to_string()),
                    }
                }
                other => match float_of(other) {
                    Some(number) => Ok(pcore::Value::Float(number)),
                    None => {
                        let of = self.conversion_name(other);
                        self.raise(Core::TypeError, format!("can't convert {of} into Float"))
                    }
                },
            },
        }
    }
}
