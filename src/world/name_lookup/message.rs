//! Messages of DNS: a question as bytes, and the records of a reply.
//! It must not know how messages are sent.

use std::net::{Ipv4Addr, Ipv6Addr};

use pantin_values::Value;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RecordKind {
    A = 1,
    Ns = 2,
    Cname = 5,
    Soa = 6,
    Ptr = 12,
    Hinfo = 13,
    Mx = 15,
    Txt = 16,
    Aaaa = 28,
    Srv = 33,
}

impl RecordKind {
    const ALL: [(&'static str, RecordKind); 10] = [
        ("A", RecordKind::A),
        ("NS", RecordKind::Ns),
        ("CNAME", RecordKind::Cname),
        ("SOA", RecordKind::Soa),
        ("PTR", RecordKind::Ptr),
        ("HINFO", RecordKind::Hinfo),
        ("MX", RecordKind::Mx),
        ("TXT", RecordKind::Txt),
        ("AAAA", RecordKind::Aaaa),
        ("SRV", RecordKind::Srv),
    ];

    pub(super) fn from_name(name: &str) -> Option<RecordKind> {
        RecordKind::ALL.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }

    fn from_number(number: u16) -> Option<RecordKind> {
        RecordKind::ALL.iter().find(|(_, kind)| *kind as u16 == number).map(|(_, kind)| *kind)
    }
}

/// A part of a record, by its name in Ruby.
#[derive(Clone, PartialEq, Debug)]
enum Part {
    Text(String),
    Texts(Vec<String>),
    Number(u32),
}

/// What a record says.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct AnyRecord {
    pub(super) name: String,
    pub(super) kind: RecordKind,
    parts: Vec<(&'static str, Part)>,
}

impl AnyRecord {
    /// Returns the text of a record that has nothing else: an address, a name.
    pub(super) fn only_text(&self) -> Option<String> {
        match &self.parts[..] {
            [(_, Part::Text(text))] => Some(text.clone()),
            _ => None,
        }
    }

