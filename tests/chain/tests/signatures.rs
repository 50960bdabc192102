//! The reference accounts accept only the form of signature that a deployment names, and refuse the
//! signatures that the core refuses.

use alloy_primitives::{Address, B256, Bytes, U256, hex};
use alloy_sol_types::{SolCall, SolValue, sol};
use chain::IEntryPoint::UserOperationEvent;
use chain::{CANONICAL_08, Chain, Key, VERSIONS, packed, published};
use sendoff::estimate::SignatureForm;
use sendoff::user_op::{
    EntryPoint, EntryPointVersion, GasFeeOrder, UserOp, check_signature, signing_digest,
    user_op_hash,
};
use serde_json::{Value, json};

sol! {
    function createAccount(address owner, uint256 salt) returns (address);
    function getAddress(address owner, uint256 salt) external view returns (address);
}

/// An account of one version on its chain.
struct Account {
    chain: Chain,
    entry_point: Address,
    version: EntryPointVersion,
    key: Key,
}

impl Account {
    /// Asserts that it accepts its key's signature of the operation in this form, and refuses the other form, another
    /// key's signature, and every flawed one.
    fn accepts_only(&mut self, op: &Value, form: SignatureForm) {
        let op: UserOp = op.to_string().parse().unwrap();
        let options = json!({ "entryPoint": self.entry_point.to_string(), "chainId": 1, "version": self.version });
        let hash = user_op_hash(&op, &options.to_string().parse::<EntryPoint>().unwrap()).unwrap();
        let [digest, other] = match form {
            SignatureForm::Personal => [signing_digest(hash), hash],
            SignatureForm::Raw | SignatureForm::TypedData => [hash, signing_digest(hash)],
        };
        let signature = self.key.sign(digest.into());
        let mut flawed = vec![
            self.key.sign(other.into()),
            Key::new(99).sign(digest.into()),
            high_s(&signature),
            Vec::new(),
        ];
        flawed.extend([signature[..64].to_vec(), [&signature[..], &[0]].concat()]);
        flawed.extend(
            [0, 1, 26, 29, 27 + 28 - signature[64]].map(|v| [&signature[..64], &[v]].concat()),
        );
        flawed.extend([
            [&[0; 32], &signature[32..]].concat(),
            [&signature[..32], &[0; 32], &signature[64..]].concat(),
        ]);

        let signer = self.key.address().to_string().parse().unwrap();
        for flawed in flawed {
            assert!(check_signature(digest, &flawed, &signer).is_err(), "{flawed:02x?}");
            let (reason, _) = self.send(&op, &flawed).unwrap_err();
            // These accounts revert if no key can be recovered.
            assert!(["AA24 signature error", "AA23 reverted"].contains(&&*reason), "{reason}");
        }
        assert_eq!(check_signature(digest, &signature, &signer), Ok(()));
        let event = self.send(&op, &signature).unwrap();
        assert!(event.success && event.userOpHash == B256::from(hash));
    }

    fn send(
        &mut self,
        op: &UserOp,
        signature: &[u8],
    ) -> Result<UserOperationEvent, (String, Bytes)> {
        self.chain.handle(self.entry_point, packed(op, GasFeeOrder::Standard, signature))
    }
}

/// The other signature of the same digest by the same key.
fn high_s(signature: &[u8]) -> Vec<u8> {
    let order = U256::from_be_bytes(hex!(
        "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
    ));
    let s = order - U256::from_be_slice(&signature[32..64]);
    [&signature[..32], &s.to_be_bytes::<32>(), &[27 + 28 - signature[64]]].concat()
}

fn operation(sender: Address, nonce: u64) -> Value {
    json!({
        "sender": sender.to_string(), "nonce": format!("{nonce:#x}"), "callData": "0x", "callGasLimit": "0x186a0",
        "verificationGasLimit": "0xf4240", "preVerificationGas": "0xc350", "maxFeePerGas": "0x3b9aca00",
        "maxPriorityFeePerGas": "0x3b9aca00",
    })
}

fn fund(chain: &mut Chain, account: Address) {
    assert!(
        chain.send(account, U256::from(10).pow(U256::from(18)), Default::default()).is_success()
    );
}

/// The account does not exist before its first operation, whose factory deploys it: the hash covers the factory too.
#[test]
fn a_simple_account_of_each_version() {
    for (version, form) in VERSIONS.into_iter().zip([
        SignatureForm::Personal,
        SignatureForm::TypedData,
        SignatureForm::Raw,
    ]) {
        let (mut chain, entry_point) = Chain::with_entry_point(1, version);
        let key = Key::new(1);
        let (owner, salt) = (key.address(), U256::ZERO);
        let factory =
            chain.deploy(published(version, "SimpleAccountFactory"), &entry_point.abi_encode());
        let account = chain.call(factory, &getAddressCall { owner, salt }).unwrap();
        fund(&mut chain, account);

        let mut first = operation(account, 0);
        first["factory"] = factory.to_string().into();
        first["factoryData"] =
            hex::encode_prefixed(createAccountCall { owner, salt }.abi_encode()).into();
        let mut account_of_key = Account { chain, entry_point, version, key };
        account_of_key.accepts_only(&first, form);
        account_of_key.accepts_only(&operation(account, 1), form);
    }
}

/// An account whose key's own address has code by EIP-7702. The packages have it for 0.8 and 0.9.
#[test]
fn a_simple_7702_account() {
    for version in [EntryPointVersion::V08, EntryPointVersion::V09] {
        let (mut chain, entry_point) = Chain::with_entry_point(1, version);
        // The account of 0.8 has Ethereum's EntryPoint as a constant, that of 0.9 has it as an
        // argument.
        let arguments =
            if version == EntryPointVersion::V08 { Vec::new() } else { entry_point.abi_encode() };
        assert!(version != EntryPointVersion::V08 || entry_point == CANONICAL_08);
        let delegate = chain.deploy(published(version, "Simple7702Account"), &arguments);
        let key = Key::new(3);
        let account = key.address();
        chain.place(account, [&[0xef, 0x01, 0x00][..], delegate.as_slice()].concat().into());
        fund(&mut chain, account);
        Account { chain, entry_point, version, key }
            .accepts_only(&operation(account, 0), SignatureForm::Raw);
    }
}
