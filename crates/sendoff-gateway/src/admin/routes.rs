//! The routes of the admin API: the one table that serves them and describes them (OpenAPI 3.1).

use std::sync::Arc;

use axum::{
    http::StatusCode,
    routing::{MethodRouter, delete, get, patch, post, put},
};
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::{
    api::{self, Api},
    asked::MOST_ITEMS,
    body::{Fields, reference},
    read, show,
};
use crate::database::{ApplicationName, Changed, NewKey, Nothing};

const APPLICATIONS: &str = "/applications";
const ONE: &str = "/applications/{environment}/{name}";
const KEYS: &str = "/applications/{environment}/{name}/keys";
const KEY: &str = "/applications/{environment}/{name}/keys/{id}";
const ROTATE_KEY: &str = "/applications/{environment}/{name}/keys/{id}/rotate";
const USERS: &str = "/applications/{environment}/{name}/users";
const USER: &str = "/applications/{environment}/{name}/users/{id}";
const ROTATE_USER: &str = "/applications/{environment}/{name}/users/{id}/rotate";
const AUDIT: &str = "/applications/{environment}/{name}/audit";
const STEPS: &str = "/applications/{environment}/{name}/catalogue/steps";
const KNOWN: &str = "/applications/{environment}/{name}/catalogue/known";
const SPONSOR: &str = "/applications/{environment}/{name}/sponsorship/{caip2_id}";

/// The name of a body in the description, and its schema.
type Body = (&'static str, fn() -> Value);

/// A route: its path, its id, its sentence, its query, its body, its answer and what serves it.
pub(super) struct Route {
    pub(super) path: &'static str,
    pub(super) serve: MethodRouter<Arc<Api>>,
    method: &'static str,
    id: &'static str,
    summary: &'static str,
    query: &'static [&'static str],
    body: Option<Body>,
    status: StatusCode,
    data: fn(&mut SchemaGenerator) -> Value,
}

impl Route {
    fn new<T: JsonSchema>(
        (method, path): (&'static str, &'static str),
        id: &'static str,
        summary: &'static str,
        serve: MethodRouter<Arc<Api>>,
    ) -> Self {
        let data = |schemas: &mut SchemaGenerator| schemas.subschema_for::<T>().to_value();
        let (query, body, status) = (&[][..], None, StatusCode::OK);
        Self { path, serve, method, id, summary, query, body, status, data }
    }

    const fn asks(mut self, query: &'static [&'static str]) -> Self {
        self.query = query;
        self
    }

    /// The name of its body in the description, and the schema.
    const fn takes(mut self, name: &'static str, schema: fn() -> Value) -> Self {
        self.body = Some((name, schema));
        self
    }

    const fn makes(mut self) -> Self {
        self.status = StatusCode::CREATED;
        self
    }
}

