//! A terminal that a test looks at: the program runs in it as it does in a real one.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use crate::PATIENCE;

pub(crate) struct Terminal {
    process: Child,
    master: File,
    /// So that it stays as the program leaves it.
    _inside: File,
    seen: Arc<Mutex<Seen>>,
}

struct Seen {
    screen: vt100::Parser,
    bytes: Vec<u8>,
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}

fn size(columns: u16, lines: u16) -> Winsize {
    Winsize { ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}

impl Terminal {
    /// Runs a command in a terminal of this size, which is its own.
    pub(crate) fn start(command: &Command, columns: u16, lines: u16) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let inside = OpenOptions::new().read(true).write(true).open(name).unwrap();
        tcsetwinsize(&inside, size(columns, lines)).unwrap();
        let stream = || Stdio::from(inside.try_clone().unwrap());
        let mut own = Command::new("setsid");
        own.arg("--ctty").arg(command.get_program()).args(command.get_args());
        own.current_dir(command.get_current_dir().unwrap());
        crate::take_environment(&mut own, command);
        let process = own.env("TERM", "xterm").stdin(stream()).stdout(stream()).stderr(stream()).spawn().unwrap();
        let master = File::from(master);
        let seen = Seen { screen: vt100::Parser::new(cells(lines), cells(columns), 0), bytes: Vec::new() };
        let seen = Arc::new(Mutex::new(seen));
        let (mut reader, of_reader) = (master.try_clone().unwrap(), Arc::clone(&seen));
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = reader.read(&mut buffer) {
                let mut seen = of_reader.lock().unwrap();
                seen.screen.process(&buffer[..length]);
                seen.bytes.extend(&buffer[..length]);
            }
        });
        Terminal { process, master, _inside: inside, seen }
    }

    pub(crate) fn press(&self, keys: &str) {
        (&self.master).write_all(keys.as_bytes()).unwrap();
    }

    pub(crate) fn resize(&self, columns: u16, lines: u16) {
        self.seen.lock().unwrap().screen.screen_mut().set_size(cells(lines), cells(columns));
        tcsetwinsize(&self.master, size(columns, lines)).unwrap();
    }

    /// What is to be seen.
    pub(crate) fn text(&self) -> String {
        self.seen.lock().unwrap().screen.screen().contents()
    }

    /// Waits until this is to be seen.
    pub(crate) fn shows(&self, text: &str) -> String {
        let begun = Instant::now();
        loop {
            let now = self.text();
            if now.contains(text) {
                return now;
            }
            assert!(begun.elapsed() < PATIENCE, "no '{text}' in:\n{now}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Everything that was written.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.seen.lock().unwrap().bytes.clone()
    }

    /// Has the system ask the program to end.
    pub(crate) fn kill(&self, signal: &str) {
        Command::new("kill").args([signal, &self.process.id().to_string()]).status().unwrap();
    }

    /// Waits for the end; the terminal must be as it was. What is to be seen then, and the exit code.
    pub(crate) fn end(mut self) -> (String, Option<i32>) {
        let begun = Instant::now();
        let code = loop {
            match self.process.try_wait().unwrap() {
                Some(status) => break status.code(),
                None => assert!(begun.elapsed() < PATIENCE, "it does not end:\n{}", self.text()),
            }
            thread::sleep(Duration::from_millis(10));
        };
        // What it wrote last is on its way.
        thread::sleep(Duration::from_millis(100));
        let modes = tcgetattr(&self.master).unwrap().local_modes;
        assert!(modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG), "{modes:?}");
        let seen = self.seen.lock().unwrap();
        let screen = seen.screen.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor());
        (screen.contents(), code)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
