//! Recorded answers for functions that ask the network, look names up or run commands: a catalog is compiled from these, and
//! nothing is run.
//!
//! A JSON array of `{"function": NAME, "arguments": [...], "answer": VALUE}`. Beside functions of Puppet's, NAME may be
//!
//! - `generate`, with the words of the command, and what it prints;
//! - `ruby command`, with a line or the words, and what it prints, or a hash of `output`, `errors` and `status`;
//! - `Resolv.getaddresses`, `Resolv::DNS#getaddresses`, `Addrinfo.getaddrinfo`, with a name, and an array of addresses (of the
//!   first kind one that comes from the file of hosts as `{"bytes": ADDRESS}`);
//! - `Resolv.getnames`, `Resolv::DNS#getnames`, with an address, and an array of names;
//! - `Resolv::DNS#getresources`, with a name and the type of the records (`"MX"`), and an array of records: a hash of the parts by
//!   their names in Ruby and maybe `ttl`, or the part where there is but one.
//!
//! What is said to `Resolv::DNS.new` is the last argument of its methods, if it is anything. An empty array: nothing is found.
//!
//! Of the arguments those are left out that are objects, such as the context of a look-up, which has no form in a file. A back end of
//! Hiera that has no such key says so by `"not_found": true` in place of an answer. An item with neither is still to be filled in: the
//! call that it is for fails.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pantin_base::shell;
use pantin_values::{Digest, Str, Value};
use rustc_hash::FxHashMap;

use super::name_lookup::look_up;
use super::values::placed_json;
use super::{Disk, NotRun, run, run_heard};

/// What commands are asked by.
const GENERATE: &str = "generate";

/// The same for those of Ruby code. No function of Puppet's has such a name.
const RUBY: &str = "ruby command";

/// How long a command may take, and how much it may say.
const TIME: Duration = Duration::from_secs(60);
const BYTES: u64 = 16 << 20;

#[derive(Debug, Default)]
pub struct Answers {
    /// Of each function that has any.
    functions: BTreeSet<Str>,
    known: FxHashMap<(Str, Digest), RecordedAnswer>,
    /// As they stand in the file.
    listed: Vec<Value>,
    /// Commands without an answer are run, names are looked up, and what comes of it is noted here.
    noted: Option<Mutex<Vec<NewAnswer>>>,
    /// Functions are run, by a Ruby of the person's own where they need it, and what they give is noted too.
    pub runs_functions: bool,
}

/// What a call was answered.
#[derive(Clone, PartialEq, Debug)]
pub enum RecordedAnswer {
    Value(Value),
    /// A back end of Hiera has no such key.
    NotFound,
    /// Nobody has filled it in yet.
    Open,
}

#[derive(Clone, PartialEq, Debug)]
struct NewAnswer {
    function: Str,
    arguments: Vec<Value>,
    answer: RecordedAnswer,
}

impl NewAnswer {
    fn is_of(&self, function: &str, arguments: &[Value]) -> bool {
        self.function == *function && name_of(&self.arguments) == name_of(arguments)
    }

    /// Returns it as it stands in a file.
    fn item(self) -> Value {
        let mut members = vec![
            ("function", Value::String(self.function)),
            ("arguments", Value::array(without_objects(&self.arguments).cloned())),
        ];
        match self.answer {
            RecordedAnswer::Value(answer) => members.push(("answer", answer)),
            RecordedAnswer::NotFound => members.push(("not_found", true.into())),
            RecordedAnswer::Open => {}
        }
        Value::hash(members.into_iter().map(|(name, value)| (Value::from(name), value)))
    }
}

/// How a file of answers is written.
const FORM: &str =
    r#"it has the form [{"function": "puppetdb_query", "arguments": ["nodes[certname] { }"], "answer": []}]"#;

impl Answers {
    /// Returns the file's answers; `records`: commands without one are run, names are looked up, and a file that is not
    /// there is an empty one.
    pub fn read(disk: &dyn Disk, file: &Path, records: bool) -> Result<Answers, String> {
        let wrong = |reason: String| format!("cannot take answers from {}: {reason}", file.display());
        let bytes = disk.read(file).map_err(|error| wrong(error.to_string()))?;
        let mut answers = match bytes {
            Some(bytes) => Answers::list(&bytes).map_err(wrong)?,
            None if records => Answers::default(),
            None => return Err(wrong("no such file or directory".to_owned())),
        };
        answers.noted = records.then(Mutex::default);
        Ok(answers)
    }

