//! A gateway that is started for a request and its facts.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::TcpListener,
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use crate::{Outcome, process, project, setup, stamp::Stamp};

/// A running gateway. Dropping it ends the process.
pub(crate) struct Host {
    child: Child,
    address: String,
    /// The admin address, if the dashboard is served.
    admin: String,
}

/// The token of the demo's user. It is valid in the demo only.
pub(crate) const TOKEN: &str = "demo-token";

/// The token of the demo's admin. It is valid in the demo only.
const ADMIN_TOKEN: &str = "demo-admin-token";

/// The demo's ports, unless another program uses them.
const PORT: u16 = 8787;
const ADMIN_PORT: u16 = 8788;

const DEBUG: &str = "target/debug/sendoff-gateway";
const PLAYGROUND: &str = "apps/playground";

impl Host {
    /// Builds the gateway and the playground, and starts them with a configuration for the request and its facts.
    pub(crate) fn start(request: &str, facts: &str) -> Result<Self, String> {
        if !project::at(DEBUG).exists() {
            eprintln!("demo: compiling the gateway, two to three minutes the first time");
        }
        process::run(&mut process::quiet("cargo", &["build", "--bin", "sendoff-gateway"]))?;
        playground()?;
        Self::with_dashboard(&config(request, facts)?)
    }

    /// The gateway with the applications of a configuration in the memory of its database, and with the dashboard.
    fn with_dashboard(config: &str) -> Result<Self, String> {
        let (admin, pages) = (free(ADMIN_PORT), project::at(PLAYGROUND).join("dist"));
        let head = format!(
            "admin = \"127.0.0.1:{admin}\"\ndashboard = {pages:?}\n\
             admins = [{{ name = \"demo\", token = {{ env = \"SENDOFF_DEMO_ADMIN\" }} }}]\n"
        );
        Self::spawn(DEBUG, &format!("{head}{KNOWN}{config}"), "admin ")
    }

    /// The release build of the gateway, with the configuration of the demo, for benchmarks.
    pub(crate) fn optimised() -> Result<Self, String> {
        eprintln!("bench: compiling the gateway for release, three to four minutes the first time");
        process::run(&mut process::quiet(
            "cargo",
            &["build", "--release", "-p", "sendoff-gateway"],
        ))?;
        let (request, facts) = demo()?;
        Self::spawn("target/release/sendoff-gateway", &config(&request, &facts)?, "demo ")
    }

    /// Starts a gateway with the applications at the end of a configuration in a file of their own.
    fn spawn(program: &str, config: &str, last: &str) -> Result<Self, String> {
        let (file, applications) = ("target/demo-gateway.toml", "target/demo-applications.toml");
        let at = config.find("[[environment.demo.application]]").unwrap_or(config.len());
        let (own, of_applications) = config.split_at(at);
        for (file, text) in [
            (file, format!("applications = \"demo-applications.toml\"\n{own}")),
            (applications, of_applications.to_owned()),
        ] {
            fs::write(project::at(file), text).map_err(|error| format!("{file}: {error}"))?;
        }
        Self::listening(&mut command(program, &["--config", file]), last)
    }

    /// Starts a gateway, and waits for the address that it prints last.
    fn listening(gateway: &mut Command, last: &str) -> Result<Self, String> {
        let started = gateway.stdout(Stdio::piped()).spawn();
        let mut child =
            started.map_err(|error| format!("the gateway cannot be started: {error}"))?;
        let output = child.stdout.take();
        let mut host = Self { child, address: String::new(), admin: String::new() };

        for line in output
            .into_iter()
            .flat_map(|output| BufReader::new(output).lines())
            .map_while(Result::ok)
        {
            for (name, place) in [("demo ", &mut host.address), ("admin ", &mut host.admin)] {
                if let Some(address) = line.strip_prefix(name) {
                    *place = address.to_owned();
                }
            }
            if line.starts_with(last) {
                break;
            }
        }

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
        Self::spawn(DEBUG, &config(&request, &facts)?, "demo ")
    }

    /// The same, with the dashboard.
    pub(crate) fn tested_with_dashboard() -> Result<Self, String> {
        playground()?;
        let (request, facts) = demo()?;
        Self::with_dashboard(&config(&request, &facts)?)
    }

    /// The id of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its address.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Tests the playground in a browser, on `one` screen or on the `others`, or the `dashboard`.
    pub(crate) fn walk(&self, screens: &str) -> Outcome {
        let mut walk = process::loud("node", &["browser/run.mjs", screens]);
        walk.current_dir(project::at(PLAYGROUND)).env("GATEWAY", &self.address).env("TOKEN", TOKEN);
        walk.env("ADMIN", &self.admin).env("ADMIN_TOKEN", ADMIN_TOKEN);
        process::run(&mut walk)
    }

    /// The address of the playground, with its token.
    pub(crate) fn playground(&self) -> String {
        format!("{}/playground/#token={TOKEN}", self.address)
    }

