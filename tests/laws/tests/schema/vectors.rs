//! Arguments and answers of every vector satisfy their schemas.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use conformance::{Call, calls, places};
use laws::from_schema;
use sendoff::json;
use sendoff::schema::{Boundary, Form, FunctionSchema, UnexpressedRule};
use serde_json::Value;

use super::{Schemas, Tally, broken, definition, read};

fn every_call() -> Vec<Call> {
    calls(&places(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")))
}

/// The rules of a function that no schema expresses, each with the beginning of its issue's path.
fn rules_of(name: &str) -> &'static [(UnexpressedRule, &'static str)] {
    use UnexpressedRule::*;
    match name {
        "estimate" => &[
            (Recipient, "details.recipientWalletAddress"),
            (FeePayer, "feePayerAddress"),
            (FeeChain, "facts.fees"),
        ],
        "signable" => &[(Reply, "")],
        "clearSigning"
        | "decodeCall"
        | "describeCall"
        | "decodePaymasterData"
        | "signatureCall" => &[(Layout, "")],
        "readNonce" => &[(NonceKey, "")],
        "unitsOf" => &[(Units, "")],
        "userOpHash" => &[(Factory, "factory"), (PaymasterSignature, "paymasterData")],
        "expectAround" | "maxCost" | "replacementFees" => &[(Gas, "")],
        "catalogueStep" => &[(CatalogueStep, "")],
        "admit" | "peek" | "redisRequest" => &[(Cost, "")],
        "plan" => &[(Plan, "")],
        "redisAnswer" => &[(Script, "")],
        "submission" => &[(Submission, "step")],
        "operationPath" => &[(Parameters, "")],
        _ => &[],
    }
}

/// What a reader of one document accepts satisfies its schema. If a call succeeds, its arguments satisfy theirs. If it fails
/// although they do, it breaks a rule that no schema expresses, of a document or of the function; each such rule is the reason of
/// a call.
#[test]
fn arguments() {
    let (mut schemas, boundary) = (Schemas::new(), Boundary::new());
    let mut tallies = BTreeMap::<String, Tally>::new();
    let (mut answered, mut failed) = (0, BTreeMap::<String, usize>::new());
    let mut alone = BTreeSet::<&str>::new();
    for call in every_call() {
        let issues = call.answer.as_ref().err().map_or(Value::Null, |issues| {
            serde_json::from_str::<Value>(issues).unwrap()["issues"].take()
        });
        let issues = issues.as_array().map_or(&[][..], Vec::as_slice);
        let is_at = |at: &str| issues.iter().any(|it| it["path"].as_str().unwrap().starts_with(at));
        let rules = rules_of(&call.name).iter().filter(|(_, at)| is_at(at));
        let mut rules: Vec<_> = rules.map(|(rule, _)| *rule).collect();

        let function = function(&boundary, &call);
        let required = function.arguments.iter().filter(|argument| !argument.is_optional).count();
        let mut is_valid = (required..=function.arguments.len()).contains(&call.texts.len());
        for (argument, text) in function.arguments.iter().zip(&call.texts) {
            let Some(text) = text else {
                is_valid = false;
                continue;
            };
            let is_text = argument.form == Form::Text;
            let text = if is_text { &Value::from(&**text).to_string() } else { text };
            let name = from_schema::definition(&argument.schema).unwrap_or_default();
            let value = serde_json::from_str::<Value>(text).ok();
            // A cost is checked against the policy in another argument, which the reader of one
            // document does not have.
            let has_cost = value.as_ref().is_some_and(|value| value.get("cost").is_some());
            if read(name, "").is_some() && !(name == "RedisAsk" && has_cost) {
                let tally = tallies.entry(name.to_owned()).or_default();
                tally.judge(&mut schemas, name, &argument.schema, text);
            }

            let Some(value) = value else {
                // A reply is judged, not read, so it may be any text.
                is_valid &= call.answer.is_ok();
                continue;
            };
            let mut schema = argument.schema.clone();
            // The first argument of these functions decides the kind of the second. An unknown kind is
            // refused.
            if is_valid
                && ["text", "document"].contains(&argument.name)
                && function.arguments[0].name == "kind"
            {
                let (first, rest) = call.texts[0].as_ref().unwrap().split_at(1);
                schema = definition(&(first.to_uppercase() + rest));
            }
            is_valid = is_valid && schemas.accept(&schema, &value);
            rules.extend(broken(
                from_schema::definition(&schema).unwrap_or_default(),
                text,
                &value,
            ));
        }
        if call.answer.is_ok() {
            assert!(is_valid, "it succeeds, and an argument does not satisfy its schema: {call:?}");
            answered += 1;
        } else if is_valid {
            assert!(!rules.is_empty(), "{} fails for no rule: {issues:?}", call.name);
            let rules: BTreeSet<_> = rules.iter().map(|rule| rule.as_str()).collect();
            *failed.entry(format!("{}: {rules:?}", call.name)).or_default() += 1;
            alone.extend(rules.iter().filter(|_| rules.len() == 1 && issues.len() == 1));
        }
    }
    let asked: usize = tallies.values().map(Tally::asked).sum();
    println!("{tallies:#?}, {asked} in all; {answered} answers; {failed:#?}");
    assert!(asked > 3_000 && answered > 2_000);
    let description = boundary.schema["description"].as_str().unwrap();
    for rule in UnexpressedRule::ALL {
        assert!(alone.contains(rule.as_str()), "`{rule}` is the reason of no call");
        assert!(description.contains(&format!("- `{rule}`: ")), "{rule}");
    }
}

