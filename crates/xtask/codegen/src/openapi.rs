//! The service of the specification as an OpenAPI 3.1 document. Parts that the specification does
//! not show are described as unspecified, with a schema that accepts any value.

use std::collections::BTreeSet;

use sendoff::http::{Method, OPERATIONS, Operation, OperationRow, RateLimited, Side};
use sendoff::rate_limit::Policy;
use sendoff::schema::UnexpressedRule;
use serde_json::{Map, Value, json};

use super::schema::{fields, list, pascal, reached};

const UNSPECIFIED: &str = "The specification does not show this; any value is possible.";

/// The whole document.
pub(super) fn document(schema: &Value) -> Value {
    let mut paths = Map::new();
    for row in OPERATIONS {
        let method = row.method.as_str().to_lowercase();
        paths.insert(row.path.into(), json!({ method: operation(row, schema) }));
    }
    let description = format!(
        "The NFT transfer estimate, here also for tokens and raw transactions, is described in full. Of the other \
         operations the specification shows method and path only. Rules of the estimate that no schema can \
         say:\n{}",
        UnexpressedRule::list(),
    );
    let mut document = service(
        [
            "",
            "Sixteen operations, of which the specification shows the payloads of one.",
            &description,
        ],
        [
            "Production or sandbox; the specification shows neither address.",
            "https://base-url.invalid",
        ],
        "The key of the calling application. The specification does not show its place; \
            this header is the one that hosts built on Sendoff read.",
    );
    document["x-rate-limit"] = json!({
        "description": "Production's limit on the operations with `x-rate-limited`. That of the sandbox is not shown.",
        "policy": Policy::PRODUCTION,
    });
    finished(document, paths.into(), schemas(schema))
}

/// What the documents of the service have in common: about the profile, its name, summary and description; its server and address;
/// and what is said of the key.
pub(super) fn service(
    [profile, summary, description]: [&str; 3],
    [server, address]: [&str; 2],
    of_key: &str,
) -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": format!("Cross-chain wallet service{profile}"),
            "version": env!("CARGO_PKG_VERSION"),
            "summary": summary,
            "description": description,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{
            "url": "{base_url}",
            "description": server,
            "variables": { "base_url": { "default": address, "description": "The base address." } },
        }],
        "tags": [
            { "name": "client", "description": "For an application in the user's hands." },
            { "name": "server", "description": "For an application's server, for any of its users." },
        ],
        "components": {
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer", "description": "`Authorization: Bearer <ACCESS_TOKEN>`." },
                "apiKey": { "type": "apiKey", "in": "header", "name": "x-api-key", "description": of_key },
            },
            "responses": responses(),
        },
    })
}

/// The document with its paths and definitions.
pub(super) fn finished(mut document: Value, paths: Value, schemas: Value) -> Value {
    let components = document["components"].take();
    document.as_object_mut().map(|all| all.shift_remove("components"));
    document["paths"] = paths;
    document["components"] = components;
    document["components"]["schemas"] = schemas;
    document
}

fn operation(row: &OperationRow, schema: &Value) -> Value {
    let is_estimate = row.id == Operation::Estimate;
    let is_orders = row.id == Operation::Orders;
    let query = if is_orders {
        " A query may filter the orders; its parameters are not shown."
    } else {
        ""
    };
    let description = format!(
        "The specification shows method and path only: what is sent, what is answered and how a caller is \
         authenticated are not shown.{query}"
    );
    let filter = json!({
        "name": "filter",
        "in": "query",
        "description": "A partial query object. Its keys are not shown.",
        "style": "form",
        "explode": true,
        "schema": { "type": "object", "additionalProperties": { "type": "string" } },
    });
    let of_paths = row
        .parameters
        .iter()
        .map(|name| of_path(name, "The user. What identifies one is not shown."));
    let parameters: Vec<_> = of_paths.chain(is_orders.then_some(filter)).collect();
    let asked = if is_estimate {
        json!({
            "description": "The intent, and the maximum fees.",
            "required": true,
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/EstimateRequest" } } },
        })
    } else {
        unspecified()
    };
    let answered = if is_estimate {
        json!({ "200": {
            "description": "The user operation, prepared.",
            "content": { "application/json": {
                "schema": { "$ref": "#/components/schemas/EstimateReply" },
                "example": example(),
            } },
        } })
    } else {
        json!({ "200": unspecified(), "201": unspecified() })
    };
    let operation = json!({
        "operationId": row.id,
        "summary": sentence_of(row.id, schema).trim_end_matches('.'),
        "tags": [row.side],
        "x-rate-limited": row.limited,
        "description": (!is_estimate).then_some(description),
        "security": security(row.id),
        "parameters": (!parameters.is_empty()).then_some(parameters),
        "requestBody": (row.method == Method::Post).then_some(asked),
        "responses": answered,
    });
    refused(operation, row.limited)
}

