//! The schemas of an operation's payloads, for the OpenAPI document of the profile.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;

use super::envelope::Success;

/// The schemas of a query, a body and a reply.
#[derive(Serialize)]
pub(crate) struct Schemas {
    query: Schema,
    request: Schema,
    reply: Schema,
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
