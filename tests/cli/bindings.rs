//! Cases of Puppet bindings (`tests/bindings/cases.txt`): what a compilation says, and what `pantin bindings check` finds.

use serde_json::Value as Json;

use crate::Folder;

const CASES: &str = include_str!("../bindings/cases.txt");

/// The categories of a case that says none.
const CATEGORIES: &str = "site {\n  categories {\n    node => $trusted['certname'],\n    environment => true,\n    virtual => \
                          $facts['is_virtual'],\n  }\n}\n";

const NODE: &str = r#"{"name": "kermit.example.com", "facts": {"fqdn": "kermit.example.com", "kernel": "Linux", "is_virtual": true,
"rack": "r1", "role": "web", "slot": 5, "os": {"family": "Debian", "name": "Debian", "release": {"major": "12"}}},
"trusted": {"authenticated": "remote", "certname": "kermit.example.com", "hostname": "kermit", "domain": "example.com",
"extensions": {}, "external": {}}}"#;

/// A case, and what is expected of it.
#[derive(Default)]
struct Case<'c> {
    name: &'c str,
    files: Vec<(String, String)>,
    chooses_environment: bool,
    notices: Vec<&'c str>,
    errors: Vec<&'c str>,
    warnings: Vec<&'c str>,
    codes: Option<Vec<&'c str>>,
}

impl<'c> Case<'c> {
    fn parse(text: &'c str) -> Case<'c> {
        let mut case = Case::default();
        let mut lines = text.lines();
        case.name = lines.next().unwrap();
        for line in lines.filter(|line| !line.is_empty()) {
            let (word, rest) = line.split_once(' ').unwrap();
            match word {
                ">" => case.notices.push(rest),
                "!" => case.errors.push(rest),
                "~" => case.warnings.push(rest),
                "?" => case.codes = Some(rest.split(' ').filter(|code| *code != "-").collect()),
                "PP:" => case.add("environments/production/manifests/site.pp", &format!("{CATEGORIES}{rest}")),
                "PLAIN:" => case.add("environments/production/manifests/site.pp", rest),
                "ENVIRONMENTS:" => {
                    case.chooses_environment = true;
                    case.add("settings/environments.pp", rest);
                }
                "FILE" => {
                    let (path, text) = rest.split_once(": ").unwrap();
                    let path = path.replacen("env/", "environments/production/", 1).replacen("conf/", "settings/", 1);
                    case.add(&path, text);
                }
                letter => {
                    let (path, name) = definition(letter.trim_end_matches(':'));
                    case.add(&path, &format!("bindings {name} {{\n{rest}\n}}\n"));
                }
            }
        }
        if !case.files.iter().any(|(path, _)| path.ends_with("manifests/site.pp")) {
            case.add("environments/production/manifests/site.pp", CATEGORIES);
        }
        case
    }

    fn add(&mut self, path: &str, text: &str) {
        self.files.push((path.to_owned(), text.to_owned()));
    }

    fn arguments(&self) -> Vec<&'static str> {
        let mut arguments = vec!["--environmentpath", "environments", "--confdir", "settings"];
        if !self.chooses_environment {
            arguments.extend(["--environment", "production"]);
        }
        arguments
    }

    /// What is other than expected.
    fn complaints(&self) -> Vec<String> {
        let folder = Folder::with(&[("node.json", NODE), ("settings/puppet.conf", "")]);
        self.files.iter().for_each(|(path, text)| folder.write(path, text));
        let command = ["compile", "--node-file", "node.json", "--log-format", "puppet", "--set", "basemodulepath="];
        let run = folder.run(&[&command, self.arguments().as_slice()].concat());
        let root = format!("{}/", folder.path().canonicalize().unwrap().display());
        let said = run.err.replace(&root, "").replace("environments/production/", "").replace("settings/", "");
        let of = |level: &str| -> Vec<&str> { said.lines().filter(|line| line.starts_with(level)).collect() };
        let notices: Vec<&str> =
            of("Notice: Scope(").into_iter().filter_map(|line| Some(line.split_once("): ")?.1)).collect();
        let mut complaints = Vec::new();
        if notices != self.notices {
            complaints.push(format!("{}: notices {notices:?}, not {:?}\n{said}", self.name, self.notices));
        }
        let errors = of("Error: ");
        let fits =
            errors.len() == self.errors.len() && errors.iter().zip(&self.errors).all(|(got, want)| got.contains(want));
        if !fits {
            complaints.push(format!("{}: errors {errors:?}, not {:?}", self.name, self.errors));
        }
        for wanted in &self.warnings {
            if !of("Warning: ").iter().any(|line| line.contains(wanted)) {
                complaints.push(format!("{}: no warning {wanted}\n{said}", self.name));
            }
        }
        complaints.extend(self.codes.as_ref().and_then(|codes| self.check_complaint(&folder, codes)));
        complaints
    }

