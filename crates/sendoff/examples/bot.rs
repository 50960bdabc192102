//! A bot: from a request to a receipt, with every answer that a service and a bundler give, and with restarts:
//! `cargo run --example bot`.

use sendoff::estimate::{
    Deployment, EstimateRequest, GasDetails, RequestParts, Signable, signable,
};
use sendoff::http::{Operation, Reply};
use sendoff::intent::Names;
use sendoff::submission::{
    Submission, SubmissionLast, SubmissionNext, SubmissionPhase, SubmissionStep, SubmissionVerdict,
    advance,
};
use sendoff::user_op::{
    BundlerError, Percent, UserOp, UserOpOutcome, UserOpReceipt, replacement_fees, user_op_hash,
};
use sendoff::value::{JobId, Signature, Word};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn core::error::Error>>;

/// All that a bot does with the world. A program implements it with its HTTP client, its key, its clock and its store.
trait World {
    /// Posts JSON to the service: the body of the reply, and its header `retry-after`; `None` if the connection breaks.
    fn post(&mut self, path: &str, body: &str) -> Option<(String, String)>;

    /// Calls a method of the bundler: the body of its response; `None` if the connection breaks.
    fn bundler(&mut self, method: &str, params: Value) -> Option<String>;

    fn sign(&mut self, digest: Word) -> Signature;

    /// Waits; an error to give up for now. The next run continues.
    fn wait(&mut self, seconds: u64) -> Outcome<()>;

    /// What was stored last for this intent.
    fn load(&mut self) -> Option<Saved>;

    /// Stores it, before anything is sent.
    fn store(&mut self, saved: &Saved);
}

/// What a bot keeps of an intent: the state of its job, and each operation that it signed.
#[derive(Clone)]
struct Saved {
    state: Submission,
    operations: Vec<UserOp>,
}

struct Bot<W> {
    world: W,
    request: EstimateRequest,
    deployment: Deployment,
    names: Names,
    saved: Option<Saved>,
}

impl<W: World> Bot<W> {
    /// Questions in vain before an operation that a bundler accepted is sent again: it may have lost it.
    const ROUNDS: usize = 3;

    /// Carries the request out, or continues where an earlier run ended.
    fn run(&mut self) -> Outcome<UserOpOutcome> {
        self.saved = self.world.load();
        // After a restart nobody waits for the answer any more.
        if self.state().is_some_and(|state| state.phase == SubmissionPhase::Sent) {
            self.take(&SubmissionStep::BrokenOff)?;
        }

        let (mut last, mut rounds) = (None, 0_usize);
        loop {
            last = match Submission::next(self.state(), last) {
                SubmissionNext::Prepare => self.prepare(None)?,
                SubmissionNext::Replace => {
                    let fees = self
                        .operation()
                        .map(|pending| replacement_fees(&pending, Percent::default()))
                        .transpose()?;
                    self.prepare(fees.map(|fees| GasDetails {
                        max_fee_per_gas: fees.max_fee_per_gas,
                        max_priority_fee_per_gas: fees.max_priority_fee_per_gas,
                    }))?
                }
                SubmissionNext::Send => {
                    rounds = 0;
                    self.send()?
                }
                SubmissionNext::Ask => {
                    if let Some(outcome) = self.ask()? {
                        return Ok(outcome);
                    }
                    self.world.wait(5)?;
                    rounds = rounds.saturating_add(1);
                    let is_vain = rounds >= Self::ROUNDS;
                    Some(if is_vain { SubmissionLast::Vain } else { SubmissionLast::Asked })
                }
                // The chain settled it before: the receipt says how.
                SubmissionNext::End => match self.ask()? {
                    Some(outcome) => return Ok(outcome),
                    None => {
                        self.world.wait(5)?;
                        None
                    }
                },
            };
        }
    }

    fn state(&self) -> Option<&Submission> {
        self.saved.as_ref().map(|saved| &saved.state)
    }

    /// The operation of the state's hash.
    fn operation(&self) -> Option<UserOp> {
        self.saved.as_ref().and_then(|saved| self.signed(saved.state.hash))
    }

    /// The operation with this hash, if it was signed before.
    fn signed(&self, hash: Word) -> Option<UserOp> {
        let entry_point = self.deployment.entry_point();
        let is_it = |known: &&UserOp| user_op_hash(known, &entry_point) == Ok(hash);
        self.saved.as_ref()?.operations.iter().find(is_it).cloned()
    }

