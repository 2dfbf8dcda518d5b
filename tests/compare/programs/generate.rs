//! Makes programs: statements over every kind of expression, from one seed. A program that is meant to get to its end is
//! run as it grows: a statement that would end it is made anew.

use pantin::eval::RegisteredFunction;

use super::super::random::numbers::Numbers;
use super::super::random::tree::Tree;
use super::literals::Sort;

/// How deep expressions nest.
const DEPTH: usize = 3;

pub(super) struct Generator<'a> {
    pub(super) numbers: Numbers,
    /// The functions of the registry that a program may call.
    pub(super) functions: &'a [&'a RegisteredFunction],
    /// What a name stands for where the program has come to.
    pub(super) variables: Vec<(String, Sort)>,
    pub(super) aliases: Vec<String>,
    /// Functions of the program: the types of their parameters as they are written.
    pub(super) defined: Vec<(String, Vec<String>)>,
    /// Whether the program may be ill-typed: half of them are meant to get to their end.
    wild: bool,
    /// Whether the value being made is still to go wrong somewhere.
    pub(super) wrong: bool,
    named: usize,
}

/// So often a statement is made anew.
const ATTEMPTS: usize = 6;

/// The program of a seed: the same as long as the registry is, and as `ends` says the same. That is asked whether a
/// program gets to its end.
pub(super) fn program(seed: u64, functions: &[&RegisteredFunction], ends: &dyn Fn(&str) -> bool) -> Tree {
    let mut numbers = Numbers::new(seed);
    let wild = numbers.one_in(2);
    let mut generator = Generator {
        numbers,
        wild,
        functions,
        variables: vec![("kind".to_owned(), Sort::String), ("facts".to_owned(), Sort::Hash)],
        aliases: Vec::new(),
        defined: Vec::new(),
        wrong: false,
        named: 0,
    };
    let count = 1 + generator.numbers.below(4);
    let mut statements: Vec<Tree> = Vec::new();
    for _ in 0..count {
        generator.append(&mut statements, ends, Generator::statement);
    }
    generator.append(&mut statements, ends, |generator| generator.any_expression(DEPTH));
    Tree::list("\n", statements)
}

