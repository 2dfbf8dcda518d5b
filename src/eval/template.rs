//! The text of a template, while its code runs.

use super::code::Expr;
use super::machine::{Machine, Rendered};
use super::stop::Flow;
use crate::pcore::{Value, text};

impl Machine<'_> {
    #[inline(never)]
    pub(super) fn template(&mut self, body: &Expr) -> Flow {
        self.texts.push(Rendered::default());
        let result = self.value(body);
        let rendered = self.texts.pop().unwrap_or_default();
        result?;
        let text = Value::String(rendered.text.into());
        Ok(if rendered.sensitive { Value::sensitive(text) } else { text })
    }

    pub(super) fn render(&mut self, piece: &str) {
        if let Some(rendered) = self.texts.last_mut() {
            rendered.text.push_str(piece);
        }
    }

    #[inline(never)]
    pub(super) fn render_value(&mut self, operand: &Expr) -> Flow {
        let value = self.value(operand)?;
        let Some(rendered) = self.texts.last_mut() else { return Ok(Value::Undef) };
        match &value {
            Value::Sensitive(secret) => {
                // The whole text becomes a secret.
                rendered.sensitive = true;
                text::push_text(&mut rendered.text, secret);
            }
            other => text::push_text(&mut rendered.text, other),
        }
        let size = rendered.text.len();
        self.check_size(size)?;
        Ok(Value::Undef)
    }
}
