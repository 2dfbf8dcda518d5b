//! What a worker can do wrong: each is an error that names the function and its file, and never a hang.

use super::{compile, repository, ruby, said};
use crate::Folder;

/// A function whose body this is.
fn with_body(body: &str) -> Folder {
    let folder = repository("notice(m::wrong(Sensitive('swordfish')))\n");
    let code = format!(
        "require 'ripper'\n\nPuppet::Functions.create_function(:'m::wrong') do\n  dispatch(:wrong) {{ param 'Any', :secret \
         }}\n\n  def wrong(secret)\n    {body}\n  end\nend\n"
    );
    folder.write("modules/m/lib/puppet/functions/m/wrong.rb", code);
    folder
}

const PLACE: &str = " (file: /manifests/site.pp, line: 1, column: 8)\n";
const WHO: &str = "Error: Evaluation Error: The function 'm::wrong' (/modules/m/lib/puppet/functions/m/wrong.rb), run by the Ruby of \
     --ruby, ";

#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn each_way_to_end_badly_is_told() {
    let ruby = ruby();
    for (body, error) in [
        ("loop { }", "took longer than 1 seconds; the setting max_ruby_seconds raises the limit"),
        ("sleep", "took longer than 1 seconds; the setting max_ruby_seconds raises the limit"),
        ("exit", "calls exit"),
        ("abort('why')", "calls exit"),
        ("exit!", "ended its process"),
        ("Process.kill(:KILL, $$); sleep", "ended its process"),
        ("$stderr.puts('last words'); exit!", "ended its process; it last said: last words"),
        ("$stderr.puts(secret.unwrap); exit!", "ended, and what it said has a secret in it"),
        ("'x' * (65 << 20)", "gives an answer of 68157461 bytes; it may have 67108864 at most"),
        ("list = []; 3000.times { list = [list] }; list", "its answer is nested more than 2000 deep"),
        ("list = []; list << list; list", "nests too deep for the stack of Ruby, or holds what contains itself"),
        ("def self.again; again; end; again", "nests too deep for the stack of Ruby, or holds what contains itself"),
        ("Object.new", "hands a value of class Object to Puppet code, which has nothing for it"),
        ("\"\\xff\"", "hands a text that is no UTF-8 to Puppet code, which has nothing for it"),
        (
            "Puppet::Pops::Types::TypeFactory.string",
            "asks for what is not there: Puppet::Pops::Types::TypeFactory of Puppet itself is not to be had in the Ruby of \
             --ruby",
        ),
        (
            "Facter.value(:kernel)",
            "asks for what is not there: Facter.value of Puppet itself is not to be had in the Ruby of --ruby",
        ),
        (
            "Puppet.lookup(:x) rescue 1",
            "asks for what is not there: Puppet.lookup of Puppet itself is not to be had in the Ruby of --ruby",
        ),
        ("call_function('each', [1]) { |x| break x }", "leaves a block by break, return or throw"),
    ] {
        let folder = with_body(body);
        let run = compile(&folder, &["--ruby", &ruby, "--set", "max_ruby_seconds=1"]);
        assert_eq!((said(&folder, &run), run.code), (format!("{WHO}{error}{PLACE}"), Some(1)), "{body}");
    }
}

/// It would be called without its own method.
#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn a_function_that_says_itself_how_it_is_called_is_refused() {
    let ruby = ruby();
    let folder = repository("notice(m::wrong(1, 2))\n");
    let code = "require 'ripper'\n\nPuppet::Functions.create_function(:'m::wrong') do\n  def call(scope, *args)\n    \
                super(scope, args)\n  end\n\n  def wrong(list)\n    list\n  end\nend\n";
    folder.write("modules/m/lib/puppet/functions/m/wrong.rb", code);
    let run = compile(&folder, &["--ruby", &ruby]);
    let error = "asks for what is not there: the dispatcher of functions of Puppet itself is not to be had in the Ruby of \
                 --ruby";
    assert_eq!((said(&folder, &run), run.code), (format!("{WHO}{error}{PLACE}"), Some(1)));
}

#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn an_error_of_the_code_shows_no_secret() {
    let ruby = ruby();
    for (body, error) in [
        ("raise \"of #{secret}\"", "of Sensitive [value redacted]"),
        ("raise \"of #{secret.inspect}\"", "of #<Sensitive [value redacted]>"),
        ("raise \"of #{secret.unwrap}\"", "RuntimeError (what it says has a secret in it)"),
        ("Integer(secret.unwrap)", "ArgumentError (what it says has a secret in it)"),
    ] {
        let folder = with_body(body);
        let run = compile(&folder, &["--ruby", &ruby]);
        let expected = format!("Error: Evaluation Error: Error while evaluating a Function Call, {error}{PLACE}");
        assert_eq!(said(&folder, &run), expected, "{body}");
    }
}

