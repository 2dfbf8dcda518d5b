//! Reads a selector from a text.
//!
//! ```text
//! selector    = [ reference ] [ "{" [ any ] "}" ]  |  "resources" [ "[" column { "," column } "]" ] "{" [ any ] "}"
//! reference   = TYPE [ "[" title { "," title } "]" ]
//! any         = all { "or" all }
//! all         = part { "and" part }
//! part        = ( "not" | "!" ) part  |  "(" any ")"  |  field [ operator value ]
//! operator    = "=" | "==" | "!=" | "~" | "!~" | "<" | "<=" | ">" | ">="
//! field       = WORD  |  [ "parameters." ] NAME { "." KEY }
//! ```
//!
//! In a title or a value without quotation marks `*` and `?` stand for other letters. The second form of a selector is that of
//! PuppetDB's query language.

use std::sync::Arc;

use pantin_base::{Span, nearest};
use pantin_values::regex::{Options, Regex};

use super::columns::Column;
use super::cursor::Cursor;
use super::selector::{Condition, Field, FieldTest, Operand, Order, Selector, Test, Word};
use crate::pattern::Pattern;

/// Why a text is no selector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelectorError {
    pub message: String,
    /// What is wrong; empty at the end of the text.
    pub span: Span,
    /// The likely fix.
    pub help: Option<String>,
}

impl std::fmt::Display for SelectorError {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(&self.message)
    }
}

type Parsed<T> = Result<T, SelectorError>;

/// What else PuppetDB has beside resources.
const OTHER_ENTITIES: [&str; 15] = [
    "aggregate_event_counts",
    "catalogs",
    "edges",
    "environments",
    "event_counts",
    "events",
    "fact_contents",
    "fact_names",
    "fact_paths",
    "facts",
    "factsets",
    "inventory",
    "nodes",
    "packages",
    "reports",
];

/// Conditions that are nested deeper are refused.
const DEPTH: usize = 100;

pub(super) fn parse(text: &str) -> Parsed<Selector> {
    let mut cursor = Cursor::new(text);
    cursor.skip_blanks();
    if cursor.is_at_end() {
        let help = "write a type and a title, such as Package[nginx], or conditions, such as { tag = web }".to_owned();
        return Err(error_at_next(&cursor, "The selector is empty".to_owned(), Some(help)));
    }
    let mut selector = head(&mut cursor)?;
    cursor.skip_blanks();
    if cursor.take("{") {
        let opened = cursor.position() - 1;
        selector.condition = block(&mut cursor, opened)?;
        cursor.skip_blanks();
    }
    if cursor.is_at_end() {
        return Ok(selector);
    }
    let found = cursor.describe_next();
    let message = format!("{found} does not belong here");
    let help = match cursor.peek() {
        Some('}') => None,
        _ if selector.has_no_conditions() => Some("conditions stand in braces: Package[nginx] { ensure = latest }"),
        _ => Some("a selector ends behind its braces; several are arguments of their own, each in quotation marks"),
    };
    Err(error_at_next(&cursor, message, help.map(str::to_owned)))
}

impl Selector {
    fn has_no_conditions(&self) -> bool {
        matches!(&self.condition, Condition::All(parts) if parts.is_empty())
    }
}

fn error_at_next(cursor: &Cursor<'_>, message: String, help: Option<String>) -> SelectorError {
    SelectorError { message, span: cursor.next_span(), help }
}

fn expected(cursor: &Cursor<'_>, what: &str, help: Option<String>) -> SelectorError {
    error_at_next(cursor, format!("Expected {what}, found {}", cursor.describe_next()), help)
}

// ---- before the braces ----

fn is_of_type_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | ':' | '*' | '?')
}