    /// Requests an estimate, compares the reply with the request, signs it and sends it.
    fn prepare(&mut self, fees: Option<GasDetails>) -> Outcome<Option<SubmissionLast>> {
        let request = match fees {
            None => self.request.clone(),
            Some(fees) => {
                let (intent, data) =
                    (self.request.intent().clone(), self.request.paymaster_data().clone());
                EstimateRequest::new(RequestParts {
                    job_id: *self.request.job_id(),
                    intent,
                    gas_details: fees,
                    paymaster_data: data,
                    fee_payer_address: self.request.fee_payer_address().copied(),
                })?
            }
        };
        let text = self.estimate(&request)?;

        let checked: Signable = signable(&request, &text, &self.deployment, &self.names)?;
        let sender = checked.operation().sender;
        let mut known = self.saved.iter().flat_map(|saved| &saved.operations);
        // Another account of the same key has a nonce of its own: both operations would be executed.
        if known.any(|operation| operation.sender != sender) {
            return Err(format!("the service answers for another account, {sender}").into());
        }

        checked.effects().call.sentences.iter().for_each(|sentence| println!("{sentence}"));
        println!("{}", checked.effects().operation.sentence);
        let (job_id, hash) = (*request.job_id(), checked.hash());
        let operation = match self.signed(hash) {
            Some(operation) => operation,
            None => checked.assemble(self.world.sign(checked.digest()))?,
        };
        let step = match self.state() {
            Some(state) if state.hash != hash => {
                SubmissionStep::Replaced { job_id, hash, valid_until: None }
            }
            _ => SubmissionStep::Sent { job_id, hash, valid_until: None },
        };
        self.sent(&step, operation)
    }

    /// The text of a success reply. A page of a proxy, an empty body and a broken connection are no reply.
    fn estimate(&mut self, request: &EstimateRequest) -> Outcome<String> {
        let path = Operation::Estimate.path(None)?;
        loop {
            let (body, retry_after) =
                self.world.post(&path, &request.to_string()).unwrap_or_default();
            match body.parse::<Reply>().map(|reply| reply.with_retry_after(&retry_after)) {
                Ok(Reply::Success { .. }) => return Ok(body),
                // 429: the reply says how long to wait.
                Ok(Reply::Error(error)) => match error.retry_after {
                    Some(seconds) => self.world.wait(seconds)?,
                    None => {
                        let words =
                            format!("the service refuses: {} {}", error.code, error.message);
                        return Err(words.into());
                    }
                },
                Err(_) => self.world.wait(5)?,
            }
        }
    }

    /// Sends the same operation again. Without it, the service is asked for it again.
    fn send(&mut self) -> Outcome<Option<SubmissionLast>> {
        let (Some(&Submission { job_id, hash, .. }), Some(operation)) =
            (self.state(), self.operation())
        else {
            return self.prepare(None);
        };
        self.sent(&SubmissionStep::Sent { job_id, hash, valid_until: None }, operation)
    }

    /// Stores the step with its operation, sends it, and returns what a refusal asks for.
    fn sent(
        &mut self,
        step: &SubmissionStep,
        operation: UserOp,
    ) -> Outcome<Option<SubmissionLast>> {
        let params = json!([operation, self.deployment.entry_point().address]);
        if self.take_with(step, Some(operation))? != SubmissionVerdict::MayHaveHappened {
            return Ok(None);
        }

        let response = self.call("eth_sendUserOperation", params);
        let error = response.get("error").map(|error| error.to_string().parse::<BundlerError>());
        match (response.get("result"), error) {
            (_, Some(Ok(error))) => {
                self.take(&SubmissionStep::from(&error))?;
                let refusal = error.refusal();
                println!("refused: {} ({})", error.message, refusal.at);
                Ok(Some(refusal.next.into()))
            }
            (Some(Value::String(_)), None) => {
                self.take(&SubmissionStep::accepted())?;
                Ok(None)
            }
            _ => {
                self.take(&SubmissionStep::BrokenOff)?;
                Ok(None)
            }
        }
    }

    /// Asks the bundler for the receipt of each operation of the job.
    fn ask(&mut self) -> Outcome<Option<UserOpOutcome>> {
        let state = self.state().into_iter();
        let hashes: Vec<Word> =
            state.flat_map(|state| [&[state.hash], state.replaced.as_slice()].concat()).collect();
        for hash in hashes {
            let response = self.call("eth_getUserOperationReceipt", json!([hash]));
            let Some(result) = response.get("result").filter(|result| !result.is_null()) else {
                continue;
            };
            match result.to_string().parse::<UserOpReceipt>() {
                Ok(receipt) if receipt.user_op_hash == hash => {
                    let outcome = receipt.outcome(hash);
                    self.take(&SubmissionStep::Receipt(Some(receipt)))?;
                    return Ok(Some(outcome));
                }
                Ok(_) => {}
                Err(error) => println!("the receipt of {hash} cannot be read: {error}"),
            }
        }
        Ok(None)
    }

