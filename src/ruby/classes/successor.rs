//! The text after a text: `az` gives `ba`, `a9` gives `b0`, `1.9` gives `2.0`.

/// What letters and digits go up among: each kind by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CharacterClass {
    Digit,
    Letter,
}

fn sort_of(letter: char) -> Option<CharacterClass> {
    if letter.is_alphabetic() {
        Some(CharacterClass::Letter)
    } else if letter.is_numeric() && (letter.is_ascii_digit() || !letter.is_ascii()) {
        Some(CharacterClass::Digit)
    } else {
        None
    }
}

fn moved(letter: char, by: i32) -> Option<char> {
    char::from_u32(u32::from(letter).checked_add_signed(by)?)
}

/// The next of its sort; one that has none begins again, and what is carried then stands before it.
enum Next {
    Found(char),
    Wrapped { first: char, carried: char },
}

fn next(letter: char, sort: CharacterClass) -> Next {
    // One place may be of another sort in between.
    let further = [1, 2].into_iter().filter_map(|by| moved(letter, by));
    if let Some(found) = further.into_iter().find(|next| sort_of(*next) == Some(sort)) {
        return Next::Found(found);
    }
    let mut first = letter;
    while let Some(before) = moved(first, -1).filter(|before| sort_of(*before) == Some(sort)) {
        first = before;
    }
    let carried = if sort == CharacterClass::Digit { moved(first, 1).unwrap_or(first) } else { first };
    Next::Wrapped { first, carried }
}

pub(crate) fn successor(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    // The last that has begun again, and whether something of no sort has come since.
    let mut wrapped: Option<(usize, CharacterClass, char)> = None;
    let mut is_apart = false;
    for at in (0..letters.len()).rev() {
        let Some(sort) = sort_of(letters[at]) else {
            is_apart = true;
            continue;
        };
        if is_apart && wrapped.is_some_and(|(_, last, _)| last != sort) {
            break;
        }
        is_apart = false;
        match next(letters[at], sort) {
            Next::Found(next) => {
                letters[at] = next;
                return letters.into_iter().collect();
            }
            Next::Wrapped { first, carried } => {
                letters[at] = first;
                wrapped = Some((at, sort, carried));
            }
        }
    }
    match wrapped {
        Some((at, _, carried)) => letters.insert(at, carried),
        // Without letters and digits, the last character goes up by one.
        None => {
            if let Some(last) = letters.last_mut() {
                *last = moved(*last, 1).unwrap_or(*last);
            }
        }
    }
    letters.into_iter().collect()
}