/// An operation without what it does not have, and with the responses of what is refused.
pub(super) fn refused(mut operation: Value, is_limited: bool) -> Value {
    if let Some(all) = operation.as_object_mut() {
        all.retain(|_, part| !part.is_null());
    }
    let limit = is_limited.then_some(("429", "RateLimited"));
    for (status, name) in limit.into_iter().chain([("4XX", "Error"), ("5XX", "Error")]) {
        let place = format!("#/components/responses/{name}");
        operation["responses"][status] = json!({ "$ref": place });
    }
    operation
}

/// A parameter of a path.
pub(super) fn of_path(name: &str, about: &str) -> Value {
    json!({
        "name": name,
        "in": "path",
        "required": true,
        "description": about,
        "schema": { "$ref": "#/components/schemas/PathParam" },
    })
}

/// What every host built on Sendoff asks for: a client's token, a server's key, and for the two lists the client's key as well.
fn security(operation: Operation) -> Value {
    match (operation.side(), operation.takes_key()) {
        (Side::Server, _) => json!([{ "apiKey": [] }]),
        (Side::Client, true) => json!([{ "bearer": [] }, { "apiKey": [] }]),
        (Side::Client, false) => json!([{ "bearer": [] }]),
    }
}

/// The reply to the request of the demonstration.
fn example() -> Value {
    const REQUEST: &str = include_str!("../../../../tests/demo/request.json");
    const FACTS: &str = include_str!("../../../../tests/demo/facts.json");
    let reply = sendoff::json::estimate(REQUEST, FACTS).ok();
    reply.and_then(|reply| serde_json::from_str(&reply).ok()).unwrap_or_default()
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
    let asked = reached(BTreeSet::from(["EstimateRequest"]), definitions);
    let answered = ["EstimateReply", "ServiceFailure", "RateLimitedBody", "PathParam"];
    let answered = reached(answered.into(), definitions);

    let mut components = Map::new();
    for (name, definition) in fields(schema, "$defs") {
        let mut definition = definition.clone();
        if !asked.contains(&**name) {
            if !answered.contains(&**name) {
                continue;
            }
            if definition["additionalProperties"] == false {
                definition.as_object_mut().map(|all| all.shift_remove("additionalProperties"));
            }
        }
        portable(&mut definition);
        spread(name, definition, &mut components);
    }
    components.into()
}

