//! The routes of the admin API: the one table that serves them and describes them (OpenAPI 3.1).

use std::any::TypeId;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Request, State};
use axum::http::{Method, StatusCode};
use axum::routing::{MethodFilter, MethodRouter, get, on};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use sendoff::catalogue::CatalogueStep;
use sendoff::schema::Boundary;
use sendoff::value::ChainId;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::api::{self, Api, Refused, Replied};
use super::shapes::{self, Empty, KeyDraft, Late, MOST_ITEMS, Overlap};
use crate::config::{Known, Sponsorship};
use crate::database::{Alteration, Change, Changed, More, NewKey, Nothing, Place};

const APPLICATIONS: &str = "/applications";
const ONE: &str = "/applications/{environment}/{name}";
const KEYS: &str = "/applications/{environment}/{name}/keys";
const KEY: &str = "/applications/{environment}/{name}/keys/{id}";
const ROTATE_KEY: &str = "/applications/{environment}/{name}/keys/{id}/rotate";
const AUDIT: &str = "/applications/{environment}/{name}/audit";
const STEPS: &str = "/applications/{environment}/{name}/catalogue/steps";
const KNOWN: &str = "/applications/{environment}/{name}/catalogue/known";
const SPONSOR: &str = "/applications/{environment}/{name}/sponsorship/{caip2_id}";

type Described = fn(&mut SchemaGenerator) -> Value;

type Serve = MethodRouter<Arc<Api>>;

/// A route: its path, its method, its id, its sentence, its query, its body, its answer and what serves it.
pub(super) struct Route {
    pub(super) path: &'static str,
    pub(super) serve: Serve,
    method: Method,
    id: &'static str,
    summary: &'static str,
    query: &'static [&'static str],
    body: Option<Described>,
    status: StatusCode,
    data: Described,
}

fn described<T: JsonSchema>(schemas: &mut SchemaGenerator) -> Value {
    schemas.subschema_for::<T>().to_value()
}

/// The parameters of the path of a key.
type OfKey = (String, String, String);

/// Reads a change out of the parameters of the path and the body.
type Read<At, Body> = fn(&Api, At, Body) -> Result<(Place, Change), Refused>;

impl Route {
    fn new<Data: JsonSchema>(path: &'static str, id: &'static str, serve: Serve) -> Self {
        Self {
            path,
            serve,
            method: Method::GET,
            id,
            summary: "",
            query: &[],
            body: None,
            status: StatusCode::OK,
            data: described::<Data>,
        }
    }

    fn change<Data, P, Body>(
        method: Method,
        path: &'static str,
        id: &'static str,
        read: Read<P, Body>,
    ) -> Self
    where
        Data: JsonSchema,
        P: DeserializeOwned + Send + 'static,
        Body: DeserializeOwned + JsonSchema + Send + 'static,
    {
        let serve =
            async move |State(api): State<Arc<Api>>, Path(at): Path<P>, request: Request| {
                let replied: Replied = api.change(id, request, |body| read(&api, at, body)).await;
                replied
            };
        #[expect(clippy::unwrap_used, reason = "axum has routes of all methods of HTTP")]
        let filter = MethodFilter::try_from(method.clone()).unwrap();
        let takes_nothing = TypeId::of::<Body>() == TypeId::of::<Empty>();
        let body: Option<Described> = (!takes_nothing).then_some(described::<Body>);
        Self { method, body, ..Self::new::<Data>(path, id, on(filter, serve)) }
    }

    fn says(self, summary: &'static str) -> Self {
        Self { summary, ..self }
    }

    fn asks(self, query: &'static [&'static str]) -> Self {
        Self { query, ..self }
    }

    fn makes(self) -> Self {
        Self { status: StatusCode::CREATED, ..self }
    }
}

