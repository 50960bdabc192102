//! A chain in memory: revm with the published EntryPoint contracts of npm, and the calls that tests
//! need.
//!
//! `cargo xtask setup` installs the packages and compiles the contracts of this folder.

mod service;

pub use service::{CHAIN_ID, Service, answer};

use std::{fs, path::Path};

use alloy_primitives::{Address, B256, Bytes, TxKind, U256, address, b256, hex, keccak256};
use alloy_sol_types::{SolCall, SolError, SolEvent, sol};
use k256::ecdsa::SigningKey;
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
use sendoff::user_op::{EntryPointVersion, GasFeeOrder, UserOp};
use serde_json::Value;

sol! {
    #![sol(all_derives)]

    struct PackedUserOperation {
        address sender;
        uint256 nonce;
        bytes initCode;
        bytes callData;
        bytes32 accountGasLimits;
        uint256 preVerificationGas;
        bytes32 gasFees;
        bytes paymasterAndData;
        bytes signature;
    }

    interface IEntryPoint {
        error FailedOp(uint256 opIndex, string reason);
        error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner);

        event UserOperationEvent(
            bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success,
            uint256 actualGasCost, uint256 actualGasUsed
        );

        function getUserOpHash(PackedUserOperation userOp) external view returns (bytes32);
        function getNonce(address sender, uint192 key) external view returns (uint256);
        function depositTo(address account) external payable;
        function handleOps(PackedUserOperation[] ops, address beneficiary) external;
    }
}

/// The EntryPoint versions, each with a package in `package.json`.
pub const VERSIONS: [EntryPointVersion; 3] =
    [EntryPointVersion::V07, EntryPointVersion::V08, EntryPointVersion::V09];

/// The address of Ethereum's EntryPoint 0.7. Its published bytecode, deployed the same way, must have this address.
pub const CANONICAL_07: Address = address!("0x0000000071727De22E5E9d8BAf0edAc6f37da032");
/// The address of Ethereum's EntryPoint 0.8, the only one that its Simple7702Account accepts.
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
}

impl Chain {
    /// A chain that contains only [`SENDER`]'s ether.
    #[must_use]
    pub fn new(id: u64) -> Self {
        let mut config = CfgEnv::new_with_spec(SpecId::PRAGUE);
        config.chain_id = id;
        let context = Context::mainnet().with_db(InMemoryDB::default()).with_cfg(config);
        let mut chain = Self { evm: context.build_mainnet() };
        chain.put(SENDER, AccountInfo::from_balance(U256::MAX >> 1));
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
        let output = chain.send(DEPLOYER, U256::ZERO, data.into()).into_output().unwrap();
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

    /// Copies the state.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.evm.ctx.journaled_state.database.clone()
    }

