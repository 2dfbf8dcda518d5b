//! The grammar of paths, as REXML reads them.

use super::super::names::{ncname, split};

/// A part of a path, or of a predicate.
#[derive(Debug)]
pub(super) enum Expression {
    Path { from_root: bool, steps: Vec<Step> },
    Text(String),
    Integer(i64),
    Float(f64),
    Call(String, Vec<Expression>),
    Negated(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
    Union,
}

#[derive(Debug)]
pub(super) struct Step {
    pub(super) axis: Axis,
    pub(super) test: Test,
    pub(super) predicates: Vec<Expression>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Axis {
    Child,
    Parent,
    Itself,
    Attribute,
    Ancestor,
    AncestorOrSelf,
    Descendant,
    DescendantOrSelf,
    FollowingSibling,
    PrecedingSibling,
}

#[derive(Debug)]
pub(super) enum Test {
    /// With a prefix, with none, or with any.
    Name {
        prefix: Option<String>,
        local: String,
    },
    /// All names of a prefix.
    Prefix(String),
    Any,
    Node,
    Text,
    Comment,
    Instruction(String),
}

pub(super) enum GrammarFailure {
    /// What follows a whole path.
    Garbage(String),
    Unsupported(String),
}

type Parsed<'p> = Result<(Option<Expression>, &'p str), GrammarFailure>;

const AXES: [(&str, Option<Axis>); 13] = [
    ("ancestor-or-self", Some(Axis::AncestorOrSelf)),
    ("ancestor", Some(Axis::Ancestor)),
    ("attribute", Some(Axis::Attribute)),
    ("child", Some(Axis::Child)),
    ("descendant-or-self", Some(Axis::DescendantOrSelf)),
    ("descendant", Some(Axis::Descendant)),
    ("following-sibling", Some(Axis::FollowingSibling)),
    ("following", None),
    ("namespace", None),
    ("parent", Some(Axis::Parent)),
    ("preceding-sibling", Some(Axis::PrecedingSibling)),
    ("preceding", None),
    ("self", Some(Axis::Itself)),
];

/// White space within brackets, next to them, means nothing.
pub(super) fn without_blanks(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for letter in path.chars() {
        if letter.is_ascii_whitespace() && out.ends_with(['(', '[']) {
            continue;
        }
        if matches!(letter, ')' | ']') {
            out.truncate(out.trim_end_matches(|blank: char| blank.is_ascii_whitespace()).len());
        }
        out.push(letter);
    }
    out
}

/// A path may have so many bytes, and so many brackets in each other.
const LONGEST: usize = 10_000;
const DEEPEST: usize = 200;

pub(super) fn parse(path: &str) -> Result<Expression, GrammarFailure> {
    let path = without_blanks(path);
    let mut depth = 0usize;
    for letter in path.chars() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST || path.len() > LONGEST {
            return Err(GrammarFailure::Unsupported("what is too long or too deep".to_owned()));
        }
    }
    let (expression, rest) = binary(&path, 0)?;
    if !rest.trim().is_empty() {
        return Err(GrammarFailure::Garbage(rest.to_owned()));
    }
    Ok(expression.unwrap_or(Expression::Path { from_root: false, steps: Vec::new() }))
}

/// Operators by how close they bind, and whether they need blanks around them.
const LEVELS: [&[(&str, Operator)]; 6] = [
    &[(" or ", Operator::Or)],
    &[(" and ", Operator::And)],
    &[("!=", Operator::Unequal), ("=", Operator::Equal)],
    &[("<=", Operator::LessOrEqual), (">=", Operator::GreaterOrEqual), ("<", Operator::Less), (">", Operator::Greater)],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[("*", Operator::Times), (" div ", Operator::Divide), (" mod ", Operator::Modulo)],
];

fn binary(path: &str, level: usize) -> Parsed<'_> {
    let Some(operators) = LEVELS.get(level) else { return negated(path) };
    let (left, mut rest) = binary(path, level + 1)?;
    let Some(mut left) = left else { return Ok((None, rest)) };
    'more: loop {
        for (sign, operator) in *operators {
            if let Some(behind) = behind_sign(rest, sign) {
                let (right, after) = binary(behind, level + 1)?;
                left = joined(*operator, left, right, rest)?;
                rest = after;
                continue 'more;
            }
        }
        return Ok((Some(left), rest));
    }
}

fn joined(
    operator: Operator,
    left: Expression,
    right: Option<Expression>,
    at: &str,
) -> Result<Expression, GrammarFailure> {
    match right {
        Some(right) => Ok(Expression::Binary(operator, Box::new(left), Box::new(right))),
        None => Err(GrammarFailure::Unsupported(format!("an operator without a right side, {}", at.trim()))),
    }
}

/// Returns what follows an operator, if that is what comes next.
fn behind_sign<'p>(rest: &'p str, sign: &str) -> Option<&'p str> {
    let trimmed = rest.trim_start();
    match sign.strip_prefix(' ') {
        Some(word) => {
            (trimmed.len() < rest.len()).then_some(())?;
            trimmed.strip_prefix(word)
        }
        None => trimmed.strip_prefix(sign).map(str::trim_start),
    }
}

