//! The differences that are meant: why, and the spec that shows each. What is recognised is what the spec shows, and no more.

use std::time::SystemTime;

use pantin::values::Timestamp;

use super::super::said::Said;

pub(in super::super) struct Known {
    pub(in super::super) why: &'static str,
    /// A spec's document and heading; or where it is written down, if no spec can show it.
    pub(in super::super) spec: &'static str,
    /// The program, what Puppet says, what Pantin says.
    pub(in super::super) is: fn(&str, &Said, &Said) -> bool,
}

/// At most fifteen.
pub(super) static KNOWN: [Known; 15] = [
    Known {
        why: "Ruby's own way to show an object, with its address and its members",
        spec: "language/deliberate.md: Objects of Ruby in messages",
        is: |source, theirs, ours| {
            let shown = |theirs: &str, ours: &str| {
                like_but_for_objects(theirs, ours) || like_but_for_objects(&without_help(theirs), ours)
            };
            same_but(theirs, ours, shown) || is_made_of_object(source, theirs, ours)
        },
    },
    Known {
        why: "help that Ruby adds to errors of its own: a piece of its code, names that may be meant",
        spec: "language/deliberate.md: Help of Ruby for those who read its code",
        is: |_, theirs, ours| same_but(theirs, ours, |theirs, ours| without_help(theirs) == ours),
    },
    Known {
        why: "an error of Ruby's for a value that no code of Puppet is ready for",
        spec: "language/deliberate.md: Errors of Ruby",
        is: |_, theirs, ours| {
            const OF_RUBY: [&str; 7] = [
                "undefined method `",
                "uninitialized constant ",
                "wrong number of arguments (",
                "no implicit conversion of ",
                "can't convert ",
                "super: no superclass method `",
                "undefined local variable or method `",
            ];
            both_end_with_an_error(theirs, ours) && OF_RUBY.iter().any(|text| bare(theirs.error()).starts_with(text))
        },
    },
    Known {
        why: "a program that makes Ruby itself fail",
        spec: "language/deliberate.md: Programs that make Ruby fail",
        is: |_, theirs, ours| {
            let of_machine = ["SystemStackError", "NoMemoryError"].iter().any(|text| theirs.error().starts_with(text));
            let same_text =
                || theirs.error().split_once(": ").is_some_and(|(_, text)| ours.error().contains(&*without_help(text)));
            theirs.is_crash && !ours.is_crash && (of_machine || same_text())
        },
    },
    Known {
        why: "an integer of so many digits that the error alone would fill the screen many times",
        spec: "src/base/limits.rs: NUMBER_DIGITS",
        is: |_, theirs, ours| {
            let too_big = ["Puppet Integer max range", "Puppet Integer min range", "NUMERIC_OVERFLOW. size too big"];
            too_big.iter().any(|text| theirs.error().contains(text)) && ours.error().contains("shift width too big")
        },
    },
    Known {
        why: "an integer, or a length of time in seconds, that 64 bits do not hold",
        spec: "language/deliberate.md: Integers beyond 64 bits, Times beyond 64 bits",
        is: |source, theirs, ours| {
            const MAKING: [&str; 4] = ["round(", "ceiling(", "floor(", "fqdn_rand("];
            const REFUSED: [&str; 4] = [
                "outside of Puppet Integer range",
                "outside of Puppet Integer max range",
                "does not fit in 64 bits",
                "is too large to calculate with",
            ];
            let texts = theirs.log.iter().map(String::as_str).chain([theirs.text()]);
            let is_big = || texts.into_iter().any(has_big_integer) || MAKING.iter().any(|call| source.contains(call));
            (theirs != ours && ours.error().contains("its seconds do not fit in 64 bits"))
                || (REFUSED.iter().any(|text| ours.error().contains(text)) && is_big())
        },
    },
    Known {
        why: "the pattern of all URIs, which is a screen long",
        spec: "language/deliberate.md: The pattern of URIs",
        is: |_, theirs, ours| {
            const START: &str = "URI-Type parameter has wrong type";
            both_end_with_an_error(theirs, ours)
                && [START, "bad URI(is not URI?)"].iter().any(|text| theirs.error().contains(text))
                && ours.error().contains(START)
        },
    },
    Known {
        why: "an Init of a type at which the real one stops, when it compares the Init or normalizes it",
        spec: "language/deliberate.md: Init of what cannot be made",
        is: |source, theirs, ours| {
            let of_init = |error: &str| {
                error.contains("Creation of new instance of type '")
                    || error.contains("does not represent a valid set of parameters for ")
                    || error.contains("wrong number of arguments (given 1, expected 2)")
                    || error.contains("undefined method `sub' for nil:NilClass")
            };
            let is_of_itself = |error: &str| {
                let refused = error.split("Creation of new instance of type '").nth(1);
                refused.is_some_and(|of| {
                    of.contains(" = Init[") || of.contains(" = Optional[") || of.contains(" = NotUndef[")
                })
            };
            source.contains("Init") && (of_init(theirs.error()) && !of_init(ours.error()) || is_of_itself(ours.error()))
        },
    },
    Known {
        why: "equal times as keys of a hash, or among what is to be there once",
        spec: "language/deliberate.md: Equal times",
        is: |source, theirs, ours| {
            let tells_apart = ["group_by", "unique"].iter().any(|text| source.contains(text))
                && ["Timespan", "Timestamp"].iter().any(|text| source.contains(text));
            let is_twice = |made: &str| {
                let calls: Vec<&str> = source.split(made).skip(1).filter_map(|rest| rest.split(')').next()).collect();
                calls.iter().enumerate().any(|(place, call)| calls[..place].contains(call))
            };
            let count =
                |said: &Said| said.text().matches("Timespan(").count() + said.text().matches("Timestamp(").count();
            (theirs.result.is_ok() == ours.result.is_ok() && (tells_apart || count(theirs) > count(ours)))
                || (source.contains("=>") && ["Timespan(", "Timestamp("].into_iter().any(is_twice))
                || source.matches("Sensitive(Time").count() > 1
        },
    },
    Known {
        why: "a type in a tree, or a Struct in steps, which the real one goes through as the object that it is there",
        spec: "language/deliberate.md: Types as trees",
        is: |source, theirs, ours| {
            const MEMBERS: [&str; 14] = [
                "size_type_or_value",
                "size_type",
                "element_type",
                "key_type",
                "value_type",
                "type",
                "types",
                "elements",
                "values",
                "pattern",
                "patterns",
                "param_types",
                "from",
                "_pcore_init_hash",
            ];
            let names = |said: &Said, member: &str| {
                let quoted = [format!("'{member}'"), format!("[{member}]"), format!(", {member}]")];
                let texts = said.log.iter().map(String::as_str).chain([said.text()]);
                texts.into_iter().any(|text| quoted.iter().any(|quoted| text.contains(quoted)))
            };
            // Of a type as the argument itself, the lambda may be called or not.
            let begins_with_type = |call: &str| call.trim_start_matches(['(', ' ']).starts_with(char::is_uppercase);
            (source.split("tree_each(").skip(1).any(begins_with_type) && theirs.result.is_err() != ours.result.is_err())
                || (source.contains("step")
                    && source.contains("Struct[")
                    && theirs.text().contains("Pcore::StructElement("))
                || source.contains("tree_each")
                    && MEMBERS.iter().any(|member| names(theirs, member) && !names(ours, member))
        },
    },
    Known {
        why: "two different secrets that have the same number to Ruby's hashes",
        spec: "language/deliberate.md: Secrets that Ruby cannot tell apart",
        is: |source, theirs, ours| {
            (theirs.result.is_ok() || ours.result.is_ok()) && source.matches("Sensitive(").count() > 1
        },
    },
    Known {
        why: "references to several resources or none, and titles, patterns and bounds of a wrong kind, where a type is to be",
        spec: "language/deliberate.md: References as types of parameters, References by titles that are no texts, \
               Patterns that are no texts, Bounds that are no integers",
        is: |_, _, ours| {
            const REFUSED: [&str; 4] = [
                "] is not a type (",
                " where a resource title String is expected",
                "Error while evaluating a Type-Name, no implicit conversion of ",
                "Error while evaluating a Type-Name, comparison of ",
            ];
            REFUSED.iter().any(|text| ours.error().contains(text))
        },
    },
    Known {
        why: "a word for a shell that Ruby makes bytes of",
        spec: "language/deliberate.md: Words for a shell that become bytes",
        is: |_, _, ours| ours.error().contains(" would be bytes, and no text, in a catalog"),
    },
    Known {
        why: "the file of Ruby's own that cannot read a template outside of all modules",
        spec: "language/deliberate.md: Templates by absolute paths",
        is: |_, theirs, ours| {
            both_end_with_an_error(theirs, ours)
                && theirs.error().contains("Detail: No such file or directory @ rb_sysopen")
                && ours.error().contains("Could not find template '/")
        },
    },
    Known {
        why: "the time of the request",
        spec: "none can hold a time",
        is: |source, theirs, ours| {
            let says =
                |said: &Said, time: &str| said.text().contains(time) || said.log.iter().any(|line| line.contains(time));
            let now = |said: &Said| said.log.iter().any(|line| line.contains("(String format, [String timezone])"));
            (now(theirs) && now(ours))
                || NOW.iter().any(|call| source.contains(call))
                || (says(ours, &time_of_requests()[..19]) && says(theirs, &today()))
        },
    },
];