    fn list(text: &[u8]) -> Result<Answers, String> {
        let listed = placed_json(text)?;
        let Value::Array(items) = listed else { return Err(format!("it is no array of answers; {FORM}")) };
        let mut answers = Answers::default();
        for (at, item) in items.iter().enumerate() {
            let member = |name: &str| match item {
                Value::Hash(members) => members.get_str(name),
                _ => None,
            };
            let parts = (member("function").and_then(Value::as_str), member("arguments"));
            let (Some(function), Some(Value::Array(arguments))) = parts else {
                return Err(format!("item {} of the array has no function and array of arguments; {FORM}", at + 1));
            };
            let answer = match (member("answer"), member("not_found")) {
                (Some(_), Some(_)) => {
                    return Err(format!("item {} of the array has both an answer and not_found", at + 1));
                }
                (Some(answer), None) => RecordedAnswer::Value(answer.clone()),
                (None, Some(Value::Boolean(true))) => RecordedAnswer::NotFound,
                (None, Some(_)) => return Err(format!("not_found of item {} of the array is not true", at + 1)),
                (None, None) => RecordedAnswer::Open,
            };
            answers.functions.insert(function.into());
            answers.known.insert((function.into(), name_of(arguments)), answer);
        }
        answers.listed = items.to_vec();
        Ok(answers)
    }

    /// Returns true if there is an answer to any call of this function: then there has to be one to each.
    pub fn has(&self, function: &str) -> bool {
        self.functions.contains(function)
    }

    /// Returns true if commands are run, names looked up, and what comes of it is noted.
    pub fn records(&self) -> bool {
        self.noted.is_some()
    }

    pub fn get(&self, function: &str, arguments: &[Value]) -> Option<&RecordedAnswer> {
        self.known.get(&(function.into(), name_of(arguments)))
    }

    /// Returns the value that a call was answered; none where there is no answer, or no value in it.
    fn value(&self, function: &str, arguments: &[Value]) -> Option<&Value> {
        match self.get(function, arguments)? {
            RecordedAnswer::Value(value) => Some(value),
            RecordedAnswer::NotFound | RecordedAnswer::Open => None,
        }
    }

    /// Notes what a call was answered, if answers are recorded. A secret among the arguments is written into no file.
    pub fn note(&self, function: &str, arguments: &[Value], answer: RecordedAnswer) {
        let Some(noted) = &self.noted else { return };
        if arguments.iter().any(Value::holds_sensitive) {
            return;
        }
        let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
        match noted.iter_mut().find(|known| known.is_of(function, arguments)) {
            Some(known) => known.answer = answer,
            None => noted.push(NewAnswer { function: function.into(), arguments: arguments.to_vec(), answer }),
        }
    }

    /// Returns what a command says: as it was written down, or now, where it may be run. `Err`: why it is not known.
    pub fn command_output(&self, command: &[Str]) -> Result<Value, String> {
        let arguments: Vec<Value> = command.iter().cloned().map(Value::String).collect();
        if let Some(answer) = self.value(GENERATE, &arguments) {
            return Ok(answer.clone());
        }
        let shown = command.join(" ");
        let Some(noted) = &self.noted else {
            return Err(format!(
                "generate() would run '{shown}': commands are not run here; --answers FILE says what it prints, and with \
                 --record it is run and its output kept there"
            ));
        };
        run_once(noted, GENERATE, arguments, || output(command).map(Value::from))
    }

    /// The same of a command of Ruby code: a hash of its `output`, its `errors` and its `status`. Where it goes well and
    /// says nothing else, its output alone is written down. `None`: nobody knows.
    pub fn command_answer(&self, command: &[Str]) -> Result<Option<Value>, String> {
        let arguments: Vec<Value> = command.iter().cloned().map(Value::String).collect();
        let answer = match (self.value(RUBY, &arguments), &self.noted) {
            (Some(answer), _) => answer.clone(),
            (None, Some(noted)) => run_once(noted, RUBY, arguments, || run_ruby_command(command))?,
            (None, None) => return Ok(None),
        };
        Ok(Some(match answer {
            Value::Hash(_) => answer,
            output => in_parts(output, "".into(), 0),
        }))
    }

    /// Returns what the look-up of a name finds, by what Ruby calls it: an array. `None`: nobody knows.
    pub fn name_answer(&self, function: &str, arguments: &[Value]) -> Result<Option<Value>, String> {
        match (self.value(function, arguments), &self.noted) {
            (Some(answer), _) => Ok(Some(answer.clone())),
            (None, Some(noted)) => {
                run_once(noted, function, arguments.to_vec(), || look_up(function, arguments)).map(Some)
            }
            (None, None) => Ok(None),
        }
    }

