//! Stamps of steps. A step is skipped if its inputs did not change.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};

use crate::{Outcome, project};

/// The stamp of a step under `target/stamps`: the hash of the inputs of its last run.
pub(crate) struct Stamp {
    file: PathBuf,
    inputs: String,
}

impl Stamp {
    /// The stamp of the step `name`, for the current content of these files and folders. The subfolders `dist` and
    /// `node_modules` are not inputs.
    pub(crate) fn new(name: &str, inputs: &[PathBuf]) -> Result<Self, String> {
        let mut hasher = DefaultHasher::new();
        inputs.iter().try_for_each(|input| hash(input, &mut hasher))?;
        Ok(Self {
            file: project::at("target/stamps").join(name),
            inputs: format!("{:016x}", hasher.finish()),
        })
    }

    /// The stamp of the same step, done in this way.
    pub(crate) fn with(self, way: &str) -> Self {
        Self { inputs: format!("{} {way}", self.inputs), ..self }
    }

    /// The mark of the step `name` for a text, such as a version.
    pub(crate) fn of_text(name: &str, text: &str) -> Self {
        Self { file: project::at("target/stamps").join(name), inputs: text.to_owned() }
    }

    /// Whether the step was done with these inputs. Its outputs are not looked at.
    pub(crate) fn is_fresh(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|inputs| inputs == self.inputs)
    }

    /// Runs the step, and writes the stamp if it succeeds.
    pub(crate) fn renew(&self, step: impl FnOnce() -> Outcome) -> Outcome {
        let folder = self.file.parent().unwrap_or(project::root());
        if self.file.exists() {
            fs::remove_file(&self.file).map_err(|e| cannot(&self.file, &e))?;
        }
        step()?;
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&self.file, &self.inputs))
            .map_err(|e| cannot(&self.file, &e))
    }
}

fn hash(path: &Path, hasher: &mut DefaultHasher) -> Outcome {
    if path.is_dir() {
        let entries = fs::read_dir(path)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|e| cannot(path, &e))?;
        let made = ["dist", "node_modules"].map(Some);
        let mut paths: Vec<_> = entries
            .iter()
            .filter(|e| !made.contains(&e.file_name().to_str()))
            .map(fs::DirEntry::path)
            .collect();
        paths.sort();
        return paths.iter().try_for_each(|path| hash(path, hasher));
    }
    path.hash(hasher);
    fs::read(path).map_err(|e| cannot(path, &e))?.hash(hasher);
    Ok(())
}

fn cannot(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
