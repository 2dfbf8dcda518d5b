//! A file of bindings: the definition, conditions, and the operations in it.
//! It must not know the rules behind the grammar, which `bindings::check` has.

use pantin_base::Span;

use super::{Parsed, Parser};
use crate::bindings::rule::{self, Rule};
use crate::bindings::{
    BindingsDefinition, Condition, DependencyArrow, Flags, Item, Key, OldKey, Operation, OperationKind, RebindKey,
    Target, TypeUse, Word,
};
use crate::token::{Token, TokenKind};

/// The words that may follow `bind`.
const OPERATIONS: [&str; 9] =
    ["parameters", "variables", "variable", "map", "dependency", "alias", "renamed", "abstract", "override"];

/// How many levels of `when` and of parentheses may nest.
const NESTING: u32 = 64;

impl Parser<'_> {
    /// Parses the whole of a file of bindings. `name`: is set as soon as it is read.
    pub(super) fn bindings_file(&mut self, name: &mut Option<Word>) -> Parsed<BindingsDefinition> {
        if !self.begins_bindings()? {
            let span = self.peek_token()?.span;
            return self.broken(&rule::NOT_ALONE, "A file of bindings holds one definition and nothing else", span);
        }
        let word = self.bindings_name()?;
        *name = Some(word.clone());
        let items = self.binding_items(0)?;
        if self.peek()? != TokenKind::End {
            let span = self.peek_token()?.span;
            return self.broken(&rule::NOT_ALONE, "A file of bindings holds one definition and nothing else", span);
        }
        Ok(BindingsDefinition { name: word, items })
    }

    /// `bindings NAME { … }`
    pub(super) fn binding_definition(&mut self) -> Parsed<BindingsDefinition> {
        let name = self.bindings_name()?;
        let items = self.binding_items(0)?;
        Ok(BindingsDefinition { name, items })
    }

    /// `bindings NAME`
    fn bindings_name(&mut self) -> Parsed<Word> {
        self.take()?;
        let name = self.take()?;
        let text = if name.kind == TokenKind::Default { "default" } else { self.ast.text(name.text) };
        Ok(Word { text: text.to_owned(), span: name.span })
    }

    /// Returns true if a definition of bindings begins here.
    pub(super) fn begins_bindings(&mut self) -> Parsed<bool> {
        Ok(self.next_is("bindings")?
            && matches!(self.peek_second()?, TokenKind::Name | TokenKind::Default)
            && self.peek_at(2)?.kind == TokenKind::LeftBrace)
    }

    pub(super) fn broken<T>(&self, rule: &Rule, message: impl Into<String>, span: Span) -> Parsed<T> {
        Err(Box::new(rule.at(message, span)))
    }

    pub(super) fn next_is(&mut self, word: &str) -> Parsed<bool> {
        let token = self.peek_token()?;
        Ok(self.is_word(token, word))
    }

    pub(super) fn is_word(&self, token: Token, word: &str) -> bool {
        token.kind == TokenKind::Name && self.ast.text(token.text) == word
    }

    pub(super) fn word_from(&self, token: Token) -> Word {
        let symbol = token.kind.symbol();
        let text = if symbol.is_empty() { self.ast.text(token.text) } else { symbol };
        Word { text: text.to_owned(), span: token.span }
    }

    /// Returns the source of a token, for a message.
    pub(super) fn token_source(&self, token: Token) -> String {
        let start = token.span.start as usize;
        match self.ast.source_text().get(start..start + token.span.len as usize) {
            Some(text) if !text.is_empty() => text.to_owned(),
            _ => self.token_text(token),
        }
    }

    fn binding_items(&mut self, depth: u32) -> Parsed<Vec<Item>> {
        self.expect(TokenKind::LeftBrace)?;
        let mut items = Vec::new();
        while self.peek()? != TokenKind::RightBrace {
            items.push(self.nested(|parser| parser.binding_item(depth))?);
            self.accept(TokenKind::Semicolon)?;
        }
        self.take()?;
        Ok(items)
    }

    fn binding_item(&mut self, depth: u32) -> Parsed<Item> {
        let first = self.peek_token()?;
        let word = if first.kind == TokenKind::Name { self.ast.text(first.text).to_owned() } else { String::new() };
        let span = first.span;
        let (flags, kind) = match word.as_str() {
            "when" => {
                self.take()?;
                self.check_nesting(depth)?;
                let condition = self.binding_condition(depth)?;
                let items = self.binding_items(depth + 1)?;
                return Ok(Item::When { span, condition, items });
            }
            "bind" => {
                self.take()?;
                self.bind_operation()?
            }
            "multibind" => {
                self.take()?;
                self.multibind()?
            }
            "rebind" => {
                self.take()?;
                self.rebind()?
            }
            "include" | "exclude" => {
                self.take()?;
                let classes = self.class_names()?;
                let kind = match word.as_str() {
                    "include" => OperationKind::Include(classes),
                    _ => OperationKind::Exclude(classes),
                };
                (Flags::default(), kind)
            }
            _ => return self.unexpected(),
        };
        Ok(Item::Operation(Operation { span, flags, kind }))
    }

    fn check_nesting(&mut self, depth: u32) -> Parsed<()> {
        let span = self.peek_token()?.span;
        if depth < NESTING {
            return Ok(());
        }
        self.broken(&rule::LIMIT, format!("More than {NESTING} levels of nesting"), span)
    }

    // ---- conditions

    fn binding_condition(&mut self, depth: u32) -> Parsed<Condition> {
        let mut alternatives = vec![self.conjunction(depth)?];
        while self.accept(TokenKind::Or)? {
            alternatives.push(self.conjunction(depth)?);
        }
        Ok(match alternatives.len() {
            1 => alternatives.remove(0),
            _ => Condition::Or(alternatives),
        })
    }

    fn conjunction(&mut self, depth: u32) -> Parsed<Condition> {
        let mut parts = vec![self.category(depth)?];
        while self.accept(TokenKind::And)? {
            parts.push(self.category(depth)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Condition::And(parts),
        })
    }

    fn category(&mut self, depth: u32) -> Parsed<Condition> {
        let first = self.peek_token()?;
        match first.kind {
            TokenKind::LeftParen | TokenKind::LineParen => {
                self.check_nesting(depth)?;
                self.take()?;
                let inner = self.nested(|parser| parser.binding_condition(depth + 1))?;
                match self.peek()? {
                    TokenKind::RightParen => self.take()?,
                    _ => return self.bad_condition(),
                };
                return Ok(inner);
            }
            TokenKind::Name if self.ast.text(first.text) == "common" => {
                self.take()?;
                return Ok(Condition::Common);
            }
            TokenKind::Name if !self.ast.text(first.text).contains("::") => {}
            TokenKind::Node => {}
            _ => return self.bad_condition(),
        }
        let name = self.take()?;
        let name = self.word_from(name);
        let values = match self.peek()? {
            TokenKind::LeftBracket | TokenKind::ListStart => {
                self.take()?;
                let mut values = vec![self.category_value(&name)?];
                while self.accept(TokenKind::Comma)? {
                    if self.peek()? == TokenKind::RightBracket {
                        break;
                    }
                    values.push(self.category_value(&name)?);
                }
                if self.peek()? != TokenKind::RightBracket {
                    return self.bad_condition();
                }
                self.take()?;
                values
            }
            _ => vec![self.category_value(&name)?],
        };
        // What may follow a condition; `kermit.example.com` without quotes ends here.
        let follows =
            matches!(self.peek()?, TokenKind::And | TokenKind::Or | TokenKind::LeftBrace | TokenKind::RightParen);
        if follows { Ok(Condition::Category { name, values }) } else { self.bad_condition() }
    }

    /// Parses a literal as interpolation writes it.
    fn category_value(&mut self, category: &Word) -> Parsed<Word> {
        let token = self.peek_token()?;
        match token.kind {
            TokenKind::Name | TokenKind::Word | TokenKind::String | TokenKind::True | TokenKind::False => {
                let token = self.take()?;
                Ok(self.word_from(token))
            }
            TokenKind::Number => self.category_number(false),
            TokenKind::Minus => {
                self.take()?;
                if self.peek()? != TokenKind::Number {
                    return self.bad_condition();
                }
                self.category_number(true)
            }
            TokenKind::DoubleStart | TokenKind::Variable => {
                let message = format!("The value of the category '{}' must be a literal", category.text);
                let help = format!("let the category say it: site {{ categories {{ {} => … }} }}", category.text);
                Err(Box::new(rule::VALUE_NOT_LITERAL.with_help(message, token.span, Some(help))))
            }
            _ => self.bad_condition(),
        }
    }

    fn category_number(&mut self, is_negative: bool) -> Parsed<Word> {
        use super::numbers::{self, Number};
        let token = self.take()?;
        let text = match numbers::read(self.ast.text(token.text)) {
            Number::Integer { value, .. } => value.to_string(),
            Number::Float(value) => pantin_base::number::float_text(value).to_string(),
            Number::BigInteger { .. } => self.ast.text(token.text).to_owned(),
        };
        let text = if is_negative && text != "0" { format!("-{text}") } else { text };
        Ok(Word { text, span: token.span })
    }

    fn bad_condition<T>(&mut self) -> Parsed<T> {
        let token = self.peek_token()?;
        if token.kind == TokenKind::End {
            return self.unexpected();
        }
        let message = format!("'when' needs a category and its value, got '{}'", self.token_source(token));
        self.broken(&rule::CONDITION, message, token.span)
    }

    // ---- operations

    fn flags(&mut self, flags: &mut Flags) -> Parsed<()> {
        loop {
            let token = self.peek_token()?;
            if self.is_word(token, "abstract") {
                flags.is_abstract.get_or_insert(token.span);
            } else if self.is_word(token, "override") {
                flags.is_override.get_or_insert(token.span);
            } else {
                return Ok(());
            }
            self.take()?;
        }
    }

    fn bind_operation(&mut self) -> Parsed<(Flags, OperationKind)> {
        let mut flags = Flags::default();
        self.flags(&mut flags)?;
        let first = self.peek_token()?;
        if first.kind != TokenKind::Name {
            let key = self.binding_key()?;
            let target = self.optional_target()?;
            return Ok((flags, OperationKind::Value { key, target }));
        }
        let word = self.ast.text(first.text).to_owned();
        if word != "to" {
            if !OPERATIONS.contains(&word.as_str()) {
                return self.unknown_operation(first);
            }
            self.take()?;
        }
        let kind = match word.as_str() {
            "to" => OperationKind::Nameless { target: self.target()? },
            "parameters" => {
                self.flags(&mut flags)?;
                let of = self.class_or_type()?;
                OperationKind::Parameters { of, target: self.optional_parameters_target()? }
            }
            "variables" | "variable" => {
                self.flags(&mut flags)?;
                let is_type = matches!(self.peek()?, TokenKind::TypeName | TokenKind::Class);
                let value_type = if is_type { Some(self.binding_type()?) } else { None };
                let target = if self.next_is("to")? { Some(self.variables_target()?) } else { None };
                OperationKind::Variables { value_type, target, word: first.span }
            }
            "map" => {
                self.flags(&mut flags)?;
                self.map_operation()?
            }
            "dependency" => self.dependency()?,
            _ => self.copy(word == "renamed", &mut flags)?,
        };
        Ok((flags, kind))
    }

    fn unknown_operation<T>(&mut self, token: Token) -> Parsed<T> {
        let word = self.ast.text(token.text).to_owned();
        let help = pantin_base::nearest(&word, OPERATIONS.iter().copied()).map(|near| format!("did you mean {near}?"));
        let message = format!("'{word}' is no operation of bind");
        Err(Box::new(rule::OPERATION.with_help(message, token.span, help)))
    }

    fn map_operation(&mut self) -> Parsed<OperationKind> {
        let target = TypeUse::Type(self.binding_type()?);
        self.expect_word("to")?;
        let source = TypeUse::Type(self.binding_type()?);
        let pairs = match self.peek()? {
            TokenKind::LeftBrace => self.hash()?,
            TokenKind::ListStart | TokenKind::LeftBracket => self.array()?,
            _ => return self.unexpected(),
        };
        Ok(OperationKind::Map { target, source, pairs })
    }

    fn dependency(&mut self) -> Parsed<OperationKind> {
        let (mut sides, mut arrows) = (vec![self.references()?], Vec::new());
        loop {
            let token = self.peek_token()?;
            let arrow = match token.kind {
                TokenKind::Before => DependencyArrow::Before,
                TokenKind::Notify => DependencyArrow::Notify,
                TokenKind::Require | TokenKind::Subscribe => {
                    return self.broken(&rule::ARROW, "A dependency goes from left to right", token.span);
                }
                _ if arrows.is_empty() => return self.unexpected(),
                _ => return Ok(OperationKind::Dependency { sides, arrows }),
            };
            self.take()?;
            arrows.push(arrow);
            sides.push(self.references()?);
        }
    }

    fn references(&mut self) -> Parsed<Vec<TypeUse>> {
        if !matches!(self.peek()?, TokenKind::LeftBracket | TokenKind::ListStart) {
            return Ok(vec![TypeUse::Type(self.binding_type()?)]);
        }
        self.take()?;
        let mut references = vec![TypeUse::Type(self.binding_type()?)];
        while self.accept(TokenKind::Comma)? && self.peek()? != TokenKind::RightBracket {
            references.push(TypeUse::Type(self.binding_type()?));
        }
        self.expect(TokenKind::RightBracket)?;
        Ok(references)
    }

    fn copy(&mut self, is_rename: bool, flags: &mut Flags) -> Parsed<OperationKind> {
        self.flags(flags)?;
        let old = self.old_key()?;
        if !self.accept_word("as", "AS")? {
            return self.refuse_producer(&rule::COPY_PRODUCER);
        }
        let mut new_flags = Flags::default();
        self.flags(&mut new_flags)?;
        let new = self.old_key()?;
        self.check_no_producer(&rule::COPY_PRODUCER)?;
        Ok(OperationKind::Copy { is_rename, old, new, new_flags })
    }

    fn rebind(&mut self) -> Parsed<(Flags, OperationKind)> {
        let mut flags = Flags::default();
        self.flags(&mut flags)?;
        let old = match self.next_is("parameters")? {
            true => {
                self.take()?;
                self.flags(&mut flags)?;
                RebindKey::Parameters(self.class_or_type()?)
            }
            false => RebindKey::Old(self.old_key()?),
        };
        self.check_no_producer(&rule::COPY_PRODUCER)?;
        Ok((flags, OperationKind::Rebind { old }))
    }

    /// A producer or options where neither may stand.
    fn check_no_producer(&mut self, rule: &Rule) -> Parsed<()> {
        match self.next_is("to")? || self.peek()? == TokenKind::LeftBrace {
            true => self.refuse_producer(rule),
            false => Ok(()),
        }
    }

    fn refuse_producer<T>(&mut self, rule: &Rule) -> Parsed<T> {
        if !self.next_is("to")? && self.peek()? != TokenKind::LeftBrace {
            return self.unexpected();
        }
        let span = self.peek_token()?.span;
        let message = if rule.code == rule::COPY_PRODUCER.code {
            "alias, renamed and rebind take the producer of the old binding"
        } else {
            "A multibind is made of its contributions"
        };
        self.broken(rule, message, span)
    }

    fn old_key(&mut self) -> Parsed<OldKey> {
        if self.next_is("variable")? || self.next_is("variables")? {
            self.take()?;
            return Ok(OldKey::Variable(self.literal_name()?));
        }
        Ok(OldKey::Key(self.binding_key()?))
    }

    fn multibind(&mut self) -> Parsed<(Flags, OperationKind)> {
        let mut flags = Flags::default();
        self.flags(&mut flags)?;
        if !matches!(self.peek()?, TokenKind::TypeName | TokenKind::Class) {
            return self.unexpected();
        }
        let value_type = self.binding_type()?;
        let name = if self.accept(TokenKind::Comma)? { Some(self.literal_name()?) } else { None };
        let id = if self.accept_word("as", "AS")? { Some(self.literal_name()?) } else { None };
        if self.next_is("to")? {
            return self.refuse_producer(&rule::MULTIBIND_PRODUCER);
        }
        let options = self.bind_options()?;
        Ok((flags, OperationKind::Multibind { value_type, name, id, options }))
    }

    fn class_names(&mut self) -> Parsed<Vec<Word>> {
        if !matches!(self.peek()?, TokenKind::LeftBracket | TokenKind::ListStart) {
            return Ok(vec![self.class_name()?]);
        }
        self.take()?;
        let mut names = vec![self.class_name()?];
        while self.accept(TokenKind::Comma)? && self.peek()? != TokenKind::RightBracket {
            names.push(self.class_name()?);
        }
        self.expect(TokenKind::RightBracket)?;
        Ok(names)
    }

    fn class_name(&mut self) -> Parsed<Word> {
        let token = self.peek_token()?;
        let is_name = match token.kind {
            TokenKind::Name => true,
            TokenKind::String => is_class_name(self.ast.text(token.text)),
            TokenKind::End | TokenKind::RightBrace => return self.unexpected(),
            _ => false,
        };
        if !is_name {
            let message = format!("'{}' is no name of a class", self.token_source(token).trim_matches(['\'', '"']));
            return self.broken(&rule::CLASS_NAME, message, token.span);
        }
        let token = self.take()?;
        let mut word = self.word_from(token);
        word.text = word.text.strip_prefix("::").unwrap_or(&word.text).to_owned();
        Ok(word)
    }

    // ---- keys and types

    fn binding_key(&mut self) -> Parsed<Key> {
        let span = self.peek_token()?.span;
        match self.peek()? {
            TokenKind::TypeName | TokenKind::Class => {
                let value_type = Some(self.binding_type()?);
                let name = if self.accept(TokenKind::Comma)? { Some(self.literal_name()?) } else { None };
                Ok(Key { value_type, name, span: span.to(self.last_taken().span) })
            }
            _ => {
                let name = Some(self.literal_name()?);
                Ok(Key { value_type: None, name, span: span.to(self.last_taken().span) })
            }
        }
    }

    /// Parses a text without interpolation.
    pub(super) fn literal_name(&mut self) -> Parsed<Word> {
        let token = self.peek_token()?;
        match token.kind {
            TokenKind::String => {
                let token = self.take()?;
                Ok(self.word_from(token))
            }
            TokenKind::DoubleStart => {
                self.broken(&rule::NAME_NOT_LITERAL, "The name of a binding must be a literal", token.span)
            }
            _ => self.unexpected(),
        }
    }

    fn class_or_type(&mut self) -> Parsed<TypeUse> {
        match self.peek()? {
            TokenKind::Name => {
                let token = self.take()?;
                Ok(TypeUse::Class(self.word_from(token)))
            }
            TokenKind::TypeName | TokenKind::Class => Ok(TypeUse::Type(self.binding_type()?)),
            _ => self.unexpected(),
        }
    }

    pub(super) fn accept_word(&mut self, word: &str, capital: &str) -> Parsed<bool> {
        let token = self.peek_token()?;
        let is_capital = token.kind == TokenKind::TypeName && self.ast.text(token.text) == capital;
        let is_there = is_capital || self.is_word(token, word);
        if is_there {
            self.take()?;
        }
        Ok(is_there)
    }

    fn expect_word(&mut self, word: &str) -> Parsed<Token> {
        if self.next_is(word)? { self.take() } else { self.unexpected() }
    }

    fn optional_target(&mut self) -> Parsed<Option<Target>> {
        Ok(if self.next_is("to")? { Some(self.target()?) } else { None })
    }

    fn optional_parameters_target(&mut self) -> Parsed<Option<Target>> {
        Ok(if self.next_is("to")? { Some(self.parameters_target()?) } else { None })
    }
}

fn is_class_name(name: &str) -> bool {
    let is_segment = |segment: &str| {
        segment.starts_with(|first: char| first.is_ascii_lowercase())
            && segment.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_')
    };
    name.strip_prefix("::").unwrap_or(name).split("::").all(is_segment)
}
