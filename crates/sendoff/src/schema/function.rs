//! The functions of the boundary: what they are given and what they answer.

use alloc::{vec, vec::Vec};

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use crate::estimate::{CallDescription, Deployment, EstimateReply, EstimateRequest, Facts, Signable, Verification};
use crate::json::{DocumentKind, PackOptions, TextKind, TextMeanings};
use crate::rate_limit::{Admission, AnyCost, Calls, PlanEntry, Policy, Time, Verdict, Window, redis};
use crate::service::{
    Bearer, Body, FoundOperation, Operation, OperationRow, Params, RateLimited, Reply, RetryAfter, TraceId,
};
use crate::user_op::{Call, DecodedCall, EntryPoint, PackedUserOp, PaymasterData, PaymasterGrant, UserOp};
use crate::value::{HexBytes, Word};

/// A function of [`crate::json`].
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name in JavaScript and in vectors, such as `verifyEstimate`.
    pub name: &'static str,
    /// What it is given, in order.
    pub arguments: Vec<Argument>,
    /// The schema of what it answers.
    pub answer: Value,
}

/// An argument of a [`Function`].
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// Its name, with which the paths of its problems begin, unless it is the first.
    pub name: &'static str,
    /// How it is given.
    pub form: Form,
    /// What is accepted.
    pub schema: Value,
    /// Whether it may be left out.
    pub is_optional: bool,
}

/// How an argument is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As JSON text; in JavaScript also as a value.
    Json,
    /// As it is.
    Text,
}

/// Every function, in the order of [`crate::json`].
pub(super) fn all(generator: &mut SchemaGenerator) -> Vec<Function> {
    let g = generator;
    let (request, policy) = (of::<EstimateRequest>(g), of::<Policy>(g));
    let (hex, op, word) = (of::<HexBytes>(g), of::<UserOp>(g), of::<Word>(g));
    let (window, now) = (of::<Option<Window>>(g), of::<Time>(g));
    let cost = of::<AnyCost>(g);
    let params = of::<Params>(g);
    let text = || json!({ "type": "string" });
    let wei = json!({ "type": "string", "pattern": "^(0|[1-9][0-9]*)$" });
    let token = json!({ "type": "string", "pattern": "^[Bb][Ee][Aa][Rr][Ee][Rr] +[-._~+/A-Za-z0-9]+=*$" });
    let numbers = json!({ "type": "array", "items": of::<redis::Number>(g), "minItems": 5, "maxItems": 5 });
    let (plan, operations) = (of::<Vec<PlanEntry>>(g), of::<Vec<OperationRow>>(g));
    let counted = || vec![given("policy", &policy), given("window", &window), given("now", &now)];
    let with_cost = || [counted(), vec![given("cost", &cost).optional()]].concat();
    vec![
        function("estimate", [given("request", &request), given("facts", &of::<Facts>(g))], of::<EstimateReply>(g)),
        function("verifyEstimate", [given("request", &request), given("reply", &json!(true))], of::<Verification>(g)),
        function(
            "signable",
            [given("request", &request), given("reply", &json!(true)), given("where", &of::<Deployment>(g))],
            of::<Signable>(g),
        ),
        function("readText", [said("kind", &of::<TextKind>(g)), said("text", &text())], of::<TextMeanings>(g)),
        function("encodeCall", [given("call", &of::<Call>(g))], hex.clone()),
        function("decodeCall", [said("hex", &hex)], of::<DecodedCall>(g)),
        function("describeCall", [said("hex", &hex)], of::<CallDescription>(g)),
        function(
            "packUserOp",
            [given("op", &op), given("options", &of::<PackOptions>(g)).optional()],
            of::<PackedUserOp>(g),
        ),
        function("userOpHash", [given("op", &op), given("options", &of::<EntryPoint>(g))], word.clone()),
        function("maxCost", [given("op", &op)], wei),
        function("signingDigest", [said("hash", &word)], word.clone()),
        function("paymasterHash", [given("grant", &of::<PaymasterGrant>(g))], word.clone()),
        function("encodePaymasterData", [given("data", &of::<PaymasterData>(g))], hex.clone()),
        function("decodePaymasterData", [said("hex", &hex)], of::<PaymasterData>(g)),
        function("admit", with_cost(), of::<Admission>(g)),
        function("touch", counted(), of::<Window>(g)),
        function("peek", with_cost(), of::<Verdict>(g)),
        function("plan", [counted(), vec![given("n", &of::<Calls>(g))]].concat(), plan),
        function(
            "redisRequest",
            [given("policy", &policy), given("ask", &of::<redis::Question>(g))],
            of::<redis::Request>(g),
        ),
        function("redisAnswer", [given("policy", &policy), given("numbers", &numbers)], of::<redis::Answer>(g)),
        function("findOperation", [said("method", &text()), said("target", &text())], of::<FoundOperation>(g)),
        function("operationPath", [said("operation", &of::<Operation>(g)), given("params", &params)], text()),
        function("operations", [], operations),
        function(
            "rateLimited",
            [said("traceId", &of::<TraceId>(g)), given("retryAfter", &of::<RetryAfter>(g))],
            of::<RateLimited>(g),
        ),
        function("readReply", [given("text", &of::<Body>(g))], of::<Reply>(g)),
        function(
            "checkDocument",
            [said("kind", &of::<DocumentKind>(g)), given("document", &json!(true))],
            json!({ "type": "object", "maxProperties": 0 }),
        ),
        function("readBearer", [said("header", &token)], of::<Bearer>(g)),
    ]
}

fn function(name: &'static str, arguments: impl Into<Vec<Argument>>, answer: Value) -> Function {
    Function { name, arguments: arguments.into(), answer }
}

fn given(name: &'static str, schema: &Value) -> Argument {
    Argument { name, form: Form::Json, schema: schema.clone(), is_optional: false }
}

fn said(name: &'static str, schema: &Value) -> Argument {
    Argument { form: Form::Text, ..given(name, schema) }
}

impl Argument {
    fn optional(self) -> Self {
        Self { is_optional: true, ..self }
    }
}

/// The schema of a type, by reference where it has a name.
fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}
