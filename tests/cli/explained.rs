//! Explanations, as text and as data, are what `puppet lookup` prints (`tests/oracle/explained.rb`).

use serde_json::Value;

use crate::Folder;

#[test]
fn explanations_are_printed_as_the_real_one_prints_them() {
    let known: Value = serde_json::from_str(include_str!("../data/explained.json")).unwrap();
    let folder = Folder::with(&[("facts.json", r#"{"role": "web"}"#), ("conf/empty", "")]);
    for (path, text) in known["files"].as_object().unwrap() {
        folder.write(&format!("environments/production/{path}"), text.as_str().unwrap());
    }
    let at = folder.real_path();
    let [conf, environments] = ["conf", "environments"].map(|name| format!("{at}/{name}"));
    let world = ["--puppet", "7", "--confdir", &conf, "--environmentpath", &environments];
    let mut wrong = String::new();
    for answer in known["answers"].as_array().unwrap() {
        // A flag of the real one that changes nothing; here the option takes a value.
        let arguments = answer["arguments"].as_array().unwrap().iter().filter_map(Value::as_str);
        let arguments: Vec<&str> = arguments.filter(|argument| *argument != "--trusted").collect();
        let asked = ["lookup", "--node", "x.example.org", "--facts", "facts.json"];
        let run = folder.run(&[&asked[..], &world[..], &arguments[..]].concat());
        let (out, err) = (
            run.out.replace(&at, "/scratch"),
            run.err.replace(&at, "/scratch").replace("Error: Could not run: ", "Error: "),
        );
        let theirs = (answer["out"].as_str().unwrap(), answer["err"].as_str().unwrap());
        if (out.as_str(), err.as_str()) != theirs || run.code.map(Value::from).as_ref() != Some(&answer["code"]) {
            wrong.push_str(&format!(
                "{arguments:?}\n  here ({:?}): {out}{err}\n  Puppet ({}): {}{}\n",
                run.code, answer["code"], theirs.0, theirs.1
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
