//! `bench`: the three jobs of bench/jobs.mjs beside the public JavaScript parts that do them today,
//! in Node and in Chromium; rate windows on Redis beside rate-limiter-flexible; how times grow; the
//! estimate over HTTP, by the gateway and by a Hono host on the package; forwarding beside nginx; and
//! the core in Rust, by stages, beside alloy and beside governor.

use std::{
    io::{BufRead as _, BufReader},
    process::Stdio,
};

use crate::{
    Outcome, apt, build, docs,
    host::Host,
    process::{self, sh, words},
    setup,
};

pub(crate) fn run() -> Outcome {
    in_javascript("")?;
    over_http()?;
    eprintln!("\nbench: the core in Rust, about three minutes");
    sh("cargo bench -p bench")
}

/// Measures in JavaScript, and writes the figures and their pictures.
pub(crate) fn write() -> Outcome {
    in_javascript("--write")?;
    docs::pictures()
}

fn in_javascript(argument: &str) -> Outcome {
    build::run()?;
    setup::npm("bench")?;
    setup::browser()?;
    setup::redis()?;
    eprintln!(
        "bench: compiling the core as a Rust program links it, about a minute the first time"
    );
    sh("cargo build --release -p bench --bins")?;
    sh(&format!("node bench/run.mjs {argument}"))
}

/// Compares the gateway with the host in Node, in one run.
fn over_http() -> Outcome {
    if !process::succeeds("which", &["wrk"]) && apt::is_possible() {
        apt::install(&["wrk"])?;
    }

    let gateway = Host::optimised()?;
    let mut hono = words("node bench/hono-host/server.mjs");
    let mut hono = hono
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("node cannot be started: {error}"))?;
    let mut address = String::new();
    let read = hono.stdout.take().map(|output| BufReader::new(output).read_line(&mut address));
    let (gateway_id, hono_id) = (gateway.id().to_string(), hono.id().to_string());
    let sides = ["gateway", gateway.address(), &gateway_id, "hono", address.trim(), &hono_id];

    println!();
    let outcome = match read {
        Some(Ok(1..)) => process::run(words("node bench/http.mjs").args(sides)),
        _ => Err("the Hono host did not start".into()),
    };
    // It may have ended by itself.
    let _ended = hono.kill();
    let _status = hono.wait();
    outcome?;

    println!();
    if !process::succeeds("which", &["nginx"]) {
        println!("nginx is not installed: the gateway was not measured beside it");
        return Ok(());
    }
    sh("node bench/hosts.mjs target/release/sendoff-gateway")
}
