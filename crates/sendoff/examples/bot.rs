//! A bot: from a request to a receipt, with every answer that a service and a bundler give:
//! `cargo run --example bot`.

use sendoff::estimate::{Deployment, EstimateRequest, GasDetails, Signable, signable};
use sendoff::http::{Operation, Params, Reply};
use sendoff::intent::Names;
use sendoff::submission::{Submission, SubmissionLast, SubmissionNext, SubmissionStep, advance};
use sendoff::user_op::{
    BundlerError, Percent, UserOp, UserOpOutcome, UserOpReceipt, replacement_fees,
};
use sendoff::value::{JobId, Signature, Word};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn core::error::Error>>;

/// All that a bot does with the world. A program implements it with its HTTP client, its key and its clock.
trait World {
    /// Posts JSON to the service: the body of the reply, and its header `retry-after`; `None` if the connection breaks.
    fn post(&mut self, path: &str, body: &str) -> Option<(String, String)>;

    /// Calls a method of the bundler: its JSON-RPC response; `None` if the connection breaks.
    fn bundler(&mut self, method: &str, params: Value) -> Option<Value>;

    fn sign(&mut self, digest: Word) -> Signature;

    /// Waits; `false` to give up.
    fn wait(&mut self, seconds: u64) -> bool;

    /// Stores the state, before anything is sent.
    fn store(&mut self, state: &Submission, operation: &UserOp);
}

struct Bot<W> {
    world: W,
    request: EstimateRequest,
    deployment: Deployment,
    names: Names,
    state: Option<Submission>,
    operation: Option<UserOp>,
}

impl<W: World> Bot<W> {
    /// Carries the request out. `None` if the bot gave up before the chain settled it.
    fn run(&mut self) -> Outcome<Option<UserOpOutcome>> {
        let mut last = None;
        loop {
            last = match Submission::next(self.state.as_ref(), last) {
                SubmissionNext::Prepare => self.prepare(None)?,
                SubmissionNext::Replace => {
                    let fees = self
                        .operation
                        .as_ref()
                        .map(|pending| replacement_fees(pending, Percent::default()));
                    self.prepare(fees.transpose()?.map(|fees| GasDetails {
                        max_fee_per_gas: fees.max_fee_per_gas,
                        max_priority_fee_per_gas: fees.max_priority_fee_per_gas,
                    }))?
                }
                SubmissionNext::Send => self.send()?,
                SubmissionNext::Ask => match self.ask()? {
                    Some(outcome) => return Ok(Some(outcome)),
                    None if self.world.wait(5) => Some(SubmissionLast::Asked),
                    None => return Ok(None),
                },
                // The chain settled it before: the receipt says how.
                SubmissionNext::End => return self.ask(),
            };
        }
    }

    /// Requests an estimate, compares the reply with the request, signs it and sends it.
    fn prepare(&mut self, fees: Option<GasDetails>) -> Outcome<Option<SubmissionLast>> {
        let request = match fees {
            None => self.request.clone(),
            Some(fees) => {
                let (intent, data) =
                    (self.request.intent().clone(), self.request.paymaster_data().clone());
                EstimateRequest::new(
                    *self.request.job_id(),
                    intent,
                    fees,
                    data,
                    self.request.fee_payer_address().copied(),
                )?
            }
        };
        let path = Operation::Estimate.path(&Params::new())?;
        let text = loop {
            let Some((body, retry_after)) = self.world.post(&path, &request.to_string()) else {
                return Ok(self.world.wait(5).then_some(SubmissionLast::Change));
            };
            match body.parse::<Reply>()?.with_retry_after(&retry_after) {
                Reply::Success { .. } => break body,
                // 429: the reply says how long to wait.
                Reply::Error(error)
                    if error.retry_after.is_some_and(|seconds| self.world.wait(seconds)) => {}
                Reply::Error(error) => {
                    return Err(
                        format!("the service refuses: {} {}", error.code, error.message).into()
                    );
                }
            }
        };

        let checked: Signable = signable(&request, &text, &self.deployment, &self.names)?;
        checked.effects().call.sentences.iter().for_each(|sentence| println!("{sentence}"));
        println!("{}", checked.effects().operation.sentence);
        let signature = self.world.sign(checked.digest());
        self.operation = Some(checked.assemble(signature)?);
        let (job_id, hash) = (*request.job_id(), checked.hash());
        self.sent(match &self.state {
            Some(state) if state.hash != hash => {
                SubmissionStep::Replaced { job_id, hash, valid_until: None }
            }
            _ => SubmissionStep::Sent { job_id, hash, valid_until: None },
        })
    }

