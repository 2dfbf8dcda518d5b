//! Ruby code of modules that is wrong, that would go on for ever, or that reaches for what is not its own: each is an error
//! with file and line, in a function as in a template, whatever it would rescue.

use crate::{Folder, Run};

const MANIFEST: &str = "notice(m::run())\n";
const FUNCTION: &str = "env/modules/m/lib/puppet/functions/m/run.rb";
const TEMPLATE: &str = "env/modules/m/templates/t.erb";

fn compile(folder: &Folder) -> Run {
    folder.run(&["compile", "a", "--environment-dir", "env"])
}

/// The code as the third line of a function that would rescue everything.
fn of_function(code: &str) -> Run {
    let body = format!(
        "Puppet::Functions.create_function(:'m::run') do\n  def run\n    {code}\n  rescue Exception\n    'rescued'\n  end\nend\n"
    );
    compile(&Folder::with(&[
        ("env/environment.conf", "modulepath = modules\n"),
        ("env/manifests/site.pp", MANIFEST),
        (FUNCTION, &body),
    ]))
}

/// The code as the second line of a template.
fn of_template(code: &str) -> Run {
    compile(&Folder::with(&[
        ("env/environment.conf", "modulepath = modules\n"),
        ("env/manifests/site.pp", "notice(template('m/t.erb'))\n"),
        (TEMPLATE, &format!("a line\n<%= begin; {code}; rescue Exception; 'rescued'; end %>\n")),
    ]))
}

/// Code, and what is said of it in a function; a template says the same, but for the class of what is called.
const ENDS: &[(&str, &str)] = &[
    // Another process, or the end of this one.
    ("exit", "#exit is not supported"),
    ("exit!(1)", "#exit! is not supported"),
    ("abort 'it is over'", "#abort is not supported"),
    ("at_exit { 1 }", "#at_exit is not supported"),
    ("exec 'true'", "#exec is not supported"),
    ("fork { 1 }", "#fork is not supported"),
    ("spawn 'true'", "#spawn is not supported"),
    ("trap('INT') { 1 }", "#trap is not supported"),
    ("sleep 1", "#sleep is not supported"),
    ("Process.kill(9, 1)", "the constant Process is not supported"),
    ("Thread.new { 1 }", "the constant Thread is not supported"),
    ("`true`", "Ruby code of modules would run 'true': commands are not run here"),
    ("%x(true)", "Ruby code of modules would run 'true': commands are not run here"),
    ("system('true')", "Ruby code of modules would run 'true': commands are not run here"),
    ("IO.popen('true')", "Ruby code of modules would run 'true': commands are not run here"),
    ("Open3.capture2('true')", "Ruby code of modules would run 'true': commands are not run here"),
    ("open('| true')", "#open is not supported"),
    // Files.
    ("File.read('/etc/shadow')", "Ruby code of modules may not read '/etc/shadow'"),
    ("File.exist?('/etc/shadow')", "Ruby code of modules may not read '/etc/shadow'"),
    ("IO.readlines('/etc/shadow')", "Ruby code of modules may not read '/etc/shadow'"),
    ("File.new('/etc/shadow').gets", "Ruby code of modules may not read '/etc/shadow'"),
    ("Dir.glob('/etc/*')", "Ruby code of modules may not read '/etc'"),
    ("File.write('/tmp/written', 'x')", "is not supported"),
    ("File.open('/tmp/written', 'w') { |f| f << 'x' }", "is not supported"),
    ("File.delete('/tmp/written')", "the method File.delete is not supported"),
    // What the process is.
    ("ENV['HOME']", "the constant ENV is not supported"),
    ("ENV.to_h", "the constant ENV is not supported"),
    ("ARGV", "the constant ARGV is not supported"),
    ("$0", "the global variable $0 is not supported"),
    ("$stdout.puts 1", "the global variable $stdout is not supported"),
    ("ObjectSpace.each_object(String) { 1 }", "the constant ObjectSpace is not supported"),
    ("GC.start", "the constant GC is not supported"),
    ("RubyVM", "the constant RubyVM is not supported"),
    ("TracePoint.new(:call) { 1 }", "the constant TracePoint is not supported"),
    // A text as code.
    ("eval('1 + 1')", "#eval is not supported"),
    ("instance_eval('1 + 1')", "the evaluation of a text as code is not supported"),
    ("String.class_eval('1 + 1')", "the evaluation of a text as code that is more than definitions is not supported"),
    ("binding.eval('1 + 1')", "the method Binding#eval is not supported"),
    // What does not end.
    ("f = ->(x) { f.(x) }; f.(1)", "Ruby code is nested more than 5000 calls deep"),
    ("'x' * 10**12", "a text may have "),
    ("[1] * 10**12", "an array or hash may have 10000000 elements at most"),
    ("(1..10**12).to_a", "an array or hash may have 10000000 elements at most"),
    ("10 ** 10 ** 10", "a number may not become so large"),
    ("1 << 2**40", "a number may not become so large"),
    ("'a' * 30 =~ /(a?){30}a{30}(a|aa)+$b/; ('a' * 50) =~ /(a*)*\\1b/", "took too many steps"),
];

/// The same, of functions alone: it takes a second, or a template makes a text of it.
const OF_FUNCTIONS: &[(&str, &str)] = &[("1 while true", "Ruby code took more than 20000000 steps")];

/// What a function may not give: told where it ended.
const RESULTS: &[(&str, &str)] = &[
    (
        "a = [1]; a << a; a",
        "a value that holds itself, or nests more than 2000 levels deep, is nothing that Puppet code has",
    ),
    ("a = [1]; 60.times { a = [a, a] }; a", "a value that Puppet code gets may be made of 10000000 values at most"),
    ("a = 'x' * 1_000_000; [a] * 1_000", "a value that Puppet code gets may be made of 10000000 values at most"),
    ("h = {}; h['h'] = h; h", "a value that holds itself, or nests"),
    ("a = []; 2_001.times { a = [a] }; a", "a value that holds itself, or nests more than 2000 levels deep"),
];

const IN_FUNCTION: &str = "functions/m/run.rb, line: 3";

/// What is other than it should be.
fn unlike(code: &str, says: &str, run: &Run, at: &str) -> Option<String> {
    let is_told = run.err.lines().any(|line| line.contains(says) && line.contains(at));
    (run.code != Some(1) || !is_told).then(|| format!("{code}\n  wanted {says} … {at}\n  {}", run.err))
}

#[test]
fn what_ends_a_run_is_told_with_its_place_and_never_rescued() {
    let mut wrong = Vec::new();
    for (code, says) in ENDS {
        wrong.extend(unlike(code, says, &of_function(code), IN_FUNCTION));
        wrong.extend(unlike(code, says, &of_template(code), "t.erb, line: 2"));
    }
    for (code, says) in OF_FUNCTIONS {
        wrong.extend(unlike(code, says, &of_function(code), IN_FUNCTION));
    }
    for (code, says) in RESULTS {
        wrong.extend(unlike(code, says, &of_function(code), IN_FUNCTION));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
