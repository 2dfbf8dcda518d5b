//! Rules that tie names to places, as the real command applies them to the same tree.

use crate::Folder;

const UNLIKE_ITS_PLACE: &str = "ILLEGAL_DEFINITION_LOCATION";
const NO_DEFINITION: &str = "ILLEGAL_TOP_CONSTRUCT_LOCATION";

/// File, text, and what is wrong with it in the eyes of the real command.
const FILES: [(&str, &str, Option<&str>); 6] = [
    ("manifests/site.pp", "class anything { }\n", None),
    ("modules/a/examples/init.pp", "include a\n", Some(NO_DEFINITION)),
    ("modules/a/examples/q.pp", "class q { }\n", Some(UNLIKE_ITS_PLACE)),
    ("modules/a/manifests/init.pp", "class b { }\n", Some(UNLIKE_ITS_PLACE)),
    ("modules/a/manifests/x.pp", "class a::x { }\n", None),
    ("modules/a/manifests/y.pp", "class a::y { }\nnotice(1)\n", Some(NO_DEFINITION)),
];

fn codes(folder: &Folder, arguments: &[&str]) -> Vec<Option<String>> {
    let run = folder.run(&[&["validate", "--format", "json"], arguments, &["."]].concat());
    let lines = run.out.lines().filter(|line| line.starts_with("{\"file\"") && line.contains(".pp\""));
    let code = |line: &str| {
        let file: serde_json::Value = serde_json::from_str(line).unwrap();
        file["findings"][0]["code"].as_str().map(str::to_owned)
    };
    lines.map(code).collect()
}

fn tree() -> Folder {
    let files: Vec<(&str, &str)> = FILES.iter().map(|&(name, text, _)| (name, text)).collect();
    Folder::with(&files)
}

fn expected(but: impl Fn(&str) -> bool) -> Vec<Option<String>> {
    FILES.iter().map(|&(name, _, code)| code.filter(|_| !but(name)).map(str::to_owned)).collect()
}

#[test]
fn an_environment_is_checked_as_the_real_command_does_but_for_examples() {
    let folder = tree();
    folder.write("environment.conf", "modulepath = modules\n");
    // In a checkout that is no environment of a server the real command has nothing against them.
    assert_eq!(codes(&folder, &[]), expected(|name| name.contains("examples")));
    let run = folder.run(&["validate", "modules/a/manifests/init.pp"]);
    let file = format!("{}/modules/a/manifests/init.pp", folder.real_path());
    let message = format!(
        "Error: Could not parse for environment production: Unacceptable location. The name 'b' is unacceptable \
         in file '{file}' (file: {file}, line: 1, column: 1)\n"
    );
    assert_eq!(run.out, message);
}

#[test]
fn a_guessed_module_may_have_examples() {
    assert_eq!(codes(&tree(), &[]), expected(|name| name.contains("examples")));
}

#[test]
fn options_decide() {
    let folder = tree();
    assert_eq!(codes(&folder, &["--modulepath", "modules"]), expected(|_| false));
    assert_eq!(codes(&folder, &["--modulepath", "elsewhere"]), expected(|_| true));
    assert_eq!(codes(&folder, &["--no-location"]), expected(|_| true));
    assert_eq!(codes(&folder, &["--manifest", "modules/a"]), expected(|_| true));
}