    /// Sends the same operation again.
    fn send(&mut self) -> Outcome<Option<SubmissionLast>> {
        let Some(Submission { job_id, hash, .. }) = self.state.as_ref() else { return Ok(None) };
        let step = SubmissionStep::Sent { job_id: *job_id, hash: *hash, valid_until: None };
        self.sent(step)
    }

    /// Stores the step, sends the operation, and returns what a refusal asks for.
    fn sent(&mut self, step: SubmissionStep) -> Outcome<Option<SubmissionLast>> {
        self.take(&step)?;
        let operation = self.operation.as_ref().map(ToString::to_string).unwrap_or_default();
        let operation: Value = serde_json::from_str(&operation).unwrap_or_default();
        let params = json!([operation, self.deployment.entry_point().address.to_string()]);
        let Some(response) = self.world.bundler("eth_sendUserOperation", params) else {
            self.take(&SubmissionStep::BrokenOff)?;
            return Ok(None);
        };

        let error =
            response.get("error").and_then(|error| error.to_string().parse::<BundlerError>().ok());
        let Some(error) = error else {
            let data = r#"{"status":"success","data":null}"#;
            self.take(&SubmissionStep::Answered(data.parse()?))?;
            return Ok(None);
        };
        let reply =
            json!({ "status": "error", "error": { "code": error.code, "message": error.message } });
        self.take(&SubmissionStep::Answered(reply.to_string().parse()?))?;
        let refusal = error.refusal();
        println!("refused: {} ({})", error.message, refusal.at);
        Ok(Some(refusal.next.into()))
    }

    /// Asks the bundler for the receipt of each operation of the job.
    fn ask(&mut self) -> Outcome<Option<UserOpOutcome>> {
        let state = self.state.iter();
        let hashes: Vec<Word> =
            state.flat_map(|state| [&[state.hash], state.replaced.as_slice()].concat()).collect();
        for hash in hashes {
            let response =
                self.world.bundler("eth_getUserOperationReceipt", json!([hash.to_string()]));
            let receipt = response.and_then(|response| {
                response.get("result")?.to_string().parse::<UserOpReceipt>().ok()
            });
            let Some(receipt) = receipt else { continue };
            self.take(&SubmissionStep::Receipt(Some(receipt.clone())))?;
            return Ok(Some(receipt.outcome(hash)));
        }
        Ok(None)
    }

    fn take(&mut self, step: &SubmissionStep) -> Outcome<()> {
        let progress = advance(self.state.take(), step)?;
        if let Some(operation) = &self.operation {
            self.world.store(&progress.state, operation);
        }
        self.state = Some(progress.state);
        Ok(())
    }
}

/// A service that is busy at first, and a bundler that refuses the first fees.
#[derive(Default)]
struct Played {
    calls: Vec<String>,
    sent: usize,
    executed: Option<String>,
}

impl World for Played {
    fn post(&mut self, path: &str, body: &str) -> Option<(String, String)> {
        self.calls.push(path.into());
        if self.calls.len() == 1 {
            let busy = r#"{"status":"error","error":{"code":429,"message":"Rate Limit Exceeded"}}"#;
            return Some((busy.into(), "17".into()));
        }
        Some((sendoff::json::estimate(body, FACTS).ok()?, String::new()))
    }

    fn bundler(&mut self, method: &str, params: Value) -> Option<Value> {
        if method == "eth_getUserOperationReceipt" {
            let asked = params.get(0).and_then(Value::as_str);
            let hash = self.executed.as_ref().filter(|hash| asked == Some(hash));
            let receipt = |hash| json!({ "userOpHash": hash, "success": true, "actualGasCost": "0x64", "actualGasUsed": "0x5" });
            return Some(json!({ "result": hash.map(receipt) }));
        }
        self.sent = self.sent.saturating_add(1);
        if self.sent == 1 {
            return Some(
                json!({ "error": { "code": -32000, "message": "replacement transaction underpriced" } }),
            );
        }
        let hash = sendoff::json::user_op_hash(&params.get(0)?.to_string(), ENTRY_POINT).ok()?;
        self.executed = Some(hash.trim_matches('"').into());
        Some(json!({ "result": self.executed }))
    }

