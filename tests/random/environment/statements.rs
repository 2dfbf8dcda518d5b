//! The statements of a body.

use super::super::tree::Tree;
use super::generate::{CLASSES, Generator, braces};

impl Generator {
    pub(super) fn body(&mut self, depth: usize) -> Tree {
        let count = self.numbers.below(4);
        Tree::list("\n", (0..count).map(|_| self.statement(depth)).collect())
    }

    pub(super) fn statement(&mut self, depth: usize) -> Tree {
        if depth > 0 && self.numbers.one_in(9) {
            return self.nested(depth);
        }
        match self.numbers.below(30) {
            0..=6 => self.resource(),
            7 | 8 => self.include(),
            9 if !self.tame || self.numbers.one_in(6) => self.class_resource(),
            10 => self.defaults(),
            11 | 12 => self.override_one(),
            13 | 14 => self.collector(),
            15 => self.realize(),
            16 | 17 => self.chain(),
            18 => Tree::text(format!("tag('{}')", self.tag())),
            19 => Tree::text(format!("notice(tagged('{}'), defined({}))", self.tag(), self.reference())),
            20 => Tree::text("notice(\"${title} ${name} ${module_name} ${caller_module_name}\")"),
            21 | 22 => self.log(),
            23 => self.variable(),
            24 | 25 => self.other_resource(),
            26 => self.stage(),
            27 if !self.tame && self.numbers.one_in(3) => self.odd(),
            _ => self.create_resources(),
        }
    }

    fn nested(&mut self, depth: usize) -> Tree {
        let heads = [
            "if $facts['kind'] == 'a'",
            "unless $cores == 4",
            "[1].each |$i|",
            "if $facts['os']['family'] =~ /^(D.*)$/",
            "if tagged('a')",
            "if defined(Class['b'])",
            "['k', 'l'].each |$i, $v|",
            "with($kind) |$x|",
        ];
        let head = self.numbers.pick(&heads);
        let before = std::mem::replace(&mut self.sure, false);
        let locals = self.locals;
        let body = self.body(depth - 1);
        self.sure = before;
        self.locals = locals;
        // An empty block would have no effect, which is an error.
        let whole = braces(head, Tree::list("\n", vec![body, Tree::text("notice('block')")]));
        match self.numbers.below(5) {
            0 if head.starts_with("if ") => {
                let other = self.body(depth - 1);
                self.locals = locals;
                Tree::Group(vec![whole, braces(" else", Tree::list("\n", vec![other, Tree::text("notice('else')")]))])
            }
            1 => {
                let case = format!(
                    "case $kind {{\n'a', /^z/: {{ notice('is a') }}\n{}: {{ notice('other') }}\n}}",
                    self.numbers.pick(&["default", "'b'"])
                );
                Tree::list("\n", vec![whole, Tree::text(case)])
            }
            _ => whole,
        }
    }

    fn include(&mut self) -> Tree {
        let how = self.numbers.pick(&["include", "include", "include", "contain", "require"]);
        let class = self.numbers.pick(&CLASSES);
        let other = self.numbers.pick(&CLASSES);
        Tree::text(match self.numbers.below(10) {
            0 => format!("{how} {class}, {other}"),
            1 => format!("{how} ['::{class}', {other}]"),
            2 => format!("{how} Class['{class}']"),
            3 => format!("['{class}'].{how}"),
            4 if self.has_data => "lookup('classes', { merge => 'unique', default_value => [] }).include".to_owned(),
            5 if self.has_data && !self.tame => "hiera_include('classes')".to_owned(),
            6 if !self.tame => format!(
                "{how} {}",
                self.numbers.pick(&["nope", "undef", "''", "[]", "5", "Notify['x']", "'A'", "a::nope"])
            ),
            _ => format!("{how} {class}"),
        })
    }

    fn realize(&mut self) -> Tree {
        let first = self.virtual_reference();
        Tree::text(match self.numbers.below(4) {
            0 => format!("realize {first}, {}", self.virtual_reference()),
            1 => format!("realize([{first}])"),
            _ => format!("realize({first})"),
        })
    }

