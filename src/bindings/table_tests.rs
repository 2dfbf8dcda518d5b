//! Injectors that nodes share, and rows by which an edit is told from another.

use std::sync::Arc;

use pantin_syntax::Settings;

use super::order_tests::definition;
use super::{Category, EmptyOutside, Injector, Layer, SharedInjectors, State, Table, changed_bindings, file_rows};

fn state(node: &str, rack: &str) -> State {
    let category = |name: &str, value: &str| Category { name: name.into(), value: Some(value.into()) };
    State { categories: vec![category("node", node), category("rack", rack), category("environment", "production")] }
}

fn table(body: &str) -> Table {
    let layer = Layer {
        title: "site".into(),
        definitions: definition("a", body).into_iter().collect(),
        has_data: false,
        unknown: super::injector::UnknownKeys::None,
    };
    Table::new(vec![layer], &state("n", "r"))
}

fn injector(body: &str) -> Injector {
    Injector::from_table(Arc::new(table(body)), state("n", "r"), &mut EmptyOutside::default()).0
}

#[test]
fn nodes_for_which_the_same_conditions_hold_share_an_injector() {
    let conditions: Vec<String> =
        (0..50).map(|number| format!("when node 'n{number}' {{ bind \"own\" to {number} }}")).collect();
    let body = format!("bind \"all\" to 1 {} when rack ['r1', 'r2'] {{ bind \"rack\" to 1 }}", conditions.join("\n"));
    let injectors = SharedInjectors::new(table(&body));
    let mut outside = EmptyOutside::default();
    let mut of = |node: &str, rack: &str| injectors.injector_for(&state(node, rack), &mut outside).injector;
    for number in 0..1000 {
        of(&format!("n{number}"), "none");
    }
    assert_eq!(injectors.count(), 51);
    assert!(Arc::ptr_eq(&of("n700", "r1"), &of("n800", "R2")), "any of a list will do, in any case");
    assert!(!Arc::ptr_eq(&of("n700", "r1"), &of("n700", "none")));
    assert!(!Arc::ptr_eq(&of("n7", "r1"), &of("n8", "r1")));
}

#[test]
fn what_a_node_decides_is_shared_with_no_other() {
    let injectors = SharedInjectors::new(table("bind override variables to { kernel => 'x' }"));
    let mut outside = EmptyOutside::default();
    let [one, other] = ["n1", "n1"].map(|node| injectors.injector_for(&state(node, "r"), &mut outside));
    assert_eq!(one.problems.len(), 1);
    assert!(!Arc::ptr_eq(&one.injector, &other.injector));
}

#[test]
fn a_row_changes_with_what_is_effective_and_not_with_its_place() {
    let rows = |before: &str, now: &str| {
        let mut rows: Vec<String> =
            injector(before).changed_rows(&injector(now)).iter().map(|row| row.to_string()).collect();
        rows.sort();
        rows
    };
    let before = "bind \"a\" to 1 when rack r { bind \"a\" to 2 } bind alias \"a\" as \"b\"";
    assert!(rows(before, &before.replace(" bind alias", "\n\n  # moved\n bind alias")).is_empty());
    assert_eq!(rows(before, &before.replace("to 1", "to 3")), ["all of Data, \"a\""], "it is shadowed");
    assert_eq!(rows(before, &before.replace("to 2", "to 3")), ["Data, \"a\"", "all of Data, \"a\""]);
    assert_eq!(rows(before, &before.replace("rack r", "rack s")), ["Data, \"a\"", "all of Data, \"a\""]);
    let fragments = "multibind Array[Data], \"l\" as 'l' bind to 1 in 'l'";
    assert_eq!(rows(fragments, &fragments.replace("to 1", "to 2")), ["contributions to l"]);
    let parameters = "bind parameters c to { p => 1 }";
    let more = rows(parameters, "bind parameters c to { p => 1, q => 2 }");
    assert_eq!(more, ["/param/Class[c]/", "/param/Class[c]/q", "all of /param/Class[c]/q"]);
    assert_eq!(rows(parameters, "bind parameters c to { p => 2 }").len(), 2);
}

#[test]
fn a_constant_is_a_row_of_its_file_and_all_else_its_structure() {
    let rows = |body: &str| file_rows("f", format!("bindings f {{ {body} }}").as_bytes(), Settings::default()).unwrap();
    let changed = |before: &str, now: &str| -> Vec<String> {
        let (before, now) = (rows(before), rows(now));
        let names = before.iter().chain(&now).map(|(row, _)| row.to_string());
        let mut names: Vec<String> = names
            .filter(|name| {
                let find =
                    |rows: &[(super::Row, _)]| rows.iter().find(|(row, _)| **row == **name).map(|(_, digest)| *digest);
                find(&before) != find(&now)
            })
            .collect();
        names.sort();
        names.dedup();
        names
    };
    assert_eq!(changed("bind \"a\" to 1", "bind \"a\"\n to 2"), ["Data, \"a\""]);
    assert_eq!(changed("bind \"a\" to 1", "# one\nbind \"a\" to 1"), [""; 0]);
    assert_eq!(changed("bind \"a\" to 1", "bind Integer, \"a\" to 1"), ["Data, \"a\"", "structure"]);
    assert_eq!(changed("bind \"a\" to 1", "when rack r { bind \"a\" to 1 }"), ["structure"]);
    assert_eq!(changed("bind \"a\" to f(1)", "bind \"a\" to f(2)"), ["structure"]);
    assert_eq!(changed("bind to 1 in 'l'", "bind to 2 in 'l'"), ["contributions to l"]);
    assert_eq!(changed("bind \"a\" to Integer", "bind \"a\" to String"), ["structure"]);
}

#[test]
fn an_edit_is_named_by_what_it_binds_otherwise() {
    let file = |body: &str| format!("bindings f {{ {body} }}").into_bytes();
    let before =
        "bind \"a\" to f(1) bind 'x' to 1 in 'l' bind parameters C[x] to D[y] bind dependency File['/a'] -> File['/b']";
    let named = |now: &str| changed_bindings("f", &file(before), &file(now), Settings::default()).unwrap();
    assert_eq!(named(&before.replace("f(1)", "f(2)")), ["Data, \"a\""]);
    assert_eq!(named(&before.replace("to 1 in", "to 2 in")), ["a contribution to 'l'"]);
    assert_eq!(named(&before.replace("D[y]", "D[z]")), ["/param/C[x]/"]);
    assert_eq!(named(&before.replace("'/b'", "'/c'")), ["a dependency"]);
    assert_eq!(changed_bindings("f", &file(before), b"bindings f {", Settings::default()), None);
}
