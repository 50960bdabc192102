//! The operations of the live service with their payloads, as the profile `okto-v1` of the pocket service has them, as an OpenAPI 3.1
//! document. The specification does not show them.

use sendoff::http::Operation;
use serde_json::{Map, Value, json};

use super::openapi::{components, responses};

/// The whole document.
pub(super) fn document(schema: &Value) -> Result<Value, String> {
    let text = sendoff_sandbox::payloads().to_string();
    let rows: Vec<Value> =
        serde_json::from_str(&text).map_err(|error| format!("the payloads: {error}"))?;
    let mut paths = Map::new();
    for row in &rows {
        let path = row["path"].as_str().unwrap_or_default();
        let method = row["method"].as_str().unwrap_or_default().to_lowercase();
        let item = paths.entry(path).or_insert_with(|| json!({}));
        item[method] = operation(row, path);
    }

    Ok(json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Cross-chain wallet service, profile okto-v1",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "The payloads of the pocket service.",
            "description": "What the live service's public descriptions show of the operations whose payloads the specification \
                does not show, and of their companions. The pocket service answers all of them.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{
            "url": "{base_url}",
            "description": "A pocket service, such as `npx sendoff sandbox`.",
            "variables": { "base_url": { "default": "http://127.0.0.1:8080", "description": "The base address." } },
        }],
        "tags": [
            { "name": "client", "description": "For an application in the user's hands." },
            { "name": "server", "description": "For an application's server, for any of its users." },
        ],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer", "description": "`Authorization: Bearer <ACCESS_TOKEN>`." },
                "apiKey": { "type": "apiKey", "in": "header", "name": "x-api-key", "description": "The key of the application." },
            },
            "responses": responses(),
            "schemas": components(&["ServiceFailure", "RateLimitedBody"], schema),
        },
    }))
}

fn operation(row: &Value, path: &str) -> Value {
    let id = row["id"].as_str().unwrap_or_default();
    let is_server = row["credentials"] == "server";
    let mut operation = json!({
        "operationId": id,
        "summary": summary(id),
        "tags": [if is_server { "server" } else { "client" }],
        "security": match row["credentials"].as_str() {
            Some("server") => json!([{ "apiKey": [] }]),
            Some("either") => json!([{ "bearer": [] }, { "apiKey": [] }]),
            Some("client") => json!([{ "bearer": [] }]),
            _ => json!([]),
        },
    });

    let mut parameters = Vec::new();
    if let Some((_, name)) = path.split_once('{') {
        parameters.push(json!({
            "name": name.trim_end_matches('}'),
            "in": "path",
            "required": true,
            "description": "The id of a user or of the treasury wallet.",
            "schema": { "type": "string", "minLength": 1 },
        }));
    }
    for parameter in row["query"].as_array().into_iter().flatten() {
        let schema = match parameter["kind"].as_str().unwrap_or_default() {
            "integer" => {
                json!({ "type": "integer", "minimum": 0, "maximum": 9_007_199_254_740_991_u64 })
            }
            "positive" => {
                json!({ "type": "integer", "minimum": 1, "maximum": 9_007_199_254_740_991_u64 })
            }
            "string" => json!({ "type": "string" }),
            words => json!({ "type": "string", "enum": words.split(' ').collect::<Vec<_>>() }),
        };
        parameters.push(json!({
            "name": parameter["path"],
            "in": "query",
            "required": parameter["required"],
            "schema": schema,
        }));
    }
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }

    if row["request"].as_array().is_some_and(|fields| !fields.is_empty()) {
        operation["requestBody"] = json!({
            "description": "The fields that are read; others are ignored.",
            "required": true,
            "content": { "application/json": { "schema": object(&row["request"]) } },
        });
    }
    let mut responses = Map::new();
    for status in row["statuses"].as_array().into_iter().flatten() {
        let content = json!({ "application/json": { "schema": object(&row["reply"]) } });
        responses
            .insert(status.to_string(), json!({ "description": "The reply.", "content": content }));
    }
    let specified = Operation::ALL.iter().find(|known| known.as_str() == id);
    if specified.is_some_and(|operation| operation.is_limited()) {
        responses.insert("429".into(), json!({ "$ref": "#/components/responses/RateLimited" }));
    }
    responses.insert("4XX".into(), json!({ "$ref": "#/components/responses/Error" }));
    responses.insert("5XX".into(), json!({ "$ref": "#/components/responses/Error" }));
    operation["responses"] = responses.into();
    operation
}

/// `transferTokens` as `Transfer tokens`.
fn summary(id: &str) -> String {
    let mut text = String::new();
    for (at, char) in id.chars().enumerate() {
        match (at, char.is_ascii_uppercase()) {
            (0, _) => text.extend(char.to_uppercase()),
            (_, true) => text.extend([' ', char.to_ascii_lowercase()]),
            _ => text.push(char),
        }
    }
    text
}

/// A schema of fields by their paths: the keys from the root with dots, and `[]` after the key of a list for each of its items.
fn object(fields: &Value) -> Value {
    let mut root = json!({ "type": "object" });
    for field in fields.as_array().into_iter().flatten() {
        let mut place = &mut root;
        let path = field["path"].as_str().unwrap_or_default();
        let mut parts = path.split('.').peekable();
        while let Some(part) = parts.next() {
            let is_last = parts.peek().is_none();
            let (name, is_list) =
                part.strip_suffix("[]").map_or((part, false), |name| (name, true));
            if !name.is_empty() {
                require(place, name, is_last && !is_list && field["required"] == true);
                place = &mut place["properties"][name];
            }
            if is_list {
                // A list that may be an object, too: descriptions contradict each other.
                place = if place["anyOf"].is_array() {
                    &mut place["anyOf"][0]["items"]
                } else {
                    &mut place["items"]
                };
            }
            if is_last {
                fill(place, field["kind"].as_str().unwrap_or_default());
            } else if place["type"].is_null() && place["anyOf"].is_null() {
                fill(place, "object");
            }
        }
    }
    root
}

fn require(place: &mut Value, name: &str, is_required: bool) {
    if place["properties"][name].is_null() {
        place["properties"][name] = json!({});
    }
    if is_required {
        match place["required"].as_array_mut() {
            Some(required) => required.push(name.into()),
            None => place["required"] = json!([name]),
        }
    }
}

/// Gives a schema its type.
fn fill(place: &mut Value, kind: &str) {
    match kind {
        "tree" => {
            *place = json!({ "anyOf": [{ "type": "array", "items": {} }, { "type": "object" }] })
        }
        "array" => *place = json!({ "type": "array", "items": {} }),
        kind => {
            place["type"] = kind.into();
        }
    }
}
