//! The hash of a user operation, and the digest that is signed.

use alloc::vec::Vec;

use primitive_types::{H256, U256};

use super::op::{FACTORY, PAYMASTER_DATA};
use super::packing::{account_gas_limits, gas_fees, init_code, paymaster_and_data};
use super::{EntryPoint, EntryPointVersion, Factory, UserOp};
use crate::document::document;
use crate::error::{Error, IssueCode, Issues, Path};
use crate::keccak::{keccak256, keccak256_of};
use crate::value::{Address, Word, fill, to_word};

/// The encoding of the type of an operation.
pub(super) const PACKED_USER_OPERATION: &str = "PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,\
     bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)";
/// The encoding of the type of the domain.
pub(super) const EIP712_DOMAIN: &str =
    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
/// The hashes of both.
const OF_OPERATION: [u8; 32] = keccak256_of(PACKED_USER_OPERATION);
const OF_DOMAIN: [u8; 32] = keccak256_of(EIP712_DOMAIN);
/// The hash of the domain's name.
const NAME: [u8; 32] = keccak256_of("ERC4337");
/// The hash of the domain's version.
const VERSION: [u8; 32] = keccak256_of("1");
/// The hash of no bytes, which most operations have as their `initCode`.
const OF_NOTHING: [u8; 32] = keccak256_of("");

/// Returns the hash of an operation. The EntryPoint computes the same, and the account checks the signature of it.
///
/// Source: the EntryPoint contracts 0.7 (ABI encoding), 0.8 (EIP-712) and 0.9 (as 0.8, without a paymaster signature).
///
/// ```
/// use sendoff::user_op::{EntryPoint, UserOp, user_op_hash};
/// # let op: UserOp = r#"{"sender":"0xfa6865bcb52f3f491b4b98c4688ab77b280e48fb","nonce":"0x7","callData":"0xdeadbeef",
/// # "callGasLimit":"0x64","verificationGasLimit":"0xc8","preVerificationGas":"0x12c","maxFeePerGas":"0x190",
/// # "maxPriorityFeePerGas":"0x32"}"#.parse()?;
///
/// let entry_point: EntryPoint =
///     r#"{"entryPoint":"0xf37c768b8bfab4733fe542a57461aa7ddd5871c2","chainId":1,"version":"0.7"}"#.parse()?;
/// let hash = user_op_hash(&op, &entry_point)?;
/// assert_eq!(hash.to_string(), "0x2941e29d31ed4583cf2b19591d761fe3212307d5d3b7d7133b3121caca712beb");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
///
/// # Errors
///
/// `rule` at `factory` for the marker of an EIP-7702 account under 0.8 and 0.9, because the hash depends on the
/// account's delegate. `rule` at `paymasterData` if 0.9 would revert because of the length of a paymaster signature.
pub fn user_op_hash(op: &UserOp, entry_point: &EntryPoint) -> Result<Word, Error> {
    let mut issues = Issues::default();
    let call_data = keccak256(&[op.call_data.as_slice()]);
    let hashed = hash_at(op, call_data, entry_point, &Path::Root, &mut issues);
    issues.or(hashed.map(|hashed| hashed.hash))
}

/// Returns the digest to sign for a hash: the EIP-191 personal message of its 32 bytes.
///
/// ```
/// use sendoff::user_op::signing_digest;
///
/// let digest = signing_digest([0; 32].into());
/// assert_eq!(digest.to_string(), "0x5e4106618209740b9f773a94c5667b9659a7a4e2691c7c8a78336e9889a6be07");
/// ```
#[must_use]
pub fn signing_digest(hash: Word) -> Word {
    keccak256(&[&b"\x19Ethereum Signed Message:\n32"[..], hash.as_ref()]).into()
}

document! {
    /// The digests of a user operation that wallets show, so that a person can compare two screens.
    ///
    /// Source: ERC-8213.
    pub struct Digests: "", open Ignored, displayed by nobody {
        /// The digest of the call data: Keccak-256 of its length as 32 bytes and its bytes.
        "callData" => pub call_data: Word,
        /// The digests of the EIP-712 typed data, with EntryPoint 0.8 and 0.9.
        "eip712" => pub eip712: Option<Eip712Digests>,
    }
}

document! {
    /// The digests of EIP-712 typed data.
    #[derive(Copy)]
    pub struct Eip712Digests: "", open Ignored, displayed by nobody {
        /// The digest that is signed: the hash of the operation.
        "digest" => pub digest: Word,
        /// The domain separator.
        "domain" => pub domain: Word,
        /// The struct hash of the message.
        "message" => pub message: Word,
    }
}

