//! A gateway with a database, and its admin API.

use std::{
    path::PathBuf,
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
};

use reqwest::Method;
use serde_json::{Value, json};

use super::{Gateway, client, config, reply::Reply, split};

/// The token of the admin `ops`.
pub(crate) const ADMIN: &str = "demo-admin-token";

/// What applications can enable.
const LISTS: &str = r#"
[[list.nets.chain]]
id = "eip155:137"
name = "POLYGON"
sponsorship_enabled = true
transaction_fee = "7"
tokens = [{ name = "POL", address = "" }, { name = "USDC", address = "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359" }]
collections = ["0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90"]

[[list.nets.chain]]
id = "eip155:80002"
name = "POLYGON_TESTNET_AMOY"
net = "test"
"#;

/// A configuration without applications.
pub(crate) fn file_of(database: &str, policy: &str) -> String {
    let head = format!(
        "database = \"{database}\"\nadmins = [{{ name = \"ops\", token = {{ env = \"ADMIN\" }} }}]"
    );
    split(&(config(policy, &head, "rate_limit_fields = true") + LISTS)).0
}

/// Starts a gateway on a database.
pub(crate) fn start(database: &str) -> Gateway {
    Gateway::start_with(
        &file_of(database, "{ limit = 3, window_ms = 86400000, midnight = \"carry\" }"),
        &[("ADMIN", ADMIN)],
    )
}

/// A new file for SQLite.
pub(crate) fn file() -> PathBuf {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("sendoff-gateway-{}-{number}.db", std::process::id()))
}

/// Runs `sendoff-gateway` with these arguments, and returns what it prints, or its error.
pub(crate) fn run(args: &[&str]) -> Result<String, String> {
    let output =
        Command::new(env!("CARGO_BIN_EXE_sendoff-gateway")).args(args).env("ADMIN", ADMIN).output();
    let output = output.expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

/// A request to the admin API.
pub(crate) async fn ask(
    gateway: &Gateway,
    method: Method,
    path: &str,
    key: &str,
    body: &Value,
) -> Reply {
    let url = format!("{}/admin/v1{path}", gateway.admin);
    let mut request = client().request(method, url).bearer_auth(ADMIN);
    if !key.is_empty() {
        request = request.header("idempotency-key", key);
    }
    if !body.is_null() {
        request = request.body(body.to_string());
    }
    Reply::to(request).await
}

/// The data of a read.
pub(crate) async fn read(gateway: &Gateway, path: &str) -> Value {
    let reply = ask(gateway, Method::GET, path, "", &Value::Null).await;
    assert_eq!(reply.status, 200, "{path}: {}", reply.text);
    reply.json()["data"].clone()
}

/// The data of a change that must succeed.
pub(crate) async fn change(gateway: &Gateway, method: Method, path: &str, body: Value) -> Value {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let key = format!("test-{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    let reply = ask(gateway, method, path, &key, &body).await;
    assert!(reply.status.is_success(), "{path} {body}: {}", reply.text);
    reply.json()["data"].clone()
}

/// Makes an application with a client's key, a chain and a token, and returns the key.
pub(crate) async fn make(gateway: &Gateway, name: &str) -> String {
    let wallet = "0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F";
    let draft = json!({ "environment": "sandbox", "name": name, "clientSWA": wallet });
    change(gateway, Method::POST, "/applications", draft).await;
    let at = format!("/applications/sandbox/{name}");
    let key =
        change(gateway, Method::POST, &format!("{at}/keys"), json!({ "side": "client" })).await;
    for step in [
        json!({ "type": "enable", "caip2Id": "eip155:137" }),
        json!({ "type": "whitelist", "caip2Id": "eip155:137", "tokenAddress": "" }),
    ] {
        let done = change(gateway, Method::POST, &format!("{at}/catalogue/steps"), step).await;
        assert_eq!(done, json!({ "changed": true }));
    }
    key["secret"].as_str().expect("a key").to_owned()
}

/// The status of the list of networks for a key, and its networks.
pub(crate) async fn networks(gateway: &Gateway, key: &str) -> (u16, Value) {
    let url = gateway.url("/api/v1/supported/networks");
    let reply = Reply::to(client().get(url).header("x-api-key", key)).await;
    (reply.status.as_u16(), reply.json()["data"]["network"].clone())
}
