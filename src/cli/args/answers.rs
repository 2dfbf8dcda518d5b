//! The options for what the network and commands would answer.

use std::io;
use std::path::PathBuf;

use clap::Args;
use pantin_model::catalog::Rich;
use pantin_repository::options::AnswerFile;
use pantin_world::{Answers, absolute_path, write_file};

use crate::print::printable::escaped_json;

#[derive(Debug, Args)]
pub(crate) struct AnswerArguments {
    /// What functions that ask elsewhere would answer, puppetdb_query and generate among them: a JSON array of
    /// {function, arguments, answer}, where "not_found": true in place of the answer is for back ends of Hiera. What
    /// commands say that Ruby code of modules runs stands under the function "ruby command"; names that it looks up stand under Resolv.getaddresses, Resolv.getnames, Resolv::DNS#getaddresses,
    /// Resolv::DNS#getnames, Resolv::DNS#getresources and Addrinfo.getaddrinfo
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,

    /// Run the commands of generate() and of Ruby code that have no answer, look up the names that have none, and keep
    /// what they print and what is found in the file of --answers; with --ruby also what functions give that it runs. Of other
    /// calls without an answer an item is kept there that is to be filled in
    #[arg(long, requires = "answers")]
    record: bool,
}

impl AnswerArguments {
    pub(crate) fn options(&self) -> AnswerFile {
        AnswerFile { file: self.answers.clone(), record: self.record }
    }

    /// Writes the file anew if there are new answers.
    pub(crate) fn keep(&self, answers: &Answers) -> io::Result<()> {
        let (Some(file), Some(all)) = (&self.answers, answers.with_noted()) else { return Ok(()) };
        let json = serde_json::to_string_pretty(&Rich::from_value(&all)).map(escaped_json).map_err(io::Error::other)?;
        let reason = |error: io::Error| io::Error::other(format!("cannot write {}: {error}", file.display()));
        write_file(&absolute_path(file), format!("{json}\n").as_bytes()).map_err(reason)
    }
}