/// The pipe is not where code writes.
#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn what_code_prints_is_lost_and_harms_nobody() {
    let ruby = ruby();
    for body in [
        "puts 'x' * 100_000; $stdout.flush; system('echo x'); STDOUT.syswrite('x'); IO.for_fd(1).syswrite('x'); 1",
        "$stdin.read; STDIN.gets; gets; 1",
        "fork { exit }; Process.wait; spawn('sleep 60'); 1",
        "$stdout.close; Thread.new { loop { } }; 1",
        "pid = fork; exit! if pid.nil?; Process.wait(pid); 1",
        "def to_s; raise 'x'; end; def inspect; raise 'x'; end; 1",
    ] {
        let folder = with_body(body);
        let run = compile(&folder, &["--ruby", &ruby]);
        assert_eq!((said(&folder, &run).as_str(), run.code), ("Notice: Scope(Class[main]): 1\n", Some(0)), "{body}");
    }
}

#[test]
fn what_is_no_ruby_is_said_to_be_none() {
    let (begin, end) = (
        "Error: Evaluation Error: The function 'm::wrong' (/modules/m/lib/puppet/functions/m/wrong.rb) cannot be run: '",
        PLACE,
    );
    let folder = with_body("1");
    for (program, error) in [
        ("/bin/true", "(--ruby) is no Ruby that answers: it ended its process"),
        ("/bin/cat", "(--ruby) is no Ruby that answers: it ended its process; it last said: "),
        ("/bin/sh", "(--ruby) is no Ruby that answers: it ended its process; it last said: "),
    ] {
        let run = compile(&folder, &["--ruby", program]);
        let said = said(&folder, &run);
        assert!(said.starts_with(&format!("{begin}{program}' {error}")) && said.ends_with(end), "{said}");
    }
}

/// A file that fails while it is loaded fails as often as it is required.
#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn a_file_of_a_module_that_fails_is_not_taken_for_loaded() {
    let ruby = ruby();
    let folder = with_body("Array.new(2) { begin; require 'helper/bad'; rescue RuntimeError => e; e.message; end }");
    folder.write("modules/m/lib/helper/bad.rb", "require 'helper/kind'\nraise 'it is bad'\n");
    let run = compile(&folder, &["--ruby", &ruby]);
    assert_eq!(said(&folder, &run), "Notice: Scope(Class[main]): [it is bad, it is bad]\n");
}

/// A function may call itself and others over the bridge: all in one worker, whose process ends with the run.
#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn calls_nest_and_workers_end() {
    let ruby = ruby();
    let folder = repository("notice(m::deep(40))\n");
    folder.write(
        "modules/m/lib/puppet/functions/m/deep.rb",
        "require 'ripper'\n\nPuppet::Functions.create_function(:'m::deep') do\n  dispatch(:deep) { param 'Integer', :left \
         }\n\n  def deep(left)\n    left.zero? ? [$$] : [call_function('m::deep', left - 1), [$$]].flatten.uniq\n  \
         end\nend\n",
    );
    let run = compile(&folder, &["--ruby", &ruby]);
    let said = said(&folder, &run);
    let process = said.trim_end().strip_prefix("Notice: Scope(Class[main]): [").unwrap().strip_suffix(']').unwrap();
    assert!(process.bytes().all(|byte| byte.is_ascii_digit()), "{said}");
    let is_alive = || std::process::Command::new("kill").args(["-0", process]).output().unwrap().status.success();
    for _ in 0..100 {
        if !is_alive() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("the worker lives on");
}

/// Many threads, each with a worker of its own.
#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn a_fleet_is_compiled_on_all_threads() {
    let ruby = ruby();
    let folder = repository("notify { 'n': message => m::same($facts['role']) }\n");
    for number in 0..12 {
        folder.write(&format!("facts/n{number}.json"), format!(r#"{{"role": "role {number}"}}"#));
    }
    let run =
        folder.run(&["fleet", "--facts", "facts", "--no-cache", "-q", "--jobs", "4", "--out", "out", "--ruby", &ruby]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    for number in 0..12 {
        let catalog = std::fs::read_to_string(folder.path().join(format!("out/n{number}.json"))).unwrap();
        assert!(catalog.contains(&format!("\"role {number}\"")), "{catalog}");
    }
}