fn head(cursor: &mut Cursor<'_>) -> Parsed<Selector> {
    let mut selector = Selector {
        text: cursor.text().to_owned(),
        type_name: None,
        titles: Vec::new(),
        condition: Condition::All(Vec::new()),
        columns: Vec::new(),
    };
    if cursor.peek() == Some('{') {
        return Ok(selector);
    }
    if cursor.peek() == Some('[') {
        let help = "PuppetDB's arrays are not read here; its query language is: resources { type = \"Package\" }";
        return Err(expected(cursor, "a type", Some(help.to_owned())));
    }
    let start = cursor.position();
    let name = cursor.take_while(is_of_type_name);
    let span = cursor.span_from(start);
    if name.is_empty() {
        return Err(expected(cursor, "a type or `{`", None));
    }
    let is_query = cursor.rest().trim_start().starts_with(['{', '[']);
    if name == "resources" && is_query {
        cursor.skip_blanks();
        if cursor.take("[") {
            selector.columns = projection(cursor)?;
        }
        return Ok(selector);
    }
    if OTHER_ENTITIES.contains(&name) && is_query {
        let message = format!("Only resources are queried here, not {name}");
        return Err(SelectorError { message, span, help: Some("begin with `resources`, or with a type".to_owned()) });
    }
    selector.type_name = Some((Pattern::new(name.trim_start_matches("::").to_owned(), false).in_lower_case(), span));
    if cursor.peek() == Some('[') {
        let opened = cursor.position();
        cursor.next();
        selector.titles = titles(cursor, opened)?;
    }
    Ok(selector)
}

/// `[certname, title, parameters.ensure]`, behind its bracket. What is shown anyway is left out.
fn projection(cursor: &mut Cursor<'_>) -> Parsed<Vec<Column>> {
    let mut columns = Vec::new();
    loop {
        cursor.skip_blanks();
        let start = cursor.position();
        let name = cursor.take_while(|letter| !matches!(letter, ',' | ']' | '{'));
        let (name, span) = (name.trim(), Span::new(start as u32, name.trim().len() as u32));
        let is_always_shown = matches!(Word::from_name(name), Some(Word::Node | Word::Type | Word::Title));
        if !is_always_shown {
            let column = Column::parse(name).map_err(|message| SelectorError { message, span, help: None })?;
            columns.push(column);
        }
        if cursor.take("]") {
            return Ok(columns);
        }
        if !cursor.take(",") {
            return Err(expected(cursor, "`,` or `]`", None));
        }
    }
}

/// Parses the titles behind a bracket, up to the one that closes it.
fn titles(cursor: &mut Cursor<'_>, opened: usize) -> Parsed<Vec<(Pattern, Span)>> {
    let mut titles = Vec::new();
    loop {
        cursor.skip_blanks();
        let start = cursor.position();
        let (title, is_quoted) = match cursor.peek() {
            Some('\'' | '"') => (quoted(cursor)?, true),
            _ => (bare_title(cursor).to_owned(), false),
        };
        let span = Span::new(start as u32, (cursor.position() - start) as u32);
        if title.is_empty() && !is_quoted {
            return Err(expected(cursor, "a title", Some("without a title, leave the brackets out".to_owned())));
        }
        titles.push((Pattern::new(title, is_quoted), span));
        cursor.skip_blanks();
        if cursor.take("]") {
            return Ok(titles);
        }
        if cursor.is_at_end() {
            let span = Span::new(opened as u32, 1);
            return Err(SelectorError { message: "This bracket is not closed".to_owned(), span, help: None });
        }
        if !cursor.take(",") {
            return Err(expected(cursor, "`,` or `]`", None));
        }
    }
}

/// Up to a comma or to the bracket that closes: those inside come in pairs.
fn bare_title<'t>(cursor: &mut Cursor<'t>) -> &'t str {
    let rest = cursor.rest();
    let mut depth = 0;
    let end = rest.find(|letter| {
        match letter {
            '[' => depth += 1,
            ']' if depth > 0 => depth -= 1,
            ']' => return true,
            ',' if depth == 0 => return true,
            _ => {}
        }
        false
    });
    let title = rest[..end.unwrap_or(rest.len())].trim_end();
    cursor.take(title);
    title
}

/// Parses a text in quotation marks; a backslash stands before a quotation mark or a backslash that is meant.
fn quoted(cursor: &mut Cursor<'_>) -> Parsed<String> {
    let start = cursor.position();
    let Some(mark) = cursor.next() else { return Ok(String::new()) };
    let mut text = String::new();
    while let Some(letter) = cursor.next() {
        match (letter, cursor.peek()) {
            ('\\', Some(next)) if next == mark || next == '\\' => {
                text.push(next);
                cursor.next();
            }
            (letter, _) if letter == mark => return Ok(text),
            (letter, _) => text.push(letter),
        }
    }
    let message = "This quotation mark is not closed".to_owned();
    Err(SelectorError { message, span: Span::new(start as u32, 1), help: None })
}

