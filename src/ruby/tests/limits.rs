//! Code that would go on for ever, or take all memory there is, ends in an error with a place.

use std::sync::Arc;

use crate::{Bounds, RubyError, Script, evaluate};

/// Enough for all that ends, and soon spent by what does not.
const BOUNDS: Bounds = Bounds { steps: 1_000_000, bytes: 1 << 20 };

fn run(code: &str) -> Result<String, String> {
    let script = Arc::new(Script::parse("grows.rb", code).expect("it is Ruby"));
    evaluate(&script, BOUNDS).map_err(|error| match error {
        RubyError::Fatal(fault, _) | RubyError::Lacks(fault) => fault.message.to_string(),
        RubyError::Raised(raised) => format!("raised: {}", raised.message),
    })
}

#[test]
fn a_range_of_texts_is_counted_before_it_is_made() {
    for code in ["('0'..'9223372036854775807').to_a", "('1'..'99999999').to_a"] {
        let said = run(code);
        assert!(said.as_ref().is_err_and(|said| said.contains("10000000 elements at most")), "{code}: {said:?}");
    }
    assert_eq!(
        run("('08'..'11').to_a + ('9'..'8').to_a + ('1'...'3').to_a"),
        Ok(r#"["08", "09", "10", "11", "1", "2"]"#.to_owned())
    );
}

#[test]
fn nothing_is_taken_any_number_of_times() {
    for code in ["[] * 10**15", "[1.1] * 1[1.1] * 10**15"] {
        assert_eq!(run(code).as_deref(), Ok("[]"), "{code}");
    }
    for code in ["[1.1] * 10**15", "[1, 2] * 2**62"] {
        let said = run(code);
        assert!(said.as_ref().is_err_and(|said| said.contains("10000000 elements at most")), "{code}: {said:?}");
    }
}

#[test]
fn what_grows_is_stopped() {
    let growing = [
        "a = []\nloop { a << 'x' * 10_000 }",
        "a = []\nloop { a << \"#{a.size} and some more\" }",
        "a = []\nloop { a << [1, 2] }",
        "a = []\nloop { a.push(nil, nil) }",
        "a = [1]\nloop { a += a }",
        "a = [1]\nloop { a.concat(a) }",
        "a = [0]\nloop { a = [a, a.dup].flatten }",
        "h = {}\nloop { h[h.size] = 1 }",
        "x = 1\nh = Hash.new { |all, key| all[key] = key.to_s }; loop { h[h.size] }",
        "h = {}\nloop { h[\"the key #{h.size} is a symbol\".to_sym] = 1 }",
        "a = []\nloop { a << :\"#{a.size} is a part of a symbol\" }",
        "a = []\nloop { a << Object.new }",
        "a = []\nloop { a << a.size.to_s.chars }",
        "a = []\nloop { n = a.size; a << proc { n } }",
        "a = []\nloop { a << 10**5000 + a.size }",
        "a = []\nloop { a << Rational(10**5000 + a.size, 3) }",
        "a = []\nloop { a << Pathname.new('x' * 1000) }",
        "a = []\nloop { a << [a.size].pack('Nx1000') }",
        "o = OpenStruct.new\nloop { o[:\"a#{o.to_h.size}\"] = 1 }",
        "a = []\nloop { a << (Date.new(2020, 1, 1) + a.size) }",
        "a = (1..)\na.lazy.map { |x| x.to_s }.to_a",
        "x = 1\nEnumerator.new { |y| loop { y << x.to_s } }.to_a",
        "require 'set'\ns = Set.new; loop { s << s.size }",
        "require 'stringio'\ns = StringIO.new; loop { s << 'xxxxxxxxxx' }",
        "s = +''\nloop { s << 'xxxxxxxxxx' }",
        "s = 'x'\nloop { s += s }",
        "s = 'x'\nloop { s << s }",
        "s = 'x'\nloop { s = \"#{s}#{s}\" }",
        "s = 'x'\nloop { s = s.gsub('x', 'xx') }",
        "s = 'x'\nloop { s = s.ljust(s.size * 2) }",
        "s = 'x'\nloop { s = s.inspect.inspect }",
        "s = 'x'\nloop { s = [s, s].join }",
        "s = 'x'\nloop { s = format('%s%s', s, s) }",
        "x = 'a'\n(x * 600_000).chars",
        "x = 'a'\n(x * 600_000).split('')",
        "x = 'a '\n(x * 200_000).split",
        "x = 'a'\n(x * 600_000).scan(/a/)",
        "x = 1\n(x..200_000).to_a",
        "x = 1\n[x] * 200_000",
        "x = 1\nArray.new(200_000, x)",
        "a = []\nloop { a << Regexp.new(\"number #{a.size}\") }",
        "o = Object.new\nloop { |i| o.instance_variable_set(\"@v#{(i = i.to_i) + o.instance_variables.size}\", 1) }",
    ];
    let is_of_size = |said: &String| said.contains("bytes of memory at most") || said.contains("variables at most");
    let is_right = |said: &String| is_of_size(said) && said.contains("(file: grows.rb, line: 2)");
    let said = growing.map(|code| (code, run(code)));
    let wrong: Vec<_> = said.iter().filter(|(_, said)| !said.as_ref().is_err_and(is_right)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_rescue_hears_of_it() {
    let said = run("a = []\nbegin; loop { a << 'x' * 10_000 }; rescue Exception; 'rescued'; ensure; a = nil; end");
    assert!(said.as_ref().is_err_and(|said| said.contains("bytes of memory at most")), "{said:?}");
}

#[test]
fn what_is_dropped_again_is_not_counted() {
    let many = [
        ("1000.times { 'x' * 100_000 }; 'done'", "\"done\""),
        ("a = []; 100_000.times { |i| a << i.to_s * 100; a.shift if a.size > 100 }; a.size", "100"),
        ("h = {}; 10_000.times { |i| h[i] = 'x' * 50; h.delete(i - 10) }; h.size", "10"),
        ("s = ''; 1000.times { |i| s = \"#{i}\" * 1000 }; s.size", "3000"),
        ("50.times { (1..10_000).map { |i| i } }; 'done'", "\"done\""),
        ("('x' * 5_000).gsub(/x/) { |x| x.upcase }.size", "5000"),
    ];
    for (code, worth) in many {
        assert_eq!(run(code).as_deref(), Ok(worth), "{code}");
    }
}

#[test]
fn what_does_not_end_is_stopped() {
    let loops = [
        "begin; raise 'x'\nrescue; retry; end",
        "a = [1]; a << a; b = [1]; b << b\na == b",
        "a = [1]; b = [1]; 60.times { a = [a, a]; b = [b, b] }\na == b",
        "a = [1]; 60.times { a = [a, a] }\na.inspect",
        "x = 1\nloop { x }",
        "x = 1\nwhile true do x += 1 end",
        "def f(x) = f(x)\nf(1)",
        "x = 1\nuntil x == 0 do end",
    ];
    for code in loops {
        let said = run(code).expect_err(code);
        let is_told = said.contains("steps") || said.contains("calls deep") || said.contains("bytes of memory at most");
        assert!(is_told, "{code}: {said}");
        assert!(said.contains("(file: grows.rb, line: "), "{code}: {said}");
    }
}

#[test]
fn what_holds_itself_is_gone_through_once() {
    let many = [
        ("a = [1]; a << a; a.hash == a.hash", "true"),
        ("a = [1]; a << a; { a => 1 }[a]", "1"),
        ("a = [1]; a << a; a.inspect", "\"[1, [...]]\""),
        ("a = [1]; 60.times { a = [a, a] }; a.hash == a.hash", "true"),
        ("h = {}; h[h] = h; h", "{{...}=>{...}}"),
        ("h = { 1 => 2 }; g = { 1 => 2 }; h[h] = 1; h[g] = 2; h.size", "3"),
        ("s = Set.new; s << s; s.size", "1"),
        ("a = [1]; a << a; [a, a].uniq.size", "1"),
    ];
    for (code, worth) in many {
        assert_eq!(run(code).as_deref(), Ok(worth), "{code}");
    }
}

#[test]
fn what_cannot_be_compared_to_its_end_ends_the_run() {
    for code in [
        "a = [1]; a << a; b = [1]; b << b; begin; a.eql?(b); rescue Exception; 1; end",
        "a = [1]; a << a; b = [1]; b << b; [a, b].uniq.size",
        "a = [1]; b = [1]; 60.times { a = [a, a]; b = [b, b] }; a.eql?(b)",
    ] {
        let said = run(code).expect_err(code);
        assert!(said.contains("or are too many, to be compared (file: grows.rb, line: 1)"), "{code}: {said}");
        assert_eq!(run("[1].eql?([1])").as_deref(), Ok("true"), "the next run is another one");
    }
}

#[test]
fn what_nests_deep_is_let_go() {
    for code in [
        "a = nil; 300_000.times { a = { 1 => a } }; 1",
        "a = nil; 300_000.times { a = [a] }; 1",
        "a = nil; 300_000.times { b = a; a = proc { b } }; 1",
        "a = proc { 1 }; 300_000.times { a = a >> a }; 1",
        "s = Struct.new(:a); a = nil; 300_000.times { a = s.new(a) }; 1",
        "a = [1].each; 300_000.times { a = a.each_with_index }; 1",
    ] {
        let script = Arc::new(Script::parse("deep.rb", code).expect("it is Ruby"));
        let said = evaluate(&script, Bounds { steps: 5_000_000, bytes: 1 << 30 });
        assert!(matches!(said.as_deref(), Ok("1")), "{code}");
    }
}

#[test]
fn nodes_of_xml_end() {
    let ends = [
        "e = REXML::Element.new('a'); 1_000.times { f = REXML::Element.new('a'); f << e; e = f }; 1",
        "REXML::XPath.match(REXML::Document.new('<a/>'), '0 or ' * 1900 + '1'); 1",
        "REXML::Document.new('<a>' * 300 + '</a>' * 300).root.elements['//a[last()]'].class; 1",
    ];
    for code in ends {
        assert_eq!(run(&format!("require 'rexml/document'; {code}")).as_deref(), Ok("1"), "{code}");
    }
    let cycle = "a = REXML::Element.new('a'); b = REXML::Element.new('b'); a << b; b << a";
    for code in [
        "a.root",
        "a.document",
        "a.xpath",
        "a.namespaces",
        "a.to_s",
        "a.elements['//b']",
        "a.root_node",
        "a.deep_clone",
    ] {
        let said = run(&format!("require 'rexml/document'; {cycle}; {code}"));
        assert!(said.as_ref().is_err_and(|said| !said.contains("raised")), "{code}: {said:?}");
    }
    let said = run("require 'rexml/document'; REXML::XPath.match(REXML::Document.new('<a/>'), '(' * 5_000)");
    assert!(said.as_ref().is_err_and(|said| said.contains("too long or too deep in the XPath")), "{said:?}");
    let said = run("require 'rexml/document'; d = REXML::Document.new('<a/>'); loop { d.root.add_element('b') }");
    assert!(said.as_ref().is_err_and(|said| said.contains("bytes of memory at most")), "{said:?}");
}
