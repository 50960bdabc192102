//! Paths of the project.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A path of the project from its root.
pub(crate) fn at(path: &str) -> PathBuf {
    root().join(path)
}

pub(crate) fn root() -> &'static Path {
    let this_crate = Path::new(env!("CARGO_MANIFEST_DIR"));
    this_crate.ancestors().nth(2).unwrap_or(this_crate)
}

/// The files of `folder` whose names end so, in order.
pub(crate) fn files_in(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| format!("{}: {error}", folder.display()))?;
    let paths = entries.iter().map(fs::DirEntry::path);

    let mut files: Vec<_> = paths.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    files.sort();
    Ok(files)
}
