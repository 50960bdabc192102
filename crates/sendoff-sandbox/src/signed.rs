//! Signatures, and who checks them: elliptic curves are heavy, so the crate can be built without
//! them.

use core::fmt;

use sendoff::value::{Address, HexBytes, Word};

/// A signature that an operation has: the user's, or that of the application's grant.
///
/// `Display` writes the three with spaces between them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signed {
    /// What was signed (EIP-191).
    pub digest: Word,
    /// The signature.
    pub signature: HexBytes,
    /// The address of the key that should have made it.
    pub signer: Address,
}

impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.digest, self.signature, self.signer)
    }
}

/// Says whether a signature is right.
pub type Judge<'a> = &'a dyn Fn(&Signed) -> bool;

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
