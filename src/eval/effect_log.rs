//! The effects of a Ruby function before it turned out to need another Ruby: they are not repeated there.
//!
//! The function starts again in the other Ruby. An effect that it repeats gets the outcome of the first time. Questions may be asked
//! again: that does nothing.

use pantin_ruby::{Trouble, TroubleKind};
use pantin_values::{Digest, Digester, Value};

#[derive(Debug, Default)]
pub(super) struct EffectLog {
    effects: Vec<LoggedEffect>,
    /// How many of them were done again; all, while the function runs for the first time.
    again: usize,
    /// Whether another Ruby may take over.
    pub(super) may_repeat: bool,
}

#[derive(Debug)]
struct LoggedEffect {
    what: Digest,
    outcome: Result<Value, (String, TroubleKind)>,
}

impl EffectLog {
    pub(super) fn new(may_repeat: bool) -> EffectLog {
        EffectLog { may_repeat, ..EffectLog::default() }
    }

    pub(super) fn rewind(&mut self) {
        self.again = 0;
    }

    /// Returns the outcome of this effect if it was applied before.
    pub(super) fn recorded_result(&mut self, what: Digest) -> Option<Result<Value, Trouble>> {
        let effect = self.effects.get(self.again)?;
        if effect.what != what {
            let message = "a function in Ruby does otherwise in the Ruby of --ruby than it had begun to do here";
            return Some(Err(Trouble {
                message: message.to_owned(),
                kind: TroubleKind::Fatal,
                place: None,
                origin: None,
            }));
        }
        self.again += 1;
        let outcome = effect.outcome.clone();
        Some(outcome.map_err(|(message, kind)| Trouble { message, kind, place: None, origin: None }))
    }

    pub(super) fn note(&mut self, what: Digest, outcome: &Result<Value, Trouble>) {
        let outcome = match outcome {
            Ok(value) => Ok(value.clone()),
            Err(trouble) => Err((trouble.message.clone(), trouble.kind)),
        };
        self.effects.push(LoggedEffect { what, outcome });
        self.again = self.effects.len();
    }
}

/// Returns the identity of an effect: kind, name and values.
pub(super) fn effect_digest<'v>(kind: &[u8], name: &str, values: impl IntoIterator<Item = &'v Value>) -> Digest {
    let mut digester = Digester::new(kind);
    digester.text(name);
    for value in values {
        digester.item(value);
    }
    digester.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deed_is_told_again_what_it_was_told_and_another_one_is_none() {
        let (one, two) = (effect_digest(b"call", "f", [&1.into()]), effect_digest(b"call", "f", [&2.into()]));
        let mut log = EffectLog::new(true);
        assert!(log.recorded_result(one).is_none());
        log.note(one, &Ok("done".into()));
        let failed = Trouble { message: "no".to_owned(), kind: TroubleKind::Argument, place: None, origin: None };
        log.note(two, &Err(failed));
        assert!(log.recorded_result(one).is_none());
        log.rewind();
        assert_eq!(log.recorded_result(one).unwrap().unwrap(), "done".into());
        let trouble = log.recorded_result(two).unwrap().unwrap_err();
        assert_eq!((trouble.message.as_str(), trouble.kind), ("no", TroubleKind::Argument));
        assert!(log.recorded_result(one).is_none());
        log.rewind();
        assert_eq!(log.recorded_result(two).unwrap().unwrap_err().kind, TroubleKind::Fatal);
    }
}