    fn check_complaint(&self, folder: &Folder, wanted: &[&str]) -> Option<String> {
        let run = folder.run(&[&["bindings", "check", "--format", "json"], self.arguments().as_slice()].concat());
        let found: Json = serde_json::from_str(&run.out).unwrap();
        let diagnostics = found["diagnostics"].as_array().unwrap();
        let mut codes: Vec<&str> =
            diagnostics.iter().filter_map(|one| one["code"].as_str()?.strip_prefix("BINDINGS_")).collect();
        codes.sort_unstable();
        let mut wanted = wanted.to_vec();
        wanted.sort_unstable();
        let is_wrong = diagnostics.iter().any(|one| one["severity"] == "error");
        let is_right = codes == wanted && run.code == Some(i32::from(is_wrong)) && found["ok"] == !is_wrong;
        (!is_right).then(|| format!("{}: check finds {codes:?}, not {wanted:?}: {}", self.name, run.out))
    }
}

/// The path and the name of a definition by its letter.
fn definition(letter: &str) -> (String, String) {
    match letter {
        "S" => ("settings/bindings/default.pp".to_owned(), "default".to_owned()),
        "E" => ("environments/production/bindings/default.pp".to_owned(), "default".to_owned()),
        module => {
            let module = module.to_lowercase();
            let path = format!("environments/production/modules/{module}/bindings/default.pp");
            (path, format!("{module}::default"))
        }
    }
}

#[test]
fn cases_come_out() {
    let cases = CASES.split("\n## ").skip(1).map(Case::parse);
    let complaints: Vec<String> = cases.flat_map(|case| case.complaints()).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn warnings_count_where_that_is_wanted() {
    let folder = Folder::with(&[
        ("manifests/site.pp", "site { categories { } }\n"),
        ("environment.conf", ""),
        ("bindings/default.pp", "bindings default {\n  bind to 1 in 'nobody'\n}\n"),
    ]);
    assert_eq!(folder.run(&["bindings", "check"]).code, Some(0));
    let strict = folder.run(&["bindings", "check", "--strict"]);
    assert_eq!(strict.code, Some(1));
    assert!(strict.out.contains("No multibind has the id 'nobody'"), "{}", strict.out);
}

/// The notices of a node's catalog, from the cache where that holds.
fn notices(folder: &Folder) -> Vec<String> {
    let run = folder.run(&["compile", "n1", "--facts", "facts", "--environment-dir", ".", "--log-format", "puppet"]);
    let said = run.err.lines().filter_map(|line| line.strip_prefix("Notice: Scope(Class[main]): "));
    said.map(str::to_owned).collect()
}

#[test]
fn an_answer_depends_on_every_file_of_bindings() {
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("facts/n1.json", r#"{"name": "n1", "values": {"k": "a"}}"#),
        ("manifests/site.pp", "notice(optionally_inject('x'))\n"),
        ("bindings/default.pp", "bindings default {\n  bind 'x' to 1\n}\n"),
        ("modules/a/manifests/init.pp", "class a { }\n"),
    ]);
    assert_eq!(notices(&folder), ["1"]);
    assert_eq!(notices(&folder), ["1"], "from the cache");
    folder.write("bindings/default.pp", "bindings default {\n  bind 'x' to 2\n}\n");
    assert_eq!(notices(&folder), ["2"], "an edit of a value");
    folder.write("bindings/default.pp", "bindings default {\n  bind 'x' to $facts['k']\n}\n");
    assert_eq!(notices(&folder), ["a"], "an edit to an expression");
    folder.write("facts/n1.json", r#"{"name": "n1", "values": {"k": "b"}}"#);
    assert_eq!(notices(&folder), ["b"], "another fact");
    folder.write("bindings/default.pp", "bindings default { }\n");
    assert_eq!(notices(&folder), [""], "a binding that goes");
    folder.write("modules/a/bindings/default.pp", "bindings a::default {\n  bind 'x' to 3\n}\n");
    assert_eq!(notices(&folder), ["3"], "a file that comes");
    folder.write("modules/b/bindings/default.pp", "bindings b::default {\n  bind 'y' to 4\n}\n");
    folder.write("bindings/default.pp", "bindings default {\n  bind alias 'y' as 'z'\n  bind 'x' to inject('z')\n}\n");
    assert_eq!(notices(&folder), ["4"], "a module that comes");
    folder.write("modules/b/bindings/default.pp", "bindings b::default {\n  bind 'y' to 5\n}\n");
    assert_eq!(notices(&folder), ["5"], "an edit of what a copy sees");
    let site =
        "site {\n  bindings => [{ 'modules': include => 'module:/*::default' }]\n}\nnotice(optionally_inject('x'))\n";
    folder.write("manifests/site.pp", site);
    assert_eq!(notices(&folder), ["3"], "other layers");
}
