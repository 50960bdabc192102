//! The service of the specification as an OpenAPI 3.1 document. Parts that the specification does
//! not show are described as unspecified, with a schema that accepts any value.

use std::collections::BTreeSet;

use sendoff::http::{Method, OPERATIONS, Operation, OperationRow, RateLimited};
use sendoff::rate_limit::Policy;
use sendoff::schema::UnexpressedRule;
use serde_json::{Map, Value, json};

use super::schema::reference;

const UNSPECIFIED: &str = "The specification does not show this; any value is possible.";

/// The whole document.
pub(super) fn document(schema: &Value) -> Value {
    let mut paths = Map::new();
    for row in OPERATIONS {
        let method = row.method.as_str().to_lowercase();
        paths.insert(row.path.into(), json!({ method: operation(row, schema) }));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Cross-chain wallet service",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Sixteen operations, of which the specification shows the payloads of one.",
            "description": format!(
                "The NFT transfer estimate, here also for tokens and raw transactions, is described in full. Of the other \
                 operations the specification shows method and path only. Rules of the estimate that no schema can \
                 say:\n{}",
                UnexpressedRule::list(),
            ),
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{
            "url": "{base_url}",
            "description": "Production or sandbox; the specification shows neither address.",
            "variables": { "base_url": { "default": "https://base-url.invalid", "description": "The base address." } },
        }],
        "tags": [
            { "name": "client", "description": "For an application in the user's hands." },
            { "name": "server", "description": "For an application's server, for any of its users." },
        ],
        "x-rate-limit": {
            "description": "Production's limit on the operations with `x-rate-limited`. That of the sandbox is not shown.",
            "policy": Policy::PRODUCTION,
        },
        "paths": paths,
        "components": {
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer", "description": "`Authorization: Bearer <ACCESS_TOKEN>`." },
                "apiKey": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "x-api-key",
                    "description": "The key of the calling application. The specification does not show its place; \
                        this header is the one that hosts built on Sendoff read.",
                },
            },
            "responses": responses(),
            "schemas": schemas(schema),
        },
    })
}

fn operation(row: &OperationRow, schema: &Value) -> Value {
    let is_estimate = row.id == Operation::Estimate;
    let summary = sentence_of(row.id, schema);
    let mut operation = json!({
        "operationId": row.id,
        "summary": summary.trim_end_matches('.'),
        "tags": [row.side],
        "x-rate-limited": row.limited,
    });
    if !is_estimate {
        let query = if row.id == Operation::Orders {
            " A query may filter the orders; its parameters are not shown."
        } else {
            ""
        };
        operation["description"] = format!(
            "The specification shows method and path only: what is sent, what is answered and how a caller is \
             authenticated are not shown.{query}"
        )
        .into();
    }
    // An empty requirement, because the specification does not show whether there is one.
    operation["security"] = if is_estimate {
        json!([{ "bearer": [] }])
    } else {
        json!([{}, { "bearer": [] }, { "apiKey": [] }])
    };
    if !row.parameters.is_empty() {
        let parameters = row.parameters.iter().map(|name| {
            json!({
                "name": name,
                "in": "path",
                "required": true,
                "description": "The user. What identifies one is not shown.",
                "schema": { "$ref": "#/components/schemas/PathParam" },
            })
        });
        operation["parameters"] = parameters.collect();
    }
    if is_estimate {
        operation["requestBody"] = json!({
            "description": "The intent, and the maximum fees.",
            "required": true,
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/EstimateRequest" } } },
        });
    } else if row.method == Method::Post {
        operation["requestBody"] = unspecified();
    }
    let success = if is_estimate {
        json!({
            "description": "The user operation, prepared.",
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/EstimateReply" } } },
        })
    } else {
        unspecified()
    };
    operation["responses"] = json!({ "200": success });
    if row.limited {
        operation["responses"]["429"] = json!({ "$ref": "#/components/responses/RateLimited" });
    }
    operation["responses"]["4XX"] = json!({ "$ref": "#/components/responses/Error" });
    operation["responses"]["5XX"] = json!({ "$ref": "#/components/responses/Error" });
    operation
}