fn negated(path: &str) -> Parsed<'_> {
    let bare = path.trim_start_matches('-');
    let (inside, rest) = union(bare)?;
    if (path.len() - bare.len()).is_multiple_of(2) {
        return Ok((inside, rest));
    }
    match inside {
        Some(inside) => Ok((Some(Expression::Negated(Box::new(inside))), rest)),
        None => Err(GrammarFailure::Unsupported("a sign without a number".to_owned())),
    }
}

fn union(path: &str) -> Parsed<'_> {
    let (left, mut rest) = path_expression(path)?;
    let Some(mut left) = left else { return Ok((None, rest)) };
    while let Some(behind) = behind_sign(rest, "|") {
        let (right, after) = path_expression(behind)?;
        left = joined(Operator::Union, left, right, rest)?;
        rest = after;
    }
    Ok((Some(left), rest))
}

fn path_expression(path: &str) -> Parsed<'_> {
    let path = path.trim_start();
    if let (Some(first), mut rest) = primary(path)? {
        let mut first = first;
        if rest.trim_start().starts_with('[') {
            let (predicates, after) = predicates(rest)?;
            rest = after;
            match &mut first {
                // In REXML a predicate behind parentheses is one of the last step in them.
                Expression::Path { steps, .. } if !steps.is_empty() => {
                    if let Some(step) = steps.last_mut() {
                        step.predicates.extend(predicates);
                    }
                }
                Expression::Call(..) => {}
                _ => return Err(GrammarFailure::Unsupported("a predicate of what is no path".to_owned())),
            }
        }
        if rest.starts_with('/') {
            return Err(GrammarFailure::Garbage(rest.to_owned()));
        }
        return Ok((Some(first), rest));
    }
    let begins = path.starts_with(|letter: char| {
        matches!(letter, '/' | '.' | '@' | '[' | '*' | '_') || letter.is_ascii_alphanumeric()
    });
    if begins { location(path) } else { Ok((None, path)) }
}

/// A call, a number, a text, or what stands in parentheses.
fn primary(path: &str) -> Parsed<'_> {
    if path.starts_with('$') {
        return Err(GrammarFailure::Unsupported("a variable".to_owned()));
    }
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let word = &path[..path.find(|letter| !is_word(letter)).unwrap_or(path.len())];
    if let Some(inside) = path[word.len()..].strip_prefix('(')
        && !word.is_empty()
        && !word.starts_with('-')
    {
        if matches!(word, "comment" | "text" | "node") || word.contains("processing-instruction") {
            return Ok((None, path));
        }
        return call(word, inside);
    }
    let digits = number(path);
    if !digits.is_empty() {
        let rest = &path[digits.len()..];
        let failure = || GrammarFailure::Unsupported(format!("the number {digits}"));
        return Ok(match digits.contains('.') {
            true => (Some(Expression::Float(digits.parse().map_err(|_| failure())?)), rest),
            false => (Some(Expression::Integer(digits.parse().map_err(|_| failure())?)), rest),
        });
    }
    for quote in ['\'', '"'] {
        if let Some((text, rest)) = path.strip_prefix(quote).and_then(|text| text.split_once(quote)) {
            return Ok((Some(Expression::Text(text.to_owned())), rest));
        }
    }
    if path.starts_with('(') {
        let Some((inside, rest)) = group(path) else {
            return Err(GrammarFailure::Unsupported("a parenthesis that nothing closes".to_owned()));
        };
        let (expression, left) = binary(inside, 0)?;
        if !left.trim().is_empty() {
            return Err(GrammarFailure::Unsupported(format!("parentheses with {left}")));
        }
        return Ok((expression, rest));
    }
    Ok((None, path))
}

/// Digits, with a point and digits behind it.
fn number(path: &str) -> &str {
    let whole = path.len() - path.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let rest = &path[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let behind = fraction.len() - fraction.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        if behind > 0 {
            return &path[..whole + 1 + behind];
        }
    }
    &path[..whole]
}

/// Returns what stands in the bracket that a text begins with, and what follows it. Quotes mean nothing here.
fn group(path: &str) -> Option<(&str, &str)> {
    let (open, close) = if path.starts_with('(') { ('(', ')') } else { ('[', ']') };
    let mut depth = 0;
    for (at, letter) in path.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth -= 1;
        }
        if depth == 0 {
            return Some((&path[1..at], &path[at + 1..]));
        }
    }
    None
}

/// Parses the arguments of a call, from behind its parenthesis on.
fn call<'p>(name: &str, inside: &'p str) -> Parsed<'p> {
    let (mut arguments, mut quote, mut depth, mut from) = (Vec::new(), None, 1, 0);
    for (at, letter) in inside.char_indices() {
        match (quote, letter) {
            (Some(open), letter) => quote = Some(open).filter(|open| *open != letter),
            (None, '\'' | '"') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
        if quote.is_none() && (depth == 0 || (depth == 1 && letter == ',')) {
            let argument = inside[from..at].trim();
            from = at + 1;
            if !argument.is_empty() {
                let (expression, left) = binary(argument, 0)?;
                match expression {
                    Some(expression) if left.trim().is_empty() => arguments.push(expression),
                    _ => return Err(GrammarFailure::Unsupported(format!("the argument {argument}"))),
                }
            }
            if depth == 0 {
                return Ok((Some(Expression::Call(name.to_owned(), arguments)), &inside[from..]));
            }
        }
    }
    Err(GrammarFailure::Unsupported(format!("a call of {name} that nothing closes")))
}

