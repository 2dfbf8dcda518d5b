//! Commands that Ruby code of modules would run: refused, answered from a file, or run where a person has that recorded.

use serde_json::{Value, json};

use crate::ruby_function::{compile, message, repository};

#[test]
fn a_command_is_an_error_that_names_the_option() {
    for code in [
        "`uname -r`",
        "%x{uname #{'-r'}}",
        "system('uname', '-r')",
        "Kernel.system('uname -r')",
        "IO.popen('uname -r').read",
        "IO.popen(['uname', '-r']) { |pipe| pipe.read }",
        "require 'open3'\n    Open3.capture2('uname', '-r')",
        "Open3.capture2e('uname -r')",
        "Open3.capture3('uname -r')",
        "Puppet::Util::Execution.execute(['uname', '-r'])",
        "Puppet::Util::Execution.execute('uname -r', failonfail: false)",
        "Facter::Core::Execution.execute('uname -r')",
    ] {
        let folder = repository(&format!("{code}\n  rescue Exception\n    'rescued'"));
        let run = compile(&folder, &[]);
        let line = 3 + code.matches('\n').count();
        let error = format!(
            "Ruby code of modules would run 'uname -r': commands are not run here; --answers FILE says what it prints, and \
             with --record it is run and its output kept there (file: \
             {}/modules/m/lib/puppet/functions/m/run.rb, line: {line})",
            folder.real_path()
        );
        assert!(run.err.contains(&error) && run.code == Some(1), "{code}: {}", run.err);
    }
    let folder = repository("Puppet::Util::Execution.execpipe('uname -r') { |pipe| pipe.read }");
    assert!(compile(&folder, &[]).err.contains("would run 'uname -r 2>&1'"));
}

#[test]
fn what_a_command_says_is_taken_from_the_file() {
    let answers = json!([
        { "function": "ruby command", "arguments": ["uname -r"], "answer": "6.1\n" },
        { "function": "ruby command", "arguments": ["uname", "-r"], "answer": "6.2\n" },
        { "function": "ruby command", "arguments": ["fails"],
          "answer": { "output": "half\n", "errors": "no\n", "status": 3 } },
        { "function": "ruby command", "arguments": ["gone"], "answer": { "output": "", "status": 127 } },
    ]);
    for (code, expected) in [
        ("`uname -r`.chomp", json!("6.1")),
        ("[system('uname', '-r'), $?.success?, $?.exitstatus]", json!([true, true, 0])),
        (
            "[`fails`, $?.success?, $?.exitstatus, $?.to_i, $CHILD_STATUS == 768]",
            json!(["half\n", false, 3, 768, true]),
        ),
        ("[system('fails'), system('gone')]", json!([false, null])),
        ("begin; `gone`; rescue Errno::ENOENT => e; e.message; end", json!("No such file or directory - gone")),
        ("IO.popen(['uname', '-r']) { |pipe| pipe.each_line.map(&:strip) }", json!(["6.2"])),
        ("out, err, status = Open3.capture3('fails'); [out, err, status.exitstatus]", json!(["half\n", "no\n", 3])),
        ("Open3.capture2e('fails').first", json!("half\nno\n")),
        ("Open3.capture2('uname -r').first", json!("6.1\n")),
        ("Puppet::Util::Execution.execute(['uname', '-r']).strip", json!("6.2")),
        ("Puppet::Util::Execution.execute('fails', failonfail: false, combine: true)", json!("half\nno\n")),
        ("Puppet::Util::Execution.execute('fails', {})", json!("half\n")),
        (
            "begin; Puppet::Util::Execution.execute('fails'); rescue Puppet::ExecutionFailure => e; e.message; end",
            json!("Execution of 'fails' returned 3: half\nno"),
        ),
        ("Facter::Core::Execution.execute('uname -r')", json!("6.1")),
        (
            "[Facter::Core::Execution.exec('gone'), Facter::Core::Execution.execute('gone', on_fail: 'no')]",
            json!([null, "no"]),
        ),
    ] {
        let folder = repository(code);
        folder.write("answers.json", answers.to_string());
        let run = compile(&folder, &["--answers", "answers.json"]);
        assert_eq!(message(&run), expected, "{code}");
    }
}

#[cfg(unix)]
#[test]
fn commands_are_run_and_kept_where_a_person_records_them() {
    let folder =
        repository("[`echo one; echo two >&2; exit 4`, $?.exitstatus, `/bin/echo  three`, system('/nowhere/x')]");
    let run = compile(&folder, &["--answers", "answers.json", "--record"]);
    let expected = json!(["one\n", 4, "three\n", null]);
    assert_eq!(message(&run), expected, "{}", run.err);
    let kept = std::fs::read_to_string(folder.path().join("answers.json")).unwrap();
    let mut kept: Vec<Value> = serde_json::from_str(&kept).unwrap();
    kept.sort_by_key(|known| known["arguments"].to_string());
    let of = |command: &str, answer| json!({ "function": "ruby command", "arguments": [command], "answer": answer });
    let parts = |output: &str, errors: &str, status| json!({ "output": output, "errors": errors, "status": status });
    assert_eq!(
        kept,
        [
            of("/bin/echo  three", json!("three\n")),
            of("/nowhere/x", parts("", "", 127)),
            of("echo one; echo two >&2; exit 4", parts("one\n", "two\n", 4)),
        ]
    );
    let run = compile(&folder, &["--answers", "answers.json"]);
    assert_eq!(message(&run), expected, "{}", run.err);
}

/// What is no policy but nothing that code of a catalog does: an error with its place, whatever is answered.
#[test]
fn nothing_ends_the_process_or_looks_into_it() {
    for (code, what) in [
        ("exit", "exit"),
        ("exit!(1)", "exit!"),
        ("abort('x')", "abort"),
        ("exec('true')", "exec"),
        ("fork", "fork"),
        ("spawn('true')", "spawn"),
        ("at_exit { }", "at_exit"),
        ("trap('INT') { }", "trap"),
        ("Process.pid", "the constant Process"),
        ("Process.kill(9, 1)", "the constant Process"),
        ("ObjectSpace.each_object { }", "the constant ObjectSpace"),
        ("eval('1')", "eval"),
        ("instance_eval('1')", "the evaluation of a text as code"),
        ("self.class.class_eval('1')", "the evaluation of a text as code"),
        ("binding.eval('1')", "Binding#eval"),
        ("ENV['PATH']", "the constant ENV"),
        ("File.write('/tmp/x', 'y')", "File.write"),
        ("File.open('/tmp/x', 'w')", "opened for writing"),
        ("require 'socket'\n    TCPSocket.new('a', 1)", "the constant TCPSocket"),
        ("Thread.new { }", "the constant Thread"),
        ("sleep 1", "sleep"),
        ("open('| true')", "open"),
        ("Kernel.exit", "exit"),
    ] {
        let folder = repository(&format!("{code}\n  rescue Exception\n    'rescued'"));
        let run = compile(&folder, &[]);
        let line = 3 + code.matches('\n').count();
        let place = format!("(file: {}/modules/m/lib/puppet/functions/m/run.rb, line: {line})", folder.real_path());
        assert!(run.err.contains(what) && run.err.contains(&place) && run.code == Some(1), "{code}: {}", run.err);
    }
}
