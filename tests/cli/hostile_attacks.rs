//! What a hostile author tries beside the obvious: functions that multiply, patterns of files, readers of Ruby.

use crate::Folder;
use crate::hostile::{FEW_STEPS, run_limited};

/// Compiles code that has to end with an error, of the steps or of a size.
fn ends(code: &str) {
    let folder = Folder::with(&[("environment.conf", ""), ("manifests/site.pp", code)]);
    let run = run_limited(&folder, &["compile", "n", "--environment-dir", ".", "--no-cache", "--set", FEW_STEPS]);
    assert_eq!(run.code, Some(1), "{code}\n{}{}", run.out, run.err);
    let words = ["steps at most", "bytes at most", "elements at most", "values at most", "limited to", "names under"];
    assert!(words.iter().any(|words| run.err.contains(words)), "{code}\n{}", run.err);
}

/// Each element, or each level, repeats a long text.
#[test]
fn functions_do_not_multiply_long_texts() {
    let long = "$t = Integer[1,20].reduce('a') |$m, $x| { \"${m}${m}\" } ";
    let many = "$n = Array(Integer[1,100000]) $w = $n.map |$i| { 'a' } ";
    let deep = "$d = Integer[1,3000].reduce([1]) |$m, $x| { [$m, 1] } ";
    for call in [
        "join($n, $t)",
        "regsubst($w, 'a', $t)",
        "regsubst($t, 'a', $t, 'G')",
        r"regsubst($t, '^.*$', regsubst($t, 'a', '\\\\0', 'G'))",
        "sprintf(regsubst($t, 'a', '%1$s', 'G'), $t)",
        "split($t, /()()()()()()()()()()()()()()()()()()()()()()()()()()()()()()/)",
        "String($n, { Array => { format => '%a', separator => $t } })",
        "String({ 1 => 2, 3 => 4 }, { Hash => { format => '%h', separator => $t, separator2 => $t } }) + join($n, $t)",
        "String([$d] * 1, '%#p')",
    ] {
        let call = call.replace("[$d] * 1", "$n.map |$i| { $d }");
        ends(&format!("{long}{many}{deep}$x = {call}"));
    }
}

/// Braces stand for many patterns, and each goes through all folders.
#[test]
fn patterns_of_files_go_through_so_many_names() {
    let braces = "{a,b,c,d,e,f,g,h,i,j}".repeat(3);
    let hiera = format!(
        "version: 5\nhierarchy:\n  - {{name: x, data_hash: yaml_data, datadir: data, glob: '**/{braces}*.yaml'}}\n"
    );
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("hiera.yaml", &hiera),
        ("manifests/site.pp", "$x = lookup('k', { default_value => 1 })"),
    ]);
    (0..1100).for_each(|n| folder.write(&format!("data/{n}/x.yaml"), "k: 1\n"));
    let run = run_limited(&folder, &["compile", "n", "--environment-dir", ".", "--no-cache"]);
    assert!(run.code == Some(1) && run.err.contains("more than 1000000 names under"), "{}{}", run.out, run.err);
}

const SECRET: &str = "the-secret-of-the-job";

/// Ways of Ruby to a file, a process or a variable.
#[test]
fn ruby_reads_no_secret_and_runs_nothing() {
    let readers = [
        "ENV['TOKEN']",
        "ENV.to_h.to_s",
        "IO.read('AT')",
        "IO.readlines('AT').join",
        "IO.binread('AT')",
        "IO.sysopen('AT')",
        "IO.popen('cat AT').read",
        "IO.copy_stream('AT', STDOUT)",
        "File.open('AT').read",
        "File.open('AT') { |f| f.gets }",
        "File.new('AT').read",
        "File.foreach('AT') { |l| print l }",
        "File.send(:read, 'AT')",
        "File.method(:read).call('AT')",
        "Object.const_get(:File).read('AT')",
        "open('AT').read",
        "open('|cat AT').read",
        "Kernel.open('AT').read",
        "`cat AT`",
        "%x(cat AT)",
        "system('cat AT')",
        "exec('cat AT')",
        "Process.spawn('cat AT')",
        "require 'open3'; Open3.capture2('cat AT')[0]",
        "require 'pathname'; Pathname.new('AT').read",
        "require 'yaml'; YAML.load_file('AT').to_s",
        "require 'json'; JSON.load_file('AT')",
        "Puppet::FileSystem.read('AT')",
        "Puppet::Util::Execution.execute('cat AT')",
        "Facter::Core::Execution.execute('cat AT')",
        "ERB.new(File.read('AT')).result",
        "eval(File.read('AT'))",
        "load('AT')",
        "Digest::SHA256.file('AT').hexdigest",
        "Dir.chdir('/') { File.read('AT') }",
        "Dir.glob('UP/*').join",
        "Dir.entries('UP').join",
        "Dir.children('UP').join",
        "File.read('/proc/self/environ')",
        "File.read('/dev/stdin')",
        "$stdin.read",
        "ARGF.read",
        "require 'net/http'; Net::HTTP.get(URI('http://127.0.0.1'))",
        "require 'open-uri'; URI.open('AT').read",
        "ObjectSpace.each_object(String).to_a.join",
        "Thread.new { File.read('AT') }.value",
    ];
    let folder = Folder::with(&[("out/secret.txt", SECRET), ("repo/environment.conf", "")]);
    let up = format!("{}/out", folder.real_path());
    for reader in readers {
        let code = reader.replace("AT", &format!("{up}/secret.txt")).replace("UP", &up);
        folder.write("repo/templates/x.erb", format!("<%= {code} %>"));
        folder.write("repo/modules/m/templates/x.erb", format!("<%= {code} %>"));
        folder.write("repo/manifests/site.pp", "notice(template('m/x.erb'))");
        let mut command =
            folder.command(&["compile", "n", "--environment-dir", ".", "--no-cache", "--format", "summary"]);
        command.current_dir(folder.path().join("repo")).env("TOKEN", SECRET).env("CI", "true");
        let run = crate::finish(command.spawn().unwrap());
        assert!(!run.out.contains(SECRET) && !run.err.contains(SECRET), "{reader}: {}{}", run.out, run.err);
        assert!(!run.out.contains("secret.txt,") && run.code == Some(1), "{reader}: {}{}", run.out, run.err);
        assert!(!run.err.contains("panicked") && !run.err.contains("internal error"), "{reader}: {}", run.err);
    }
}
