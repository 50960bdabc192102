//! The functions about signatures over elliptic curves, behind the feature `signature`. They have a
//! list and a WebAssembly module of their own, the npm entry `sendoff/signature`, so that the other
//! modules stay small.
//!
//! ```
//! let answer = sendoff::json::signature::call("checkSignature", &[
//!     Some("0x6bd999b59e5f6bd92c8b50afb0c156fc5dd99876b51ae259ff5575a2b9cde4dc"),
//!     Some("0x1b"),
//!     Some("0x690c113844390c821cf1175c2894e24524f99602"),
//! ]);
//! assert_eq!(answer.unwrap(), r#"{"ok":false,"reason":"length"}"#);
//! ```

use super::context::{CallContext, Text};
use super::table::{
    Listed, answered, call_listed, either, function_of, functions, listed_in, written,
};
use super::{Answer, Argument, Function};
use crate::user_op::{self, SignatureCall, SignatureCheck};
use crate::value::{Address, HexBytes, Word};

/// Calls a function by the name that it has in [`FUNCTIONS`].
///
/// # Errors
///
/// As the function; `format` at the root for an unknown name, and `missing` for an argument that it needs.
pub fn call(name: &str, arguments: &[Option<&str>]) -> Answer {
    dispatch::<false>(name, arguments)
}

functions! {
    /// Checks that the key of `signer` made a signature of a digest: `{ok: true}`, or `{ok: false, reason, found?}`
    /// ([`user_op::check_signature`]).
    ///
    /// # Errors
    ///
    /// `format` at the root for a digest that is not 32 bytes of hex, at `signature` for text that is not hex, at `signer`
    /// for text that is no address.
    "checkSignature" => pub fn check_signature(
        digest: Text(Word),
        signature: Text(HexBytes),
        signer: Text(Address),
    ) -> SignatureCheck {
        Ok(SignatureCheck(user_op::check_signature(digest, signature.as_slice(), &signer)))
    }

    /// Returns the call that checks a contract's signature: `{to, data, answer, deploy?}` ([`user_op::SignatureCall`]).
    ///
    /// # Errors
    ///
    /// `format` at the root for a digest that is not 32 bytes of hex, at `signature` for text that is not hex or that
    /// ends as a signature of ERC-6492 and does not decode, at `account` for text that is not an address.
    "signatureCall" => pub fn signature_call(
        digest: Text(Word),
        signature: Text(HexBytes),
        account: Text(Address),
    ) -> SignatureCall {
        SignatureCall::new(digest, signature.as_slice(), account)
    }
}