/// Functions with answers that may have no field.
const MAY_BE_EMPTY: [&str; 3] = ["checkContent", "expectAround", "readTrace"];

#[test]
fn answers() {
    let boundary = Boundary::new();
    let mut schemas = Schemas::of(closed(&boundary.schema));
    let mut held = BTreeMap::<String, usize>::new();
    // Functions that Rust programs alone call.
    let header = "Bearer mF_9.B5f-4.1JqM==";
    let others = [("operations", json::operations()), ("readBearer", json::read_bearer(header))];
    let others = others.map(|(name, answer)| Call {
        name: name.into(),
        texts: vec![],
        answer: answer.map_err(|error| error.to_string()),
    });
    for call in every_call().into_iter().chain(others) {
        let (mut schema, answer) = match &call.answer {
            Ok(answer) => (function(&boundary, &call).answer.clone(), answer),
            Err(issues) => (definition("Error"), issues),
        };
        let mut answer: Value = serde_json::from_str(answer).unwrap();
        if call.name == "readText" && call.answer.is_ok() {
            let kind = call.texts[0].as_ref().unwrap();
            schema = boundary.schema["$defs"]["TextMeanings"]["properties"][kind].clone();
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
        *held.entry(call.name).or_default() += 1;
    }
    println!("{held:?}");
    let names = every_function(&boundary).map(|function| function.name);
    let silent: BTreeSet<_> = names.filter(|name| !held.contains_key(*name)).collect();
    assert!(silent.is_empty(), "{silent:?}");
}

fn function<'b>(boundary: &'b Boundary, call: &Call) -> &'b FunctionSchema {
    every_function(boundary)
        .find(|function| function.name == call.name)
        .expect("a function that has schemas")
}

fn every_function(boundary: &Boundary) -> impl Iterator<Item = &FunctionSchema> {
    boundary.functions.iter().chain(&boundary.signature)
}

/// The definitions with `additionalProperties: false`, except one that is a part of others.
fn closed(schema: &Value) -> Value {
    let mut schema = schema.clone();
    for (name, definition) in schema["$defs"].as_object_mut().unwrap() {
        let has = |key: &str| definition.get(key).is_some();
        if has("properties") && !has("additionalProperties") && name != "ErrorReply" {
            definition["unevaluatedProperties"] = false.into();
        }
    }
    schema
}

/// The schemas of the boundary, and the place of each of their parts.
fn parts() -> (Value, Vec<String>) {
    let schema = Boundary::new().schema;
    let parts = [vec![String::new()], laws::replies::places(&schema)].concat();
    (schema, parts)
}

#[test]
fn every_field_has_a_description() {
    let mut without = Vec::new();
    let (schema, parts) = parts();
    for at in parts {
        let part = schema.pointer(&at).unwrap();
        // A condition has no fields of its own.
        let is_condition =
            ["if", "then", "else", "not"].iter().any(|word| at.split('/').any(|key| key == *word));
        let properties = ["$defs", "properties"].map(|key| part[key].as_object());
        let properties = properties.into_iter().flatten().filter(|_| !is_condition);
        for (key, field) in properties.flatten() {
            if field["description"].as_str().is_none_or(str::is_empty) {
                without.push(format!("{at}/{key}"));
            }
        }
    }
    assert!(without.is_empty(), "{without:?}");
}

/// The npm package writes a bigint as a fraction, which the core then refuses at its path.
#[test]
fn no_field_of_a_document_is_a_fraction() {
    let (schema, parts) = parts();
    for at in parts {
        let kind = &schema.pointer(&at).unwrap()["type"];
        let is_kind = kind.is_string() || kind.is_array();
        assert!(!is_kind || !kind.to_string().contains("number"), "{at}");
    }

    // What has no type accepts a fraction: values of any shape, which have a reader of their own.
    let keys = ["type", "$ref", "const", "enum", "oneOf", "anyOf", "allOf"];
    let definitions = schema["$defs"].as_object().unwrap().iter();
    let any = definitions.filter(|(_, schema)| keys.iter().all(|key| schema.get(key).is_none()));
    assert_eq!(any.map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["Opaque"]);
}
