//! The contracts of a service on a chain, a user's account among them, and what it knows about
//! them.

use alloy_primitives::{Address, U256, hex};
use alloy_sol_types::{SolCall, SolValue};
use sendoff::error::Error;
use sendoff::estimate::{EstimateRequest, Signable, signable};
use sendoff::intent::Names;
use sendoff::json;
use sendoff::user_op::{
    EntryPointVersion, GasFeeOrder, NonceAnswer, UserOp, nonce_call, signing_digest,
};
use sendoff::value::Word;
use serde_json::{Value, json};

use crate::{Chain, IEntryPoint, PackedUserOperation, UserOperationEvent, compiled, key};
use crate::{mintCall, openCall, packed, sign, walletsCall};

/// The chain of the service, and of the assets that its jobs move.
pub const CHAIN_ID: u64 = 31337;
pub const RECIPIENT: &str = "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2";
/// The number of the key of the user's account, which signs personal messages.
pub const OWNER: u8 = 1;
/// The number of the application's key, which signs grants.
pub const CLIENT: u8 = 2;
/// The application.
pub const CLIENT_SWA: Address = Address::repeat_byte(0xc1);

/// The service's contracts on a chain in memory.
pub struct Service {
    pub chain: Chain,
    pub version: EntryPointVersion,
    pub entry_point: Address,
    /// The user's account.
    pub account: Address,
    /// The user's wallet of the job manager, from which jobs take.
    pub wallet: Address,
    pub paymaster: Address,
    pub job_manager: Address,
}

impl Service {
    /// A service on a new chain.
    #[must_use]
    pub fn new(version: EntryPointVersion) -> Self {
        let (mut chain, entry_point) = Chain::with_entry_point(CHAIN_ID, version);
        let mut deploy = |name, arguments: &[u8]| chain.deploy(compiled(name), arguments);
        let account = deploy("Account", &(entry_point, key(OWNER).address()).abi_encode());
        let client_of_paymaster = (entry_point, CLIENT_SWA, key(CLIENT).address()).abi_encode();
        let paymaster = deploy("Paymaster", &client_of_paymaster);
        let job_manager = deploy("JobManager", &[]);
        let deposit = IEntryPoint::depositToCall { account: paymaster }.abi_encode();
        chain.send(entry_point, U256::from(10_000_000_000_000_000_000_u64), deposit);
        chain.send(job_manager, U256::ZERO, openCall { userSWA: account }.abi_encode());
        let wallet = chain.call(job_manager, &walletsCall { userSWA: account }).unwrap();

        Self { chain, version, entry_point, account, wallet, paymaster, job_manager }
    }

    /// Gives the wallet this number of wei.
    pub fn fund(&mut self, wei: u64) {
        self.chain.send(self.wallet, U256::from(wei), Vec::new());
    }

    /// Deploys a token or collection of which the wallet has this amount, or the NFT with this id.
    pub fn mint(&mut self, contract: &str, id: u64) -> Address {
        let contract = self.chain.deploy(compiled(contract), &[]);
        let mint = mintCall { to: self.wallet, id: U256::from(id) };
        self.chain.send(contract, U256::ZERO, mint.abi_encode());
        contract
    }

    /// The facts of an estimate, with the gas limits of the service's public SDK.
    #[must_use]
    pub fn facts(&self) -> Value {
        json!({
            "clientSWA": CLIENT_SWA, "userSWA": self.account,
            "jobManager": self.job_manager, "paymaster": self.paymaster,
            "policies": { "gsnEnabled": false, "sponsorshipEnabled": true },
            "gasLimits": {
                "callGasLimit": "0x927c0", "verificationGasLimit": "0x61a80", "preVerificationGas": "0x186a0",
                "paymasterVerificationGasLimit": "0x30d40", "paymasterPostOpGasLimit": "0x30d40",
            },
        })
    }

