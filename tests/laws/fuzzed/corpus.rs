//! What fuzzing kept: for each check a file of inputs in hex, one a line, in `tests/fuzz/corpus`.
//! What was found once is in `tests/fuzz/found`, and stays.

use std::path::{Path, PathBuf};
use std::{fs, io};

use alloy_primitives::hex;

/// What is kept of one check, in bytes; the shortest inputs come first.
const MOST: usize = 40 << 10;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz").join(name)
}

fn lines(file: &Path) -> Vec<Vec<u8>> {
    match fs::read_to_string(file) {
        Ok(text) => text.lines().map(|line| hex::decode(line).expect("hex")).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => vec![],
        Err(error) => panic!("{}: {error}", file.display()),
    }
}

/// The inputs that are kept of a check, and those that were found.
#[must_use]
pub fn kept(name: &str) -> Vec<Vec<u8>> {
    ["corpus", "found"].iter().flat_map(|from| lines(&folder(from).join(name))).collect()
}

/// Keeps the inputs in a folder, the shortest first, in place of those that were kept before.
///
/// # Errors
///
/// If a file cannot be read or written.
pub fn keep(name: &str, inputs: &Path) -> io::Result<usize> {
    let mut all = fs::read_dir(inputs)?
        .map(|entry| fs::read(entry?.path()))
        .collect::<io::Result<Vec<_>>>()?;
    all.sort_by_key(|input| (input.len(), input.clone()));
    let mut sum = 0;
    all.retain(|input| {
        sum += input.len();
        sum <= MOST
    });
    let text: String = all.iter().map(|input| hex::encode(input) + "\n").collect();
    fs::write(folder("corpus").join(name), text)?;
    Ok(all.len())
}
