//! The contracts of a service on a chain, a user's account among them, and what it knows about
//! them.

use alloy_primitives::{Address, Bytes, U256, hex};
use alloy_sol_types::{SolCall, SolValue, sol};
use sendoff::json;
use sendoff::user_op::{EntryPointVersion, signing_digest};
use sendoff::value::Word;
use serde_json::{Value, json};

use crate::{Chain, IEntryPoint, Key, compiled};

sol! {
    function open(address userSWA) external;
    function wallets(address userSWA) external view returns (address);
}

/// The chain of the service, and of the assets that its jobs move.
pub const CHAIN_ID: u64 = 31337;

/// The service's contracts on a chain in memory.
pub struct Service {
    pub chain: Chain,
    pub version: EntryPointVersion,
    pub entry_point: Address,
    /// The user's account, which signs personal messages with this key.
    pub account: Address,
    pub owner: Key,
    /// The user's wallet of the job manager, from which jobs take.
    pub wallet: Address,
    paymaster: Address,
    job_manager: Address,
    client: Key,
}

/// The application's wallet.
const CLIENT_SWA: Address = Address::repeat_byte(0xc1);

impl Service {
    /// A service with this paymaster, one of the contracts of this folder.
    #[must_use]
    pub fn new(version: EntryPointVersion, paymaster: &str) -> Self {
        let (mut chain, entry_point) = Chain::with_entry_point(CHAIN_ID, version);
        let (owner, client) = (Key::new(1), Key::new(2));
        let mut deploy = |name, arguments: &[u8]| chain.deploy(compiled(name), arguments);
        let account = deploy("Account", &(entry_point, owner.address(), true).abi_encode());
        let paymaster =
            deploy(paymaster, &(entry_point, CLIENT_SWA, client.address()).abi_encode());
        let job_manager = deploy("JobManager", &[]);
        let mut send = |to, value: u64, data: Vec<u8>| {
            assert!(chain.send(to, U256::from(value), data.into()).is_success());
        };
        send(
            entry_point,
            10_000_000_000_000_000_000,
            IEntryPoint::depositToCall { account: paymaster }.abi_encode(),
        );
        send(job_manager, 0, openCall { userSWA: account }.abi_encode());
        let wallet = chain.call(job_manager, &walletsCall { userSWA: account }).unwrap();

        Self { chain, version, entry_point, account, owner, wallet, paymaster, job_manager, client }
    }

    /// Gives the wallet this number of wei.
    pub fn fund(&mut self, wei: u64) {
        assert!(self.chain.send(self.wallet, U256::from(wei), Bytes::new()).is_success());
    }

    /// The facts of an estimate, with the gas limits of the service's public SDK.
    #[must_use]
    pub fn facts(&self) -> Value {
        json!({
            "clientSWA": CLIENT_SWA.to_string(), "userSWA": self.account.to_string(),
            "jobManager": self.job_manager.to_string(), "paymaster": self.paymaster.to_string(),
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
            "entryPoint": self.entry_point.to_string(), "chainId": CHAIN_ID, "version": self.version.as_str(),
            "signs": "personal", "jobManager": self.job_manager.to_string(),
            "paymaster": self.paymaster.to_string(), "clientSWA": CLIENT_SWA.to_string(),
        })
    }

    /// The paymaster data by which the client pays for a job until this time; 0 is no end.
    #[must_use]
    pub fn grant(&self, job: &str, until: u64) -> Value {
        let mut grant =
            json!({ "clientSWA": CLIENT_SWA.to_string(), "validUntil": until, "validAfter": 0 });
        let mut to_sign = grant.clone();
        to_sign["jobId"] = job.into();
        let hash = answer(json::paymaster_hash(&to_sign.to_string()));
        let hash: Word = hash.as_str().unwrap().parse().unwrap();

        grant["signature"] =
            hex::encode_prefixed(self.client.sign(signing_digest(hash).into())).into();
        answer(json::encode_paymaster_data(&grant.to_string()))
    }
}

/// The answer of a function of the core.
#[must_use]
pub fn answer(text: Result<String, sendoff::error::Error>) -> Value {
    serde_json::from_str(&text.unwrap()).unwrap()
}
