//! What selectors mean, and what is said of texts that are none.

use super::*;

/// Returns what is said, what is pointed at, and what helps.
fn error(text: &str) -> (String, String, Option<String>) {
    let error = parse(text).unwrap_err();
    (error.message, text[error.span.range()].to_owned(), error.help)
}

/// Returns a condition in a form that shows what binds how.
fn shown(condition: &Condition) -> String {
    let joined = |parts: &[Condition], word: &str| {
        format!("({})", parts.iter().map(shown).collect::<Vec<_>>().join(&format!(" {word} ")))
    };
    match condition {
        Condition::All(parts) => joined(parts, "and"),
        Condition::Any(parts) => joined(parts, "or"),
        Condition::Not(part) => format!("not {}", shown(part)),
        Condition::Test(FieldTest { field, test, .. }) => {
            let field = match field {
                Field::Word(word) => word.name().to_uppercase(),
                Field::Parameter(path) => path.join("."),
            };
            match test {
                Test::IsSet => field,
                Test::Equals(operand) => format!("{field}={}", operand.pattern.text()),
                Test::Matches(regex) => format!("{field}~{}", regex.pattern()),
                Test::Compares(order, operand) => format!("{field} {order:?} {}", operand.pattern.text()),
            }
        }
    }
}

fn condition(text: &str) -> String {
    shown(&parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).condition)
}

fn titles(text: &str) -> Vec<(String, bool)> {
    let selector = parse(text).unwrap();
    let title = |(pattern, _): &(Pattern, Span)| (pattern.text().to_owned(), pattern.literal().is_some());
    selector.titles.iter().map(title).collect()
}

