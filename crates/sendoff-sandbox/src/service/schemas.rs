//! The schemas of an operation's payloads, for the OpenAPI document of the profile.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use sendoff::http::Side;
use serde::Serialize;

use super::asked::{Row, Success};
use super::route::rows;

/// The schemas of a query, a body and a reply.
#[derive(Serialize)]
pub(crate) struct Schemas {
    query: Schema,
    request: Schema,
    reply: Schema,
}

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

pub(super) fn of<Q: JsonSchema, B: JsonSchema, D: JsonSchema>() -> Schemas {
    let settings = || {
        SchemaSettings::draft2020_12().with(|settings| {
            settings.meta_schema = None;
            settings.inline_subschemas = true;
        })
    };
    let reply = settings().for_serialize().into_generator();
    Schemas {
        query: settings().into_generator().into_root_schema_for::<Q>(),
        request: settings().into_generator().into_root_schema_for::<B>(),
        reply: reply.into_root_schema_for::<Success<D>>(),
    }
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