    fn chain(&mut self) -> Tree {
        let mut operands = Vec::new();
        for _ in 0..2 + self.numbers.below(2) {
            operands.push(match self.numbers.below(9) {
                0 | 1 => Tree::text(self.collected()),
                2 => Tree::text(format!("[{}, {}]", self.reference(), self.reference())),
                3 if !self.tame => Tree::text(self.numbers.pick(&[
                    "Class['a', 'b']",
                    "Notify['n0', 'n1']",
                    "'a'",
                    "undef",
                    "[]",
                    "Class['nope']",
                    "Notify",
                    "$kind",
                ])),
                4 if self.definition.is_none() => self.resource(),
                _ => Tree::text(self.reference()),
            });
        }
        let arrow = self.numbers.pick(&[" -> ", " -> ", " ~> ", " <- ", " <~ "]);
        let mut parts = Vec::new();
        for (at, operand) in operands.into_iter().enumerate() {
            if at > 0 {
                parts.push(Tree::text(arrow));
            }
            // A statement of another kind is no operand.
            let fits = !operand.source().starts_with("notice");
            parts.push(if fits { operand } else { Tree::text("Stage['main']") });
        }
        Tree::Group(parts)
    }

    fn log(&mut self) -> Tree {
        let level = self.numbers.pick(&["notice", "notice", "warning", "err", "info", "alert"]);
        let value = self.value();
        match self.numbers.below(3) {
            // In a string, a text of its own would end it.
            0 if !value.contains('"') && !value.starts_with(|first: char| first.is_ascii_digit()) => {
                Tree::text(format!("{level}(\"value ${{{value}}}\")"))
            }
            1 => Tree::text(format!("{level}({value}, type({value}, 'generalized'))")),
            _ => Tree::text(format!("{level}({value})")),
        }
    }

    fn variable(&mut self) -> Tree {
        let value = self.value();
        let at = self.locals;
        self.locals += 1;
        // Left out, it would leave its uses behind: that is an error which both know.
        Tree::text(format!("$v{at} = {value}"))
    }

    fn stage(&mut self) -> Tree {
        if self.tame && !std::mem::replace(&mut self.staged, true) {
            return Tree::text("stage { 'pre': before => Stage['main'] }");
        }
        if self.tame {
            return Tree::text("notice('staged')");
        }
        let class = self.numbers.pick(&CLASSES);
        Tree::text(match self.numbers.below(3) {
            0 => "stage { 'pre': }".to_owned(),
            1 => format!("stage {{ 'pre': }} class {{ '{class}': stage => 'pre' }}"),
            _ => format!("stage {{ 'late': require => Stage['main'] }} -> class {{ '{class}': stage => late }}"),
        })
    }

    /// What is wrong, or hardly ever done.
    fn odd(&mut self) -> Tree {
        let reference = self.reference();
        let odd = [
            "fail('enough')".to_owned(),
            "return()".to_owned(),
            "break()".to_owned(),
            format!("{reference} {{ nope => 1 }}"),
            "$title = 'x'".to_owned(),
            "$p = 5".to_owned(),
            "Class <| |>".to_owned(),
            "Nope <| |>".to_owned(),
            "tag('no tag!')".to_owned(),
            "realize(Nope['x'])".to_owned(),
            "realize('x')".to_owned(),
            "Class['a'] { p => 1 }".to_owned(),
            "D['i0'] { p => 5 }".to_owned(),
            "notify { [undef]: }".to_owned(),
            "notify { '': }".to_owned(),
            "notify { ['x', ['y']]: }".to_owned(),
            "notify { [1]: }".to_owned(),
            "notify { $facts['tags']: }".to_owned(),
            "notify { []: }".to_owned(),
            "class inner { notice('inner') } include inner".to_owned(),
            "define local::one { } local::one { 'x': }".to_owned(),
            format!("notify {{ 'ref': message => {reference}[0] }}"),
            "Notify <| title == 'n0' |> -> Notify['nope']".to_owned(),
            "contain('a', 'nope')".to_owned(),
            "Resource['notify'] { 'res': message => 'x' }".to_owned(),
            "Resource[Notify['n0']] { message => 'x' }".to_owned(),
        ];
        Tree::text(odd[self.numbers.below(odd.len())].clone())
    }
}