    fn sign(&mut self, _: Word) -> Signature {
        // Your signer's signature of these 32 bytes.
        Signature::from([27; 65])
    }

    fn wait(&mut self, seconds: u64) -> bool {
        println!("waits {seconds} s");
        self.calls.len() < 100
    }

    fn store(&mut self, state: &Submission, _: &UserOp) {
        println!("stores {}", state.phase);
    }
}

const REQUEST: &str = r#"{
    "type": "TOKEN_TRANSFER",
    "jobId": "3f1c9a52-7d84-4b0e-9a6c-52e1d07b8f43",
    "gasDetails": { "maxFeePerGas": "0x9502f900", "maxPriorityFeePerGas": "0x59682f00" },
    "paymasterData": "0x",
    "details": {
        "caip2Id": "eip155:80002",
        "recipientWalletAddress": "0xEc186DB52Cb079380E9Ed11740859d5a45e1B831",
        "tokenAddress": "",
        "amount": "500000000000000000"
    }
}"#;

/// What the bot knows of the service, and bounds for what the server would otherwise choose.
const DEPLOYMENT: &str = r#"{
    "entryPoint": "0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da", "chainId": 1802466136, "version": "0.7",
    "gasFeeOrder": "maxFirst",
    "jobManager": "0x0543aD80b41C5f5956d34503668CDb965deCB617",
    "paymaster": "0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3",
    "clientSWA": "0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F",
    "expect": {
        "userSWA": "0xb3950bBE24596c9e1097dC110701410257038293",
        "policies": { "gsnEnabled": false, "sponsorshipEnabled": false },
        "gsn": { "isRequired": false, "requiredNetworks": [] },
        "gas": {
            "callGasLimit": { "least": "0x75300", "most": "0xafc80" },
            "verificationGasLimit": { "most": "0x75300" },
            "preVerificationGas": { "most": "0x1d4c0" },
            "paymasterVerificationGasLimit": { "most": "0x3a980" },
            "paymasterPostOpGasLimit": { "least": "0x27100", "most": "0x3a980" }
        }
    }
}"#;

/// The part of it that decides the hash of an operation.
const ENTRY_POINT: &str = r#"{
    "entryPoint": "0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da", "chainId": 1802466136, "version": "0.7",
    "gasFeeOrder": "maxFirst"
}"#;

const NAMES: &str = r#"{
    "chains": [{ "caip2Id": "eip155:80002", "name": "Polygon Amoy" }],
    "tokens": [{ "caip2Id": "eip155:80002", "tokenAddress": "", "symbol": "POL", "decimals": 18 }]
}"#;

/// What the played service knows.
const FACTS: &str = r#"{
    "clientSWA": "0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F",
    "userSWA": "0xb3950bBE24596c9e1097dC110701410257038293",
    "policies": { "gsnEnabled": false, "sponsorshipEnabled": false },
    "jobManager": "0x0543aD80b41C5f5956d34503668CDb965deCB617",
    "paymaster": "0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3",
    "gasLimits": {
        "callGasLimit": "0x927c0", "verificationGasLimit": "0x61a80", "preVerificationGas": "0x186a0",
        "paymasterVerificationGasLimit": "0x30d40", "paymasterPostOpGasLimit": "0x30d40"
    }
}"#;

fn main() -> Outcome<()> {
    let (request, deployment, names) = (REQUEST.parse()?, DEPLOYMENT.parse()?, NAMES.parse()?);
    let mut bot =
        Bot { world: Played::default(), request, deployment, names, state: None, operation: None };

    let outcome = bot.run()?;
    assert!(matches!(outcome, Some(UserOpOutcome::Succeeded { .. })), "{outcome:?}");
    assert_eq!((bot.world.sent, bot.world.calls.len()), (2, 3));
    let job: JobId = "3f1c9a52-7d84-4b0e-9a6c-52e1d07b8f43".parse()?;
    assert_eq!(bot.state.map(|state| state.job_id), Some(job));
    Ok(())
}
