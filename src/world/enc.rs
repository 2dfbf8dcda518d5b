//! The external node classifier: a command that is run for a node, its answers, and those of earlier runs.
//!
//! Every text is that of the real one's `exec` terminus. Answers may be kept in a folder: then a node is asked about
//! once, until somebody wants it asked again.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pantin_base::limits;
use pantin_values::{Digest, Digester, Hash, Str, Value};

use super::command::{NotRun, run};
use super::settings::from_folder;
use super::values::yaml_value;
use super::{Disk, NodeClasses, write_file};

/// Whom to ask, and how.
#[derive(Clone, Debug)]
pub struct Enc {
    program: String,
    arguments: Vec<String>,
    /// How long one answer may take.
    pub time: Duration,
    /// Where answers are kept, if they are.
    pub answers: Option<PathBuf>,
    /// Asks even where there is an answer.
    pub refresh: bool,
}

/// What it says of a node.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Classified {
    pub classes: NodeClasses,
    pub parameters: Hash,
    pub environment: Option<String>,
}

impl Classified {
    /// Returns what names all that was said.
    pub fn digest(&self) -> Digest {
        let mut digester = Digester::new(b"classified");
        match &self.classes {
            NodeClasses::Names(names) => {
                digester.number(0).number(names.len() as u64);
                for name in names {
                    digester.text(name);
                }
            }
            NodeClasses::WithParameters(classes) => {
                digester.number(1).number(classes.len() as u64);
                for (name, parameters) in classes {
                    digester.text(name).item(&parameters.clone().map_or(Value::Undef, Value::Hash));
                }
            }
        }
        digester.item(&Value::Hash(self.parameters.clone())).text(self.environment.as_deref().unwrap_or_default());
        digester.finish()
    }
}

impl Enc {
    /// Digest of how it is asked. `folder` is named in one way wherever it lies; empty: as it is.
    pub fn shape(&self, folder: &str) -> Digest {
        let Enc { program, arguments, time, answers, refresh } = self;
        let mut digester = Digester::new(b"enc");
        digester.text(&from_folder(program, folder)).number(arguments.len() as u64);
        for argument in arguments {
            digester.text(&from_folder(argument, folder));
        }
        let answers = answers.as_ref().map(|answers| answers.to_string_lossy());
        digester.number(time.as_secs()).number(u64::from(answers.is_some()) * 2 + u64::from(*refresh));
        digester.text(&from_folder(answers.as_deref().unwrap_or_default(), folder));
        digester.finish()
    }

    /// A command as the setting `external_nodes` has it: words divided by spaces, the first one an absolute path.
    pub fn new(command: &str) -> Result<Enc, String> {
        if command == "none" {
            return Err("You must set the 'external_nodes' parameter to use the external node terminus".to_owned());
        }
        let mut words = command.split_ascii_whitespace().map(str::to_owned);
        let program = words.next().filter(|program| program.starts_with('/'));
        let program = program.ok_or("You must set the exec parameter to a fully qualified command")?;
        let time = Duration::from_secs(limits::COMMAND_SECONDS);
        Ok(Enc { program, arguments: words.collect(), time, answers: None, refresh: false })
    }

