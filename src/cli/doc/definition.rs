//! The description of a class, a defined type or a function of the repository: its parameters, and the comment above it, as
//! puppet-strings reads it.

use std::fmt::Write;
use std::sync::Arc;

use pantin_base::Source;
use pantin_syntax::ast::{Ast, Definition, DefinitionKind, Node, NodeId};
use pantin_syntax::{Settings, SourceKind};
use serde_json::{Value as Json, json};

/// A definition as it is described.
pub(super) struct Described {
    kind: &'static str,
    name: String,
    file: String,
    line: u32,
    parameters: Vec<Parameter>,
    returns: Option<String>,
    comment: Comment,
}

struct Parameter {
    name: String,
    type_text: Option<String>,
    default: Option<String>,
}

/// A comment in the form of puppet-strings.
#[derive(Default, PartialEq, Debug)]
struct Comment {
    text: Vec<String>,
    summary: Option<String>,
    /// Names with what is said of them.
    params: Vec<(String, String)>,
    /// Titles with code.
    examples: Vec<(String, Vec<String>)>,
    returns: Option<String>,
}

impl Described {
    /// Returns the definition of this name in a source. `None`: it has none, or cannot be parsed.
    pub(super) fn find(source: Arc<Source>, name: &str, settings: Settings) -> Option<Described> {
        let file = source.name().unwrap_or_default().to_owned();
        let ast = pantin_syntax::parse(source, SourceKind::Manifest, settings).result.ok()?;
        let found = ast.ids().find_map(|id| match ast.node(id) {
            Node::Definition(of) if ast.text(ast.definition(of).name).trim_start_matches("::") == name => {
                Some((id, of))
            }
            _ => None,
        });
        let (id, of) = found?;
        let definition = ast.definition(of);
        let line = ast.line(id);
        Some(Described {
            kind: match definition.kind {
                DefinitionKind::Class => "class",
                DefinitionKind::Define => "defined type",
                DefinitionKind::Function => "function",
                DefinitionKind::Plan => "plan",
            },
            name: name.to_owned(),
            file,
            line,
            parameters: parameters(&ast, definition),
            returns: definition.returns.map(|id| written(&ast, id)),
            comment: Comment::above(ast.source().text(), line),
        })
    }

    pub(super) fn text(&self) -> String {
        let Described { kind, name, file, line, comment, .. } = self;
        let mut text = format!("{kind} {name} ({file}:{line})\n");
        if let Some(summary) = &comment.summary {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{summary}");
        }
        if !comment.text.is_empty() {
            let _ = writeln!(text, "\n{}", comment.text.join("\n").trim());
        }
        if !self.parameters.is_empty() {
            text.push_str("\nParameters\n");
        }
        for parameter in &self.parameters {
            let type_text = parameter.type_text.as_ref().map(|text| format!("{text} ")).unwrap_or_default();
            let default = parameter.default.as_ref().map(|text| format!(" = {text}")).unwrap_or_default();
            let _ = writeln!(text, "  {type_text}${}{default}", parameter.name);
            if let Some((_, said)) = comment.params.iter().find(|(known, _)| *known == parameter.name) {
                let _ = writeln!(text, "      {said}");
            }
        }
        if let Some(returns) = self.returns.as_ref().or(comment.returns.as_ref()) {
            let _ = writeln!(text, "\nReturns {returns}");
        }
        for (title, code) in &comment.examples {
            let _ = writeln!(text, "\nExample{}{title}", if title.is_empty() { "" } else { ": " });
            code.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
        }
        text
    }

    pub(super) fn json(&self) -> Json {
        let said = |name: &str| self.comment.params.iter().find(|(known, _)| known == name).map(|(_, said)| said);
        let parameters: Vec<Json> = self
            .parameters
            .iter()
            .map(|of| json!({ "name": of.name, "type": of.type_text, "default": of.default, "text": said(&of.name) }))
            .collect();
        json!({
            "kind": self.kind,
            "name": self.name,
            "file": self.file,
            "line": self.line,
            "summary": self.comment.summary,
            "text": self.comment.text.join("\n").trim(),
            "parameters": parameters,
            "returns": self.returns.as_ref().or(self.comment.returns.as_ref()),
        })
    }
}

