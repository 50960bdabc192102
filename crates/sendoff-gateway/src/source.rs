//! The file of a gateway's configuration.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use crate::config::Config;

/// The file of a configuration, which can be read again.
#[derive(Clone, Debug)]
pub struct Source(PathBuf);

impl Source {
    /// The configuration in this file.
    #[must_use]
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self(file.into())
    }

    pub(crate) fn file(&self) -> &Path {
        &self.0
    }

    /// Reads the file.
    ///
    /// # Errors
    ///
    /// A sentence about each problem of the file and of the variables and files that it names.
    pub fn read(&self) -> Result<Config, Vec<String>> {
        let text = fs::read_to_string(&self.0)
            .map_err(|error| vec![format!("the file cannot be read: {error}")])?;
        Config::read(&text, &|name| env::var(name).ok())
            .map_err(|problems| problems.iter().map(ToString::to_string).collect())
    }
}
