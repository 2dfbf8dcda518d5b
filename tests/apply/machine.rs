//! A machine that lives for one case: a root over the base, in namespaces of its own, without a network.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::apply_case::{Applier, ApplyCase};
use crate::booter::{self, Booted};
use crate::looks;
use crate::tree_text::{self, Tree};
use crate::workspace::{Workspace, mount};

/// Stands in each root that the harness made. Nothing is applied where it is missing.
pub(crate) const MARKER: &str = "/made-by-the-tests-of-pantin";

/// Seconds that one command may take.
const LIMIT: u64 = 90;

const VARIABLES: [(&str, &str); 8] = [
    ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
    ("HOME", concat!("/ro", "ot")),
    ("TZ", "UTC"),
    ("LANG", "C.UTF-8"),
    ("LC_ALL", "C.UTF-8"),
    ("USER", "root"),
    ("LOGNAME", "root"),
    ("SHELL", "/bin/sh"),
];

pub(crate) struct Machine {
    folder: PathBuf,
    /// What is seen inside as `/`.
    root: PathBuf,
    upper: PathBuf,
    base: PathBuf,
    process: Child,
    booted: Option<Booted>,
    commands: Option<ChildStdin>,
    answers: Receiver<String>,
}

impl Machine {
    /// Starts a fresh machine with the files of a case on it.
    pub(crate) fn start(workspace: &Workspace, case: &ApplyCase, applier: Applier) -> Result<Machine, String> {
        let folder = tempfile::Builder::new().tempdir_in(&workspace.folder).map_err(|error| error.to_string())?.keep();
        let [root, upper, work] = ["root", "upper", "work"].map(|name| folder.join(name));
        for path in [&root, &upper, &work] {
            fs::create_dir(path).map_err(|error| error.to_string())?;
        }
        fs::set_permissions(&upper, fs::Permissions::from_mode(0o755)).unwrap();
        let mut lower = workspace.base.display().to_string();
        let booter = if case.boots { Some(workspace.booter()?) } else { None };
        if let Some(booter) = booter {
            lower = format!("{}:{lower}", booter.layer.display());
        }
        if !matches!(applier, Applier::Pantin { .. }) {
            lower = format!("{}:{lower}", workspace.oracle_layer()?.display());
        }
        let options = format!("lowerdir={lower},upperdir={},workdir={}", upper.display(), work.display());
        mount(&["-t", "overlay", "overlay", "-o", &options], &root)?;
        let prepared = prepare(&root, workspace, case, applier);
        let booted = prepared.and_then(|()| booter.map(|booter| booter.boot(&root)).transpose());
        let started = booted.and_then(|booted| Ok((start_loop(&root, applier, booted.as_ref())?, booted)));
        match started {
            Ok(((process, commands, answers), booted)) => {
                let base = workspace.base.clone();
                Ok(Machine { folder, root, upper, base, process, booted, commands: Some(commands), answers })
            }
            Err(problem) => {
                let _ = Command::new("umount").args(["-R", "-l"]).arg(&root).status();
                Err(problem)
            }
        }
    }

    /// Runs a line of shell inside, and returns its exit code.
    pub(crate) fn run(&mut self, line: &str) -> Result<i32, String> {
        let commands = self.commands.as_mut().ok_or("the machine has ended")?;
        writeln!(commands, "{line}").map_err(|error| format!("the machine does not take a command: {error}"))?;
        match self.answers.recv_timeout(Duration::from_secs(LIMIT)) {
            Ok(code) => code.trim().parse().map_err(|_| format!("the machine answered {code:?}")),
            Err(_) => {
                let _ = self.process.kill();
                Err(format!("no end after {LIMIT} seconds"))
            }
        }
    }

    pub(crate) fn read(&self, path: &str) -> Vec<u8> {
        fs::read(inside(&self.root, path)).unwrap_or_default()
    }

    /// Writes a file inside.
    pub(crate) fn write(&self, path: &str, text: &str) -> Result<(), String> {
        write(&self.root, path, text)
    }

    pub(crate) fn tree(&self) -> Tree {
        tree_text::read(&self.base, &self.upper, &self.root)
    }

