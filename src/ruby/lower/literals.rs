//! Literals and plain reads.

use std::sync::Arc;

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;
use pantin_values::Regexp;
use pantin_values::regex::{Options, check_with, display_pattern};
use ruby_prism::{Node, RegularExpressionNode};

use super::params::KEYWORD_REST;
use super::{Expr, ExprKind, Lower, LowerError, Lowered, boxed, name, text};
use crate::code::{BlockArg, Call};

impl Lower {
    pub(super) fn literal(&mut self, node: &Node<'_>) -> Lowered<Option<ExprKind>> {
        Ok(Some(match node {
            Node::NilNode { .. } => ExprKind::Nil,
            Node::TrueNode { .. } => ExprKind::True,
            Node::FalseNode { .. } => ExprKind::False,
            Node::SelfNode { .. } => ExprKind::SelfValue,
            Node::SourceFileNode { .. } => ExprKind::File,
            Node::SourceLineNode { .. } => ExprKind::Refused("__LINE__"),
            _ => match self.scalar(node) {
                Some(kind) => kind,
                None => return self.composed(node),
            },
        }))
    }

    fn scalar(&mut self, node: &Node<'_>) -> Option<ExprKind> {
        if let Some(integer) = node.as_integer_node() {
            let value = integer.value();
            let (negative, digits) = value.to_u32_digits();
            let sign = if negative { Sign::Minus } else { Sign::Plus };
            let big = BigInt::from_slice(sign, digits);
            return Some(big.to_i64().map_or_else(|| ExprKind::Big(Arc::new(big)), ExprKind::Integer));
        }
        if let Some(float) = node.as_float_node() {
            return Some(ExprKind::Float(float.value()));
        }
        if let Some(string) = node.as_string_node() {
            return Some(match string_kind(string.unescaped()) {
                ExprKind::String(text) if string.is_frozen() => ExprKind::FrozenString(text),
                kind => kind,
            });
        }
        if let Some(symbol) = node.as_symbol_node() {
            return Some(ExprKind::Symbol(text(symbol.unescaped())));
        }
        if let Some(read) = node.as_instance_variable_read_node() {
            return Some(ExprKind::Instance(name(&read.name())));
        }
        if let Some(read) = node.as_global_variable_read_node() {
            return Some(ExprKind::Global(name(&read.name())));
        }
        if let Some(read) = node.as_class_variable_read_node() {
            return Some(ExprKind::ClassVariable(name(&read.name())));
        }
        if let Some(read) = node.as_constant_read_node() {
            return Some(ExprKind::Constant(name(&read.name())));
        }
        if let Some(read) = node.as_numbered_reference_read_node() {
            return Some(ExprKind::Matched(read.number()));
        }
        node.as_back_reference_read_node().map(|read| ExprKind::Global(name(&read.name())))
    }

    fn composed(&mut self, node: &Node<'_>) -> Lowered<Option<ExprKind>> {
        if let Some(regex) = node.as_regular_expression_node() {
            return Ok(Some(ExprKind::Regex(pattern(&regex)?)));
        }
        if let Some(string) = node.as_interpolated_string_node() {
            return Ok(Some(ExprKind::Joined(self.each(&string.parts())?)));
        }
        if let Some(command) = node.as_x_string_node() {
            return Ok(Some(run_by(Expr { at: command.location().start(), kind: string_kind(command.unescaped()) })));
        }
        if let Some(command) = node.as_interpolated_x_string_node() {
            let line = ExprKind::Joined(self.each(&command.parts())?);
            return Ok(Some(run_by(Expr { at: command.location().start(), kind: line })));
        }
        if let Some(symbol) = node.as_interpolated_symbol_node() {
            return Ok(Some(ExprKind::JoinedSymbol(self.each(&symbol.parts())?)));
        }
        if let Some(regex) = node.as_interpolated_regular_expression_node() {
            let options = Options {
                ignore_case: regex.is_ignore_case(),
                multi_line: regex.is_multi_line(),
                extended: regex.is_extended(),
            };
            let parts = regex.parts().iter().map(|part| self.pattern_part(&part)).collect::<Lowered<_>>()?;
            return Ok(Some(ExprKind::JoinedRegex(parts, options)));
        }
        if let Some(array) = node.as_array_node() {
            return Ok(Some(ExprKind::Array(self.elements(&array.elements())?)));
        }
        if let Some(hash) = node.as_hash_node() {
            return Ok(Some(ExprKind::Hash(self.pairs(&hash.elements())?)));
        }
        if let Some(hash) = node.as_keyword_hash_node() {
            return Ok(Some(ExprKind::Keywords(self.pairs(&hash.elements())?)));
        }
        if let Some(range) = node.as_range_node() {
            let (from, to) = (self.optional(range.left())?, self.optional(range.right())?);
            return Ok(Some(ExprKind::Range(from, to, range.is_exclude_end())));
        }
        if let Some(path) = node.as_constant_path_node() {
            let Some(last) = path.name() else { return Ok(Some(ExprKind::Refused("a constant without a name"))) };
            return Ok(Some(match path.parent() {
                Some(parent) => ExprKind::ConstantOf(boxed(self.expr(&parent)?), name(&last)),
                None => ExprKind::TopConstant(name(&last)),
            }));
        }
        Ok(None)
    }

