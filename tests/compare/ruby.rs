//! Ruby snippets, run by the small Ruby and by the real one.
//!
//! `snippets.txt` has families of receivers and calls; all combinations are run. What is not supported on purpose, and
//! says so, is counted apart: it is no difference.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use pantin::ruby;
use pantin::ruby::{Bounds, RubyError, Script};

const SNIPPETS: &str = include_str!("snippets.txt");

/// Runs every snippet of its standard input, an array in JSON, and tells what it was worth.
const ORACLE: &str = r##"
%w[json set stringio securerandom openssl digest timeout uri ipaddr base64 yaml cgi pathname ostruct date time rexml/document shellwords].each { |name| require name }
out = JSON.parse($stdin.read).map do |code|
  box = Class.new { def go(code) instance_eval(code) end }.new
  begin
    Timeout.timeout(5) { box.go(code).inspect }.gsub(/#<Class:0x\h+>::/, '').scrub
  rescue Exception => e
    message = e.message.split("\nDid you mean?").first.to_s.split("\n\n").first.to_s.gsub(/#<Class:0x\h+>::/, '')
    "#{e.class.name.to_s.sub(/\A#<Class:0x\h+>::/, '')}: #{message}"
  end
end
puts JSON.generate(out)
"##;

/// Those of another file, if one is named.
pub(super) fn run(file: Option<&str>) -> Result<bool, String> {
    let snippets = match file {
        Some(file) => snippets(&std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?),
        None => snippets(SNIPPETS),
    };
    let real = real(&snippets)?;
    let (mut same, mut unsupported, mut different) = (0, Vec::new(), 0);
    for (snippet, real) in snippets.iter().zip(&real) {
        match own(snippet) {
            Ok(own) if is_same(&own, real) => same += 1,
            Ok(own) => {
                different += 1;
                println!("{snippet}\n  Ruby    {real}\n  Pantin  {own}");
            }
            Err(why) => unsupported.push((snippet, why)),
        }
    }
    for (snippet, why) in &unsupported {
        println!("not supported: {snippet}: {why}");
    }
    println!(
        "{} snippets: {same} the same, {different} different, {} not supported",
        snippets.len(),
        unsupported.len()
    );
    Ok(different == 0)
}

fn snippets(text: &str) -> Vec<String> {
    let (mut all, mut receivers) = (Vec::new(), Vec::new());
    for line in text.lines() {
        match (line.get(..2), line.get(2..)) {
            (Some("= "), _) => receivers.clear(),
            (Some("S "), Some(snippet)) => all.push(snippet.to_owned()),
            (Some("R "), Some(receiver)) => receivers.push(receiver.to_owned()),
            (Some("R("), _) => receivers.push(line[1..].to_owned()),
            (Some("C "), Some(call)) => {
                let blank = if call.starts_with(['.', '[']) { "" } else { " " };
                // A literal that is changed has to be one that may be.
                all.extend(receivers.iter().map(|receiver| {
                    let receiver = if receiver.starts_with('-') { format!("({receiver})") } else { receiver.clone() };
                    format!("{receiver}{blank}{call}")
                }));
            }
            _ => {}
        }
    }
    all
}

pub(super) fn real(snippets: &[String]) -> Result<Vec<String>, String> {
    let mut ruby = Command::new("ruby")
        .args(["-W0", "--disable-did_you_mean", "--disable-error_highlight", "-e", ORACLE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("no Ruby here: {error}"))?;
    let input = serde_json::to_string(snippets).expect("texts");
    ruby.stdin.take().expect("piped").write_all(input.as_bytes()).map_err(|error| error.to_string())?;
    let output = ruby.wait_with_output().map_err(|error| error.to_string())?;
    serde_json::from_slice(&output.stdout).map_err(|error| format!("Ruby said nothing of use: {error}"))
}

pub(super) fn own(snippet: &str) -> Result<String, String> {
    // What stands last is not wrapped into anything: of a statement whose value nobody may want, Ruby asks none there.
    let script = match Script::parse("snippet", snippet) {
        Ok(script) => Arc::new(script),
        Err(error) if error.message.starts_with("syntax error") => {
            return Ok(format!("SyntaxError: {}", error.message));
        }
        Err(error) => return Err(error.to_string()),
    };
    match ruby::evaluate(&script, Bounds::default()) {
        Ok(shown) => Ok(shown),
        Err(RubyError::Raised(raised)) => Ok(format!("{}: {}", raised.class, raised.message)),
        Err(RubyError::Fatal(fault, _) | RubyError::Lacks(fault)) => Err(fault.message.to_string()),
    }
}

/// Whether both say the same. That something is no Ruby each says in words of its own.
pub(super) fn is_same(own: &str, real: &str) -> bool {
    // The real snippets stand in a class without a name, and a structure there has none either.
    own.replace("#<struct S ", "#<struct ") == real || [own, real].iter().all(|said| said.starts_with("SyntaxError: "))
}
