//! What a prefix takes away: `--name` in the value that comes first removes `name` from the others.

use std::sync::Arc;

use pantin_values::regex::{Options, Regex};
use pantin_values::{Array, Regexp, Value, ops, too_many_steps};

use crate::trouble::Trouble;

#[derive(Debug)]
pub(super) struct Knockout {
    prefix: Value,
    /// The prefix is put into a pattern as it stands.
    pattern: Arc<Regexp>,
}

impl Knockout {
    pub(super) fn new(prefix: &Value) -> Result<Knockout, Trouble> {
        let pattern = Regexp::from_string(&format!("^{}", ops::to_s(prefix)).into(), Options::default());
        if let Err(error) = pattern.regex() {
            return Err(Trouble::ruby(error.message.clone()));
        }
        Ok(Knockout { prefix: prefix.clone(), pattern })
    }

    /// Returns the prefix and nothing else: all that is there goes.
    pub(super) fn is_bare(&self, item: &Value) -> bool {
        *item == self.prefix
    }

    fn regex(&self) -> Result<&Regex, Trouble> {
        self.pattern.regex().map_err(|error| Trouble::ruby(error.message.clone()))
    }

    pub(super) fn matches(&self, text: &str) -> Result<bool, Trouble> {
        let regex = self.regex()?;
        regex.is_match(text).map_err(|_| too_long(regex, text))
    }

    /// The text without the prefix at the starts of its lines; `None`: it has none.
    pub(super) fn strip_prefix(&self, text: &str) -> Result<Option<String>, Trouble> {
        let regex = self.regex()?;
        let mut out = String::new();
        let mut at = 0;
        let mut from = 0;
        while let Some((start, end)) =
            regex.find_at(text, at).map_err(|_| too_long(regex, text))?.and_then(|captures| captures.get(0))
        {
            out.push_str(&text[from..start]);
            from = end;
            at = if end > start { end } else { end + text[end..].chars().next().map_or(1, char::len_utf8) };
            if at > text.len() {
                break;
            }
        }
        out.push_str(&text[from..]);
        Ok((out != text).then_some(out))
    }

    fn knocked_out(&self, item: &Value) -> Result<Option<Value>, Trouble> {
        match item.as_str() {
            Some(text) => Ok(self.strip_prefix(text)?.map(Value::from)),
            None => Ok(None),
        }
    }

    /// Takes what the source knocks out from the target, and what knocks out from the source.
    pub(super) fn clear(&self, source: &mut Array, target: &mut Array) -> Result<(), Trouble> {
        let mut kept = Vec::with_capacity(source.len());
        for item in source.iter() {
            match self.knocked_out(item)? {
                Some(gone) => target.make_mut().retain(|present| *present != gone && present != item),
                None => kept.push(item.clone()),
            }
        }
        *source = Array::new(kept);
        Ok(())
    }

    /// The same where both are one array: Ruby's `delete_if`, whose block deletes from the array it walks.
    pub(super) fn clear_itself(&self, items: &mut Vec<Value>) {
        let (mut read, mut write) = (0, 0);
        while read < items.len() {
            let item = items[read].clone();
            match self.knocked_out(&item).unwrap_or_default() {
                Some(gone) => items.retain(|present| *present != gone && *present != item),
                None => {
                    if read != write {
                        items[write] = item;
                    }
                    write += 1;
                }
            }
            read += 1;
        }
        if write < items.len() {
            let rest = items.split_off(read.min(items.len()));
            items.truncate(write);
            items.extend(rest);
        }
    }
}

fn too_long(regex: &Regex, text: &str) -> Trouble {
    Trouble::limit(too_many_steps(regex, text).message)
}