    /// As a file of answers has it: a record of one part is that part.
    pub(super) fn to_value(&self) -> Value {
        let value = |part: &Part| match part {
            Part::Text(text) => Value::from(text.as_str()),
            Part::Texts(texts) => Value::array(texts.iter().map(|text| Value::from(text.as_str()))),
            Part::Number(number) => Value::Integer(i64::from(*number)),
        };
        match &self.parts[..] {
            [(_, only)] => value(only),
            parts => Value::hash(parts.iter().map(|(name, part)| (Value::from(*name), value(part)))),
        }
    }
}

/// What a server says.
#[derive(PartialEq, Debug)]
pub(super) struct Reply {
    pub(super) is_cut: bool,
    /// Zero: there is no error.
    pub(super) code: u8,
    pub(super) records: Vec<AnyRecord>,
}

/// Returns a question for the records of a name, which has no dot at its end. `None`: no message can hold the name.
pub(super) fn question(id: u16, name: &str, kind: RecordKind) -> Option<Vec<u8>> {
    const RECURSION_WANTED: u16 = 0x0100;
    const INTERNET: u16 = 1;
    let mut bytes = Vec::with_capacity(name.len() + 18);
    for number in [id, RECURSION_WANTED, 1, 0, 0, 0] {
        bytes.extend(number.to_be_bytes());
    }
    for label in name.split('.').filter(|label| !label.is_empty()) {
        let length = u8::try_from(label.len()).ok().filter(|length| *length < 64)?;
        bytes.push(length);
        bytes.extend(label.bytes());
    }
    bytes.push(0);
    bytes.extend((kind as u16).to_be_bytes());
    bytes.extend(INTERNET.to_be_bytes());
    (name.len() < 256).then_some(bytes)
}

/// Returns the reply to the question of this number; `None`: it is none.
pub(super) fn read_reply(bytes: &[u8], id: u16) -> Option<Reply> {
    let mut reader = Reader { bytes, at: 0 };
    let (own_id, flags) = (reader.number()?, reader.number()?);
    if own_id != id || flags & 0x8000 == 0 {
        return None;
    }
    let (questions, answers) = (reader.number()?, reader.number()?);
    reader.take(4)?;
    for _ in 0..questions {
        reader.name()?;
        reader.take(4)?;
    }
    let mut records = Vec::new();
    for _ in 0..answers {
        let name = reader.name()?;
        let (number, _class) = (reader.number()?, reader.number()?);
        reader.take(4)?;
        let length = usize::from(reader.number()?);
        let end = reader.at + length;
        if let Some(kind) = RecordKind::from_number(number) {
            let parts = reader.parts(kind, end)?;
            records.push(AnyRecord { name, kind, parts });
        }
        reader.at = end;
    }
    Some(Reply { is_cut: flags & 0x0200 != 0, code: (flags & 0xf) as u8, records })
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    fn take(&mut self, count: usize) -> Option<&[u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    fn number(&mut self) -> Option<u16> {
        self.take(2)?.try_into().ok().map(u16::from_be_bytes)
    }

    fn long(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_be_bytes)
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::from(*self.take(1)?.first()?);
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }

    /// A name, of which the end may stand elsewhere in the message.
    fn name(&mut self) -> Option<String> {
        const MOST_JUMPS: usize = 64;
        let mut labels = Vec::new();
        let (mut at, mut behind, mut jumps) = (self.at, None, 0);
        loop {
            let length = *self.bytes.get(at)?;
            match length {
                0 => break,
                1..=63 => {
                    let label = self.bytes.get(at + 1..at + 1 + usize::from(length))?;
                    labels.push(String::from_utf8(label.to_vec()).ok()?);
                    at += 1 + usize::from(length);
                }
                192.. => {
                    behind.get_or_insert(at + 2);
                    jumps += 1;
                    if jumps > MOST_JUMPS {
                        return None;
                    }
                    at = usize::from(length & 63) << 8 | usize::from(*self.bytes.get(at + 1)?);
                }
                _ => return None,
            }
        }
        self.at = behind.unwrap_or(at + 1);
        Some(labels.join("."))
    }

    fn parts(&mut self, kind: RecordKind, end: usize) -> Option<Vec<(&'static str, Part)>> {
        let short = |number: u16| Part::Number(number.into());
        Some(match kind {
            RecordKind::A => {
                let bytes: [u8; 4] = self.take(4)?.try_into().ok()?;
                vec![("address", Part::Text(Ipv4Addr::from(bytes).to_string()))]
            }
            RecordKind::Aaaa => {
                let bytes: [u8; 16] = self.take(16)?.try_into().ok()?;
                vec![("address", Part::Text(Ipv6Addr::from(bytes).to_string()))]
            }
            RecordKind::Ns | RecordKind::Cname | RecordKind::Ptr => vec![("name", Part::Text(self.name()?))],
            RecordKind::Mx => vec![("preference", short(self.number()?)), ("exchange", Part::Text(self.name()?))],
            RecordKind::Srv => vec![
                ("priority", short(self.number()?)),
                ("weight", short(self.number()?)),
                ("port", short(self.number()?)),
                ("target", Part::Text(self.name()?)),
            ],
            RecordKind::Hinfo => vec![("cpu", Part::Text(self.text()?)), ("os", Part::Text(self.text()?))],
            RecordKind::Txt => {
                let mut texts = Vec::new();
                while self.at < end {
                    texts.push(self.text()?);
                }
                vec![("strings", Part::Texts(texts))]
            }
            RecordKind::Soa => {
                let mut parts = vec![("mname", Part::Text(self.name()?)), ("rname", Part::Text(self.name()?))];
                for name in ["serial", "refresh", "retry", "expire", "minimum"] {
                    parts.push((name, Part::Number(self.long()?)));
                }
                parts
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_read_with_names_that_stand_elsewhere() {
        let mut bytes = question(7, "a.example.org", RecordKind::Mx).unwrap();
        bytes[2] = 0x81;
        bytes[7] = 1;
        // The name of the question, MX, IN, a minute, and 10 mail.example.org.
        bytes.extend([0xc0, 12, 0, 15, 0, 1, 0, 0, 0, 60, 0, 9, 0, 10, 4, b'm', b'a', b'i', b'l', 0xc0, 14]);
        let reply = read_reply(&bytes, 7).unwrap();
        assert_eq!((reply.code, reply.is_cut, reply.records.len()), (0, false, 1));
        assert_eq!(reply.records[0].name, "a.example.org");
        let parts = [("preference", Value::Integer(10)), ("exchange", Value::from("mail.example.org"))];
        let expected = Value::hash(parts.into_iter().map(|(name, value)| (Value::from(name), value)));
        assert_eq!(reply.records[0].to_value(), expected);
        assert_eq!(read_reply(&bytes, 8), None);
        for length in 0..bytes.len() {
            assert_eq!(read_reply(&bytes[..length], 7), None, "{length}");
        }
    }

    #[test]
    fn a_name_that_leads_to_itself_is_no_name() {
        let mut bytes = question(7, "a", RecordKind::A).unwrap();
        bytes[2] = 0x81;
        bytes[12] = 0xc0;
        bytes[13] = 12;
        assert_eq!(read_reply(&bytes, 7), None);
        assert_eq!(question(7, &"a".repeat(64), RecordKind::A), None);
    }
}
