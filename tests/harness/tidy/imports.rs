//! The paths a Rust file names that lead to its crate's root or to another crate.

use super::tokens::{Token, tokens};

/// A path by its first names: `["crate", "syntax"]` for `crate::syntax::…` and for a `super::` that
/// leads there, `["clap", "Parser"]` for another crate's.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) first: String,
    pub(super) second: String,
    pub(super) line: usize,
}

/// `module`: the names of the file's own module, `["syntax", "lexer"]`.
pub(super) fn imports(text: &str, module: &[String]) -> Vec<Import> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    // Modules written out in the file, and how many braces are open in each.
    let mut inline: Vec<(&str, usize)> = Vec::new();
    // For each open brace, whether it groups the branches of a path.
    let mut braces: Vec<bool> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "{" => {
                braces.push(at >= 1 && tokens[at - 1].text == "::");
                if at >= 2 && tokens[at - 2].text == "mod" {
                    inline.push((tokens[at - 1].text, braces.len()));
                }
            }
            "}" => {
                inline.pop_if(|(_, ends)| *ends == braces.len());
                braces.pop();
            }
            name if is_name(name) && begins_path(&tokens, at) && braces.last() != Some(&true) => {
                let own = module.iter().map(String::as_str);
                let here: Vec<&str> = own.chain(inline.iter().map(|(name, _)| *name)).collect();
                follow(&tokens, at, Vec::new(), &here, &mut found);
            }
            _ => {}
        }
    }
    found
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// A name with `::` after it and none before it.
fn begins_path(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| tokens[before].text);
    tokens.get(at + 1).is_some_and(|next| next.text == "::") && before != Some("::")
}

/// Reads the path that goes on at `at` after `names`, with every branch of `{a, b::{c, d}}`.
fn follow<'a>(tokens: &[Token<'a>], mut at: usize, mut names: Vec<&'a str>, here: &[&str], found: &mut Vec<Import>) {
    loop {
        let Some(token) = tokens.get(at) else { return };
        if token.text == "{" {
            for branch in branches(tokens, at) {
                follow(tokens, branch, names.clone(), here, found);
            }
            return;
        }
        names.push(token.text);
        let goes_on = tokens.get(at + 1).is_some_and(|next| next.text == "::");
        let is_known = token.text != "super" && resolve(&names, here).is_some();
        if !goes_on || is_known {
            found.extend(resolve(&names, here).map(|(first, second)| Import { first, second, line: token.line }));
            return;
        }
        at += 2;
    }
}

/// Where each branch of a group in braces begins.
fn branches(tokens: &[Token], open: usize) -> Vec<usize> {
    let mut begins = vec![open + 1];
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "{" => depth += 1,
            "}" if depth == 1 => break,
            "}" => depth -= 1,
            "," if depth == 1 => begins.push(at + 1),
            _ => {}
        }
    }
    begins
}

/// The first two names of the whole path, once there are enough of them to know.
fn resolve(names: &[&str], here: &[&str]) -> Option<(String, String)> {
    let ups = names.iter().take_while(|name| **name == "super").count();
    let (base, rest) = match names[0] {
        "self" => (here, &names[1..]),
        "super" => (&here[..here.len().saturating_sub(ups)], &names[ups..]),
        "crate" => (&here[..0], &names[1..]),
        other => return Some((other.to_owned(), (*names.get(1)?).to_owned())),
    };
    let mut whole = base.iter().chain(rest);
    Some(("crate".to_owned(), (*whole.next()?).to_owned()))
}
