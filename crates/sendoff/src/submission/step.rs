//! The steps of a submission.

use crate::document::{Nullable, Said, choice, traits};
use crate::http::{ErrorReply, Reply, ServiceReply};
use crate::user_op::{BundlerError, Seconds, UserOpReceipt};
use crate::value::{JobId, Opaque, Word};

choice! {
    /// An event of a submission: `{type: "sent", jobId, hash, validUntil?}`, `{type: "replaced", jobId, hash, validUntil?}`,
    /// `{type: "answered", reply}`, `{type: "brokenOff"}`, `{type: "receipt", receipt}` or `{type: "nonce", used, now}` in
    /// JSON.
    ///
    /// ```
    /// use sendoff::submission::SubmissionStep;
    ///
    /// let step: SubmissionStep = r#"{"type":"receipt","receipt":null}"#.parse()?;
    /// assert_eq!(step, SubmissionStep::Receipt(None));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub enum SubmissionStep: "a step of a submission, an object with a `type`",
        "type" of "StepType" "`sent`, `replaced`, `answered`, `brokenOff`, `receipt` or `nonce`": "The type of the step."
    {
        /// The operation is about to be sent, for the first time or again.
        "sent" => Sent {
            /// The job.
            "jobId" => job_id: JobId,
            /// The hash of its operation.
            "hash" => hash: Word,
            /// The time after which the chain no longer executes the operation, in seconds since the epoch; 0 or absent for no end.
            /// Give it only if the account or the paymaster enforces it on chain.
            ///
            /// Only the first `sent` of a job counts.
            "validUntil" => valid_until: Option<Seconds>,
        },
        /// Another operation of the same job is about to be sent in the place of the earlier ones. It must have the same
        /// sender, nonce, EntryPoint and chain, or the chain can execute both.
        ///
        /// [`advance`](super::advance) sees hashes only, and cannot check this. Replace an operation by one of a new estimate for
        /// the same request, which [`signable`](fn@crate::estimate::signable) has compared with the same deployment.
        "replaced" => Replaced {
            /// The job.
            "jobId" => job_id: JobId,
            /// The hash of its operation.
            "hash" => hash: Word,
            /// The time after which the chain no longer executes the operation, in seconds since the epoch; 0 or absent for no end.
            /// Give it only if the account or the paymaster enforces it on chain.
            "validUntil" => valid_until: Option<Seconds>,
        },
        /// The service answered.
        ///
        /// An error refuses the try if its code is 400 to 499, but not 408, 409, 425 or 499, and if none of its texts contains
        /// `AA25`, `already`, `duplicate` or `nonce`, which hint at an earlier success. After any other error the operation may
        /// have been accepted (RFC 9110).
        "answered" => Answered(
            "reply" => reply: Reply => Row { said: Said::of::<ServiceReply>(""), ..Row::plain("", Reply::IS, "") },
            "The body of the service's reply."
        ),
        /// The try ended without an answer.
        "brokenOff" => BrokenOff,
        /// The bundler was asked for the receipt.
        ///
        /// The answer to `eth_getUserOperationReceipt`; `None`, `null` in JSON, if it has no receipt of the state's hash. A receipt
        /// of an operation that is not the job's changes nothing.
        "receipt" => Receipt(
            "receipt" => receipt: Option<UserOpReceipt> => Row::of::<Nullable<UserOpReceipt>>("", ""),
            "The bundler's answer; null if it has no receipt yet."
        ),
        /// A chain node of the program's own was asked for the nonce.
        ///
        /// The answer says whether the EntryPoint has executed an operation with this job's sender and nonce
        /// ([`NonceAnswer`](crate::user_op::NonceAnswer)). If you cannot ask, do not take this step.
        "nonce" => Nonce {
            /// `true` if the EntryPoint has executed an operation with this job's sender and nonce.
            "used" => used: bool,
            /// The timestamp of the finalized block that was asked; never the host's clock.
            "now" => now: Seconds,
        },
    }
}

impl SubmissionStep {
    /// A bundler answered with the operation's hash: `answered` with a success.
    ///
    /// ```
    /// use sendoff::submission::SubmissionStep;
    ///
    /// let step = r#"{"type":"answered","reply":{"status":"success","data":null}}"#;
    /// assert_eq!(SubmissionStep::accepted(), step.parse()?);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[must_use]
    pub fn accepted() -> Self {
        Self::Answered(Reply::Success { data: Opaque::of("null") })
    }
}

/// A bundler answered with an error: `answered` with its code, its message and its data.
///
/// ```
/// use sendoff::submission::SubmissionStep;
/// use sendoff::user_op::BundlerError;
///
/// let error: BundlerError = r#"{"code":-32507,"message":"invalid signature"}"#.parse()?;
/// let step = r#"{"type":"answered","reply":{"status":"error","error":{"code":-32507,"message":"invalid signature"}}}"#;
/// assert_eq!(SubmissionStep::from(&error), step.parse()?);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
impl From<&BundlerError> for SubmissionStep {
    fn from(error: &BundlerError) -> Self {
        Self::Answered(Reply::Error(ErrorReply {
            code: error.code,
            message: error.message.clone(),
            error_code: None,
            trace_id: None,
            details: error.data.clone(),
            retry_after: None,
        }))
    }
}

traits!(SubmissionStep: read, serialize, schema);
