//! `demo`: a client that signs what comes back, and what happens to the money. With `--all` it answers one request by the core, the wasm,
//! the native addon and a gateway over HTTP too, and describes the answer.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::{
    Outcome, build,
    host::{Host, TOKEN},
    process::{answer, run as finish, words},
    project, suites,
};

pub(crate) fn run(args: &[&str]) -> Outcome {
    let Arguments { request, facts, stays, shows_all } = Arguments::read(args)?;
    build::run()?;
    suites::story()?;
    if !shows_all {
        println!(
            "\n`cargo xtask demo --all` shows an estimate in every runtime and over HTTP, and a day of the pocket service"
        );
        return Ok(());
    }

    println!();
    let core = by_the_core(&request, &facts)?;
    let input = json!({ "request": request, "facts": facts });
    let wasm = through_node(&input, "wasm")?;
    let native = through_node(&input, "native")?;

    println!("{}\n", text(&wasm, "shown"));
    for (backend, answer) in [("wasm", &wasm), ("native", &native)] {
        if text(answer, "backend") != backend || text(answer, "reply") != core {
            return Err(format!("expected the bytes of the core by {backend}, found {answer}"));
        }
    }
    println!(
        "core, wasm and native answered with the same {} bytes (for the package: JSON.stringify of its object)",
        core.len()
    );

    let host = Host::start(&request, &facts)?;
    over_http(&host, &request, &core)?;
    println!("\na day of the pocket service, on its own clock:");
    finish(&mut words("node crates/xtask/src/day.mjs"))?;

    if !stays {
        println!("`cargo xtask demo --stay` serves the playground at {}", host.playground());
        return Ok(());
    }
    println!(
        "the playground: {}\nthe dashboard: {}\n\nstop with Ctrl-C",
        host.playground(),
        host.dashboard()
    );
    host.stay()
}

/// The reply of the core, by the command line.
fn by_the_core(request: &str, facts: &str) -> Result<String, String> {
    finish(&mut words("cargo build --quiet --bin sendoff"))?;
    let folder = project::at("target/demo");
    let kept = |name: &str, text: &str| -> io::Result<PathBuf> {
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), text)?;
        Ok(folder.join(name))
    };
    let files =
        kept("request.json", request).and_then(|file| Ok([file, kept("facts.json", facts)?]));
    let files = files.map_err(|error| format!("{}: {error}", folder.display()))?;

    let mut sendoff = words("target/debug/sendoff estimate");
    let output = sendoff.args(&files).arg("--json").output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
    if output.status.success() { Ok(said) } else { Err(format!("the estimate is refused: {said}")) }
}

/// Sends the same request to the gateway.
fn over_http(host: &Host, request: &str, core: &str) -> Outcome {
    let reply: Value = serde_json::from_str(core).map_err(|error| error.to_string())?;
    let is = |place, wanted: Value| reply.pointer(place).is_none_or(|found| *found == wanted);
    if !is("/data/callData/gsn/isPossible", json!(false))
        || !is("/data/callData/gsn/isRequired", json!(false))
        || !is("/data/details/fees/approxTransactionFeesInUSDT", json!(""))
    {
        println!(
            "not sent over HTTP: a gateway's file has no key for `gsn` and `approxTransactionFeesInUSDT`"
        );
        return Ok(());
    }

    let address = format!("{}/api/oc/v1/estimate", host.address());
    let input = json!({ "address": address, "token": TOKEN, "request": request });
    let sent = through_node(&input, "")?;
    if sent.get("status") != Some(&json!(200)) || text(&sent, "reply") != core {
        return Err(format!("expected the bytes of the core by the gateway, found {sent}"));
    }
    println!("the gateway answered with the same bytes: POST {address}");
    Ok(())
}

fn through_node(input: &Value, backend: &str) -> Result<Value, String> {
    let mut node = words("node crates/xtask/src/demo.mjs");
    let text = answer(node.env("SENDOFF_BACKEND", backend), &input.to_string())?;
    serde_json::from_str(&text).map_err(|error| format!("demo.mjs: {error}"))
}

fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The request and the facts as text, with the project's own as defaults, and whether the gateway keeps running.
struct Arguments {
    request: String,
    facts: String,
    stays: bool,
    /// What comes after the story: asked for, or needed for what is asked for.
    shows_all: bool,
}

impl Arguments {
    fn read(args: &[&str]) -> Result<Self, String> {
        let (mut request, mut facts, mut stays) = (None, None, false);
        let shows_all = !args.is_empty();
        let mut args = args.iter();

        while let Some(arg) = args.next() {
            match *arg {
                "--facts" => facts = Some(*args.next().ok_or("expected a file after --facts")?),
                "--stay" => stays = true,
                "--all" => {}
                option if option.starts_with("--") => {
                    return Err(format!(
                        "expected a file, `-`, --all, --facts or --stay, found `{option}`"
                    ));
                }
                file if request.is_none() => request = Some(file),
                file => return Err(format!("expected one request, found `{file}` too")),
            }
        }

        let own = |name: &str| project::at("tests/demo").join(name);
        let request = request.map_or_else(|| own("request.json"), PathBuf::from);
        let facts = facts.map_or_else(|| own("facts.json"), PathBuf::from);
        Ok(Self { request: read(&request)?, facts: read(&facts)?, stays, shows_all })
    }
}

fn read(file: &Path) -> Result<String, String> {
    let is_input = file == Path::new("-");
    let read = if is_input { io::read_to_string(io::stdin()) } else { fs::read_to_string(file) };
    read.map_err(|error| format!("{} cannot be read: {error}", file.display()))
}
