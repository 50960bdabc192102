//! The files of a gateway: its configuration, and applications.

use std::{fs, path::PathBuf};

use crate::{
    config::{Config, Problem},
    database::transfer::Applications,
};

/// A file of a configuration or of applications.
#[derive(Clone, Debug)]
pub struct Source(PathBuf);

impl Source {
    /// The file at this path.
    #[must_use]
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self(file.into())
    }

    /// Reads a configuration.
    ///
    /// # Errors
    ///
    /// A sentence with the file, and the line and the key of its first problem.
    pub fn read(&self) -> Result<Config, String> {
        self.read_as(Config::read)
    }

    /// Reads applications.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub fn read_applications(&self) -> Result<Applications, String> {
        self.read_as(Applications::read)
    }

    fn read_as<T>(&self, read: fn(&str) -> Result<T, Problem>) -> Result<T, String> {
        let file = self.0.display();
        let text = fs::read_to_string(&self.0)
            .map_err(|error| format!("{file}: the file cannot be read: {error}"))?;
        read(&text).map_err(|problem| format!("{file}: {problem}"))
    }
}
