//! The directives of a format, read in the order and with the complaints of Ruby.

use std::borrow::Cow;

use super::{Convert, Names, RESULT_BYTES, Spec, argument, float, inspect, integer, push_fill};
use crate::{Fault, Str, Value, text};

/// Ruby's `int`.
const INT_MAX: i64 = i32::MAX as i64;

/// How arguments were chosen so far; one format keeps to one way.
#[derive(Clone, Copy)]
enum Chosen {
    /// In order, this many.
    InOrder(usize),
    Numbered,
    Named,
}

pub(super) struct Scanner<'a, 'c> {
    format: &'a str,
    at: usize,
    arguments: &'a [Value],
    names: Names<'a>,
    chosen: Chosen,
    next: usize,
    out: String,
    convert: Option<&'c mut Convert<'c>>,
}

/// What was read of one directive so far.
#[derive(Default)]
struct Directive<'a> {
    spec: Spec,
    /// A `.` was there, whatever became of it.
    dotted: bool,
    value: Option<&'a Value>,
    name: Option<&'a str>,
}

impl<'a, 'c> Scanner<'a, 'c> {
    pub(super) fn new(
        format: &'a str,
        arguments: &'a [Value],
        names: Names<'a>,
        convert: Option<&'c mut Convert<'c>>,
    ) -> Scanner<'a, 'c> {
        let out = String::with_capacity(format.len() + 16 * arguments.len().min(16));
        Scanner { format, at: 0, arguments, names, chosen: Chosen::InOrder(0), next: 1, out, convert }
    }

    pub(super) fn run(mut self) -> Result<String, Fault> {
        while let Some(found) = memchr::memchr(b'%', &self.format.as_bytes()[self.at..]) {
            let percent = self.at + found;
            if percent + 1 == self.format.len() {
                return Err(Fault::new("incomplete format specifier; use %% (double %) instead"));
            }
            self.out.push_str(&self.format[self.at..percent]);
            self.at = percent + 1;
            self.directive()?;
        }
        self.out.push_str(&self.format[self.at..]);
        Ok(self.out)
    }

