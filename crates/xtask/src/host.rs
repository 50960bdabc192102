//! A gateway that is started for a request and its facts.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::TcpListener,
    process::{Child, Stdio},
};

use sendoff::{
    error::Error,
    estimate::{EstimateRequest, Facts},
    intent::Move,
};
use serde_json::Value;

use crate::{Outcome, process, project, setup, stamp::Stamp};

/// A running gateway. Dropping it ends the process.
pub(crate) struct Host {
    child: Child,
    address: String,
}

/// The token of the demo's user. It is valid in the demo only.
const TOKEN: &str = "demo-token";

/// The demo's port, unless another program uses it.
const PORT: u16 = 8787;

const DEBUG: &str = "target/debug/sendoff-gateway";
const PLAYGROUND: &str = "bindings/playground";

impl Host {
    /// Builds the gateway and the playground, and starts them with a configuration for the request and its facts.
    pub(crate) fn start(request: &EstimateRequest, facts: &Facts) -> Result<Self, String> {
        if !project::at(DEBUG).exists() {
            eprintln!("demo: compiling the gateway, two to three minutes the first time");
        }
        process::run(&mut process::quiet("cargo", &["build", "--bin", "sendoff-gateway"]))?;
        playground()?;
        Self::spawn(DEBUG, &config(request, facts))
    }

    /// The release build of the gateway, with the configuration of the demo, for benchmarks.
    pub(crate) fn optimised() -> Result<Self, String> {
        eprintln!("bench: compiling the gateway for release, three to four minutes the first time");
        process::run(&mut process::quiet("cargo", &["build", "--release", "-p", "sendoff-gateway"]))?;
        let (request, facts) = demo()?;
        Self::spawn("target/release/sendoff-gateway", &config(&request, &facts))
    }

    fn spawn(program: &str, config: &str) -> Result<Self, String> {
        let file = project::at("target/demo-gateway.toml");
        fs::write(&file, config).map_err(|error| format!("{}: {error}", file.display()))?;
        let program = project::at(program);
        let mut command = process::loud(&program.to_string_lossy(), &["--config", &file.to_string_lossy()]);
        command.env("SENDOFF_DEMO_TOKEN", TOKEN).env("SENDOFF_LOG", "warn").stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("the gateway cannot be started: {error}"))?;
        let mut lines = child.stdout.take().into_iter().flat_map(|output| BufReader::new(output).lines());
        let address = lines.find_map(|line| Some(line.ok()?.strip_prefix("demo ")?.to_owned()));
        let mut host = Self { child, address: address.unwrap_or_default() };
        if host.address.is_empty() {
            let status = host.child.wait().map_err(|error| error.to_string())?;
            return Err(format!("the gateway did not start: {status}"));
        }
        Ok(host)
    }

    /// The gateway as it was compiled for its tests, with the demo's configuration.
    pub(crate) fn tested() -> Result<Self, String> {
        playground()?;
        let (request, facts) = demo()?;
        Self::spawn(DEBUG, &config(&request, &facts))
    }

    /// The id of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its address.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Tests the playground in a browser, on `one` screen or on the `others`.
    pub(crate) fn walk(&self, screens: &str) -> Outcome {
        let mut walk = process::loud("node", &["browser/run.mjs", screens]);
        walk.current_dir(project::at(PLAYGROUND)).env("GATEWAY", &self.address).env("TOKEN", TOKEN);
        process::run(&mut walk)
    }

    /// The address of the playground, with its token.
    pub(crate) fn playground(&self) -> String {
        format!("{}/playground/#token={TOKEN}", self.address)
    }

    /// The reply to an estimate over HTTP.
    pub(crate) fn estimate(&self, request: &str) -> Result<String, String> {
        let input =
            serde_json::json!({"url": format!("{}/api/oc/v1/estimate", self.address), "token": TOKEN, "body": request})
                .to_string();
        let text = process::answer(&mut process::loud("node", &["crates/xtask/src/demo-http.mjs"]), &input)?;
        let answer: Value = serde_json::from_str(&text).map_err(|error| format!("demo-http.mjs: {error}"))?;
        let body = answer.get("body").and_then(Value::as_str).unwrap_or_default();
        match answer.get("status").and_then(Value::as_u64) {
            Some(200) => Ok(body.into()),
            status => Err(format!("the gateway answered {}: {body}", status.unwrap_or_default())),
        }
    }

    /// Waits until the process ends.
    pub(crate) fn stay(mut self) -> Outcome {
        let status = self.child.wait().map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(format!("the gateway ended: {status}")) }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

