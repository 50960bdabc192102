//! Retries on a chain: whoever follows the verdicts of `submission` executes an intent once, also with a service that keeps
//! what it refuses, and under random faults.
//!
//! The chain is revm with the published EntryPoints. A job's intent is a transfer of one wei, so the recipient's balance counts
//! how often it was executed. The last eight bytes of each job id are zero: a published EntryPoint takes them as a sequence,
//! which starts at 0.

use std::collections::BTreeMap;

use alloy_primitives::{Address, Bytes, U256, hex};
use alloy_sol_types::{SolCall, SolValue, sol};
use chain::{Chain, IEntryPoint, Key, PackedUserOperation, Snapshot, VERSIONS, compiled, packed};
use sendoff::estimate::{EstimateRequest, signable};
use sendoff::intent::Names;
use sendoff::json;
use sendoff::submission::{Submission, SubmissionPhase, SubmissionStep, SubmissionVerdict, advance};
use sendoff::user_op::{EntryPointVersion, GasFeeOrder, NonceAnswer, UserOp, nonce_call, signing_digest};
use sendoff::value::{JobId, Word};
use serde_json::{Value, json};

sol! {
    function open(address userSWA) external;
    function wallets(address userSWA) external view returns (address);
}

const CHAIN_ID: u64 = 31337;
const RECIPIENT: Address = Address::repeat_byte(0x77);
/// The time of the first block.
const GENESIS: u64 = 1_000;
/// The ends of each job's operations; the last one has none.
const ENDS: [[u64; 3]; 3] = [[1_030, 1_060, 0], [1_150, 1_180, 0], [1_160, 1_190, 0]];

/// An operation that a client has signed.
struct Operation {
    job: usize,
    hash: Word,
    ends: u64,
    packed: PackedUserOperation,
}

/// An account with ether on a chain, and operations that all send one wei of it to the recipient.
struct Ground {
    chain: Chain,
    start: Snapshot,
    entry_point: Address,
    account: Address,
    operations: Vec<Operation>,
}

fn job_id(job: usize) -> JobId {
    format!("{job:08}-446f-4050-0000-000000000000").parse().unwrap()
}

fn answer(text: Result<String, sendoff::error::Error>) -> Value {
    serde_json::from_str(&text.unwrap()).unwrap()
}

impl Ground {
    fn new(version: EntryPointVersion) -> Self {
        let (mut chain, entry_point) = Chain::with_entry_point(CHAIN_ID, version);
        chain.set_time(GENESIS);
        let (owner, client, client_swa) = (Key::new(1), Key::new(2), Address::repeat_byte(0xc1));
        let mut deploy = |name, arguments: &[u8]| chain.deploy(compiled(name), arguments);
        let account = deploy("Account", &(entry_point, owner.address(), true).abi_encode());
        let paymaster = deploy("Paymaster", &(entry_point, client_swa, client.address()).abi_encode());
        let job_manager = deploy("JobManager", &[]);
        let mut send = |to, value: u64, data: Vec<u8>| {
            assert!(chain.send(to, U256::from(value), data.into()).is_success());
        };
        send(entry_point, 1_000_000_000_000_000_000, IEntryPoint::depositToCall { account: paymaster }.abi_encode());
        send(job_manager, 0, openCall { userSWA: account }.abi_encode());
        let wallet = chain.call(job_manager, &walletsCall { userSWA: account }).unwrap();
        assert!(chain.send(wallet, U256::from(1_000), Bytes::new()).is_success());

        let [entry_point_text, client_swa, user_swa, job_manager, paymaster, recipient] =
            [entry_point, client_swa, account, job_manager, paymaster, RECIPIENT].map(|address| address.to_string());
        let facts = json!({
            "clientSWA": client_swa, "userSWA": user_swa, "jobManager": job_manager, "paymaster": paymaster,
            "policies": { "gsnEnabled": false, "sponsorshipEnabled": true },
            // The constants of the service's public SDK.
            "gasLimits": {
                "callGasLimit": "0x927c0", "verificationGasLimit": "0x61a80", "preVerificationGas": "0x186a0",
                "paymasterVerificationGasLimit": "0x30d40", "paymasterPostOpGasLimit": "0x30d40",
            },
        });
        let deployment = json!({
            "entryPoint": entry_point_text, "chainId": CHAIN_ID, "version": version.as_str(), "signs": "personal",
            "jobManager": job_manager, "paymaster": paymaster, "clientSWA": client_swa, "expect": { "userSWA": user_swa },
        });

        let operation = |job: usize, ends: u64| {
            let mut grant = json!({ "clientSWA": client_swa, "validUntil": ends, "validAfter": 0 });
            let mut to_sign = grant.clone();
            to_sign["jobId"] = job_id(job).to_string().into();
            let hash: Value = answer(json::paymaster_hash(&to_sign.to_string()));
            let hash: Word = hash.as_str().unwrap().parse().unwrap();
            grant["signature"] = hex::encode_prefixed(client.sign(signing_digest(hash).into())).into();
            let request = json!({
                "type": "TOKEN_TRANSFER",
                "jobId": job_id(job).to_string(),
                "gasDetails": { "maxFeePerGas": "0x1", "maxPriorityFeePerGas": "0x1" },
                "paymasterData": answer(json::encode_paymaster_data(&grant.to_string())),
                "details": {
                    "caip2Id": format!("eip155:{CHAIN_ID}"), "recipientWalletAddress": recipient, "tokenAddress": "",
                    "amount": "1",
                },
            });
            let reply = json::estimate(&request.to_string(), &facts.to_string()).unwrap();
            let request: EstimateRequest = request.to_string().parse().unwrap();
            let signable =
                signable(&request, &*reply, &deployment.to_string().parse().unwrap(), &Names::default()).unwrap();
            let op = UserOp::from(signable.operation().clone());
            let signature = owner.sign(signable.digest().into());
            Operation { job, hash: signable.hash(), ends, packed: packed(&op, GasFeeOrder::Standard, &signature) }
        };
        let operations = ENDS.iter().enumerate();
        let operations = operations.flat_map(|(job, ends)| ends.map(|ends| operation(job, ends))).collect();

        let start = chain.snapshot();
        Self { chain, start, entry_point, account, operations }
    }

