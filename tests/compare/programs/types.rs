//! Types as they are written, and values that fit one, or nearly.

use pantin::values::types::{HashType, IntegerRange, Member, Size};
use pantin::values::{BuiltInOnly, Type, types};

use super::super::random::tree::Tree;
use super::generate::Generator;
use super::literals::Sort;

const PLAIN: [&str; 42] = [
    "Any",
    "Undef",
    "Default",
    "Scalar",
    "ScalarData",
    "Numeric",
    "Integer",
    "Integer",
    "Float",
    "Boolean",
    "String",
    "String",
    "Enum",
    "Pattern",
    "Regexp",
    "Collection",
    "Array",
    "Hash",
    "Tuple",
    "Struct",
    "Variant",
    "Optional",
    "NotUndef",
    "Type",
    "Sensitive",
    "Iterable",
    "Iterator",
    "Init",
    "Callable",
    "Runtime",
    "Timespan",
    "Timestamp",
    "SemVer",
    "SemVerRange",
    "Binary",
    "URI",
    "Data",
    "RichData",
    "CatalogEntry",
    "Resource",
    "Class",
    "Object",
];

/// Types with parameters, some of them wrong: `%i` a number, `%f` one with a fraction, `%s` a string, `%r` a
/// regular expression, `%t` a type.
const SHAPES: [&str; 73] = [
    "Integer[%i]",
    "Integer[%i, %i]",
    "Integer[default, %i]",
    "Integer[%i, default]",
    "Float[%f]",
    "Float[%f, %f]",
    "Float[%i, %f]",
    "Boolean[true]",
    "Boolean[false]",
    "String[%i]",
    "String[%i, %i]",
    "String[1]",
    "String[%s]",
    "Enum[%s]",
    "Enum[%s, %s]",
    "Enum[%s, %s, true]",
    "Enum['a', 'b', 'c']",
    "Pattern[%r]",
    "Pattern[%r, %s]",
    "Regexp[%r]",
    "Collection[%i]",
    "Collection[%i, %i]",
    "Array[%t]",
    "Array[%t, %i]",
    "Array[%t, %i, %i]",
    "Array[%i, %i]",
    "Array[%t, %t]",
    "Hash[%t, %t]",
    "Hash[String, %t]",
    "Hash[%t, %t, %i, %i]",
    "Hash[%i, %i]",
    "Hash[%t]",
    "Tuple[%t]",
    "Tuple[%t, %t]",
    "Tuple[%t, %i]",
    "Tuple[%t, %t, %i, %i]",
    "Struct[{a => %t}]",
    "Struct[{a => %t, b => %t}]",
    "Struct[{Optional[a] => %t, b => %t}]",
    "Struct[{NotUndef[a] => %t}]",
    "Struct[{%s => %t}]",
    "Variant[%t]",
    "Variant[%t, %t]",
    "Variant[%t, %t, %t]",
    "Optional[%t]",
    "Optional[%s]",
    "NotUndef[%t]",
    "NotUndef[%s]",
    "Type[%t]",
    "Sensitive[%t]",
    "Iterable[%t]",
    "Iterator[%t]",
    "Init[%t]",
    "Init[%t, %i]",
    "Callable[%t]",
    "Callable[%t, %t]",
    "Callable[%i, %i]",
    "Callable[%t, %i, %i]",
    "Callable[%t, Callable[%t]]",
    "Callable[[%t], %t]",
    "Runtime['ruby', %s]",
    "Timespan[%i, %i]",
    "Timespan[%s]",
    "Timestamp[%s, %s]",
    "Timestamp['2000-01-01', default]",
    "SemVer[%s]",
    "SemVer['>=1.0.0']",
    "URI[%s]",
    "URI[{scheme => 'http'}]",
    "Resource['file', %s]",
    "File[%s]",
    "Class[%s]",
    "%t[%t]",
];

