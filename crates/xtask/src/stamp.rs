//! Stamps of steps. A step is skipped if its inputs did not change.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};

use crate::{Outcome, project};

/// The stamp of a step under `target/stamps`: the inputs of its last run, or their hash.
pub(crate) struct Stamp {
    file: PathBuf,
    inputs: String,
}

impl Stamp {
    /// The stamp of the step `name`, done in this way, for the current content of these files and folders. The subfolders `dist`
    /// and `node_modules` are not inputs.
    pub(crate) fn new(name: &str, way: &str, inputs: &[PathBuf]) -> Result<Self, String> {
        let mut hasher = DefaultHasher::new();
        inputs.iter().try_for_each(|input| hash(input, &mut hasher))?;
        let file = project::at("target/stamps").join(name.replace('/', "-"));
        Ok(Self { file, inputs: format!("{:016x} {way}", hasher.finish()) })
    }

    /// Whether the step was done with these inputs. Its outputs are not looked at.
    pub(crate) fn is_fresh(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|inputs| inputs == self.inputs)
    }

    /// Runs the step, unless it is fresh and this output of it exists, and writes the stamp if it succeeds.
    pub(crate) fn renew(&self, output: &Path, step: impl FnOnce() -> Outcome) -> Outcome {
        if self.is_fresh() && output.exists() {
            return Ok(());
        }
        // If the step fails, its output is of no inputs.
        project::write(&self.file, "")?;
        step()?;
        project::write(&self.file, &self.inputs)
    }
}

fn hash(path: &Path, hasher: &mut DefaultHasher) -> Outcome {
    if path.is_dir() {
        let made = ["dist", "node_modules"].map(|name| path.join(name));
        let paths = project::files_in(path, "")?;
        let mut inputs = paths.iter().filter(|path| !made.contains(path));
        return inputs.try_for_each(|path| hash(path, hasher));
    }
    path.hash(hasher);
    fs::read(path).map_err(project::cannot(path))?.hash(hasher);
    Ok(())
}
