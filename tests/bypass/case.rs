//! A case, and what becomes of its attack.

use std::fmt;

use sendoff::json::{call, signature::call as call_signature};
use serde_json::{Value, json};

use crate::Signed;

/// An honest exchange, an attack on it, and the judgement that the attack must get.
#[derive(Clone, Debug)]
pub struct Case {
    pub request: Value,
    /// The third argument of `signable`, `where`.
    pub place: Value,
    /// The honest reply.
    pub reply: Value,
    /// An honest signature of the digest, and its signer.
    pub signed: Option<Signed>,
    /// The challenge of the second device.
    pub challenge: Option<String>,
    pub attack: Attack,
    pub judgement: Judgement,
}

/// The documents that an attack replaces; the others are those of the honest exchange.
#[derive(Clone, Debug, Default)]
pub struct Attack {
    pub request: Option<Value>,
    pub place: Option<Value>,
    pub reply: Option<Reply>,
    /// The fourth argument of `signable`; the honest exchange has none.
    pub names: Option<Value>,
    /// What is sent in the place of the operation that was signed.
    pub operation: Option<Value>,
    /// The EntryPoint that executes it.
    pub at: Option<Value>,
    /// What is given to `checkSignature`.
    pub signed: Option<Signed>,
    /// The challenge for which the other screen shows a code.
    pub challenge: Option<String>,
}

