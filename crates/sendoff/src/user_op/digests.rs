//! The digests that wallets and explorers show of what is signed.

use crate::document::answer;
use crate::keccak::keccak256;
use crate::value::{Word, to_word};

answer! {
    /// The digests of a user operation that wallets show, so that a person can compare two screens.
    ///
    /// Source: ERC-8213.
    pub struct Digests {
        /// The digest of the call data: Keccak-256 of its length as 32 bytes and its bytes.
        "callData" => pub call_data: Word,
        /// The digests of the EIP-712 typed data, with EntryPoint 0.8 and 0.9.
        "eip712" => "Option::is_none" pub eip712: Option<Eip712Digests>,
    }
}

answer! {
    /// The digests of EIP-712 typed data.
    #[derive(Copy)]
    pub struct Eip712Digests {
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