    /// The step before an operation is sent.
    fn step(&self, kind: &str, number: usize) -> SubmissionStep {
        let Operation { job, hash, ends, .. } = &self.operations[number];
        let step = json!({
            "type": kind, "jobId": job_id(*job).to_string(), "hash": hash.to_string(), "validUntil": ends,
        });
        step.to_string().parse().unwrap()
    }

    /// Executes an operation in the pending block.
    fn execute(&mut self, number: usize) -> Result<(), String> {
        let operation = &self.operations[number];
        let event = self.chain.handle(self.entry_point, operation.packed.clone()).map_err(|(reason, _)| reason)?;

        assert_eq!(event.userOpHash.0, <[u8; 32]>::from(operation.hash));
        assert!(event.success, "the transfer of {number} failed");
        Ok(())
    }

    /// Asks the EntryPoint whether a job's nonce is used, with the core's question and reader.
    fn asks(&mut self, job: usize) -> bool {
        let sender = sendoff::value::Address::from(self.account.into_array());
        let answer = self.chain.read(self.entry_point, nonce_call(sender, job_id(job)).to_vec().into());
        NonceAnswer::read(job_id(job), Word::try_from(&answer[..]).unwrap()).unwrap().used
    }

    /// How often the intent was executed.
    fn executed(&self) -> u64 {
        self.chain.balance(RECIPIENT).to()
    }
}

fn replied(code: i64, message: &str) -> SubmissionStep {
    let reply = json!({ "status": "error", "error": { "code": code, "message": message } });
    json!({ "type": "answered", "reply": reply }).to_string().parse().unwrap()
}

fn receipt(hash: Word, success: bool) -> SubmissionStep {
    let status = if success { "0x1" } else { "0x0" };
    let receipt = json!({
        "userOpHash": hash.to_string(), "success": success, "actualGasCost": "0x1", "actualGasUsed": "0x1",
        "receipt": { "status": status },
    });
    json!({ "type": "receipt", "receipt": receipt }).to_string().parse().unwrap()
}

fn nonce(used: bool, now: u64) -> SubmissionStep {
    SubmissionStep::Nonce { used, now: now.try_into().unwrap() }
}

