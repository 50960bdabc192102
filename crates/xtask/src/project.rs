//! Paths of the project, and its files.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::Outcome;

/// A path of the project from its root.
pub(crate) fn at(path: &str) -> PathBuf {
    root().join(path)
}

/// The text of a file of the project.
pub(crate) fn read(file: &str) -> Result<String, String> {
    fs::read_to_string(at(file)).map_err(|error| format!("{file}: {error}"))
}

/// Writes a file, whose folder may be absent.
pub(crate) fn write(file: &Path, text: &str) -> Outcome {
    let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
    folder.and_then(|()| fs::write(file, text)).map_err(cannot(file))
}

/// The message of an error with its path.
pub(crate) fn cannot(path: &Path) -> impl Fn(io::Error) -> String + '_ {
    move |error| format!("{}: {error}", path.display())
}

pub(crate) fn root() -> &'static Path {
    let this_crate = Path::new(env!("CARGO_MANIFEST_DIR"));
    this_crate.ancestors().nth(2).unwrap_or(this_crate)
}

/// The folder of the npm package: its sources, and `dist/` after a build.
pub(crate) fn package() -> PathBuf {
    at("bindings/sendoff-js")
}

/// The files and folders of `folder` whose names end so, in order.
pub(crate) fn files_in(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(cannot(folder))?;
    let paths = entries.iter().map(fs::DirEntry::path);
    let mut paths: Vec<_> = paths.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    paths.sort();
    Ok(paths)
}
