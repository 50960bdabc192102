//! A service on a chain, and three jobs for one intent with three operations each.

use alloy_primitives::Address;
use chain::{PackedUserOperation, Service, Snapshot};
use sendoff::submission::SubmissionStep;
use sendoff::user_op::{EntryPointVersion, NonceAnswer, nonce_call};
use sendoff::value::{JobId, Word};
use serde_json::json;

pub(crate) const RECIPIENT: Address = Address::repeat_byte(0x77);
/// The time of the first block.
pub(crate) const GENESIS: u64 = 1_000;
/// The ends of each job's operations; the last one has none.
pub(crate) const ENDS: [[u64; 3]; 3] = [[1_030, 1_060, 0], [1_150, 1_180, 0], [1_160, 1_190, 0]];

/// An operation that a client has signed.
pub(crate) struct Operation {
    pub(crate) job: usize,
    pub(crate) hash: Word,
    pub(crate) ends: u64,
    pub(crate) packed: PackedUserOperation,
}

/// An account with ether on a chain, and operations that all send one wei of it to the recipient.
pub(crate) struct Ground {
    pub(crate) service: Service,
    pub(crate) start: Snapshot,
    pub(crate) operations: Vec<Operation>,
}

pub(crate) fn job_id(job: usize) -> JobId {
    format!("{job:08}-446f-4050-0000-000000000000").parse().unwrap()
}

impl Ground {
    pub(crate) fn new(version: EntryPointVersion) -> Self {
        let mut service = Service::new(version);
        service.chain.set_time(GENESIS);
        service.fund(1_000);
        let expect = json!({ "userSWA": service.account });
        let operation = |job: usize, ends: u64| {
            let id = job_id(job).to_string();
            let details =
                json!({ "recipientWalletAddress": RECIPIENT, "tokenAddress": "", "amount": "1" });
            let grant = service.grant(&id, ends);
            let request = service.request(&id, "TOKEN_TRANSFER", details, 1, grant);
            let reply = service.estimate(&request);
            let signable = service.signable(&request, &reply, Some(&expect)).unwrap();
            Operation { job, hash: signable.hash(), ends, packed: service.signed(&signable) }
        };
        let operations = ENDS.iter().enumerate();
        let operations =
            operations.flat_map(|(job, ends)| ends.map(|ends| operation(job, ends))).collect();

        let start = service.chain.snapshot();
        Self { service, start, operations }
    }

    /// The step before an operation is sent.
    pub(crate) fn step(&self, kind: &str, number: usize) -> SubmissionStep {
        let Operation { job, hash, ends, .. } = &self.operations[number];
        let step = json!({
            "type": kind, "jobId": job_id(*job).to_string(), "hash": hash.to_string(), "validUntil": ends,
        });
        step.to_string().parse().unwrap()
    }

    /// Executes an operation in the pending block.
    pub(crate) fn execute(&mut self, number: usize) -> Result<(), String> {
        let operation = &self.operations[number];
        let event = self.service.send(operation.packed.clone())?;
        assert_eq!(event.userOpHash.0, <[u8; 32]>::from(operation.hash));
        assert!(event.success, "the transfer of {number} failed");
        Ok(())
    }

    /// Asks the EntryPoint whether a job's nonce is used, with the core's question and reader.
    pub(crate) fn asks(&mut self, job: usize) -> bool {
        let Service { chain, entry_point, account, .. } = &mut self.service;
        let answer = chain.read(*entry_point, &nonce_call((*account).into(), job_id(job)).to_vec());
        NonceAnswer::read(job_id(job), Word::try_from(&answer[..]).unwrap()).unwrap().used
    }

    /// How often the intent was executed.
    pub(crate) fn executed(&mut self) -> u64 {
        self.service.chain.balance(RECIPIENT).to()
    }
}

pub(crate) fn replied(code: i64, message: &str) -> SubmissionStep {
    let reply = json!({ "status": "error", "error": { "code": code, "message": message } });
    json!({ "type": "answered", "reply": reply }).to_string().parse().unwrap()
}

pub(crate) fn receipt(hash: Word, success: bool) -> SubmissionStep {
    let status = if success { "0x1" } else { "0x0" };
    let receipt = json!({
        "userOpHash": hash.to_string(), "success": success, "actualGasCost": "0x1", "actualGasUsed": "0x1",
        "receipt": { "status": status },
    });
    json!({ "type": "receipt", "receipt": receipt }).to_string().parse().unwrap()
}

pub(crate) fn nonce(used: bool, now: u64) -> SubmissionStep {
    SubmissionStep::Nonce { used, now: now.try_into().unwrap() }
}
