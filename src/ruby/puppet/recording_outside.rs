//! The outside of a template, with a record of what it looked at.

use std::sync::Arc;

use pantin_model::trace::{Level, ResourcePart, VariableName};
use pantin_values::{Hash, Object, Str, Value};

use super::super::code::Script;
use super::super::outside::{CallForm, HeldValue, Outside, OutsideVariable, Trouble};
use super::super::user_ruby::RubyBlock;
use super::Declaration;
use super::rendered::{Read, RenderReply};

pub(super) struct RecordingOutside<'o> {
    outside: &'o mut dyn Outside,
    /// `None`: it has done or asked something else.
    reads: Option<Vec<(Read, RenderReply)>>,
}

impl<'o> RecordingOutside<'o> {
    pub(super) fn new(outside: &'o mut dyn Outside) -> RecordingOutside<'o> {
        RecordingOutside { outside, reads: Some(Vec::new()) }
    }

    /// All that was looked at, if nothing else was done.
    pub(super) fn into_reads(self) -> Option<Vec<(Read, RenderReply)>> {
        self.reads
    }

    fn note(&mut self, read: impl FnOnce() -> Read, told: Option<RenderReply>) {
        match (&mut self.reads, told) {
            (Some(reads), Some(told)) => reads.push((read(), told)),
            _ => self.reads = None,
        }
    }
}

fn reply_from_result(said: &Result<Option<OutsideVariable>, Trouble>) -> Option<RenderReply> {
    RenderReply::from_variable(said.as_ref().ok()?.as_ref())
}

/// All else is handed on, and is no look at a variable.
macro_rules! others {
    ($(fn $name:ident(&mut self $(, $given:ident: $of:ty)*) -> $gives:ty;)*) => {$(
        fn $name(&mut self $(, $given: $of)*) -> $gives {
            self.reads = None;
            self.outside.$name($($given),*)
        }
    )*};
}

impl Outside for RecordingOutside<'_> {
    fn variable(&mut self, name: &str) -> Result<Option<OutsideVariable>, Trouble> {
        let said = self.outside.variable(name);
        self.note(|| Read::Variable(name.into()), reply_from_result(&said));
        said
    }

    fn part(&mut self, variable: &VariableName, path: &[Value]) -> Result<Option<OutsideVariable>, Trouble> {
        let said = self.outside.part(variable, path);
        self.note(|| Read::Part(variable.clone(), path.to_vec()), reply_from_result(&said));
        said
    }

    fn whole_variable(&mut self, variable: &VariableName, path: &[Value]) -> Result<Value, Trouble> {
        let said = self.outside.whole_variable(variable, path);
        self.note(|| Read::Whole(variable.clone(), path.to_vec()), said.as_ref().ok().cloned().map(RenderReply::Value));
        said
    }

    /// The same for all that is rendered.
    fn release(&self) -> &'static str {
        self.outside.release()
    }

    fn has_own_ruby(&self) -> bool {
        self.outside.has_own_ruby()
    }

    /// A template is given none.
    fn has_block(&self) -> bool {
        self.outside.has_block()
    }

    fn block_arity(&self) -> i64 {
        self.outside.block_arity()
    }

    fn restart(&mut self) {
        self.reads = None;
        self.outside.restart();
    }

    others! {
        fn variable_names(&mut self) -> Result<Vec<Str>, Trouble>;
        fn unknown_variable(&mut self, name: &str) -> Result<(), Trouble>;
        fn absence_of(&mut self, name: &str) -> Result<Option<Value>, Trouble>;
        fn set_variable(&mut self, name: &Str, held: HeldValue, value: Value) -> Result<(), Trouble>;
        fn is_fixed(&mut self, name: &VariableName) -> Result<bool, Trouble>;
        fn is_fixed_argument(&mut self, index: usize) -> Result<bool, Trouble>;
        fn change_argument(&mut self, index: usize, value: Value) -> Result<(), Trouble>;
        fn change_variable(&mut self, name: &VariableName, value: Value) -> Result<(), Trouble>;
        fn defaults(&mut self, type_name: &str) -> Result<Value, Trouble>;
        fn resource_part(&mut self, reference: &str, part: ResourcePart) -> Result<Option<Value>, Trouble>;
        fn classes_and_tags(&mut self) -> Result<(Value, Value), Trouble>;
        fn own_resource(&mut self) -> Result<String, Trouble>;
        fn method(&mut self, object: &Arc<Object>, name: &str, args: Vec<Value>) -> Result<Value, Trouble>;
        fn call_function(&mut self, name: &str, args: Vec<Value>, how: CallForm) -> Result<Value, Trouble>;
        fn call_with_block(&mut self, name: &str, args: Vec<Value>, how: CallForm, block: Arc<dyn RubyBlock>) -> Result<Value, Trouble>;
        fn choose(&mut self, function: &Declaration, args: &[Value], with_block: bool) -> Result<usize, Trouble>;
        fn check_result(&mut self, function: &Declaration, chosen: usize, value: &Value) -> Result<(), Trouble>;
        fn call_block(&mut self, args: Vec<Value>) -> Result<Value, Trouble>;
        fn library(&mut self, name: &str) -> Result<Option<Arc<Script>>, Trouble>;
        fn template(&mut self, name: &str) -> Result<Option<Arc<Script>>, Trouble>;
        fn enter_top(&mut self) -> bool;
        fn leave_top(&mut self) -> ();
        fn is_method_of_scope(&mut self, name: &str) -> Result<bool, Trouble>;
        fn resource_around(&mut self) -> Result<Option<Str>, Trouble>;
        fn has_function(&mut self, name: &str) -> Result<bool, Trouble>;
        fn log(&mut self, level: Level, message: &str) -> Result<(), Trouble>;
        fn deprecated(&mut self, key: &str, message: &str) -> Result<(), Trouble>;
        fn setting(&mut self, name: &str) -> Result<Option<Value>, Trouble>;
        fn server_facts(&mut self) -> Option<&Hash>;
        fn reveal(&mut self, text: &str) -> Result<(), Trouble>;
        fn beyond(&mut self, paths: &[Str]) -> Result<Option<(Str, Str)>, Trouble>;
        fn content(&mut self, path: &str) -> Result<Option<Vec<u8>>, Trouble>;
        fn exists(&mut self, path: &str) -> Result<bool, Trouble>;
        fn is_folder(&mut self, path: &str) -> Result<bool, Trouble>;
        fn matching(&mut self, patterns: &[Str]) -> Result<Value, Trouble>;
        fn command(&mut self, words: &[Str]) -> Result<Option<Value>, Trouble>;
        fn name_lookup(&mut self, function: &str, arguments: &[Value]) -> Result<Option<Value>, Trouble>;
        fn random(&mut self) -> Result<i64, Trouble>;
        fn now(&mut self) -> Result<(i64, u32), Trouble>;
        fn local_offset(&mut self) -> i32;
    }
}
