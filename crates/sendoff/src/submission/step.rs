//! The steps of a submission.

use crate::document::{Node, Nullable, Object, Read, from_document, schema, written_as};
use crate::error::{Issues, Path};
use crate::http::{Reply, ReplyBody};
use crate::user_op::{Seconds, UserOpReceipt};
use crate::value::{JobId, Word, keyword};

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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SubmissionStep {
    /// The operation is about to be sent, for the first time or again.
    Sent {
        /// The job.
        job_id: JobId,
        /// The hash of its operation.
        hash: Word,
        /// The time after which the chain no longer executes the operation. `None` and 0 are no end. Give it only if the
        /// account or the paymaster enforces it on chain. Only the first `sent` of a job counts.
        valid_until: Option<Seconds>,
    },
    /// Another operation of the same job is about to be sent in the place of the earlier ones.
    ///
    /// It must have the same sender, nonce, EntryPoint and chain as these, or the chain can execute both.
    /// [`advance`](super::advance) sees hashes only, and cannot check this. Replace an operation by one of a new estimate for
    /// the same request, which [`signable`](fn@crate::estimate::signable) has compared with the same deployment.
    Replaced {
        /// The job.
        job_id: JobId,
        /// The hash of the new operation.
        hash: Word,
        /// The end of the new operation, as in `Sent`.
        valid_until: Option<Seconds>,
    },
    /// The service answered: the body of its reply. An error refuses the try if its code is 400 to 499, but not 408, 409,
    /// 425 or 499, and if none of its texts contains `AA25`, `already`, `duplicate` or `nonce`, which hint at an earlier
    /// success. After any other error the operation may have been accepted (RFC 9110).
    Answered(Reply),
    /// The try ended without an answer.
    BrokenOff,
    /// The bundler's answer to `eth_getUserOperationReceipt`; `None`, `null` in JSON, if it has no receipt of the state's
    /// hash. A receipt of an operation that is not the job's changes nothing.
    Receipt(Option<UserOpReceipt>),
    /// Whether the EntryPoint has executed an operation with this job's sender and nonce
    /// ([`NonceAnswer`](crate::user_op::NonceAnswer)). Ask a chain node of your own. If you cannot, do not take this step.
    Nonce {
        /// `true` if the nonce is used.
        used: bool,
        /// The timestamp of the finalized block that was asked; never the host's clock.
        now: Seconds,
    },
}

keyword! {
    /// The type of a step.
    pub(super) enum StepType: "`sent`, `replaced`, `answered`, `brokenOff`, `receipt` or `nonce`" {
        "sent" => Sent,
        "replaced" => Replaced,
        "answered" => Answered,
        "brokenOff" => BrokenOff,
        "receipt" => Receipt,
        "nonce" => Nonce,
    }
}

impl SubmissionStep {
    pub(super) const fn kind(&self) -> StepType {
        match self {
            Self::Sent { .. } => StepType::Sent,
            Self::Replaced { .. } => StepType::Replaced,
            Self::Answered(_) => StepType::Answered,
            Self::BrokenOff => StepType::BrokenOff,
            Self::Receipt(_) => StepType::Receipt,
            Self::Nonce { .. } => StepType::Nonce,
        }
    }

    /// The operation of a step that sends one.
    pub(super) const fn operation(&self) -> Option<SentOperation> {
        match *self {
            Self::Sent { job_id, hash, valid_until } | Self::Replaced { job_id, hash, valid_until } => {
                Some(SentOperation { job_id, hash, valid_until })
            }
            _ => None,
        }
    }
}

/// An operation that is about to be sent.
#[derive(Clone, Copy)]
pub(super) struct SentOperation {
    pub(super) job_id: JobId,
    pub(super) hash: Word,
    pub(super) valid_until: Option<Seconds>,
}

