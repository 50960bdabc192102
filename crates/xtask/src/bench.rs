//! `bench`: the estimate job (request text in, reply text and user operation hash out) beside the public JavaScript parts
//! that do it today; and the estimate over HTTP, by the gateway and by a Hono host on the package.

use std::{
    io::{BufRead as _, BufReader, stdin},
    process::Stdio,
    time::Instant,
};

use sendoff::{
    error::Error,
    estimate::{Estimate, EstimateRequest, Facts, respond},
    user_op::{EntryPoint, user_op_hash},
};
use serde_json::Value;

use crate::{Outcome, apt, build, host::Host, process, setup};

pub(crate) fn run() -> Outcome {
    build::run()?;
    setup::npm("tests/bench")?;
    // This very program, but optimised, is the side in Rust.
    eprintln!("bench: compiling the core as a Rust program links it, about a minute the first time");
    process::run(&mut process::quiet("cargo", &["build", "--release", "-p", "xtask"]))?;
    process::run(&mut process::loud("node", &["tests/bench/run.mjs"]))?;
    over_http()
}

/// The gateway beside the host in Node, in one run.
fn over_http() -> Outcome {
    if !process::agrees("which", &["wrk"]) && apt::is_possible() {
        apt::install(&["wrk"])?;
    }
    let gateway = Host::optimised()?;
    let mut hono = process::loud("node", &["tests/bench/hono-host/server.mjs"]);
    let mut hono = hono.stdout(Stdio::piped()).spawn().map_err(|error| format!("node cannot be started: {error}"))?;
    let mut address = String::new();
    let read = hono.stdout.take().map(|output| BufReader::new(output).read_line(&mut address));
    let (gateway_id, hono_id) = (gateway.id().to_string(), hono.id().to_string());
    let sides = ["gateway", gateway.address(), &gateway_id, "hono", address.trim(), &hono_id];
    println!();
    let outcome = match read {
        Some(Ok(1..)) => process::run(process::loud("node", &["tests/bench/http.mjs"]).args(sides)),
        _ => Err("the Hono host did not start".into()),
    };
    // It may have ended by itself.
    let _ended = hono.kill();
    let _status = hono.wait();
    outcome
}

/// The side in Rust, which speaks as tests/bench/side.mjs does.
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
    let hash = user_op_hash(&reply.data.user_ops.clone().into(), at)?;
    Ok((serde_json::to_string(&reply).unwrap_or_default(), hash.to_string()))
}

fn read<T: std::str::FromStr<Err = Error>>(document: &str) -> Result<T, String> {
    document.parse().map_err(|error: Error| error.to_string())
}
