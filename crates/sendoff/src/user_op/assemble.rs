//! An operation with its signature.

use alloc::vec::Vec;

use super::UserOp;
use crate::document::{Leaf, traits};
use crate::error::{Error, Issues, Path};
use crate::value::{HexBytes, ParseError, Text, WriteText};
#[cfg(feature = "schema")]
use {
    super::PreparedUserOp,
    crate::document::{Is, Row, Table, Valued as _},
};

impl UserOp {
    /// Returns the operation with its signature: what is sent.
    ///
    /// ```
    /// # let operation: sendoff::user_op::UserOp = r#"{"sender":"0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906",
    /// # "nonce":"0x7","callData":"0xdeadbeef","callGasLimit":"0x64","verificationGasLimit":"0xc8",
    /// # "preVerificationGas":"0x12c","maxFeePerGas":"0x190","maxPriorityFeePerGas":"0x32"}"#.parse()?;
    /// let signature = format!("0x{}1b", "11".repeat(64)).parse()?;
    /// assert!(operation.assemble(signature)?.signature.is_some());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `format` at `signature` if the signature is empty.
    pub fn assemble(self, signature: HexBytes) -> Result<Self, Error> {
        if signature.is_empty() {
            let (mut issues, at) = (Issues::default(), Path::Field(&Path::Root, "signature"));
            ParseError::FORMAT.push("0x", &SignatureBytes::WANTED, &at, &mut issues);
            return issues.or(None);
        }
        Ok(Self { signature: Some(signature), ..self })
    }
}

/// A signature to send: at least one byte of hex.
#[derive(Clone)]
pub(crate) struct SignatureBytes(pub(crate) HexBytes);

impl WriteText for SignatureBytes {
    fn write_text(&self, out: &mut Vec<u8>) {
        self.0.write_text(out);
    }
}

impl Text for SignatureBytes {
    const EXPECTED: &'static str = "a signature, at least one byte of hex";
    const KIND: &'static str = "SignatureBytes";
    const PATTERN: &'static str = "^0x([0-9a-fA-F]{2})+$";

    fn parse(text: &str) -> Result<Self, ParseError> {
        let bytes = HexBytes::parse(text)?;
        if bytes.is_empty() { Err(ParseError::FORMAT) } else { Ok(Self(bytes)) }
    }
}

impl Leaf for SignatureBytes {}

traits!(SignatureBytes: schema);

/// A prepared operation with its signature.
#[cfg(feature = "schema")]
pub(crate) struct SignedUserOp;

traits!(SignedUserOp: schema(|generator| {
    static SIGNED: Table = Table::answer(
        "An operation to send: the twelve fields and the signature.",
        &[
            Row::plain("", Is::Group(PreparedUserOp::TABLE), ""),
            Row::of::<HexBytes>("signature", "The account's signature."),
        ],
    );
    SIGNED.schema(generator)
}));

/// An operation to sign.
#[cfg(feature = "schema")]
pub(crate) struct UnsignedUserOp;

traits!(UnsignedUserOp: schema(|generator| {
    static UNSIGNED: Table = Table::said(
        "An operation to sign: exactly the twelve fields that an estimate prepares.",
        PreparedUserOp::TABLE.rows,
    );
    UNSIGNED.schema(generator)
}));