/// Puts a schema into a form that the tools of others read: assertions beside a reference become a part of `allOf`, every schema has a
/// type, an array has items, and patterns are those of ECMAScript and RE2.
pub(super) fn portable(schema: &mut Value) {
    let fields = match schema {
        Value::Array(items) => return items.iter_mut().for_each(portable),
        Value::Object(fields) => fields,
        _ => return,
    };
    fields.values_mut().for_each(portable);

    if let Some(Value::String(place)) = fields.get_mut("$ref") {
        *place = place.replace("#/$defs/", "#/components/schemas/");
    }
    if let Some(Value::String(pattern)) = fields.get_mut("pattern") {
        // RE2 has no `\u`, and both have `\x` with two digits.
        *pattern = pattern.replace("\\u00", "\\x");
    }
    let is_schema = |key: &str| fields.get(key).is_some_and(|value| !value.is_string());
    let is_object = is_schema("properties") || fields.get("required").is_some_and(Value::is_array);
    let is_text = fields.get("pattern").is_some_and(Value::is_string)
        || fields.get("const").is_some_and(Value::is_string)
        || fields.get("enum").and_then(|words| words.get(0)).is_some_and(Value::is_string);
    if !fields.contains_key("type") && (is_object || is_text) {
        fields.insert("type".into(), if is_object { "object" } else { "string" }.into());
    }
    if fields.get("type") == Some(&"array".into()) && !fields.contains_key("items") {
        fields.insert("items".into(), json!({}));
    }
    let is_reference = fields.get("$ref").is_some_and(Value::is_string);
    if is_reference && fields.keys().any(|key| !["$ref", "description"].contains(&key.as_str())) {
        let reference = fields.shift_remove("$ref");
        let description = fields.shift_remove("description");
        let beside = std::mem::take(fields);
        fields.extend(description.map(|text| ("description".to_owned(), text)));
        fields.insert("allOf".into(), json!([{ "$ref": reference }, beside]));
    }
}

/// The input documents with all definitions that they refer to, which are their JSON Schemas in the npm package.
pub(super) fn documents(schema: &Value) -> Map<String, Value> {
    let kinds = list(&schema["$defs"]["DocumentKind"], "enum").iter().filter_map(Value::as_str);
    let mut documents = components(kinds.collect(), schema);
    documents.values_mut().filter_map(Value::as_object_mut).for_each(|fields| {
        fields.shift_remove("discriminator");
    });
    documents
}

/// Definitions of the core, and all that they refer to, as components of a document.
pub(super) fn components(names: BTreeSet<&str>, schema: &Value) -> Map<String, Value> {
    let mut components = Map::new();
    for name in reached(names, &schema["$defs"]) {
        let mut definition = schema["$defs"][name].clone();
        portable(&mut definition);
        spread(name, definition, &mut components);
    }
    components
}

/// Adds a component. An object of several forms becomes one of several whole objects, which generators can write as types: the value
/// of their first property says which.
fn spread(name: &str, mut definition: Value, components: &mut Map<String, Value>) {
    let alternatives = match definition["oneOf"].as_array() {
        Some(alternatives) if definition["type"] == "object" => alternatives.clone(),
        _ => {
            components.insert(name.into(), definition);
            return;
        }
    };
    let is_closed = definition.as_object_mut().is_some_and(|all| {
        all.shift_remove("oneOf");
        all.shift_remove("unevaluatedProperties").is_some()
    });
    let (mut references, mut mapping, mut key) = (Vec::new(), Map::new(), String::new());
    let mut whole = Vec::new();
    for alternative in &alternatives {
        let mut one = definition.clone();
        for (field, schema) in fields(alternative, "properties") {
            if let Some(word) = schema["const"].as_str() {
                key.clone_from(field);
                let title = format!("{name}{}", pascal(word));
                let place = format!("#/components/schemas/{title}");
                references.push(json!({ "$ref": place }));
                mapping.insert(word.into(), place.into());
                one["title"] = title.into();
            }
            one["properties"][field] = schema.clone();
        }
        let required = [&definition, alternative].map(|part| list(part, "required"));
        one["required"] = required.concat().into();
        if is_closed {
            one["additionalProperties"] = false.into();
        }
        whole.push(one);
    }
    components.insert(
        name.into(),
        json!({
            "description": definition["description"],
            "oneOf": references,
            "discriminator": { "propertyName": key, "mapping": mapping },
        }),
    );
    for mut one in whole {
        let title = one.as_object_mut().and_then(|fields| fields.shift_remove("title"));
        components.extend(title.as_ref().and_then(Value::as_str).map(|title| (title.into(), one)));
    }
}