#[test]
fn a_type_and_titles() {
    let selector = parse(" Apache::Vhost ").unwrap();
    assert_eq!(selector.type_name.as_ref().map(|(pattern, _)| pattern.text()), Some("apache::vhost"));
    assert!(selector.titles.is_empty());
    let literal = |title: &str| (title.to_owned(), true);
    assert_eq!(titles("package[nginx, apache2]"), [literal("nginx"), literal("apache2")]);
    assert_eq!(titles("File[/etc/a[1], ' x,]']"), [literal("/etc/a[1]"), literal(" x,]")]);
    assert_eq!(titles("File[/etc/*,'/tmp/*']"), [("/etc/*".to_owned(), false), literal("/tmp/*")]);
    assert_eq!(titles(r#"Exec["say \"hi\" \\ \d"]"#), [literal(r#"say "hi" \ \d"#)]);
    assert!(parse("*").is_ok() && parse("profile::*[*]{}").is_ok());
}

#[test]
fn conditions_bind_as_everywhere() {
    assert_eq!(condition("{ a = 1 and b or not c and (d or e) }"), "((a=1 and b) or (not c and (d or e)))");
    assert_eq!(condition("{ a=1 AND b!=2 Or !c }"), "((a=1 and not b=2) or not c)");
    assert_eq!(condition("{ a < 1 and b <= 2 and c > 3 and d >= 4 }"), {
        "(a Less 1 and b LessOrEqual 2 and c Greater 3 and d GreaterOrEqual 4)"
    });
    assert_eq!(condition("{ a ~ ^x and b !~ '^y z' and c ~ /w/ and d =~ v and e == u }"), {
        "(a~^x and not b~^y z and c~w and d~v and e=u)"
    });
    // A parameter may be called like an operator.
    assert_eq!(condition("{ not = 1 and not not = 2 }"), "(not=1 and not not=2)");
}

#[test]
fn fields_are_words_parameters_and_parts_of_values() {
    let all =
        "{ type=a and title=b and tag=c and class=d and file=e and line=1 and node=f and environment=g and exported }";
    assert_eq!(
        condition(all),
        "(TYPE=a and TITLE=b and TAG=c and CLASS=d and FILE=e and LINE=1 and NODE=f and ENVIRONMENT=g and EXPORTED)"
    );
    assert_eq!(condition("{ certname = a and tags = b }"), "(NODE=a and TAG=b)");
    assert_eq!(condition("{ parameters.tag = a and parameters.a.b and a.b.0 and a.'b.c' = d }"), {
        "(tag=a and a.b and a.b.0 and a.b.c=d)"
    });
    let parameters = parse("{ b = 1 or tag = x or (a.c = 2 and b = 3) }").unwrap().parameters();
    assert_eq!(parameters, [vec!["b".to_owned()], vec!["a".to_owned(), "c".to_owned()]]);
}

#[test]
fn values_go_to_a_blank_or_stand_in_quotation_marks() {
    assert_eq!(condition("{ require = Service[a b] and x = a=b and y='' }"), "(require=Service[a b] and x=a=b and y=)");
    assert_eq!(condition("{(a=/etc/*)}"), "a=/etc/*");
}

#[test]
fn a_query_of_puppetdb_is_read() {
    let text = "resources[certname, title, parameters.ensure, file] { type = \"Package\" and title ~ \"ng.*\" and \
                parameters.ensure != \"absent\" }";
    let selector = parse(text).unwrap();
    assert_eq!(shown(&selector.condition), "(TYPE=Package and TITLE~ng.* and not ensure=absent)");
    assert_eq!(selector.columns.iter().map(Column::to_string).collect::<Vec<_>>(), ["ensure", "file"]);
    assert!(selector.type_name.is_none());
    // The type of that name is written with a capital letter.
    assert!(parse("Resources[file]").unwrap().type_name.is_some() && parse("resources").unwrap().type_name.is_some());
    let (message, at, help) = error("nodes { certname ~ 'a' }");
    assert_eq!((message.as_str(), at.as_str()), ("Only resources are queried here, not nodes", "nodes"));
    assert_eq!(help.as_deref(), Some("begin with `resources`, or with a type"));
    assert!(error(r#"["=", "type", "File"]"#).2.unwrap().starts_with("PuppetDB's arrays are not read here"));
    assert_eq!(error("resources[a b] {}").1, "a b");
}

#[test]
fn an_error_points_at_its_place() {
    let at = |text: &str| {
        let (message, at, help) = error(text);
        format!("{message} | {at} | {}", help.unwrap_or_default())
    };
    assert_eq!(
        at("Package[nginx] { ensure = a adn b }"),
        "Expected `and`, `or` or `}`, found `adn` | adn | did you mean and?"
    );
    assert_eq!(at("Package[nginx] { ensure = a"), "This brace is not closed | { | ");
    assert_eq!(at("Package[nginx"), "This bracket is not closed | [ | ");
    assert_eq!(at("{ (a = b }"), "Expected `and`, `or` or `)`, found `}` | } | ");
    assert_eq!(at("{ (a = b "), "This parenthesis is not closed | ( | ");
    assert_eq!(at("{ a = 'b }"), "This quotation mark is not closed | ' | ");
    assert_eq!(at("{ a = }"), "Expected a value, found `}` | } | ");
    assert_eq!(at("{ and b }"), "Expected `and`, `or` or `}`, found `b` | b | ");
    assert_eq!(at("{ a. = b }"), "Expected a key, found `=` | = | ");
    assert_eq!(at("Package[nginx] ensure = a"), {
        "`ensure` does not belong here | ensure | conditions stand in braces: Package[nginx] { ensure = latest }"
    });
    assert_eq!(at("{ tag }"), "Expected an operator behind `tag`, found `}` | } | compare it: tag = …");
    assert_eq!(at("{ tag < b }"), "`tag` cannot be compared by `<`: it takes =, !=, ~ and !~ | < | ");
    assert_eq!(at("{ line = a }"), "`line` is compared with a number | a | ");
    assert_eq!(at("{ exported = maybe }"), "`exported` is true or false | maybe | ");
    assert_eq!(at("{ a ~ '(' }").split(" | ").nth(1), Some("'('"));
    assert_eq!(at("Package[]"), "Expected a title, found `]` | ] | without a title, leave the brackets out");
    assert_eq!(at("").split(" | ").next(), Some("The selector is empty"));
    assert_eq!(at("}"), "Expected a type or `{`, found `}` | } | ");
    let deep = format!("{{ {}a }}", "not ".repeat(DEPTH + 2));
    assert_eq!(error(&deep).0, "Conditions are nested deeper than 100 levels");
}