/// The attack: the service says 400 and keeps the operation.
#[test]
fn a_service_that_keeps_what_it_refuses_cannot_execute_it_beside_its_replacement() {
    for version in VERSIONS {
        let mut ground = Ground::new(version);
        let take = |state: Option<Submission>, step: &SubmissionStep| {
            let progress = advance(state, step).unwrap();
            (Some(progress.state), progress.verdict)
        };

        let (state, _) = take(None, &ground.step("sent", 0));
        let (refused, verdict) = take(state, &replied(400, "call gas limit too low"));
        assert_eq!(verdict, SubmissionVerdict::MayBeSent);
        // Another job is refused as a step, and would be executed beside the first.
        assert_eq!(advance(refused.clone(), &ground.step("sent", 3)).unwrap_err().issues()[0].path, "step.jobId");
        let (state, verdict) = take(refused, &ground.step("replaced", 1));
        assert_eq!(verdict, SubmissionVerdict::MayHaveHappened);

        // In either order, the chain executes one of them.
        for order in [[0, 1], [1, 0]] {
            ground.chain.restore(&ground.start);
            ground.execute(order[0]).unwrap();
            assert_eq!(ground.execute(order[1]).unwrap_err(), "AA25 invalid account nonce");
            assert_eq!(ground.executed(), 1, "{version}: {order:?}");
            assert!(ground.asks(0));

            let hash = ground.operations[order[0]].hash;
            let (settled, verdict) = take(state.clone(), &receipt(hash, true));
            assert_eq!((settled.unwrap().hash, verdict), (hash, SubmissionVerdict::MustNotBeSent));
        }

        // What version 0.1 led to: another job after the refusal.
        ground.chain.restore(&ground.start);
        ground.execute(3).unwrap();
        ground.execute(0).unwrap();
        assert_eq!(ground.executed(), 2);

        // The safe way to another job: a finalized block behind both ends.
        ground.chain.restore(&ground.start);
        let now = ENDS[0][1] + 1;
        ground.chain.set_time(now);
        let used = ground.asks(0);
        let (_, verdict) = take(state, &nonce(used, now));
        assert_eq!((used, verdict), (false, SubmissionVerdict::NewJob));
        for late in [0, 1] {
            assert_eq!(ground.execute(late).unwrap_err(), "AA32 paymaster expired or not due");
        }
        ground.execute(3).unwrap();
        assert_eq!(ground.executed(), 1);
    }
}

/// What a client has in memory.
#[derive(Clone, Copy)]
enum Memory {
    Nothing,
    Sending(usize),
    Waiting(usize),
    Asked { job: usize, used: bool, now: u64 },
}

/// Random numbers from a seed (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % u64::try_from(end).unwrap()).unwrap()
    }

    fn one_in(&mut self, end: usize) -> bool {
        self.below(end) == 0
    }
}

/// A schedule: two clients that share one state by compare-and-swap, a service that keeps everything and answers anything, a
/// bundler that loses, repeats and reorders, and a chain that takes blocks back.
struct Schedule<'g> {
    ground: &'g mut Ground,
    random: Random,
    /// `true` for a program that makes another job after a refusal.
    is_faulty: bool,
    stored: Option<String>,
    clients: [Memory; 2],
    /// The operations that the service and its bundler have.
    kept: Vec<usize>,
    /// The bundler tries an operation once in so many times.
    laziness: usize,
    /// The blocks that can be taken back, and the finalized one before them, each with its time.
    blocks: Vec<(u64, Snapshot)>,
    time: u64,
    made: [bool; 3],
    seen: BTreeMap<&'static str, usize>,
}

