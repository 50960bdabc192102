//! Files of TOML, read by serde: the line and the key of the first problem.

use std::path::Path;
use std::{fmt, fs};

use serde::de::DeserializeOwned;

/// A problem at one place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// The place, dotted from the root: `environment.production.listen`. Empty for the whole file.
    pub path: String,
    /// What was expected and what was found.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, path, message } = self;
        let colon = if path.is_empty() { "" } else { ": " };
        write!(f, "line {line}: {path}{colon}{message}")
    }
}

impl Problem {
    fn new(text: &str, path: &str, error: &toml::de::Error) -> Self {
        let span = error.span().unwrap_or_default();
        let before = text.get(..span.start).unwrap_or_default();
        // A text that is not as it should be may be a secret.
        let found = text.get(span).filter(|found| found.starts_with(['"', '\'']));
        let mut message = error.message().to_owned();
        if let Some(found) = found.map(|found| found.trim_matches(['"', '\''])) {
            for quote in ["\"", "`"] {
                message = message.replace(&[quote, found, quote].concat(), "another text");
            }
        }
        Self { line: before.matches('\n').count().saturating_add(1), path: path.into(), message }
    }
}

/// Reads a file's text.
///
/// # Errors
///
/// The first problem of the file.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    let document = toml::Deserializer::parse(text);
    let document = document.map_err(|error| Problem::new(text, "", &error))?;
    serde_path_to_error::deserialize(document).map_err(|error| {
        let path = error.path().to_string();
        Problem::new(text, if path == "." { "" } else { &path }, error.inner())
    })
}

/// Reads a file by the reader of its text, such as [`Config::read`](crate::config::Config::read) or
/// [`Applications::read`](crate::Applications::read).
///
/// # Errors
///
/// A sentence with the file, and the line and the key of its first problem.
pub fn read_file<T>(file: &Path, reader: fn(&str) -> Result<T, Problem>) -> Result<T, String> {
    let name = file.display();
    let text = fs::read_to_string(file)
        .map_err(|error| format!("{name}: the file cannot be read: {error}"))?;
    reader(&text).map_err(|problem| format!("{name}: {problem}"))
}
