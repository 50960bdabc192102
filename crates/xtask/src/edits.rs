//! Whether somebody works on the code in Rust.

use std::{fs, path::Path, process::Command, sync::OnceLock, time::SystemTime};

use crate::project;

/// It is written by the first command, and never again.
const FIRST: &str = "target/first";

/// Returns `true` if a file in Rust is newer than the first command of this project.
///
/// Before that, nothing is gained by compiling incrementally, and it takes a quarter longer. The first edit pays once: all of the
/// workspace is compiled again.
pub(crate) fn are_there() -> bool {
    static ARE_THERE: OnceLock<bool> = OnceLock::new();
    *ARE_THERE.get_or_init(|| {
        let first = project::at(FIRST);
        if !first.exists() {
            let made =
                fs::create_dir_all(project::at("target")).and_then(|()| fs::write(&first, ""));
            return made.is_err();
        }
        let files =
            Command::new("git").args(["ls-files", "*.rs"]).current_dir(project::root()).output();
        let files = files.map(|files| String::from_utf8_lossy(&files.stdout).into_owned());
        let first = changed(&first);
        files.is_ok_and(|files| files.lines().any(|file| changed(&project::at(file)) > first))
    })
}

fn changed(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|file| file.modified()).ok()
}
