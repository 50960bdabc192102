//! The comparison of a reply with its request, by the rules of [`super::scope`].

use alloc::{string::String, vec::Vec};

use super::agreement::{CHAINS, SPONSORSHIP};
use super::finding::Found;
use super::scope::{self, CALLED, Equal, OPEN, REQUESTED};
use super::{
    EstimateData, EstimateReply, EstimateRequest, Fees, ReplyCallData, ReplyDetails, Rule,
};
use crate::document::{Field, Parts, Place, Value, Valued as _, compare};
use crate::error::{Issue, IssueCode, Path};
use crate::first_equal::{Key, first_equal, keep_first_equal};
use crate::text::{WriteText, fill};
use crate::user_op::{Policies, PreparedUserOp, decode_call};
use crate::value::{Address, HexBytes};

const DATA: Field<EstimateReply, EstimateData> = Field::of("data");
const PLAIN: Field<EstimateData, ReplyCallData> = Field::of("callData");
const DETAILS: Field<EstimateData, ReplyDetails> = Field::of("details");
const OPERATION: Field<EstimateData, PreparedUserOp> = Field::of("userOps");
const USER: Field<ReplyCallData, Address> = Field::of("userSWA");
const POLICIES: Field<ReplyCallData, Policies> = Field::of("policies");
const FEES: Field<ReplyDetails, Fees> = Field::of("fees");
const CALL_DATA: Field<PreparedUserOp, HexBytes> = Field::of("callData");

/// The data of the reply.
fn data_of(scope: &Value) -> Option<Parts<'_, EstimateData>> {
    Parts::<EstimateReply>::of(scope.nth(scope::REPLY)).get(DATA)
}

/// The problems of a reply: first those of fields that could not be read, each with the rule that it breaks.
pub(super) struct Comparison {
    findings: Vec<Found>,
}

impl Comparison {
    pub(super) fn new(problems: Vec<Issue>) -> Self {
        // A key that is there twice has two meanings, wherever it is.
        let is_open = |problem: &Issue| {
            problem.code != IssueCode::Duplicate
                && OPEN.iter().any(|place| scope::path(place) == problem.path)
        };
        let mut findings = Vec::new();
        for problem in problems {
            if !is_open(&problem) {
                findings.push(Found::new(rule_of(&problem), problem.path, problem.message));
            }
        }
        Self { findings }
    }

    /// Compares the reply with the request. Puts the content of the call data into the scope.
    pub(super) fn compare(&mut self, request: &EstimateRequest, scope: &mut Value) {
        let [job_id, requested @ .., fee_payer] = &REQUESTED;
        self.equal(job_id, scope);
        self.payload(scope);
        requested.iter().for_each(|rule| self.equal(rule, scope));
        self.recipient(request, scope);
        self.equal(fee_payer, scope);
        self.sponsorship(request, scope);
        self.fee_chains(request, scope);

        let op = data_of(scope).and_then(|data| data.get(OPERATION));
        if let Some(bytes) = op.and_then(|op| op.get(CALL_DATA)) {
            match decode_call(bytes.as_slice()) {
                Ok(call) => scope.set(scope::CALL, call.into_value()),
                Err(message) => self.push(Rule::CallData, &scope::CALL_DATA, message),
            }
        }
        self.call(scope);
    }

    fn push(&mut self, rule: Rule, place: &Place, message: String) {
        self.findings.push(Found::new(rule, scope::path(place), message));
    }

    /// Judges one rule. What could not be read has a problem already.
    fn equal(&mut self, rule: &Equal, scope: &Value) {
        self.findings.extend(rule.check(scope));
    }

    /// The payload of the reply must be the intent of the request.
    fn payload(&mut self, scope: &Value) {
        let (found, asked) = (scope.at(&scope::PAYLOAD), scope.at(&scope::ASKED));
        let findings = &mut self.findings;
        // The sides are swapped: the request is complete, and the payload may be readable in part.
        compare_intents(found, asked, &mut |field, value, expected| {
            let (path, sides) = (scope::path(&scope::PAYLOAD), ("request", "reply"));
            findings.push(Found::of_field(
                Rule::Payload,
                path,
                field.to_text(),
                sides,
                expected,
                value,
            ));
        });
    }

    /// The sender of a transfer is never its recipient.
    fn recipient(&mut self, request: &EstimateRequest, scope: &Value) {
        let user = data_of(scope).and_then(|data| data.get(PLAIN)?.get(USER));
        if let Some(user) = user
            && request.intent.recipient() == Some(user)
        {
            let template =
                "expected another wallet than the recipient's, found the recipient {} itself";
            self.push(Rule::Sender, &scope::USER, fill(template, &[user]));
        }
    }

    /// A fee payer is only there with sponsorship.
    fn sponsorship(&mut self, request: &EstimateRequest, scope: &Value) {
        let has_payer = request.fee_payer_address.is_some_and(|payer| !payer.to_h160().is_zero());
        let policies = data_of(scope).and_then(|data| data.get(PLAIN)?.get(POLICIES));
        if has_payer && policies.and_then(|policies| policies.get(SPONSORSHIP)) == Some(false) {
            let message = "expected true for a request with a fee payer, found false".into();
            self.push(Rule::FeePayer, &scope::SPONSORSHIP, message);
        }
    }

