//! The comparison of a reply with its request, by the rules of [`super::scope`].

use alloc::{string::String, vec::Vec};

use super::Rule;
use super::finding::Finding;
use super::scope::{self, CALLED, Equal, OPEN, REQUESTED, Sides};
use crate::document::{Differ, Value, compare};
use crate::error::{Issue, IssueCode, Path};
use crate::first_equal::{Key, first_equal, keep_first_equal};
use crate::intent::Intent;
use crate::text::{WriteText, fill};
use crate::user_op::decode_call;

/// Compares a reply with its request, and decodes its call data. Returns the findings, each once: first those of fields that could
/// not be read.
pub(super) fn compare_sides(sides: &mut Sides<'_>, problems: Vec<Issue>) -> Vec<Finding> {
    let problems = problems.into_iter().filter(|problem| !is_open(problem));
    let list =
        problems.map(|problem| Finding::new(rule_of(&problem), problem.path, problem.message));
    let mut findings = Findings { list: list.collect() };

    let [job_id, requested @ .., fee_payer] = &REQUESTED;
    findings.check(job_id, sides);
    findings.check_payload(sides);
    requested.iter().for_each(|rule| findings.check(rule, sides));
    findings.check_recipient(sides);
    findings.check(fee_payer, sides);
    findings.check_sponsorship(sides);
    findings.check_fee_chains(sides);

    match sides.reply().get(scope::CALL_DATA).map(|bytes| decode_call(bytes.as_slice())) {
        Some(Ok(call)) => sides.call = Some(call),
        Some(Err(message)) => findings.push(Rule::CallData, scope::CALL_DATA.path(), message),
        None => {}
    }
    findings.check_call(sides);
    findings.each_once()
}

struct Findings {
    list: Vec<Finding>,
}

impl Findings {
    fn push(&mut self, rule: Rule, path: &str, message: String) {
        self.list.push(Finding::new(rule, path.into(), message));
    }

    fn check(&mut self, rule: &Equal, sides: &Sides<'_>) {
        rule.check(sides, &mut |found| self.list.push(found));
    }

    /// The payload of the reply must be the intent of the request.
    fn check_payload(&mut self, sides: &Sides<'_>) {
        let payload = sides.reply.at(scope::PAYLOAD);
        compare_intents(sides.intent, payload, &mut |field, values| {
            let sides = ("request", "reply");
            self.list.push(Finding::of_field(Rule::Payload, scope::PAYLOAD, field, sides, values));
        });
    }

    /// The sender of a transfer is never its recipient.
    fn check_recipient(&mut self, sides: &Sides<'_>) {
        if let Some(user) = sides.reply().get(scope::USER)
            && sides.intent.recipient() == Some(&user)
        {
            let template =
                "expected another wallet than the recipient's, found the recipient {} itself";
            self.push(Rule::Sender, scope::USER.path(), fill(template, &[&user]));
        }
    }

    /// A fee payer is only there with sponsorship.
    fn check_sponsorship(&mut self, sides: &Sides<'_>) {
        let has_payer = sides.payer.payer().is_some();
        if has_payer && sides.reply().get(scope::SPONSORSHIP) == Some(false) {
            let message = "expected true for a request with a fee payer, found false".into();
            self.push(Rule::FeePayer, scope::SPONSORSHIP.path(), message);
        }
    }

    /// Fees are paid on the intent's chain only.
    fn check_fee_chains(&mut self, sides: &Sides<'_>) {
        let chain = sides.intent.chain();
        let text = chain.to_text();
        let at = &Path::Field(&Path::Root, scope::FEES.path());
        for (key, _) in sides.reply().keys(scope::FEES).filter(|(key, _)| *key != text) {
            let path = &Path::Field(at, key).to_text();
            self.list.push(Finding::of_value(Rule::FeeChain, path, chain, " (request)", &key));
        }
    }

    /// The content of the call data must be what the request and the rest of the reply say.
    fn check_call(&mut self, sides: &Sides<'_>) {
        let Some(call) = &sides.call else { return };
        let [job_id, fee_payer, others @ ..] = &CALLED;
        self.check(job_id, sides);
        self.check(fee_payer, sides);

        if call.intent != *sides.intent {
            compare_intents(sides.intent, &call.intent.to_details(), &mut |field, values| {
                let (path, sides) = (scope::CALL_DATA.path(), ("request", "call data"));
                self.list.push(Finding::of_field(Rule::CallData, path, field, sides, values));
            });
        }
        others.iter().for_each(|rule| self.check(rule, sides));
    }

