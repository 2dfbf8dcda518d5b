//! URIs as Ruby reads, builds, merges and writes them.

use super::*;

fn shown(uri: Result<Uri, ScalarError>) -> String {
    uri.map_or_else(|error| error.to_string(), |uri| uri.to_string())
}

#[test]
fn texts_are_written_back_tidied() {
    for (text, expected) in [
        ("http://a", "http://a"),
        ("HTTP://U:P@Host:80/p?q#f", "http://U:P@Host/p?q#f"),
        ("file:/x", "file:///x"),
        ("file://localhost/x", "file:///x"),
        ("file://u:p@h:9/x", "file://h/x"),
        ("ftp://h", "ftp://h/"),
        ("ftp://u@h//x", "ftp://u@h/%2Fx"),
        ("ftp://h/a;type=i", "ftp://h/a;type=i"),
        ("mailto:a@b.c?x=y", "mailto:a@b.c?x=y"),
        ("a:b?c#d", "a:b?c#d"),
        ("http://h:080/x", "http://h/x"),
        ("http://h?a\"b'c d", "http://h?a%22b%27c%20d"),
        ("http://h?a\nb", "http://h?ab"),
        ("http:///x", "http:/x"),
        ("http://@h", "http://h"),
        ("http://u:@h", "http://u:@h"),
        ("postgres:/x", "postgres:///x"),
        ("wss://h:443/x", "wss://h:443/x"),
        ("http://[::1]:8/", "http://[::1]:8/"),
        ("//[::1", "//[::1"),
    ] {
        assert_eq!(shown(Uri::parse(text)), expected);
    }
}

#[test]
fn what_is_no_uri_is_refused() {
    for (text, expected) in [
        ("http://h/a b", "bad URI(is not URI?): \"http://h/a b\""),
        ("a\n\"b", "bad URI(is not URI?): \"a\\n\\\"b\""),
        ("http://é", "URI must be ascii only \"http://\\u00E9\""),
        ("http://h?%zz", "invalid percent escape: %zz"),
        ("//[::1]/", "bad URI(is not URI?): \"//[::1]/\""),
        ("mailto:foo", "unrecognised opaque part for mailtoURL: foo"),
        ("mailto:", "missing opaque part for mailto URL"),
        ("ldap://h#f", "bad LDAP URL"),
        ("ftp:x", "URI::InvalidURIError"),
    ] {
        assert_eq!(shown(Uri::parse(text)), expected);
    }
}

#[test]
fn parts_are_looked_at() {
    let none = UriParts::default();
    for (parts, expected) in [
        (none, ""),
        (UriParts { host: Some("::1"), ..none }, "//[::1]"),
        (UriParts { scheme: Some("http"), opaque: Some("a"), ..none }, "http:a"),
        (UriParts { scheme: Some("ldap"), host: Some("h"), path: Some("/d"), query: Some("b"), ..none }, "ldap://h/d?"),
        (UriParts { scheme: Some("ftp"), host: Some("h"), path: Some("/a"), ..none }, "ftp://h/%2Fa"),
        (UriParts { scheme: Some("ws"), host: Some("h"), fragment: Some("x y"), ..none }, "ws://h#x%20y"),
        (UriParts { scheme: Some("1x"), ..none }, "bad component(expected scheme component): 1x"),
        (UriParts { host: Some("a_b"), ..none }, "bad component(expected host component): a_b"),
        (
            UriParts { userinfo: Some("a@b"), ..none },
            "bad component(expected userinfo component or user component): a@b",
        ),
        (
            UriParts { scheme: Some("http"), path: Some("a"), ..none },
            "bad component(expected absolute path component): a",
        ),
        (UriParts { path: Some("a b"), ..none }, "bad component(expected relative path component): a b"),
        (
            UriParts { opaque: Some("a"), host: Some("h"), ..none },
            "can not set opaque with host, port, userinfo or path",
        ),
        (UriParts { scheme: Some("mailto"), ..none }, "bad component(expected opaque component): "),
        (UriParts { scheme: Some("file"), userinfo: Some("a"), ..none }, "can not set userinfo for file URI"),
        (UriParts { scheme: Some("ftp"), ..none }, "undefined method `sub' for nil:NilClass"),
    ] {
        assert_eq!(shown(Uri::build(&parts)), expected);
    }
}

#[test]
fn a_relative_uri_is_merged() {
    let base = Uri::parse("http://a:8080/b/c/d;p?q").unwrap();
    for (text, expected) in [
        ("g", "http://a:8080/b/c/g"),
        ("./g/", "http://a:8080/b/c/g/"),
        ("/g", "http://a:8080/g"),
        ("//g", "http://g:8080"),
        ("?y", "http://a:8080/b/c/d;p?y"),
        ("#s", "http://a:8080/b/c/d;p?q#s"),
        ("", "http://a:8080/b/c/d;p?q"),
        ("..", "http://a:8080/b/"),
        ("../../../g", "http://a:8080/g"),
        ("x:y", "x:y"),
    ] {
        assert_eq!(shown(base.merge_text(text)), expected, "{text}");
    }
    let relative = Uri::parse("a").unwrap();
    assert_eq!(shown(relative.merge_text("b")), "both URI are relative");
}

#[test]
fn equality_does_not_look_at_the_case_of_a_host() {
    assert_eq!(Uri::parse("http://A").unwrap(), Uri::parse("http://a:80/").unwrap());
    assert_ne!(Uri::parse("http://a").unwrap(), Uri::parse("https://a:80").unwrap());
}