fn location(path: &str) -> Parsed<'_> {
    let descends = |steps: &mut Vec<Step>| {
        steps.push(Step { axis: Axis::DescendantOrSelf, test: Test::Node, predicates: Vec::new() });
    };
    let (mut steps, mut rest) = (Vec::new(), path);
    let from_root = rest.starts_with('/');
    if let Some(behind) = rest.strip_prefix("//") {
        descends(&mut steps);
        rest = behind;
    } else if from_root {
        rest = &rest[1..];
    }
    loop {
        let before = rest;
        rest = rest.trim_start();
        if rest.is_empty() {
            return Ok((Some(Expression::Path { from_root, steps }), before));
        }
        match step(rest)? {
            Some((step, behind)) => {
                steps.push(step);
                rest = behind;
            }
            None if steps.is_empty() && !from_root => return Ok((None, rest)),
            None => return Ok((Some(Expression::Path { from_root, steps }), rest)),
        }
        let before = rest;
        rest = rest.trim_start();
        match (rest.strip_prefix("//"), rest.strip_prefix('/')) {
            (Some(behind), _) => {
                descends(&mut steps);
                rest = behind;
            }
            (None, Some(behind)) => rest = behind,
            (None, None) => return Ok((Some(Expression::Path { from_root, steps }), before)),
        }
    }
}

fn step(path: &str) -> Result<Option<(Step, &str)>, GrammarFailure> {
    let short = |axis| Step { axis, test: Test::Node, predicates: Vec::new() };
    if let Some(rest) = path.strip_prefix("..") {
        return Ok(Some((short(Axis::Parent), rest)));
    }
    if let Some(rest) = path.strip_prefix('.') {
        return Ok(Some((short(Axis::Itself), rest)));
    }
    let (mut axis, mut rest) = (Axis::Child, path);
    if let Some(behind) = path.strip_prefix('@') {
        (axis, rest) = (Axis::Attribute, behind);
    }
    let named = AXES.iter().find_map(|(name, axis)| Some((name, axis, path.strip_prefix(name)?.strip_prefix("::")?)));
    if let Some((name, known, behind)) = named {
        let Some(known) = known else { return Err(GrammarFailure::Unsupported(format!("the axis {name}"))) };
        (axis, rest) = (*known, behind);
    }
    let Some((test, rest)) = test(rest.trim_start()) else { return Ok(None) };
    let (predicates, rest) = if rest.trim_start().starts_with('[') { predicates(rest)? } else { (Vec::new(), rest) };
    Ok(Some((Step { axis, test, predicates }, rest)))
}

fn test(path: &str) -> Option<(Test, &str)> {
    if let Some(local) = path.strip_prefix("*:").and_then(ncname) {
        return Some((Test::Name { prefix: None, local: local.to_owned() }, &path[2 + local.len()..]));
    }
    if let Some(rest) = path.strip_prefix('*') {
        return Some((Test::Any, rest));
    }
    for (name, test) in [("comment", Test::Comment), ("text", Test::Text), ("node", Test::Node)] {
        let inside = path.strip_prefix(name).and_then(|rest| rest.strip_prefix('('));
        if let Some(rest) = inside.and_then(|inside| inside.trim_start().strip_prefix(')')) {
            return Some((test, rest));
        }
    }
    if let Some(inside) = path.strip_prefix("processing-instruction(") {
        let (target, rest) = inside.split_once(')')?;
        return Some((Test::Instruction(target.trim().trim_matches(['\'', '"']).to_owned()), rest));
    }
    if let Some(prefix) = ncname(path)
        && let Some(rest) = path[prefix.len()..].strip_prefix(":*")
    {
        return Some((Test::Prefix(prefix.to_owned()), rest));
    }
    let (prefix, local) = split(path)?;
    let length = prefix.map_or(0, |prefix| prefix.len() + 1) + local.len();
    let prefix = Some(prefix.unwrap_or_default().to_owned());
    Some((Test::Name { prefix, local: local.to_owned() }, &path[length..]))
}

fn predicates(path: &str) -> Result<(Vec<Expression>, &str), GrammarFailure> {
    let (mut all, mut rest) = (Vec::new(), path.trim_start());
    while rest.starts_with('[') {
        let Some((inside, behind)) = group(rest) else {
            return Err(GrammarFailure::Unsupported("a bracket that nothing closes".to_owned()));
        };
        match binary(inside, 0)? {
            (Some(expression), left) if left.trim().is_empty() => all.push(expression),
            _ => return Err(GrammarFailure::Unsupported(format!("the predicate [{inside}]"))),
        }
        rest = behind;
    }
    Ok((all, rest))
}