/// The demo's request and facts.
fn demo() -> Result<(EstimateRequest, Facts), String> {
    let read = |name: &str| fs::read_to_string(project::at("tests/demo").join(name)).map_err(|error| error.to_string());
    let request = read("request.json")?.parse().map_err(|error: Error| error.to_string())?;
    let facts = read("facts.json")?.parse().map_err(|error: Error| error.to_string())?;
    Ok((request, facts))
}

/// Builds the page, unless its inputs did not change. The package must have been built.
fn playground() -> Outcome {
    setup::npm(PLAYGROUND)?;
    let place = project::at(PLAYGROUND);
    // The pages of the documentation are beside it.
    let pages = ["docs", "bindings/sendoff-js/README.md", "bindings/sendoff-js/examples", "crates/sendoff/examples"];
    let mut inputs = vec![place.clone(), project::package().join("dist/index.mjs")];
    inputs.extend(pages.map(project::at));
    let stamp = Stamp::new("playground", &inputs)?;
    if stamp.is_fresh() && place.join("dist/index.html").exists() {
        return Ok(());
    }
    let mut build = process::quiet("npm", &["run", "build", "--silent", "--", "--logLevel", "warn"]);
    stamp.renew(|| process::run(build.current_dir(&place)))
}

/// A configuration under which the gateway has these facts for this request. `crates/sendoff-gateway/gateway.toml` explains
/// every key.
fn config(request: &EstimateRequest, facts: &Facts) -> String {
    let Facts { client_swa, user_swa, policies, job_manager, paymaster, gas_limits, fees, .. } = facts;
    let chain = request.intent().chain();
    // The chain's own token, and the token of the request.
    let (mut tokens, mut collections) = (vec![String::new()], Vec::new());
    for moved in request.intent().moves(&facts.user_swa) {
        match moved {
            Move::Nft { collection, .. } => collections.push(collection.to_string()),
            Move::Token { contract, .. } => tokens.push(contract.to_string()),
            _ => {}
        }
    }
    tokens.dedup();
    let token = |address: &String| format!("{{ name = \"token\", address = \"{address}\" }}");
    let tokens = tokens.iter().map(token).collect::<Vec<_>>().join(", ");
    let fee = fees.transaction_fees.as_slice().first();
    let fee = fee.map(|(_, fee)| format!("transaction_fee = \"{fee}\"")).unwrap_or_default();
    let port = if TcpListener::bind(("127.0.0.1", PORT)).is_ok() { PORT } else { 0 };
    let playground = project::at(PLAYGROUND).join("dist");
    format!(
        r#"[environment.demo]
listen = "127.0.0.1:{port}"
# Small, so that a person sees a window fill up and end.
policy = {{ limit = 5, window_ms = 10000 }}
rate_limit_fields = true
playground = {playground:?}

[environment.demo.deployment]
job_manager = "{job_manager}"
paymaster = "{paymaster}"

[environment.demo.deployment.gas_limits]
call = "{}"
verification = "{}"
pre_verification = "{}"
paymaster_verification = "{}"
paymaster_post_op = "{}"

[[environment.demo.application]]
name = "demo"
client_swa = "{client_swa}"

[[environment.demo.application.chain]]
id = "{chain}"
name = "{chain}"
gsn_enabled = {}
sponsorship_enabled = {}
tokens = [{tokens}]
collections = {collections:?}
{fee}

[[environment.demo.application.user]]
token = {{ env = "SENDOFF_DEMO_TOKEN" }}
user_swa = "{user_swa}"
"#,
        gas_limits.call_gas_limit,
        gas_limits.verification_gas_limit,
        gas_limits.pre_verification_gas,
        gas_limits.paymaster_verification_gas_limit,
        gas_limits.paymaster_post_op_gas_limit,
        policies.gsn_enabled,
        policies.sponsorship_enabled,
    )
}
