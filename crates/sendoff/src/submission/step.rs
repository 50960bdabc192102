//! The steps of a submission.

use alloc::vec::Vec;

use crate::document::{Choice, Is, Nullable, Row, Said, Table, Typed, Value, traits};
use crate::http::{Reply, ServiceReply};
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
    /// Its type.
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
}

/// A step, by its type.
static STEP: Choice = Choice {
    expected: "a step of a submission, an object with a `type`",
    key: "type",
    tag: StepType::IS,
    tables: &[
        ("sent", &SENT),
        ("replaced", &REPLACED),
        ("answered", &ANSWERED),
        ("brokenOff", &BROKEN_OFF),
        ("receipt", &RECEIPT),
        ("nonce", &NONCE),
    ],
    unknown: "",
    said: Said::new("What happened to a submission."),
};

const TYPE: Row = Row::of::<StepType>("type", "The type of the step.");

static OPERATION: [Row; 4] = [
    TYPE,
    Row::of::<JobId>("jobId", "The job."),
    Row::of::<Word>("hash", "The hash of its operation."),
    Row::of::<Option<Seconds>>(
        "validUntil",
        "The time after which the chain no longer executes the operation, in seconds since the epoch; 0 or absent for no \
         end. Give it only if the account or the paymaster enforces it on chain.",
    ),
];

static SENT: Table = Table {
    rows: &OPERATION,
    ..Table::said("The operation is about to be sent, for the first time or again.")
};

static REPLACED: Table = Table {
    rows: &OPERATION,
    ..Table::said(
        "Another operation of the same job is about to be sent in the place of the earlier ones. It must have the same \
         sender, nonce, EntryPoint and chain, or the chain can execute both.",
    )
};

static ANSWERED: Table = Table {
    rows: &[
        TYPE,
        Row {
            said: Said::of::<ServiceReply>("The body of the service's reply."),
            ..Row::plain("reply", Reply::IS, "")
        },
    ],
    ..Table::said("The service answered.")
};

static BROKEN_OFF: Table =
    Table { rows: &[TYPE], ..Table::said("The try ended without an answer.") };

static RECEIPT: Table = Table {
    rows: &[
        TYPE,
        Row::of::<Nullable<UserOpReceipt>>(
            "receipt",
            "The bundler's answer; null if it has no receipt yet.",
        ),
    ],
    ..Table::said("The bundler was asked for the receipt.")
};

static NONCE: Table = Table {
    rows: &[
        TYPE,
        Row::of::<bool>(
            "used",
            "`true` if the EntryPoint has executed an operation with this job's sender and nonce.",
        ),
        Row::of::<Seconds>(
            "now",
            "The timestamp of the finalized block that was asked; never the host's clock.",
        ),
    ],
    ..Table::said("A chain node of the program's own was asked for the nonce.")
};

impl Typed for SubmissionStep {
    const IS: Is = Is::Choice(&STEP);

    fn of_value(value: Value) -> Option<Self> {
        let mut fields = value.into_fields()?;
        let kind = StepType::of_value(fields.take())?;
        let mut operation = || {
            let (job_id, hash) = (JobId::of_value(fields.take())?, Word::of_value(fields.take())?);
            Some((job_id, hash, <Option<Seconds>>::of_value(fields.take())?))
        };

        Some(match kind {
            StepType::Sent => {
                let (job_id, hash, valid_until) = operation()?;
                Self::Sent { job_id, hash, valid_until }
            }
            StepType::Replaced => {
                let (job_id, hash, valid_until) = operation()?;
                Self::Replaced { job_id, hash, valid_until }
            }
            StepType::Answered => Self::Answered(Typed::of_value(fields.take())?),
            StepType::BrokenOff => Self::BrokenOff,
            StepType::Receipt => Self::Receipt(Typed::of_value(fields.take())?),
            StepType::Nonce => Self::Nonce {
                used: Typed::of_value(fields.take())?,
                now: Typed::of_value(fields.take())?,
            },
        })
    }

    fn into_value(self) -> Value {
        let operation = |job_id: JobId, hash: Word, valid_until: Option<Seconds>| {
            alloc::vec![job_id.into_value(), hash.into_value(), valid_until.into_value()]
        };
        let (kind, table, values) = match self {
            Self::Sent { job_id, hash, valid_until } => {
                (StepType::Sent, &SENT, operation(job_id, hash, valid_until))
            }
            Self::Replaced { job_id, hash, valid_until } => {
                (StepType::Replaced, &REPLACED, operation(job_id, hash, valid_until))
            }
            Self::Answered(reply) => {
                (StepType::Answered, &ANSWERED, alloc::vec![reply.into_value()])
            }
            Self::BrokenOff => (StepType::BrokenOff, &BROKEN_OFF, Vec::new()),
            Self::Receipt(receipt) => {
                (StepType::Receipt, &RECEIPT, alloc::vec![Nullable(receipt).into_value()])
            }
            Self::Nonce { used, now } => {
                (StepType::Nonce, &NONCE, alloc::vec![used.into_value(), now.into_value()])
            }
        };

        let values = core::iter::once(kind.into_value()).chain(values).collect();
        Value::Record(values, table)
    }
}

traits!(SubmissionStep: read, write, serialize, schema);
