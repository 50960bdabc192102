//! The file of a gateway's configuration.

use std::{env, fs, path::PathBuf};

use crate::config::{Applications, Config, Problem, Variables};

/// The file of a configuration.
#[derive(Clone, Debug)]
pub struct Source(PathBuf);

impl Source {
    /// The configuration in this file.
    #[must_use]
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self(file.into())
    }

    /// Reads the file.
    ///
    /// # Errors
    ///
    /// A sentence about each problem of the file and of the variables and files that it names.
    pub fn read(&self) -> Result<Config, Vec<String>> {
        self.read_as(Config::read)
    }

    /// Reads a file of applications.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub fn read_applications(&self) -> Result<Applications, Vec<String>> {
        self.read_as(Applications::read)
    }

    fn read_as<T>(
        &self,
        read: fn(&str, Variables<'_>) -> Result<T, Vec<Problem>>,
    ) -> Result<T, Vec<String>> {
        let text = fs::read_to_string(&self.0)
            .map_err(|error| vec![format!("the file cannot be read: {error}")])?;
        read(&text, &|name| env::var(name).ok())
            .map_err(|problems| problems.iter().map(ToString::to_string).collect())
    }
}