impl Schedule<'_> {
    fn note(&mut self, what: &'static str) {
        *self.seen.entry(what).or_default() += 1;
    }

    fn run(&mut self, events: usize) {
        for _ in 0..events {
            match self.random.below(10) {
                0 | 1 => self.adds_block(),
                2 => self.takes_back(),
                3 => self.finalizes(),
                _ => {
                    let client = self.random.below(2);
                    self.acts(client);
                }
            }
            self.is_lawful();
        }

        // In the end the bundler tries everything that it ever got.
        self.bundles(usize::MAX);
        self.is_lawful();
    }

    fn state(&self) -> Option<Submission> {
        self.stored.as_deref().map(|stored| stored.parse().unwrap())
    }

    fn is_lawful(&mut self) {
        if self.is_faulty {
            return;
        }
        assert!(self.ground.executed() <= 1, "the intent is executed twice");
        if let Some(state) = self.state().filter(|state| state.phase == SubmissionPhase::Expired) {
            let job = (0..3).find(|job| job_id(*job) == state.job_id).unwrap();
            assert!(!self.ground.asks(job), "an operation was executed, and another job is allowed");
        }
    }

    /// The bundler tries some kept operations in any order; the EntryPoint refuses those that are used or over.
    fn bundles(&mut self, most: usize) {
        let mut kept = self.kept.clone();
        for _ in 0..most.min(kept.len()) {
            let number = kept.remove(self.random.below(kept.len()));
            match self.ground.execute(number).as_ref().map_err(String::as_str) {
                Ok(()) => self.note("executed"),
                Err("AA25 invalid account nonce") => self.note("refused as used"),
                Err("AA32 paymaster expired or not due") => self.note("refused as over"),
                Err(reason) => panic!("{reason}"),
            }
        }
    }

    fn adds_block(&mut self) {
        self.blocks.push((self.time, self.ground.chain.snapshot()));
        self.time += 1 + u64::try_from(self.random.below(25)).unwrap();
        self.ground.chain.set_time(self.time);
        if self.random.one_in(self.laziness) {
            self.bundles(2);
        }
    }

    /// A reorganisation: the chain goes back to a block that is not finalized, or to the finalized one.
    fn takes_back(&mut self) {
        if self.random.one_in(2) && !self.blocks.is_empty() {
            let at = self.random.below(self.blocks.len());
            let before = self.ground.executed();
            let (time, snapshot) = self.blocks[at].clone();
            self.blocks.truncate(at + 1);
            self.ground.chain.restore(&snapshot);
            // The next block comes after it.
            self.time = time + 1;
            self.ground.chain.set_time(self.time);
            if self.ground.executed() < before {
                self.note("taken back");
            }
        }
    }

    fn finalizes(&mut self) {
        if self.blocks.len() > 1 {
            let at = self.random.below(self.blocks.len());
            self.blocks.drain(..at);
        }
    }

    /// Takes a step by compare-and-swap. The whole of a client's event is one here, so no other client is between; a client that
    /// lost the race reads again, which is another event.
    fn take(&mut self, step: &SubmissionStep) -> Option<SubmissionVerdict> {
        let progress = advance(self.state(), step).ok()?;
        self.stored = Some(serde_json::to_string(&progress.state).unwrap());
        Some(progress.verdict)
    }

    fn is_of(&self, job: usize) -> bool {
        self.state().is_some_and(|state| state.job_id == job_id(job))
    }

    fn acts(&mut self, client: usize) {
        let memory = self.clients[client];
        let is_busy = !matches!(memory, Memory::Nothing);
        if is_busy && self.random.one_in(12) {
            self.note("crashed");
            self.clients[client] = Memory::Nothing;
            return;
        }

        self.clients[client] = match memory {
            Memory::Nothing => return self.decides(client),
            Memory::Sending(number) => {
                if !self.kept.contains(&number) {
                    self.kept.push(number);
                }
                // A bundler may include it at once, before the service answers.
                if self.random.one_in(self.laziness) {
                    self.bundles(1);
                }
                Memory::Waiting(number)
            }
            Memory::Waiting(number) => {
                let step = match self.random.below(6) {
                    0 => r#"{"type":"answered","reply":{"status":"success","data":{}}}"#.parse().unwrap(),
                    1 | 2 => replied(400, "no"),
                    3 => replied(400, "AA25 invalid account nonce"),
                    4 => replied(500, "no"),
                    _ => SubmissionStep::BrokenOff,
                };
                if self.is_of(self.ground.operations[number].job) {
                    self.take(&step);
                }
                Memory::Nothing
            }
            Memory::Asked { job, used, now } => {
                if self.is_of(job) && self.take(&nonce(used, now)) == Some(SubmissionVerdict::NewJob) {
                    self.note("newJob");
                }
                Memory::Nothing
            }
        };
    }

    fn decides(&mut self, client: usize) {
        let Some(state) = self.state() else {
            return self.starts(client, 0);
        };
        let job = (0..3).find(|job| job_id(*job) == state.job_id).unwrap();
        let number = job * 3 + self.random.below(3);
        let own = (job * 3..job * 3 + 3).find(|number| self.ground.operations[*number].hash == state.hash).unwrap();

        match self.random.below(10) {
            0 | 1 => self.sends(client, "sent", own),
            2 | 3 => self.sends(client, "replaced", number),
            4 => drop(self.take(&SubmissionStep::BrokenOff)),
            // The bundler says what it likes: nothing, the truth, or a receipt of a block that was taken back.
            5 => drop(self.take(&SubmissionStep::Receipt(None))),
            6 => {
                let success = self.random.one_in(2);
                self.take(&receipt(self.ground.operations[number].hash, success));
            }
            7 | 8 => self.asks(client, job),
            _ => {
                let allowed = state.phase.verdict() == SubmissionVerdict::NewJob
                    || self.is_faulty && state.phase == SubmissionPhase::Refused;
                let fresh = 1 + client;
                if allowed && !self.made[fresh] {
                    self.note("another job");
                    self.stored = None;
                    self.starts(client, fresh);
                }
            }
        }
    }

    fn starts(&mut self, client: usize, job: usize) {
        self.made[job] = true;
        // The first operation has an end in most schedules.
        let number = job * 3 + [0, 0, 1, 2][self.random.below(4)];
        self.sends(client, "sent", number);
    }

    fn sends(&mut self, client: usize, kind: &str, number: usize) {
        let step = self.ground.step(kind, number);
        if self.take(&step) == Some(SubmissionVerdict::MayHaveHappened) {
            if kind == "replaced" {
                self.note("replaced");
            }
            self.clients[client] = Memory::Sending(number);
        }
    }

    /// The client's own node: the nonce and the time of the finalized block.
    fn asks(&mut self, client: usize, job: usize) {
        let Some((now, finalized)) = self.blocks.first().cloned() else { return };
        let newest = self.ground.chain.snapshot();
        self.ground.chain.restore(&finalized);
        let used = self.ground.asks(job);
        self.ground.chain.restore(&newest);
        self.ground.chain.set_time(self.time);
        self.clients[client] = Memory::Asked { job, used, now };
    }
}