// ---- in the braces ----

fn block(cursor: &mut Cursor<'_>, opened: usize) -> Parsed<Condition> {
    cursor.skip_blanks();
    if cursor.take("}") {
        return Ok(Condition::All(Vec::new()));
    }
    let condition = any(cursor, 0)?;
    cursor.skip_blanks();
    if cursor.take("}") {
        return Ok(condition);
    }
    Err(unclosed(cursor, opened, "brace", "`and`, `or` or `}`"))
}

/// Returns what is said where a condition goes on in a way that it cannot.
fn unclosed(cursor: &Cursor<'_>, opened: usize, bracket: &str, wanted: &str) -> SelectorError {
    if cursor.is_at_end() {
        let span = Span::new(opened as u32, 1);
        return SelectorError { message: format!("This {bracket} is not closed"), span, help: None };
    }
    let near = nearest(&cursor.next_word().to_lowercase(), ["and", "or", "not"]).map(did_you_mean);
    expected(cursor, wanted, near)
}

fn did_you_mean(name: &str) -> String {
    format!("did you mean {name}?")
}

/// Takes a word such as `and`, in capitals or not.
fn take_word(cursor: &mut Cursor<'_>, word: &str) -> bool {
    cursor.skip_blanks();
    let next = cursor.next_word();
    next.eq_ignore_ascii_case(word) && cursor.take(next)
}

fn any(cursor: &mut Cursor<'_>, depth: usize) -> Parsed<Condition> {
    let mut parts = vec![all(cursor, depth)?];
    while take_word(cursor, "or") {
        parts.push(all(cursor, depth)?);
    }
    Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::Any(parts) })
}

fn all(cursor: &mut Cursor<'_>, depth: usize) -> Parsed<Condition> {
    let mut parts = vec![part(cursor, depth)?];
    while take_word(cursor, "and") {
        parts.push(part(cursor, depth)?);
    }
    Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::All(parts) })
}

fn part(cursor: &mut Cursor<'_>, depth: usize) -> Parsed<Condition> {
    cursor.skip_blanks();
    if depth > DEPTH {
        return Err(error_at_next(cursor, format!("Conditions are nested deeper than {DEPTH} levels"), None));
    }
    let is_name = |cursor: &Cursor<'_>| {
        let mut after = cursor.clone();
        after.take("not");
        after.skip_blanks();
        after.rest().starts_with(['=', '~', '<', '>', '.']) || after.rest().starts_with("!=")
    };
    if cursor.take("!") || (!is_name(cursor) && take_word(cursor, "not")) {
        return Ok(Condition::Not(Box::new(part(cursor, depth + 1)?)));
    }
    let opened = cursor.position();
    if cursor.take("(") {
        let inside = any(cursor, depth + 1)?;
        cursor.skip_blanks();
        return match cursor.take(")") {
            true => Ok(inside),
            false => Err(unclosed(cursor, opened, "parenthesis", "`and`, `or` or `)`")),
        };
    }
    test(cursor)
}

fn test(cursor: &mut Cursor<'_>) -> Parsed<Condition> {
    let (field, span) = field(cursor)?;
    cursor.skip_blanks();
    let operator_start = cursor.position();
    let Some(operator) = operator(cursor) else {
        return match field {
            Field::Parameter(_) | Field::Word(Word::Exported) => {
                Ok(Condition::Test(FieldTest { field, test: Test::IsSet, span }))
            }
            Field::Word(word) => {
                let help = format!("compare it: {} = …", word.name());
                Err(expected(cursor, &format!("an operator behind `{}`", word.name()), Some(help)))
            }
        };
    };
    let operator_span = cursor.span_from(operator_start);
    cursor.skip_blanks();
    let value_start = cursor.position();
    let operand = operand(cursor)?;
    let value_span = cursor.span_from(value_start);
    let (test, is_negated) = match operator {
        "=" | "==" => (Test::Equals(operand), false),
        "!=" => (Test::Equals(operand), true),
        "~" | "!~" => (Test::Matches(regex(&operand, value_span)?), operator == "!~"),
        operator => (Test::Compares(order(operator), operand), false),
    };
    check_use(&field, &test, operator, operator_span, value_span)?;
    let condition = Condition::Test(FieldTest { field, test, span });
    Ok(if is_negated { Condition::Not(Box::new(condition)) } else { condition })
}

