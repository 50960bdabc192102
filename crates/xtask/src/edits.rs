//! Whether somebody works on the code in Rust.

use std::{fs, path::Path, sync::OnceLock, time::SystemTime};

use crate::project;

/// It is written by the first command, and never again.
const FIRST: &str = "target/first";

/// Folders with code in Rust.
const CODE: [&str; 4] = ["bench", "bindings", "crates", "tests"];

/// Folders that tools fill.
const FILLED: [&str; 3] = ["dist", "node_modules", "target"];

/// Returns `true` if a file in Rust is newer than the first command of this project.
///
/// Before that, nothing is gained by compiling incrementally, and it takes a quarter longer. The first edit pays once: all of the
/// workspace is compiled again.
pub(crate) fn are_there() -> bool {
    static ARE_THERE: OnceLock<bool> = OnceLock::new();
    let newer = |first| CODE.iter().any(|folder| has_newer(&project::at(folder), first));
    *ARE_THERE.get_or_init(|| first().is_some_and(newer))
}

fn first() -> Option<SystemTime> {
    let file = project::at(FIRST);
    if !file.exists() {
        fs::create_dir_all(project::at("target")).and_then(|()| fs::write(&file, "")).ok()?;
    }
    changed(&file)
}

fn changed(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|file| file.modified()).ok()
}

fn has_newer(folder: &Path, first: SystemTime) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries.map(|entry| entry.path()).any(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".rs") {
            return changed(&path).is_some_and(|changed| changed > first);
        }
        !FILLED.contains(&&*name) && path.is_dir() && has_newer(&path, first)
    })
}
