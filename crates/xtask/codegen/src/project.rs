//! Paths of the project.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A path of the project from its root.
pub(crate) fn at(path: &str) -> PathBuf {
    let this_crate = Path::new(env!("CARGO_MANIFEST_DIR"));
    this_crate.ancestors().nth(3).unwrap_or(this_crate).join(path)
}

/// The text of a file of the project.
pub(crate) fn read(file: &str) -> Result<String, String> {
    fs::read_to_string(at(file)).map_err(|error| format!("{file}: {error}"))
}

/// The names of the files in `folder` that end so.
pub(crate) fn names_in(folder: &str, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(at(folder)).into_iter().flatten().filter_map(Result::ok);
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.ends_with(ending)).collect()
}