    /// The bundler's JSON-RPC response. A page of a proxy, an empty body and a broken connection are none.
    fn call(&mut self, method: &str, params: Value) -> Value {
        let body = self.world.bundler(method, params).unwrap_or_default();
        serde_json::from_str(&body).unwrap_or_default()
    }

    fn take(&mut self, step: &SubmissionStep) -> Outcome<SubmissionVerdict> {
        self.take_with(step, None)
    }

    fn take_with(
        &mut self,
        step: &SubmissionStep,
        operation: Option<UserOp>,
    ) -> Outcome<SubmissionVerdict> {
        let progress = advance(self.state().cloned(), step)?;

        let mut operations = self.saved.take().map(|saved| saved.operations).unwrap_or_default();
        operations.extend(operation.filter(|new| !operations.contains(new)));
        let saved = Saved { state: progress.state, operations };
        self.world.store(&saved);
        self.saved = Some(saved);
        Ok(progress.verdict)
    }
}

/// A service and a bundler on a bad day, and a store.
#[derive(Default)]
struct Played {
    posts: usize,
    sent: Vec<Value>,
    waits: usize,
    executed: Option<Value>,
    stored: Option<Saved>,
}

impl World for Played {
    fn post(&mut self, _: &str, body: &str) -> Option<(String, String)> {
        self.posts = self.posts.saturating_add(1);
        let busy = r#"{"status":"error","error":{"code":429,"message":"Rate Limit Exceeded"}}"#;
        match self.posts {
            1 => Some((busy.into(), "17".into())),
            2 => Some(("<html>502 Bad Gateway</html>".into(), String::new())),
            3 => Some((String::new(), String::new())),
            4 => None,
            _ => Some((sendoff::json::estimate(body, FACTS).ok()?, String::new())),
        }
    }

    fn bundler(&mut self, method: &str, params: Value) -> Option<String> {
        if method == "eth_getUserOperationReceipt" {
            let hash = self.executed.as_ref().filter(|hash| params.get(0) == Some(hash));
            let receipt = hash.map(|hash| json!({ "userOpHash": hash, "success": true }));
            return Some(json!({ "result": receipt }).to_string());
        }

        let operation = params.get(0).filter(|operation| operation.is_object())?;
        let hash = sendoff::json::user_op_hash(&operation.to_string(), ENTRY_POINT).ok()?;
        let hash = json!(hash.trim_matches('"'));
        self.sent.push(hash.clone());
        match self.sent.len() {
            1 => {
                let message = "replacement transaction underpriced";
                Some(json!({ "error": { "code": -32000, "message": message } }).to_string())
            }
            2 => Some("<html>502 Bad Gateway</html>".into()),
            3 => Some(String::new()),
            // It is accepted, and lost.
            4 => Some(json!({ "result": hash }).to_string()),
            _ => {
                self.executed = Some(hash.clone());
                Some(json!({ "result": hash }).to_string())
            }
        }
    }

    fn sign(&mut self, _: Word) -> Signature {
        // Your signer's signature of these 32 bytes.
        Signature::from([27; 65])
    }

    fn wait(&mut self, seconds: u64) -> Outcome<()> {
        println!("waits {seconds} s");
        self.waits = self.waits.saturating_add(1);
        if self.waits == 6 { Err("it is stopped".into()) } else { Ok(()) }
    }

    fn load(&mut self) -> Option<Saved> {
        self.stored.clone()
    }

    fn store(&mut self, saved: &Saved) {
        println!("stores {}", saved.state.phase);
        self.stored = Some(saved.clone());
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
    let mut bot = Bot { world: Played::default(), request, deployment, names, saved: None };

    // The first run is stopped while a try is open. The second one has what was stored.
    assert!(bot.run().is_err());
    bot.saved = None;
    let outcome = bot.run()?;
    assert!(matches!(outcome, UserOpOutcome::Succeeded { .. }), "{outcome:?}");

    // Two operations were signed. The second was sent until a bundler kept it.
    let job: JobId = "3f1c9a52-7d84-4b0e-9a6c-52e1d07b8f43".parse()?;
    let saved = bot.saved.ok_or("nothing is stored")?;
    assert_eq!((saved.state.job_id, saved.operations.len()), (job, 2));
    assert_eq!(bot.world.sent.len(), 5);
    assert!(bot.world.sent.iter().skip(1).all(|hash| *hash == json!(saved.state.hash)));
    Ok(())
}
