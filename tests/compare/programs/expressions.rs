//! Expressions: operators, access, selectors, strings with values in them.

use super::super::random::tree::Tree;
use super::generate::Generator;
use super::literals::Sort;

const ARITHMETIC: [&str; 7] = ["+", "-", "*", "/", "%", "<<", ">>"];
const COMPARISONS: [&str; 9] = ["==", "!=", "<", ">", "<=", ">=", "in", "=~", "!~"];

fn sum(parts: Vec<Tree>) -> Tree {
    Tree::Expression(parts)
}

impl Generator<'_> {
    /// Worth a value of this sort, most often.
    pub(super) fn expression(&mut self, sort: Sort, depth: usize) -> Tree {
        let sort = if self.odd(12) { self.sort() } else { sort };
        if self.numbers.one_in(6)
            && let Some(variable) = self.variable(sort)
        {
            return variable;
        }
        if depth == 0 || self.numbers.one_in(3) {
            return self.literal(sort);
        }
        if self.numbers.one_in(4) {
            return self.general(sort, depth - 1);
        }
        match sort {
            Sort::Integer | Sort::Float => self.arithmetic(sort, depth - 1),
            Sort::Boolean => self.truth(depth - 1),
            Sort::String => self.interpolated(depth - 1),
            Sort::Array => self.array_sum(depth - 1),
            Sort::Hash => self.hash_sum(depth - 1),
            Sort::Type => self.type_expression(depth),
            Sort::Timestamp | Sort::Timespan | Sort::Uri | Sort::Binary => {
                let (operator, other) = match (sort, self.wild()) {
                    (Sort::Timestamp, false) => ("+", Sort::Timespan),
                    (Sort::Timespan, false) => (self.numbers.pick(&["+", "-"]), sort),
                    (_, false) => ("+", sort),
                    (_, true) => (
                        self.numbers.pick(&["+", "-", "*", "/", "%"]),
                        self.numbers.pick(&[sort, Sort::Timespan, Sort::Integer, Sort::Float]),
                    ),
                };
                self.binary(sort, operator, other, depth - 1)
            }
            _ => self.literal(sort),
        }
    }

    fn variable(&mut self, sort: Sort) -> Option<Tree> {
        let fitting: Vec<usize> = (0..self.variables.len()).filter(|&at| self.variables[at].1 == sort).collect();
        if fitting.is_empty() {
            return None;
        }
        let at = fitting[self.numbers.below(fitting.len())];
        Some(Tree::leaf(format!("${}", self.variables[at].0)))
    }

    pub(super) fn binary(&mut self, left: Sort, operator: &str, right: Sort, depth: usize) -> Tree {
        let left = self.expression(left, depth);
        let right = self.expression(right, depth);
        sum(vec![Tree::text("("), left, Tree::text(format!(" {operator} ")), right, Tree::text(")")])
    }

    fn arithmetic(&mut self, sort: Sort, depth: usize) -> Tree {
        if self.numbers.one_in(8) {
            let operand = self.expression(sort, depth);
            return sum(vec![Tree::text("(- "), operand, Tree::text(")")]);
        }
        let usual: &[&str] = if sort == Sort::Float { &["+", "-", "*"] } else { &["+", "-", "*", "%", "<<", ">>"] };
        let operator = if self.wild() { self.numbers.pick(&ARITHMETIC) } else { self.numbers.pick(usual) };
        let any = if self.odd(3) { Sort::String } else { sort };
        let other = self.numbers.pick(&[sort, sort, Sort::Integer, any]);
        self.binary(sort, operator, other, depth)
    }

    pub(super) fn truth(&mut self, depth: usize) -> Tree {
        match self.numbers.below(9) {
            0 => {
                let operand = self.expression(Sort::Boolean, depth);
                sum(vec![Tree::text("(! "), operand, Tree::text(")")])
            }
            1 => {
                let operator = self.numbers.pick(&["and", "or"]);
                self.binary(Sort::Boolean, operator, Sort::Boolean, depth)
            }
            2..=3 => {
                let sort = self.sort();
                self.binary(sort, "=~", Sort::Type, depth)
            }
            4 => self.binary(Sort::String, "=~", Sort::Regexp, depth),
            5 => {
                let operator = self.numbers.pick(&["<", "<=", "==", ">", ">="]);
                self.binary(Sort::Type, operator, Sort::Type, depth)
            }
            6 => {
                let (left, right) = (self.sort(), self.numbers.pick(&[Sort::Array, Sort::Hash, Sort::String]));
                self.binary(left, "in", right, depth)
            }
            _ => {
                let left = self.sort();
                let right = if self.numbers.one_in(3) { self.sort() } else { left };
                let operator =
                    if self.wild() { self.numbers.pick(&COMPARISONS) } else { self.numbers.pick(&["==", "!="]) };
                self.binary(left, operator, right, depth)
            }
        }
    }

    fn interpolated(&mut self, depth: usize) -> Tree {
        let mut parts = vec![Tree::text("\"")];
        for _ in 0..=self.numbers.below(2) {
            parts.push(Tree::text(self.numbers.pick(&["", "x", " - ", "é"])));
            // In parentheses: a name at the start would be a variable's.
            let inner = self.any_expression(depth);
            parts.push(Tree::list("", vec![Tree::text("${("), inner, Tree::text(")}")]));
        }
        parts.push(Tree::text("\""));
        sum(parts)
    }

    fn array_sum(&mut self, depth: usize) -> Tree {
        if self.numbers.one_in(2) {
            return self.array(depth);
        }
        let operator = self.numbers.pick(&["+", "-", "<<"]);
        let other = if self.numbers.one_in(3) { self.sort() } else { Sort::Array };
        self.binary(Sort::Array, operator, other, depth)
    }

    fn hash_sum(&mut self, depth: usize) -> Tree {
        if self.numbers.one_in(2) {
            return self.hash(depth);
        }
        let operator = self.numbers.pick(&["+", "-"]);
        let other = self.numbers.pick(&[Sort::Hash, Sort::Hash, Sort::Array, Sort::String]);
        self.binary(Sort::Hash, operator, other, depth)
    }

    /// Forms that are worth any sort of value.
    fn general(&mut self, sort: Sort, depth: usize) -> Tree {
        match self.numbers.below(14) {
            0..=1 => self.selector(sort, depth),
            2 => {
                let conditional = self.conditional();
                sum(vec![Tree::text("("), conditional, Tree::text(")")])
            }
            3 => {
                let case = self.case();
                sum(vec![Tree::text("("), case, Tree::text(")")])
            }
            4..=5 => self.access(depth),
            6..=7 if self.has("new") => self.conversion(sort, depth),
            8 => self.call_with_lambda(depth),
            9 if !self.defined.is_empty() => self.call_defined(depth),
            _ => self.call(depth),
        }
    }

    fn selector(&mut self, sort: Sort, depth: usize) -> Tree {
        let of = self.sort();
        let tested = self.expression(of, depth);
        let mut options = Vec::new();
        for _ in 0..=self.numbers.below(2) {
            let matching = self.matching(of);
            let value = self.expression(sort, depth);
            options.push(Tree::list(" => ", vec![matching, value]));
        }
        if !self.odd(3) {
            let value = self.expression(sort, depth);
            options.push(Tree::list(" => ", vec![Tree::text("default"), value]));
        }
        sum(vec![Tree::text("("), tested, Tree::text(" ? { "), Tree::list(", ", options), Tree::text(" })")])
    }

    /// What a value of the sort may be held against.
    pub(super) fn matching(&mut self, sort: Sort) -> Tree {
        match self.numbers.below(5) {
            0 => self.type_expression(2),
            1 => self.literal(Sort::Regexp),
            _ if sort == Sort::Default => self.literal(Sort::String),
            2 if self.wild() => self.any_literal(),
            // A hash in front of a block would be taken for a part of it.
            _ if sort == Sort::Hash => self.literal(Sort::Type),
            _ => self.literal(sort),
        }
    }

    fn access(&mut self, depth: usize) -> Tree {
        let (sort, key) = match self.numbers.below(8) {
            0..=2 => (Sort::Array, Sort::Integer),
            3..=4 => (Sort::Hash, Sort::String),
            5..=6 => (Sort::String, Sort::Integer),
            _ if !self.wild() => (Sort::Hash, Sort::String),
            _ => (self.sort(), self.sort()),
        };
        let left = self.expression(sort, depth);
        let count = if sort == Sort::Array || self.wild() { self.numbers.pick(&[1, 1, 1, 2, 2, 3]) } else { 1 };
        let mut keys = Vec::new();
        for _ in 0..count {
            keys.push(match key {
                Sort::Integer if !self.odd(6) => Tree::leaf(self.numbers.pick(&["0", "1", "2", "-1", "-2", "5", "-9"])),
                Sort::String if !self.odd(4) => Tree::leaf(self.numbers.pick(&["a", "b", "'c'", "key"])),
                key => self.literal(key),
            });
        }
        sum(vec![Tree::text("("), left, Tree::text(")["), Tree::list(", ", keys), Tree::text("]")])
    }
}