impl Generator<'_> {
    pub(super) fn type_expression(&mut self, depth: usize) -> Tree {
        if !self.aliases.is_empty() && self.numbers.one_in(5) {
            let name = self.numbers.below(self.aliases.len());
            return Tree::leaf(self.aliases[name].clone());
        }
        if depth == 0 || self.numbers.one_in(3) {
            return Tree::leaf(self.numbers.pick(&PLAIN));
        }
        let shape = self.numbers.pick(&SHAPES);
        let mut parts = Vec::new();
        let mut rest = shape;
        let mut low = 0;
        while let Some(at) = rest.find('%') {
            parts.push(Tree::text(&rest[..at]));
            let odd = self.odd(12);
            parts.push(match &rest[at + 1..at + 2] {
                _ if odd => self.any_literal(),
                "i" => {
                    low = if self.wild() { self.numbers.below(6) } else { low + self.numbers.below(3) };
                    Tree::leaf(low.to_string())
                }
                "f" => self.literal(Sort::Float),
                "s" => self.literal(Sort::String),
                "r" => self.literal(Sort::Regexp),
                _ => self.type_expression(depth - 1),
            });
            rest = &rest[at + 2..];
        }
        parts.push(Tree::text(rest));
        Tree::Expression(parts)
    }

    /// A value of a type that is written down, or nearly one.
    pub(super) fn value_of_written(&mut self, written: &str, depth: usize) -> Tree {
        let near = self.odd(3);
        match types::parse(written, &mut BuiltInOnly) {
            Ok(of) if near => self.value_near(&of, depth),
            Ok(of) => self.value_of(&of, depth),
            Err(_) => self.any_expression(depth),
        }
    }

    /// Wrong at one place, or not at all.
    fn value_near(&mut self, of: &Type, depth: usize) -> Tree {
        self.wrong = true;
        let value = self.value_of(of, depth);
        self.wrong = false;
        value
    }

    pub(super) fn value_of(&mut self, of: &Type, depth: usize) -> Tree {
        if self.wrong && self.numbers.one_in(3) {
            self.wrong = false;
            return self.any_expression(depth);
        }
        let of = of.resolved();
        let inner = depth.saturating_sub(1);
        match of {
            Type::Undef => self.literal(Sort::Undef),
            Type::Default => self.literal(Sort::Default),
            Type::Boolean(_) => self.expression(Sort::Boolean, inner),
            Type::Integer(range) => self.integer_in(*range, inner),
            Type::Float(_) => self.expression(Sort::Float, inner),
            Type::Numeric => {
                let sort = self.numbers.pick(&[Sort::Integer, Sort::Float]);
                self.expression(sort, inner)
            }
            Type::String(_) | Type::StringValue(_) | Type::Pattern(_) => self.expression(Sort::String, inner),
            Type::Enum(of) if !of.values.is_empty() => {
                let at = self.numbers.below(of.values.len());
                Tree::leaf(format!("'{}'", of.values[at].replace("'", "\\'")))
            }
            Type::Regexp(_) => self.literal(Sort::Regexp),
            Type::Array(of) => {
                let count = self.count_in(of.size);
                let element = of.element.clone();
                self.array_of((0..count).map(|_| element.clone()).collect(), inner)
            }
            Type::Tuple(of) => {
                let count = self.count_in(of.size_range());
                self.array_of((0..count).filter_map(|at| of.element_type(at).cloned()).collect(), inner)
            }
            Type::Hash(of) => self.hash_of(of, inner),
            Type::Struct(members) => self.struct_of(members, inner),
            Type::Variant(types) if !types.is_empty() => {
                let at = self.numbers.below(types.len());
                self.value_of(&types[at], depth)
            }
            Type::Optional(_) if self.numbers.one_in(3) => self.literal(Sort::Undef),
            Type::Optional(Some(of)) | Type::NotUndef(Some(of)) => self.value_of(of, depth),
            Type::Type(_) => self.type_expression(depth.min(1)),
            Type::Sensitive(Some(of)) => {
                let value = self.value_of(of, inner);
                Tree::Expression(vec![Tree::text("Sensitive("), value, Tree::text(")")])
            }
            Type::Sensitive(None) => self.literal(Sort::Sensitive),
            Type::Timestamp(_) => self.literal(Sort::Timestamp),
            Type::Timespan(_) => self.literal(Sort::Timespan),
            Type::SemVer(_) => self.literal(Sort::SemVer),
            Type::SemVerRange => self.literal(Sort::SemVerRange),
            Type::Binary => self.literal(Sort::Binary),
            Type::Uri(_) => self.literal(Sort::Uri),
            Type::Iterable(_) | Type::Iterator(_) | Type::Collection(_) => {
                let sort = self.numbers.pick(&[Sort::Array, Sort::Array, Sort::Hash, Sort::String, Sort::Integer]);
                if sort == Sort::Integer { Tree::leaf("3") } else { self.expression(sort, inner) }
            }
            Type::Scalar | Type::ScalarData => {
                let sort = self.numbers.pick(&[Sort::Integer, Sort::String, Sort::Boolean, Sort::Float]);
                self.expression(sort, inner)
            }
            _ => self.any_expression(inner),
        }
    }

    fn integer_in(&mut self, range: IntegerRange, depth: usize) -> Tree {
        if range == IntegerRange::ALL {
            return self.expression(Sort::Integer, depth);
        }
        let low = if range.from == i64::MIN { range.to.saturating_sub(5) } else { range.from };
        let width = range.to.saturating_sub(low).clamp(0, 5);
        let spread = self.numbers.below(width as usize + 1) as i64;
        Tree::leaf(low.saturating_add(spread).to_string())
    }

    fn count_in(&mut self, size: Size) -> usize {
        let low = size.min.min(4) as usize;
        let high = size.max.min(low as u64 + 3) as usize;
        let exact = low + self.numbers.below(high.saturating_sub(low) + 1);
        if self.wrong && self.numbers.one_in(4) {
            self.wrong = false;
            return exact + 1;
        }
        exact
    }

    fn array_of(&mut self, types: Vec<Type>, depth: usize) -> Tree {
        let items = types.iter().map(|of| self.value_of(of, depth)).collect();
        Tree::Expression(vec![Tree::text("["), Tree::list(", ", items), Tree::text("]")])
    }

    fn hash_of(&mut self, of: &HashType, depth: usize) -> Tree {
        let mut entries = Vec::new();
        for _ in 0..self.count_in(of.size) {
            let key = self.value_of(&of.key, 0);
            let value = self.value_of(&of.value, depth);
            entries.push(Tree::list(" => ", vec![key, value]));
        }
        Tree::Expression(vec![Tree::text("{"), Tree::list(", ", entries), Tree::text("}")])
    }

    fn struct_of(&mut self, members: &[Member], depth: usize) -> Tree {
        let mut entries = Vec::new();
        for member in members {
            if member.optional && self.numbers.one_in(2) {
                continue;
            }
            if self.wrong && self.numbers.one_in(5) {
                self.wrong = false;
                continue;
            }
            let value = self.value_of(&member.value, depth);
            let key = Tree::leaf(format!("'{}'", member.name.replace("'", "\\'")));
            entries.push(Tree::list(" => ", vec![key, value]));
        }
        if self.wrong && self.numbers.one_in(4) {
            entries.push(Tree::list(" => ", vec![Tree::leaf("zz"), Tree::leaf("1")]));
            self.wrong = false;
        }
        Tree::Expression(vec![Tree::text("{"), Tree::list(", ", entries), Tree::text("}")])
    }
}
