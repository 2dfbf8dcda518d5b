//! Functions that quote words for a shell, and take them apart again.

use pantin_values::Value;
use pantin_values::sprintf::inspect;

use super::ruby::{Result, fail, older, text_of};
use crate::{Builtin, Flow, Invocation, Overload, overload, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    older!("shell_join", shell_join, "A line of a shell made of words."),
    older!("shell_split", shell_split, "The words of a line of a shell."),
];

pub(super) static OLD: &[Builtin] = &[
    Builtin::typed("shell_escape", SHELL, SHELL_DOC),
    Builtin::typed("batch_escape", BATCH, BATCH_DOC),
    Builtin::typed("powershell_escape", POWERSHELL, POWERSHELL_DOC),
];

pub(super) static NEW: &[Builtin] = &[
    Builtin::typed("stdlib::shell_escape", SHELL, SHELL_DOC),
    Builtin::typed("stdlib::batch_escape", BATCH, BATCH_DOC),
    Builtin::typed("stdlib::powershell_escape", POWERSHELL, POWERSHELL_DOC),
];

const SHELL_DOC: &str = "A text as one word of a POSIX shell.";
const BATCH_DOC: &str = "A text as one word of cmd.exe.";
const POWERSHELL_DOC: &str = "A text as one word of PowerShell.";
const SHELL: &[Overload] = &[overload(&[required("Any", "string")], None, |call| changed(call, escaped))];
const BATCH: &[Overload] = &[overload(&[required("Any", "string")], None, |call| changed(call, for_batch))];
const POWERSHELL: &[Overload] = &[overload(&[required("Any", "string")], None, |call| changed(call, for_powershell))];

fn changed(call: &mut Invocation<'_, '_>, change: fn(&str) -> String) -> Flow {
    Ok(change(&text_of(call.arg(0))).into())
}

fn escaped(word: &str) -> String {
    if word.is_empty() {
        return "''".to_owned();
    }
    let mut line = String::with_capacity(word.len() + 8);
    for character in word.chars() {
        match character {
            '\n' => line.push_str("'\n'"),
            _ if character.is_ascii_alphanumeric() || "_-.,:+/@".contains(character) => line.push(character),
            _ => line.extend(['\\', character]),
        }
    }
    line
}

fn for_batch(text: &str) -> String {
    let mut line = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => line.push_str("\"\""),
            '$' | '\\' => line.extend(['\\', character]),
            _ => line.push(character),
        }
    }
    line.push('"');
    line
}

fn for_powershell(text: &str) -> String {
    let mut line = String::new();
    for character in text.chars() {
        match character {
            ' ' | '\'' | '`' | '|' | '\n' | '$' => line.extend(['`', character]),
            '"' => line.push_str("\\`\""),
            _ => line.push(character),
        }
    }
    line
}

fn shell_join(args: Vec<Value>) -> Result {
    let [words] = args.as_slice() else {
        return fail(format!("shell_join(): Wrong number of arguments given ({} for 1)", args.len()));
    };
    let Value::Array(words) = words else {
        return fail(format!("First argument is not an Array: {}", inspect(words)));
    };
    let words: Vec<String> = words.iter().map(|word| escaped(&text_of(word))).collect();
    Ok(words.join(" ").into())
}

fn shell_split(args: Vec<Value>) -> Result {
    let [line] = args.as_slice() else {
        return fail(format!("shell_split(): Wrong number of arguments given ({} for 1)", args.len()));
    };
    words(&text_of(line))
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r')
}

/// Words with quotes around parts of them; what a backslash stands before, outside of quotes, stands for itself.
fn words(line: &str) -> Result {
    let letters: Vec<char> = line.chars().collect();
    let unmatched = || fail(format!("Unmatched quote: {}", inspect(&line.into())));
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut at = 0;
    while at < letters.len() {
        let letter = letters[at];
        at += 1;
        match letter {
            '\'' | '"' => {
                let Some(length) = quoted_length(&letters[at..], letter) else { return unmatched() };
                let inner = &letters[at..at + length];
                at += length + 1;
                let word = word.get_or_insert_default();
                if letter == '\'' { word.extend(inner) } else { push_double_quoted(word, inner) }
            }
            '\\' => {
                let word = word.get_or_insert_default();
                match letters.get(at) {
                    // A line break keeps its backslash.
                    Some('\n') => word.extend(['\\', '\n']),
                    Some(escaped) => word.push(*escaped),
                    None => word.push('\\'),
                }
                at += 1;
            }
            letter if is_space(letter) => words.extend(word.take().map(Value::from)),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word.map(Value::from));
    Ok(Value::array(words))
}

/// Up to the quote that ends it.
fn quoted_length(letters: &[char], quote: char) -> Option<usize> {
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        match letter {
            '\\' if quote == '"' => at += 2,
            letter if letter == quote => return Some(at),
            _ => at += 1,
        }
    }
    None
}

/// Where a backslash escapes nothing but what would have a meaning.
fn push_double_quoted(word: &mut String, inner: &[char]) {
    let mut at = 0;
    while let Some(&letter) = inner.get(at) {
        at += 1;
        match (letter, inner.get(at)) {
            ('\\', Some(escaped @ ('$' | '`' | '"' | '\\' | '\n'))) => {
                word.push(*escaped);
                at += 1;
            }
            _ => word.push(letter),
        }
    }
}
