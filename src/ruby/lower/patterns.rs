//! `case … in`, `=>` and `in`.

use ruby_prism::Node;

use super::{Lower, LowerError, Lowered, boxed, text};
use crate::code::{ExprKind, HashRest, In, Pattern, Rest};

impl Lower {
    pub(super) fn case_in(&mut self, node: &ruby_prism::CaseMatchNode<'_>) -> Lowered<ExprKind> {
        let subject = self.optional(node.predicate())?;
        let mut ins = Vec::new();
        for condition in node.conditions().iter() {
            let Some(clause) = condition.as_in_node() else { continue };
            let pattern = clause.pattern();
            // A guard is an `if` or `unless` around the pattern.
            let (pattern, guard) = if let Some(guard) = pattern.as_if_node() {
                (self.guarded(guard.statements())?, Some(self.expr(&guard.predicate())?))
            } else if let Some(guard) = pattern.as_unless_node() {
                let test = self.expr(&guard.predicate())?;
                let at = test.at;
                let negated = crate::code::Expr { at, kind: ExprKind::Not(boxed(test)) };
                (self.guarded(guard.statements())?, Some(negated))
            } else {
                (self.pattern(&pattern)?, None)
            };
            ins.push(In { pattern, guard, then: self.statements(clause.statements())? });
        }
        let otherwise = self.otherwise(node.else_clause())?.map(boxed);
        match subject {
            Some(subject) => Ok(ExprKind::CaseIn(subject, ins, otherwise)),
            None => Ok(ExprKind::Refused("case without a subject")),
        }
    }

    fn guarded(&mut self, statements: Option<ruby_prism::StatementsNode<'_>>) -> Lowered<Pattern> {
        match statements.and_then(|statements| statements.body().first()) {
            Some(pattern) => self.pattern(&pattern),
            None => Err(LowerError { at: 0, message: "a guard without a pattern".to_owned() }),
        }
    }

    pub(super) fn pattern(&mut self, node: &Node<'_>) -> Lowered<Pattern> {
        if let Some(target) = node.as_local_variable_target_node() {
            return Ok(Pattern::Bind(target.depth(), self.slot(target.depth(), &target.name())));
        }
        if let Some(either) = node.as_alternation_pattern_node() {
            let (left, right) = (self.pattern(&either.left())?, self.pattern(&either.right())?);
            return Ok(Pattern::Either(Box::new(left), Box::new(right)));
        }
        if let Some(capture) = node.as_capture_pattern_node() {
            let target = capture.target();
            let slot = self.slot(target.depth(), &target.name());
            return Ok(Pattern::Capture(Box::new(self.pattern(&capture.value())?), target.depth(), slot));
        }
        if let Some(pinned) = node.as_pinned_variable_node() {
            return Ok(Pattern::Value(self.expr(&pinned.variable())?));
        }
        if let Some(pinned) = node.as_pinned_expression_node() {
            return Ok(Pattern::Value(self.expr(&pinned.expression())?));
        }
        if let Some(inside) = node.as_parentheses_node().and_then(|inside| inside.body()) {
            let only = inside.as_statements_node().and_then(|all| all.body().first());
            return self.pattern(&only.unwrap_or(inside));
        }
        if let Some(array) = node.as_array_pattern_node() {
            let class = self.optional(array.constant())?.map(|class| *class);
            let before = array.requireds().iter().map(|one| self.pattern(&one)).collect::<Lowered<_>>()?;
            let rest = array.rest().map_or(Rest::Absent, |rest| Rest::from_slot(self.splat_slot(&rest)));
            let after = array.posts().iter().map(|one| self.pattern(&one)).collect::<Lowered<_>>()?;
            return Ok(Pattern::Array { class, before, rest, after });
        }
        if let Some(find) = node.as_find_pattern_node() {
            let class = self.optional(find.constant())?.map(|class| *class);
            let middle = find.requireds().iter().map(|one| self.pattern(&one)).collect::<Lowered<_>>()?;
            let (before, after) = (self.splat_slot(&find.left().as_node()), self.splat_slot(&find.right().as_node()));
            return Ok(Pattern::Find { class, before, middle, after });
        }
        if let Some(hash) = node.as_hash_pattern_node() {
            return self.hash_pattern(&hash);
        }
        Ok(Pattern::Value(self.expr(node)?))
    }

    fn splat_slot(&mut self, node: &Node<'_>) -> Option<(u32, u32)> {
        let target = node.as_splat_node()?.expression()?;
        let target = target.as_local_variable_target_node()?;
        Some((target.depth(), self.slot(target.depth(), &target.name())))
    }

    fn hash_pattern(&mut self, hash: &ruby_prism::HashPatternNode<'_>) -> Lowered<Pattern> {
        let class = self.optional(hash.constant())?.map(|class| *class);
        let mut pairs = Vec::new();
        for element in hash.elements().iter() {
            let Some(pair) = element.as_assoc_node() else { continue };
            let Some(key) = pair.key().as_symbol_node().map(|key| text(key.unescaped())) else { continue };
            let implicit = pair.value().as_implicit_node().map(|implicit| implicit.value());
            match implicit {
                Some(value) => {
                    let target = value.as_local_variable_target_node();
                    let slot = target.map(|target| (target.depth(), self.slot(target.depth(), &target.name())));
                    pairs.push((key, None, slot));
                }
                None => pairs.push((key, Some(self.pattern(&pair.value())?), None)),
            }
        }
        let rest = match hash.rest() {
            Some(rest) if rest.as_no_keywords_parameter_node().is_some() => HashRest::None,
            Some(rest) => {
                let value = rest.as_assoc_splat_node().and_then(|splat| splat.value());
                match value.as_ref().and_then(|value| value.as_local_variable_target_node()) {
                    Some(target) => HashRest::Into(target.depth(), self.slot(target.depth(), &target.name())),
                    None => HashRest::Ignored,
                }
            }
            None => HashRest::Ignored,
        };
        Ok(Pattern::Hash { class, pairs, rest })
    }
}
