//! Signatures, and who checks them: elliptic curves are heavy, so the crate can be built without
//! them.

use std::fmt;

use sendoff::value::{Address, HexBytes, Word};

/// A signature that an operation has: the user's, or that of the application's grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signed {
    /// What was signed (EIP-191).
    pub(crate) digest: Word,
    pub(crate) signature: HexBytes,
    /// The address of the key that should have made it.
    pub(crate) signer: Address,
}

/// The three, with spaces between them.
impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.digest, self.signature, self.signer)
    }
}

/// Says whether a signature is right.
pub(crate) type Judge<'a> = &'a dyn Fn(&Signed) -> bool;

/// When a request comes, in milliseconds since the epoch, and who judges its signatures.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub(crate) now: i64,
    pub(crate) judge: Judge<'a>,
}

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
