//! Timespans as Puppet reads, writes and counts with them.

use super::*;

fn shown(result: Result<Timespan, ScalarError>) -> String {
    match result {
        Ok(span) => span.nanoseconds().to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_default_text_loses_zeros_of_the_fraction() {
    let text = |total| Timespan::from_nanoseconds(total).unwrap().to_string();
    assert_eq!(text(0), "0-00:00:00.0");
    assert_eq!(text(50_000_000), "0-00:00:00.5");
    assert_eq!(text(-1_500_000_000), "-0-00:00:01.5");
    assert_eq!(text(93_783_995_000_000), "1-02:03:03.995");
    for total in [0, 1, -1, 1_234_567_890_123_456_789, -86_400_000_000_000] {
        let span = Timespan::from_nanoseconds(total).unwrap();
        assert_eq!(span.to_string(), span.format(TIMESPAN_FORMATS[0]).unwrap());
    }
}

#[test]
fn sixteen_bytes_are_enough() {
    assert_eq!((size_of::<Timespan>(), align_of::<Timespan>()), (16, 8));
}

#[test]
fn texts_are_read_in_the_first_format_that_fits() {
    assert_eq!(shown(Timespan::parse("1-02:03:04.5")), "93784500000000");
    assert_eq!(shown(Timespan::parse("-5")), "-5000000000");
    assert_eq!(
        shown(Timespan::parse("13:20")),
        "Unable to parse '13:20' using any of the formats %D-%H:%M:%S.%-N, %H:%M:%S.%-N, %M:%S.%-N, %S.%-N, \
         %D-%H:%M:%S, %H:%M:%S, %D-%H:%M, %S"
    );
    assert_eq!(shown(Timespan::parse_any("1", &[])), "Unable to parse '1' using any of the formats ");
    assert_eq!(shown(Timespan::parse_with("5 ", "%_D")), "Unable to parse '5 ' using format '%_D'");
    assert_eq!(shown(Timespan::parse_with("-", "")), "0");
    assert_eq!(
        shown(Timespan::parse_with("5", "%L")),
        "Format specifiers %L and %N denotes fractions and must be used together with a specifier of higher magnitude"
    );
}

#[test]
fn a_bad_format_is_pointed_at() {
    let error = |format| TimespanFormat::new(format).unwrap_err().to_string();
    assert_eq!(error("%1"), "Bad format specifier '%' in '%1', at position 1");
    assert_eq!(error("%1-D"), "Bad format specifier '%1' in '%1-D', at position 2");
    assert_eq!(error("ab%é"), "Bad format specifier '%' in 'ab%é', at position 3");
    // A bad format counts only when it is reached.
    assert_eq!(shown(Timespan::parse_any("5", &["%S", "%Q"])), "5000000000");
    assert_eq!(shown(Timespan::parse_any("5", &["%L", "%Q"])), "Bad format specifier '%' in '%Q', at position 1");
}

#[test]
fn arithmetic_is_that_of_ruby() {
    use ArithmeticOperator as Op;
    let span = Timespan::from_nanoseconds(1_500_000_000).unwrap();
    let time = Timestamp::from_nanoseconds(1_500_000_000).unwrap();
    let shown = |operator, other| match span.calculate(operator, other) {
        Ok(Quantity::Timespan(span)) => span.nanoseconds().to_string(),
        Ok(Quantity::Timestamp(time)) => format!("at {}", time.nanoseconds()),
        Ok(Quantity::Integer(number)) => number.to_string(),
        Ok(Quantity::Float(number)) => format!("{number:?}"),
        Ok(Quantity::Other(_)) => unreachable!(),
        Err(error) => error.to_string(),
    };
    let text = Quantity::Other("String");
    assert_eq!(shown(Op::Add, text), "A String cannot be added to a Timespan");
    assert_eq!(shown(Op::Add, Quantity::Other("Array")), "An Array cannot be added to a Timespan");
    assert_eq!(shown(Op::Add, Quantity::Timestamp(time)), "at 3000000000");
    assert_eq!(shown(Op::Subtract, Quantity::Timestamp(time)), "A Timestamp cannot be subtracted from a Timespan");
    assert_eq!(shown(Op::Multiply, Quantity::Timespan(span)), "A Timestamp cannot be multiplied by a Timespan");
    assert_eq!(shown(Op::Multiply, Quantity::Float(f64::INFINITY)), "Infinity");
    assert_eq!(shown(Op::Divide, text), "A Timespan cannot be divided by a String");
    assert_eq!(shown(Op::Divide, Quantity::Integer(-7)), "-214285715");
    assert_eq!(shown(Op::Divide, Quantity::Float(0.3)), "5000000000");
    assert_eq!(shown(Op::Divide, Quantity::Float(-0.0)), "divided by 0");
    assert_eq!(shown(Op::Divide, Quantity::Timespan(Timespan::from_nanoseconds(7).unwrap())), "214285714.2857143");
    assert_eq!(shown(Op::Divide, Quantity::Timespan(Timespan::from_seconds(0))), "inf");
    assert_eq!(shown(Op::Modulo, Quantity::Timespan(span)), "Can not do modulus on a Timespan using a a Timespan");
    assert_eq!(shown(Op::Modulo, Quantity::Integer(2)), "1");
    assert_eq!(shown(Op::Modulo, Quantity::Float(0.4)), "0.29999999999999993");
    let before = |operator, number| Quantity::calculate(number, operator, Quantity::Timespan(span));
    let three = Timespan::from_seconds(3);
    assert_eq!(before(Op::Multiply, Quantity::Integer(2)), Ok(Quantity::Timespan(three)));
    assert_eq!(before(Op::Subtract, Quantity::Float(4.5)), Ok(Quantity::Timespan(three)));
    assert_eq!(before(Op::Divide, Quantity::Integer(4)), Err(ScalarError::NoSuchOperatorBetween));
}
