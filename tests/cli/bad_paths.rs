//! Paths behind which there is nothing to read: a clear message, never a wait.
#![cfg(unix)]

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use crate::Folder;

#[test]
fn pipes_sockets_and_devices_are_not_read() {
    let folder = Folder::with(&[]);
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe.pp")).status().unwrap().success());
    let _listener = UnixListener::bind(folder.path().join("socket.pp")).unwrap();
    let run = folder.run(&["validate", "--format", "json", "pipe.pp", "socket.pp", "/dev/zero"]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].contains(r#""code":"NOT_A_FILE","message":"Cannot read pipe.pp: is a pipe, not a file;"#));
    assert!(lines[1].contains("Cannot read socket.pp: is a socket, not a file;"), "{}", lines[1]);
    assert!(lines[2].contains("Cannot read /dev/zero: is a device, not a file;"), "{}", lines[2]);
    assert_eq!(run.code, Some(1));
    let run = folder.run(&["dump", "pipe.pp", "socket.pp", "/dev/zero"]);
    let kinds: Vec<&str> = run.err.lines().filter_map(|line| line.split([':', ',']).nth(2)).collect();
    assert_eq!((kinds, run.code), (vec![" is a pipe", " is a socket", " is a device"], Some(1)), "{}", run.err);
}

/// The real Puppet 7.23 and 8.10 read each of these as empty; of other devices it waits for the end.
#[test]
fn the_null_device_is_an_empty_file() {
    let manifest = "notice(file('/nosuch', '/dev/null'), binary_file('/dev/null'), find_file('/dev/null', '/dev/zero'), find_file('/dev/zero'))";
    let folder = Folder::with(&[("manifests/site.pp", manifest)]);
    let run = folder.run(&["compile", "a", "--environment-dir", ".", "--no-cache"]);
    assert!(run.err.contains("Notice: Scope(Class[main]):   /dev/null /dev/zero\n"), "{}", run.err);
    assert_eq!(run.code, Some(0));
    assert_eq!(folder.run(&["validate", "/dev/null"]).code, Some(0));
    folder.write("manifests/site.pp", "notice(file('/dev/zero'))");
    let run = folder.run(&["compile", "a", "--environment-dir", ".", "--no-cache"]);
    assert!(run.err.contains("/dev/zero: is a device, not a file"), "{}", run.err);
}

#[test]
fn a_pipe_in_a_tree_is_named_and_not_read() {
    let folder = Folder::with(&[("a.pp", "")]);
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe.pp")).status().unwrap().success());
    let run = folder.run(&["validate", "."]);
    assert!(run.out.contains("pipe.pp: is a pipe"), "{}", run.out);
    assert_eq!(run.code, Some(1));
}

#[test]
fn links_that_loop_end() {
    let folder = Folder::with(&[("a/b/good.pp", ""), ("real.pp", "$x = }")]);
    symlink("../..", folder.path().join("a/b/up")).unwrap();
    symlink("a", folder.path().join("again")).unwrap();
    symlink("../real.pp", folder.path().join("a/linked.pp")).unwrap();
    let run = folder.run(&["validate", "--format", "json", "."]);
    let files: Vec<&str> = run
        .out
        .lines()
        .filter(|line| line.starts_with("{\"file\""))
        .filter_map(|line| line.split('"').nth(3))
        .collect();
    assert_eq!(files, ["a/b/good.pp", "a/linked.pp", "real.pp"], "{}", run.out);

    symlink("self.pp", folder.path().join("self.pp")).unwrap();
    let run = folder.run(&["validate", "self.pp"]);
    let expected = format!(
        "Error: Could not parse for environment production: Too many levels of symbolic links @ rb_sysopen - {}/self.pp\n",
        folder.real_path()
    );
    assert_eq!(run.out, expected);
    assert_eq!(run.code, Some(1));
}

#[test]
fn what_does_not_exist_is_rejected_and_the_rest_is_checked() {
    let folder = Folder::with(&[("bad.pp", "$x = }")]);
    let run = folder.run(&["validate", "gone.pp", "bad.pp", "a\"b.pp", "#{x}\u{7}.pp"]);
    let expected = format!(
        "Error: Could not parse for environment production: Syntax error at '}}' (file: {}/bad.pp, line: 1, column: 6)\n\
         Error: One or more file(s) specified did not exist:\n[\"   gone.pp\\n\", \"   a\\\"b.pp\\n\", \"   \\#{{x}}\\a.pp\\n\"]\n",
        folder.real_path()
    );
    assert_eq!(run.out, expected);
    assert_eq!(run.code, Some(1));
    let run = folder.run(&["validate", "--format", "human", "gone.pp"]);
    assert!(run.out.contains("× Cannot read gone.pp: no such file or directory\n"), "{}", run.out);
}

#[test]
fn what_may_not_be_read_is_rejected() {
    let folder = Folder::with(&[("secret.pp", ""), ("closed/a.pp", "")]);
    let forbid = |name: &str| {
        std::fs::set_permissions(folder.path().join(name), std::fs::Permissions::from_mode(0o000)).unwrap();
    };
    forbid("secret.pp");
    forbid("closed");
    let mut command = folder.command(&["validate", "."]);
    let is_superuser = std::fs::File::open(folder.path().join("secret.pp")).is_ok();
    if is_superuser {
        // The superuser is refused nothing, so somebody else has to ask.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        command.uid(65_534).gid(65_534);
    }
    let run = crate::finish(command.spawn().unwrap());
    std::fs::set_permissions(folder.path().join("closed"), std::fs::Permissions::from_mode(0o700)).unwrap();
    let path = folder.real_path();
    assert!(run.out.contains(&format!("Permission denied @ rb_sysopen - {path}/secret.pp\n")), "{}", run.out);
    assert!(run.out.contains(&format!("Permission denied @ rb_sysopen - {path}/closed\n")), "{}", run.out);
    assert_eq!(run.code, Some(1));
}

#[test]
fn names_that_are_not_utf8_are_read() {
    let folder = Folder::with(&[]);
    let name = std::ffi::OsStr::from_bytes(b"caf\xE9.pp");
    std::fs::write(folder.path().join(name), "$x = }").unwrap();
    let run = folder.run(&["validate", "--format", "json", "."]);
    assert!(run.out.starts_with("{\"file\":\"caf\u{FFFD}.pp\",\"accepted\":false"), "{}", run.out);
    assert_eq!(run.code, Some(1));
}

#[test]
fn links_that_lead_out_of_the_tree_are_entered_once() {
    let folder = Folder::with(&[("kept/a/manifests/init.pp", ""), ("kept/b/x.pp", ""), ("modules/c/y.pp", "")]);
    let link = |target: &str, name: &str| symlink(target, folder.path().join(name)).unwrap();
    link("../kept/a", "modules/a");
    link("../kept/a", "modules/again");
    link("c", "modules/inside");
    link("../..", "modules/c/above");
    link("../b", "kept/a/second");
    let run = folder.run(&["validate", "--format", "json", "modules"]);
    let lines = run.out.lines().filter(|line| line.starts_with("{\"file\""));
    let files: Vec<&str> = lines.filter_map(|line| line.split('"').nth(3)).collect();
    assert_eq!(files, ["modules/a/manifests/init.pp", "modules/c/y.pp"]);
}

#[test]
fn a_gitignore_that_is_no_file_is_named_and_not_read() {
    let folder = Folder::with(&[("deep/a.pp", ""), ("b.pp", "")]);
    assert!(Command::new("mkfifo").arg(folder.path().join("deep/.gitignore")).status().unwrap().success());
    let run = folder.run(&["validate", "--format", "json", "."]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].contains(r#"{"file":"b.pp","accepted":true"#), "{}", run.out);
    assert!(lines[1].contains(r#""message":"Cannot read deep/.gitignore: is a pipe, not a file;"#), "{}", run.out);
    assert_eq!((lines.len(), run.code), (3, Some(1)));
    let run = folder.run(&["validate", "--format", "github", "deep"]);
    assert!(run.out.contains("deep/.gitignore: is a pipe"), "{}", run.out);
    assert_eq!(folder.run(&["validate", "--no-ignore", "."]).code, Some(0));

    let endless = Folder::with(&[("a.pp", "")]);
    symlink("/dev/zero", endless.path().join(".gitignore")).unwrap();
    let run = endless.run(&["validate", "a.pp", "."]);
    assert!(run.out.contains(".gitignore: is a device"), "{}", run.out);
    assert_eq!(run.code, Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_had_are_not_waited_for() {
    let names: Vec<String> = (0..100).map(|number| format!("modules/{number}.pp")).collect();
    let many = Folder::with(&names.iter().map(|name| (name.as_str(), "")).collect::<Vec<_>>());
    let one = Folder::with(&[("modules/a.pp", "")]);
    let limited = |folder: &Folder, limit: &str, jobs: &str| {
        let mut command = Command::new("sh");
        let script = format!("ulimit -v {limit} && exec \"$0\" validate --jobs {jobs} modules");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_pantin")]).current_dir(folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        crate::finish(command.spawn().unwrap())
    };
    // The C library sets aside 64 MB of addresses for each thread that walks. For one file, one thread checks.
    let run = limited(&one, "3000000", "1000");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = limited(&many, "3000000", "1000");
    assert!(run.err.starts_with("error: cannot start 100 threads of 64 MB of stack: "), "{}", run.err);
    assert_eq!(run.code, Some(2));
    let run = limited(&one, "60000", "1");
    assert!(run.err.starts_with("error: cannot start 1 thread of 64 MB of stack: "), "{}", run.err);
    assert_eq!(run.code, Some(2));
}
