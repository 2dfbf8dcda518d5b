//! A resolver of DNS, configured as Ruby's is: servers, domains that are tried, and how many dots a whole name has.
//! It must not know what becomes of the records.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

use pantin_values::Value;

use super::message::{AnyRecord, RecordKind, Reply, question, read_reply};
use crate::entropy;

const PORT: u16 = 53;
const CONFIG_FILE: &str = "/etc/resolv.conf";
const TIMEOUTS: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(10)];
const NO_SUCH_NAME: u8 = 3;

pub(super) struct Resolver {
    servers: Vec<SocketAddr>,
    search: Vec<String>,
    /// A name with so many dots is tried as it is first.
    dots: usize,
}

impl Resolver {
    /// By the system's file, another one of its format, or a hash as Ruby takes it.
    pub(super) fn new(config: Option<&Value>) -> Result<Resolver, String> {
        let mut resolver = Resolver { servers: Vec::new(), search: Vec::new(), dots: 1 };
        match config {
            None | Some(Value::Undef) => resolver.read_file(CONFIG_FILE)?,
            Some(Value::String(path)) => resolver.read_file(path)?,
            Some(Value::Hash(_)) => resolver.read_hash(config),
            Some(_) => return Err("the configuration of a resolver is a path or a hash".to_owned()),
        }
        if resolver.servers.is_empty() {
            return Err("cannot look names up: no name server is configured".to_owned());
        }
        Ok(resolver)
    }

    fn read_file(&mut self, path: &str) -> Result<(), String> {
        let text = fs::read_to_string(path).map_err(|error| format!("cannot look names up by {path}: {error}"))?;
        for line in text.lines() {
            let mut words = line.split(['#', ';']).next().unwrap_or_default().split_whitespace();
            match words.next() {
                Some("nameserver") => self.servers.extend(words.filter_map(|word| server(word, PORT))),
                Some("domain") => self.search = words.take(1).map(str::to_owned).collect(),
                Some("search") => self.search = words.map(str::to_owned).collect(),
                Some("options") => {
                    let dots = words.filter_map(|word| word.strip_prefix("ndots:")?.parse().ok()).next_back();
                    self.dots = dots.unwrap_or(self.dots);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn read_hash(&mut self, config: Option<&Value>) {
        let member = |name: &str| match config {
            Some(Value::Hash(members)) => members.get_str(name).cloned(),
            _ => None,
        };
        let texts = |value: Value| -> Vec<String> {
            value.flattened().iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
        };
        let servers = member("nameserver").map(texts).unwrap_or_default();
        self.servers = servers.iter().filter_map(|address| server(address, PORT)).collect();
        if let Some(Value::Array(pairs)) = member("nameserver_port") {
            let pair = |pair: &Value| match &pair.flattened()[..] {
                [Value::String(address), Value::Integer(port)] => server(address, u16::try_from(*port).ok()?),
                [Value::String(address)] => server(address, PORT),
                _ => None,
            };
            self.servers = pairs.iter().filter_map(pair).collect();
        }
        self.search = member("search").map(texts).unwrap_or_default();
        if let Some(Value::Integer(dots)) = member("ndots") {
            self.dots = usize::try_from(dots).unwrap_or(self.dots);
        }
    }

    /// The records of a name, and of what it is another name of.
    pub(super) fn records(&self, name: &str, kind: RecordKind) -> Result<Vec<AnyRecord>, String> {
        for candidate in self.candidates(name) {
            let reply = self.ask(&candidate, kind)?;
            match reply.code {
                0 => return Ok(matching(reply, candidate, kind)),
                NO_SUCH_NAME => {}
                // Ruby gives up, and has found nothing.
                _ => return Ok(Vec::new()),
            }
        }
        Ok(Vec::new())
    }

    /// The whole names that a name may stand for, in the order in which they are tried.
    fn candidates(&self, name: &str) -> Vec<String> {
        if let Some(whole) = name.strip_suffix('.') {
            return vec![whole.to_owned()];
        }
        let mut candidates = Vec::new();
        if name.matches('.').count() >= self.dots {
            candidates.push(name.to_owned());
        }
        candidates.extend(self.search.iter().map(|domain| format!("{name}.{domain}")));
        if !candidates.iter().any(|candidate| candidate == name) {
            candidates.push(name.to_owned());
        }
        candidates
    }

    fn ask(&self, name: &str, kind: RecordKind) -> Result<Reply, String> {
        let id = entropy() as u16;
        let question = question(id, name, kind).ok_or_else(|| format!("cannot look up '{name}': it is no name"))?;
        let mut reason = String::new();
        for timeout in TIMEOUTS {
            for server in &self.servers {
                match exchange(*server, &question, id, timeout) {
                    Ok(reply) => return Ok(reply),
                    Err(error) => reason = format!("cannot look up '{name}' at {server}: {error}"),
                }
            }
        }
        Err(reason)
    }
}

fn server(address: &str, port: u16) -> Option<SocketAddr> {
    address.parse::<IpAddr>().ok().map(|ip| SocketAddr::new(ip, port))
}

/// A reply that does not fit is asked for again in another way.
fn exchange(server: SocketAddr, question: &[u8], id: u16, timeout: Duration) -> io::Result<Reply> {
    const MOST: usize = 4096;
    let socket = UdpSocket::bind(if server.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" })?;
    socket.set_read_timeout(Some(timeout))?;
    socket.connect(server)?;
    socket.send(question)?;
    let mut bytes = vec![0; MOST];
    loop {
        let length = socket.recv(&mut bytes)?;
        match read_reply(&bytes[..length], id) {
            Some(reply) if reply.is_cut => return exchange_whole(server, question, id, timeout),
            Some(reply) => return Ok(reply),
            // It answers something else.
            None => {}
        }
    }
}

fn exchange_whole(server: SocketAddr, question: &[u8], id: u16, timeout: Duration) -> io::Result<Reply> {
    let mut stream = TcpStream::connect_timeout(&server, timeout)?;
    stream.set_read_timeout(Some(timeout))?;
    let length = u16::try_from(question.len()).map_err(io::Error::other)?;
    stream.write_all(&length.to_be_bytes())?;
    stream.write_all(question)?;
    let mut length = [0; 2];
    stream.read_exact(&mut length)?;
    let mut bytes = vec![0; u16::from_be_bytes(length).into()];
    stream.read_exact(&mut bytes)?;
    read_reply(&bytes, id).ok_or_else(|| io::Error::other("the reply is none"))
}

/// Another name of the one that was asked for is followed, whatever order the records are in.
fn matching(reply: Reply, name: String, kind: RecordKind) -> Vec<AnyRecord> {
    let mut name = name;
    let mut found = Vec::new();
    for _ in 0..2 {
        for record in &reply.records {
            if !record.name.eq_ignore_ascii_case(&name) {
                continue;
            }
            if record.kind == kind {
                found.push(record.clone());
            } else if record.kind == RecordKind::Cname {
                name = record.only_text().unwrap_or(name);
            }
        }
        if !found.is_empty() {
            break;
        }
    }
    found
}
