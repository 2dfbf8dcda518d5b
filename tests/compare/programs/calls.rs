//! Calls: of the registry's functions by their signatures, of the program's own, with lambdas, and of `new`.

use pantin::eval::{Overload, Param, required};
use pantin::values::signature::ParamKind;

use super::super::random::tree::Tree;
use super::generate::Generator;
use super::literals::Sort;

/// What ends a program, by itself or for want of classes, data and files, is not to end most of them.
const ENDING: [&str; 28] = [
    "fail",
    "return",
    "next",
    "break",
    "include",
    "contain",
    "require",
    "realize",
    "create_resources",
    "tag",
    "tagged",
    "lookup",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "annotate",
    "file",
    "binary_file",
    "find_file",
    "find_template",
    "template",
    "inline_template",
    "epp",
    "inline_epp",
    "module_directory",
    "defined",
    "import",
];

impl Generator<'_> {
    pub(super) fn call(&mut self, depth: usize) -> Tree {
        let mut function = self.functions[self.numbers.below(self.functions.len())].declared;
        while ENDING.contains(&function.name) && !self.odd(8) {
            function = self.functions[self.numbers.below(self.functions.len())].declared;
        }
        let overload = &function.overloads[self.numbers.below(function.overloads.len())];
        self.call_of(function.name, overload, depth.saturating_sub(1))
    }

    /// Of a function that takes one.
    pub(super) fn call_with_lambda(&mut self, depth: usize) -> Tree {
        let takes = |overload: &&Overload| overload.block.is_some();
        let fitting: Vec<(&str, &Overload)> = self
            .functions
            .iter()
            .flat_map(|known| known.declared.overloads.iter().filter(takes).map(|one| (known.declared.name, one)))
            .collect();
        match fitting.get(self.numbers.below(fitting.len())) {
            Some((name, overload)) => self.call_of(name, overload, depth.saturating_sub(1)),
            None => self.any_literal(),
        }
    }

    fn call_of(&mut self, name: &str, overload: &Overload, depth: usize) -> Tree {
        let mut args = Vec::new();
        let params = if self.wild() { overload.params } else { usual(name).unwrap_or(overload.params) };
        for param in params {
            let count = match param.kind {
                ParamKind::Required => usize::from(!self.odd(15)),
                ParamKind::Optional => self.numbers.below(2),
                ParamKind::Repeated => self.numbers.below(3),
                ParamKind::RequiredRepeated => 1 + self.numbers.below(2),
            };
            for _ in 0..count {
                args.push(match param.name {
                    "format" | "formats" if !self.odd(5) => self.format(),
                    _ => self.value_of_written(param.type_text, depth),
                });
            }
        }
        if self.odd(15) {
            args.push(self.any_literal());
        }
        let lambda = match &overload.block {
            Some(block) if block.optional && self.numbers.one_in(2) => None,
            Some(block) if !self.odd(20) => Some(self.lambda(block.type_text, depth)),
            None if self.odd(30) => Some(self.lambda("Callable", depth)),
            _ => None,
        };
        let chained = !args.is_empty() && self.numbers.one_in(5);
        let mut parts = Vec::new();
        if chained {
            let receiver = args.remove(0);
            parts.extend([Tree::text("("), receiver, Tree::text(format!(").{name}("))]);
        } else {
            parts.push(Tree::text(format!("{name}(")));
        }
        parts.push(Tree::list(", ", args));
        parts.push(Tree::text(")"));
        parts.extend(lambda.map(|lambda| Tree::list("", vec![lambda])));
        // A call may stand before `?` and `[`, but not a lambda.
        parts.insert(0, Tree::text("("));
        parts.push(Tree::text(")"));
        Tree::Expression(parts)
    }

    /// A lambda for a parameter of this type: most often with as many parameters as that says.
    fn lambda(&mut self, of: &str, depth: usize) -> Tree {
        let counts: Vec<usize> =
            of.chars().filter_map(|letter| letter.to_digit(10)).map(|digit| digit as usize).collect();
        let count = match counts[..] {
            [] => self.numbers.below(3),
            _ if self.odd(8) => self.numbers.below(4),
            _ => counts[self.numbers.below(counts.len())].min(4),
        };
        self.scoped(|generator| {
            let mut params = Vec::new();
            for at in 0..count {
                let name = format!("l{}{at}", generator.variables.len());
                let mut parts = Vec::new();
                if generator.numbers.one_in(5) {
                    parts.push(generator.type_expression(1));
                    parts.push(Tree::text(" "));
                }
                parts.push(Tree::text(format!("${name}")));
                let sort = generator.sort();
                generator.variables.push((name, sort));
                params.push(Tree::list("", parts));
            }
            let mut statements = Vec::new();
            if generator.numbers.one_in(6) {
                let word = generator.numbers.pick(&["break", "next", "return"]);
                let value = if word == "break" { Tree::text("") } else { generator.any_literal() };
                let test = generator.truth(1);
                statements.push(Tree::list(
                    "",
                    vec![Tree::text("if "), test, Tree::text(format!(" {{ {word}(")), value, Tree::text(") }")],
                ));
            }
            statements.push(generator.lambda_value(count, depth));
            let params = Tree::list(", ", params);
            let body = Tree::list("; ", statements);
            Tree::list("", vec![Tree::text(" |"), params, Tree::text("| { "), body, Tree::text(" }")])
        })
    }

    /// What a lambda is worth: something of its parameters, or anything.
    fn lambda_value(&mut self, count: usize, depth: usize) -> Tree {
        let own = self.variables.len() - count;
        if count == 0 || self.numbers.one_in(4) {
            return self.any_expression(depth);
        }
        let name = format!("${}", self.variables[own + self.numbers.below(count)].0);
        match self.numbers.below(4) {
            0 => Tree::leaf(name),
            1 => {
                let operator = match self.wild() {
                    true => self.numbers.pick(&["==", "<", ">", "+", "*", "in", "=~", "!="]),
                    false => self.numbers.pick(&["==", "!="]),
                };
                let right = self.any_literal();
                Tree::Expression(vec![
                    Tree::text("("),
                    Tree::leaf(name),
                    Tree::text(format!(" {operator} ")),
                    right,
                    Tree::text(")"),
                ])
            }
            2 => Tree::Expression(vec![Tree::text("["), Tree::list(", ", vec![Tree::leaf(name)]), Tree::text("]")]),
            _ => Tree::leaf(format!("\"<{name}>\"")),
        }
    }

    pub(super) fn call_defined(&mut self, depth: usize) -> Tree {
        let at = self.numbers.below(self.defined.len());
        let (name, types) = self.defined[at].clone();
        let mut args: Vec<Tree> = types.iter().map(|of| self.value_of_written(of, depth.min(1))).collect();
        match self.numbers.below(12) {
            _ if !self.wild() => {}
            0 => drop(args.pop()),
            1 => args.push(self.any_literal()),
            _ => {}
        }
        Tree::Expression(vec![Tree::text(format!("{name}(")), Tree::list(", ", args), Tree::text(")")])
    }

    /// A conversion: `T(value)`, `T.new(value)`, `new(T, value)`.
    pub(super) fn conversion(&mut self, sort: Sort, depth: usize) -> Tree {
        let target = match sort {
            Sort::Boolean => Tree::leaf("Boolean"),
            Sort::Integer => Tree::leaf(self.numbers.pick(&["Integer", "Numeric", "Integer[0, 5]"])),
            Sort::Float => Tree::leaf(self.numbers.pick(&["Float", "Numeric"])),
            Sort::String => Tree::leaf("String"),
            Sort::Regexp => Tree::leaf("Regexp"),
            Sort::Array => Tree::leaf(self.numbers.pick(&["Array", "Tuple", "Array[Integer]"])),
            Sort::Hash => Tree::leaf(self.numbers.pick(&["Hash", "Struct", "Hash[String, Integer]"])),
            Sort::Sensitive => Tree::leaf("Sensitive"),
            Sort::Timestamp => Tree::leaf("Timestamp"),
            Sort::Timespan => Tree::leaf("Timespan"),
            Sort::SemVer => Tree::leaf("SemVer"),
            Sort::SemVerRange => Tree::leaf("SemVerRange"),
            Sort::Binary => Tree::leaf("Binary"),
            Sort::Uri => Tree::leaf("URI"),
            _ => self.type_expression(2),
        };
        let mut args = vec![self.any_expression(depth)];
        if self.numbers.one_in(2) {
            args.push(match sort {
                Sort::Integer | Sort::Float => {
                    Tree::leaf(self.numbers.pick(&["10", "16", "8", "2", "true", "default"]))
                }
                Sort::String | Sort::Timestamp | Sort::Timespan => self.format(),
                Sort::Array => self.literal(Sort::Boolean),
                Sort::Hash => Tree::leaf(self.numbers.pick(&["'tree'", "'hash_tree'"])),
                Sort::Binary => Tree::leaf(self.numbers.pick(&["'%b'", "'%B'", "'%u'", "'%s'", "'%r'"])),
                _ => self.any_literal(),
            });
        }
        let args = Tree::list(", ", args);
        let parts = match self.numbers.below(3) {
            0 => vec![Tree::text("new("), target, Tree::text(", "), args, Tree::text(")")],
            1 => vec![target, Tree::text(".new("), args, Tree::text(")")],
            _ => vec![target, Tree::text("("), args, Tree::text(")")],
        };
        Tree::Expression(parts)
    }
}

/// What functions that take anything are meant to be given.
fn usual(name: &str) -> Option<&'static [Param]> {
    const TEXT: Param = required("String", "text");
    const FORMATTED: &[Param] = &[required("String", "format"), required("Scalar", "value")];
    const LIMITED: &[Param] = &[required("Integer[1, 9]", "max"), TEXT];
    const NUMBERS: &[Param] = &[required("Numeric", "left"), required("Numeric", "right")];
    Some(match name {
        "md5" | "sha1" | "sha256" | "digest" => &[TEXT],
        "sprintf" => FORMATTED,
        "fqdn_rand" => LIMITED,
        "shellquote" => &[TEXT, TEXT],
        "max" | "min" => NUMBERS,
        _ => return None,
    })
}
