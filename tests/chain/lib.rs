//! A chain in memory: revm with the published EntryPoint contracts of npm, and the calls that tests
//! need.
//!
//! `cargo xtask setup` installs the packages and compiles the contracts of this folder.

mod service;

pub use service::{CHAIN_ID, CLIENT, CLIENT_SWA, OWNER, RECIPIENT, Service, grant, job, judged};

pub use laws::IEntryPoint::{self, PackedUserOperation, UserOperationEvent};
pub use laws::signed as packed;

use std::cell::RefCell;
use std::{fs, path::Path};

use alloy_primitives::{Address, B256, Bytes, Log, TxKind, U256, address, b256, hex};
use alloy_signer::SignerSync;
use alloy_signer_local::PrivateKeySigner;
use alloy_sol_types::{Revert, SolCall, SolError, SolEvent, sol};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use revm::bytecode::Bytecode;
use revm::context::result::{ExecutionResult, HaltReason};
use revm::context::{CfgEnv, TxEnv};
use revm::database::InMemoryDB;
use revm::handler::MainnetContext;
use revm::primitives::hardfork::SpecId;
use revm::state::AccountInfo;
use revm::{
    Context, DatabaseRef, ExecuteCommitEvm, ExecuteEvm, MainBuilder, MainContext, MainnetEvm,
};
use sendoff::user_op::{EntryPoint, EntryPointVersion, GasFeeOrder};
use serde_json::Value;

sol! {
    function open(address userSWA) external;
    function wallets(address userSWA) external view returns (address);
    function mint(address to, uint256 id) external;
    function balanceOf(address owner) external view returns (uint256);
    function createAccount(address owner, uint256 salt) returns (address);
    function getAddress(address owner, uint256 salt) external view returns (address);

    #[derive(Debug, PartialEq)]
    struct Policies {
        bool gsnEnabled;
        bool sponsorshipEnabled;
    }

    #[derive(Debug, Default, PartialEq)]
    struct Gsn {
        bool isRequired;
        string[] requiredNetworks;
        bytes[] tokens;
    }

    /// What the job manager decoded.
    #[derive(Debug, PartialEq)]
    event JobDone(
        uint256 jobId, address clientSWA, address userSWA, address feePayerAddress, Policies policies, Gsn gsn,
        string intentType
    );

    event RawTransactions(bytes[] transactions);

    event UserOperationRevertReason(
        bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason
    );
}

/// The EntryPoint versions, each with a package in `package.json`.
pub const VERSIONS: [EntryPointVersion; 3] =
    [EntryPointVersion::V07, EntryPointVersion::V08, EntryPointVersion::V09];

/// The address of Ethereum's EntryPoint 0.7. Its published bytecode, deployed the same way, must have this address.
pub const CANONICAL_07: Address = address!("0x0000000071727De22E5E9d8BAf0edAc6f37da032");
/// The address of Ethereum's EntryPoint 0.8.
pub const CANONICAL_08: Address = address!("0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108");

/// The sender of all transactions.
pub const SENDER: Address = address!("0x00000000000000000000000000000000005e4de4");

/// The contract that deploys code by CREATE2, and deployed most contracts with well-known addresses on Ethereum.
const DEPLOYER: Address = address!("0x4e59b44847b379578588920cA78FbF26c0B4956C");
const DEPLOYER_CODE: [u8; 69] = hex!(
    "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3"
);

/// The creation code of a contract as it is published for an EntryPoint version.
#[must_use]
pub fn published(version: EntryPointVersion, name: &str) -> Bytes {
    let artifact = read(&format!("node_modules/entry-point-{version}/artifacts/{name}.json"));
    artifact["bytecode"].as_str().unwrap().parse().unwrap()
}

/// The creation code of a contract of this folder.
#[must_use]
pub fn compiled(name: &str) -> Bytes {
    read("../../target/chain/contracts.json")[name]["bytecode"].as_str().unwrap().parse().unwrap()
}

fn read(file: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&file);
    let text = text.unwrap_or_else(|error| {
        panic!("{}: {error}; `cargo xtask setup` creates it", file.display())
    });
    serde_json::from_str(&text).unwrap()
}

/// The state of a chain.
pub type Snapshot = InMemoryDB;