    /// Returns the words of the command: the program, and its arguments.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.program).chain(&self.arguments).map(String::as_str)
    }

    /// Returns true if the program may be run for a node, because its answers are not kept or wanted anew.
    pub fn runs_program(&self) -> bool {
        self.answers.is_none() || self.refresh
    }

    /// Returns what it says of a node; `None`: it does not know it.
    pub fn classify(&self, disk: &dyn Disk, node: &str) -> Result<Option<Classified>, String> {
        let kept = self.stored_answer_path(node)?;
        if let Some(file) = kept.as_ref().filter(|_| !self.refresh) {
            let answer = disk.read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
            if let Some(answer) = answer {
                return parsed(node, &answer);
            }
        }
        let answer = self.ask(node).map_err(|reason| format!("Failed to find {node} via exec: {reason}"))?;
        let classified = parsed(node, &answer)?;
        if let Some(file) = kept {
            write_file(&file, &answer).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        }
        Ok(classified)
    }

    /// The same for many nodes, so many of them `at_once`; the answers are in the order of the nodes.
    pub fn classify_all(
        &self,
        disk: &dyn Disk,
        nodes: &[Str],
        at_once: usize,
    ) -> Vec<Result<Option<Classified>, String>> {
        let next = AtomicUsize::new(0);
        let answers = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..at_once.clamp(1, nodes.len().max(1)) {
                scope.spawn(|| {
                    while let Some((place, node)) = {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        nodes.get(place).map(|node| (place, node))
                    } {
                        let answer = self.classify(disk, node);
                        answers.lock().unwrap_or_else(PoisonError::into_inner).push((place, answer));
                    }
                });
            }
        });
        let mut answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
        answers.sort_by_key(|(place, _)| *place);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }

    fn stored_answer_path(&self, node: &str) -> Result<Option<PathBuf>, String> {
        let Some(folder) = &self.answers else { return Ok(None) };
        if node.contains(['/', '\0']) || node.starts_with('.') {
            return Err(format!("the name '{node}' cannot be that of a file"));
        }
        Ok(Some(folder.join(format!("{node}.yaml"))))
    }

    fn ask(&self, node: &str) -> Result<Vec<u8>, String> {
        let mut arguments = self.arguments.clone();
        arguments.push(node.to_owned());
        let shown = || format!("Execution of '{} {}'", self.program, arguments.join(" "));
        match run(&self.program, &arguments, self.time, limits::COMMAND_BYTES) {
            Ok(ran) if ran.code == Some(0) => Ok(ran.out),
            Ok(ran) => {
                let code = ran.code.map(|code| code.to_string()).unwrap_or_default();
                Err(format!("{} returned {code}: {}", shown(), String::from_utf8_lossy(&ran.out).trim()))
            }
            Err(NotRun::NotStarted(error)) => {
                let reason = super::ReadError::from(error);
                Err(format!("{} returned 1: {reason}", shown()))
            }
            Err(NotRun::TooLong) => Err(format!("{} took longer than {} seconds", shown(), self.time.as_secs_f32())),
            Err(NotRun::TooMuch) => Err(format!("{} said more than {} bytes", shown(), limits::COMMAND_BYTES)),
        }
    }
}

/// An answer that is blank says that the node is not known.
fn parsed(node: &str, answer: &[u8]) -> Result<Option<Classified>, String> {
    if answer.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    let wrong = |reason: String| format!("Could not load external node results for {node}: {reason}");
    let value = yaml_value(answer, "<unknown>").map_err(wrong)?;
    let Value::Hash(answer) = value else {
        return Err(wrong("the answer is no hash with classes, parameters and environment".to_owned()));
    };
    if let Some(key) = answer.keys().find(|key| key.as_str().is_none()) {
        return Err(wrong(format!("key is a {}, not a string or symbol", pantin_values::ruby_class(key))));
    }
    // A symbol is as good as a text.
    let member = |name: &str| answer.get_str(name).or_else(|| answer.get_str(&format!(":{name}")));
    Ok(Some(Classified {
        classes: classes(member("classes")).map_err(wrong)?,
        parameters: match member("parameters") {
            None | Some(Value::Undef | Value::Boolean(false)) => Hash::default(),
            Some(Value::Hash(parameters)) => parameters.clone(),
            Some(_) => return Err(wrong("its parameters are no hash".to_owned())),
        },
        environment: match member("environment") {
            None | Some(Value::Undef | Value::Boolean(false)) => None,
            Some(Value::String(name)) => Some(name.to_string()),
            Some(_) => return Err(wrong("its environment is no name".to_owned())),
        },
    }))
}