/// The reply of an attack.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Another document than the honest one.
    Document(Value),
    /// Another text: the attack is in the text itself.
    Text(String),
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document(document) => document.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// What must become of an attack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// `signable` fails with an issue at this path, and of this field of the call data.
    Refused { path: String, field: Option<String> },
    /// `signable` answers with this warning, which the honest exchange does not have.
    Warned { code: &'static str, path: String },
    /// The operation has another hash than the signed one at its EntryPoint, or none: the signature does not fit.
    AnotherHash,
    /// `assemble` refuses the operation with an issue at this path.
    NotAssembled { path: String },
    /// `checkSignature` of the digest refuses the signature for this reason.
    NotSigned { reason: &'static str },
    /// The code for the challenge is another one than the honest operation's for the second device's challenge.
    AnotherCode,
    /// `comparisonCode` refuses the challenge with an issue at this path.
    NotCompared { path: String },
    /// `signable` answers, and names this path in `unbound`, which it does not for the honest exchange.
    Unbound { path: String },
    /// `signable` answers exactly as for the honest exchange: what was added is not in it.
    Unchanged,
}

impl Judgement {
    #[must_use]
    pub fn refused(path: &str) -> Self {
        Self::Refused { path: path.into(), field: None }
    }

    #[must_use]
    pub fn refused_field(path: &str, field: &str) -> Self {
        Self::Refused { path: path.into(), field: Some(field.into()) }
    }

    #[must_use]
    pub fn warned(code: &'static str, path: &str) -> Self {
        Self::Warned { code, path: path.into() }
    }

    /// As JSON in the file of cases.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::Refused { path, field: None } => json!({ "refused": { "path": path } }),
            Self::Refused { path, field } => json!({ "refused": { "path": path, "field": field } }),
            Self::Warned { code, path } => json!({ "warned": { "code": code, "path": path } }),
            Self::AnotherHash => json!({ "anotherHash": true }),
            Self::NotAssembled { path } => json!({ "notAssembled": { "path": path } }),
            Self::NotSigned { reason } => json!({ "notSigned": { "reason": reason } }),
            Self::AnotherCode => json!({ "anotherCode": true }),
            Self::NotCompared { path } => json!({ "notCompared": { "path": path } }),
            Self::Unbound { path } => json!({ "unbound": { "path": path } }),
            Self::Unchanged => json!({ "unchanged": true }),
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
        let honest = signable(&self.request, &self.reply.to_string(), &self.place, None)
            .map_err(|issues| format!("the honest reply is refused: {issues}"))?;
        let Attack { request, place, reply, names, operation, at, signed, challenge } =
            &self.attack;
        if let Some(signed) = signed {
            return self.check_signed(signed, &honest);
        }
        if operation.is_some() || at.is_some() {
            let operation = operation.as_ref().unwrap_or(&honest["operation"]);
            return self.check_operation(operation, at.as_ref().unwrap_or(&self.place), &honest);
        }
        let reply = reply.as_ref().map_or_else(|| self.reply.to_string(), Reply::to_string);
        let (request, place) =
            (request.as_ref().unwrap_or(&self.request), place.as_ref().unwrap_or(&self.place));
        let answer = signable(request, &reply, place, names.as_ref());
        if let Some(honest_challenge) = &self.challenge {
            return self.check_code(
                &answer.map_err(|issues| issues.to_string())?,
                challenge.as_ref().unwrap_or(honest_challenge),
                &honest,
            );
        }
        match (&self.judgement, answer) {
            (Judgement::Refused { path, field }, Err(issues)) => {
                let is_said = issues.as_array().unwrap().iter().any(|issue| {
                    issue["path"] == **path
                        && field.as_ref().is_none_or(|field| issue["field"] == **field)
                });
                is_said
                    .then_some(())
                    .ok_or_else(|| format!("expected {:?}, found {issues}", self.judgement))
            }
            (Judgement::Warned { code, path }, Ok(answer)) => {
                let is_warned = |answer: &Value| {
                    let mut warnings = answer["warnings"].as_array().unwrap().iter();
                    warnings.any(|warning| warning["code"] == **code && warning["path"] == **path)
                };
                match (is_warned(&honest), is_warned(&answer)) {
                    (false, true) => Ok(()),
                    (true, _) => {
                        Err(format!("the honest exchange is warned of `{code}` at {path}"))
                    }
                    (false, false) => Err(format!(
                        "ACCEPTED without `{code}` at {path}, found {}",
                        answer["warnings"]
                    )),
                }
            }
            (Judgement::Unbound { path }, Ok(answer)) => {
                let names = |answer: &Value| {
                    answer["unbound"].as_array().unwrap().contains(&path.as_str().into())
                };
                let is_told = names(&answer) && !names(&honest);
                is_told
                    .then_some(())
                    .ok_or_else(|| format!("ACCEPTED, `unbound` is {}", answer["unbound"]))
            }
            (Judgement::Unchanged, Ok(answer)) if answer == honest => Ok(()),
            (judgement, Ok(_)) => Err(format!("ACCEPTED, expected {judgement:?}")),
            (judgement, Err(issues)) => Err(format!("expected {judgement:?}, found {issues}")),
        }
    }

    fn check_signed(&self, signed: &Signed, honest: &Value) -> Result<(), String> {
        let check = |Signed { signature, signer }: &Signed| {
            let digest = honest["digest"].as_str();
            call_signature("checkSignature", &[digest, Some(signature), Some(signer)]).unwrap()
        };
        let honest = check(self.signed.as_ref().expect("an honest signature"));
        if honest != r#"{"ok":true}"# {
            return Err(format!("the honest signature is refused: {honest}"));
        }
        let answer: Value = serde_json::from_str(&check(signed)).unwrap();
        let is_refused = matches!(&self.judgement, Judgement::NotSigned { reason } if answer["reason"] == **reason);
        is_refused
            .then_some(())
            .ok_or_else(|| format!("expected {:?}, found {answer}", self.judgement))
    }

    /// Compares the code of an answer for a challenge with the honest one for the second device's challenge.
    fn check_code(&self, answer: &Value, challenge: &str, honest: &Value) -> Result<(), String> {
        let code = |answer: &Value, challenge| {
            call("comparisonCode", &[answer["hash"].as_str(), Some(challenge)])
        };
        let expected = code(honest, self.challenge.as_ref().unwrap())
            .map_err(|issues| format!("the honest challenge is refused: {issues}"))?;
        match (&self.judgement, code(answer, challenge)) {
            (Judgement::AnotherCode, Ok(found)) if found != expected => Ok(()),
            (Judgement::NotCompared { path }, Err(text))
                if issues(&text)
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|issue| issue["path"] == **path) =>
            {
                Ok(())
            }
            (judgement, found) => Err(format!("expected {judgement:?}, found {found:?}")),
        }
    }

    fn check_operation(&self, operation: &Value, at: &Value, honest: &Value) -> Result<(), String> {
        if let Judgement::NotAssembled { path } = &self.judgement {
            return match call("assemble", &[Some(&operation.to_string()), Some("0x01")]) {
                Ok(_) => Err("ACCEPTED by assemble".into()),
                Err(text)
                    if issues(&text)
                        .as_array()
                        .unwrap()
                        .iter()
                        .any(|issue| issue["path"] == **path) =>
                {
                    Ok(())
                }
                Err(text) => Err(format!("expected {:?}, found {text}", self.judgement)),
            };
        }
        let mut entry_point = at.clone();
        entry_point.as_object_mut().unwrap().retain(|key, _| AT.contains(&key.as_str()));
        match call("userOpHash", &[Some(&operation.to_string()), Some(&entry_point.to_string())]) {
            Ok(hash) if hash.trim_matches('"') == honest["hash"] => {
                Err("ACCEPTED: it has the signed hash".into())
            }
            _ => Ok(()),
        }
    }
}

/// The fields of an EntryPoint.
const AT: [&str; 4] = ["entryPoint", "chainId", "version", "gasFeeOrder"];

/// The answer of `signable`, or its issues.
pub(crate) fn signable(
    request: &Value,
    reply: &str,
    place: &Value,
    names: Option<&Value>,
) -> Result<Value, Value> {
    let (request, place, names) =
        (request.to_string(), place.to_string(), names.map(Value::to_string));
    call("signable", &[Some(&request), Some(reply), Some(&place), names.as_deref()])
        .map(|text| serde_json::from_str(&text).unwrap())
        .map_err(|text| issues(&text))
}

fn issues(text: &str) -> Value {
    serde_json::from_str::<Value>(text).unwrap()["issues"].take()
}
