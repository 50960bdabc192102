//! The schemas of an operation's payloads, for the OpenAPI document of the profile.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::envelope::Success;

/// The schemas of a query, a body and a reply.
pub(super) fn of<Q: JsonSchema, B: JsonSchema, D: JsonSchema>() -> [Value; 3] {
    let settings = || {
        SchemaSettings::draft2020_12().with(|settings| {
            settings.meta_schema = None;
            settings.inline_subschemas = true;
        })
    };
    let reply = settings().for_serialize().into_generator();
    [
        settings().into_generator().into_root_schema_for::<Q>().into(),
        settings().into_generator().into_root_schema_for::<B>().into(),
        reply.into_root_schema_for::<Success<D>>().into(),
    ]
}
