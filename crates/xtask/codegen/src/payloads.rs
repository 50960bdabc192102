//! The operations of the live service with their payloads, as the profile `okto-v1` of the pocket service has them, as an OpenAPI 3.1
//! document. The specification does not show them.

use std::collections::BTreeSet;

use sendoff::http::Operation;
use serde_json::{Map, Value, json};

use super::openapi::{components, finished, of_path, refused, service};
use super::schema::{self, apart, capital, is_required, list, named};

/// The whole document.
pub(super) fn document(schema: &Value) -> Result<Value, String> {
    let rows = sendoff_sandbox::payloads();
    let rows = rows.as_array().ok_or("the payloads: expected a list")?;
    let mut paths = Map::new();
    for row in rows.iter().filter(|row| row["reply"].is_object()) {
        let path = row["path"].as_str().unwrap_or_default();
        let method = row["method"].as_str().unwrap_or_default().to_lowercase();
        let item = paths.entry(path).or_insert_with(|| json!({}));
        item[method] = operation(row, path);
    }

    let all = Value::Object(paths);
    let mut names = BTreeSet::from(["ServiceFailure", "RateLimitedBody"]);
    named(&all, &mut names);
    let schemas = components(names, schema).into();

    let service = service(
        [
            ", profile okto-v1",
            "The payloads of the pocket service.",
            "What the live service's public descriptions show of the operations whose payloads the specification \
                does not show, and of their companions. The pocket service answers all of them.",
        ],
        ["A pocket service, such as `npx sendoff sandbox`.", "http://127.0.0.1:8080"],
        "The key of the application.",
    );
    Ok(finished(service, all, schemas))
}

fn operation(row: &Value, path: &str) -> Value {
    let id = row["id"].as_str().unwrap_or_default();
    let query = plain(&row["query"]);
    let in_path = path.split_once('{').map(|(_, name)| {
        of_path(name.trim_end_matches('}'), "The id of a user or of the treasury wallet.")
    });
    let in_query = schema::fields(&query, "properties").map(|(name, schema)| {
        let is_required = is_required(&query, name);
        json!({ "name": name, "in": "query", "required": is_required, "schema": schema })
    });
    let parameters: Vec<_> = in_path.into_iter().chain(in_query).collect();

    let mut request = row["request"].clone();
    strip(&mut request, true);
    let others = if request["$ref"].is_string() { "refused" } else { "ignored" };
    let body = json!({
        "description": format!("The fields that are read; others are {others}."),
        "required": true,
        "content": { "application/json": { "schema": request } },
    });
    let content = json!({ "application/json": { "schema": plain(&row["reply"]) } });
    let responses = list(row, "statuses").iter().map(|status| {
        (status.to_string(), json!({ "description": "The reply.", "content": content }))
    });
    let operation = json!({
        "operationId": id,
        "summary": capital(&apart(id, ' ')),
        "tags": [if row["credentials"] == "server" { "server" } else { "client" }],
        "security": match row["credentials"].as_str() {
            Some("server") => json!([{ "apiKey": [] }]),
            Some("either") => json!([{ "bearer": [] }, { "apiKey": [] }]),
            Some("client") => json!([{ "bearer": [] }]),
            _ => json!([]),
        },
        "parameters": (!parameters.is_empty()).then_some(parameters),
        "requestBody": row["request"]["properties"].is_object().then_some(body),
        "responses": responses.collect::<Map<_, _>>(),
    });
    let specified = Operation::ALL.iter().find(|known| known.as_str() == id);
    refused(operation, specified.is_some_and(|operation| operation.is_limited()))
}

/// A schema without what generators take for something else: titles, the formats of Rust's integers, and `null` for a field that may
/// be absent.
fn plain(schema: &Value) -> Value {
    let mut schema = schema.clone();
    strip(&mut schema, false);
    schema
}

/// In a request, a field that may be absent may be `null` too.
fn strip(value: &mut Value, keeps_null: bool) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| strip(item, keeps_null)),
        Value::Object(fields) => {
            let is_schema = ["$ref", "type", "anyOf", "oneOf", "enum", "const"];
            if is_schema.iter().any(|key| fields.get(*key).is_some_and(|found| !found.is_object()))
            {
                for key in ["title", "format", "default"] {
                    fields.remove(key);
                }
                simplify(fields, keeps_null);
            }
            fields.values_mut().for_each(|field| strip(field, keeps_null));
        }
        _ => {}
    }
}

fn simplify(fields: &mut Map<String, Value>, keeps_null: bool) {
    let mut is_null = false;
    if let Some(Value::Array(types)) = fields.get_mut("type") {
        is_null = keeps_null && types.iter().any(|name| name == "null");
        types.retain(|name| is_null || name != "null");
        if let [only] = &types[..] {
            fields["type"] = only.clone();
        }
    }
    if let Some(Value::Array(words)) = fields.get_mut("enum") {
        words.retain(|word| is_null || !word.is_null());
    }
    if fields.get("type").is_some_and(|name| name == "integer") && fields.contains_key("minimum") {
        fields.entry("maximum").or_insert(9_007_199_254_740_991_u64.into());
    }
    if fields.get("$ref").is_some_and(Value::is_string) {
        fields.retain(|key, _| ["$ref", "description"].contains(&key.as_str()));
        if is_null && let Some(reference) = fields.remove("$ref") {
            fields.insert("anyOf".into(), json!([{ "$ref": reference }, { "type": "null" }]));
        }
    }
    // Of an enum that may be absent, and of one with sentences about its words.
    for key in ["anyOf", "oneOf"] {
        let Some(Value::Array(parts)) = fields.get_mut(key) else { continue };
        parts.retain(|part| keeps_null || part["type"] != "null");
        let words = |part: &Value| {
            part["enum"].as_array().cloned().or_else(|| Some(vec![part.get("const")?.clone()]))
        };
        if let [Value::Object(only)] = &mut parts[..] {
            let only = std::mem::take(only);
            fields.remove(key);
            fields.extend(only);
            return simplify(fields, keeps_null);
        }
        if let Some(words) = parts.iter().map(words).collect::<Option<Vec<_>>>() {
            fields.remove(key);
            fields.insert("type".into(), "string".into());
            fields.insert("enum".into(), words.concat().into());
        }
    }
}

/// The fields of a body by their paths, for the table of requests: `[]` after the key of a list means each of its items, and a question
/// mark that it may be absent.
pub(super) fn fields(schema: &Value) -> Vec<String> {
    let (mut schema, mut all) = (schema.clone(), Vec::new());
    // One that has the fields of a document of the core.
    schema.as_object_mut().map(|fields| fields.remove("$ref"));
    list_fields(&plain(&schema), "", &mut all);
    all
}

fn list_fields(schema: &Value, at: &str, all: &mut Vec<String>) {
    for (name, field) in schema::fields(schema, "properties") {
        let path = format!("{at}{name}");
        if field["properties"].is_object() {
            list_fields(field, &format!("{path}."), all);
        } else if field["items"]["properties"].is_object() {
            list_fields(&field["items"], &format!("{path}[]."), all);
        } else {
            let mark = if is_required(schema, name) { "" } else { "?" };
            all.push(format!("`{path}`{mark}"));
        }
    }
}
