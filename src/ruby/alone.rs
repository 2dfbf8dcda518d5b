//! Runs Ruby code by itself, without a host: for tests, and for random code.

use std::sync::Arc;

use pantin_base::limits;
use pantin_model::trace::{Level, VariableName};
use pantin_values::{Hash, Object, Str, Value};

use super::code::Script;
use super::error::RubyError;
use super::interp::Interp;
use super::outside::{CallForm, HeldValue, Outside, OutsideVariable, Trouble, TroubleKind};
use super::puppet::Declaration;

/// How far one run may go.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub steps: u64,
    pub bytes: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { steps: limits::RUBY_STEPS, bytes: limits::RUBY_BYTES }
    }
}

/// Libraries that code here need not ask for.
const LOADED: [&str; 2] = ["rexml/document", "shellwords"];

/// Returns what code is worth, as `inspect` shows it.
pub fn evaluate(code: &Arc<Script>, bounds: Bounds) -> Result<String, RubyError> {
    let mut nowhere = Nowhere::default();
    let mut interp = Interp::with_bounds(code.clone(), &mut nowhere, bounds);
    interp.loaded.extend(LOADED.map(Into::into));
    let main = interp.main.clone();
    let result = interp.run_script(code, main).and_then(|value| interp.inspect(&value));
    result.map_err(|stop| interp.into_error(*stop))
}

/// A world in which there is nothing, and whose numbers by chance are the same ones in each.
#[derive(Default, Debug)]
pub struct Nowhere {
    asked: i64,
}

/// The golden ratio: its multiples are far from each other.
const CHANCE: i64 = 0x9e37_79b9_7f4a_7c15_u64 as i64;

fn nothing<T>() -> Result<T, Trouble> {
    Err(Trouble { message: "there is no world here".to_owned(), kind: TroubleKind::Fatal, place: None, origin: None })
}

impl Outside for Nowhere {
    fn variable(&mut self, _: &str) -> Result<Option<OutsideVariable>, Trouble> {
        Ok(None)
    }

    fn part(&mut self, _: &VariableName, _: &[Value]) -> Result<Option<OutsideVariable>, Trouble> {
        Ok(None)
    }

    fn whole_variable(&mut self, _: &VariableName, _: &[Value]) -> Result<Value, Trouble> {
        nothing()
    }

    fn unknown_variable(&mut self, _: &str) -> Result<(), Trouble> {
        Ok(())
    }

    fn set_variable(&mut self, _: &Str, _: HeldValue, _: Value) -> Result<(), Trouble> {
        nothing()
    }

    fn change_variable(&mut self, _: &VariableName, _: Value) -> Result<(), Trouble> {
        nothing()
    }

    fn reveal(&mut self, _: &str) -> Result<(), Trouble> {
        Ok(())
    }

    fn release(&self) -> &'static str {
        "7.23.0"
    }

    fn server_facts(&mut self) -> Option<&Hash> {
        None
    }

    fn method(&mut self, _: &Arc<Object>, _: &str, _: Vec<Value>) -> Result<Value, Trouble> {
        nothing()
    }

    fn defaults(&mut self, _: &str) -> Result<Value, Trouble> {
        nothing()
    }

    fn call_function(&mut self, _: &str, _: Vec<Value>, _: CallForm) -> Result<Value, Trouble> {
        nothing()
    }

    fn choose(&mut self, _: &Declaration, _: &[Value], _: bool) -> Result<usize, Trouble> {
        nothing()
    }

    fn check_result(&mut self, _: &Declaration, _: usize, _: &Value) -> Result<(), Trouble> {
        Ok(())
    }

    fn has_block(&self) -> bool {
        false
    }

    fn block_arity(&self) -> i64 {
        0
    }

    fn call_block(&mut self, _: Vec<Value>) -> Result<Value, Trouble> {
        nothing()
    }

    fn random(&mut self) -> Result<i64, Trouble> {
        self.asked += 1;
        let spread = self.asked.wrapping_mul(CHANCE);
        Ok(spread ^ (spread as u64 >> 32) as i64)
    }

    fn library(&mut self, _: &str) -> Result<Option<Arc<Script>>, Trouble> {
        Ok(None)
    }

    fn has_function(&mut self, _: &str) -> Result<bool, Trouble> {
        Ok(false)
    }

    fn log(&mut self, _: Level, _: &str) -> Result<(), Trouble> {
        Ok(())
    }

    fn setting(&mut self, _: &str) -> Result<Option<Value>, Trouble> {
        nothing()
    }

    fn local_offset(&mut self) -> i32 {
        0
    }

    fn now(&mut self) -> Result<(i64, u32), Trouble> {
        nothing()
    }
}
