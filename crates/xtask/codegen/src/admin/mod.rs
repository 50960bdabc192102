//! The gateway's admin API as an OpenAPI 3.1 document. What the core reads is described by the
//! core's schemas.

mod own;

use serde_json::{Map, Value, json};

use self::own::own;
use super::openapi::{components, portable};

/// The definitions of the core that requests and answers have.
const OF_CORE: [&str; 8] = [
    "Catalogue",
    "CatalogueStep",
    "ChainId",
    "KnownChain",
    "KnownCollection",
    "KnownToken",
    "Policy",
    "ServiceFailure",
];

/// An operation: its method and path, its id, its sentence, its tag, its query, its body and the data of its answer.
struct Row {
    method: &'static str,
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    tag: &'static str,
    query: &'static [&'static str],
    body: Option<&'static str>,
    status: &'static str,
    data: &'static str,
}

const fn get(
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    data: &'static str,
) -> Row {
    Row {
        method: "get",
        path,
        id,
        summary,
        tag: "read",
        query: &[],
        body: None,
        status: "200",
        data,
    }
}

const fn change(
    (method, path): (&'static str, &'static str),
    id: &'static str,
    summary: &'static str,
    body: Option<&'static str>,
    (status, data): (&'static str, &'static str),
) -> Row {
    Row { method, path, id, summary, tag: "change", query: &[], body, status, data }
}

const ROWS: [Row; 19] = [
    get("/session", "session", "Who asks, and the environments", "Session"),
    get("/known", "known", "What a new application can enable", "Known"),
    Row {
        query: &["before", "size"],
        ..get("/audit", "audit", "The last changes of all applications", "Changes")
    },
    Row {
        query: &["environment", "after", "size"],
        ..get(
            "/applications",
            "listApplications",
            "The applications of an environment",
            "Applications",
        )
    },
    change(
        ("post", "/applications"),
        "makeApplication",
        "Makes an application",
        Some("Draft"),
        ("201", "ApplicationName"),
    ),
    get(
        ONE,
        "readApplication",
        "An application, with its window and its last refusals",
        "Application",
    ),
    change(
        ("patch", ONE),
        "changeApplication",
        "Gives an application another wallet, limit or list of pages; `null` is what its environment has",
        Some("Alteration"),
        ("200", "Nothing"),
    ),
    change(
        ("delete", ONE),
        "removeApplication",
        "Takes an application away",
        None,
        ("200", "Nothing"),
    ),
    Row {
        query: &["before", "size"],
        ..get(
            "/applications/{environment}/{name}/audit",
            "auditApplication",
            "Its last changes",
            "Changes",
        )
    },
    Row {
        query: &["after", "size"],
        ..get(KEYS, "listKeys", "Its keys, without their texts", "Keys")
    },
    change(
        ("post", KEYS),
        "makeKey",
        "Makes a key, which is shown once",
        Some("KeyDraft"),
        ("201", "NewKey"),
    ),
    change(("delete", KEY), "endKey", "Ends a key", None, ("200", "Nothing")),
    change(
        ("post", "/applications/{environment}/{name}/keys/{id}/rotate"),
        "rotateKey",
        "Makes a key in the place of another, which ends later",
        Some("Overlap"),
        ("201", "NewKey"),
    ),
    Row {
        query: &["after", "size"],
        ..get(USERS, "listUsers", "Its users, without their tokens", "Users")
    },
    change(
        ("post", USERS),
        "makeUser",
        "Makes a user, whose token is shown once",
        Some("UserDraft"),
        ("201", "NewKey"),
    ),
    change(
        ("delete", "/applications/{environment}/{name}/users/{id}"),
        "endUser",
        "Ends a user's token",
        None,
        ("200", "Nothing"),
    ),
    change(
        ("post", "/applications/{environment}/{name}/users/{id}/rotate"),
        "rotateUser",
        "Makes a token in the place of another, which ends later",
        Some("Overlap"),
        ("201", "NewKey"),
    ),
    change(
        ("post", "/applications/{environment}/{name}/catalogue/steps"),
        "stepCatalogue",
        "Enables or disables a chain; whitelists or removes a token or a collection",
        Some("CatalogueStep"),
        ("200", "Changed"),
    ),
    change(
        ("post", "/applications/{environment}/{name}/catalogue/known"),
        "knowMore",
        "Adds chains, tokens and collections that the catalogue does not know yet, with nothing enabled",
        Some("More"),
        ("200", "Changed"),
    ),
];

const ONE: &str = "/applications/{environment}/{name}";
const KEYS: &str = "/applications/{environment}/{name}/keys";
const KEY: &str = "/applications/{environment}/{name}/keys/{id}";
const USERS: &str = "/applications/{environment}/{name}/users";

/// The only PUT: it replaces the policies of one chain.
const SPONSOR: Row = change(
    ("put", "/applications/{environment}/{name}/sponsorship/{caip2_id}"),
    "sponsor",
    "Sets the policies and the fee of a chain",
    Some("Sponsorship"),
    ("200", "Nothing"),
);

