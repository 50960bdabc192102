//! Paths of the project.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A path of the project from its root.
pub(crate) fn at(path: &str) -> PathBuf {
    root().join(path)
}

/// The text of a file of the project.
pub(crate) fn read(file: &str) -> Result<String, String> {
    fs::read_to_string(at(file)).map_err(|error| format!("{file}: {error}"))
}

pub(crate) fn root() -> &'static Path {
    let this_crate = Path::new(env!("CARGO_MANIFEST_DIR"));
    this_crate.ancestors().nth(2).unwrap_or(this_crate)
}

/// The folder of the npm package: its sources, and `dist/` after a build.
pub(crate) fn package() -> PathBuf {
    at("bindings/sendoff-js")
}

/// The files of `folder` whose names end so, in order.
pub(crate) fn files_in(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, String> {
    let cannot = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(cannot)?;

    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(cannot)?.path();
        if path.to_string_lossy().ends_with(ending) {
            files.push(path);
        }
    }

    files.sort();
    Ok(files)
}
