//! A case, and the outcome of its attack.

use sendoff::json::{call, signature::call as call_signature};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// An honest exchange, an attack on it, and the judgement that the attack must get. `file.rs` lists their documents.
#[derive(Clone, Debug)]
pub struct Case {
    pub exchange: Value,
    /// The documents that replace those of the exchange. Another document as the reply is `reply`.
    pub attack: Value,
    pub judgement: Judgement,
}

/// The required outcome of an attack. Its names are those in the file of cases.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Judgement {
    /// `signable` fails with an issue that has these fields.
    Refused(Value),
    /// `signable` answers with a warning that has these fields, which the honest exchange does not have.
    Warned(Value),
    /// The operation has another hash than the signed one at its EntryPoint, or none: the signature does not fit.
    AnotherHash,
    /// `assemble` refuses the operation with an issue that has these fields.
    NotAssembled(Value),
    /// `checkSignature` of the digest refuses the signature for this reason.
    NotSigned { reason: &'static str },
    /// The code for the challenge is another one than the honest operation's for the second device's challenge.
    AnotherCode,
    /// `comparisonCode` refuses the challenge with an issue that has these fields.
    NotCompared(Value),
    /// `signable` answers, and names this path in `unbound`, which it does not for the honest exchange.
    Unbound { path: String },
    /// `signable` answers exactly as for the honest exchange: what was added is not in it.
    Unchanged,
}

impl Judgement {
    #[must_use]
    pub fn refused(path: &str) -> Self {
        Self::Refused(json!({ "path": path }))
    }

    #[must_use]
    pub fn refused_field(path: &str, field: &str) -> Self {
        Self::Refused(json!({ "path": path, "field": field }))
    }

    #[must_use]
    pub fn warned(code: &str, path: &str) -> Self {
        Self::Warned(json!({ "code": code, "path": path }))
    }

    /// As JSON in the file of cases.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match serde_json::to_value(self).unwrap() {
            Value::String(key) => json!({ key: true }),
            judgement => judgement,
        }
    }
}

impl Case {
    /// Runs the honest exchange and the attack.
    ///
    /// # Errors
    ///
    /// If the honest exchange is refused or warned of, or the attack gets another judgement.
    pub fn check(&self) -> Result<(), String> {
        let Self { exchange, attack, judgement } = self;
        let mut attacked = exchange.clone();
        attacked.as_object_mut().unwrap().extend(attack.as_object().unwrap().clone());

        let honest = judgement.answer(exchange);
        let honest = honest.map_err(|issues| format!("the honest twin is refused: {issues}"))?;
        let found = judgement.answer(&attacked);
        let is_met = match (judgement, &found) {
            (
                Judgement::Refused(issue)
                | Judgement::NotAssembled(issue)
                | Judgement::NotCompared(issue),
                Err(issues),
            ) => has(issues, issue),
            (Judgement::Warned(warning), Ok(found)) => {
                has(&found["warnings"], warning) && !has(&honest["warnings"], warning)
            }
            (Judgement::Unbound { path }, Ok(found)) => {
                let [now, before] = [found, &honest].map(|answer| &answer["unbound"]);
                let names = |list: &Value| list.as_array().unwrap().contains(&json!(path));
                names(now) && !names(before)
            }
            (Judgement::Unchanged, Ok(found)) => *found == honest,
            (Judgement::AnotherHash | Judgement::AnotherCode, Ok(found)) => *found != honest,
            (Judgement::AnotherHash, Err(_)) => true,
            (Judgement::NotSigned { reason }, Ok(found)) => {
                honest["ok"] == true && found["reason"] == **reason
            }
            _ => false,
        };
        is_met.then_some(()).ok_or_else(|| match found {
            Ok(answer) => format!("ACCEPTED, expected {judgement:?}, found {answer}"),
            Err(issues) => format!("expected {judgement:?}, found {issues}"),
        })
    }
}

impl Judgement {
    /// What is judged: an answer of the core to these documents.
    fn answer(&self, documents: &Value) -> Result<Value, Value> {
        let reply = documents.get("replyText").unwrap_or(&documents["reply"]);
        let [request, place, names] = ["request", "where", "names"].map(|key| &documents[key]);
        let answer = ask("signable", &[request, reply, place, names]);
        match self {
            Self::Refused(_) | Self::Warned(_) | Self::Unbound { .. } | Self::Unchanged => answer,
            Self::NotAssembled(_) => {
                let operation = documents.get("operation");
                ask("assemble", &[operation.unwrap_or(&answer?["operation"]), &"0x01".into()])
            }
            Self::AnotherHash => match (documents.get("operation"), documents.get("at")) {
                (None, None) => Ok(answer?["hash"].take()),
                (operation, at) => {
                    let at = entry_point(at.unwrap_or(place));
                    ask("userOpHash", &[operation.unwrap_or(&answer?["operation"]), &at])
                }
            },
            Self::NotSigned { .. } => {
                let signed = &documents["signed"];
                let [signature, signer] = ["signature", "signer"].map(|key| &signed[key]);
                ask("checkSignature", &[&answer?["digest"], signature, signer])
            }
            Self::AnotherCode | Self::NotCompared(_) => {
                ask("comparisonCode", &[&answer?["hash"], &documents["challenge"]])
            }
        }
    }
}

/// `true` if an item of the list has all wanted fields.
fn has(list: &Value, wanted: &Value) -> bool {
    let wanted = wanted.as_object().unwrap();
    let is_wanted = |item: &Value| wanted.iter().all(|(key, value)| item[key] == *value);
    list.as_array().unwrap().iter().any(is_wanted)
}

/// The EntryPoint of a deployment, the second argument of `userOpHash`.
pub(crate) fn entry_point(place: &Value) -> Value {
    let keys = ["entryPoint", "chainId", "version", "gasFeeOrder"];
    Map::from_iter(keys.map(|key| (key.to_owned(), place[key].clone()))).into()
}

/// The answer of a function, or its issues. A string is given as its text, another document as JSON, and null not at all.
pub(crate) fn ask(function: &str, arguments: &[&Value]) -> Result<Value, Value> {
    let text = |argument: &&Value| match argument {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        document => Some(document.to_string()),
    };
    let texts: Vec<_> = arguments.iter().map(text).collect();
    let texts: Vec<_> = texts.iter().map(Option::as_deref).collect();
    let call = if function == "checkSignature" { call_signature } else { call };
    let read = |text: String| serde_json::from_str::<Value>(&text).unwrap();
    call(function, &texts).map(read).map_err(|text| read(text)["issues"].take())
}
