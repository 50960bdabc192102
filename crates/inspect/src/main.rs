//! What is in the files that the compiler makes. It is a program of its own, because what reads these files takes longer to
//! compile than the rest of `cargo xtask`, and few commands need it.

mod addon;
mod functions;

use std::{env, path::Path, process::ExitCode};

const USAGE: &str = "\
usage: inspect functions MODULE.wasm...      what each crate and function of these modules takes
       inspect addon TARGET GLIBC|- FILE     whether the addon is one for this target of Rust, which loads with this glibc";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["functions", modules @ ..] => {
            modules.iter().try_for_each(|module| functions::list(Path::new(module)))
        }
        ["addon", target, glibc, file] => {
            let platform = addon::Platform { target, glibc: Some(*glibc).filter(|it| *it != "-") };
            addon::check(&platform, Path::new(file)).map(|found| println!("{found}"))
        }
        _ => Err(USAGE.into()),
    };

    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
