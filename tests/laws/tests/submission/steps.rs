//! The steps that clients take, by number.

use sendoff::submission::SubmissionStep;
use serde_json::{Value, json};

use super::world::{LAST, Operation, Setting, operations};

pub(super) fn hash(operation: usize) -> String {
    format!("0x{:064x}", operation + 1)
}

pub(super) fn job_id(job: usize) -> String {
    format!("{job:08}-0000-4000-0000-000000000000")
}

/// The steps, by number, so that each is made once.
pub(super) struct Steps {
    pub(super) list: Vec<SubmissionStep>,
}

impl Steps {
    pub(super) const SENT: usize = 0;
    pub(super) const REPLACED: usize = 4;
    pub(super) const ANSWERED: usize = 8;
    pub(super) const ANSWERS: usize = 4;
    pub(super) const BROKEN_OFF: usize = 12;
    pub(super) const NONCE: usize = 22;

    pub(super) fn new(setting: &Setting) -> Self {
        let sends = |kind: &str| {
            let step = |(number, operation): (usize, Operation)| {
                let mut step =
                    json!({ "type": kind, "jobId": job_id(operation.job), "hash": hash(number) });
                if let Some(ends) = operation.ends {
                    step["validUntil"] = ends.into();
                }
                step
            };
            operations(setting).into_iter().enumerate().map(step).collect::<Vec<_>>()
        };
        let error = |code: i64, message: &str| json!({ "status": "error", "error": { "code": code, "message": message } });
        let replies = [
            json!({ "status": "success", "data": {} }),
            error(400, "no"),
            error(400, "AA25 invalid account nonce"),
            error(500, "no"),
        ];
        let receipt = |operation: usize, success: bool| json!({ "userOpHash": hash(operation), "success": success, "actualGasCost": "0x1", "actualGasUsed": "0x1" });

        let mut list = [sends("sent"), sends("replaced")].concat();
        list.extend(replies.map(|reply| json!({ "type": "answered", "reply": reply })));
        list.extend([
            json!({ "type": "brokenOff" }),
            json!({ "type": "receipt", "receipt": null }),
        ]);
        for operation in 0..4 {
            for success in [true, false] {
                list.push(json!({ "type": "receipt", "receipt": receipt(operation, success) }));
            }
        }
        for used in [true, false] {
            list.extend((0..=LAST).map(|now| json!({ "type": "nonce", "used": used, "now": now })));
        }

        Self { list: list.iter().map(Value::to_string).map(|step| step.parse().unwrap()).collect() }
    }

    pub(super) fn nonce(used: bool, now: u8) -> usize {
        Self::NONCE + if used { 0 } else { usize::from(LAST) + 1 } + usize::from(now)
    }
}