    /// The folder of what was changed since the start.
    pub(crate) fn upper(&self) -> &Path {
        &self.upper
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.commands = None;
        let _ = self.process.kill();
        let _ = self.process.wait();
        self.booted = None;
        let _ = Command::new("umount").args(["-R", "-l"]).arg(&self.root).stderr(Stdio::null()).status();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn inside(root: &Path, path: &str) -> PathBuf {
    root.join(path.trim_start_matches('/'))
}

fn write(root: &Path, path: &str, text: &str) -> Result<(), String> {
    let path = inside(root, path);
    fs::create_dir_all(path.parent().unwrap())
        .and_then(|()| fs::write(&path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

fn prepare(root: &Path, workspace: &Workspace, case: &ApplyCase, applier: Applier) -> Result<(), String> {
    write(root, MARKER, "")?;
    write(root, "/etc/hostname", "web01\n")?;
    write(root, "/etc/hosts", "127.0.0.1\tlocalhost\n10.0.0.7\tweb01.example.org web01\n")?;
    write(root, "/etc/resolv.conf", "")?;
    for configuration in ["/etc/puppet", "/etc/puppetlabs/puppet"] {
        write(root, &format!("{configuration}/puppet.conf"), "[main]\ncertname = web01.example.org\n")?;
    }
    let folders = ["etc/puppet/code", "etc/puppetlabs/code"].map(|code| format!("{code}/environments/production"));
    for folder in folders.iter().map(String::as_str).chain(["work", "case/modules", "case/said", "opt/modules"]) {
        fs::create_dir_all(root.join(folder)).map_err(|error| error.to_string())?;
    }
    write(root, "/case/site.pp", &case.manifest)?;
    write(root, "/case/debs.sh", include_str!("debs.sh"))?;
    for (path, text) in looks::PROGRAMS {
        write(root, path, text)?;
        fs::set_permissions(inside(root, path), fs::Permissions::from_mode(0o755))
            .map_err(|error| error.to_string())?;
    }
    for (name, text) in [("before", &case.before), ("between", &case.between)] {
        if let Some(text) = text {
            write(root, &format!("/case/{name}.sh"), text)?;
        }
    }
    for (path, text) in &case.files {
        write(root, &format!("/case/{path}"), text)?;
    }
    for name in &case.modules {
        let module = workspace.module(name).ok_or(format!("the module {name} is not here: run tests/oracle/setup"))?;
        bind(&module, &inside(root, &format!("/opt/modules/{name}")), true)?;
    }
    match applier {
        Applier::Pantin { .. } => {
            let program = inside(root, "/usr/local/bin/pantin");
            bind(Path::new(env!("CARGO_BIN_EXE_pantin")), &program, false)
        }
        Applier::Puppet7 => write(root, "/case/oracle.rb", include_str!("oracle.rb")),
        Applier::Puppet8 => {
            let library = workspace.puppet8().ok_or("there is no Puppet 8 here: run tests/oracle/setup")?;
            bind(&library, &inside(root, "/opt/puppet8"), true)?;
            write(root, "/case/oracle.rb", include_str!("oracle.rb"))
        }
    }
}

fn bind(from: &Path, to: &Path, is_folder: bool) -> Result<(), String> {
    let made = if is_folder { fs::create_dir_all(to) } else { fs::write(to, "") };
    made.map_err(|error| format!("{}: {error}", to.display()))?;
    mount(&["--bind", "-o", "ro", &from.display().to_string()], to)
}

type Loop = (Child, ChildStdin, Receiver<String>);

/// Starts the process that takes lines of shell inside, and answers each with an exit code.
fn start_loop(root: &Path, applier: Applier, booted: Option<&Booted>) -> Result<Loop, String> {
    refuse_other_roots(root)?;
    let mut command = match booted {
        Some(booted) => booter::enter(booted.leader),
        None => {
            let mut command = Command::new("unshare");
            command.args(["--mount", "--uts", "--ipc", "--net", "--pid", "--fork", "--kill-child"]);
            command.arg(format!("--mount-proc={}/proc", root.display())).arg("chroot").arg(root);
            command
        }
    };
    match applier {
        Applier::Pantin { .. } => command.args(["/bin/sh", "-c"]).arg(format!(
            "[ -e {MARKER} ] || exit 9; hostname web01; cd /; umask 022; \
             while IFS= read -r line; do (eval \"$line\") </dev/null; echo $?; done"
        )),
        Applier::Puppet7 => command.args(["/usr/bin/ruby3.1", "/case/oracle.rb", MARKER]),
        Applier::Puppet8 => command.args(["/usr/bin/ruby3.1", "-I", "/opt/puppet8", "/case/oracle.rb", MARKER]),
    };
    command.env_clear().envs(VARIABLES).current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process = command.spawn().map_err(|error| error.to_string())?;
    let commands = process.stdin.take().unwrap();
    let lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let (sender, answers) = channel();
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    Ok((process, commands, answers))
}

/// Returns an error for a root that is this machine's own, or that the harness did not make.
pub(crate) fn refuse_other_roots(root: &Path) -> Result<(), String> {
    let place =
        |path: &Path| fs::metadata(path).map(|about| (about.dev(), about.ino())).map_err(|error| error.to_string());
    let ours = place(root)?;
    // Not everybody may look at the root of process 1; it is no other one then than ours.
    let is_other = ours != place(Path::new("/"))? && place(Path::new("/proc/1/root")) != Ok(ours);
    let is_marked = inside(root, MARKER).exists();
    (is_other && is_marked).then_some(()).ok_or_else(|| format!("{} is no machine of a test", root.display()))
}
