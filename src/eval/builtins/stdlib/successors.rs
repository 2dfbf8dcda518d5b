//! Ruby's `String#succ` and the texts from one to another: `a`, `b` … `z`, `aa`; `host09`, `host10`.

/// Returns the texts of a range, as Ruby counts them up.
pub(super) fn upto(start: &str, stop: &str, excludes_stop: bool) -> Box<dyn Iterator<Item = String>> {
    if let (Some(first), Some(last)) = (only_ascii(start), only_ascii(stop)) {
        let bytes = first..last + u8::from(!excludes_stop);
        return Box::new(bytes.map(|byte| char::from(byte).to_string()));
    }
    if start > stop || (excludes_stop && start == stop) {
        return Box::new(std::iter::empty());
    }
    let (stop, behind) = (stop.to_owned(), succ(stop));
    let first = Some(start.to_owned()).filter(|start| *start != behind);
    Box::new(std::iter::successors(first, move |current| {
        if !excludes_stop && *current == stop {
            return None;
        }
        let next = succ(current);
        let ends = (excludes_stop && next == stop) || next.len() > stop.len() || next.is_empty() || next == behind;
        (!ends).then_some(next)
    }))
}

fn only_ascii(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() => Some(*byte),
        _ => None,
    }
}

/// Returns the next text: the letters and digits are counted up from the right, each within its kind.
pub(super) fn succ(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let mut carried: Option<(usize, char)> = None;
    let mut after_other = false;
    for place in (0..letters.len()).rev() {
        let letter = letters[place];
        if let Some((wrapped, _)) = carried
            && after_other
            && (letters[wrapped].is_ascii_alphabetic() && letter.is_ascii_digit()
                || letters[wrapped].is_ascii_digit() && letter.is_ascii_alphabetic())
        {
            break;
        }
        let (next, carry) = match letter {
            'z' => ('a', Some('a')),
            'Z' => ('A', Some('A')),
            '9' => ('0', Some('1')),
            'a'..='y' | 'A'..='Y' | '0'..='8' => (char::from(letter as u8 + 1), None),
            _ => {
                after_other = true;
                continue;
            }
        };
        after_other = false;
        letters[place] = next;
        match carry {
            None => return letters.into_iter().collect(),
            Some(carry) => carried = Some((place, carry)),
        }
    }
    match carried {
        Some((place, carry)) => letters.insert(place, carry),
        // No letter and no digit: the last character is counted up.
        None => {
            if let Some(last) = letters.last_mut() {
                *last = char::from_u32(u32::from(*last) + 1).unwrap_or(*last);
            }
        }
    }
    letters.into_iter().collect()
}