/// All routes. A route that is not here is not served.
pub(super) fn routes() -> Vec<Route> {
    let overlap = || Fields::describe(read::overlap);
    vec![
        Route::new::<show::Session<'_>>(("get", "/session"), "session", "Who asks, and the environments", get(api::session)),
        Route::new::<show::Known<'_>>(("get", "/known"), "known", "What a new application can enable", get(api::known)),
        Route::new::<show::Changes>(("get", "/audit"), "audit", "The last changes of all applications", get(api::whole_audit))
            .asks(&["before", "limit"]),
        Route::new::<show::Applications>(("get", APPLICATIONS), "listApplications", "The applications of an environment", get(api::list))
            .asks(&["environment", "after", "limit"]),
        Route::new::<ApplicationName>(("post", APPLICATIONS), "makeApplication", "Makes an application", post(api::make))
            .takes("Draft", || Fields::describe(|fields| Some(read::application(fields))))
            .makes(),
        Route::new::<show::Application<'_>>(("get", ONE), "readApplication", "An application, with its window and its last refusals", get(api::application)),
        Route::new::<Nothing>(("patch", ONE), "changeApplication", "Gives an application another wallet, limit or list of pages; `null` is what its environment has", patch(api::alter))
            .takes("Alteration", || Fields::describe(read::alteration)),
        Route::new::<Nothing>(("delete", ONE), "removeApplication", "Takes an application away", delete(api::remove)),
        Route::new::<show::Changes>(("get", AUDIT), "auditApplication", "Its last changes", get(api::audit))
            .asks(&["before", "limit"]),
        Route::new::<show::Keys>(("get", KEYS), "listKeys", "Its keys, without their texts", get(api::keys))
            .asks(&["after", "limit"]),
        Route::new::<NewKey>(("post", KEYS), "makeKey", "Makes a key, which is shown once", post(api::make_key))
            .takes("KeyDraft", || Fields::describe(read::key))
            .makes(),
        Route::new::<Nothing>(("delete", KEY), "endKey", "Ends a key", delete(api::end)),
        Route::new::<NewKey>(("post", ROTATE_KEY), "rotateKey", "Makes a key in the place of another, which ends later", post(api::rotate))
            .takes("Overlap", overlap)
            .makes(),
        Route::new::<show::Users>(("get", USERS), "listUsers", "Its users, without their tokens", get(api::users))
            .asks(&["after", "limit"]),
        Route::new::<NewKey>(("post", USERS), "makeUser", "Makes a user, whose token is shown once", post(api::make_user))
            .takes("UserDraft", || Fields::describe(read::user))
            .makes(),
        Route::new::<Nothing>(("delete", USER), "endUser", "Ends a user's token", delete(api::end)),
        Route::new::<NewKey>(("post", ROTATE_USER), "rotateUser", "Makes a token in the place of another, which ends later", post(api::rotate))
            .takes("Overlap", overlap)
            .makes(),
        Route::new::<Changed>(("post", STEPS), "stepCatalogue", "Enables or disables a chain; whitelists or removes a token or a collection", post(api::step))
            .takes("CatalogueStep", || reference("CatalogueStep")),
        Route::new::<Changed>(("post", KNOWN), "knowMore", "Adds chains, tokens and collections that the catalogue does not know yet, with nothing enabled", post(api::know))
            .takes("More", || Fields::describe(read::know)),
        Route::new::<Nothing>(("put", SPONSOR), "sponsor", "Sets the policies and the fee of a chain", put(api::sponsor))
            .takes("Sponsorship", || Fields::describe(read::sponsorship)),
    ]
}

/// The document of the admin API. It refers to definitions of the core, and does not have them.
#[must_use]
pub fn describe() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    let (mut paths, mut bodies) = (Map::new(), Map::new());
    for route in routes() {
        if let Some((name, schema)) = route.body {
            bodies.insert(name.into(), schema());
        }
        let path = paths.entry(route.path).or_insert_with(|| path(route.path));
        let data = (route.data)(&mut generator);
        path[route.method] = operation(&route, &data);
    }
    bodies.retain(|_, schema| schema.get("$ref").is_none());
    let mut schemas = generator.take_definitions(true);
    // A field of an answer is there or not.
    schemas.values_mut().for_each(without_null);
    schemas.extend(bodies);
    schemas.insert("Late".into(), json!({
        "type": "object",
        "properties": { "notInService": {
            "type": "string",
            "description": "Why the change is in the database and not in service at this process; absent if it is in service.",
        } },
    }));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "The gateway's admin API",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "The applications of the database, and what they may use.",
            "description": "It is served on the admin address, if the configuration has `admins`. A change needs an \
                `idempotency-key`: a repeated request is made once, and its answer has no secret again.",
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
                "Error": refusal("A refusal. `error.details.issues` has the path of each problem of the request.", json!({})),
                "Guessed": refusal(
                    "Too many wrong credentials came from this address. It may ask again after `retry-after` seconds.",
                    json!({ "retry-after": {
                        "description": "The seconds until it may ask again.",
                        "required": true,
                        "schema": { "type": "integer", "minimum": 1 },
                    } }),
                ),
            },
            "schemas": schemas,
        },
    })
}

