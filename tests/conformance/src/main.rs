//! `run-vectors [PLACE…]`: runs the suites of these places in the core, by default those of the project. The last line is
//! `N passed, N failed`. With `--places` it prints the places of the project's suites instead, one on each line.

use std::{env, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let this_crate = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = conformance::places(this_crate.ancestors().nth(2).unwrap_or(this_crate));
    let args: Vec<_> = env::args_os().skip(1).collect();
    if args.iter().any(|arg| arg == "--places") {
        own.iter().for_each(|place| println!("{}", place.display()));
        return ExitCode::SUCCESS;
    }

    let places = if args.is_empty() { own } else { args.into_iter().map(Into::into).collect() };
    let report = conformance::run(&places);
    print!("{report}");
    println!("{} passed, {} failed", report.passed, report.failed);
    if report.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