    /// All answers with those that were noted behind them, for the file. None: nothing is new.
    pub fn with_noted(&self) -> Option<Value> {
        let mut noted = self.noted.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if noted.is_empty() {
            return None;
        }
        // Nodes are compiled in no order.
        noted.sort_by_cached_key(|noted| (noted.function.clone(), name_of(&noted.arguments)));
        let is_noted = |item: &&Value| match item {
            Value::Hash(members) => match (members.get_str("function"), members.get_str("arguments")) {
                (Some(Value::String(function)), Some(Value::Array(arguments))) => {
                    noted.iter().any(|new| new.is_of(function, arguments))
                }
                _ => false,
            },
            _ => false,
        };
        // What was still to be filled in, and is known now, stands there once.
        let kept: Vec<Value> = self.listed.iter().filter(|item| !is_noted(item)).cloned().collect();
        Some(Value::array(kept.into_iter().chain(noted.into_iter().map(NewAnswer::item))))
    }
}

fn name_of(arguments: &[Value]) -> Digest {
    Value::array(without_objects(arguments).cloned()).digest()
}

/// Returns the arguments that have a form in a file of answers: an object, such as the context of a look-up, has none.
pub fn without_objects(arguments: &[Value]) -> impl Iterator<Item = &Value> {
    arguments.iter().filter(|argument| !matches!(argument, Value::Object(_)))
}

/// However often it is wanted, a command is run once, and a name looked up.
fn run_once(
    noted: &Mutex<Vec<NewAnswer>>,
    function: &str,
    arguments: Vec<Value>,
    run: impl FnOnce() -> Result<Value, String>,
) -> Result<Value, String> {
    let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
    let known = noted.iter().find(|known| known.is_of(function, &arguments)).map(|known| &known.answer);
    if let Some(RecordedAnswer::Value(known)) = known {
        return Ok(known.clone());
    }
    let answer = run()?;
    noted.push(NewAnswer { function: function.into(), arguments, answer: RecordedAnswer::Value(answer.clone()) });
    Ok(answer)
}

fn in_parts(output: Value, errors: Value, status: i64) -> Value {
    let parts = [("output", output), ("errors", errors), ("status", status.into())];
    Value::hash(parts.into_iter().map(|(name, value)| (Value::from(name), value)))
}

/// Returns how a command of Ruby code ends: one line is taken apart, or handed to a shell, as Ruby does it.
fn run_ruby_command(command: &[Str]) -> Result<Value, String> {
    let shown = command.join(" ");
    let failed = |reason: String| format!("Ruby code of modules would run '{shown}', which {reason}");
    let words: Vec<String> = match command {
        [line] if shell::is_for_shell(line) => vec!["/bin/sh".to_owned(), "-c".to_owned(), line.to_string()],
        [line] => line.split_whitespace().map(str::to_owned).collect(),
        words => words.iter().map(Str::to_string).collect(),
    };
    let Some((program, arguments)) = words.split_first() else { return Err(failed("is no command".to_owned())) };
    let ran = match run_heard(program, arguments, TIME, BYTES) {
        Ok(ran) => ran,
        Err(NotRun::NotStarted(error)) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(in_parts("".into(), "".into(), shell::NOT_FOUND));
        }
        Err(NotRun::NotStarted(error)) => return Err(failed(format!("cannot be started: {error}"))),
        Err(NotRun::TooLong) => return Err(failed(format!("takes longer than {} seconds", TIME.as_secs()))),
        Err(NotRun::TooMuch) => return Err(failed(format!("says more than {BYTES} bytes"))),
    };
    let Some(status) = ran.code else { return Err(failed("was killed".to_owned())) };
    let text = |bytes| String::from_utf8(bytes).map_err(|_| failed("says what is no UTF-8".to_owned()));
    let (output, errors) = (text(ran.out)?, text(ran.errors)?);
    Ok(match (status, errors.is_empty()) {
        (0, true) => output.into(),
        _ => in_parts(output.into(), errors.into(), status.into()),
    })
}