    /// The address of the dashboard, and the token that it asks for.
    pub(crate) fn dashboard(&self) -> String {
        format!("{}/dashboard (its token: {ADMIN_TOKEN})", self.admin)
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

/// What applications of the demo can enable.
const KNOWN: &str = r#"
[[list.demo.chain]]
id = "eip155:80002"
name = "POLYGON_TESTNET_AMOY"
net = "test"
transaction_fee = "177258950000"
tokens = [{ name = "POL", address = "" }]
collections = ["0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90"]

[[list.demo.chain]]
id = "eip155:137"
name = "POLYGON"
tokens = [{ name = "POL", address = "" }, { name = "USDC", address = "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359" }]
"#;

/// This port, or any other if another program uses it.
fn free(port: u16) -> u16 {
    if TcpListener::bind(("127.0.0.1", port)).is_ok() { port } else { 0 }
}

/// The gateway in the project's folder, with the secret of the demo.
fn command(program: &str, args: &[&str]) -> Command {
    let program = project::at(program);
    let mut command = process::loud(&program.to_string_lossy(), args);
    command.env("SENDOFF_DEMO_ADMIN", ADMIN_TOKEN).env("SENDOFF_LOG", "warn");
    command
}

/// The demo's request and facts.
fn demo() -> Result<(String, String), String> {
    Ok((project::read("tests/demo/request.json")?, project::read("tests/demo/facts.json")?))
}

/// Builds the page, unless its inputs did not change. The package must have been built.
fn playground() -> Outcome {
    setup::npm(PLAYGROUND)?;
    let place = project::at(PLAYGROUND);
    let inputs = [
        place.clone(),
        project::package().join("dist/index.mjs"),
        project::at("tests/demo"),
        project::at("tests/story"),
    ];
    let stamp = Stamp::new("playground", &inputs)?;
    if stamp.is_fresh() && place.join("dist/index.html").exists() {
        return Ok(());
    }
    let mut build =
        process::quiet("npm", &["run", "build", "--silent", "--", "--logLevel", "warn"]);
    stamp.renew(|| process::run(build.current_dir(&place)))
}

/// A configuration under which the gateway has these facts, which the core has read, for this request.
/// `crates/sendoff-gateway/gateway.toml` explains every key.
fn config(request: &str, facts: &str) -> Result<String, String> {
    let parsed = |text: &str| serde_json::from_str(text).map_err(|error| error.to_string());
    let (request, facts): (Value, Value) = (parsed(request)?, parsed(facts)?);
    let text = |document: &'_ Value, place: &str| {
        document.pointer(place).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let fact = |name: &str| text(&facts, &format!("/{name}"));
    let flag = |name: &str| facts.pointer(name) == Some(&Value::Bool(true));
    let gas = |name: &str| fact(&format!("gasLimits/{name}"));
    let detail = |name: &str| {
        Some(text(&request, &format!("/details/{name}"))).filter(|text| !text.is_empty())
    };

    let chain = detail("caip2Id").unwrap_or_default();
    // The demo's chain, or another one of a request that is given.
    let (name, net, coin) = match chain.as_str() {
        "eip155:80002" => ("POLYGON_TESTNET_AMOY", "test", "POL"),
        other => (other, "main", "coin"),
    };
    // The chain's own token, and the token of the request.
    let token = detail("tokenAddress").map(|address| ("token", address));
    let tokens = [Some((coin, String::new())), token].into_iter().flatten();
    let tokens =
        tokens.map(|(name, address)| format!("{{ name = \"{name}\", address = \"{address}\" }}"));
    let tokens = tokens.collect::<Vec<_>>().join(", ");
    let collections: Vec<_> = detail("collectionAddress").into_iter().collect();
    let fees = facts.pointer("/fees/transactionFees").and_then(Value::as_object);
    let fee = fees.and_then(|fees| fees.values().next()?.as_str());
    let fee = fee.map(|fee| format!("transaction_fee = \"{fee}\"")).unwrap_or_default();
    let port = free(PORT);
    let playground = project::at(PLAYGROUND).join("dist");
    Ok(format!(
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
name = "{name}"
net = "{net}"
gsn_enabled = {}
sponsorship_enabled = {}
tokens = [{tokens}]
collections = {collections:?}
{fee}

[[environment.demo.application.user]]
# The digest of `demo-token`.
token = {{ sha256 = "7c43ef5ae21d43ce2743f770c68e24def1a43ee2f416d2438410c8af7af2ff2c" }}
user_swa = "{user_swa}"
"#,
        gas("callGasLimit"),
        gas("verificationGasLimit"),
        gas("preVerificationGas"),
        gas("paymasterVerificationGasLimit"),
        gas("paymasterPostOpGasLimit"),
        flag("/policies/gsnEnabled"),
        flag("/policies/sponsorshipEnabled"),
        job_manager = fact("jobManager"),
        paymaster = fact("paymaster"),
        client_swa = fact("clientSWA"),
        user_swa = fact("userSWA"),
    ))
}