fn written(ast: &Ast, id: NodeId) -> String {
    let span = ast.span(id);
    let text = &ast.source().text()[span.start as usize..span.end() as usize];
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn parameters(ast: &Ast, definition: &Definition) -> Vec<Parameter> {
    let one = |id: &NodeId| match ast.node(*id) {
        Node::Param { name, type_expr, value, .. } => Some(Parameter {
            name: ast.text(name).to_owned(),
            type_text: type_expr.map(|id| written(ast, id)),
            default: value.map(|id| written(ast, id)),
        }),
        _ => None,
    };
    ast.list(definition.params).iter().filter_map(one).collect()
}

impl Comment {
    /// Returns the lines of comment that end above a line.
    fn above(text: &str, line: u32) -> Comment {
        let before: Vec<&str> = text.lines().take((line as usize).saturating_sub(1)).collect();
        let is_comment = |line: &&&str| line.trim_start().starts_with('#');
        let mut lines: Vec<&str> = before.iter().rev().take_while(is_comment).copied().collect();
        lines.reverse();
        let bare = |line: &str| {
            let line = line.trim_start().trim_start_matches('#');
            line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()
        };
        Comment::from_lines(lines.into_iter().map(bare))
    }

    fn from_lines(lines: impl Iterator<Item = String>) -> Comment {
        let mut comment = Comment::default();
        let mut tag = Tag::Text;
        for line in lines {
            if let Some(rest) = line.strip_prefix('@') {
                let (name, said) = rest.split_once(' ').unwrap_or((rest, ""));
                tag = comment.begin(name, said.trim());
            } else {
                // What belongs to a tag is indented.
                if !line.is_empty() && !line.starts_with(' ') {
                    tag = Tag::Text;
                }
                comment.go_on(tag, &line);
            }
        }
        comment
    }

    fn begin(&mut self, name: &str, said: &str) -> Tag {
        match name {
            "summary" => {
                self.summary = Some(said.to_owned());
                Tag::Summary
            }
            "param" => {
                // A type may stand around the name, as in code that has no types.
                let words: Vec<&str> = said.split_whitespace().filter(|word| !word.starts_with('[')).collect();
                let (name, said) = words
                    .split_first()
                    .map_or(("", ""), |(name, _)| (*name, said.split_once(name).map_or("", |(_, rest)| rest).trim()));
                self.params.push((name.trim_start_matches('$').to_owned(), said.to_owned()));
                Tag::Param
            }
            "example" => {
                self.examples.push((said.to_owned(), Vec::new()));
                Tag::Example
            }
            "return" => {
                self.returns = Some(said.to_owned());
                Tag::Return
            }
            _ => Tag::Other,
        }
    }

    fn go_on(&mut self, tag: Tag, line: &str) {
        let join = |text: &mut String| {
            if !line.trim().is_empty() {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(line.trim());
            }
        };
        match tag {
            Tag::Text => self.text.push(line.to_owned()),
            Tag::Summary => self.summary.iter_mut().for_each(join),
            Tag::Param => self.params.last_mut().map(|(_, said)| said).into_iter().for_each(join),
            Tag::Return => self.returns.iter_mut().for_each(join),
            Tag::Example => {
                let code = self.examples.last_mut().map(|(_, code)| code);
                code.into_iter().for_each(|code| code.push(line.strip_prefix("  ").unwrap_or(line).to_owned()));
            }
            Tag::Other => {}
        }
    }
}

#[derive(Clone, Copy)]
enum Tag {
    Text,
    Summary,
    Param,
    Example,
    Return,
    Other,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_of_puppet_strings_is_taken_apart() {
        let text = "# @summary Sets the clock,\n#   everywhere\n#\n# @param servers\n#   Whom to ask.\n# @param [String] \
                    zone where\n# @example Plain\n#   include ntp\nclass ntp {";
        let comment = Comment::above(text, 9);
        assert_eq!(comment.summary.as_deref(), Some("Sets the clock, everywhere"));
        let params: Vec<(&str, &str)> = comment.params.iter().map(|(name, said)| (&**name, &**said)).collect();
        assert_eq!(params, [("servers", "Whom to ask."), ("zone", "where")]);
        assert_eq!(comment.examples, [("Plain".to_owned(), vec!["include ntp".to_owned()])]);
        assert_eq!(Comment::above("class ntp {", 1), Comment::default());
    }
}
