//! The places of suites.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// The places of the suites for a project at `root`: its own, the folders in `SENDOFF_VECTORS` (a list like `PATH`, relative to
/// `root`), and the published examples of the live service if there is a copy beside the project. They belong to the service, so
/// the project does not contain them.
#[must_use]
pub fn places(root: &Path) -> Vec<PathBuf> {
    let published = root.join("../shared/vectors/public.json");
    let named = env::var_os("SENDOFF_VECTORS").unwrap_or_default();
    [root.join("tests/vectors")]
        .into_iter()
        .chain(published.exists().then_some(published))
        .chain(
            env::split_paths(&named)
                .filter(|path| !path.as_os_str().is_empty())
                .map(|path| root.join(path)),
        )
        .collect()
}

/// The suite files of a place, in the order of their names.
pub(crate) fn suites(place: &Path) -> Result<Vec<PathBuf>, String> {
    if place.is_file() {
        return Ok(vec![place.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(place).map_err(|error| error.to_string())? {
        files.push(entry.map_err(|error| error.to_string())?.path());
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    if files.is_empty() { Err("expected suites, found no .json file".into()) } else { Ok(files) }
}
