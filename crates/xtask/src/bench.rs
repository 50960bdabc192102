//! `bench`: the estimate job (request text in, reply text and user operation hash out) beside the public JavaScript parts
//! that do it today.

use std::{io::stdin, time::Instant};

use sendoff::{
    error::Error,
    estimate::{Estimate, EstimateRequest, Facts, respond},
    user_op::{EntryPoint, user_op_hash},
};
use serde_json::Value;

use crate::{Outcome, build, process, setup};

pub(crate) fn run() -> Outcome {
    build::run()?;
    setup::npm("bench")?;
    // This very program, but optimised, is the side in Rust.
    eprintln!("bench: compiling the core as a Rust program links it, about a minute the first time");
    process::run(&mut process::quiet("cargo", &["build", "--release", "-p", "xtask"]))?;
    process::run(&mut process::loud("node", &["bench/run.mjs"]))
}

/// The side in Rust, which speaks as bench/side.mjs does.
pub(crate) fn core() -> Outcome {
    let mut lines = stdin().lines().map(|line| line.map_err(|error| error.to_string()));
    let first: Value = serde_json::from_str(&lines.next().ok_or("expected the jobs")??).map_err(|e| e.to_string())?;
    let at: EntryPoint = read(&first.get("at").ok_or("expected `at`")?.to_string())?;
    let jobs: Vec<(String, String)> =
        serde_json::from_value(first.get("jobs").cloned().unwrap_or_default()).map_err(|error| error.to_string())?;
    let jobs =
        jobs.into_iter().map(|(request, facts)| Ok((request, read(&facts)?))).collect::<Result<Vec<_>, String>>()?;
    let answers = jobs.iter().map(|(request, facts)| job(request, facts, &at)).collect::<Result<Vec<_>, _>>();
    let answers = answers.map_err(|error| error.to_string())?;
    println!("{}", serde_json::to_string(&answers).map_err(|error| error.to_string())?);
    for line in lines {
        let count: usize = line?.parse().map_err(|_| "expected a number of jobs")?;
        let start = Instant::now();
        for (request, facts) in jobs.iter().cycle().take(count) {
            std::hint::black_box(job(request, facts, &at)).map_err(|error| error.to_string())?;
        }
        println!("{}", start.elapsed().as_nanos());
    }
    Ok(())
}

fn job(request: &str, facts: &Facts, at: &EntryPoint) -> Result<(String, String), Error> {
    let reply = respond(Estimate::new(request.parse::<EstimateRequest>()?, facts.clone())?);
    let hash = user_op_hash(&reply.user_ops, at)?;
    Ok((serde_json::to_string(&reply).unwrap_or_default(), format!("{hash:#x}")))
}

fn read<T: std::str::FromStr<Err = Error>>(document: &str) -> Result<T, String> {
    document.parse().map_err(|error: Error| error.to_string())
}
