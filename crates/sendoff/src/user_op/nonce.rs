//! The question whether a job's nonce is used, for the published EntryPoints.
//!
//! Source: ERC-4337 and the EntryPoint contracts 0.7 to 0.9. They split a nonce into a key (its
//! upper 192 bits) and a sequence (its lower 64 bits), and execute the operations of a sender and a
//! key in the order of their sequences, from 0.

use primitive_types::U256;

use crate::abi::{Item, encode};
use crate::document::document;
use crate::error::{Error, Issue, IssueCode};
use crate::keccak::selector;
use crate::value::{Address, HexBytes, JobId, Word};

const GET_NONCE: [u8; 4] = selector("getNonce(address,uint192)");

/// Returns the call data that asks a published EntryPoint for the next nonce of a sender and a job's key:
/// `getNonce(address,uint192)`.
///
/// Send it by `eth_call` to the EntryPoint of the deployment, at a finalized block, to a chain node of your own. Give the
/// result to [`NonceAnswer::read`].
///
/// ```
/// use sendoff::user_op::nonce_call;
///
/// let sender = "0xa1b9ebbf597f3b8a18c543d3be3253c73524d564".parse()?;
/// let call = nonce_call(sender, "b9e16100-446f-4050-0000-000000000000".parse()?);
/// assert!(call.to_string().starts_with("0x35567e1a000000000000000000000000a1b9ebbf"));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[must_use]
pub fn nonce_call(sender: Address, job_id: JobId) -> HexBytes {
    let (key, _) = split(job_id.nonce());
    let arguments = encode(&[Item::Address(sender.to_h160()), Item::Uint(key)]);

    HexBytes::from([&GET_NONCE[..], &arguments].concat())
}

document! {
    /// The answer of a published EntryPoint about a job's nonce: `{used}` in JSON.
    ///
    /// ```
    /// use sendoff::user_op::NonceAnswer;
    ///
    /// let job = "b9e16100-446f-4050-0000-000000000000".parse()?;
    /// let next = "0x00000000000000000000000000000000b9e16100446f40500000000000000001".parse()?;
    /// assert!(NonceAnswer::read(job, next)?.used);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Copy)]
    pub struct NonceAnswer: "", open Ignored, displayed by nobody {
        /// `true` if no operation with the job's nonce can be executed any more, because one was executed or the sender gave the
        /// nonce up. `false` if none was executed.
        "used" => pub used: bool,
    }
}

impl NonceAnswer {
    /// Reads the result of [`nonce_call`]: the next nonce of the job's key.
    ///
    /// # Errors
    ///
    /// `rule` at `nonce` for a nonce of another key.
    pub fn read(job_id: JobId, nonce: Word) -> Result<Self, Error> {
        let ((key, sequence), (found_key, next)) = (split(job_id.nonce()), split(nonce));

        if key != found_key {
            let message = "expected a nonce of the job's key, found one of another key";
            return Err(Issue::new("nonce".into(), IssueCode::Rule, message.into()).into());
        }
        Ok(Self { used: next > sequence })
    }
}

/// The key and the sequence of a nonce.
fn split(nonce: Word) -> (U256, u64) {
    let U256([sequence, low, middle, high]) = U256::from_big_endian(nonce.as_ref());
    (U256([low, middle, high, 0]), sequence)
}
