//! `demo`: answers one request by the core, the wasm, the native addon and a gateway over HTTP, and
//! describes the answer.

use std::{
    fs,
    io::{Read, stdin},
};

use serde_json::Value;

use crate::{Outcome, build, core_tasks, host::Host, process, project, vectors::Runtime};

pub(crate) fn run(args: &[&str]) -> Outcome {
    let Arguments { request, facts, stays } = Arguments::read(args)?;
    core_tasks::built()?;
    let core = Estimate::of(&request, &facts)?;

    build::run()?;
    let wasm = through_node(Runtime::Wasm, &request, &facts)?;
    let native = through_node(Runtime::Native, &request, &facts)?;

    println!("{}\n\n{}", wasm.pretty, core.account);
    if [&wasm.reply, &native.reply].iter().any(|other| **other != core.reply) {
        return Err("core, wasm and native answered with different bytes".into());
    }

    let bytes = core.reply.len();
    println!(
        "core, wasm and native answered with the same {bytes} bytes (for the package: JSON.stringify of its object)"
    );

    let host = Host::start(&request, &facts)?;

    over_http(&host, &request, &core)?;
    println!("\na day of the pocket service, on its own clock:");
    process::run(&mut process::loud("node", &["crates/xtask/src/day.mjs"]))?;

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

/// Sends the same request to the gateway.
fn over_http(host: &Host, request: &str, core: &Estimate) -> Outcome {
    if !core.fits_gateway {
        println!(
            "not sent over HTTP: a gateway's file has no key for `gsn` and `approxTransactionFeesInUSDT`"
        );
        return Ok(());
    }
    if host.estimate(request)? != core.reply {
        return Err("the gateway answered with different bytes".into());
    }
    println!(
        "the gateway answered with the same bytes: POST {}/api/oc/v1/estimate",
        host.address()
    );
    Ok(())
}

/// The core's answer: the reply, its description for people, and whether a gateway's file has keys for all of the facts.
struct Estimate {
    reply: String,
    account: String,
    fits_gateway: bool,
}

impl Estimate {
    fn of(request: &str, facts: &str) -> Result<Self, String> {
        let input = serde_json::json!({ "request": request, "facts": facts }).to_string();
        let text = process::answer(&mut core_tasks::program(&["demo"]), &input)?;
        let answer: Value =
            serde_json::from_str(&text).map_err(|error| format!("core-tasks: {error}"))?;
        if let Some(why) = answer.get("refused").and_then(Value::as_str) {
            return Err(why.into());
        }

        let field =
            |name: &str| answer.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let fits_gateway = answer.get("fitsGateway") == Some(&Value::Bool(true));
        Ok(Self { reply: field("reply"), account: field("account"), fits_gateway })
    }
}

/// The package's answer as compact text and as indented text.
struct Answer {
    reply: String,
    pretty: String,
}

fn through_node(runtime: Runtime, request: &str, facts: &str) -> Result<Answer, String> {
    let input = serde_json::json!({"request": request, "facts": facts}).to_string();
    let mut node = process::loud("node", &["crates/xtask/src/demo.mjs"]);
    let text = process::answer(node.env("SENDOFF_BACKEND", runtime.name()), &input)?;
    let answer: Value =
        serde_json::from_str(&text).map_err(|error| format!("demo.mjs: {error}"))?;
    let field =
        |name: &str| answer.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    match field("backend") {
        backend if backend == runtime.name() => {
            Ok(Answer { reply: field("reply"), pretty: field("pretty") })
        }
        backend => Err(format!("expected {runtime} to answer, found {backend}")),
    }
}

/// The request and the facts as text, with the project's own as defaults, and whether the gateway keeps running.
struct Arguments {
    request: String,
    facts: String,
    stays: bool,
}

impl Arguments {
    fn read(args: &[&str]) -> Result<Self, String> {
        let (mut request, mut facts, mut stays) = (None, None, false);
        let mut args = args.iter();

        while let Some(arg) = args.next() {
            match *arg {
                "--facts" => {
                    facts = Some(read(args.next().ok_or("expected a file after --facts")?)?)
                }
                "--stay" => stays = true,
                "-" => request = Some(read("-")?),
                option if option.starts_with('-') => {
                    return Err(format!(
                        "expected a file, `-`, --facts or --stay, found `{option}`"
                    ));
                }
                file if request.is_none() => request = Some(read(file)?),
                file => return Err(format!("expected one request, found `{file}` too")),
            }
        }

        let own = |name: &str| read(&project::at("tests/demo").join(name).to_string_lossy());
        let request = request.map_or_else(|| own("request.json"), Ok)?;
        let facts = facts.map_or_else(|| own("facts.json"), Ok)?;

        Ok(Self { request, facts, stays })
    }
}

fn read(file: &str) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = match file {
        "-" => stdin().read_to_end(&mut bytes).map(drop),
        file => fs::read(file).map(|content| bytes = content),
    };
    read.map_err(|error| format!("{file} cannot be read: {error}"))?;
    String::from_utf8(bytes).map_err(|_| format!("{file} cannot be read: expected UTF-8 text"))
}