impl Digests {
    /// Returns the digests of an operation with this call data and this typed data.
    pub(crate) fn of(call_data: &[u8], eip712: Option<Eip712Digests>) -> Self {
        let length = to_word(call_data.len().into());
        Self { call_data: keccak256(&[&length[..], call_data]).into(), eip712 }
    }
}

/// The hash of an operation, and the digests of its typed data with EntryPoint 0.8 and 0.9.
pub(crate) struct Hashed {
    pub(crate) hash: Word,
    pub(crate) eip712: Option<Eip712Digests>,
}

/// The same for an operation at its place. The digest of its call data is given, because computing it is most of the work.
pub(crate) fn hash_at(
    op: &UserOp,
    call_data: [u8; 32],
    entry_point: &EntryPoint,
    at: &Path<'_>,
    issues: &mut Issues,
) -> Option<Hashed> {
    // Complete by construction: a field of an operation is hashed here, packed with another, or no part of the hash.
    let UserOp {
        sender,
        nonce,
        factory,
        call_data: _,
        call_gas_limit: _,
        verification_gas_limit: _,
        pre_verification_gas,
        max_fee_per_gas: _,
        max_priority_fee_per_gas: _,
        paymaster: _,
        signature: _,
    } = op;
    let EntryPoint { address, chain_id, version, gas_fee_order } = *entry_point;
    let is_first = version == EntryPointVersion::V07;
    if !is_first && factory.as_ref().is_some_and(Factory::is_eip7702_marker) {
        let template = "expected a factory with EntryPoint {}, found the marker of an EIP-7702 account, whose hash depends on the delegate";
        let message = fill(template, &[&version]);
        issues.push(&Path::Field(at, FACTORY.path()), IssueCode::Rule, message);
    }
    let hashed =
        hashed_paymaster_and_data(paymaster_and_data(op), version).map_err(|(room, length)| {
            let template =
                "expected a paymaster signature of at most {} bytes before its length, found {}";
            let message = fill(template, &[&room, &length]);
            issues.push(&Path::Field(at, PAYMASTER_DATA.path()), IssueCode::Rule, message);
        });
    let paymaster_hash = keccak256(&[&*hashed.ok()?]);
    let fields: [[u8; 32]; 8] = [
        address_word(sender),
        to_word(nonce.value()),
        factory.as_ref().map_or(OF_NOTHING, |_| keccak256(&[&*init_code(op)])),
        call_data,
        account_gas_limits(op),
        to_word(pre_verification_gas.value()),
        gas_fees(op, gas_fee_order),
        paymaster_hash,
    ];
    let (contract, chain) = (address_word(&address), to_word(U256::from(chain_id.value())));

    if is_first {
        let hash = keccak256(&[&keccak256(&[fields.as_flattened()])[..], &contract, &chain]);
        return Some(Hashed { hash: hash.into(), eip712: None });
    }
    let message = keccak256(&[&OF_OPERATION[..], fields.as_flattened()]);
    let domain = keccak256(&[&OF_DOMAIN[..], &NAME, &VERSION, &chain, &contract]);
    let digest = keccak256(&[&[0x19, 0x01][..], &domain, &message]).into();
    let eip712 = Eip712Digests { digest, domain: domain.into(), message: message.into() };
    Some(Hashed { hash: digest, eip712: Some(eip712) })
}

/// Returns the part of `paymasterAndData` that is hashed. EntryPoint 0.9 leaves out a signature at its end. That
/// signature is followed by its length in two bytes and by a magic number, which stays.
///
/// # Errors
///
/// The room for the signature, and its length, if 0.9 would revert because it does not fit.
pub(super) fn hashed_paymaster_and_data(
    data: Vec<u8>,
    version: EntryPointVersion,
) -> Result<Vec<u8>, (usize, usize)> {
    /// The first 8 bytes of `keccak256("PaymasterSignature")`.
    const MAGIC: [u8; 8] = [0x22, 0xe3, 0x25, 0xa2, 0x97, 0x43, 0x96, 0x56];
    /// The paymaster and its two gas limits.
    const STATIC: usize = 52;

    let signed = if version == EntryPointVersion::V09 { data.strip_suffix(&MAGIC) } else { None };
    let Some([signed @ .., high, low]) = signed else { return Ok(data) };
    let length = usize::from(u16::from_be_bytes([*high, *low]));
    let Some(room) = signed.len().checked_sub(STATIC).filter(|_| length > 0) else {
        return Ok(data);
    };
    let kept = signed.len().checked_sub(length).filter(|kept| *kept >= STATIC);
    let kept = kept.and_then(|kept| signed.get(..kept)).ok_or((room, length))?;
    Ok([kept, &MAGIC].concat())
}

#[inline(never)]
fn address_word(address: &Address) -> [u8; 32] {
    H256::from(address.to_h160()).0
}
