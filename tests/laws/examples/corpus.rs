//! The inputs of a fuzzer as it wants them, one a file: `unpack CHECK FOLDER` writes those that are
//! kept, `seeds FOLDER` those of all vectors, and `keep CHECK FOLDER` keeps what is in a folder.

use std::{env, fs, path::Path};

use laws::fuzzed::{keep, kept, seeds};

fn main() {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["unpack", check, folder] => write(folder, &kept(check)),
        ["seeds", folder] => {
            write(folder, &seeds(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors")));
        }
        ["keep", check, folder] => {
            let count = keep(check, Path::new(folder)).expect("inputs");
            println!("{check}: {count} inputs are kept");
        }
        other => panic!("expected `unpack`, `seeds` or `keep`, found {other:?}"),
    }
}

fn write(folder: &str, inputs: &[Vec<u8>]) {
    fs::create_dir_all(folder).expect("a folder");
    for (at, input) in inputs.iter().enumerate() {
        fs::write(Path::new(folder).join(format!("{at}")), input).expect("a file");
    }
}
