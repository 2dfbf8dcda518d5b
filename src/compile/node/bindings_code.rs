//! Runs code of files of bindings and of `site` statements by itself, at the top scope.
//! It must not know what its value is for.

use std::sync::Arc;

use pantin_bindings::rule;
use pantin_eval::Body;
use pantin_model::trace::Failure;
use pantin_values::{Fault, Value};

use super::Compiler;
use super::state::TOP;

impl Compiler<'_> {
    /// Runs code by itself at the top scope. `is_strict`: an unknown variable is an error whatever the settings say.
    pub(super) fn evaluate_apart(&mut self, body: &Arc<Body>, is_strict: bool) -> Result<Value, Fault> {
        let (mut settings, builtins) = (self.loader.base.settings, self.loader.base.builtins);
        settings.strict_variables |= is_strict;
        let body = Arc::clone(body);
        self.run_apart(move |host| pantin_eval::run(&body, host, settings, builtins))
    }

    pub(super) fn run_apart(
        &mut self,
        run: impl FnOnce(&mut dyn pantin_model::trace::Host) -> Result<Value, Failure>,
    ) -> Result<Value, Fault> {
        self.run_in(TOP, run)
    }

    /// The same in another scope.
    pub(super) fn run_in(
        &mut self,
        scope: super::ScopeId,
        run: impl FnOnce(&mut dyn pantin_model::trace::Host) -> Result<Value, Failure>,
    ) -> Result<Value, Fault> {
        let locals_before = self.state.begin_locals();
        self.frames.push(super::Frame::from_scope(scope));
        self.look_ups += 1;
        let asking = std::mem::take(&mut self.asking);
        let result = pantin_base::stack::with_room(|| run(self));
        self.asking = asking;
        self.look_ups -= 1;
        let frame = self.frames.pop();
        if let (Some(frame), Some(outer)) = (frame, self.frames.last_mut()) {
            outer.looked_up.extend(frame.looked_up);
            outer.injected.extend(frame.injected);
        }
        self.state.end_locals(locals_before);
        self.tell();
        result.map_err(|failure| fault_of(&failure))
    }
}

/// Returns the error of code of bindings, for whoever wanted its value.
fn fault_of(failure: &Failure) -> Fault {
    if failure.code == rule::LOOP.code {
        return Fault::issue(rule::LOOP.code, failure.message.to_string()).with_help_if(failure.help.clone());
    }
    let text = crate::report::error_without_node(failure);
    if failure.has_no_place() { Fault::new(text) } else { Fault::located(text) }
}