pub(super) fn classes(value: Option<&Value>) -> Result<NodeClasses, String> {
    let name = |value: &Value| match value {
        Value::String(name) => Ok(name.clone()),
        _ => Err("the name of a class is no text".to_owned()),
    };
    match value {
        None | Some(Value::Undef | Value::Boolean(false)) => Ok(NodeClasses::default()),
        Some(Value::Array(names)) => names.iter().map(name).collect::<Result<_, _>>().map(NodeClasses::Names),
        Some(Value::Hash(classes)) => {
            let with = |(class, parameters): (&Value, &Value)| {
                let parameters = match parameters {
                    Value::Undef | Value::Boolean(false) => None,
                    Value::Hash(parameters) => Some(parameters.clone()),
                    _ => return Err(format!("the parameters of class {} are no hash", name(class)?)),
                };
                Ok((name(class)?, parameters))
            };
            classes.iter().map(with).collect::<Result<_, _>>().map(NodeClasses::WithParameters)
        }
        Some(_) => Err("its classes are neither a list nor a hash".to_owned()),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::MachineDisk;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use tempfile::TempDir;

    const DISK: MachineDisk = MachineDisk { limit: 1 << 20 };

    /// Returns a folder with a script, and the ENC that it is.
    fn script(code: &str) -> (TempDir, Enc) {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("enc");
        // Through a shell: a file that was just written may still be open elsewhere, and could not be run.
        fs::write(&file, code).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        let enc = Enc::new(&format!("/bin/sh {}", file.display())).unwrap();
        (folder, enc)
    }

    fn said(code: &str) -> Result<Option<Classified>, String> {
        let (folder, enc) = script(code);
        enc.classify(&DISK, "web01").map_err(|error| error.replace(&folder.path().display().to_string(), ""))
    }

    #[test]
    fn an_answer_names_classes_parameters_and_an_environment() {
        let found = said("echo 'classes: [a, b]'; echo 'parameters: {zone: 1}'; echo 'environment: x'; echo 'foo: 1'");
        let found = found.unwrap().unwrap();
        assert_eq!(found.classes, NodeClasses::Names(vec!["a".into(), "b".into()]));
        assert_eq!(found.parameters.get_str("zone"), Some(&1.into()));
        assert_eq!(found.environment.as_deref(), Some("x"));
        let found = said("echo 'classes: {a: , b: {x: 1}}'").unwrap().unwrap();
        let NodeClasses::WithParameters(classes) = found.classes else { panic!("{found:?}") };
        assert_eq!(classes[0], ("a".into(), None));
        assert_eq!(classes[1].1.as_ref().unwrap().get_str("x"), Some(&1.into()));
        assert_eq!(said("echo 'classes:'; echo 'parameters:'"), Ok(Some(Classified::default())));
        assert_eq!(said("echo ':environment: x'").unwrap().unwrap().environment.as_deref(), Some("x"));
        assert_eq!(said("echo '  '"), Ok(None));
    }

    /// The words of the real one, for those that it has words for.
    #[test]
    fn what_goes_wrong_is_told_as_the_real_one_does() {
        for (code, error) in [
            (
                "echo out; echo err >&2; exit 3",
                "Failed to find web01 via exec: Execution of '/bin/sh /enc web01' returned 3: out",
            ),
            ("kill -9 $$", "Failed to find web01 via exec: Execution of '/bin/sh /enc web01' returned : "),
            (
                "echo 'a: [1'",
                "Could not load external node results for web01: (<unknown>): did not find expected ',' or ']' while \
                 parsing a flow sequence at line 1 column 4",
            ),
            (
                "echo '--- !ruby/object:Foo {}'",
                "Could not load external node results for web01: (<unknown>): Tried to load unspecified class: Foo",
            ),
            ("echo '1: 2'", "Could not load external node results for web01: key is a Integer, not a string or symbol"),
            (
                "echo 'just text'",
                "Could not load external node results for web01: the answer is no hash with classes, parameters and \
                 environment",
            ),
        ] {
            assert_eq!(said(code).unwrap_err(), error);
        }
        let not_set = "You must set the 'external_nodes' parameter to use the external node terminus";
        assert_eq!(Enc::new("none").unwrap_err(), not_set);
        assert_eq!(Enc::new("a b").unwrap_err(), "You must set the exec parameter to a fully qualified command");
        let gone = Enc::new("/nowhere/enc").unwrap().classify(&DISK, "web01").unwrap_err();
        assert!(
            gone.starts_with("Failed to find web01 via exec: Execution of '/nowhere/enc web01' returned 1: "),
            "{gone}"
        );
    }

    #[test]
    fn one_that_hangs_is_not_waited_for() {
        let (_folder, mut enc) = script("sleep 60");
        enc.time = Duration::from_millis(200);
        assert!(enc.classify(&DISK, "a").unwrap_err().ends_with("took longer than 0.2 seconds"));
    }

    #[test]
    fn answers_are_kept_until_they_are_asked_for_again() {
        let (folder, mut enc) = script("echo x >> $(dirname $0)/log; echo \"parameters: {node: $1}\"");
        enc.answers = Some(folder.path().join("answers"));
        let nodes: Vec<Str> = ["a", "b", "c"].map(Str::from).into();
        let asked = || fs::read_to_string(folder.path().join("log")).unwrap().lines().count();
        for (refresh, expected) in [(false, 3), (false, 3), (true, 6)] {
            enc.refresh = refresh;
            let found = enc.classify_all(&DISK, &nodes, 2);
            let names = found.iter().map(|found| found.as_ref().unwrap().as_ref().unwrap().parameters.get_str("node"));
            assert!(names.eq(["a", "b", "c"].map(Value::from).iter().map(Some)));
            assert_eq!(asked(), expected);
        }
        assert!(enc.classify(&DISK, "../x").is_err());
    }
}
