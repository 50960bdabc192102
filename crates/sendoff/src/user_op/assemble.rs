//! An operation with its signature.

use alloc::vec::Vec;

use super::{PreparedUserOp, UserOp};
use crate::document::{Is, Presence, Row, Table, Typed, Value, schema};
use crate::error::{Error, Issues, Path};
use crate::value::{HexBytes, ParseError, Text, WriteText, typed_text};

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
            let mut issues = Issues::default();
            ParseError::FORMAT.push(
                "0x",
                SignatureBytes::WANTED,
                &Path::Field(&Path::Root, "signature"),
                &mut issues,
            );
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

    fn parse(text: &str) -> Result<Self, ParseError> {
        let bytes = HexBytes::parse(text)?;
        if bytes.is_empty() { Err(ParseError::FORMAT) } else { Ok(Self(bytes)) }
    }
}

typed_text!(SignatureBytes);

schema::of!(SignatureBytes, |_| schema::text(Self::EXPECTED, "^0x([0-9a-fA-F]{2})+$"));

/// An operation with its signature.
static SIGNED: Table = Table {
    rows: &[
        Row { key: "", is: Is::Group(PreparedUserOp::TABLE), presence: Presence::Required },
        Row { key: "signature", is: HexBytes::IS, presence: Presence::Required },
    ],
    ..Table::NONE
};

/// Returns a prepared operation with its signature.
pub(crate) fn assembled(operation: Value, SignatureBytes(signature): SignatureBytes) -> Value {
    Value::Record(alloc::vec![operation, Value::HexBytes(signature)], &SIGNED)
}

/// An operation to sign: exactly the twelve fields that an estimate prepares.
#[cfg(feature = "schema")]
pub(crate) struct UnsignedUserOp;

schema::of!(UnsignedUserOp, |generator| {
    let mut schema = <PreparedUserOp as schemars::JsonSchema>::json_schema(generator);
    schema.insert(
        "description".into(),
        "An operation to sign: exactly the twelve fields that an estimate prepares.".into(),
    );
    schema.insert("additionalProperties".into(), false.into());
    schema
});

/// An operation that can be sent.
#[cfg(feature = "schema")]
pub(crate) struct SignedUserOp;

schema::of!(SignedUserOp, |generator| {
    let mut schema = <PreparedUserOp as schemars::JsonSchema>::json_schema(generator);
    schema.insert(
        "description".into(),
        "An operation to send: the twelve fields and the signature.".into(),
    );
    let mut signature = generator.subschema_for::<HexBytes>();
    signature.insert("description".into(), "The account's signature.".into());
    if let Some(properties) =
        schema.get_mut("properties").and_then(serde_json::Value::as_object_mut)
    {
        properties.insert("signature".into(), signature.to_value());
    }
    if let Some(required) = schema.get_mut("required").and_then(serde_json::Value::as_array_mut) {
        required.push("signature".into());
    }
    schema
});