fn output(command: &[Str]) -> Result<String, String> {
    let shown = command.join(" ");
    let failed = |reason: String| format!("Failed to execute generator {}: {reason}", command[0]);
    let arguments: Vec<String> = command.iter().skip(1).map(Str::to_string).collect();
    let ran = run(&command[0], &arguments, TIME, BYTES).map_err(|why| match why {
        NotRun::NotStarted(error) => failed(error.to_string()),
        NotRun::TooLong => failed(format!("'{shown}' takes longer than {} seconds", TIME.as_secs())),
        NotRun::TooMuch => failed(format!("'{shown}' says more than {BYTES} bytes")),
    })?;
    if ran.code != Some(0) {
        let how = ran.code.map_or("was killed".to_owned(), |code| format!("returned {code}"));
        return Err(failed(format!("Execution of '{shown}' {how}: {}", String::from_utf8_lossy(&ran.out).trim())));
    }
    String::from_utf8(ran.out).map_err(|_| failed(format!("'{shown}' says what is no UTF-8")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_found_by_function_and_arguments() {
        let text = br#"[{"function": "puppetdb_query", "arguments": ["nodes {}"], "answer": [{"certname": "a"}]}]"#;
        let answers = Answers::list(text).unwrap();
        assert!(answers.has("puppetdb_query") && !answers.has("generate"));
        assert!(answers.get("puppetdb_query", &["nodes {}".into()]).is_some());
        assert_eq!(answers.get("puppetdb_query", &["facts {}".into()]), None);
        let error = Answers::list(br#"[{"function": "f", "answer": 1}]"#).unwrap_err();
        assert!(error.starts_with("item 1 of the array has no function and array of arguments; it has the form [{"));
        let error =
            Answers::list(br#"[{"function": "f", "arguments": [], "answer": 1, "not_found": true}]"#).unwrap_err();
        assert_eq!(error, "item 1 of the array has both an answer and not_found");
        assert!(Answers::list(b"{}").is_err() && Answers::list(b"[").is_err());
    }

    #[test]
    fn an_item_may_say_that_there_is_nothing_or_wait_to_be_filled_in() {
        let text =
            br#"[{"function": "f", "arguments": ["a"], "not_found": true}, {"function": "f", "arguments": ["b"]}]"#;
        let mut answers = Answers::list(text).unwrap();
        let context = Value::Object(std::sync::Arc::new(pantin_values::Object {
            class: pantin_values::object::lookup_context(),
            values: Vec::new().into(),
        }));
        assert_eq!(answers.get("f", &["a".into(), context.clone()]), Some(&RecordedAnswer::NotFound));
        assert_eq!(answers.get("f", &["b".into()]), Some(&RecordedAnswer::Open));
        answers.noted = Some(Mutex::default());
        answers.note("f", &["b".into(), context.clone()], RecordedAnswer::Value(3.into()));
        answers.note("f", &["c".into(), context], RecordedAnswer::Open);
        let Some(Value::Array(items)) = answers.with_noted() else { panic!("nothing is new") };
        let has = |item: &Value, name: &str| matches!(item, Value::Hash(members) if members.get_str(name).is_some());
        let mut kinds: Vec<_> = items.iter().map(|item| (has(item, "answer"), has(item, "not_found"))).collect();
        kinds.sort_unstable();
        assert_eq!(kinds, [(false, false), (false, true), (true, false)]);
    }

    #[test]
    fn commands_are_run_where_that_is_allowed_and_once() {
        let refused = Answers::default().command_output(&["/bin/echo".into(), "x".into()]).unwrap_err();
        assert!(refused.starts_with("generate() would run '/bin/echo x': commands are not run here"), "{refused}");
        let answers = Answers { noted: Some(Mutex::default()), ..Answers::default() };
        let once = || answers.command_output(&["/bin/echo".into(), "x".into()]);
        assert_eq!((once(), once()), (Ok("x\n".into()), Ok("x\n".into())));
        let noted = answers.with_noted();
        assert_eq!(
            noted.as_ref().and_then(|noted| if let Value::Array(all) = noted { Some(all.len()) } else { None }),
            Some(1)
        );
        assert_eq!(Answers::default().with_noted(), None);
    }

    #[test]
    fn commands_of_ruby_code_are_lines_or_words() {
        assert_eq!(Answers::default().command_answer(&["/bin/echo x".into()]), Ok(None));
        let answers = Answers { noted: Some(Mutex::default()), ..Answers::default() };
        let parts = |output: &str, errors: &str, status| Ok(Some(in_parts(output.into(), errors.into(), status)));
        for (command, expected) in [
            (&["/bin/echo x  y"][..], parts("x y\n", "", 0)),
            (&["/bin/echo", "x  y"], parts("x  y\n", "", 0)),
            (&["echo x; echo e >&2; exit 3"], parts("x\n", "e\n", 3)),
            (&["/nowhere/at/all x"], parts("", "", 127)),
        ] {
            let command: Vec<Str> = command.iter().map(|word| Str::from(*word)).collect();
            assert_eq!(answers.command_answer(&command), expected);
        }
        let noted = format!("{:?}", answers.with_noted());
        assert!(noted.contains("ruby command") && noted.contains("x  y"), "{noted}");
    }
}
