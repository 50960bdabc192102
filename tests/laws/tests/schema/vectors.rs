//! Arguments and answers of every vector satisfy their schemas.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use conformance::{Call, calls, places};
use super::{Schemas, Tally, broken};
use sendoff::error::Error;
use sendoff::json;
use sendoff::schema::{ArgumentSchema, Boundary, Form, FunctionSchema, UnexpressedRule};
use serde_json::{Value, value::RawValue};

fn every_call() -> Vec<Call> {
    calls(&places(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")))
}

/// An argument as text for the core.
fn text_of(argument: &ArgumentSchema, raw: &str) -> Option<String> {
    match argument.form {
        // A number or null is passed as JSON. A string for a document is the text of the document.
        Form::Number => Some(raw.into()),
        Form::Document | Form::Reply => {
            Some(serde_json::from_str::<String>(raw).unwrap_or_else(|_| raw.into()))
        }
        Form::Text => {
            serde_json::from_str::<String>(raw).ok().map(|text| Value::from(text).to_string())
        }
    }
}

/// The documents with a reader of their own, by the definition that an argument refers to.
fn document(argument: &ArgumentSchema) -> Option<&str> {
    let name = argument.schema["$ref"].as_str()?.strip_prefix("#/$defs/")?;
    let is_read = super::DOCUMENTS.contains(&name) || super::TEXTS.contains(&name);
    // The argument of `readReply` is text from the service.
    is_read.then_some(name)
}

#[test]
fn documents() {
    let (mut schemas, boundary) = (Schemas::new(), Boundary::new());
    let mut tallies = BTreeMap::<&str, Tally>::new();
    for call in every_call() {
        let Some(function) = every_function(&boundary).find(|function| function.name == call.name)
        else {
            continue;
        };
        for (argument, raw) in function.arguments.iter().zip(&call.arguments) {
            let (Some(name), Some(text)) = (document(argument), text_of(argument, raw.get()))
            else {
                continue;
            };
            // A cost is checked against the policy in another argument, which the reader of one
            // document does not have.
            if name == "RedisAsk"
                && serde_json::from_str::<Value>(&text).is_ok_and(|ask| ask.get("cost").is_some())
            {
                continue;
            }
            tallies.entry(document(argument).map(leak).unwrap()).or_default().judge(
                &mut schemas,
                name,
                &argument.schema,
                &text,
            );
        }
    }
    for (name, tally) in &tallies {
        println!("{name}: {} asked, {tally:?}", tally.asked());
    }
    let asked: usize = tallies.values().map(Tally::asked).sum();
    println!("{asked} in all");
    assert!(asked > 3_000);
}

fn leak(name: &str) -> &'static str {
    name.to_owned().leak()
}

/// If a call succeeds, its arguments satisfy their schemas.
#[test]
fn every_call_that_succeeds_satisfies_its_schemas() {
    let (mut schemas, boundary) = (Schemas::new(), Boundary::new());
    let mut answered = 0;
    for call in every_call().iter().filter(|call| call.answer.is_ok()) {
        let function = function(&boundary, call);
        let required = function.arguments.iter().filter(|argument| !argument.is_optional).count();
        assert!((required..=function.arguments.len()).contains(&call.arguments.len()), "{call:?}");
        for (argument, raw) in function.arguments.iter().zip(&call.arguments) {
            let text = text_of(argument, raw.get()).unwrap();
            // A reply is judged, not read, so it may be any text.
            let Ok(value) = serde_json::from_str::<Value>(&text) else { continue };
            assert!(
                schemas.accept(&argument.schema, &value),
                "{} succeeds, but its `{}` does not satisfy its schema: {text}",
                call.name,
                argument.name
            );
        }
        answered += 1;
    }
    println!("{answered} answers");
    assert!(answered > 2_000);
}

/// If a call fails although its arguments satisfy their schemas, it breaks a rule that no schema expresses, of a document or of the
/// function.
#[test]
fn every_call_that_fails_has_issues() {
    let with_rules = |name: &str| match name {
        "estimate" => {
            vec![UnexpressedRule::Recipient, UnexpressedRule::FeePayer, UnexpressedRule::FeeChain]
        }
        "signable" => vec![UnexpressedRule::Reply],
        "clearSigning"
        | "decodeCall"
        | "describeCall"
        | "decodePaymasterData"
        | "signatureCall" => {
            vec![UnexpressedRule::Layout]
        }
        "readNonce" => vec![UnexpressedRule::NonceKey],
        "unitsOf" => vec![UnexpressedRule::Units],
        "userOpHash" => vec![UnexpressedRule::Factory, UnexpressedRule::PaymasterSignature],
        "maxCost" | "replacementFees" => vec![UnexpressedRule::Gas],
        "catalogueStep" => vec![UnexpressedRule::CatalogueStep],
        "admit" | "peek" | "redisRequest" => vec![UnexpressedRule::Cost],
        "plan" => vec![UnexpressedRule::Plan],
        "redisAnswer" => vec![UnexpressedRule::Script],
        "submission" => vec![UnexpressedRule::Submission],
        "operationPath" => vec![UnexpressedRule::Parameters],

        _ => vec![],
    };
    let (mut schemas, boundary) = (Schemas::new(), Boundary::new());
    let mut failed = BTreeMap::<String, usize>::new();
    for call in every_call().iter().filter(|call| call.answer.is_err()) {
        let function = function(&boundary, call);
        let mut broken = with_rules(&call.name);
        let mut is_valid = function.arguments.len() == call.arguments.len();
        for (argument, raw) in function.arguments.iter().zip(&call.arguments) {
            let text = text_of(argument, raw.get()).filter(|_| is_valid);
            let value = text.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
            let mut schema = argument.schema.clone();
            // The first argument of these functions decides the kind of the second. An unknown kind
            // was already refused.
            if is_valid
                && ["text", "document"].contains(&argument.name)
                && function.arguments[0].name == "kind"
            {
                let kind: String = serde_json::from_str(call.arguments[0].get()).unwrap();
                let (first, rest) = kind.split_at(1);
                schema = super::definition(&(first.to_uppercase() + rest));
            }
            is_valid &= value.as_ref().is_some_and(|value| schemas.accept(&schema, value));
            if let (Some(text), Some(value)) = (text, value) {
                let name = schema["$ref"]
                    .as_str()
                    .and_then(|name| name.strip_prefix("#/$defs/"))
                    .unwrap_or("");
                broken.extend(super::broken(name, &text, &value));
            }
        }
        if is_valid {
            assert!(!broken.is_empty(), "{} fails for no rule: {:?}", call.name, call.answer);
            let rules: BTreeSet<_> = broken.iter().map(|rule| rule.as_str()).collect();
            *failed
                .entry(format!("{}: {}", call.name, Vec::from_iter(rules).join(", ")))
                .or_default() += 1;
        }
    }
    println!("{failed:#?}");
}

/// Functions with answers that may have no field.
const MAY_BE_EMPTY: [&str; 3] = ["checkContent", "expectAround", "readTrace"];

#[test]
fn answers() {
    let boundary = Boundary::new();
    let mut schemas = Schemas::of(closed(&boundary.schema));
    let mut held = BTreeMap::<&str, usize>::new();
    for call in every_call().into_iter().flat_map(|call| followed(&call).into_iter().chain([call]))
    {
        let function = function(&boundary, &call);
        let (schema, answer) = match &call.answer {
            Ok(answer) => (function.answer.clone(), answer),
            Err(issues) => (super::definition("Error"), issues),
        };
        let mut answer: Value = serde_json::from_str(answer).unwrap();
        let mut schema = schema;
        if call.name == "readText" && call.answer.is_ok() {
            let kind: String = serde_json::from_str(call.arguments[0].get()).unwrap();
            schema = boundary.schema["$defs"]["TextMeanings"]["properties"][&kind].clone();
        }
        assert!(
            schemas.accept(&schema, &answer),
            "{}: an answer that its schema does not know: {answer}",
            call.name
        );
        // An answer without one of its required fields does not satisfy its schema.
        let is_told = call.answer.is_ok() && !MAY_BE_EMPTY.contains(&&*call.name);
        if let Some(fields) = answer.as_object_mut().filter(|fields| is_told && !fields.is_empty())
        {
            // Only some reasons have an address, and only some receipts say what was paid.
            let some_have = ["found", "actualGasCost", "actualGasUsed"];
            let key = fields.keys().find(|key| !some_have.contains(&&***key)).unwrap().clone();
            fields.remove(&key);
            assert!(!schemas.accept(&schema, &answer), "{}: `{key}` may be missing", call.name);
        }
        *held.entry(leak(&call.name)).or_default() += 1;
    }
    println!("{held:?}");
    let silent: BTreeSet<_> = every_function(&boundary).map(|function| function.name).collect();
    let silent: Vec<_> = silent.into_iter().filter(|name| !held.contains_key(name)).collect();
    assert!(silent.is_empty(), "{silent:?}");
}

/// Calls of functions without vectors, with the arguments of other vectors.
fn followed(call: &Call) -> Vec<Call> {
    let raw = |at: usize| call.arguments[at].get();
    let text = |at: usize| serde_json::from_str::<String>(raw(at)).unwrap_or_default();
    let followed = |name: &str, arguments: &[&str], answer: Result<String, Error>| Call {
        name: name.into(),
        arguments: arguments
            .iter()
            .map(|argument| RawValue::from_string((*argument).into()).unwrap())
            .collect(),
        answer: answer.map_err(|error| serde_json::to_string(&error).unwrap()),
    };
    match call.name.as_str() {
        "decodeCall" => {
            vec![followed("describeCall", &[raw(0)], json::describe_call(&text(0), None))]
        }
        "packUserOp" => {
            let kind = r#""UserOp""#;
            vec![
                followed("maxCost", &[raw(0)], json::max_cost(raw(0))),
                followed("checkDocument", &[kind, raw(0)], json::check_document("UserOp", raw(0))),
            ]
        }
        "userOpHash" => {
            let Ok(hash) = &call.answer else { return vec![] };
            vec![followed("signingDigest", &[hash], json::signing_digest(hash.trim_matches('"')))]
        }
        "operationPath" => {
            let header = r#""Bearer mF_9.B5f-4.1JqM==""#;
            vec![
                followed("operations", &[], json::operations()),
                followed("readBearer", &[header], json::read_bearer(header.trim_matches('"'))),
            ]
        }
        _ => vec![],
    }
}

fn function<'b>(boundary: &'b Boundary, call: &Call) -> &'b FunctionSchema {
    every_function(boundary)
        .find(|function| function.name == call.name)
        .expect("a function that has schemas")
}

