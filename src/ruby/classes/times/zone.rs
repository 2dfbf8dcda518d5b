//! The zone that a time is shown in.

use pantin_values::scalar::TimeZone;

use crate::class::Core;
use crate::interp::Interp;
use crate::stop::Flow;
use crate::value::Value;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ZoneDisplay {
    Utc,
    /// In the zone of the machine.
    Local,
    /// So many seconds ahead of UTC.
    Ahead(i32),
}

impl ZoneDisplay {
    pub(super) fn offset(self, interp: &mut Interp<'_>) -> i64 {
        match self {
            ZoneDisplay::Utc => 0,
            ZoneDisplay::Local => interp.outside.local_offset().into(),
            ZoneDisplay::Ahead(seconds) => seconds.into(),
        }
    }

    /// For `strftime`, with a name that it knows.
    pub(super) fn with<T>(self, interp: &mut Interp<'_>, run: impl FnOnce(TimeZone<'_>) -> T) -> T {
        match self {
            ZoneDisplay::Utc => run(TimeZone::default()),
            ZoneDisplay::Local => run(TimeZone { name: Some("current"), local_offset: interp.outside.local_offset() }),
            ZoneDisplay::Ahead(seconds) => run(TimeZone { name: Some("current"), local_offset: seconds }),
        }
    }

    /// Returns what is written of a zone in a text that is read: the machine's own, where it is ahead as much.
    pub(super) fn ahead(interp: &mut Interp<'_>, seconds: i32) -> ZoneDisplay {
        if interp.outside.local_offset() == seconds { ZoneDisplay::Local } else { ZoneDisplay::Ahead(seconds) }
    }
}

/// `"+01:00"`, `"UTC"`, a number of seconds.
pub(super) fn zone_arg(interp: &mut Interp<'_>, value: &Value) -> Flow<ZoneDisplay> {
    let text = match value {
        Value::Nil => return Ok(ZoneDisplay::Local),
        Value::Int(seconds) if seconds.abs() < 86_400 => return Ok(ZoneDisplay::Ahead(*seconds as i32)),
        Value::Int(_) => return interp.raise(Core::ArgumentError, "utc_offset out of range"),
        Value::String(text) => interp.str_of(text)?,
        _ => return interp.unsupported("a zone that is neither a text nor a number of seconds"),
    };
    match text.as_str() {
        "UTC" | "Z" | "-00:00" => return Ok(ZoneDisplay::Utc),
        // Each letter but J was a zone of the navy's.
        letter if letter.len() == 1 && letter != "J" && letter.bytes().all(|byte| byte.is_ascii_uppercase()) => {
            return interp.unsupported(format!("the zone {text}"));
        }
        _ => {}
    }
    match seconds_of(&text) {
        Some(seconds) => Ok(ZoneDisplay::Ahead(seconds)),
        None => {
            let expected = r#""+HH:MM", "-HH:MM", "UTC" or "A".."I","K".."Z" expected for utc_offset"#;
            interp.raise(Core::ArgumentError, format!("{expected}: {text}"))
        }
    }
}

/// `+01:00`, `+0100`
pub(super) fn seconds_of(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['+', '-'])?;
    let digits = match digits.split_once(':') {
        Some((hours, minutes)) if hours.len() == 2 && minutes.len() == 2 => format!("{hours}{minutes}"),
        Some(_) => return None,
        None => digits.to_owned(),
    };
    if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes): (i32, i32) = (digits[..2].parse().ok()?, digits[2..].parse().ok()?);
    let seconds = (hours * 60 + minutes) * 60;
    (hours < 24 && minutes < 60).then_some(if text.starts_with('-') { -seconds } else { seconds })
}
