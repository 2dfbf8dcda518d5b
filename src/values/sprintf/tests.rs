//! Each text is what Ruby 3.1 makes of it.

use super::{format, sprintf};
use crate::Value;

fn said(text: &str, values: &[Value]) -> String {
    format(text, values).unwrap_or_else(|fault| fault.to_string())
}

#[test]
fn whole_numbers_have_two_complements() {
    for (text, value, expected) in [
        ("%x", -255, "..f01"),
        ("%x", -256, "..f00"),
        ("%X", -1, "..F"),
        ("%o", -8, "..70"),
        ("%b", -2, "..10"),
        ("%#x", 255, "0xff"),
        ("%+x", -255, "-ff"),
        ("%#o", 8, "010"),
        ("%#.5o", 8, "00010"),
        ("%05d", -42, "-0042"),
        ("%-+5d|", 5, "+5   |"),
        ("%x", 255, "ff"),
        ("%8X|", 48879, "    BEEF|"),
        ("%-8o|", 8, "10      |"),
        ("%08b", 5, "00000101"),
        ("% x", 255, " ff"),
        ("%+o", 9, "+11"),
        ("%u", -3, "-3"),
        ("%i", 0, "0"),
        ("%X", 0, "0"),
        ("%c", 955, "λ"),
        ("%f", 9_007_199_254_740_993, "9007199254740993.000000"),
        ("%040d|", -7, "-000000000000000000000000000000000000007|"),
        ("%-40s|", 7, "7                                       |"),
        ("%s|", -12, "-12|"),
        ("%x", i64::MAX, "7fffffffffffffff"),
        ("%d", i64::MIN, "-9223372036854775808"),
    ] {
        assert_eq!(said(text, &[value.into()]), expected, "{text}");
    }
}

#[test]
fn floats_have_all_forms() {
    for (text, value, expected) in [
        ("%.2f", 2.675, "2.68"),
        ("%.0f", 0.5, "0"),
        ("%8.3f", 1.25, "   1.250"),
        ("%.3f", 375.0, "375.000"),
        ("%.2f", 0.07, "0.07"),
        ("%.1f", -0.5, "-0.5"),
        ("%.15f", 0.5, "0.500000000000000"),
        ("%.16f", 0.5, "0.5000000000000000"),
        ("%#.2f", 2.5, "2.50"),
        ("%+.2f", 1e12, "+1000000000000.00"),
        ("%.2f", 1e15, "1000000000000000.00"),
        ("%.3f", 1.0005, "1.000"),
        ("%.1f", 99.95, "100.0"),
        ("%e", 12345.678, "1.234568e+04"),
        ("%e", 1e100, "1.000000e+100"),
        ("%e", -2.5e-10, "-2.500000e-10"),
        ("%.0e", 12345.0, "1e+04"),
        ("%E", 1.5e-7, "1.500000E-07"),
        ("%.1f", 3.0, "3.0"),
        ("%.3f", 7.0e14, "700000000000000.000"),
        ("%g", 1e-5, "1e-05"),
        ("%G", 1e20, "1E+20"),
        ("%#g", 1.0, "1.00000"),
        ("%a", 0.0, "0x0p+0"),
        ("%a", 5e-324, "0x1p-1074"),
        ("%.2a", 1.999, "0x1.00p+1"),
        ("%010a", -1.0, "-0x0001p+0"),
        ("%d", 1e20, "100000000000000000000"),
        ("%d", -1.5, "-1"),
        ("%5.1f|", f64::INFINITY, "  Inf|"),
    ] {
        assert_eq!(said(text, &[value.into()]), expected, "{text}");
    }
}

#[test]
fn arguments_are_chosen_in_one_way() {
    let one = [Value::from(1)];
    for (text, expected) in [
        ("%2$s", "too few arguments"),
        ("%s %1$s", "numbered(1) after unnumbered(1)"),
        ("%1$s %s", "unnumbered(1) mixed with numbered"),
        ("%<a>s", "one hash required"),
        ("%{a", "malformed name - unmatched parenthesis"),
        ("%y", "malformed format string - %y"),
        ("%é", "malformed format string"),
        ("%", "incomplete format specifier; use %% (double %) instead"),
        ("%5", "malformed format string - %*[0-9]"),
        ("%5%", "invalid format character - %"),
        ("%99999999999d", "width too big"),
        ("%1$1$s", "value given twice - 1$"),
    ] {
        assert_eq!(said(text, &one), expected, "{text}");
    }
    let named = [Value::hash([("a".into(), 7.into())])];
    assert_eq!(said("%<a>03d|%{a}|", &named), "007|7|");
    assert_eq!(said("%{b}", &named), "key{b} not found");
}

#[test]
fn texts_become_numbers_as_in_ruby() {
    for (text, value, expected) in [
        ("%d", "0b11", "3"),
        ("%d", " 1_0\n", "10"),
        ("%d", "08", "invalid value for Integer(): \"08\""),
        ("%d", "- 1", "invalid value for Integer(): \"- 1\""),
        ("%x", "-99999999999999999999", "..fa9438a1d29cf00001"),
        ("%f", "0x1.8p3", "12.000000"),
        ("%f", "1.", "invalid value for Float(): \"1.\""),
    ] {
        assert_eq!(said(text, &[value.into()]), expected, "{text} of {value}");
    }
    assert_eq!(said("%d", &[Value::Undef]), "can't convert nil into Integer");
    assert_eq!(said("%s", &[Value::array([Value::Undef, "a\n".into()])]), "[nil, \"a\\n\"]");
}

#[test]
fn the_function_sees_old_values() {
    assert_eq!(sprintf(&["%s|".into(), Value::Undef]).unwrap(), "|");
    assert!(sprintf(&[1.into()]).unwrap_err().message.ends_with("of Integer into String"));
    assert!(format("%2000000000d", &[1.into()]).is_err());
}
