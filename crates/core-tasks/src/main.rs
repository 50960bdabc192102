//! The project's commands that call the core. `cargo xtask` starts them, and does not link the core itself: it compiles in
//! seconds, and a change of the core does not compile it again.

mod account;
mod call_data;
mod demo;
mod project;

use std::{env, path::PathBuf, process::ExitCode};

use sendoff::{http::OPERATIONS, schema::Boundary};

/// The result of a command, with a sentence for people if it fails.
type Outcome = Result<(), String>;

const USAGE: &str = "\
usage: core-tasks COMMAND

  demo                reads {\"request\", \"facts\"}, texts of JSON, from standard input, and answers their estimate with its
                      description
  names               the names of all functions and operations, one on each line
  places              the places of all suites of vectors, one on each line
  vectors PLACE...    runs the suites of these places in the core; the last line is `N passed, N failed`";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["demo"] => demo::run(),
        ["names"] => names(),
        ["places"] => places(),
        ["vectors", places @ ..] => vectors(places),
        _ => Err(USAGE.into()),
    };

    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // The message is empty if the output already contains the reason.
            if !why.is_empty() {
                eprintln!("{why}");
            }
            ExitCode::FAILURE
        }
    }
}

fn names() -> Outcome {
    Boundary::new().functions.iter().for_each(|function| println!("{}", function.name));
    OPERATIONS.iter().for_each(|operation| println!("{}", operation.id.as_str()));
    Ok(())
}

fn places() -> Outcome {
    conformance::places(project::root()).iter().for_each(|place| println!("{}", place.display()));
    Ok(())
}

fn vectors(places: &[&str]) -> Outcome {
    let report = conformance::run(&places.iter().map(PathBuf::from).collect::<Vec<_>>());
    print!("{report}");
    println!("{} passed, {} failed", report.passed(), report.failed());
    if report.failed() == 0 { Ok(()) } else { Err(String::new()) }
}