/// The whole document.
pub(super) fn document(schema: &Value) -> Value {
    let mut paths = Map::new();
    for row in ROWS.iter().chain([&SPONSOR]) {
        let path = paths.entry(row.path).or_insert_with(|| path(row.path));
        path[row.method] = operation(row);
    }
    let mut schemas = components(&OF_CORE, schema);
    if let (Some(all), Value::Object(own)) = (schemas.as_object_mut(), own()) {
        all.extend(own);
        // The server refuses a field that it does not know.
        for body in ROWS.iter().chain([&SPONSOR]).filter_map(|row| row.body) {
            if let Some(Value::Object(body)) = all.get_mut(body)
                && body.contains_key("properties")
            {
                body.entry("additionalProperties").or_insert(false.into());
            }
        }
    }
    portable(&mut schemas);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "The gateway's admin API",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "The applications of the database, and what they may use.",
            "description": "It is served on the admin address, if the configuration has a `database` and `admins`. A change \
                needs an `idempotency-key`: a repeated request is made once, and its answer has no secret again.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{
            "url": "{admin}/admin/v1",
            "description": "The admin address of a gateway.",
            "variables": { "admin": { "default": "https://admin.invalid", "description": "`admin` of the configuration." } },
        }],
        "tags": [
            { "name": "read", "description": "Reads, and changes nothing." },
            { "name": "change", "description": "Is in the audit log." },
        ],
        "security": [{ "admin": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "admin": { "type": "http", "scheme": "bearer", "description": "A token of `admins` in the configuration." },
            },
            "parameters": parameters(),
            "responses": {
                "Error": {
                    "description": "A refusal. `error.details.issues` has the path of each problem of the request.",
                    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/ServiceFailure" } } },
                },
                "Guessed": {
                    "description": "Too many wrong credentials came from this address. It may ask again after `retry-after` seconds.",
                    "headers": {
                        "retry-after": {
                            "description": "The seconds until it may ask again.",
                            "required": true,
                            "schema": { "type": "integer", "minimum": 1 },
                        },
                    },
                    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/ServiceFailure" } } },
                },
            },
            "schemas": schemas,
        },
    })
}

/// The parameters that all operations of a path have.
fn path(template: &str) -> Value {
    let names = template.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let parameters: Vec<_> =
        names.map(|name| json!({ "$ref": format!("#/components/parameters/{name}") })).collect();
    if parameters.is_empty() { json!({}) } else { json!({ "parameters": parameters }) }
}

fn operation(row: &Row) -> Value {
    let mut parameters: Vec<_> = row
        .query
        .iter()
        .map(|name| json!({ "$ref": format!("#/components/parameters/query-{name}") }))
        .collect();
    if row.tag == "change" {
        parameters.push(json!({ "$ref": "#/components/parameters/idempotency-key" }));
    }

    let mut operation = json!({
        "operationId": row.id,
        "summary": row.summary,
        "tags": [row.tag],
        "parameters": parameters,
        "responses": {
            row.status: {
                "description": "Done.",
                "content": { "application/json": { "schema": {
                    "type": "object",
                    "required": ["status", "data"],
                    "properties": {
                        "status": { "const": "success" },
                        "data": { "$ref": format!("#/components/schemas/{}", row.data) },
                    },
                } } },
            },
            "429": { "$ref": "#/components/responses/Guessed" },
            "4XX": { "$ref": "#/components/responses/Error" },
            "5XX": { "$ref": "#/components/responses/Error" },
        },
    });
    if let Some(body) = row.body {
        operation["requestBody"] = json!({
            "required": true,
            "content": { "application/json": { "schema": { "$ref": format!("#/components/schemas/{body}") } } },
        });
    }

    operation
}

fn parameters() -> Value {
    let text = json!({ "type": "string" });
    let of_path = |name: &str, description: &str| json!({ "name": name, "in": "path", "required": true, "description": description, "schema": text });
    let of_query = |name: &str, description: &str, schema: Value| json!({ "name": name, "in": "query", "required": name == "environment", "description": description, "schema": schema });
    let number = |most: i64| json!({ "type": "integer", "minimum": 1, "maximum": most });

    json!({
        "environment": of_path("environment", "An environment of the configuration."),
        "name": of_path("name", "The application's name."),
        "id": of_path("id", "The id of a key or of a user: the first 16 hex digits of its digest."),
        "caip2_id": of_path("caip2_id", "A chain of the catalogue, such as `eip155:137`."),
        "query-environment": of_query("environment", "An environment of the configuration.", text.clone()),
        "query-after": of_query("after", "The last item of the page before.", text.clone()),
        "query-before": of_query("before", "The `revision` of the last change of the page before.", number(i64::MAX)),
        "query-size": of_query("size", "The most items of the page; absent means 100.", number(1_000)),
        "idempotency-key": {
            "name": "idempotency-key",
            "in": "header",
            "required": true,
            "description": "A text of the caller's own for this change. It is kept for a day.",
            "schema": { "type": "string", "pattern": "^[!-~]{1,128}$" },
        },
    })
}