    /// The findings without those that are there twice.
    fn each_once(mut self) -> Vec<Finding> {
        let keys: Vec<Key<'_>> = self
            .list
            .iter()
            .map(|Finding { rule, path, field, .. }| {
                (Some(rule.as_str()), &**path, field.as_deref())
            })
            .collect();
        let first_equal = first_equal(&keys);
        keep_first_equal(&mut self.list, &first_equal);
        self.list
    }
}

/// Reports where the details of an intent differ, or their types if those differ.
fn compare_intents(expected: &Intent, found: &Value, differ: Differ<'_>) {
    let at = &Path::Field(&Path::Root, "intent");
    let (expected_type, found_type) = (expected.kind().as_str(), found.tag_of_details());
    match found_type {
        None => {}
        Some(found_type) if found_type == expected_type => {
            compare(&expected.to_details(), found, &Path::Field(at, "details"), differ);
        }
        Some(found_type) => {
            differ(&Path::Field(at, "type"), (expected_type.into(), found_type.into()));
        }
    }
}

/// `true` for the problem of a field that a request leaves open. A key that is there twice has two meanings, wherever it is.
fn is_open(problem: &Issue) -> bool {
    problem.code != IssueCode::Duplicate && OPEN.contains(&&*problem.path)
}

/// The rule that an unreadable part of a reply breaks.
fn rule_of(problem: &Issue) -> Rule {
    let is_format = problem.code == IssueCode::Format;
    let in_payload = problem.path.strip_prefix(scope::PAYLOAD);

    if is_format && problem.path == scope::STATUS {
        Rule::Status
    } else if is_format && problem.path == scope::INTENT_TYPE {
        Rule::IntentType
    } else if in_payload.is_some_and(|rest| rest.starts_with('.')) {
        Rule::Payload
    } else {
        Rule::Shape
    }
}

impl Equal {
    /// Compares the two values, also if one of them is absent. What could not be read has a problem already.
    pub(super) fn check(&self, sides: &Sides<'_>, report: &mut dyn FnMut(Finding)) {
        let Self { rule, path, field, found, expected, by } = self;
        let (Some(found), Some(expected)) = (found.value(sides), expected.value(sides)) else {
            return;
        };

        if !field.is_empty() {
            let at = Path::Field(&Path::Root, field);
            compare(&expected, &found, &at, &mut |field, values| {
                report(Finding::of_field(*rule, path, field, (by, "call data"), values));
            });
        } else if found != expected {
            let said = |value: &Value| match value {
                Value::Absent => "nothing".into(),
                value => value.to_text(),
            };
            report(Finding::of_value(*rule, path, &said(&expected), by, &said(&found)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Valued as _;
    use crate::estimate::EstimateRequest;
    use crate::estimate::scope::{Beside, Compared};
    use alloc::format;

    #[test]
    fn absence_compares() {
        let request = r#"{"type":"TOKEN_TRANSFER","jobId":"e4fb7f8b-d19d-4785-94af-4b911469a3b0","paymasterData":"0x",
            "gasDetails":{"maxFeePerGas":"0x1","maxPriorityFeePerGas":"0x1"},"details":{"caip2Id":"eip155:1","amount":"5",
            "recipientWalletAddress":"0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2","tokenAddress":""}}"#;
        let request: EstimateRequest = request.parse().unwrap();
        let sides = Sides::new(&request, None, Value::Unread);
        let check = |found: Beside, expected: Beside| {
            let [rule, ..] = &REQUESTED;
            let (found, expected) = (Compared::Beside(found), Compared::Beside(expected));
            let mut messages = Vec::new();
            Equal { found, expected, ..*rule }
                .check(&sides, &mut |finding| messages.push(finding.message));
            messages.pop()
        };

        let job: Beside = |sides| Some(sides.job_id.to_value());
        let (absent, unread): (Beside, Beside) = (|_| Some(Value::Absent), |_| None);
        let id = "e4fb7f8b-d19d-4785-94af-4b911469a3b0";
        for (found, expected, message) in [
            (job, job, None),
            (absent, absent, None),
            (absent, job, Some(format!("expected `{id}` (request), found `nothing`"))),
            (job, absent, Some(format!("expected `nothing` (request), found `{id}`"))),
            (unread, job, None),
            (job, unread, None),
        ] {
            assert_eq!(check(found, expected), message);
        }
    }
}