fn operator(cursor: &mut Cursor<'_>) -> Option<&'static str> {
    ["==", "=~", "=", "!=", "!~", "~", "<=", "<", ">=", ">"].into_iter().find(|operator| cursor.take(operator)).map(
        // As Puppet writes it.
        |operator| if operator == "=~" { "~" } else { operator },
    )
}

fn order(operator: &str) -> Order {
    match operator {
        "<" => Order::Less,
        "<=" => Order::LessOrEqual,
        ">" => Order::Greater,
        _ => Order::GreaterOrEqual,
    }
}

/// Whether a field can be compared like that.
fn check_use(field: &Field, test: &Test, operator: &str, operator_span: Span, value_span: Span) -> Parsed<()> {
    let refused = |message: String, span: Span| Err(SelectorError { message, span, help: None });
    match (field, test) {
        (Field::Word(Word::Line), Test::Equals(operand) | Test::Compares(_, operand)) if operand.number.is_none() => {
            refused("`line` is compared with a number".to_owned(), value_span)
        }
        (Field::Word(Word::Exported), Test::Equals(operand)) if !matches!(operand.pattern.text(), "true" | "false") => {
            refused("`exported` is true or false".to_owned(), value_span)
        }
        (Field::Word(Word::Line), Test::Matches(_)) | (Field::Word(Word::Exported), Test::Matches(_)) => {
            refused("this is no text, which an expression could match".to_owned(), operator_span)
        }
        (Field::Word(word), Test::Compares(..)) if *word != Word::Line => {
            let message = format!("`{}` cannot be compared by `{operator}`: it takes =, !=, ~ and !~", word.name());
            refused(message, operator_span)
        }
        _ => Ok(()),
    }
}

/// Parses a word, or the name of a parameter with keys of its value.
pub(super) fn field(cursor: &mut Cursor<'_>) -> Parsed<(Field, Span)> {
    let start = cursor.position();
    let mut path = Vec::new();
    loop {
        let key = match cursor.peek() {
            Some('\'' | '"') if !path.is_empty() => quoted(cursor)?,
            _ => cursor.take_while(|letter| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '-')).to_owned(),
        };
        if key.is_empty() {
            let what = if path.is_empty() { "a condition" } else { "a key" };
            cursor.skip_blanks();
            return Err(expected(cursor, what, None));
        }
        path.push(key);
        if !cursor.take(".") {
            break;
        }
    }
    let span = cursor.span_from(start);
    if path.len() > 1 && path[0] == "parameters" {
        path.remove(0);
        return Ok((Field::Parameter(path), span));
    }
    match (Word::from_name(&path[0]), path.len()) {
        (Some(word), 1) => Ok((Field::Word(word), span)),
        _ => Ok((Field::Parameter(path), span)),
    }
}

/// Parses a value: in quotation marks, or up to a blank, a brace or a parenthesis.
fn operand(cursor: &mut Cursor<'_>) -> Parsed<Operand> {
    if let Some('\'' | '"') = cursor.peek() {
        return Ok(Operand::new(quoted(cursor)?, true));
    }
    let rest = cursor.rest();
    let mut depth = 0;
    let end = rest.find(|letter: char| {
        match letter {
            '[' => depth += 1,
            ']' if depth > 0 => depth -= 1,
            _ => return depth == 0 && (letter.is_whitespace() || matches!(letter, '{' | '}' | '(' | ')' | ',')),
        }
        false
    });
    let text = &rest[..end.unwrap_or(rest.len())];
    if text.is_empty() {
        return Err(expected(cursor, "a value", None));
    }
    cursor.take(text);
    Ok(Operand::new(text.to_owned(), false))
}

/// An expression may stand between slashes, as in Puppet.
fn regex(operand: &Operand, span: Span) -> Parsed<Arc<Regex>> {
    let text = operand.pattern.text();
    let between = text.strip_prefix('/').and_then(|text| text.strip_suffix('/')).filter(|text| !text.is_empty());
    Regex::new(between.unwrap_or(text), Options::default()).map(Arc::new).map_err(|error| SelectorError {
        message: format!("This is no regular expression: {}", error.message),
        span,
        help: None,
    })
}

#[cfg(test)]
#[path = "parser_tests.rs"]
mod tests;