fn schedule(ground: &mut Ground, seed: u64, is_faulty: bool) -> (u64, BTreeMap<&'static str, usize>) {
    ground.chain.restore(&ground.start);
    ground.chain.set_time(GENESIS);
    let mut random = Random(seed);
    let laziness = 1 + random.below(12);
    let mut schedule = Schedule {
        blocks: vec![(GENESIS, ground.start.clone())],
        ground,
        random,
        laziness,
        is_faulty,
        stored: None,
        clients: [Memory::Nothing; 2],
        kept: Vec::new(),
        time: GENESIS + 1,
        made: [false; 3],
        seen: BTreeMap::new(),
    };
    schedule.ground.chain.set_time(GENESIS + 1);
    schedule.run(90);
    let executed = schedule.ground.executed();
    (executed, schedule.seen)
}

/// 10,000 schedules with `SENDOFF_ALL`, else 200.
#[test]
fn no_schedule_executes_an_intent_twice() {
    let schedules = if std::env::var_os("SENDOFF_ALL").is_some() { 10_000 } else { 200 };
    let mut grounds = VERSIONS.map(Ground::new);
    let (mut seen, mut executed) = (BTreeMap::<_, usize>::new(), 0);

    for seed in 0..schedules {
        let ground = &mut grounds[usize::try_from(seed).unwrap() % VERSIONS.len()];
        let (times, own) = schedule(ground, seed, false);
        assert!(times <= 1, "schedule {seed}");
        executed += times;
        for (what, times) in own {
            *seen.entry(what).or_default() += times;
        }
    }

    println!("{schedules} schedules: the intent was executed in {executed}, never twice; {seen:?}");
    // Schedules in which nothing happens would show nothing.
    for what in
        ["executed", "taken back", "replaced", "newJob", "another job", "crashed", "refused as used", "refused as over"]
    {
        assert!(seen.contains_key(what), "no schedule has `{what}`");
    }
}

#[test]
fn the_schedules_find_a_program_that_makes_another_job_after_a_refusal() {
    let mut ground = Ground::new(EntryPointVersion::V07);
    let found = (0..400).find(|seed| schedule(&mut ground, *seed, true).0 > 1);
    println!("schedule {found:?} executes the intent twice");
    assert!(found.is_some());
}
