//! Where things lie in the project.

use std::path::{Path, PathBuf};

/// A path of the project from its root.
pub(crate) fn at(path: &str) -> PathBuf {
    root().join(path)
}

pub(crate) fn root() -> &'static Path {
    let this_crate = Path::new(env!("CARGO_MANIFEST_DIR"));
    this_crate.ancestors().nth(2).unwrap_or(this_crate)
}

/// The npm package: its sources, with `dist/` once it is built.
pub(crate) fn package() -> PathBuf {
    at("bindings/sendoff-js")
}
