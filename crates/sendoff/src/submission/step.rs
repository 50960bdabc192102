//! The steps of a submission.

use crate::document::{Node, Nullable, Object, Read, from_document, schema, undivided, written_as};
use crate::error::{Issues, Path};
use crate::service::{Reply, ReplyBody};
use crate::user_op::UserOpReceipt;
use crate::value::{JobId, Word, keyword};

/// An event of a submission: `{type: "sent", jobId, hash}`, `{type: "answered", reply}`, `{type: "brokenOff"}` or
/// `{type: "receipt", receipt}` in JSON.
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
    },
    /// The service answered: the body of its reply. An error of 400 to 499, except 408 and 409, refuses the try. After
    /// any other error it is open whether the operation was accepted (RFC 9110).
    Answered(Reply),
    /// The try ended without an answer.
    BrokenOff,
    /// The bundler's answer to `eth_getUserOperationReceipt`; `None`, `null` in JSON, if it has no receipt yet. A receipt
    /// of another operation changes nothing.
    Receipt(Option<UserOpReceipt>),
}

keyword! {
    /// The type of a step.
    pub(super) enum StepType: "`sent`, `answered`, `brokenOff` or `receipt`" {
        "sent" => Sent,
        "answered" => Answered,
        "brokenOff" => BrokenOff,
        "receipt" => Receipt,
    }
}

impl SubmissionStep {
    pub(super) const fn kind(&self) -> StepType {
        match self {
            Self::Sent { .. } => StepType::Sent,
            Self::Answered(_) => StepType::Answered,
            Self::BrokenOff => StepType::BrokenOff,
            Self::Receipt(_) => StepType::Receipt,
        }
    }
}

impl Read for SubmissionStep {
    const EXPECTED: &'static str = "a step of a submission, an object with a `type`";

    undivided!();

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let mut object = Object::open(node, Self::EXPECTED, at, issues)?;
        let step = match object.required("type")? {
            StepType::Sent => {
                let fields = (object.required("jobId"), object.required("hash"));
                if let (Some(job_id), Some(hash)) = fields { Some(Self::Sent { job_id, hash }) } else { None }
            }
            StepType::Answered => object.required("reply").map(Self::Answered),
            StepType::BrokenOff => Some(Self::BrokenOff),
            StepType::Receipt => object.required("receipt").map(|Nullable(receipt)| Self::Receipt(receipt)),
        };
        object.close();
        step
    }
}

written_as!(SubmissionStep, |step| {
    "type" => step.kind(),
    "jobId" => if let Self::Sent { job_id, .. } = step { Some(job_id) } else { None },
    "hash" => if let Self::Sent { hash, .. } = step { Some(hash) } else { None },
    "reply" => if let Self::Answered(reply) = step { Some(ReplyBody(reply)) } else { None },
    // Null where the bundler has no receipt.
    "receipt" => if let Self::Receipt(receipt) = step { Some(receipt) } else { None },
});

from_document!(SubmissionStep);

schema::of!(SubmissionStep, |generator| {
    fn step(generator: &mut schemars::SchemaGenerator, kind: StepType) -> schema::Fields<'_> {
        schema::Fields::new(generator).constant("type", "The type of the step.", kind.as_str())
    }
    let sent = step(generator, StepType::Sent)
        .required::<JobId>("jobId", "The job.")
        .required::<Word>("hash", "The hash of its operation.")
        .close("The operation is about to be sent, for the first time or again.");
    let answered = step(generator, StepType::Answered)
        .required::<crate::service::ServiceReply>("reply", "The body of the service's reply.")
        .close("The service answered.");
    let broken_off = step(generator, StepType::BrokenOff).close("The try ended without an answer.");
    let receipt = step(generator, StepType::Receipt)
        .required::<Option<UserOpReceipt>>("receipt", "The bundler's answer; null if it has no receipt yet.")
        .close("The bundler was asked for the receipt.");
    schemars::json_schema!({
        "description": "What happened to a submission.",
        "oneOf": [sent, answered, broken_off, receipt],
    })
});
