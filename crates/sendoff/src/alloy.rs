//! Conversions from and to the types of `alloy-primitives`, behind the feature `alloy`.
//!
//! | here | alloy |
//! |---|---|
//! | [`Address`] | [`alloy_primitives::Address`] |
//! | [`Word`]: hashes, digests | [`B256`], [`U256`] |
//! | [`HexBytes`] | [`Bytes`] |
//! | [`Signature`] | [`alloy_primitives::Signature`]; its `v` may be neither 27 nor 28 |
//! | [`Quantity`], [`Nonce`], [`FeeAmount`] | [`U256`] |
//! | [`Quantity128`], [`Amount`], [`NftId`] | [`U256`], which may be too large or zero; an id may be a UUID |
//! | [`PackedUserOp`] | [`PackedFields`], [`SignedFields`] |
//!
//! A conversion that cannot fail is `From`; one that can fail is `TryFrom`. Values from alloy are
//! written in lower case. For a [`U256`] write `value.into()`, because its own `U256::from` takes
//! only ruint's numbers. A number of [`primitive_types`] is converted through [`Quantity`]: neither
//! crate is ours, so this module cannot convert one into the other.
//!
//! # The packed operation
//!
//! `alloy-primitives` has no struct for it, so it becomes a tuple: the fields of Solidity's
//! `PackedUserOperation` in their order and with their types. Every struct that `sol!` generates
//! for it implements `From` that tuple.
//!
//! ```
//! use alloy_primitives::{B256, Bytes, U256};
//! use sendoff::alloy::SignedFields;
//! use sendoff::user_op::{EntryPoint, GasFeeOrder, UserOp, pack, signing_digest, user_op_hash};
//! # let op = r#"{"sender":"0xfa6865bcb52f3f491b4b98c4688ab77b280e48fb","nonce":"0x7","callData":"0xdeadbeef",
//! # "callGasLimit":"0x64","verificationGasLimit":"0xc8","preVerificationGas":"0x12c","maxFeePerGas":"0x190",
//! # "maxPriorityFeePerGas":"0x32"}"#;
//! # let entry_point = r#"{"entryPoint":"0xf37c768b8bfab4733fe542a57461aa7ddd5871c2","chainId":1,"version":"0.7"}"#;
//!
//! let (op, entry_point): (UserOp, EntryPoint) = (op.parse()?, entry_point.parse()?);
//!
//! // What alloy's `SignerSync::sign_hash_sync` takes.
//! let digest: B256 = signing_digest(user_op_hash(&op, &entry_point)?).into();
//! let signature = alloy_primitives::Signature::new(U256::ONE, U256::from(2), false);
//!
//! // What the EntryPoint's `handleOps` takes: `PackedUserOperation::from(fields)`, of `sol!`.
//! let fields: SignedFields = pack(&op, GasFeeOrder::Standard).signed(signature.as_bytes());
//! assert_eq!((fields.0, fields.1), (op.sender.into(), U256::from(7)));
//!
//! // What a bundler takes.
//! let operation = op.assemble(signature.into())?;
//! assert_eq!(Bytes::from(operation.signature.unwrap_or_default()), fields.8);
//! # Ok::<(), sendoff::error::Error>(())
//! ```

use alloy_primitives::{self as alloy, B256, Bytes, U256};

use crate::error::Wanted;
use crate::user_op::PackedUserOp;
use crate::value::{
    Address, Amount, FeeAmount, HexBytes, NftId, Nonce, ParseError, Quantity, Quantity128,
    Signature, Word, WriteText, conversions,
};

/// The fields of Solidity's `PackedUserOperation` except its signature, in their order: the fields that are hashed.
pub type PackedFields = (alloy::Address, U256, Bytes, Bytes, B256, U256, B256, Bytes);

/// All fields of Solidity's `PackedUserOperation` in their order: the fields that are executed.
pub type SignedFields = (alloy::Address, U256, Bytes, Bytes, B256, U256, B256, Bytes, Bytes);

conversions! {
    Address => alloy::Address: |address| <[u8; 20]>::from(address).into();
    alloy::Address => Address: |address| address.into_array().into();

    Word => B256: |word| <[u8; 32]>::from(word).into();
    B256 => Word: |word| word.0.into();
    Word => U256: |word| Self::from_be_bytes(word.into());
    U256 => Word: |number| number.to_be_bytes().into();

    HexBytes => Bytes: |bytes| alloc::vec::Vec::from(bytes).into();
    Bytes => HexBytes: |bytes| bytes.as_ref().into();

    alloy::Signature => Signature: |signature| signature.as_bytes().into();
    alloy::Signature => HexBytes: |signature| signature.as_bytes().into();

    Quantity => U256: |quantity| theirs(quantity.value());
    U256 => Quantity: |number| ours(number).into();
    Quantity128 => U256: |quantity| Self::from(quantity.value());
    Nonce => U256: |nonce| theirs(nonce.value());
    U256 => Nonce: |number| ours(number).into();
    Amount => U256: |amount| theirs(amount.value());
    FeeAmount => U256: |fee| theirs(fee.value());
    U256 => FeeAmount: |number| ours(number).into();
    U256 => NftId: |token_id| ours(token_id).into();

    PackedUserOp => PackedFields: |op| (
        op.sender.into(),
        op.nonce.into(),
        op.init_code.into(),
        op.call_data.into(),
        op.account_gas_limits.into(),
        op.pre_verification_gas.into(),
        op.gas_fees.into(),
        op.paymaster_and_data.into(),
    );
    PackedFields => PackedUserOp: |(sender, nonce, init_code, call_data, account_gas, gas, fees, paymaster)| Self {
        sender: sender.into(),
        nonce: nonce.into(),
        init_code: init_code.into(),
        call_data: call_data.into(),
        account_gas_limits: account_gas.into(),
        pre_verification_gas: gas.into(),
        gas_fees: fees.into(),
        paymaster_and_data: paymaster.into(),
    };
    SignedFields => PackedUserOp: |(sender, nonce, init_code, call_data, account_gas, gas, fees, paymaster, _)|
        Self::from((sender, nonce, init_code, call_data, account_gas, gas, fees, paymaster));
}

conversions! { try
    /// `format` if `v` is neither 27 nor 28.
    Signature => alloy::Signature: |signature| match signature.to_bytes() {
        [bytes @ .., v @ (27 | 28)] => Ok(Self::from_bytes_and_parity(&bytes, v == 28)),
        _ => Err(ParseError::FORMAT.error(&signature.to_text(), &Wanted { words: "a signature with v 27 or 28", kind: "" })),
    };
    /// `range` above 128 bits.
    U256 => Quantity128: |number| ours(number).try_into();
    /// `range` for zero.
    U256 => Amount: |number| ours(number).try_into();
    /// `format` for a UUID.
    NftId => U256: |id| {
        let wanted = Wanted { words: "an on-chain token id", kind: "" };
        id.token_id().map(theirs).ok_or_else(|| ParseError::FORMAT.error(&id.to_text(), &wanted))
    };
}

impl PackedUserOp {
    /// Returns all fields of Solidity's `PackedUserOperation`: these and the signature.
    pub fn signed(self, signature: impl Into<Bytes>) -> SignedFields {
        let (sender, nonce, init_code, call_data, account_gas, gas, fees, paymaster) = self.into();
        (sender, nonce, init_code, call_data, account_gas, gas, fees, paymaster, signature.into())
    }
}

const fn theirs(number: primitive_types::U256) -> U256 {
    U256::from_limbs(number.0)
}

const fn ours(number: U256) -> primitive_types::U256 {
    primitive_types::U256(number.into_limbs())
}