    /// Returns the byte at the cursor; the end reads as a NUL, as a text of C ends in one.
    fn byte(&self) -> u8 {
        self.format.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn directive(&mut self) -> Result<(), Fault> {
        let mut read = Directive::default();
        loop {
            match self.byte() {
                b' ' | b'#' | b'+' | b'-' | b'0' => self.flag(&mut read)?,
                b'1'..=b'9' => self.digits(&mut read)?,
                open @ (b'<' | b'{') => {
                    self.name(&mut read, if open == b'<' { b'>' } else { b'}' })?;
                    if open == b'{' {
                        return self.write(read, b's');
                    }
                }
                b'*' => self.width_argument(&mut read)?,
                b'.' => self.precision(&mut read)?,
                // A line that ends in a `%`, or the text: the sign stands for itself.
                b'\n' | b'\0' => return self.percent(&read),
                b'%' => {
                    self.percent(&read)?;
                    self.at += 1;
                    return Ok(());
                }
                letter @ (b'c' | b's' | b'p' | b'd' | b'i' | b'o' | b'x' | b'X' | b'b' | b'B' | b'u' | b'f' | b'g'
                | b'G' | b'e' | b'E' | b'a' | b'A') => {
                    self.at += 1;
                    return self.write(read, letter);
                }
                other @ b' '..=b'~' => {
                    return Err(Fault::new(format!("malformed format string - %{}", other as char)));
                }
                _ => return Err(Fault::new("malformed format string")),
            }
        }
    }

    fn percent(&mut self, read: &Directive<'_>) -> Result<(), Fault> {
        let spec = read.spec;
        let flagged = spec.minus || spec.plus || spec.space || spec.sharp || spec.zero;
        if flagged || spec.width.is_some() || read.dotted {
            return Err(Fault::new("invalid format character - %"));
        }
        self.out.push('%');
        Ok(())
    }

    fn flag(&mut self, read: &mut Directive<'a>) -> Result<(), Fault> {
        if read.spec.width.is_some() {
            return Err(Fault::new("flag after width"));
        }
        if read.dotted {
            return Err(Fault::new("flag after precision"));
        }
        read.spec.set_flag(self.byte());
        self.at += 1;
        Ok(())
    }

    /// Returns a number of the format itself.
    fn number(&mut self, what: &str) -> Result<i64, Fault> {
        let mut number = 0_i64;
        while let digit @ b'0'..=b'9' = self.byte() {
            number = number * 10 + i64::from(digit - b'0');
            if number > INT_MAX {
                return Err(Fault::new(format!("{what} too big")));
            }
            self.at += 1;
        }
        if self.at >= self.format.len() {
            return Err(Fault::new("malformed format string - %*[0-9]"));
        }
        Ok(number)
    }

    /// A width, or the number of an argument.
    fn digits(&mut self, read: &mut Directive<'a>) -> Result<(), Fault> {
        let number = self.number("width")?;
        if self.byte() == b'$' {
            if read.value.is_some() {
                return Err(Fault::new(format!("value given twice - {number}$")));
            }
            read.value = Some(self.numbered(number)?);
            self.at += 1;
            return Ok(());
        }
        check_width(read)?;
        read.spec.width = Some(number as usize);
        Ok(())
    }

    fn width_argument(&mut self, read: &mut Directive<'a>) -> Result<(), Fault> {
        check_width(read)?;
        let width = self.asterisk("width")?;
        read.spec.minus |= width < 0;
        read.spec.width = Some(width.unsigned_abs() as usize);
        Ok(())
    }

    fn precision(&mut self, read: &mut Directive<'a>) -> Result<(), Fault> {
        if read.dotted {
            return Err(Fault::new("precision given twice"));
        }
        read.dotted = true;
        self.at += 1;
        let precision = match self.byte() {
            b'*' => self.asterisk("prec")?,
            _ => self.number("precision")?,
        };
        read.spec.precision = usize::try_from(precision).ok();
        Ok(())
    }

    /// Returns the number that an argument gives: `*` or `*1$`.
    fn asterisk(&mut self, what: &str) -> Result<i64, Fault> {
        self.at += 1;
        let after = self.at;
        let number = self.number(what)?;
        let value = if self.byte() == b'$' {
            self.at += 1;
            self.numbered(number)?
        } else {
            self.at = after;
            self.in_order()?
        };
        argument::int(&*self.converted(value, b'*')?)
    }

    fn converted(&mut self, value: &'a Value, letter: u8) -> Result<Cow<'a, Value>, Fault> {
        match &mut self.convert {
            Some(convert) => Ok(Cow::Owned(convert(value, letter)?)),
            None => Ok(Cow::Borrowed(value)),
        }
    }

    fn name(&mut self, read: &mut Directive<'a>, close: u8) -> Result<(), Fault> {
        let rest = &self.format[self.at..];
        let Some(end) = memchr::memchr(close, rest.as_bytes()) else {
            return Err(Fault::new("malformed name - unmatched parenthesis"));
        };
        let (written, name) = (&rest[..=end], &rest[1..end]);
        if let Some(earlier) = read.name {
            return Err(Fault::new(format!("named{written} after <{earlier}>")));
        }
        match self.chosen {
            Chosen::InOrder(0) | Chosen::Named => self.chosen = Chosen::Named,
            Chosen::InOrder(count) => {
                return Err(Fault::new(format!("named{written} after unnumbered({count})")));
            }
            Chosen::Numbered => return Err(Fault::new(format!("named{written} after numbered"))),
        }
        let Names::Of(names) = self.names else { return Err(Fault::new("one hash required")) };
        // `default` as a key is a symbol already.
        let found = names.get_str(name).or_else(|| names.get(&Value::Default).filter(|_| name == "default"));
        read.value = match (found, read.value) {
            (Some(value), _) | (None, Some(value)) => Some(value),
            (None, None) => return Err(Fault::new(format!("key{written} not found"))),
        };
        read.name = Some(name);
        self.at += end + 1;
        Ok(())
    }

    fn numbered(&mut self, number: i64) -> Result<&'a Value, Fault> {
        match self.chosen {
            Chosen::InOrder(count) if count > 0 => {
                return Err(Fault::new(format!("numbered({number}) after unnumbered({count})")));
            }
            Chosen::Named => return Err(Fault::new(format!("numbered({number}) after named"))),
            _ if number < 1 => return Err(Fault::new(format!("invalid index - {number}$"))),
            _ => self.chosen = Chosen::Numbered,
        }
        self.argument(number as usize)
    }

    fn in_order(&mut self) -> Result<&'a Value, Fault> {
        match self.chosen {
            Chosen::InOrder(_) => self.chosen = Chosen::InOrder(self.next),
            Chosen::Numbered => {
                return Err(Fault::new(format!("unnumbered({}) mixed with numbered", self.next)));
            }
            Chosen::Named => return Err(Fault::new(format!("unnumbered({}) mixed with named", self.next))),
        }
        self.next += 1;
        self.argument(self.next - 1)
    }

