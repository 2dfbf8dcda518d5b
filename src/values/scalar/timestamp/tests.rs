//! Timestamps as Puppet reads and writes them.

use super::*;

const UTC: TimeZone<'_> = TimeZone { name: None, local_offset: 0 };

fn zone(name: &str) -> TimeZone<'_> {
    TimeZone { name: Some(name), local_offset: 7200 }
}

fn shown(result: Result<Timestamp, ScalarError>) -> String {
    match result {
        Ok(time) => time.nanoseconds().to_string(),
        Err(error) => error.to_string(),
    }
}

fn written(format: &str, zone: TimeZone<'_>) -> String {
    let time = Timestamp::from_nanoseconds(1_600_000_000_123_456_789).unwrap();
    time.format(format, zone).unwrap_or_else(|error| error.to_string())
}

#[test]
fn sixteen_bytes_are_enough() {
    assert_eq!((size_of::<Timestamp>(), align_of::<Timestamp>()), (16, 8));
}

#[test]
fn the_default_text_is_in_utc() {
    for (seconds, text) in [
        (0, "1970-01-01T00:00:00.000000000 UTC"),
        (-62_135_596_800 - 86_400 * 400, "-0001-11-28T00:00:00.000000000 UTC"),
        (i64::MAX, "292277026596-12-04T15:30:07.000000000 UTC"),
    ] {
        let time = Timestamp::from_seconds(seconds);
        assert_eq!(time.to_string(), text);
        assert_eq!(time.format(TIMESTAMP_FORMATS[0], UTC).unwrap(), text);
    }
    assert_eq!(Timestamp::from_seconds(i64::MIN).to_string(), "-292277022657-01-27T08:29:52.000000000 UTC");
}

#[test]
fn directives_flags_and_widths_are_those_of_ruby() {
    for (format, text) in [
        ("%10Q|%-5Q|%^Ea|%5|", "%10Q|%-5Q|%^Ea|%5|"),
        ("%10-d %0-d %:d %::::z %:::z", "%10-d 13 %:d %::::z +00"),
        ("%#^a %#p %^P %010p %10n%010%", "SUN pm PM 00000000PM          \n000000000%"),
        ("%10Ey %E10y %12N %2L %-3N", "0000000020 %E10y 123456789000 12 123"),
        ("%^v %+10F %20s %_20s", "13-SEP-2020 %+10F 00000000001600000000           1600000000"),
        ("%G-%V-%g-%u-%w-%U-%W-%j %k|%l|%#Z|%010Z", "2020-37-20-7-0-37-36-257 12|12|utc|0000000UTC"),
        ("a%", "invalid format: a%"),
        ("%10", "invalid format: %10"),
        ("%4718593d", "Numerical result out of range - %4718593d"),
        ("%é %^é", "%é %^é"),
    ] {
        assert_eq!(written(format, UTC), text, "{format}");
    }
}

#[test]
fn a_zone_is_an_offset() {
    for (name, text) in [
        ("+05:30", "17:56 +0530|+05:30|+0530| +530|      +530|+000005:30|+05:30:00|+05:30"),
        ("-00:30", "11:56 -0030|-00:30|-0030| -030|      -030|-000000:30|-00:30:00|-00:30"),
        ("current", "14:26 +0200|+02:00|+0200| +200|      +200|+000002:00|+02:00:00|+02"),
        ("eastern daylight time", "08:26 -0400|-04:00|-0400| -400|      -400|-000004:00|-04:00:00|-04"),
        ("Europe/Berlin", "Illegal timezone 'Europe/Berlin'"),
        ("+24:00", "utc_offset out of range"),
        (
            "+10000:00",
            "\"+HH:MM\", \"-HH:MM\", \"UTC\" or \"A\"..\"I\",\"K\"..\"Z\" expected for utc_offset: +10000:00",
        ),
    ] {
        assert_eq!(written("%R %z|%:z|%-z|%_z|%_10z|%010:z|%::z|%:::z", zone(name)), text, "{name}");
    }
    assert_eq!(written("%Z", zone("UTC")), "");
    assert_eq!(written("%Z %-z", zone("-00:00")), "UTC -0000");
}

#[test]
fn texts_are_read_in_the_first_format_that_fits() {
    for (text, zone, total) in [
        ("2020-01-01 23:00:00 cet", UTC, "1577916000000000000"),
        ("2020-01-01 23:00:00.5", zone("cet"), "1577916000500000000"),
        ("2020-01-01T23:00:00", zone("current"), "1577912400000000000"),
        ("2020-01-01", zone(""), "1577836800000000000"),
        ("2020-01-01 24:00:00.5", UTC, "1577923200500000000"),
        ("2020-01-01 24:00:05", UTC, "sec out of range"),
        ("2020-01-01 24:05:00", UTC, "min out of range"),
        ("2020-01-01 23:00:00.-5", UTC, "subsecx out of range"),
        ("2020-01-01 23:00:00 foo", UTC, "Illegal timezone 'foo'"),
        (
            "2020-01-01 23:00:00 cet",
            zone("cet"),
            "Unable to parse '2020-01-01 23:00:00 cet' using any of the formats \
             %FT%T.%N, %FT%T, %F %T.%N, %F %T, %F",
        ),
    ] {
        assert_eq!(shown(Timestamp::parse(text, zone)), total, "{text}");
    }
}

#[test]
fn a_format_of_ones_own() {
    for (text, format, zone, total) in [
        ("10:00", "%H:%M", UTC, "no implicit conversion of nil into Integer"),
        ("2020 cetx", "%Y", UTC, "Unable to parse '2020 cetx' using format '%Y'"),
        ("2020", "%", UTC, "Unable to parse '2020' using format '%'"),
        ("20200230 7:05 pm", "%Y%m%d %l:%M %p", UTC, "1583089500000000000"),
        ("20200230 07:05 p.m.", "%Y%m%d %I:%M %p", UTC, "1583089500000000000"),
        (
            "2020 cet",
            "%Y %Z",
            zone("cet"),
            "Using a Timezone designator in format specification is mutually exclusive to providing an explicit \
             timezone argument",
        ),
    ] {
        assert_eq!(shown(Timestamp::parse_with(text, format, zone)), total, "{text}");
    }
}

#[test]
fn arithmetic_is_that_of_ruby() {
    use ArithmeticOperator as Op;
    let time = Timestamp::from_seconds(5);
    let span = Timespan::from_seconds(3);
    assert_eq!(
        time.calculate(Op::Subtract, Quantity::Timespan(span)),
        Ok(Quantity::Timestamp(Timestamp::from_seconds(2)))
    );
    let two = Quantity::Timestamp(Timestamp::from_seconds(2));
    assert_eq!(time.calculate(Op::Subtract, two), Ok(Quantity::Timespan(span)));
    let error = |operator, other| time.calculate(operator, other).unwrap_err().to_string();
    assert_eq!(error(Op::Add, two), "A Timestamp cannot be added to a Timestamp");
    assert_eq!(error(Op::Subtract, Quantity::Other("Array")), "An Array cannot be subtracted from a Timestamp");
    assert_eq!(time.calculate(Op::Multiply, Quantity::Integer(2)), Err(ScalarError::NoSuchOperator));
}
