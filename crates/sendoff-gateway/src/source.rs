//! The files of a gateway: its configuration, and applications.

use std::{fs, path::Path};

use crate::config::Problem;

/// Reads a file by the reader of its text, such as [`Config::read`](crate::config::Config::read) or
/// [`Applications::read`](crate::Applications::read).
///
/// # Errors
///
/// A sentence with the file, and the line and the key of its first problem.
pub fn read<T>(file: &Path, reader: fn(&str) -> Result<T, Problem>) -> Result<T, String> {
    let name = file.display();
    let text = fs::read_to_string(file)
        .map_err(|error| format!("{name}: the file cannot be read: {error}"))?;
    reader(&text).map_err(|problem| format!("{name}: {problem}"))
}
