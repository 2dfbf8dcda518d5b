//! Data and Ruby code that double: they end within the steps and the memory of a node.

use std::fmt::Write;

use crate::Folder;
use crate::hostile::{FEW_STEPS, refused, run_limited};

const HIERA: &str = "version: 5\nhierarchy: [{name: Common, path: common.yaml}]\n";

/// Data in which each key names the one before twice, and an error that a look-up of the last one has.
fn refused_data(first: &str, next: &dyn Fn(u32) -> String, words: &[&str]) {
    let mut data = format!("k0: {first}\n");
    (1..60).for_each(|n| _ = writeln!(data, "k{n}: {}", next(n - 1)));
    let site = "$x = lookup('k59')\nnotice($x.length)\n";
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("hiera.yaml", HIERA),
        ("data/common.yaml", &data),
        ("manifests/site.pp", site),
    ]);
    for more in [&[][..], &["--set", FEW_STEPS]] {
        let arguments = [&["compile", "n", "--environment-dir", ".", "--no-cache"], more].concat();
        let run = run_limited(&folder, &arguments);
        assert_eq!(run.code, Some(1), "{data}\n{}{}", run.out, run.err);
        assert!(words.iter().any(|words| run.err.contains(words)), "{}", run.err);
        assert!(run.err.contains("site.pp, line: 1"), "{}", run.err);
    }
}

#[test]
fn data_that_names_itself_twice_ends() {
    let words = ["values at most", "bytes at most", "bytes of text at most", "interpolat", "steps at most"];
    let alias = |n: u32| format!("[\"%{{alias('k{n}')}}\", \"%{{alias('k{n}')}}\"]");
    let in_hash = |n: u32| format!("{{a: \"%{{alias('k{n}')}}\", b: \"%{{alias('k{n}')}}\"}}");
    let as_text = |n: u32| format!("\"%{{lookup('k{n}')}}%{{lookup('k{n}')}}\"");
    let old = |n: u32| format!("\"%{{hiera('k{n}')}} %{{hiera('k{n}')}}\"");
    refused_data("[1]", &alias, &words);
    refused_data("{a: 1}", &in_hash, &words);
    refused_data("a text of some letters", &as_text, &words);
    refused_data("a text of some letters", &old, &words);
}

/// Of YAML itself: anchors that double.
#[test]
fn anchors_that_double_end() {
    let mut data = "k0: &a0 [x, x]\n".to_owned();
    (1..60).for_each(|n| _ = writeln!(data, "k{n}: &a{n} [*a{0}, *a{0}]", n - 1));
    let site = "$x = lookup('k59')\nnotice(\"${x}\".length)\n";
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("hiera.yaml", HIERA),
        ("data/common.yaml", &data),
        ("manifests/site.pp", site),
    ]);
    let run = run_limited(&folder, &["compile", "n", "--environment-dir", ".", "--no-cache"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    folder.write("facts.yaml", &data);
    let run = run_limited(&folder, &["compile", "n", "--environment-dir", ".", "--facts", "facts.yaml", "--no-cache"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
}

#[test]
fn ruby_values_that_double_end() {
    let ruby = |code: &str| format!("$x = inline_template('<% {code} %>') notice($x)");
    for code in [
        "a = \"x\"; 60.times { a = a + a }",
        "a = \"x\"; 60.times { a += a }",
        "a = \"x\"; 60.times { a << a }",
        "a = \"x\"; 60.times { a = a * 2 }",
        "a = \"x\"; 60.times { a = [a, a].join }",
        "a = \"x\"; 60.times { a = \"#{a}#{a}\" }",
        "a = \"xy\"; 60.times { a = a.gsub(/x/, \"xx\") }",
        "a = \"x\"; 60.times { a = a.ljust(a.length * 2) }",
        "a = \"x\"; 60.times { a = format(\"%s%s\", a, a) }",
        "a = [1]; 60.times { a = a + a }",
        "a = [1]; 60.times { a.concat(a) }",
        "a = [1]; 60.times { a = a * 2 }",
        "a = [1]; 60.times { a = [a, a] }; a.flatten",
        "a = [1]; 60.times { a = [a, a] }; a.to_s",
        "a = [1]; 60.times { a = [a, a] }; a == Marshal.load(Marshal.dump(a))",
        "a = {}; 60.times { |i| a = { 1 => a, 2 => a } }; a.to_s",
        "a = {}; 60.times { |i| a = { 1 => a, 2 => a } }; a.hash; scope.call_function(\"notice\", [a])",
        "a = [1, 2]; 60.times { a = a.product(a) }",
        "a = (1..1000000).to_a; ([a] * 1000).transpose",
        "a = (1..1000000).to_a; a.zip(*([a] * 1000))",
        "a = \"x\" * 1000000; ([a] * 10000).inspect",
        "a = t = \"x\" * 1000000; 3000.times { a = [t, a] }; a.to_s",
        "a = {}; 60.times { a = { 1 => a, 2 => a } }; scope.call_function(\"notice\", [a])",
        "a = \"x\" * 1000000; scope.call_function(\"notice\", [[a] * 10000])",
        "a = [0] * 1000000; scope.call_function(\"notice\", [[a] * 10000])",
        "a = (1..40).to_a; a.permutation.to_a",
        "a = (1..60).to_a; a.combination(30).to_a",
        "a = 2; 60.times { a = a * a }",
        "a = \"x\" * 100000000000",
        "a = [0] * 100000000000",
        "a = Array.new(100000000000, 0)",
        "a = (1..100000000000).to_a",
        "a = \"%100000000000d\" % 1",
        "a = []; while true; a << \"0123456789\" * 1000; end",
        "a = {}; i = 0; while true; a[i] = i; i += 1; end",
        "a = :a; 60.times { a = \"#{a}#{a}\".to_sym }",
    ] {
        let folder = Folder::with(&[]);
        let run = run_limited(&folder, &["eval", "-e", &ruby(code)]);
        assert_eq!(run.code, Some(1), "{code}\n{}{}", run.out, run.err);
        assert!(run.err.contains("line: 1"), "{code}\n{}", run.err);
        assert!(!run.err.contains("panicked") && !run.err.contains("internal error"), "{code}\n{}", run.err);
    }
    // Of Puppet's values that share theirs, Ruby code has each one wherever it stands.
    let shared = "$a = Integer[1,22].reduce({}) |$m, $x| { { 1 => $m, 2 => $m } } ";
    refused(&format!("{shared}{}", ruby("@a.length")), "the values of Ruby code may take 268435456 bytes");
    refused(&ruby("a = [1]; 60.times { a = a + a }"), "an array or hash may have 10000000 elements at most");
    // Ruby has answers to these.
    for code in ["a = 2 ** 2 ** 40", "a = 1 << 10000000000", "a = (1..Float::INFINITY).lazy.map { |x| x }.first(3)"] {
        let run = run_limited(&Folder::with(&[]), &["eval", "-e", &ruby(code)]);
        assert!(run.code.is_some(), "{code}\n{}{}", run.out, run.err);
    }
}
