//! Calls of lambdas, procs, methods and blocks with parameters and arguments of every kind.

use super::super::random::numbers::Numbers;
use super::super::random::tree::Tree;

const ARGUMENTS: [&str; 18] = [
    "1",
    "2",
    "nil",
    "[1, 2]",
    "[3, [4, 5]]",
    "{ k: 1 }",
    "{ 'x' => 1 }",
    "*[1, 2]",
    "*[]",
    "k: 1",
    "l: 2",
    "z: 3",
    "**{ k: 4 }",
    "**{}",
    "**{ l: 1, y: 2 }",
    "[1, { k: 2 }]",
    "*[[1, 2]]",
    "'s' => 1",
];

/// What a callable is worth for its arguments.
pub(super) fn call(numbers: &mut Numbers) -> Tree {
    let (parameters, names) = parameters(numbers);
    let body = format!("[{}]", names.join(", "));
    let args = arguments(numbers);
    let parts = |before: String, between: &str, after: &str| {
        let texts = [Tree::text(before), Tree::text(between.to_owned())];
        let [before, between] = texts;
        Tree::Expression(vec![before, between, args.clone(), Tree::text(after.to_owned())])
    };
    let lambda = format!("->({parameters}) {{ {body} }}");
    let block = format!("|{parameters}| {body}");
    match numbers.below(12) {
        0 => parts(lambda, ".call(", ")"),
        1 => parts(lambda, "[", "]"),
        2 => parts(lambda, ".(", ")"),
        3 => parts(format!("proc {{ {block} }}"), ".call(", ")"),
        4 => parts(format!("proc {{ {block} }}"), ".yield(", ")"),
        5 => parts(format!("def m({parameters}) {body} end; "), "m(", ")"),
        6 => parts(format!("def m({parameters}) {body} end; "), "send(:m, ", ")"),
        7 => parts(format!("def m({parameters}) {body} end; "), "method(:m).call(", ")"),
        8 => parts("def m() yield(".to_owned(), "", &format!(") end; m {{ {block} }}")),
        9 => parts(format!("Class.new {{ define_method(:m) {{ {block} }} }}.new"), ".m(", ")"),
        10 => parts(
            format!("Class.new {{ def initialize({parameters}) @a = {body} end; attr_reader :a }}"),
            ".new(",
            ").a",
        ),
        _ => parts(format!("def m({parameters}) {body} end; def n(*a, **o) m(*a, **o) end; "), "n(", ")"),
    }
}

/// Parameters in the order that Ruby wants, and the names they bind.
fn parameters(numbers: &mut Numbers) -> (String, Vec<String>) {
    let (mut parameters, mut names) = (Vec::new(), Vec::new());
    let mut add = |parameter: &str, bound: &[&str]| {
        parameters.push(parameter.to_owned());
        names.extend(bound.iter().map(|name| (*name).to_owned()));
    };
    if numbers.one_in(2) {
        add("a", &["a"]);
    }
    match numbers.below(8) {
        0 => add("(b, c)", &["b", "c"]),
        1 => add("b", &["b"]),
        _ => {}
    }
    if numbers.one_in(3) {
        add("d = 7", &["d"]);
    }
    if numbers.one_in(8) {
        add("e = d", &["e"]);
    }
    if numbers.one_in(3) {
        add("*f", &["f"]);
    }
    if numbers.one_in(6) {
        add("g", &["g"]);
    }
    if numbers.one_in(4) {
        add("k:", &["k"]);
    }
    if numbers.one_in(4) {
        add("l: 8", &["l"]);
    }
    match numbers.below(9) {
        0 | 1 => add("**o", &["o"]),
        2 => add("**nil", &[]),
        _ => {}
    }
    let has_d = names.iter().any(|name| name == "d");
    if !has_d {
        parameters.iter_mut().filter(|parameter| *parameter == "e = d").for_each(|it| *it = "e = 6".to_owned());
    }
    let has_nil = parameters.iter().any(|parameter| parameter == "**nil");
    if has_nil {
        parameters.retain(|parameter| parameter != "k:" && parameter != "l: 8");
        names.retain(|name| name != "k" && name != "l");
    }
    (parameters.join(", "), names)
}

fn arguments(numbers: &mut Numbers) -> Tree {
    let count = numbers.below(5);
    let mut args: Vec<&str> = (0..count).map(|_| numbers.pick(&ARGUMENTS)).collect();
    // What has a key stands behind what has none.
    args.sort_by_key(|arg| {
        arg.starts_with("**") || arg.contains(": ") && !arg.starts_with(['{', '[']) || arg.starts_with('\'')
    });
    args.dedup();
    Tree::list(", ", args.into_iter().map(Tree::leaf).collect())
}