/// Which of them a difference is.
pub(super) fn known(of: &[Known], source: &str, theirs: &Said, ours: &Said) -> Option<usize> {
    of.iter().position(|known| (known.is)(source, theirs, ours))
}

/// Whether both have said alike, line by line.
fn same_but(theirs: &Said, ours: &Said, alike: fn(&str, &str) -> bool) -> bool {
    theirs.result.is_ok() == ours.result.is_ok()
        && (theirs.text() == ours.text() || alike(theirs.text(), ours.text()))
        && theirs.log.len() == ours.log.len()
        && theirs.log.iter().zip(&ours.log).all(|(theirs, ours)| theirs == ours || alike(theirs, ours))
}

fn both_end_with_an_error(theirs: &Said, ours: &Said) -> bool {
    theirs.result.is_err() && ours.result.is_err() && theirs.log == ours.log
}

/// Whether our text is theirs with something else, or nothing, where Ruby shows an object.
fn like_but_for_objects(theirs: &str, ours: &str) -> bool {
    let pieces = around_objects(theirs);
    let ([first, middle @ .., last], true) = (&pieces[..], pieces.len() > 1) else { return false };
    let Some(mut rest) = ours.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else { return false };
    middle.iter().all(|piece| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

/// What stands around every `#<Puppet::…>`: objects may hold others.
fn around_objects(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    // Tags are in small letters.
    let small = text.to_ascii_lowercase();
    while let Some(found) = small[start..].find("#<puppet::") {
        let object = start + found;
        let (mut depth, mut end) = (0, text.len());
        let mut quoted = None;
        for (at, byte) in text.bytes().enumerate().skip(object) {
            match byte {
                _ if quoted == Some(byte) && !text[..at].ends_with('\\') => quoted = None,
                _ if quoted.is_some() => {}
                b'"' => quoted = Some(byte),
                b'/' if text[..at].ends_with('=') => quoted = Some(byte),
                b'<' if text[..at].ends_with('#') => depth += 1,
                b'>' if text[..at].ends_with(['=', '-']) || text[at + 1..].starts_with('=') => {}
                b'>' => depth -= 1,
                _ => continue,
            }
            if depth == 0 {
                end = at + 1;
                break;
            }
        }
        pieces.push(&text[start..object]);
        start = end;
    }
    pieces.push(&text[start..]);
    pieces
}

/// An error without what is said around it of what was being done.
fn bare(error: &str) -> &str {
    let error = error.strip_prefix("Evaluation Error: ").unwrap_or(error);
    let error =
        error.strip_prefix("Error while evaluating a").and_then(|rest| Some(rest.split_once(", ")?.1)).unwrap_or(error);
    error.strip_prefix("Failed to parse inline template: ").unwrap_or(error)
}

fn has_big_integer(text: &str) -> bool {
    text.split(|letter: char| !letter.is_ascii_hexdigit() && letter != 'x')
        .map(|digits| digits.strip_prefix("0x").map_or((digits, 10), |digits| (digits, 16)))
        .any(|(digits, radix)| {
            digits.len() > 15 && i64::from_str_radix(digits, radix).is_err() && is_number(digits, radix)
        })
}

fn is_number(digits: &str, radix: u32) -> bool {
    digits.chars().all(|digit| digit.is_digit(radix))
}

/// An error of Ruby's without what stands between its text and its place.
fn without_help(error: &str) -> String {
    let Some(at) = ["\n\n", "\nDid you mean?"].iter().filter_map(|mark| error.find(mark)).min() else {
        return error.to_owned();
    };
    let place = error.rfind(" (line:").filter(|place| *place > at).unwrap_or(error.len());
    format!("{}{}", &error[..at], &error[place..])
}

/// What was made of a text in which Ruby shows an object, which has another place in memory each time: its checksum, its
/// characters one by one or sorted, a number or an answer that depends on them.
fn is_made_of_object(source: &str, theirs: &Said, ours: &Said) -> bool {
    fn last_word(text: &str) -> &str {
        text.rsplit(' ').next().unwrap_or(text)
    }
    let is_digest = |text: &str| {
        let digits = last_word(text).trim_matches('\'');
        matches!(digits.len(), 32 | 40 | 64) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
    };
    // In whatever order.
    let spells_object = |text: &str| {
        let count = |text: &str, letter| text.chars().filter(|other| *other == letter).count();
        let object = "#<Puppet::Pops:::0x0000>";
        object.chars().all(|letter| count(text, letter) >= count(object, letter))
    };
    let depends = |text: &str| matches!(last_word(text), "true" | "false") || last_word(text).parse::<u64>().is_ok();
    let shows_object = ["Timestamp", "Timespan", "tree_each"].iter().any(|made| source.contains(made))
        || source.contains("fqdn_rand(")
            && source.split("=> ").skip(1).any(|value| value.starts_with(char::is_uppercase));
    let lines = |said: &Said| said.log.iter().cloned().chain([said.text().to_owned()]).collect::<Vec<_>>();
    let is_made = |(theirs, ours): (&String, &String)| {
        let is_of_text = ["String(", "String.new(", "fqdn_rand(", "length("].iter().any(|call| source.contains(call));
        theirs == ours
            || (is_digest(theirs) && is_digest(ours))
            || (is_of_text && depends(theirs) && depends(ours))
            || spells_object(theirs)
    };
    theirs.result.is_ok()
        && ours.result.is_ok()
        && theirs.log.len() == ours.log.len()
        && shows_object
        && lines(theirs).iter().zip(&lines(ours)).all(is_made)
}

/// The date, by UTC.
fn today() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_seconds(now.as_secs() as i64).to_string()[..10].to_owned()
}

fn time_of_requests() -> String {
    Timestamp::from_seconds(super::said::NOW).to_string()
}

/// Calls that ask the clock.
const NOW: [&str; 4] = ["Timestamp()", "Timestamp.new()", "(Timestamp).new()", "new(Timestamp)"];
