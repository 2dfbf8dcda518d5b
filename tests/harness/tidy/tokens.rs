//! Rust text as words and marks with their lines: comments and literals are left out.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    /// Counted from one.
    pub(super) line: usize,
}

/// Names, `::` and single marks. A literal is left as one `"`, so that its line counts as code.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let (len, shown) = next(rest, first);
        if let Some(shown) = shown {
            tokens.push(Token { text: shown, line });
        }
        line += rest[..len].matches('\n').count();
        rest = &rest[len..];
    }
    tokens
}

/// How long the next token is, and what is kept of it.
fn next(rest: &str, first: char) -> (usize, Option<&str>) {
    if first.is_whitespace() {
        return (first.len_utf8(), None);
    }
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), None);
    }
    if rest.starts_with("/*") {
        return (block_comment(rest), None);
    }
    if let Some(len) = raw_string(rest) {
        return (len, Some("\""));
    }
    if first == '"' || rest.starts_with("b\"") || rest.starts_with("c\"") {
        let begin = rest.find('"').unwrap_or_default() + 1;
        return (begin + quoted(&rest[begin..], '"'), Some("\""));
    }
    if first == '\'' || rest.starts_with("b'") {
        let begin = rest.find('\'').unwrap_or_default() + 1;
        let mut after = rest[begin..].chars();
        let (one, two) = (after.next(), after.next());
        // 'a' is a character; 'a without a second quote is a lifetime.
        if one == Some('\\') || two == Some('\'') {
            return (begin + quoted(&rest[begin..], '\''), Some("\""));
        }
        return (begin, None);
    }
    if first.is_alphanumeric() || first == '_' {
        let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        return (len, Some(&rest[..len]));
    }
    let len = if rest.starts_with("::") { 2 } else { first.len_utf8() };
    (len, Some(&rest[..len]))
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        if here.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// `r"…"`, `r#"…"#`, `br"…"`: its length.
fn raw_string(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix("cr")).or_else(|| rest.strip_prefix('r'))?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let close = body.find(&end).map_or(body.len(), |at| at + end.len());
    Some(rest.len() - body.len() + close)
}

/// The length up to and with the closing quote.
fn quoted(body: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in body.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    body.len()
}
