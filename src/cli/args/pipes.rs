//! What a shell pipes into arguments: `--node-file <(command)`, for all options that take a file.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use pantin_world::HeldPipes;

/// Puts a file with what was piped in into the place of each pipe.
pub(crate) fn with_files(given: Vec<OsString>, pipes: &mut HeldPipes) -> io::Result<Vec<OsString>> {
    given.into_iter().map(|argument| with_file(argument, pipes)).collect()
}

fn with_file(argument: OsString, pipes: &mut HeldPipes) -> io::Result<OsString> {
    if let Some(file) = pipes.hold(Path::new(&argument))? {
        return Ok(file.into());
    }
    // `--facts=/dev/fd/63`
    if let Some((option, value)) = argument.to_str().and_then(|text| text.split_once('='))
        && option.starts_with("--")
        && let Some(file) = pipes.hold(Path::new(value))?
    {
        let mut whole = OsString::from(format!("{option}="));
        whole.push(file);
        return Ok(whole);
    }
    Ok(argument)
}
