//! How far an evaluation may go: what a person may raise by a setting.

use pantin_base::limits;
use pantin_values::Fault;

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
}

pantin_base::digestible!(
    struct Limits { 1 = depth, 2 = calls, 3 = text_bytes, 4 = elements, 5 = regex_steps, 6 = resources }
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
            _ => return false,
        }
        true
    }
}

impl Machine<'_> {
    /// One more call, if the limits allow it.
    #[inline]
    pub(super) fn count_call(&mut self) -> Flow<()> {
        self.calls += 1;
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
