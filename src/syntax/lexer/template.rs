//! EPP: the text of a template, and the tags that switch between text and code.

use pantin_base::Diagnostic;

use super::{LexResult, Lexed, Lexer, TemplateMode};
use crate::ast::{AstBuilder, Text};
use crate::issue::Issue;
use crate::token::{Token, TokenKind};

/// What ended a stretch of template text.
enum Stop {
    /// The end of the template; the flag says whether the text before it counts. The real
    /// scanner loses text that is followed by a literal `<%` or a comment and then nothing.
    End {
        keeps_text: bool,
    },
    Code,
    Expression,
}

impl Lexer<'_> {
    /// Starts lexing a template instead of code.
    pub(crate) fn start_template(&mut self, ast: &mut AstBuilder) -> LexResult<()> {
        let start = self.token(TokenKind::EppStart, 0, 0, Text::default());
        self.queue.push_back(start);
        self.template_text(ast, false)
    }

    /// `%>` or `-%>`, of `length` bytes.
    pub(super) fn close_tag(&mut self, ast: &mut AstBuilder, length: usize) -> LexResult<Lexed> {
        let start = self.pos;
        self.pos += length;
        let trims = length == 3;
        if self.template == TemplateMode::Expression {
            let kind = if trims { TokenKind::RenderEndTrim } else { TokenKind::RenderEnd };
            let token = self.token(kind, start, self.pos, Text::default());
            self.queue.push_back(token);
        }
        if !trims {
            self.template = TemplateMode::Text;
        }
        self.template_text(ast, trims)?;
        Ok(Lexed::Nothing)
    }

    /// Reads text up to the next tag that holds code, or to the end.
    fn template_text(&mut self, ast: &mut AstBuilder, skip_leading: bool) -> LexResult<()> {
        let start = self.pos;
        if self.template == TemplateMode::Off {
            self.template = TemplateMode::Text;
        }
        let mut text = String::new();
        let stop = self.scan_template(&mut text, skip_leading)?;
        let is_rendered = match stop {
            Stop::End { keeps_text } => keeps_text,
            Stop::Code | Stop::Expression => !text.is_empty(),
        };
        if is_rendered {
            let value = ast.push_text(&text);
            let token = self.token(TokenKind::RenderString, start, self.pos, value);
            self.queue.push_back(token);
        }
        match stop {
            Stop::End { .. } => self.tag_open = false,
            Stop::Code => {
                self.template = TemplateMode::Code;
                self.tag_open = true;
            }
            Stop::Expression => {
                let token: Token = self.token(TokenKind::RenderStart, start, start, Text::default());
                self.queue.push_back(token);
                self.template = TemplateMode::Expression;
                self.tag_open = true;
            }
        }
        Ok(())
    }

    fn scan_template(&mut self, text: &mut String, mut skip_leading: bool) -> LexResult<Stop> {
        if self.pos >= self.text.len() {
            return Ok(Stop::End { keeps_text: false });
        }
        while self.pos < self.text.len() {
            let part_start = self.pos;
            let tag = memchr::memmem::find(self.rest(), b"<%").map(|at| part_start + at);
            let part_end = tag.map_or(self.text.len(), |at| at + 2);
            let mut part = &self.text[part_start..part_end];
            if skip_leading {
                part = without_leading(part);
                skip_leading = false;
            }
            text.push_str(&part.replace("%%>", "%>"));
            self.pos = part_end;
            if self.pos >= self.text.len() {
                if text.ends_with("<%") {
                    return Err(self.error(Issue::EppUnbalancedExpression, self.pos));
                }
                return Ok(Stop::End { keeps_text: true });
            }
            match self.byte(0) {
                b'-' => {
                    self.pos += 1;
                    drop_tag(text);
                    trim_blanks(text);
                    return Ok(Stop::Code);
                }
                b'%' => self.pos += 1,
                b'=' => {
                    self.pos += 1;
                    drop_tag(text);
                    return Ok(Stop::Expression);
                }
                b'#' => {
                    drop_tag(text);
                    skip_leading = self.template_comment(text)?;
                }
                _ => {
                    drop_tag(text);
                    return Ok(Stop::Code);
                }
            }
        }
        Ok(Stop::End { keeps_text: false })
    }

    /// Skips the comment whose `#` stands here; whether it trims what follows.
    fn template_comment(&mut self, text: &mut String) -> Result<bool, Box<Diagnostic>> {
        let start = self.pos;
        let bytes = self.rest();
        let end = memchr::memmem::find_iter(bytes, b"%>").find(|&at| at > 0 && bytes[at - 1] != b'%');
        let Some(end) = end else {
            return Err(self.error(Issue::EppUnbalancedComment, start));
        };
        let comment = &self.text[start..start + end + 2];
        self.pos = start + comment.len();
        if comment.as_bytes()[1] == b'-' {
            trim_blanks(text);
        }
        Ok(comment.ends_with("-%>"))
    }
}

/// Takes blanks and one line end off the start.
fn without_leading(part: &str) -> &str {
    let rest = part.trim_start_matches([' ', '\t']);
    let rest = rest.strip_prefix('\r').unwrap_or(rest);
    rest.strip_prefix('\n').unwrap_or(rest)
}

/// Takes the `<%` off the end.
fn drop_tag(text: &mut String) {
    text.truncate(text.len().saturating_sub(2));
}

fn trim_blanks(text: &mut String) {
    text.truncate(text.trim_end_matches([' ', '\t']).len());
}
