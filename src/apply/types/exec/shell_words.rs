//! How Ruby's `exec` starts a command that is one text: by a shell if the text needs one, else directly.

/// Words that only a shell knows.
const SHELL_WORDS: [&str; 31] = [
    "!", ".", ":", "break", "case", "continue", "do", "done", "elif", "else", "esac", "eval", "exec", "exit", "export",
    "fi", "for", "if", "in", "readonly", "return", "set", "shift", "then", "times", "trap", "unset", "until", "while",
    "{", "}",
];

/// Splits a command into its words. `None`: a shell has to read it.
pub(super) fn split(command: &str) -> Option<Vec<&str>> {
    if command.contains(|letter| "*?{}[]<>()~&|\\$;'`\"\n#".contains(letter)) {
        return None;
    }
    let words: Vec<&str> = command.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
    let first = words.first()?;
    // An assignment stands before the first slash of the first word.
    let assigns = first.find('=').is_some_and(|place| !first[..place].contains('/'));
    if assigns || SHELL_WORDS.contains(first) { None } else { Some(words) }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_shell_is_started_only_where_one_is_needed() {
        assert_eq!(split("/bin/echo  a\tb").unwrap(), ["/bin/echo", "a", "b"]);
        assert_eq!(split("/bin/dd if=/dev/zero").unwrap(), ["/bin/dd", "if=/dev/zero"]);
        for command in ["A=1 true", "exit 3", "echo $HOME", "a | b", "echo 'a'", "", ": x"] {
            assert_eq!(split(command), None, "{command}");
        }
    }
}