    /// Goes back to an earlier state.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.evm.ctx.journaled_state.database = snapshot.clone();
    }

    /// The ether of an address, in wei.
    #[must_use]
    pub fn balance(&self, of: Address) -> U256 {
        self.evm.ctx.journaled_state.database.basic_ref(of).unwrap().unwrap_or_default().balance
    }

    fn put(&mut self, at: Address, info: AccountInfo) {
        self.evm.ctx.journaled_state.database.insert_account_info(at, info);
    }

    /// Puts code at an address.
    pub fn place(&mut self, at: Address, code: Bytes) {
        self.put(at, AccountInfo::from_bytecode(Bytecode::new_raw(code)));
    }

    /// Copies a contract's code to another address, without its storage.
    pub fn copy_code(&mut self, from: Address, to: Address) {
        let info = self.evm.ctx.journaled_state.database.basic_ref(from).unwrap().unwrap();
        self.put(to, AccountInfo::new(U256::ZERO, 0, info.code_hash, info.code.unwrap()));
    }

    /// Deploys a contract with these ABI-encoded arguments.
    pub fn deploy(&mut self, creation_code: Bytes, arguments: &[u8]) -> Address {
        let data = [&creation_code, arguments].concat();
        let result = self.transact(TxKind::Create, U256::ZERO, data.into(), true);
        result.created_address().unwrap_or_else(|| panic!("{result:?}"))
    }

    /// Sends a transaction.
    pub fn send(&mut self, to: Address, value: U256, data: Bytes) -> ExecutionResult<HaltReason> {
        self.transact(TxKind::Call(to), value, data, true)
    }

    /// Calls a function, which changes nothing.
    ///
    /// # Errors
    ///
    /// The data with which it reverts.
    pub fn call<C: SolCall>(&mut self, to: Address, call: &C) -> Result<C::Return, Bytes> {
        match self.transact(TxKind::Call(to), U256::ZERO, call.abi_encode().into(), false) {
            ExecutionResult::Success { output, .. } => {
                Ok(C::abi_decode_returns(output.data()).unwrap())
            }
            ExecutionResult::Revert { output, .. } => Err(output),
            halt @ ExecutionResult::Halt { .. } => panic!("{halt:?}"),
        }
    }

    /// Calls with these bytes, which changes nothing, and returns the bytes of the answer.
    pub fn read(&mut self, to: Address, data: Bytes) -> Bytes {
        let result = self.transact(TxKind::Call(to), U256::ZERO, data, false);
        result.into_output().unwrap()
    }

    fn transact(
        &mut self,
        kind: TxKind,
        value: U256,
        data: Bytes,
        commits: bool,
    ) -> ExecutionResult<HaltReason> {
        let nonce = self.evm.ctx.journaled_state.database.basic_ref(SENDER).unwrap().unwrap().nonce;
        let tx = TxEnv::builder().caller(SENDER).kind(kind).value(value).data(data).nonce(nonce);
        let tx = tx.chain_id(None).gas_limit(100_000_000).build().unwrap();
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
    ) -> Result<IEntryPoint::UserOperationEvent, (String, Bytes)> {
        let call = IEntryPoint::handleOpsCall { ops: vec![op], beneficiary: SENDER };
        match self.send(entry_point, U256::ZERO, call.abi_encode().into()) {
            ExecutionResult::Success { logs, .. } => {
                let events = logs.iter().filter(|log| log.address == entry_point);
                let mut events = events
                    .filter_map(|log| IEntryPoint::UserOperationEvent::decode_log_data(log).ok());
                Ok(events.next().unwrap())
            }
            ExecutionResult::Revert { output, .. } => Err(refusal(&output)),
            halt @ ExecutionResult::Halt { .. } => panic!("{halt:?}"),
        }
    }
}

/// Reads the EntryPoint's errors, and the text of Solidity's.
fn refusal(output: &Bytes) -> (String, Bytes) {
    if let Ok(error) = IEntryPoint::FailedOpWithRevert::abi_decode(output) {
        return (error.reason, error.inner);
    }
    let reason = IEntryPoint::FailedOp::abi_decode(output).map(|error| error.reason);
    let reason =
        reason.or_else(|_| alloy_sol_types::Revert::abi_decode(output).map(|error| error.reason));
    (reason.unwrap_or_else(|_| output.to_string()), Bytes::new())
}

/// The packed operation of the EntryPoint, made without the core.
#[must_use]
pub fn packed(op: &UserOp, order: GasFeeOrder, signature: &[u8]) -> PackedUserOperation {
    let packed = laws::packed(op, order);
    PackedUserOperation {
        sender: packed.sender,
        nonce: packed.nonce,
        initCode: packed.initCode,
        callData: packed.callData,
        accountGasLimits: packed.accountGasLimits,
        preVerificationGas: packed.preVerificationGas,
        gasFees: packed.gasFees,
        paymasterAndData: packed.paymasterAndData,
        signature: signature.to_vec().into(),
    }
}

/// A private key.
pub struct Key(SigningKey);

impl Key {
    /// The key with this number.
    #[must_use]
    pub fn new(number: u8) -> Self {
        Self(SigningKey::from_slice(B256::with_last_byte(number).as_slice()).unwrap())
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> Address {
        let point = self.0.verifying_key().to_sec1_point(false);
        Address::from_slice(&keccak256(&point.as_bytes()[1..])[12..])
    }

    /// A signature of a digest: r, s and v, which is 27 or 28.
    #[must_use]
    pub fn sign(&self, digest: [u8; 32]) -> Vec<u8> {
        let (signature, recovery) = self.0.sign_prehash_recoverable(&digest);
        [&signature.to_bytes()[..], &[27 + recovery.to_byte()]].concat()
    }
}
