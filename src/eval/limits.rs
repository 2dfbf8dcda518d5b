//! How far an evaluation may go: what a person may raise by a setting.

use pantin_base::{budget, limits};
use pantin_syntax::ast::BinaryOp;
use pantin_values::{Fault, Type, Value, Weight};

use super::machine::Machine;
use super::stop::Flow;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    /// How deep calls may nest.
    pub depth: u32,
    /// How many times blocks and functions may be called.
    pub calls: u64,
    /// How long a text may be.
    pub text_bytes: usize,
    /// How many elements an array or hash may have.
    pub elements: u64,
    /// How many steps the search for one match may take.
    pub regex_steps: u64,
    /// How many resources a catalog may have.
    pub resources: u64,
    /// How many steps the code of a node may take.
    pub steps: u64,
    /// How many types a type may be made of.
    pub type_parts: u64,
    /// How many edges the relationships of a catalog may have.
    pub edges: u64,
}

pantin_base::digestible!(
    struct Limits {
        1 = depth, 2 = calls, 3 = text_bytes, 4 = elements, 5 = regex_steps, 6 = resources, 7 = steps, 8 = type_parts,
        9 = edges,
    }
);

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: limits::CALL_DEPTH,
            calls: limits::CALLS,
            text_bytes: limits::TEXT_BYTES,
            elements: limits::ELEMENTS,
            regex_steps: limits::REGEX_STEPS,
            resources: limits::RESOURCES,
            steps: limits::STEPS,
            type_parts: limits::TYPE_PARTS,
            edges: limits::EDGES,
        }
    }
}

impl Limits {
    /// Raises or lowers the one whose setting is called so, if one is.
    pub fn set(&mut self, setting: &str, to: u64) -> bool {
        match setting {
            limits::MAX_DEPTH => self.depth = u32::try_from(to).unwrap_or(u32::MAX),
            limits::MAX_CALLS => self.calls = to,
            limits::MAX_TEXT_BYTES => self.text_bytes = usize::try_from(to).unwrap_or(usize::MAX),
            limits::MAX_ELEMENTS => self.elements = to,
            limits::MAX_REGEX_STEPS => self.regex_steps = to,
            limits::MAX_RESOURCES => self.resources = to,
            limits::MAX_STEPS => self.steps = to,
            limits::MAX_TYPE_PARTS => self.type_parts = to,
            limits::MAX_EDGES => self.edges = to,
            _ => return false,
        }
        true
    }
}

/// The error of code that has taken all the steps there are, or all the time.
#[cold]
pub fn budget_fault(limits: &Limits) -> Fault {
    if budget::is_out_of_time() {
        let message =
            "The node takes more seconds of the processor than it may; the option --node-seconds raises the limit";
        return Fault::issue(limits::OUT_OF_TIME, message);
    }
    let steps = limits.steps;
    Fault::beyond(format_args!("The code of one node may take {steps} steps at most"), limits::MAX_STEPS)
}

/// The error of a type that is made of more types than it may.
pub fn too_many_types(most: u64) -> Fault {
    Fault::beyond(format_args!("A type may be made of {most} types at most"), limits::MAX_TYPE_PARTS)
}