/// All routes. A route that is not here is not served.
pub(super) fn routes() -> Vec<Route> {
    let end: Read<OfKey, Empty> =
        |_, (environment, name, id), _| Ok((Place { environment, name }, Change::End(id)));
    let rotate: Read<OfKey, Overlap> = |_, (environment, name, id), overlap| {
        let overlap = Duration::from_secs(overlap.overlap_seconds.into());
        Ok((Place { environment, name }, Change::Rotate(id, overlap)))
    };
    let remove: Read<Place, Empty> = |_, at, _| Ok((at, Change::Remove));
    let alter: Read<Place, Alteration> = |_, at, to| Ok((at, Change::Alter(to)));
    let make_key: Read<Place, KeyDraft> = |_, at, key| Ok((at, key.change()?));
    let step: Read<Place, CatalogueStep> = |_, at, step| Ok((at, Change::Step(step)));
    let know: Read<Place, More> = |_, at, more| Ok((at, Change::Know(more)));
    let sponsor: Read<(String, String, ChainId), Sponsorship> =
        |_, (environment, name, id), sponsorship| {
            Ok((Place { environment, name }, Change::Sponsor(id, sponsorship)))
        };
    vec![
        Route::new::<shapes::Session<'_>>("/session", "session", get(api::session))
            .says("Who asks, and the environments"),
        Route::new::<Known>("/known", "known", get(api::known))
            .says("What a new application can enable"),
        Route::new::<shapes::Changes>("/audit", "audit", get(api::audit))
            .says("The last changes of all applications")
            .asks(&["before", "limit"]),
        Route::new::<shapes::Applications>(APPLICATIONS, "listApplications", get(api::list))
            .says("The applications of an environment")
            .asks(&["environment", "after", "limit"]),
        Route::change::<Place, _, _>(Method::POST, APPLICATIONS, "makeApplication", api::make)
            .says("Makes an application")
            .makes(),
        Route::new::<shapes::Application<'_>>(ONE, "readApplication", get(api::application))
            .says("An application, with its window and its last refusals"),
        Route::change::<Nothing, _, _>(Method::PATCH, ONE, "changeApplication", alter).says(
            "Gives an application another wallet, limit or list of pages; `null` is what its \
             environment has",
        ),
        Route::change::<Nothing, _, _>(Method::DELETE, ONE, "removeApplication", remove)
            .says("Takes an application away"),
        Route::new::<shapes::Changes>(AUDIT, "auditApplication", get(api::audit))
            .says("Its last changes")
            .asks(&["before", "limit"]),
        Route::new::<shapes::Keys>(KEYS, "listKeys", get(api::keys))
            .says("Its keys and the tokens of its users, without their texts")
            .asks(&["after", "limit"]),
        Route::change::<NewKey, _, _>(Method::POST, KEYS, "makeKey", make_key)
            .says("Makes a key or a token, which is shown once")
            .makes(),
        Route::change::<Nothing, _, _>(Method::DELETE, KEY, "endKey", end)
            .says("Ends a key or a token"),
        Route::change::<NewKey, _, _>(Method::POST, ROTATE_KEY, "rotateKey", rotate)
            .says("Makes a key or a token in the place of another, which ends later")
            .makes(),
        Route::change::<Changed, _, _>(Method::POST, STEPS, "stepCatalogue", step)
            .says("Enables or disables a chain; whitelists or removes a token or a collection"),
        Route::change::<Changed, _, _>(Method::POST, KNOWN, "knowMore", know).says(
            "Adds chains, tokens and collections that the catalogue does not know yet, with \
             nothing enabled",
        ),
        Route::change::<Nothing, _, _>(Method::PUT, SPONSOR, "sponsor", sponsor)
            .says("Sets the policies and the fee of a chain"),
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
    let mut paths = Map::new();
    for route in routes() {
        let path = paths.entry(route.path).or_insert_with(|| path(route.path));
        path[route.method.as_str().to_ascii_lowercase()] = operation(&route, &mut generator);
    }
    let mut schemas = generator.take_definitions(true);
    let core = Boundary::new().schema;
    schemas.retain(|name, _| core.pointer(&format!("/$defs/{name}")).is_none());
    // A field of an answer is there or not.
    schemas.values_mut().for_each(without_null);
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
    for field in fields.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut) {
        let is_of_rust =
            |value: &Value| value.as_str().is_some_and(|name| name.starts_with("uint"));
        field.retain(|key, value| key != "default" && (key != "format" || !is_of_rust(value)));
        if let Some(own) = field.get("type").and_then(|types| types.get(0)).cloned() {
            field.insert("type".into(), own);
        }
        if let Some(Value::Array(any)) = field.remove("anyOf") {
            field.extend(
                any.into_iter().find_map(|own| own.as_object().cloned()).unwrap_or_default(),
            );
        }
    }
}

fn refusal(description: &str, headers: Value) -> Value {
    json!({
        "description": description,
        "headers": headers,
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/ServiceFailure" } } },
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

fn operation(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let data = (route.data)(generator);
    let is_change = route.method != Method::GET;
    let query = route.query.iter().map(|name| parameter(&format!("query-{name}")));
    let parameters: Vec<_> = query.chain(is_change.then(|| parameter("idempotency-key"))).collect();
    let data = match is_change {
        true => json!({ "allOf": [data, described::<Late>(generator)] }),
        false => data,
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
    if let (Some(schema), Some(operation)) = (route.body, operation.as_object_mut()) {
        let body = json!({
            "required": true,
            "content": { "application/json": { "schema": schema(generator) } },
        });
        operation.insert("requestBody".into(), body);
    }
    operation
}

fn parameters() -> Value {
    let text = json!({ "type": "string" });
    let number = |most: usize| json!({ "type": "integer", "minimum": 1, "maximum": most });
    let of = |place: &str, name: &str, description: &str, schema: Value| {
        let required = place == "path" || name == "environment";
        json!({ "name": name, "in": place, "required": required, "description": description, "schema": schema })
    };
    json!({
        "environment": of("path", "environment", "An environment of the configuration.", text.clone()),
        "name": of("path", "name", "The application's name.", text.clone()),
        "id": of("path", "id", "The id of a key or a token: the first 16 hex digits of its digest.", text.clone()),
        "caip2_id": of("path", "caip2_id", "A chain of the catalogue, such as `eip155:137`.", text.clone()),
        "query-environment": of("query", "environment", "An environment of the configuration.", text.clone()),
        "query-after": of("query", "after", "The last item of the page before.", text),
        "query-before": of("query", "before", "The `revision` of the last change of the page before.", json!({ "type": "integer", "minimum": 1 })),
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
