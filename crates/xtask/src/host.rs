//! The gateway of the demonstration and of the tests in a browser: the example's sandbox, with the playground.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Stdio},
};

use crate::{
    Outcome,
    process::{command, run as finish, sh},
    project, setup,
    stamp::Stamp,
};

/// A running gateway. Dropping it ends the process.
pub(crate) struct Host {
    child: Child,
    address: String,
    /// The admin address, if the dashboard is served.
    admin: String,
}

/// The tokens of its user, as in the example of applications, and of its admin. They are valid here only.
pub(crate) const TOKEN: &str = "demo-token";
const ADMIN_TOKEN: &str = "demo-admin-token";

const PROGRAM: &str = "target/debug/sendoff-gateway";
const PLAYGROUND: &str = "apps/playground";

/// What applications can enable in the dashboard.
const KNOWN: &str = r#"
[known]
sponsorship = { "eip155:80002" = { transactionFee = "177258950000" } }

[known.catalogue]
chains = [
  { caip2Id = "eip155:80002", name = "POLYGON_TESTNET_AMOY", net = "test" },
  { caip2Id = "eip155:137", name = "POLYGON", net = "main" },
]
tokens = [
  { caip2Id = "eip155:80002", tokenAddress = "", name = "POL" },
  { caip2Id = "eip155:137", tokenAddress = "", name = "POL" },
  { caip2Id = "eip155:137", tokenAddress = "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", name = "USDC" },
]
collections = [{ caip2Id = "eip155:80002", collectionAddress = "0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90" }]
"#;

impl Host {
    /// Compiles the gateway, and starts it with the dashboard.
    pub(crate) fn compiled() -> Result<Self, String> {
        if !project::at(PROGRAM).exists() {
            eprintln!("demo: compiling the gateway, two to three minutes the first time");
        }
        sh("cargo build --bin sendoff-gateway")?;
        Self::start(true)
    }

    /// Starts the gateway that was compiled, with the applications of its configuration in the memory of its database.
    pub(crate) fn start(has_dashboard: bool) -> Result<Self, String> {
        playground()?;
        configure(has_dashboard)?;
        let mut gateway = command(project::at(PROGRAM));
        gateway.args(["--config", "target/demo-gateway.toml"]).stdout(Stdio::piped());
        gateway.env("SENDOFF_DEMO_ADMIN", ADMIN_TOKEN).env("SENDOFF_LOG", "warn");
        let started = gateway.spawn();
        let child = started.map_err(|error| format!("the gateway cannot be started: {error}"))?;
        let mut host = Self { child, address: String::new(), admin: String::new() };

        // The last of the addresses that it prints is that of the admin.
        let last = if has_dashboard { "admin" } else { "demo" };
        let output = host.child.stdout.take().into_iter();
        for line in output.flat_map(|output| BufReader::new(output).lines()).map_while(Result::ok) {
            let Some((name, address)) = line.split_once(' ') else { continue };
            match name {
                "demo" => address.clone_into(&mut host.address),
                "admin" => address.clone_into(&mut host.admin),
                _ => {}
            }
            if name == last {
                return Ok(host);
            }
        }
        let status = host.child.wait().map_err(|error| error.to_string())?;
        Err(format!("the gateway did not start: {status}"))
    }

    /// Its address.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Tests the playground in a browser, on `one` screen or on the `others`, or the `dashboard`.
    pub(crate) fn walk(screens: &str) -> Outcome {
        let host = Self::start(screens == "dashboard")?;
        let mut walk = command("node");
        walk.args(["browser/run.mjs", screens]).current_dir(project::at(PLAYGROUND));
        walk.env("GATEWAY", &host.address).env("TOKEN", TOKEN);
        finish(walk.env("ADMIN", &host.admin).env("ADMIN_TOKEN", ADMIN_TOKEN))
    }

    /// Prints where its pages are, and waits until the process ends.
    pub(crate) fn stay(mut self) -> Outcome {
        println!("the playground: {}/playground/#token={TOKEN}", self.address);
        println!("the dashboard: {}/dashboard (its token: {ADMIN_TOKEN})", self.admin);
        println!("\nstop with Ctrl-C");
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

/// Builds the page, unless its inputs did not change. The package must have been built.
fn playground() -> Outcome {
    setup::npm(PLAYGROUND)?;
    let inputs = [PLAYGROUND, "bindings/sendoff-js/dist/index.mjs", "tests/demo", "tests/story"];
    let page = project::at(PLAYGROUND).join("dist/index.html");
    Stamp::new("playground", "", &inputs.map(project::at))?
        .renew(&page, || sh("apps/playground/ npm run build --silent -- --logLevel warn"))
}

/// Writes the configuration: deployment and applications are those of the example's sandbox, whose estimates are the demo's.
fn configure(has_dashboard: bool) -> Outcome {
    let of_sandbox = |file: &str, table: &str| {
        let text = project::read(&format!("crates/sendoff-gateway/{file}.toml"))?;
        let (_, rest) = text.split_once(table).ok_or(format!("{file}: expected {table}"))?;
        Ok::<_, String>(format!("{table}{rest}").replace(".sandbox", ".demo"))
    };
    let deployment = of_sandbox("gateway", "[environment.sandbox.deployment]")?;
    let applications = of_sandbox("applications", "[[environment.sandbox.application]]")?;

    let pages = project::at(PLAYGROUND).join("dist");
    let dashboard = format!(
        "admin = \"127.0.0.1:0\"\ndashboard = {pages:?}\n\
         admins = [{{ name = \"demo\", token = {{ env = \"SENDOFF_DEMO_ADMIN\" }} }}]\n{KNOWN}"
    );
    let dashboard = if has_dashboard { &*dashboard } else { "" };
    // The limit is small, so that a person sees a window fill up and end.
    let gateway = format!(
        "applications = \"demo-applications.toml\"\n{dashboard}\n[environment.demo]\n\
         listen = \"127.0.0.1:0\"\npolicy = {{ limit = 5, window_ms = 10000 }}\n\
         rate_limit_fields = true\nplayground = {pages:?}\n\n{deployment}"
    );
    project::write(&project::at("target/demo-gateway.toml"), &gateway)?;
    let applications = applications.replace("\"shop\"", "\"demo\"");
    project::write(&project::at("target/demo-applications.toml"), &applications)
}
