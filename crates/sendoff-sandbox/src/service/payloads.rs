//! All operations with their payloads, for the OpenAPI document of the profile.

use sendoff::http::Side;
use serde_json::{Value, json};

use super::asked::Row;
use super::route::ROWS;

/// All operations, for the documents that `cargo xtask codegen` makes: a list of
/// `{id, method, path, credentials, statuses, query, request, reply}`, where `credentials` is `none`,
/// `client`, `either` or `server`, and the last three are JSON Schemas; of the estimate and the
/// bundler they are null.
#[doc(hidden)]
#[must_use]
pub fn payloads() -> Value {
    let described = |row: &Row| {
        let credentials = match row.credentials {
            None => "none",
            Some(operation) if operation.side() == Side::Server => "server",
            Some(operation) if operation.takes_key() => "either",
            Some(_) => "client",
        };
        let Row { id, method, path, statuses, .. } = row;
        let [query, request, reply] = row.schemas.map(|of| of()).unwrap_or_default();
        json!({
            "id": id, "method": method, "path": path, "credentials": credentials,
            "statuses": statuses, "query": query, "request": request, "reply": reply,
        })
    };
    ROWS.iter().map(described).collect()
}
