//! Signatures, and who checks them: elliptic curves are heavy, so the crate can be built without
//! them.

use alloc::string::String;

use sendoff::value::{Address, HexBytes, Word};

use crate::Json;

/// A signature that an operation has: the user's, or that of the application's grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signed {
    /// What was signed (EIP-191).
    pub(crate) digest: Word,
    pub(crate) signature: HexBytes,
    /// The address of the key that should have made it.
    pub(crate) signer: Address,
}

impl Signed {
    /// The three in a text, with spaces between them.
    pub(crate) fn to_json(&self) -> Json {
        [
            &*String::from(&self.digest),
            " ",
            &String::from(&self.signature),
            " ",
            &String::from(&self.signer),
        ]
        .concat()
        .into()
    }
}

/// Says whether a signature is right.
pub(crate) type Judge<'a> = &'a dyn Fn(&Signed) -> bool;

/// The judgement of a service that checks the form only.
pub(crate) fn has_form(signed: &Signed) -> bool {
    signed.signature.len() == 65 && matches!(signed.signature.as_slice().last(), Some(27 | 28))
}

/// The core's own check.
#[cfg(feature = "signature")]
pub(crate) fn is_right(signed: &Signed) -> bool {
    sendoff::user_op::check_signature(signed.digest, signed.signature.as_slice(), &signed.signer)
        .is_ok()
}
