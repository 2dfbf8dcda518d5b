//! Which characters a class holds.

use pantin_base::stack::with_room;
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::Lowering;
use crate::charset;
use crate::fold;
use crate::syntax::{Alphabet, ClassItem};
use crate::tree::NodeId;

/// A class while it is put together: what it holds, and what it holds but for `\w`.
struct Class {
    set: ClassUnicode,
    exact: ClassUnicode,
}

impl Class {
    fn empty() -> Self {
        Class { set: ClassUnicode::empty(), exact: ClassUnicode::empty() }
    }

    fn union(&mut self, other: &ClassUnicode) {
        self.set.union(other);
        self.exact.union(other);
    }

    fn range(&mut self, low: char, high: char) {
        let range = ClassUnicodeRange::new(low, high);
        self.set.push(range);
        self.exact.push(range);
    }

    fn intersect(&mut self, other: &Class) {
        self.set.intersect(&other.set);
        self.exact.intersect(&other.exact);
    }
}

impl Lowering<'_> {
    /// Returns the class whose opening item is at `first`.
    pub(super) fn class(&mut self, first: usize) -> NodeId {
        let (mut class, is_negative) = self.class_at(&mut { first });
        if let ([only], false) = (class.set.ranges(), is_negative)
            && only.start() == only.end()
        {
            return self.character(only.start());
        }
        if self.flags.ignore_case {
            fold::fold_class(&mut class.set, &class.exact);
            if !is_negative {
                return fold::with_strings(&mut self.tree, class.set);
            }
        }
        if is_negative {
            class.set.negate();
        }
        self.tree.add_set(class.set)
    }

    /// Returns what stands in the class whose opening item is at `at`, which is moved behind its closing one, and
    /// whether it is to be all but that.
    fn class_at(&self, at: &mut usize) -> (Class, bool) {
        let mut is_negative = false;
        if let ClassItem::Open { is_negative: negative } = self.syntax.class_items[*at] {
            is_negative = negative;
        }
        let mut class = Class::empty();
        let mut whole: Option<Class> = None;
        loop {
            *at += 1;
            match self.syntax.class_items[*at] {
                ClassItem::Close => break,
                ClassItem::Open { .. } => {
                    let (mut inner, negative) = with_room(|| self.class_at(at));
                    if negative {
                        inner.set.negate();
                        inner.exact.negate();
                    }
                    class.set.union(&inner.set);
                    class.exact.union(&inner.exact);
                }
                ClassItem::And => {
                    let part = std::mem::replace(&mut class, Class::empty());
                    match &mut whole {
                        Some(whole) => whole.intersect(&part),
                        None => whole = Some(part),
                    }
                }
                ClassItem::Range(low, high) => class.range(low, high),
                ClassItem::Escape(letter) => {
                    let set = charset::escape(letter, self.flags.alphabet);
                    class.set.union(&set);
                    // `\w` and `\W` do not count where ASCII meets the rest.
                    if !matches!(letter, 'w' | 'W') || self.flags.alphabet == Alphabet::Unicode {
                        class.exact.union(&set);
                    }
                }
                ClassItem::Property(property) => class.union(&self.property(property)),
                ClassItem::Bracket { name, is_negative } => {
                    // The syntax takes only names that there are.
                    let mut set = charset::bracket(name, self.flags.alphabet).unwrap_or_else(ClassUnicode::empty);
                    if is_negative {
                        set.negate();
                    }
                    class.union(&set);
                }
            }
        }
        if let Some(mut whole) = whole {
            whole.intersect(&class);
            class = whole;
        }
        (class, is_negative)
    }
}
