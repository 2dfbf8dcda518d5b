//! Cases of Puppet bindings (`tests/bindings/*.txt`): what a compilation says, and what `pantin bindings check` finds.
//! The format is explained in `tests/bindings/README.md`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::{Value as Json, json};

use crate::Folder;

/// The site manifest of the environment of a case.
const SITE: &str = "environments/production/manifests/site.pp";

/// The categories of a case that says none.
const CATEGORIES: &str = "site {\n  categories {\n    node => $trusted['certname'],\n    environment => true,\n    virtual => \
                          $facts['is_virtual'],\n  }\n}\n";

/// The examples that are shown by other tests, with what is shown there.
const SHOWN_ELSEWHERE: [(u32, &str); 3] = [
    (201, "the fleets and specs of other tests have no bindings, and their catalogs are stored"),
    (202, "bindings::an_answer_depends_on_every_file_of_bindings"),
    (205, "inject::a_secret_is_redacted"),
];

fn node(given: &Json) -> Json {
    let name = given["name"].as_str().unwrap_or("kermit.example.com").to_owned();
    let (host, domain) = name.split_once('.').unwrap_or((&name, ""));
    let mut node = json!({
        "name": name,
        "facts": {"fqdn": name, "kernel": "Linux", "is_virtual": true, "rack": "r1", "role": "web", "slot": 5,
            "os": {"family": "Debian", "name": "Debian", "release": {"major": "12"}}},
        "trusted": {"authenticated": "remote", "certname": name, "hostname": host, "domain": domain,
            "extensions": {}, "external": {}},
    });
    for (key, value) in given.as_object().into_iter().flatten() {
        match value.as_object().filter(|_| matches!(key.as_str(), "facts" | "trusted")) {
            Some(parts) => parts.iter().for_each(|(name, value)| node[key][name] = value.clone()),
            None => node[key] = value.clone(),
        }
    }
    node
}

/// A case, and what is expected of it.
struct Case<'c> {
    name: &'c str,
    files: Vec<(String, String)>,
    node: Json,
    exported: Option<&'c str>,
    arguments: Vec<&'c str>,
    chooses_environment: bool,
    notices: Vec<&'c str>,
    errors: Vec<&'c str>,
    warnings: Vec<&'c str>,
    unsaid: Vec<&'c str>,
    parameters: Vec<(&'c str, &'c str, Json)>,
    edges: Vec<(&'c str, bool)>,
    absent: Vec<&'c str>,
    codes: Option<Vec<&'c str>>,
}

impl<'c> Case<'c> {
    fn parse(text: &'c str) -> Case<'c> {
        let mut lines = text.lines();
        let mut case = Case {
            name: lines.next().unwrap(),
            files: Vec::new(),
            node: node(&Json::Null),
            exported: None,
            arguments: Vec::new(),
            chooses_environment: false,
            notices: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            unsaid: Vec::new(),
            parameters: Vec::new(),
            edges: Vec::new(),
            absent: Vec::new(),
            codes: None,
        };
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            case.line(word, rest);
        }
        if !case.files.iter().any(|(path, _)| path == SITE) {
            case.add(SITE, CATEGORIES);
        }
        case
    }

    fn line(&mut self, word: &'c str, rest: &'c str) {
        match word {
            ">" => self.notices.push(rest),
            "!" => self.errors.push(rest),
            "~" => self.warnings.push(rest),
            "~!" => self.unsaid.push(rest),
            "=" => {
                let (parameter, value) = rest.split_once(" = ").unwrap();
                let (reference, name) = parameter.rsplit_once(' ').unwrap();
                self.parameters.push((reference, name, serde_json::from_str(value).unwrap()));
            }
            "&" => self.edges.push((rest, true)),
            "&!" => self.edges.push((rest, false)),
            "-" => self.absent.push(rest),
            "?" => self.codes = Some(rest.split(' ').filter(|code| *code != "-").collect()),
            "NODE:" => self.node = node(&serde_json::from_str(rest).unwrap()),
            "EXPORTED:" => self.exported = Some(rest),
            "ARGUMENTS:" => self.arguments = rest.split(' ').collect(),
            "PP:" => self.add(SITE, &format!("{CATEGORIES}{rest}")),
            "PLAIN:" => self.add(SITE, rest),
            "ENVIRONMENTS:" => {
                self.chooses_environment = true;
                self.add("settings/environments.pp", rest);
            }
            "FILE" => {
                let (path, text) = rest.split_once(": ").unwrap_or((rest.trim_end_matches(':'), ""));
                let path = path.replacen("env/", "environments/production/", 1).replacen("conf/", "settings/", 1);
                self.add(&path, text);
            }
            letter => {
                let (path, name) = definition(letter.trim_end_matches(':'));
                self.add(&path, &format!("bindings {name} {{\n{rest}\n}}\n"));
            }
        }
    }

