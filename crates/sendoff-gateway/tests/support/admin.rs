//! A gateway with a database, and its admin API.

use std::{
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
};

use reqwest::Method;
use serde_json::{Value, json};

use super::{Gateway, Launch, SWA, catalogue, client, config, path, reply::Reply, split};

/// The token of the admin `ops`.
pub(crate) const ADMIN: &str = "demo-admin-token";

/// The variable that has it.
pub(crate) const VARIABLES: &[(&str, &str)] = &[("ADMIN", ADMIN)];

/// An application of these tests.
pub(crate) const SHOP: &str = "/applications/sandbox/shop";

/// A configuration without applications.
pub(crate) fn file_of(database: &str, policy: &str) -> String {
    let head = format!(
        "database = \"{database}\"\nadmins = [{{ name = \"ops\", token = {{ env = \"ADMIN\" }} }}]"
    );
    // What applications can enable.
    let known = catalogue("known").replace("enabled = true", "enabled = false");
    let known = known.replace("whitelisted = true", "whitelisted = false");
    split(&(config(policy, &head, "rate_limit_fields = true") + &known)).0
}

/// Starts a gateway on a database.
pub(crate) fn start(database: &str) -> Gateway {
    let policy = "{ limit = 3, windowMs = 86400000, midnight = \"carry\" }";
    Gateway::start_with(&file_of(database, policy), VARIABLES)
}

/// The log of a gateway that does not start on a database.
pub(crate) fn refused(database: &str) -> String {
    let launch = Launch { variables: VARIABLES, ..Launch::default() };
    Gateway::refused(&file_of(database, "\"none\""), launch)
}

/// Starts a gateway on a new file of SQLite.
pub(crate) fn fresh() -> Gateway {
    start(&path("applications.db"))
}

/// Runs `sendoff-gateway` with these arguments, and returns what it prints, or its error.
pub(crate) fn run(args: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sendoff-gateway"));
    let output = command.args(args).envs(VARIABLES.iter().copied()).output();
    let output = output.expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

/// The applications of a gateway's database, as a file.
pub(crate) fn exported(gateway: &Gateway) -> String {
    run(&["export", "--config", &gateway.file]).expect("an export")
}

/// Imports such a file.
pub(crate) fn import(gateway: &Gateway, text: &str) {
    let backup = path("backup.toml");
    std::fs::write(&backup, text).expect("a file");
    run(&["import", "--config", &gateway.file, &backup]).expect("an import");
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
    reply.data()
}

/// The data of a change that must succeed.
pub(crate) async fn change(gateway: &Gateway, method: Method, path: &str, body: Value) -> Value {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let key = format!("test-{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    let reply = ask(gateway, method, path, &key, &body).await;
    assert!([200, 201].contains(&reply.status), "{path} {body}: {}", reply.text);
    reply.data()
}

/// As [`change`], by POST.
pub(crate) async fn make(gateway: &Gateway, path: &str, body: Value) -> Value {
    change(gateway, Method::POST, path, body).await
}

/// The secret that a change made, which is shown once.
pub(crate) fn secret(made: &Value) -> String {
    made["secret"].as_str().expect("a secret").to_owned()
}

/// Makes an application with a client's key, a chain and a token, and returns the key.
pub(crate) async fn open(gateway: &Gateway, name: &str) -> String {
    let draft = json!({ "environment": "sandbox", "name": name, "clientSWA": SWA });
    make(gateway, "/applications", draft).await;
    let at = format!("/applications/sandbox/{name}");
    let key = make(gateway, &format!("{at}/keys"), json!({ "side": "client" })).await;
    for step in [
        json!({ "type": "enable", "caip2Id": "eip155:137" }),
        json!({ "type": "whitelist", "caip2Id": "eip155:137", "tokenAddress": "" }),
    ] {
        let done = make(gateway, &format!("{at}/catalogue/steps"), step).await;
        assert_eq!(done, json!({ "changed": true }));
    }
    secret(&key)
}

/// Ends the first key of an application.
pub(crate) async fn end(gateway: &Gateway, name: &str) -> Value {
    let keys = format!("/applications/sandbox/{name}/keys");
    let first = read(gateway, &keys).await["keys"][0]["id"].clone();
    let key = format!("{keys}/{}", first.as_str().expect("an id"));
    change(gateway, Method::DELETE, &key, Value::Null).await
}

/// The status of the list of networks for a key, and its networks.
pub(crate) async fn networks(gateway: &Gateway, key: &str) -> (u16, Value) {
    let reply = gateway.call("GET /api/v1/supported/networks", &[("x-api-key", key)], "").await;
    (reply.status, reply.json()["data"]["network"].clone())
}

/// That status.
pub(crate) async fn status(gateway: &Gateway, key: &str) -> u16 {
    networks(gateway, key).await.0
}