/// A chain in memory. Gas costs nothing, and [`SENDER`] has more ether than an operation can cost.
pub struct Chain {
    evm: MainnetEvm<MainnetContext<InMemoryDB>>,
    /// Those of the last operation.
    logs: Vec<Log>,
}

impl Chain {
    /// A chain that contains only [`SENDER`]'s ether.
    #[must_use]
    pub fn new(id: u64) -> Self {
        let mut config = CfgEnv::new_with_spec(SpecId::PRAGUE);
        config.chain_id = id;
        let context = Context::mainnet().with_db(InMemoryDB::default()).with_cfg(config);
        let mut chain = Self { evm: context.build_mainnet(), logs: Vec::new() };
        chain.db().insert_account_info(SENDER, AccountInfo::from_balance(U256::MAX >> 1));
        chain
    }

    /// A chain with an EntryPoint, and its address.
    #[must_use]
    pub fn with_entry_point(id: u64, version: EntryPointVersion) -> (Self, Address) {
        let mut chain = Self::new(id);
        // The salts of the canonical deployments. The package of 0.9 is a release candidate, which
        // has none.
        let salt = match version {
            EntryPointVersion::V07 => {
                b256!("0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3")
            }
            EntryPointVersion::V08 => {
                b256!("0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9")
            }
            EntryPointVersion::V09 => B256::ZERO,
            other => panic!("no package has EntryPoint {other}"),
        };
        chain.place(DEPLOYER, Bytes::from_static(&DEPLOYER_CODE));
        let data = [salt.as_slice(), &published(version, "EntryPoint")].concat();
        let output = chain.send(DEPLOYER, U256::ZERO, data);
        (chain, Address::from_slice(&output))
    }

    /// Changes the chain's id.
    pub fn set_id(&mut self, id: u64) {
        self.evm.ctx.cfg.chain_id = id;
    }

    /// Sets the time of the blocks to come.
    pub fn set_time(&mut self, seconds: u64) {
        self.evm.ctx.block.timestamp = U256::from(seconds);
    }

    fn db(&mut self) -> &mut InMemoryDB {
        &mut self.evm.ctx.journaled_state.database
    }

    fn info(&mut self, of: Address) -> AccountInfo {
        self.db().basic_ref(of).unwrap().unwrap_or_default()
    }

    /// Copies the state.
    #[must_use]
    pub fn snapshot(&mut self) -> Snapshot {
        self.db().clone()
    }