    fn add(&mut self, path: &str, text: &str) {
        self.files.push((path.to_owned(), text.replace("\\n", "\n")));
    }

    /// The whole command line, and where the environment is.
    fn command(&self, words: &[&str], folder: &Folder) -> Vec<String> {
        let mut arguments = words.to_vec();
        arguments.extend(["--environmentpath", "environments"]);
        if !self.arguments.contains(&"--confdir") {
            arguments.extend(["--confdir", "settings"]);
        }
        if !self.chooses_environment {
            arguments.extend(["--environment", "production"]);
        }
        arguments.extend(&self.arguments);
        arguments.into_iter().map(|word| word.replace("@ROOT@", &folder.real_path())).collect()
    }

    fn run(&self, words: &[&str], folder: &Folder) -> crate::Run {
        let command = self.command(words, folder);
        folder.run(&command.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn lay_out(&self) -> Folder {
        let folder = Folder::with(&[("settings/puppet.conf", "")]);
        let root = folder.real_path();
        folder.write("node.json", self.node.to_string());
        for (path, text) in &self.files {
            folder.write(path, text.replace("@ROOT@", &root));
            if path.ends_with(".sh") {
                let can_run = std::os::unix::fs::PermissionsExt::from_mode(0o755);
                std::fs::set_permissions(folder.path().join(path), can_run).unwrap();
            }
        }
        if let Some(exported) = self.exported {
            folder.write("exported.json", exported);
        }
        folder
    }

    /// Lays the case out, compiles it, and returns what is other than expected.
    fn complaints(&self) -> Vec<String> {
        let folder = self.lay_out();
        let mut command = vec!["compile", "--node-file", "node.json", "--log-format", "puppet", "--format", "json"];
        command.extend(["--set", "basemodulepath="]);
        if self.exported.is_some() {
            command.extend(["--exported", "exported.json"]);
        }
        let run = self.run(&command, &folder);
        let root = format!("{}/", folder.real_path());
        let said = run.err.replace(&root, "").replace("environments/production/", "").replace("settings/", "");
        let with_level = |level: &str| -> Vec<&str> { said.lines().filter(|line| line.starts_with(level)).collect() };
        let notices: Vec<&str> =
            with_level("Notice: Scope(").into_iter().filter_map(|line| Some(line.split_once("): ")?.1)).collect();
        let mut complaints = Vec::new();
        if notices != self.notices {
            complaints.push(format!("{}: notices {notices:?}, not {:?}\n{said}", self.name, self.notices));
        }
        let errors = with_level("Error: ");
        let fits =
            errors.len() == self.errors.len() && errors.iter().zip(&self.errors).all(|(got, want)| got.contains(want));
        if !fits || (run.code == Some(0)) != self.errors.is_empty() {
            complaints.push(format!("{}: errors {errors:#?}, not {:#?}\n{said}", self.name, self.errors));
        }
        for wanted in &self.warnings {
            if !with_level("Warning: ").iter().any(|line| line.contains(wanted)) {
                complaints.push(format!("{}: no warning {wanted}\n{said}", self.name));
            }
        }
        for unwanted in self.unsaid.iter().filter(|unwanted| said.contains(**unwanted)) {
            complaints.push(format!("{}: said {unwanted}\n{said}", self.name));
        }
        complaints.extend(self.catalog_complaints(&run.out));
        complaints.extend(self.codes.as_ref().and_then(|codes| self.check_complaint(&folder, codes)));
        complaints
    }

    fn catalog_complaints(&self, catalog: &str) -> Vec<String> {
        if self.parameters.is_empty() && self.edges.is_empty() && self.absent.is_empty() {
            return Vec::new();
        }
        let Ok(catalog) = serde_json::from_str::<Json>(catalog) else {
            return vec![format!("{}: no catalog", self.name)];
        };
        let all = catalog["resources"].as_array().unwrap();
        let find = |reference: &str| {
            all.iter().find(|one| {
                reference == format!("{}[{}]", one["type"].as_str().unwrap(), one["title"].as_str().unwrap())
            })
        };
        let mut complaints = Vec::new();
        for (reference, name, wanted) in &self.parameters {
            let got = find(reference).map_or(Json::from("no such resource"), |one| one["parameters"][*name].clone());
            if got != *wanted {
                complaints.push(format!("{}: {reference} {name} is {got}, not {wanted}", self.name));
            }
        }
        for (edge, wanted) in &self.edges {
            let parts: Vec<&str> = edge.split(' ').collect();
            let (name, opposite) = if parts[1] == "->" { ("before", "require") } else { ("notify", "subscribe") };
            let has = |from: &str, name: &str, to: &str| {
                let value = find(from).map(|one| one["parameters"][name].clone()).unwrap_or_default();
                let listed = value.as_array().cloned().unwrap_or_else(|| vec![value]);
                listed.iter().any(|one| one.as_str().is_some_and(|one| one.replace('\'', "").eq_ignore_ascii_case(to)))
            };
            if (has(parts[0], name, parts[2]) || has(parts[2], opposite, parts[0])) != *wanted {
                complaints.push(format!("{}: the edge {edge} is there: {}", self.name, !wanted));
            }
        }
        let there = self.absent.iter().filter(|reference| find(reference).is_some());
        complaints.extend(there.map(|reference| format!("{}: {reference} is in the catalog", self.name)));
        complaints
    }

    fn check_complaint(&self, folder: &Folder, wanted: &[&str]) -> Option<String> {
        let run = self.run(&["bindings", "check", "--format", "json"], folder);
        let Ok(found) = serde_json::from_str::<Json>(&run.out) else {
            return Some(format!("{}: check says {}", self.name, run.err));
        };
        let reports = found.as_array().cloned().unwrap_or_else(|| vec![found]);
        let diagnostics: Vec<Json> =
            reports.iter().flat_map(|one| one["diagnostics"].as_array().unwrap().clone()).collect();
        let mut codes: Vec<&str> =
            diagnostics.iter().filter_map(|one| Some(one["code"].as_str()?.trim_start_matches("BINDINGS_"))).collect();
        codes.sort_unstable();
        let mut wanted = wanted.to_vec();
        wanted.sort_unstable();
        let is_wrong = diagnostics.iter().any(|one| one["severity"] == "error");
        let is_right = codes == wanted
            && run.code == Some(i32::from(is_wrong))
            && reports.iter().any(|one| one["ok"] != true) == is_wrong;
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

fn read(file: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/bindings").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Runs the cases of a file. `PANTIN_CASE`: those alone whose name holds it.
fn run_cases(file: &str) {
    let text = read(file);
    let only = std::env::var("PANTIN_CASE").unwrap_or_default();
    let cases: Vec<Case> = text.split("\n## ").skip(1).map(Case::parse).collect();
    let cases = cases.iter().filter(|case| case.name.contains(&only));
    let complaints: Vec<String> = cases.flat_map(Case::complaints).collect();
    assert!(complaints.is_empty(), "{} complaints\n{}", complaints.len(), complaints.join("\n"));
}

macro_rules! case_files {
    ($($name:ident),*) => {
        const FILES: &[&str] = &[$(concat!(stringify!($name), ".txt")),*];

        $(#[test] fn $name() { run_cases(concat!(stringify!($name), ".txt")); })*
    };
}

case_files! {
    environments, categories, keys, copies, multibinds, classes, parameters, producers, layers, grammar, injection, check
}

#[test]
fn each_example_has_a_case() {
    let mut numbers: BTreeSet<u32> = SHOWN_ELSEWHERE.iter().map(|(number, _)| *number).collect();
    for file in FILES {
        for name in read(file).split("\n## ").skip(1).filter_map(|case| case.lines().next()) {
            let digits: String = name.chars().take_while(char::is_ascii_digit).collect();
            numbers.extend(digits.parse::<u32>().ok());
        }
    }
    let missing: Vec<u32> = (1..=232).filter(|number| !numbers.contains(number)).collect();
    assert!(missing.is_empty(), "examples without a case: {missing:?}");
}

#[test]
fn each_case_that_the_table_names_is_there() {
    let cases: Vec<String> = FILES.iter().map(|file| read(file)).collect();
    let headings = cases.iter().flat_map(|file| file.split("\n## ").skip(1));
    let known: BTreeSet<&str> = headings.filter_map(|case| case.split(' ').next()).collect();
    let table = read("README.md");
    let cells =
        table.lines().filter(|line| line.starts_with("| 1") || line.starts_with("| 2") || line.starts_with("| 3"));
    let named = cells.flat_map(|line| line.split('|')).filter_map(|cell| cell.trim().split_once(": "));
    let mut statements = BTreeSet::new();
    for (statement, shown) in named {
        statements.insert(statement.parse::<u32>().unwrap());
        for case in shown.split(' ') {
            assert!(known.contains(case), "statement {statement} names the case {case}, which is not there");
        }
    }
    let missing: Vec<u32> = (125..=324).filter(|statement| !statements.contains(statement)).collect();
    assert_eq!(missing, [157, 171, 314, 315]);
}