fn every_function(boundary: &Boundary) -> impl Iterator<Item = &FunctionSchema> {
    boundary.functions.iter().chain(&boundary.signature)
}

/// The definitions with `additionalProperties: false`, except two that are parts of others.
fn closed(schema: &Value) -> Value {
    let mut schema = schema.clone();
    for (name, definition) in schema["$defs"].as_object_mut().unwrap() {
        let is_object = definition.get("properties").is_some();
        if is_object
            && definition.get("additionalProperties").is_none()
            && !["ErrorReply"].contains(&name.as_str())
        {
            definition["unevaluatedProperties"] = false.into();
        }
    }
    schema
}

#[test]
fn every_field_has_a_description() {
    fn visit(name: &str, schema: &Value, without: &mut Vec<String>) {
        for (key, property) in schema["properties"].as_object().into_iter().flatten() {
            if property["description"].as_str().is_none_or(str::is_empty) {
                without.push(format!("{name}.{key}"));
            }
            visit(&format!("{name}.{key}"), property, without);
        }
        for key in ["oneOf", "anyOf", "allOf"] {
            schema[key]
                .as_array()
                .into_iter()
                .flatten()
                .for_each(|variant| visit(name, variant, without));
        }
    }
    let schema = Boundary::new().schema;
    let mut without = Vec::new();
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        if definition["description"].as_str().is_none_or(str::is_empty) {
            without.push(name.clone());
        }
        visit(name, definition, &mut without);
    }
    assert!(without.is_empty(), "{without:?}");
    assert!(broken("Time", "0", &0.into()).is_empty());
}
