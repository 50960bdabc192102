//! All operations with their payloads, for the OpenAPI document of the profile.

use sendoff::http::Side;
use serde::Serialize;

use super::asked::Row;
use super::route::rows;
use super::schemas::Schemas;

/// An operation with its payloads.
#[derive(Serialize)]
struct Described {
    id: &'static str,
    method: &'static str,
    path: &'static str,
    credentials: &'static str,
    statuses: &'static [u16],
    #[serde(flatten)]
    schemas: Option<Schemas>,
}

/// All operations, for the documents that `cargo xtask codegen` makes: a list of
/// `{id, method, path, credentials, statuses, query, request, reply}`, where `credentials` is `none`,
/// `client`, `either` or `server`, and the last three are JSON Schemas; the estimate and the bundler
/// have none.
#[doc(hidden)]
#[must_use]
pub fn payloads() -> serde_json::Value {
    let described = |row: &Row| {
        let credentials = match row.credentials {
            None => "none",
            Some(operation) if operation.side() == Side::Server => "server",
            Some(operation) if operation.takes_key() => "either",
            Some(_) => "client",
        };
        let Row { id, method, path, statuses, .. } = row;
        Described { id, method, path, credentials, statuses, schemas: row.schemas.map(|of| of()) }
    };
    let all: Vec<_> = rows().map(described).collect();
    serde_json::to_value(all).unwrap_or_default()
}