    fn argument(&self, number: usize) -> Result<&'a Value, Fault> {
        self.arguments.get(number - 1).ok_or_else(|| Fault::new("too few arguments"))
    }

    fn write(&mut self, read: Directive<'a>, letter: u8) -> Result<(), Fault> {
        let value = match read.value {
            Some(value) => value,
            None => self.in_order()?,
        };
        let is_converted = self.convert.is_some();
        let value = &*self.converted(value, letter)?;
        let spec = &read.spec;
        let asked = spec.width.unwrap_or(0).saturating_add(spec.precision.unwrap_or(0));
        if asked.saturating_add(self.out.len()) > RESULT_BYTES {
            return Err(Fault::limit(format!("a formatted text is limited to {RESULT_BYTES} bytes")));
        }
        match letter {
            b's' => match value {
                Value::String(text) => spec.push_text(&mut self.out, text),
                Value::Integer(_) if spec.is_bare() => text::push_text(&mut self.out, value),
                _ => spec.push_text(&mut self.out, &shown(value)),
            },
            b'p' if !is_converted => spec.push_text(&mut self.out, &inspect(value)),
            b'p' => spec.push_text(&mut self.out, &shown(value)),
            b'c' => return self.character(*spec, value),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => match value {
                Value::Integer(number) if integer::push_plain(&mut self.out, spec, letter, *number) => {}
                _ => integer::push(&mut self.out, spec, letter, argument::whole(value)?)?,
            },
            b'f' if matches!(value, Value::Integer(_)) || (is_converted && matches!(value, Value::String(_))) => {
                float::push_whole(&mut self.out, spec, argument::whole(value)?);
            }
            _ => float::push(&mut self.out, spec, letter, argument::float(value)?),
        }
        Ok(())
    }

    fn character(&mut self, spec: Spec, value: &Value) -> Result<(), Fault> {
        let character = match value {
            Value::String(text) => {
                let mut characters = text.chars();
                match (characters.next(), characters.next()) {
                    (Some(character), None) => character,
                    _ => return Err(Fault::new("%c requires a character")),
                }
            }
            _ => u32::try_from(argument::int(value)?)
                .ok()
                .and_then(char::from_u32)
                .ok_or_else(|| Fault::new("invalid character"))?,
        };
        let fill = spec.width.unwrap_or(0).saturating_sub(1);
        if !spec.minus {
            push_fill(&mut self.out, ' ', fill);
        }
        self.out.push(character);
        if spec.minus {
            push_fill(&mut self.out, ' ', fill);
        }
        Ok(())
    }
}

fn check_width(read: &Directive<'_>) -> Result<(), Fault> {
    if read.spec.width.is_some() {
        return Err(Fault::new("width given twice"));
    }
    if read.dotted {
        return Err(Fault::new("width after precision"));
    }
    Ok(())
}

/// Ruby's `to_s`, which shows what is in a container as `inspect` does.
fn shown(value: &Value) -> Str {
    match value {
        Value::Array(_) | Value::Hash(_) => inspect(value).into(),
        _ => text::display(value),
    }
}
