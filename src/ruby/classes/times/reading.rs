//! Days and times as texts have them: `2024-12-31 23:59:59 UTC`, `Tue, 31 Dec 2024 23:59:59 +0100`, `Dec 31st, 2024`.

use pantin_base::days::{DAYS, MONTHS};

use super::zone::seconds_of;

/// A day, and the time of it if that is written too.
pub(super) struct Read {
    pub(super) day: [i64; 3],
    pub(super) clock: Option<[i64; 3]>,
    pub(super) nanoseconds: i64,
    pub(super) zone: Option<ReadZone>,
}

#[derive(Clone, Copy)]
pub(super) enum ReadZone {
    Utc,
    Ahead(i32),
}

/// `None`: it is written in another way, or no day at all.
pub(super) fn read(text: &str) -> Option<Read> {
    let mut rest = Rest(text.trim());
    rest.weekday();
    let day = rest.day()?;
    let mut read = Read { day, clock: None, nanoseconds: 0, zone: None };
    if rest.0.is_empty() {
        return Some(read);
    }
    if !rest.eat('T') && !rest.blanks() {
        return None;
    }
    read.clock = Some(rest.clock()?);
    if rest.eat('.') {
        let digits = rest.digits(1, 9)?;
        read.nanoseconds = digits.parse::<i64>().ok()? * 10_i64.pow(9 - digits.len() as u32);
    }
    rest.blanks();
    read.zone = match rest.0 {
        "" => None,
        "Z" | "UTC" | "-00:00" | "-0000" => Some(ReadZone::Utc),
        "GMT" => Some(ReadZone::Ahead(0)),
        zone => Some(ReadZone::Ahead(seconds_of(zone)?)),
    };
    Some(read)
}

/// Returns true if there is nothing in a text of which a day or a time could be made.
pub(super) fn is_without_time(text: &str) -> bool {
    let lower = text.to_lowercase();
    let names = MONTHS.iter().chain(&DAYS).any(|name| lower.contains(&name[..3].to_lowercase()));
    !names && !text.bytes().any(|byte| byte.is_ascii_digit())
}

/// What is not read yet.
struct Rest<'t>(&'t str);

impl<'t> Rest<'t> {
    fn eat(&mut self, letter: char) -> bool {
        let behind = self.0.strip_prefix(letter);
        self.0 = behind.unwrap_or(self.0);
        behind.is_some()
    }

    fn blanks(&mut self) -> bool {
        let before = self.0.len();
        self.0 = self.0.trim_start();
        self.0.len() < before
    }

    fn taken(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        taken
    }

    /// As many digits as there are, if that is not fewer and not more.
    fn digits(&mut self, least: usize, most: usize) -> Option<&'t str> {
        let length = self.0.bytes().take_while(u8::is_ascii_digit).count();
        (least..=most).contains(&length).then(|| self.taken(length))
    }

    fn number(&mut self, least: usize, most: usize) -> Option<i64> {
        self.digits(least, most)?.parse().ok()
    }

    /// One of these names, or the first three letters of it: its place among them.
    fn name(&mut self, names: &[&str]) -> Option<usize> {
        let length = self.0.bytes().take_while(u8::is_ascii_alphabetic).count();
        let word = &self.0[..length];
        let at = names.iter().position(|name| {
            word.eq_ignore_ascii_case(name) || word.len() == 3 && word.eq_ignore_ascii_case(&name[..3])
        })?;
        self.taken(length);
        Some(at)
    }

    /// It says nothing that the day does not say too.
    fn weekday(&mut self) {
        if self.name(&DAYS).is_some() {
            self.eat(',');
            self.blanks();
        }
    }

    fn month(&mut self) -> Option<i64> {
        Some(self.name(&MONTHS)? as i64 + 1)
    }

    fn day(&mut self) -> Option<[i64; 3]> {
        let start = self.0;
        if let Some(digits) = self.digits(8, 8) {
            let part = |from: usize, to: usize| digits[from..to].parse().ok();
            return Some([part(0, 4)?, part(4, 6)?, part(6, 8)?]);
        }
        if let Some(year) = self.number(4, 4) {
            let sign = if self.eat('-') { '-' } else { self.eat('/').then_some('/')? };
            let month = self.number(1, 2)?;
            return self.eat(sign).then(|| Some([year, month, self.number(1, 2)?]))?;
        }
        self.0 = start;
        if let Some(month) = self.month() {
            self.blanks();
            let day = self.number(1, 2)?;
            self.ordinal();
            self.eat(',');
            self.blanks();
            return Some([self.number(4, 4)?, month, day]);
        }
        let day = self.number(1, 2)?;
        self.ordinal();
        let is_dashed = self.eat('-');
        self.blanks();
        let month = self.month()?;
        if is_dashed && !self.eat('-') {
            return None;
        }
        self.blanks();
        Some([self.number(4, 4)?, month, day])
    }

    /// `31st`
    fn ordinal(&mut self) {
        let behind = ["st", "nd", "rd", "th"].iter().find_map(|ending| self.0.strip_prefix(ending));
        self.0 = behind.unwrap_or(self.0);
    }

    fn clock(&mut self) -> Option<[i64; 3]> {
        let hour = self.number(2, 2)?;
        let minute = self.eat(':').then(|| self.number(2, 2))??;
        let second = if self.eat(':') { self.number(2, 2)? } else { 0 };
        Some([hour, minute, second])
    }
}
