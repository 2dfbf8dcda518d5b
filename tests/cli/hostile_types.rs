//! Types whose aliases double: each check, message, comparison and text of one ends by steps, and none takes all memory.

use crate::Folder;
use crate::hostile::{FEW_STEPS, refused, run_limited, too_many_steps};

/// `A0` to `A59`, each twice in the next; and `B0` to `B59`, which are the same.
fn doubled() -> String {
    let name = |letter: char| {
        let next = move |n: u32| format!("type {letter}{n} = Tuple[{letter}{0}, {letter}{0}] ", n - 1);
        (1..60).map(next).fold(format!("type {letter}0 = Integer "), |all, one| all + &one)
    };
    name('A') + &name('B')
}

/// Each way to look into a type that nobody can write out.
const USES: [&str; 15] = [
    "function f(A59 $a) {} f(1)",
    "function f(A59 $a) {} f([1, [2]])",
    "function f() >> A59 { 1 } f()",
    "[1].each |A59 $x| { }",
    "$x = A59 == B59",
    "class c(A59 $a) {} class { 'c': a => 1 }",
    "define d(A59 $a) {} d { 'x': a => [1, 2] }",
    "inline_epp('<%- | A59 $a | -%>x', { a => 1 })",
    "assert_type(A59, 1)",
    "assert_type(Array[A59], [1])",
    "notice(A59)",
    "$x = \"${A59}\"",
    "notify { 'x': message => \"${[A59]}\" }",
    "fail(A59)",
    "$x = String(A59)",
];

#[test]
fn no_use_of_a_doubled_alias_goes_on_without_end() {
    for code in USES {
        too_many_steps(&format!("{}{code}", doubled()));
    }
}

/// What has an answer without going through all of it has that answer.
#[test]
fn a_doubled_alias_that_needs_no_look_has_its_answer() {
    let code = "notice(1 =~ A59) notice(A59 == A59) \
                case 1 { A59: { notice('it is') } default: { notice('none') } } \
                notice({ A59 => 1 }[A59]) notify { 'x': message => Array[Integer] } \
                notice(A59 =~ Type[Tuple]) notice([A59].unique.length) notice(Optional[A59] == Optional[A59])";
    let folder = Folder::with(&[]);
    let run = run_limited(&folder, &["eval", "--set", FEW_STEPS, "-e", &format!("{}{code}", doubled())]);
    let said: Vec<&str> = run.out.lines().filter_map(|line| line.rsplit(": ").next()).collect();
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert_eq!(said, ["false", "true", "none", "1", "true", "1", "true"], "{}{}", run.out, run.err);
}

/// A catalog has types written out.
#[test]
fn a_catalog_has_no_type_that_nobody_can_write_out() {
    for value in ["A59", "[A59]", "{ a => A59 }", "Sensitive(A59)", "Optional[A40]"] {
        refused(
            &format!("{}notify {{ 'x': message => {value} }}", doubled()),
            "A type may be made of 100000 types at most; the setting max_type_parts raises the limit",
        );
    }
}

/// Aliases that stand in each other, and types of many parts.
#[test]
fn types_are_compared_and_inferred_within_the_steps() {
    let around = |n: u32| format!("type R{n} = Variant[Integer, Tuple[R{0}, R{0}, Optional[R0]]] ", n - 1);
    let circle: String = (1..60).map(around).collect();
    let circle = format!("type R0 = Variant[Integer, Array[R59]] {circle}");
    for code in ["notice(R59)", "function f(R59 $a) {} f('x')", "assert_type(R59, [['x'], ['y']])"] {
        let folder = Folder::with(&[]);
        let run = run_limited(&folder, &["eval", "--set", FEW_STEPS, "-e", &format!("{circle}{code}")]);
        assert_eq!(run.code, Some(1), "{code}: {}{}", run.out, run.err);
    }
    let many = "$many = Integer[1,100000].map |$i| { \"text ${i}\" } ";
    for code in [
        "$x = type($many, 'reduced')",
        "$x = Integer[1,100].map |$i| { type($many[0, 50000], 'detailed') }",
        "assert_type(Array[Integer], $many)",
        "function f(Array[Integer] $a) {} f($many)",
        "define d(Array[Integer] $a) {} d { 'x': a => $many }",
    ] {
        too_many_steps(&format!("{many}{code}"));
    }
    let wide =
        |from: u32| format!("Variant[*(Integer[{from},{}].map |$i| {{ Array[Integer[$i, $i]] }})]", from + 9_000);
    too_many_steps(&format!("$a = {} $b = {} Integer[1,1000].each |$i| {{ $x = $a == $b }}", wide(1), wide(2)));
}
