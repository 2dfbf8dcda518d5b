//! States that end in something that is not right, made fewer and smaller.

use super::super::state::State;
use super::Watched;

/// So many tries are made: what is big takes long.
const TRIES: usize = 1500;

/// The shortest way that was found to something that is not right, as a text.
pub(super) fn shown(states: &[State]) -> String {
    std::panic::set_hook(Box::new(|_| {}));
    let mut shrinking = Shrinking { states: states.to_vec(), tries: TRIES };
    shrinking.drop_states();
    shrinking.drop_files();
    shrinking.drop_states();
    shrinking.drop_edits();
    let mut text = "begin with:\n".to_owned();
    let mut before = State::default();
    let mut difference = String::new();
    let mut watched: Option<Watched> = None;
    for (at, state) in shrinking.states.iter().enumerate() {
        if at > 0 {
            text.push_str("then:\n");
        }
        before.edits_to(state).iter().for_each(|edit| text.push_str(&format!("  {edit}\n")));
        before = state.clone();
        let looked = match &mut watched {
            None => watched.insert(Watched::new(state)).look(),
            Some(watched) => watched.become_state(state),
        };
        if let Err(reason) = looked {
            difference = reason;
        }
    }
    _ = std::panic::take_hook();
    format!("{text}{difference}")
}

struct Shrinking {
    /// The last of them is not told right.
    states: Vec<State>,
    tries: usize,
}

impl Shrinking {
    /// Whether these are not right either; then they take the place of those.
    fn take(&mut self, states: Vec<State>) -> bool {
        if self.tries == 0 || states.is_empty() {
            return false;
        }
        self.tries -= 1;
        let Some(at) = first_wrong(&states) else { return false };
        self.states = states;
        self.states.truncate(at + 1);
        true
    }

    fn drop_states(&mut self) {
        let last = self.states.len() - 1;
        for from in (0..last).rev() {
            let short = [self.states[from].clone(), self.states[last].clone()];
            if self.take(short.to_vec()) {
                return;
            }
        }
        let mut at = 0;
        while at + 1 < self.states.len() {
            let mut fewer = self.states.clone();
            fewer.remove(at);
            if !self.take(fewer) {
                at += 1;
            }
        }
    }

    /// Of all states at once; many first.
    fn drop_files(&mut self) {
        let mut paths: Vec<String> = self.states.iter().flat_map(State::paths).map(str::to_owned).collect();
        paths.sort();
        paths.dedup();
        let mut size = paths.len() / 2;
        while size > 0 {
            let mut kept = Vec::new();
            for some in paths.chunks(size) {
                let smaller = self.states.iter().map(|state| state.without(some)).collect();
                if !self.take(smaller) {
                    kept.extend_from_slice(some);
                }
            }
            paths = kept;
            size /= 2;
        }
    }

    /// What changes from one state to the next, one edit after the other.
    fn drop_edits(&mut self) {
        for at in 1..self.states.len() {
            if at >= self.states.len() {
                return;
            }
            for edit in self.states[at - 1].edits_to(&self.states[at]) {
                let (Some(before), Some(state)) = (self.states.get(at - 1), self.states.get(at)) else { return };
                let others = before.edits_to(state).into_iter().filter(|other| *other != edit);
                let mut less = before.clone();
                others.for_each(|other| less.edit(&other));
                let mut states = self.states.clone();
                states[at] = less;
                self.take(states);
            }
        }
    }
}

fn first_wrong(states: &[State]) -> Option<usize> {
    let mut watched = Watched::new(&states[0]);
    if watched.look().is_err() {
        return Some(0);
    }
    (1..states.len()).find(|at| watched.become_state(&states[*at]).is_err())
}