impl Generator<'_> {
    /// One statement more: with which the program still gets to its end, if it is meant to.
    fn append(&mut self, to: &mut Vec<Tree>, ends: &dyn Fn(&str) -> bool, make: impl Fn(&mut Self) -> Tree) {
        let (variables, aliases, defined) = (self.variables.len(), self.aliases.len(), self.defined.len());
        for attempt in 1..=ATTEMPTS {
            to.push(make(self));
            if self.wild || attempt == ATTEMPTS || ends(&Tree::list("\n", to.clone()).source()) {
                return;
            }
            to.pop();
            self.variables.truncate(variables);
            self.aliases.truncate(aliases);
            self.defined.truncate(defined);
        }
    }

    /// Whether the registry has this function.
    pub(super) fn has(&self, function: &str) -> bool {
        self.functions.iter().any(|known| known.declared.name == function)
    }

    pub(super) fn wild(&self) -> bool {
        self.wild
    }

    /// Something wrong, in one of so many cases; never in a program that is to be right.
    pub(super) fn odd(&mut self, cases: usize) -> bool {
        self.numbers.one_in(cases) && self.wild
    }

    pub(super) fn any_literal(&mut self) -> Tree {
        let sort = self.sort();
        self.literal(sort)
    }

    pub(super) fn any_expression(&mut self, depth: usize) -> Tree {
        if self.numbers.one_in(4) {
            return self.call(depth);
        }
        let sort = self.sort();
        self.expression(sort, depth)
    }

    fn fresh(&mut self, letter: char) -> String {
        self.named += 1;
        format!("{letter}{}", self.named)
    }

    /// Runs in a scope of its own: names given inside are forgotten.
    pub(super) fn scoped<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let known = self.variables.len();
        let made = make(self);
        self.variables.truncate(known);
        made
    }

    pub(super) fn statement(&mut self) -> Tree {
        match self.numbers.below(13) {
            0..=2 => self.assignment(),
            3..=4 => self.log(),
            5 => self.alias(),
            6..=7 => self.function(),
            8 => {
                let conditional = self.conditional();
                self.named(conditional)
            }
            9 => {
                let case = self.case();
                self.named(case)
            }
            10 => self.assign_many(),
            11 => {
                let call = self.call(DEPTH);
                Tree::Expression(vec![Tree::text("notice("), call, Tree::text(")")])
            }
            _ => self.iteration(),
        }
    }

    fn assignment(&mut self) -> Tree {
        let sort = self.sort();
        let value = self.expression(sort, DEPTH);
        let name = self.fresh('v');
        let statement = Tree::list(" = ", vec![Tree::text(format!("${name}")), value]);
        self.variables.push((name, sort));
        statement
    }

    /// As a statement by itself, what is only worth a value would have no effect.
    fn named(&mut self, value: Tree) -> Tree {
        let name = self.fresh('v');
        Tree::list(" = ", vec![Tree::text(format!("${name}")), value])
    }

    fn assign_many(&mut self) -> Tree {
        let (one, other) = (self.fresh('v'), self.fresh('v'));
        let value = match self.wild() {
            true if self.numbers.one_in(3) => self.hash(1),
            true => self.array(2),
            false => Tree::Expression(vec![
                Tree::text("["),
                Tree::list(", ", vec![self.any_expression(2), self.any_expression(2)]),
                Tree::text("]"),
            ]),
        };
        let names = vec![Tree::text(format!("${one}")), Tree::text(format!("${other}"))];
        self.variables.push((one, Sort::String));
        self.variables.push((other, Sort::String));
        Tree::Expression(vec![Tree::text("["), Tree::list(", ", names), Tree::text("] = "), value])
    }

    fn log(&mut self) -> Tree {
        let name = self.numbers.pick(&["notice", "notice", "notice", "warning", "err"]);
        let items = (0..=self.numbers.below(2)).map(|_| self.any_expression(DEPTH)).collect();
        Tree::Expression(vec![Tree::text(format!("{name}(")), Tree::list(", ", items), Tree::text(")")])
    }

    fn alias(&mut self) -> Tree {
        let name = self.fresh('A');
        // One that stands in itself, now and then.
        if self.numbers.one_in(5) {
            self.aliases.push(name.clone());
        }
        let of = self.type_expression(2);
        if !self.aliases.contains(&name) {
            self.aliases.push(name.clone());
        }
        Tree::Expression(vec![Tree::text(format!("type {name} = ")), of])
    }

    fn function(&mut self) -> Tree {
        let name = self.fresh('f');
        let (parts, types) = self.scoped(|generator| {
            // A function sees nothing of what is around it.
            let around = std::mem::take(&mut generator.variables);
            let mut types = Vec::new();
            let params = generator.parameters(&mut types);
            let mut parts = vec![Tree::text(format!("function {name}(")), params, Tree::text(")")];
            if generator.numbers.one_in(4) {
                parts.push(Tree::text(" >> "));
                parts.push(generator.type_expression(1));
            }
            parts.push(Tree::text(" { "));
            parts.push(generator.any_expression(2));
            parts.push(Tree::text(" }"));
            generator.variables = around;
            (parts, types)
        });
        self.defined.push((name, types));
        Tree::Expression(parts)
    }

    /// The names are known from here on.
    pub(super) fn parameters(&mut self, types: &mut Vec<String>) -> Tree {
        let count = self.numbers.below(4);
        let mut params = Vec::new();
        let mut defaults = false;
        for at in 0..count {
            let name = self.fresh('p');
            let mut parts = Vec::new();
            let mut written = "Any".to_owned();
            if !self.numbers.one_in(4) {
                let of = self.type_expression(2);
                written = of.source();
                parts.push(of);
                parts.push(Tree::text(" "));
            }
            let rest = at + 1 == count && self.numbers.one_in(6);
            parts.push(Tree::text(format!("{}${name}", if rest { "*" } else { "" })));
            if !rest && (defaults || self.numbers.one_in(4)) {
                defaults = true;
                parts.push(Tree::text(" = "));
                parts.push(self.value_of_written(&written, 1));
            }
            self.variables.push((name, if rest { Sort::Array } else { Sort::String }));
            types.push(written);
            params.push(Tree::list("", parts));
        }
        Tree::list(", ", params)
    }

    /// Statements of a block, the last an expression.
    pub(super) fn body(&mut self) -> Tree {
        self.scoped(|generator| {
            let mut statements = Vec::new();
            for _ in 0..generator.numbers.below(2) {
                statements.push(match generator.numbers.below(3) {
                    0 => generator.assignment(),
                    _ => generator.log(),
                });
            }
            statements.push(generator.any_expression(2));
            Tree::list("; ", statements)
        })
    }

    pub(super) fn conditional(&mut self) -> Tree {
        let word = self.numbers.pick(&["if", "if", "unless"]);
        let test = if self.numbers.one_in(4) { Sort::String } else { Sort::Boolean };
        let mut parts = vec![Tree::text(format!("{word} ")), self.expression(test, 2), Tree::text(" { ")];
        parts.push(self.body());
        parts.push(Tree::text(" }"));
        if self.numbers.one_in(2) {
            let otherwise = vec![Tree::text(" else { "), self.body(), Tree::text(" }")];
            parts.push(Tree::list("", otherwise));
        }
        Tree::Expression(parts)
    }

    pub(super) fn case(&mut self) -> Tree {
        let sort = self.sort();
        let mut options = Vec::new();
        for _ in 0..=self.numbers.below(3) {
            let values = (0..=self.numbers.below(2)).map(|_| self.matching(sort)).collect();
            let body = self.body();
            options.push(Tree::list("", vec![Tree::list(", ", values), Tree::text(": { "), body, Tree::text(" }")]));
        }
        if self.numbers.one_in(2) {
            let body = self.body();
            options.push(Tree::list("", vec![Tree::text("default: { "), body, Tree::text(" }")]));
        }
        let test = self.expression(sort, 2);
        Tree::Expression(vec![Tree::text("case "), test, Tree::text(" { "), Tree::list(" ", options), Tree::text(" }")])
    }

    fn iteration(&mut self) -> Tree {
        let call = self.call_with_lambda(DEPTH);
        Tree::Expression(vec![Tree::text("notice("), call, Tree::text(")")])
    }
}