impl Machine<'_> {
    /// Takes steps of the node's budget.
    #[inline(always)]
    pub(super) fn spend(&self, steps: u64) -> Flow<()> {
        if budget::spend(steps) { Ok(()) } else { Err(self.budget_fault().into()) }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn budget_fault(&self) -> Fault {
        budget_fault(&self.settings.limits)
    }

    /// Takes steps for the arguments that a function gets to go through.
    pub(super) fn spend_on_arguments(&self, args: &[Value]) -> Flow<()> {
        let steps = args.iter().fold(1, |sum, arg| match arg {
            Value::String(text) | Value::Unencoded(text) => sum + text.len() as u64 / limits::BYTES_OF_STEP,
            arg if arg.is_composite() => sum + steps_to_see(arg.weight()),
            _ => sum,
        });
        self.spend(steps)
    }

    /// Takes steps for a value that was made, and refuses one that is too large for anybody to go through.
    #[inline]
    pub(super) fn check_made(&self, value: &Value) -> Flow<()> {
        match value {
            Value::String(text) if text.len() as u64 >= limits::BYTES_OF_STEP => {
                self.spend(text.len() as u64 / limits::BYTES_OF_STEP)
            }
            value if value.is_composite() => self.check_composite(value),
            _ => Ok(()),
        }
    }

    /// The value, if it is one that [`Machine::check_made`] does not refuse.
    #[inline]
    pub(super) fn checked(&self, made: Value) -> Flow {
        self.check_made(&made)?;
        Ok(made)
    }

    /// Takes steps for what an operator goes through: numbers are not.
    pub(super) fn spend_on_operands(&self, left: &Value, right: &Value) -> Flow<()> {
        match (left.is_composite() || right.is_composite(), left, right) {
            (true, ..) => {
                let (left, right) = (steps_to_see(left.weight()), steps_to_see(right.weight()));
                self.spend(left + right)
            }
            (false, Value::String(text) | Value::Unencoded(text), _) => {
                self.spend(text.len() as u64 / limits::BYTES_OF_STEP)
            }
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn check_composite(&self, value: &Value) -> Flow<()> {
        match value {
            Value::Type(of) => return self.check_type(of),
            Value::Array(items) => self.spend(items.len() as u64)?,
            Value::Hash(entries) => self.spend(2 * entries.len() as u64)?,
            _ => {}
        }
        self.check_weight_of(value)
    }

    /// Refuses a value that is too large for anybody to go through.
    #[inline]
    pub(super) fn check_weight_of(&self, value: &Value) -> Flow<()> {
        if !value.is_composite() || self.check_weight(value.weight()).is_ok() {
            return Ok(());
        }
        // What is known of one that grew in place is what it weighs at most.
        let weight = match value {
            Value::Array(items) => Value::array(items.iter().cloned()).weight(),
            Value::Hash(entries) => {
                Value::hash(entries.iter().map(|(key, value)| (key.clone(), value.clone()))).weight()
            }
            value => value.weight(),
        };
        Ok(self.check_weight(weight)?)
    }

    fn check_type(&self, of: &Type) -> Flow<()> {
        let most = self.settings.limits.type_parts;
        let size = of.size(most);
        self.spend(size.parts)?;
        if size.parts > most {
            return Err(too_many_types(most).into());
        }
        if size.depth > limits::TYPE_DEPTH {
            let most = limits::TYPE_DEPTH;
            return Err(Fault::limit(format!("Types may be nested {most} deep at most")).into());
        }
        Ok(())
    }

    fn check_weight(&self, weight: Weight) -> Result<(), Fault> {
        // Who lowers the limit of one array, or of one text, does not mean what holds them.
        let elements = self.settings.limits.elements.max(limits::ELEMENTS);
        let text_bytes = self.settings.limits.text_bytes.max(limits::TEXT_BYTES);
        if weight.depth > limits::VALUE_DEPTH {
            let most = limits::VALUE_DEPTH;
            return Err(Fault::limit(format!("Values may be nested {most} deep at most")));
        }
        if u64::from(weight.elements) > elements {
            return Err(Fault::beyond(
                format_args!("A value may hold {elements} values at most, each counted wherever it stands"),
                limits::MAX_ELEMENTS,
            ));
        }
        if weight.bytes as usize > text_bytes {
            return Err(Fault::beyond(
                format_args!("A value may hold {text_bytes} bytes of text at most, each counted wherever it stands"),
                limits::MAX_TEXT_BYTES,
            ));
        }
        Ok(())
    }

    /// One more call, if the limits allow it.
    #[inline]
    pub(super) fn count_call(&mut self) -> Flow<()> {
        self.calls += 1;
        self.spend(1)?;
        let limits = &self.settings.limits;
        if self.calls > limits.calls || self.depth >= limits.depth {
            Err(self.called_too_often().into())
        } else {
            Ok(())
        }
    }

    #[cold]
    fn called_too_often(&self) -> Fault {
        let Limits { depth, calls, .. } = self.settings.limits;
        if self.calls > calls {
            Fault::beyond(format_args!("More than {calls} calls of functions and blocks"), limits::MAX_CALLS)
        } else {
            Fault::beyond(format_args!("Calls are nested more than {depth} deep"), limits::MAX_DEPTH)
        }
    }

    pub(super) fn check_text(&self, bytes: usize) -> Result<(), Fault> {
        let most = self.settings.limits.text_bytes;
        if bytes > most {
            return Err(Fault::beyond(format_args!("A text may have {most} bytes at most"), limits::MAX_TEXT_BYTES));
        }
        Ok(())
    }

    pub(super) fn check_elements(&self, count: usize) -> Result<(), Fault> {
        let most = self.settings.limits.elements;
        if count as u64 > most {
            return Err(Fault::beyond(
                format_args!("An array or hash may have {most} elements at most"),
                limits::MAX_ELEMENTS,
            ));
        }
        Ok(())
    }
}

/// Returns how many steps it takes to go through a value.
fn steps_to_see(weight: Weight) -> u64 {
    u64::from(weight.elements) / limits::ELEMENTS_OF_STEP + u64::from(weight.bytes) / limits::BYTES_OF_STEP
}

/// Returns what a container will weigh that grows by another value: asked before the operator changes it in place, so
/// that it need not be gone through again at each of many steps. `None`: that is not known before.
pub(super) fn grown_weight(op: BinaryOp, left: &Value, right: &Value) -> Option<Weight> {
    match (op, left, right) {
        (BinaryOp::Add, Value::Array(left), Value::Array(right)) => Some(left.weight().and(right.weight())),
        (BinaryOp::Add, Value::Hash(left), Value::Hash(right)) => Some(left.weight().and(right.weight())),
        (BinaryOp::Add, Value::Array(_), Value::Hash(_)) => None,
        (BinaryOp::Add | BinaryOp::ShiftLeft, Value::Array(left), right) => {
            Some(left.weight().and(right.weight().as_item()))
        }
        _ => None,
    }
}

/// Says what a container weighs that was made of two others.
pub(super) fn set_weight(made: &Value, weight: Option<Weight>) {
    match (made, weight) {
        (Value::Array(items), Some(weight)) => items.set_weight(weight),
        (Value::Hash(entries), Some(weight)) => entries.set_weight(weight),
        _ => {}
    }
}
