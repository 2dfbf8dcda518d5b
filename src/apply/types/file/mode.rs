//! Modes of files, written in octal digits or in letters.

use crate::failure::Failure;
use crate::value::inspect;
use pantin_values::Value;

/// The mode of a new file for which nobody says one.
pub(crate) const NEW_FILE: u32 = 0o644;
/// The mode of a new folder for which nobody says one.
pub(crate) const NEW_FOLDER: u32 = 0o755;

/// Returns true for one to four octal digits, with a zero in front of them perhaps.
pub(crate) fn is_octal(mode: &str) -> bool {
    let digits = if mode.len() == 5 { mode.strip_prefix('0').unwrap_or(mode) } else { mode };
    (1..=4).contains(&digits.len()) && digits.bytes().all(|byte| (b'0'..=b'7').contains(&byte))
}

/// Returns true for octal digits, and for clauses of letters: `u=rw,go-w`.
pub(crate) fn is_valid(mode: &str) -> bool {
    is_octal(mode) || mode.split(',').all(is_clause)
}

fn is_clause(clause: &str) -> bool {
    let action = clause.trim_start_matches(['u', 'g', 'o', 'a']);
    action.starts_with(['-', '=', '+']) && action.bytes().all(|byte| b"-=+rstwxXugo".contains(&byte))
}

/// Returns octal digits without zeros in front; letters as they are.
pub(crate) fn normalised(mode: &str) -> String {
    match u32::from_str_radix(mode, 8) {
        Ok(bits) if is_octal(mode) => format!("{bits:o}"),
        _ => mode.to_owned(),
    }
}

/// Returns octal digits with at least four of them; letters as they are.
pub(crate) fn displayed(mode: &str) -> String {
    if is_octal(mode) { format!("{mode:0>4}") } else { mode.to_owned() }
}

/// Adds the right to enter a folder wherever it may be read. Letters say that themselves.
pub(crate) fn for_folder(mode: &str) -> String {
    match u32::from_str_radix(mode, 8) {
        Ok(bits) if mode.bytes().all(|byte| byte.is_ascii_digit()) => format!("{:o}", bits | ((bits & 0o444) >> 2)),
        _ => mode.to_owned(),
    }
}

/// Applies a mode to the current one.
pub(crate) fn apply(mode: &str, current: u32, is_folder: bool) -> Result<u32, Failure> {
    if let Ok(bits) = u32::from_str_radix(mode, 8) {
        return Ok(bits);
    }
    let mut bits = Bits::new(current);
    for clause in mode.split(',').map(str::trim) {
        bits.apply_clause(clause, is_folder).map_err(|problem| {
            let quoted = |text: &str| inspect(&Value::string(text));
            let place = if clause == mode { String::new() } else { format!(" at {}", quoted(clause)) };
            Failure::new(format!("{problem}{place} in symbolic mode {}", quoted(mode)))
        })?;
    }
    Ok(bits.value())
}

const WHO: [char; 3] = ['u', 'g', 'o'];

struct Bits {
    special: u32,
    /// Of the owner, the group, all others.
    rights: [u32; 3],
    could_be_executed: bool,
}

impl Bits {
    fn new(mode: u32) -> Bits {
        let rights = [mode >> 6 & 7, mode >> 3 & 7, mode & 7];
        Bits { special: mode >> 9 & 7, rights, could_be_executed: mode & 0o111 != 0 }
    }

    fn value(&self) -> u32 {
        let [owner, group, others] = self.rights;
        self.special << 9 | owner << 6 | group << 3 | others
    }

    fn apply_clause(&mut self, clause: &str, is_folder: bool) -> Result<(), String> {
        let actions = clause.trim_start_matches(['u', 'g', 'o', 'a']);
        if !actions.starts_with(['-', '+', '=']) {
            return Err("Missing action".to_owned());
        }
        let named = &clause[..clause.len() - actions.len()];
        // Whoever is named as an example means the rights before this clause.
        let before = self.rights;
        for (index, who) in WHO.into_iter().enumerate() {
            if named.is_empty() || named.contains([who, 'a']) {
                self.rights[index] = self.after(actions, (index, before), is_folder)?;
            }
        }
        Ok(())
    }

    fn after(&mut self, actions: &str, (index, before): (usize, [u32; 3]), is_folder: bool) -> Result<u32, String> {
        let mut value = before[index];
        let mut action = '=';
        let combine = |action: char, old: u32, bits: u32| if action == '-' { old & !bits } else { old | bits };
        for letter in actions.chars() {
            match letter {
                '-' | '+' | '=' => {
                    action = letter;
                    if letter == '=' {
                        value = 0;
                    }
                }
                'u' => value = combine(action, value, before[0]),
                'g' => value = combine(action, value, before[1]),
                'o' => value = combine(action, value, before[2]),
                'r' => value = combine(action, value, 4),
                'w' => value = combine(action, value, 2),
                'x' => value = combine(action, value, 1),
                'X' if action != '+' => return Err("X only works with the '+' operator".to_owned()),
                'X' if is_folder || self.could_be_executed => value = combine(action, value, 1),
                'X' => {}
                't' => self.special = combine(action, self.special, 1),
                's' => self.special = combine(action, self.special, [4, 2, 1][index]),
                _ => return Err("Unknown operation".to_owned()),
            }
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_change_what_they_name() {
        for (mode, current, result) in [
            ("u=rw,go=r", 0o600, 0o644),
            ("a+x", 0o644, 0o755),
            ("go-rwx", 0o4755, 0o4700),
            ("u+s,g+s", 0o755, 0o6755),
            ("+t", 0o755, 0o1755),
            ("g=u", 0o640, 0o660),
            ("o=g,u-w", 0o751, 0o555),
            ("a+X", 0o711, 0o711),
            ("0640", 0o777, 0o640),
        ] {
            assert_eq!(apply(mode, current, false).map_err(|failure| failure.to_string()), Ok(result), "{mode}");
        }
        assert_eq!(apply("a+X", 0o600, true).ok(), Some(0o711));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_clause() {
        let told = |mode| apply(mode, 0, false).unwrap_err().to_string();
        assert_eq!(told("a=X"), "X only works with the '+' operator in symbolic mode \"a=X\"");
        assert_eq!(told("u=r,a=X"), "X only works with the '+' operator at \"a=X\" in symbolic mode \"u=r,a=X\"");
    }

    #[test]
    fn digits_and_clauses_are_told_from_other_words() {
        for mode in ["0", "644", "0644", "04755", "u=rw", "a+X,o-", "=r"] {
            assert!(is_valid(mode), "{mode}");
        }
        for mode in ["", "0999", "8", "u", "u=q", "123456", "rw"] {
            assert!(!is_valid(mode), "{mode}");
        }
    }
}
