//! The call that checks a contract's signature.
//!
//! Source: ERC-1271 and ERC-6492.

use crate::abi::{DecodeError, Item, Reader, WORD, encode};
use crate::copy::copy;
use crate::document::document;
use crate::error::{Error, Issue, IssueCode};
use crate::keccak::selector;
use crate::value::{Address, HexBytes, Word, of_word};

document! {
    /// The call (`eth_call`) that checks a contract's signature: `{to, data, answer, deploy?}` in JSON.
    ///
    /// The contract's answer is valid for the block in which it is asked. An account checks the signature of an
    /// operation in `validateUserOp`; whether `isValidSignature` is the same check depends on the account.
    ///
    /// ```
    /// use sendoff::user_op::SignatureCall;
    /// use sendoff::value::{Address, HexBytes};
    ///
    /// let account = Address::from([0x11; 20]);
    /// let call = SignatureCall::new([0xab; 32].into(), &[1, 2, 3], account)?;
    /// assert_eq!(call.to, account);
    /// assert_eq!(call.data.to_vec()[..4], [0x16, 0x26, 0xba, 0x7e]);
    /// assert!(call.deploy.is_none());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct SignatureCall: "", open Ignored, displayed by nobody {
        /// The contract.
        "to" => pub to: Address,
        /// The call of `isValidSignature(bytes32,bytes)`.
        "data" => pub data: HexBytes,
        /// The contract's answer if it accepts the signature. Any other answer, a revert or no answer refuses it.
        "answer" => pub answer: Word,
        /// The call to make first, in the same `eth_call`, if the contract has no code yet (ERC-6492).
        "deploy" => pub deploy: Option<DeployCall>,
    }
}

document! {
    /// The call that deploys a contract.
    ///
    /// ```
    /// use sendoff::user_op::DeployCall;
    ///
    /// let line = |call: &DeployCall| format!("call {} with {}", call.to, call.data);
    /// ```
    pub struct DeployCall: "", open Ignored, displayed by nobody {
        /// The factory.
        "to" => pub to: Address,
        /// The data of the call.
        "data" => pub data: HexBytes,
    }
}

impl SignatureCall {
    /// It is also the answer for a valid signature.
    const IS_VALID_SIGNATURE: [u8; 4] = selector("isValidSignature(bytes32,bytes)");

    /// The end of a signature that ERC-6492 wraps.
    const WRAPPED: &[u8] = [[0x64, 0x92]; 16].as_flattened();

    /// Returns the call for a digest, a contract's signature of it, and the contract. A signature that ERC-6492 wraps
    /// is unwrapped.
    ///
    /// # Errors
    ///
    /// `format` at `signature` if it ends as a wrapped signature and does not decode.
    pub fn new(digest: Word, signature: &[u8], account: Address) -> Result<Self, Error> {
        let (deploy, signature) = match signature.strip_suffix(Self::WRAPPED) {
            None => (None, signature),
            Some(wrapped) => {
                let refused = |message| Issue::new("signature".into(), IssueCode::Format, message);
                let (deploy, signature) = unwrapped(wrapped).map_err(refused)?;
                (Some(deploy), signature)
            }
        };

        let digest = Item::Uint(of_word(&digest.into()));
        let arguments = encode(&[digest, Item::Bytes(signature)]);
        let mut answer = [0; WORD];
        copy(&mut answer, &Self::IS_VALID_SIGNATURE);

        Ok(Self {
            to: account,
            data: [&Self::IS_VALID_SIGNATURE[..], &arguments].concat().into(),
            answer: answer.into(),
            deploy,
        })
    }
}

/// `(address factory, bytes factoryData, bytes signature)`: the deployment, and the signature itself.
fn unwrapped(wrapped: &[u8]) -> Result<(DeployCall, &[u8]), alloc::string::String> {
    let flaw = DecodeError::default();
    let mut reader = Reader::new(wrapped, 0, 3, &flaw);
    let to = reader.address().into();
    let (data, _) = reader.bytes();
    let (signature, at) = reader.bytes();
    reader.end();

    let signature = wrapped.get(at..at.saturating_add(signature.len()));
    flaw.or(signature.map(|signature| (DeployCall { to, data: data.into() }, signature)), wrapped)
}
