//! The pocket service: the tables of its page, and a record of a day, which its WebAssembly module replays to the byte.

use std::collections::BTreeMap;

use sendoff_sandbox::{Request, State, answer, lies, payloads};
use serde_json::{Value, value::RawValue};

use crate::between;
use crate::payloads::fields;

pub(crate) const PAGE: &str = "docs/reference/tables/sandbox.md";
pub(crate) const RECORD: &str = "crates/sendoff-sandbox/tests/record.json";

/// The page with a row for each request and each lie.
pub(crate) fn page(text: &str) -> Result<String, String> {
    let lies: String = lies()
        .map(|lie| {
            let more = match (lie.may_be_ignored, lie.needs_failure) {
                (true, _) => ", may be ignored",
                (_, true) => ", after a failure",
                _ => "",
            };
            let source = match lie.source {
                "" => String::new(),
                source => format!(" From `{source}`."),
            };
            let on = serde_json::to_value(lie.on).unwrap_or_default();
            let on = on.as_str().unwrap_or_default();
            format!("| `{}` | {on}{more} | {}{source} |\n", lie.name, lie.about)
        })
        .collect();
    let requests: String = payloads().as_array().into_iter().flatten().map(request).collect();
    let text = between(
        text,
        "| request | credentials | fields of the body |\n|---|---|---|\n",
        "<!-- end of requests -->",
        &requests,
    )?;
    between(&text, "| lie | told to | what it does |\n|---|---|---|\n", "<!-- end -->", &lies)
}

/// A row of the table of requests.
fn request(row: &Value) -> String {
    let text = |key: &str| row[key].as_str().unwrap_or_default();
    let credentials = match text("credentials") {
        "server" => "the server's key",
        "either" => "the client's key, or a token",
        "client" => "a token",
        _ => "none",
    };
    let fields = fields(&row["request"]).join(", ");
    format!("| `{} {}` | {credentials} | {fields} |\n", text("method"), text("path"))
}

/// The record with the replies of this service. Its requests are written by hand.
pub(crate) fn record(text: &str) -> Result<String, String> {
    let cannot = |why: &str| format!("{RECORD}: expected requests and their times, found {why}");
    let lines: Vec<&RawValue> =
        serde_json::from_str(text).map_err(|error| cannot(&error.to_string()))?;
    let mut state = State::start(r#"{"seed":"record"}"#).map_err(|error| error.to_string())?;

    let line = |line: &RawValue| {
        let line: BTreeMap<&str, &RawValue> = serde_json::from_str(line.get()).ok()?;
        let (now, request) = (line.get("now")?, line.get("request")?);
        let asked: Request = serde_json::from_str(request.get()).ok()?;
        let reply =
            serde_json::to_string(&answer(&mut state, &asked, now.get().parse().ok()?)).ok()?;
        Some(format!("{{\"now\":{now},\"request\":{request},\"reply\":{reply}}}"))
    };
    let lines: Option<Vec<_>> = lines.into_iter().map(line).collect();
    Ok(format!("[\n{}\n]\n", lines.ok_or_else(|| cannot("another form"))?.join(",\n")))
}
