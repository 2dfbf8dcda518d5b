//! What is quick for texts and hashes as Ruby has them holds no longer once code has given them another meaning.

use std::sync::Arc;

use crate::{Bounds, RubyError, Script, evaluate};

fn worth(code: &str) -> String {
    let script = Arc::new(Script::parse("redefined.rb", code).expect("it is Ruby"));
    evaluate(&script, Bounds::default()).unwrap_or_else(|error| match error {
        RubyError::Fatal(fault, _) | RubyError::Lacks(fault) => fault.message.to_string(),
        RubyError::Raised(raised) => raised.message.to_string(),
    })
}

/// Each was told by Ruby 3.1.
#[test]
fn a_method_that_code_defines_anew_is_the_one_that_is_called() {
    let cases = [
        ("class String; def ==(other) 7; end; end; ['a' == 'b', 'a' != 'b']", "[7, false]"),
        ("class String; def <<(other) 'never'; end; end; s = +'a'; [s << 'b', s]", r#"["never", "a"]"#),
        ("class Hash; def [](key) 'always'; end; end; { 'a' => 1 }['b']", r#""always""#),
        (
            "class Hash; private def [](key) 1; end; end; { 'a' => 1 }['b'] rescue $!.message[0, 26]",
            r#""private method `[]' called""#,
        ),
        ("module M; def upcase; 'up'; end; end; class String; prepend M; end; 'a'.upcase", r#""up""#),
    ];
    let alone = "s = +'a'; def s.==(other) true; end; s == 'b'";
    assert!(worth(alone).contains("what one String alone can do is not supported"), "{}", worth(alone));
    let wrong: Vec<_> = cases.into_iter().filter(|(code, expected)| worth(code) != *expected).collect();
    assert!(wrong.is_empty(), "{:?}", wrong.iter().map(|(code, _)| (code, worth(code))).collect::<Vec<_>>());
}