    /// Fees are paid on the intent's chain only.
    fn fee_chains(&mut self, request: &EstimateRequest, scope: &Value) {
        let chain = request.intent.chain();
        let text = chain.to_text();
        let fees = data_of(scope).and_then(|data| data.get(DETAILS)?.get(FEES)?.get(CHAINS));
        for (key, _) in fees.into_iter().flatten().filter(|(key, _)| *key != text) {
            let path = fill("{}.{}", &[&scope::path(&scope::FEES), &Path::Field(&Path::Root, key)]);
            self.findings.push(Found::of_value(Rule::FeeChain, path, chain, " (request)", &key));
        }
    }

    /// The content of the call data must be what the request and the rest of the reply say.
    fn call(&mut self, scope: &Value) {
        for said in &CALLED {
            let (expected, found) = (scope.at(&said.expected), scope.at(&said.found));
            let findings = &mut self.findings;
            let differ = &mut |field: &Path<'_>, expected, found| {
                let (path, sides) = (scope::path(&scope::CALL_DATA), (said.by, "call data"));
                findings.push(Found::of_field(
                    Rule::CallData,
                    path,
                    field.to_text(),
                    sides,
                    expected,
                    found,
                ));
            };
            if said.field == INTENT {
                compare_intents(expected, found, differ);
            } else {
                compare(expected, found, &Path::Field(&Path::Root, said.field), differ);
            }
        }
    }

    /// Returns the findings, each once.
    pub(super) fn finish(mut self) -> Vec<Found> {
        let keys: Vec<Key<'_>> = self
            .findings
            .iter()
            .map(|Found { rule, issue }| {
                (0, Some(rule.as_str()), &*issue.path, issue.field.as_deref())
            })
            .collect();
        let first_equal = first_equal(&keys);
        keep_first_equal(&mut self.findings, &first_equal);
        self.findings
    }
}

/// The intent's key in the content of call data, by which findings name its fields.
const INTENT: &str = "intent";

/// Compares the details of two intents, or their types if those differ.
fn compare_intents(
    expected: &Value,
    found: &Value,
    differ: &mut dyn FnMut(&Path<'_>, String, String),
) {
    let at = &Path::Field(&Path::Root, INTENT);
    if let (Some(expected_type), Some(found_type)) =
        (expected.tag_of_details(), found.tag_of_details())
    {
        if expected_type == found_type {
            compare(expected, found, &Path::Field(at, "details"), differ);
        } else {
            differ(&Path::Field(at, "type"), expected_type.into(), found_type.into());
        }
    }
}

/// The rule that an unreadable part of a reply breaks.
fn rule_of(problem: &Issue) -> Rule {
    let is_format = problem.code == IssueCode::Format;
    let path = &*problem.path;
    if is_format && path == scope::path(&scope::STATUS) {
        Rule::Status
    } else if is_format && path == scope::path(&scope::INTENT_TYPE) {
        Rule::IntentType
    } else if path
        .strip_prefix(&*scope::path(&scope::PAYLOAD))
        .is_some_and(|rest| rest.starts_with('.'))
    {
        Rule::Payload
    } else {
        Rule::Shape
    }
}

impl Equal {
    /// Compares the two places, also if one of them is absent. What could not be read has a problem already.
    pub(super) fn check(&self, scope: &Value) -> Option<Found> {
        let (found, expected) = (scope.at(&self.found), scope.at(&self.expected));
        let is_read = |value: &Value| *value != Value::Unread;
        if !is_read(found) || !is_read(expected) || found == expected {
            return None;
        }

        let said = |value: &Value| match value {
            Value::Absent => "nothing".into(),
            value => value.to_text(),
        };
        let (expected, found) = (said(expected), said(found));
        Some(Found::of_value(self.rule, scope::path(&self.path), &expected, self.by, &found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::JobId;

    #[test]
    fn absence_compares() {
        let [rule, ..] = &REQUESTED;
        let job: JobId = "e4fb7f8b-d19d-4785-94af-4b911469a3b0".parse().unwrap();
        let (job, absent) = (|| job.into_value(), || Value::Absent);
        let check = |found: Value, expected: Value| {
            let mut scope = scope::SCOPE.blank();
            scope.put(&rule.found, found);
            scope.put(&rule.expected, expected);
            rule.check(&scope).map(|found| found.issue.message)
        };

        assert_eq!(check(job(), job()), None);
        assert_eq!(check(absent(), absent()), None);
        assert_eq!(
            check(absent(), job()).unwrap(),
            "expected `e4fb7f8b-d19d-4785-94af-4b911469a3b0` (request), found `nothing`"
        );
        assert_eq!(
            check(job(), absent()).unwrap(),
            "expected `nothing` (request), found `e4fb7f8b-d19d-4785-94af-4b911469a3b0`"
        );
        for other in [job(), absent()] {
            assert_eq!(check(Value::Unread, other.clone()), None);
            assert_eq!(check(other, Value::Unread), None);
        }
    }
}