/// A request body or a response that the specification does not show.
fn unspecified() -> Value {
    json!({
        "description": UNSPECIFIED,
        "content": { "application/json": { "schema": { "description": UNSPECIFIED } } },
    })
}

/// The line of an operation in the description of their ids.
fn sentence_of(operation: Operation, schema: &Value) -> String {
    let list = schema["$defs"]["Operation"]["description"].as_str().unwrap_or_default();
    let begin = format!("- `{operation}`: ");
    list.lines().find_map(|line| line.strip_prefix(&begin)).unwrap_or_default().into()
}

fn responses() -> Value {
    json!({
        "RateLimited": {
            "description": "The rate limit is exceeded. The request may be sent again after `retry-after` seconds.",
            "headers": {
                "retry-after": {
                    "description": "The seconds until the restriction ends.",
                    "required": true,
                    "schema": { "type": "integer", "minimum": 1 },
                },
            },
            "content": {
                "application/json": {
                    "schema": { "$ref": "#/components/schemas/RateLimitedBody" },
                    "example": {
                        "status": "error",
                        "error": {
                            "code": RateLimited::STATUS,
                            "errorCode": RateLimited::ERROR_CODE,
                            "message": RateLimited::MESSAGE,
                            "trace_id": "b75abffe965b968336491b674067412e",
                        },
                    },
                },
            },
        },
        "Error": {
            "description": "Any other error. Its codes and conditions are not shown.",
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/ServiceFailure" } } },
        },
    })
}

/// The definitions that operations use. Those of replies are open, because a service may add fields.
fn schemas(schema: &Value) -> Value {
    let definitions = &schema["$defs"];
    let (mut asked, mut answered) = (BTreeSet::new(), BTreeSet::new());

    reach("EstimateRequest", definitions, &mut asked);
    for name in ["EstimateReply", "ServiceFailure", "RateLimitedBody", "PathParam"] {
        reach(name, definitions, &mut answered);
    }

    let spoken_of = definitions.as_object().into_iter().flatten();
    let spoken_of = spoken_of.filter(|(name, _)| asked.contains(*name) || answered.contains(*name));
    let components: Map<_, _> = spoken_of
        .map(|(name, definition)| {
            let mut definition = definition.clone();
            if !asked.contains(name) && definition["additionalProperties"] == false {
                definition
                    .as_object_mut()
                    .map(|fields| fields.shift_remove("additionalProperties"));
            }
            relocate(&mut definition);
            (name.clone(), definition)
        })
        .collect();

    components.into()
}

/// Definitions of the core, and all that they refer to, as components of a document.
pub(super) fn components(names: &[&str], schema: &Value) -> Value {
    let definitions = &schema["$defs"];
    let mut reached = BTreeSet::new();
    names.iter().for_each(|name| reach(name, definitions, &mut reached));
    let component = |name: String| {
        let mut definition = definitions[&name].clone();
        relocate(&mut definition);
        (name, definition)
    };
    Value::Object(reached.into_iter().map(component).collect())
}

/// Adds a definition and all definitions that it refers to.
fn reach(name: &str, definitions: &Value, reached: &mut BTreeSet<String>) {
    if reached.insert(name.into()) {
        reach_from(&definitions[name], definitions, reached);
    }
}

fn reach_from(schema: &Value, definitions: &Value, reached: &mut BTreeSet<String>) {
    if let Some(name) = reference(schema) {
        reach(name, definitions, reached);
    }
    match schema {
        Value::Array(items) => items.iter().for_each(|item| reach_from(item, definitions, reached)),
        Value::Object(fields) => {
            fields.values().for_each(|value| reach_from(value, definitions, reached))
        }
        _ => {}
    }
}

fn relocate(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(relocate),
        Value::Object(fields) => fields.values_mut().for_each(relocate),
        Value::String(text) => {
            if let Some(name) = text.strip_prefix("#/$defs/") {
                *text = format!("#/components/schemas/{name}");
            }
        }
        _ => {}
    }
}
