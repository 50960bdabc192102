//! The reference accounts accept only the form of signature that a deployment names, and refuse the
//! signatures that the core refuses.

use alloy_primitives::{Address, B256, Signature, U256, hex, uint};
use alloy_sol_types::{SolCall, SolValue};
use chain::*;
use sendoff::estimate::SignatureForm;
use sendoff::user_op::{
    EntryPointVersion, GasFeeOrder, UserOp, check_signature, signing_digest, user_op_hash,
};
use serde_json::{Value, json};

/// An account of one version on its chain.
struct Account {
    chain: Chain,
    entry_point: Address,
    version: EntryPointVersion,
}

impl Account {
    /// Asserts that it accepts its key's signature of the operation in this form, and refuses the other form, another
    /// key's signature, and every flawed one.
    fn accepts_only(&mut self, op: &Value, form: SignatureForm) {
        let op: UserOp = op.to_string().parse().unwrap();
        let hash = user_op_hash(&op, &place(self.entry_point, 1, self.version)).unwrap();
        let [digest, other] = match form {
            SignatureForm::Personal => [signing_digest(hash), hash],
            SignatureForm::Raw | SignatureForm::TypedData => [hash, signing_digest(hash)],
        };
        let signature = sign(OWNER, digest);
        let (rs, r, s, v) = (&signature[..64], &signature[..32], &signature[32..], signature[64]);
        let mut flawed = vec![
            sign(OWNER, other),
            sign(99, digest),
            high_s(&signature),
            Vec::new(),
            rs.to_vec(),
            [&signature[..], &[0]].concat(),
            [&[0; 32], s].concat(),
            [r, &[0; 32], &[v]].concat(),
        ];
        flawed.extend([0, 1, 26, 29, 27 + 28 - v].map(|v| [rs, &[v]].concat()));

        let signer = key(OWNER).address().into();
        let mut send = |signature| {
            self.chain.handle(self.entry_point, packed(&op, GasFeeOrder::Standard, signature))
        };
        for flawed in flawed {
            assert!(check_signature(digest, &flawed, &signer).is_err(), "{flawed:02x?}");
            let (reason, _) = send(flawed).unwrap_err();
            // These accounts revert if no key can be recovered.
            assert!(["AA24 signature error", "AA23 reverted"].contains(&&*reason), "{reason}");
        }
        assert_eq!(check_signature(digest, &signature, &signer), Ok(()));
        let event = send(signature).unwrap();
        assert!(event.success && event.userOpHash == B256::from(hash));
    }
}

/// The other signature of the same digest by the same key.
fn high_s(signature: &[u8]) -> Vec<u8> {
    let order = uint!(0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141_U256);
    let signature = Signature::from_raw(signature).unwrap();
    let other = Signature::new(signature.r(), order - signature.s(), !signature.v());
    other.as_bytes().to_vec()
}

fn operation(sender: Address, nonce: u64) -> Value {
    json!({
        "sender": sender, "nonce": format!("{nonce:#x}"), "callData": "0x", "callGasLimit": "0x186a0",
        "verificationGasLimit": "0xf4240", "preVerificationGas": "0xc350", "maxFeePerGas": "0x3b9aca00",
        "maxPriorityFeePerGas": "0x3b9aca00",
    })
}

/// The account does not exist before its first operation, whose factory deploys it: the hash covers the factory too.
#[test]
fn a_simple_account_of_each_version() {
    let forms = [SignatureForm::Personal, SignatureForm::TypedData, SignatureForm::Raw];
    for (version, form) in VERSIONS.into_iter().zip(forms) {
        let (mut chain, entry_point) = Chain::with_entry_point(1, version);
        let (owner, salt) = (key(OWNER).address(), U256::ZERO);
        let factory = published(version, "SimpleAccountFactory");
        let factory = chain.deploy(factory, &entry_point.abi_encode());
        let account = chain.call(factory, &getAddressCall { owner, salt }).unwrap();
        chain.send(account, U256::from(10).pow(U256::from(18)), Vec::new());

        let mut first = operation(account, 0);
        first["factory"] = json!(factory);
        first["factoryData"] =
            hex::encode_prefixed(createAccountCall { owner, salt }.abi_encode()).into();
        let mut judge = Account { chain, entry_point, version };
        judge.accepts_only(&first, form);
        judge.accepts_only(&operation(account, 1), form);
    }
}
