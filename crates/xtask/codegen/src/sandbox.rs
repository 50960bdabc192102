//! The pocket service: the tables of its page, and a record of a day, which its WebAssembly module replays to the byte.

use sendoff_sandbox::{Json, Request, State, answer, lies, requests};
use serde_json::value::RawValue;

use crate::between;

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
            format!("| `{}` | {}{more} | {}{source} |\n", lie.name, lie.on.as_str(), lie.about)
        })
        .collect();
    let text = between(
        text,
        "| request | credentials | fields of the body |\n|---|---|---|\n",
        "<!-- end of requests -->",
        &requests(),
    )?;
    between(&text, "| lie | told to | what it does |\n|---|---|---|\n", "<!-- end -->", &lies)
}

/// The record with the replies of this service. Its requests are written by hand.
pub(crate) fn record(text: &str) -> Result<String, String> {
    let cannot = |why: &str| format!("{RECORD}: expected requests and their times, found {why}");
    let lines: Vec<&RawValue> =
        serde_json::from_str(text).map_err(|error| cannot(&error.to_string()))?;
    let mut state = State::start(r#"{"seed":"record"}"#).map_err(|error| error.to_string())?;

    let line = |line: &RawValue| {
        let json = Json::parse(line.get())?;
        let (now, request) = (json.get("now")?, json.get("request")?);
        let reply =
            answer(&mut state, &Request::from_json(request)?, now.to_string().parse().ok()?);
        Some(format!("{{\"now\":{now},\"request\":{request},\"reply\":{}}}", reply.to_json()))
    };
    let lines: Option<Vec<_>> = lines.into_iter().map(line).collect();
    Ok(format!("[\n{}\n]\n", lines.ok_or_else(|| cannot("another form"))?.join(",\n")))
}
