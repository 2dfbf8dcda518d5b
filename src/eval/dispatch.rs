//! The signatures of functions in Ruby: parsed from texts, and matched against the arguments of a call.

use std::sync::Arc;

use pantin_base::Language;
use pantin_ruby::{Declaration, Dispatch, RubySignature};
use pantin_values::signature::{Param, Signature};
use pantin_values::{Fault, Resolve, Str, Timestamp, Type, Value, mismatch, signature, types};

use super::invocation::Invocation;
use super::machine::Machine;
use super::stop::Flow;

impl Invocation<'_, '_> {
    pub(super) fn read_signatures(&mut self, function: &Declaration) -> Result<Arc<[RubySignature]>, Fault> {
        let of_machine = || self.machine.ruby_signatures.get(&function.name);
        if let Some(known) = function.signatures.get().or_else(of_machine) {
            return Ok(known.clone());
        }
        let mut own = OwnTypes { own: Vec::new(), machine: self.machine, were_asked: false };
        for text in &function.local_types {
            own.define(text)?;
        }
        let read: Vec<RubySignature> =
            function.dispatches.iter().map(|dispatch| signature(dispatch, &mut own)).collect::<Result<_, _>>()?;
        let read: Arc<[RubySignature]> = read.into();
        if !own.were_asked {
            // Whoever calls next knows them, where the file is not run anew for that.
            let _ = function.signatures.set(read.clone());
        }
        self.machine.ruby_signatures.insert(function.name.clone(), read.clone());
        Ok(read)
    }

    /// The way to call a function that takes these arguments, and the block of this call if the function is given it.
    pub(super) fn chosen(&mut self, function: &Declaration, args: &[Value], with_block: bool) -> Flow<usize> {
        let signatures = self.read_signatures(function)?;
        let block = match &self.block {
            Some(block) if with_block => Some(self.machine.callable(block)?),
            _ => None,
        };
        for (index, signature) in signatures.iter().enumerate() {
            if signature.takes.check(args, block.as_deref())? {
                return Ok(index);
            }
        }
        let shown: Vec<Signature> =
            signatures.iter().filter(|one| !one.explains).map(|one| one.takes.clone()).collect();
        Err(mismatch::call_fault(&function.name, &shown, args, block.as_deref()).into())
    }
}

/// The types that a function has for itself, before all others.
struct OwnTypes<'o, 'h> {
    own: Vec<(Str, Type)>,
    machine: &'o mut Machine<'h>,
    /// Whether anything but what is built in was asked for.
    were_asked: bool,
}

impl OwnTypes<'_, '_> {
    /// `Name = Type`
    fn define(&mut self, text: &str) -> Result<(), Fault> {
        let Some((name, of)) = text.split_once('=') else {
            return Err(Fault::new(format!(
                "Expected a type alias assignment on the form 'AliasType = T', got '{text}'."
            )));
        };
        // It is known before it is defined, for it may name itself.
        let alias = Arc::new(types::Alias::new(name.trim()));
        self.own.push((name.trim().into(), Type::Alias(alias.clone())));
        let of = types::parse(of.trim(), self)?;
        types::Alias::define(&alias, of)
    }
}

impl Resolve for OwnTypes<'_, '_> {
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Fault> {
        self.were_asked = true;
        match self.own.iter().find(|(known, _)| known == name) {
            Some((_, of)) => Ok(Some(of.clone())),
            None => self.machine.resolve(name),
        }
    }

    fn most_elements(&self) -> u64 {
        self.machine.most_elements()
    }

    fn language(&self) -> Language {
        self.machine.language()
    }

    fn now(&mut self) -> Result<Timestamp, Fault> {
        self.were_asked = true;
        self.machine.now()
    }

    fn local_offset(&mut self) -> i32 {
        self.were_asked = true;
        self.machine.local_offset()
    }
}

fn signature(dispatch: &Dispatch, resolve: &mut OwnTypes<'_, '_>) -> Result<RubySignature, Fault> {
    let mut read = |text: &str| {
        types::parse(text, resolve).map_err(|fault| {
            Fault::new(format!("Parsing of type string '\"{text}\"' failed with message: <{}>.\n", fault.message))
        })
    };
    let mut params = Vec::with_capacity(dispatch.params.len());
    for param in &dispatch.params {
        let of = param.type_text.as_deref().map_or(Ok(Type::Any), &mut read)?;
        params.push(Param { name: param.name.clone(), param_type: of, kind: param.kind });
    }
    let block = match &dispatch.block {
        Some(block) => {
            let of = read(block.type_text.as_deref().unwrap_or("Callable"))?;
            Some(signature::Block { name: block.name.clone(), block_type: of, optional: block.optional })
        }
        None => None,
    };
    let gives = dispatch.returns.as_deref().map(read).transpose()?;
    Ok(RubySignature { takes: Signature { params, block }, gives, explains: dispatch.explains })
}
