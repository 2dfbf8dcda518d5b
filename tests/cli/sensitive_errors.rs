//! Errors about secrets tell neither the secret nor how long it is.

use crate::Folder;

#[test]
fn errors_tell_nothing_of_a_secret() {
    let secret = "hunter2x";
    let value = format!("$x = Sensitive('{secret}') ");
    let reference = format!("$x = Sensitive('File[{secret}]') ");
    let mut codes: Vec<String> = Vec::new();
    for name in ["require", "before", "notify", "subscribe"] {
        codes.extend([&value, &reference].map(|begin| format!("{begin}notify {{ 'a': {name} => $x }}")));
        codes.push(format!("{value}notify {{ 'a': {name} => [$x, Notify['b']] }} notify {{ 'b': }}"));
        codes.push(format!("$x = Sensitive(File['{secret}']) notify {{ 'a': {name} => $x }}"));
        codes.push(format!("$x = Sensitive(['{secret}']) notify {{ 'a': {name} => $x }}"));
    }
    codes.extend([
        format!(
            "$x = Sensitive(['{secret}', 'b']) class a(Sensitive[Array[Integer]] $x) {{ }} class {{ 'a': x => $x }}"
        ),
        format!("$x = Sensitive({{ k => '{secret}' }}) function f(Sensitive[Hash[Integer, Integer]] $x) {{ 1 }} f($x)"),
        format!("$x = [Sensitive(['{secret}'])] function f(Array[Sensitive[Integer]] $x) {{ 1 }} f($x)"),
        format!("{value}class a(Sensitive[Integer] $x) {{ }} class {{ 'a': x => $x }}"),
        "$x = Sensitive(88888888) class a(Sensitive[Array[Integer]] $x) { } class { 'a': x => $x }".to_owned(),
        format!("{value}assert_type(Sensitive[Integer], $x)"),
        format!("{value}notify {{ $x: }}"),
        format!("{value}realize($x)"),
        format!("{value}Integer($x)"),
    ]);
    let folder = Folder::with(&[]);
    for code in codes {
        let run = folder.run(&["eval", "-e", &code]);
        assert_eq!(run.code, Some(1), "{code}: {}{}", run.out, run.err);
        for told in [secret, "88888888", "[8", ", 8]", "1, 8", "[1, 1]"] {
            assert!(!run.err.contains(told), "{code}: {told} in {}", run.err);
        }
    }
}