/// The schemas of fields that can be absent, of which none is `null`, without formats that only Rust has.
fn without_null(schema: &mut Value) {
    let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
    for field in fields.into_iter().flat_map(Map::values_mut) {
        let types = field.get("type").and_then(Value::as_array);
        if let Some(own) = types.and_then(|all| all.iter().find(|one| *one != "null")).cloned() {
            field["type"] = own;
        }
        if let Some(own) = field.get("anyOf").and_then(|any| any.get(0)).cloned() {
            *field = own;
        }
        let is_of_rust =
            |value: &Value| value.as_str().is_some_and(|name| name.starts_with("uint"));
        if let Some(field) = field.as_object_mut() {
            field.retain(|key, value| key != "format" || !is_of_rust(value));
        }
    }
}

fn refusal(description: &str, headers: Value) -> Value {
    json!({
        "description": description,
        "headers": headers,
        "content": { "application/json": { "schema": reference("ServiceFailure") } },
    })
}

/// The parameters that all operations of a path have.
fn path(template: &str) -> Value {
    let names = template.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let parameters: Vec<_> = names.map(parameter).collect();
    if parameters.is_empty() { json!({}) } else { json!({ "parameters": parameters }) }
}

fn parameter(name: &str) -> Value {
    json!({ "$ref": format!("#/components/parameters/{name}") })
}

fn operation(route: &Route, data: &Value) -> Value {
    let is_change = route.method != "get";
    let query = route.query.iter().map(|name| parameter(&format!("query-{name}")));
    let parameters: Vec<_> = query.chain(is_change.then(|| parameter("idempotency-key"))).collect();
    let data = match is_change {
        true => json!({ "allOf": [data, reference("Late")] }),
        false => data.clone(),
    };

    let mut operation = json!({
        "operationId": route.id,
        "summary": route.summary,
        "tags": [if is_change { "change" } else { "read" }],
        "parameters": parameters,
        "responses": {
            route.status.as_str(): {
                "description": "Done.",
                "content": { "application/json": { "schema": {
                    "type": "object",
                    "required": ["status", "data"],
                    "properties": { "status": { "type": "string", "const": "success" }, "data": data },
                } } },
            },
            "429": { "$ref": "#/components/responses/Guessed" },
            "4XX": { "$ref": "#/components/responses/Error" },
            "5XX": { "$ref": "#/components/responses/Error" },
        },
    });
    if let (Some((name, _)), Some(operation)) = (route.body, operation.as_object_mut()) {
        let body = json!({
            "required": true,
            "content": { "application/json": { "schema": reference(name) } },
        });
        operation.insert("requestBody".into(), body);
    }
    operation
}

fn parameters() -> Value {
    let text = json!({ "type": "string" });
    let number = |most: i64| json!({ "type": "integer", "minimum": 1, "maximum": most });
    let of = |place: &str, name: &str, description: &str, schema: Value| {
        let required = place == "path" || name == "environment";
        json!({ "name": name, "in": place, "required": required, "description": description, "schema": schema })
    };
    json!({
        "environment": of("path", "environment", "An environment of the configuration.", text.clone()),
        "name": of("path", "name", "The application's name.", text.clone()),
        "id": of("path", "id", "The id of a key or of a user: the first 16 hex digits of its digest.", text.clone()),
        "caip2_id": of("path", "caip2_id", "A chain of the catalogue, such as `eip155:137`.", text.clone()),
        "query-environment": of("query", "environment", "An environment of the configuration.", text.clone()),
        "query-after": of("query", "after", "The last item of the page before.", text),
        "query-before": of("query", "before", "The `revision` of the last change of the page before.", number(i64::MAX)),
        "query-limit": of("query", "limit", "The most items of the page; absent means 100.", number(MOST_ITEMS)),
        "idempotency-key": {
            "name": "idempotency-key",
            "in": "header",
            "required": true,
            "description": "A text of the caller's own for this change. It is kept for a day.",
            "schema": { "type": "string", "pattern": "^[!-~]{1,128}$" },
        },
    })
}