impl SentOperation {
    fn read(object: &mut Object<'_, '_>) -> Option<Self> {
        let (job_id, hash) = (object.required("jobId"), object.required("hash"));
        let valid_until = object.optional("validUntil");

        Some(Self { job_id: job_id?, hash: hash?, valid_until: valid_until? })
    }
}

impl Read for SubmissionStep {
    const EXPECTED: &'static str = "a step of a submission, an object with a `type`";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let mut object = Object::open(node, Self::WANTED, at, issues)?;

        let step = match object.required("type")? {
            StepType::Sent => SentOperation::read(&mut object)
                .map(|SentOperation { job_id, hash, valid_until }| Self::Sent { job_id, hash, valid_until }),
            StepType::Replaced => SentOperation::read(&mut object)
                .map(|SentOperation { job_id, hash, valid_until }| Self::Replaced { job_id, hash, valid_until }),
            StepType::Answered => object.required("reply").map(Self::Answered),
            StepType::BrokenOff => Some(Self::BrokenOff),
            StepType::Receipt => object.required("receipt").map(|Nullable(receipt)| Self::Receipt(receipt)),
            StepType::Nonce => {
                let answer = (object.required("used"), object.required("now"));
                if let (Some(used), Some(now)) = answer { Some(Self::Nonce { used, now }) } else { None }
            }
        };

        object.close();
        step
    }
}

written_as!(SubmissionStep, |step| {
    "type" => step.kind(),
    "jobId" => step.operation().map(|operation| operation.job_id),
    "hash" => step.operation().map(|operation| operation.hash),
    "validUntil" => step.operation().and_then(|operation| operation.valid_until),
    "reply" => if let Self::Answered(reply) = step { Some(ReplyBody(reply)) } else { None },
    // Null where the bundler has no receipt.
    "receipt" => if let Self::Receipt(receipt) = step { Some(receipt) } else { None },
    "used" => if let Self::Nonce { used, .. } = step { Some(used) } else { None },
    "now" => if let Self::Nonce { now, .. } = step { Some(now) } else { None },
});

from_document!(SubmissionStep);

schema::of!(SubmissionStep, |generator| {
    fn step(generator: &mut schemars::SchemaGenerator, kind: StepType) -> schema::Fields<'_> {
        schema::Fields::new(generator).constant("type", "The type of the step.", kind.as_str())
    }
    let mut operation = |kind, sentence| {
        step(generator, kind)
            .required::<JobId>("jobId", "The job.")
            .required::<Word>("hash", "The hash of its operation.")
            .optional::<Seconds>(
                "validUntil",
                "The time after which the chain no longer executes the operation, in seconds since the epoch; 0 or absent \
                 for no end. Give it only if the account or the paymaster enforces it on chain.",
            )
            .close(sentence)
    };
    let sent = operation(StepType::Sent, "The operation is about to be sent, for the first time or again.");
    let replaced = operation(
        StepType::Replaced,
        "Another operation of the same job is about to be sent in the place of the earlier ones. It must have the same \
         sender, nonce, EntryPoint and chain, or the chain can execute both.",
    );
    let answered = step(generator, StepType::Answered)
        .required::<crate::http::ServiceReply>("reply", "The body of the service's reply.")
        .close("The service answered.");
    let broken_off = step(generator, StepType::BrokenOff).close("The try ended without an answer.");
    let receipt = step(generator, StepType::Receipt)
        .required::<Option<UserOpReceipt>>("receipt", "The bundler's answer; null if it has no receipt yet.")
        .close("The bundler was asked for the receipt.");
    let nonce = step(generator, StepType::Nonce)
        .required::<bool>(
            "used",
            "`true` if the EntryPoint has executed an operation with this job's sender and nonce.",
        )
        .required::<Seconds>("now", "The timestamp of the finalized block that was asked; never the host's clock.")
        .close("A chain node of the program's own was asked for the nonce.");
    schemars::json_schema!({
        "description": "What happened to a submission.",
        "oneOf": [sent, replaced, answered, broken_off, receipt, nonce],
    })
});
