//! The modules and the addon, built again in a folder of another name and length: the bytes must be
//! the same.

use std::{env, fs, path::Path, process::id as process_id};

use crate::{Outcome, build, process, project};

/// Builds a copy of the project's files, and compares what cargo makes of it with what it made here.
pub(crate) fn check() -> Outcome {
    build::compiled()?;
    let folder = env::temp_dir()
        .join(format!("sendoff-in-a-folder-with-another-and-longer-name-{}", process_id()));
    let outcome = copied(&folder).and_then(|()| compared(&folder));
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    outcome
}

/// Copies the files that git knows, with their changes.
fn copied(folder: &Path) -> Outcome {
    fs::create_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let files = process::answer(&mut process::quiet("git", &["ls-files"]), "")?;
    for file in files.lines().filter(|file| project::at(file).is_file()) {
        let to = folder.join(file);
        let place = to.parent().unwrap_or(folder);
        fs::create_dir_all(place)
            .and_then(|()| fs::copy(project::at(file), &to))
            .map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(())
}

fn compared(folder: &Path) -> Outcome {
    let target = folder.join("target");
    build::compile_in(folder, &target)?;

    let hashes = |target: &Path| -> Result<Vec<String>, String> {
        let files = build::outputs().into_iter().map(|file| target.join(file));
        let mut node = process::quiet("node", &["crates/xtask/src/hashes.mjs"]);
        let text = process::answer(node.args(files), "")?;
        Ok(text.lines().map(str::to_owned).collect())
    };

    let (here, there) = (hashes(&project::at("target"))?, hashes(&target)?);
    here.iter().for_each(|line| println!("{line}"));

    if here == there {
        Ok(())
    } else {
        Err(format!("expected the same bytes in {}, found:\n{there:#?}", folder.display()))
    }
}