    /// Goes back to an earlier state.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.db().clone_from(snapshot);
    }

    /// The ether of an address, in wei.
    pub fn balance(&mut self, of: Address) -> U256 {
        self.info(of).balance
    }

    /// Puts code at an address.
    pub fn place(&mut self, at: Address, code: Bytes) {
        self.db().insert_account_info(at, AccountInfo::from_bytecode(Bytecode::new_raw(code)));
    }

    /// Lets an address of a key run a contract's code by EIP-7702.
    pub fn delegate(&mut self, account: Address, to: Address) {
        self.place(account, [&[0xef, 0x01, 0x00][..], to.as_slice()].concat().into());
    }

    /// Copies a contract's code to another address, without its storage.
    pub fn copy_code(&mut self, from: Address, to: Address) {
        let info = self.info(from);
        let info = AccountInfo::new(U256::ZERO, 0, info.code_hash, info.code.unwrap());
        self.db().insert_account_info(to, info);
    }

    /// Deploys a contract with these ABI-encoded arguments.
    pub fn deploy(&mut self, creation_code: Bytes, arguments: &[u8]) -> Address {
        let data = [&creation_code, arguments].concat();
        let result = self.transact(TxKind::Create, U256::ZERO, data, true);
        result.created_address().unwrap_or_else(|| panic!("{result:?}"))
    }

    /// Sends a transaction, which succeeds, and returns the bytes of its answer.
    pub fn send(&mut self, to: Address, value: U256, data: Vec<u8>) -> Bytes {
        let result = self.transact(TxKind::Call(to), value, data, true);
        assert!(result.is_success(), "{result:?}");
        result.into_output().unwrap()
    }

    /// Calls a function, which changes nothing.
    ///
    /// # Errors
    ///
    /// The data with which it reverts.
    pub fn call<C: SolCall>(&mut self, to: Address, call: &C) -> Result<C::Return, Bytes> {
        match self.transact(TxKind::Call(to), U256::ZERO, call.abi_encode(), false) {
            ExecutionResult::Revert { output, .. } => Err(output),
            result => Ok(C::abi_decode_returns(&result.into_output().unwrap()).unwrap()),
        }
    }

    /// Calls with these bytes, which changes nothing, and returns the bytes of the answer.
    pub fn read(&mut self, to: Address, data: &[u8]) -> Bytes {
        self.transact(TxKind::Call(to), U256::ZERO, data.to_vec(), false).into_output().unwrap()
    }

    fn transact(
        &mut self,
        kind: TxKind,
        value: U256,
        data: Vec<u8>,
        commits: bool,
    ) -> ExecutionResult<HaltReason> {
        let nonce = self.info(SENDER).nonce;
        let tx = TxEnv::builder().caller(SENDER).kind(kind).value(value).data(data.into());
        let tx = tx.nonce(nonce).chain_id(None).gas_limit(100_000_000).build().unwrap();
        if commits {
            self.evm.transact_commit(tx).unwrap()
        } else {
            self.evm.transact(tx).unwrap().result
        }
    }

    /// Sends an operation through `handleOps`.
    ///
    /// # Errors
    ///
    /// The EntryPoint's reason, and the data with which the account or paymaster reverted.
    pub fn handle(
        &mut self,
        entry_point: Address,
        op: PackedUserOperation,
    ) -> Result<UserOperationEvent, (String, Bytes)> {
        let call = IEntryPoint::handleOpsCall { ops: vec![op], beneficiary: SENDER };
        match self.transact(TxKind::Call(entry_point), U256::ZERO, call.abi_encode(), true) {
            ExecutionResult::Success { logs, .. } => {
                self.logs = logs;
                Ok(self.event().unwrap())
            }
            ExecutionResult::Revert { output, .. } => Err(refusal(&output)),
            halt @ ExecutionResult::Halt { .. } => panic!("{halt:?}"),
        }
    }

    /// The first event of this kind of the last operation.
    #[must_use]
    pub fn event<E: SolEvent>(&self) -> Option<E> {
        self.logs.iter().find_map(|log| E::decode_log_data(log).ok())
    }
}

/// Reads the EntryPoint's errors, and the text of Solidity's.
fn refusal(output: &Bytes) -> (String, Bytes) {
    if let Ok(error) = IEntryPoint::FailedOpWithRevert::abi_decode(output) {
        return (error.reason, error.inner);
    }
    let reason = IEntryPoint::FailedOp::abi_decode(output).map(|error| error.reason);
    let reason = reason.or_else(|_| Revert::abi_decode(output).map(|error| error.reason));
    (reason.unwrap_or_else(|_| output.to_string()), Bytes::new())
}

/// An EntryPoint as the core's argument.
#[must_use]
pub fn place(address: Address, chain: u64, version: EntryPointVersion) -> EntryPoint {
    let (chain_id, gas_fee_order) = (chain.try_into().unwrap(), GasFeeOrder::Standard);
    EntryPoint { address: address.into(), chain_id, version, gas_fee_order }
}

/// The private key with this number.
#[must_use]
pub fn key(number: u8) -> PrivateKeySigner {
    PrivateKeySigner::from_bytes(&B256::with_last_byte(number)).unwrap()
}

/// The signature of a digest by the key with this number: r, s and v, which is 27 or 28.
#[must_use]
pub fn sign(by: u8, digest: impl Into<B256>) -> Vec<u8> {
    key(by).sign_hash_sync(&digest.into()).unwrap().as_bytes().to_vec()
}

/// Tests random values.
pub fn each<S: Strategy>(cases: u32, seed: RngSeed, strategy: &S, test: impl FnMut(S::Value)) {
    let config = Config { cases, failure_persistence: None, rng_seed: seed, ..Config::default() };
    let test = RefCell::new(test);
    let outcome = TestRunner::new(config).run(strategy, |value| {
        (test.borrow_mut())(value);
        Ok(())
    });
    outcome.unwrap();
}