    fn pattern_part(&mut self, part: &Node<'_>) -> Lowered {
        match part.as_string_node() {
            Some(string) => {
                let kind = ExprKind::String(pattern_text(string.content_loc().as_slice()).into());
                Ok(Expr { at: part.location().start(), kind })
            }
            None => self.expr(part),
        }
    }

    /// Elements of an array: pairs without braces at the end are a hash.
    fn elements(&mut self, nodes: &ruby_prism::NodeList<'_>) -> Lowered<Vec<Expr>> {
        let mut elements = self.each(nodes)?;
        for element in &mut elements {
            if let ExprKind::Keywords(pairs) = &mut element.kind {
                element.kind = ExprKind::Hash(std::mem::take(pairs));
            }
        }
        Ok(elements)
    }

    pub(super) fn pairs(&mut self, nodes: &ruby_prism::NodeList<'_>) -> Lowered<Vec<(Option<Expr>, Expr)>> {
        let mut pairs = Vec::with_capacity(nodes.len());
        for node in nodes.iter() {
            if let Some(pair) = node.as_assoc_node() {
                pairs.push((Some(self.expr(&pair.key())?), self.expr(&pair.value())?));
            } else if let Some(value) = node.as_assoc_splat_node().and_then(|splat| splat.value()) {
                // Behind a key, a hash that is written out is as if its pairs stood there.
                if let (Some((Some(_), _)), Some(hash)) = (pairs.first(), value.as_hash_node()) {
                    pairs.extend(self.pairs(&hash.elements())?);
                    continue;
                }
                pairs.push((None, self.expr(&value)?));
            } else {
                pairs.push((None, self.nameless_read(KEYWORD_REST, node.location().start())));
            }
        }
        Ok(pairs)
    }
}

fn string_kind(bytes: &[u8]) -> ExprKind {
    match std::str::from_utf8(bytes) {
        Ok(text) => ExprKind::String(text.into()),
        Err(_) => ExprKind::Bytes(bytes.into()),
    }
}

/// Returns a pattern as it is written: it keeps its escapes. One that is wrong is no Ruby, whether or not it is ever
/// looked for.
fn pattern(regex: &RegularExpressionNode<'_>) -> Lowered<Arc<Regexp>> {
    let options = Options {
        ignore_case: regex.is_ignore_case(),
        multi_line: regex.is_multi_line(),
        extended: regex.is_extended(),
    };
    let source = pattern_text(regex.content_loc().as_slice());
    // What is right in another encoding is not known here.
    let is_unicode = !(regex.is_ascii_8bit() || regex.is_euc_jp() || regex.is_windows_31j());
    match check_with(&source, options.extended, options.ignore_case) {
        Err(error) if is_unicode => Err(LowerError {
            at: regex.location().start(),
            message: format!("syntax error, {}: /{}/", error.message, display_pattern(&source)),
        }),
        _ => Ok(Arc::new(Regexp::new(source, options))),
    }
}

/// Returns a pattern between its delimiters: an escaped slash is a slash.
fn pattern_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace("\\/", "/")
}

/// Returns a command in backticks is a call of the method of that name.
fn run_by(line: Expr) -> ExprKind {
    let call = Call {
        receiver: None,
        name: "`".into(),
        args: vec![line],
        block: BlockArg::None,
        safe: false,
        bare: false,
        assigns: false,
    };
    ExprKind::Call(Box::new(call))
}