    /// The deployment, without expectations.
    #[must_use]
    pub fn deployment(&self) -> Value {
        json!({
            "entryPoint": self.entry_point, "chainId": CHAIN_ID, "version": self.version, "signs": "personal",
            "jobManager": self.job_manager, "paymaster": self.paymaster, "clientSWA": CLIENT_SWA,
        })
    }

    /// A request of a job, of a type, with details on this chain.
    #[must_use]
    pub fn request(&self, job: &str, kind: &str, mut details: Value, grant: Value) -> Value {
        details["caip2Id"] = format!("eip155:{CHAIN_ID}").into();
        json!({
            "type": kind, "jobId": job, "details": details, "paymasterData": grant,
            "gasDetails": { "maxFeePerGas": "0x3b9aca00", "maxPriorityFeePerGas": "0x3b9aca00" },
        })
    }

    /// The service's reply.
    #[must_use]
    pub fn estimate(&self, request: &Value) -> Value {
        answer(json::estimate(&request.to_string(), &self.facts().to_string()))
    }

    /// What the user is asked to sign for a request.
    #[must_use]
    pub fn asked(&self, request: &Value) -> Signable {
        judged(request, &self.estimate(request), &self.deployment()).unwrap()
    }

    /// The operation that the user has signed.
    #[must_use]
    pub fn signed(&self, signable: &Signable) -> PackedUserOperation {
        let op = UserOp::from(signable.operation().clone());
        packed(&op, GasFeeOrder::Standard, sign(OWNER, signable.digest()))
    }

    /// Sends an operation to the EntryPoint.
    ///
    /// # Errors
    ///
    /// The reason why it does not include the operation.
    pub fn send(&mut self, op: PackedUserOperation) -> Result<UserOperationEvent, String> {
        self.chain.handle(self.entry_point, op).map_err(|(reason, _)| reason)
    }

    /// Asks the EntryPoint whether a job's nonce is used, with the core's question and reader.
    pub fn is_used(&mut self, job: &str) -> bool {
        let job = job.parse().unwrap();
        let call = nonce_call(self.account.into(), job).to_vec();
        let answer = self.chain.read(self.entry_point, &call);
        NonceAnswer::read(job, Word::try_from(&answer[..]).unwrap()).unwrap().used
    }

    /// The paymaster data by which the client pays for a job until this time; 0 is no end.
    #[must_use]
    pub fn grant(&self, job: &str, until: u64) -> Value {
        grant(job, CLIENT_SWA, [0, until], CLIENT)
    }
}

/// The answer of `signable` for a reply, with this deployment and its expectations.
///
/// # Errors
///
/// What it refuses.
pub fn judged(request: &Value, reply: &Value, place: &Value) -> Result<Signable, Error> {
    let request: EstimateRequest = request.to_string().parse().unwrap();
    let place = place.to_string().parse().unwrap();
    signable(&request, &*reply.to_string(), &place, &Names::default())
}

/// The paymaster data by which a client pays for a job between two times.
#[must_use]
pub fn grant(job: &str, client: Address, [after, until]: [u64; 2], by: u8) -> Value {
    let mut grant =
        json!({ "jobId": job, "clientSWA": client, "validUntil": until, "validAfter": after });
    let hash = answer(json::paymaster_hash(&grant.to_string()));
    let hash: Word = hash.as_str().unwrap().parse().unwrap();
    grant.as_object_mut().unwrap().remove("jobId");
    grant["signature"] = hex::encode_prefixed(sign(by, signing_digest(hash))).into();
    answer(json::encode_paymaster_data(&grant.to_string()))
}

/// The id of a job. Its last eight bytes are zero: for the EntryPoint they are the sequence number of a nonce whose key is new.
#[must_use]
pub fn job(number: u8) -> String {
    format!("{number:08}-d19d-4785-0000-000000000000")
}

/// The answer of a function of the core.
fn answer(text: Result<String, Error>) -> Value {
    serde_json::from_str(&text.unwrap()).unwrap()
}
