//! The steps of a submission.

use crate::document::{
    Choice, Fields, Is, Nullable, Record, Recorded, Row, Said, Shown, Table, Valued, traits,
};
use crate::http::{ErrorReply, Reply, ServiceReply};
use crate::user_op::{BundlerError, Seconds, UserOpReceipt};
use crate::value::{JobId, Opaque, Word, keyword};

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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
        Self::Answered(Reply::Success { data: Opaque::null() })
    }

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

impl Shown for SubmissionStep {
    const SHAPE: Is = Is::Choice(&STEP);

    fn record(&self) -> Record {
        let record = |table| Record::of(table).with(&self.kind());
        match self {
            Self::Sent { job_id, hash, valid_until } => {
                record(&SENT).with(job_id).with(hash).with(valid_until)
            }
            Self::Replaced { job_id, hash, valid_until } => {
                record(&REPLACED).with(job_id).with(hash).with(valid_until)
            }
            Self::Answered(reply) => record(&ANSWERED).with(reply),
            Self::BrokenOff => record(&BROKEN_OFF),
            Self::Receipt(receipt) => record(&RECEIPT).with(&Nullable(receipt.clone())),
            Self::Nonce { used, now } => record(&NONCE).with(used).with(now),
        }
    }
}

impl Recorded for SubmissionStep {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        Some(match fields.next()? {
            StepType::Sent => Self::Sent {
                job_id: fields.next()?,
                hash: fields.next()?,
                valid_until: fields.next()?,
            },
            StepType::Replaced => Self::Replaced {
                job_id: fields.next()?,
                hash: fields.next()?,
                valid_until: fields.next()?,
            },
            StepType::Answered => Self::Answered(fields.next()?),
            StepType::BrokenOff => Self::BrokenOff,
            StepType::Receipt => Self::Receipt(fields.next()?),
            StepType::Nonce => Self::Nonce { used: fields.next()?, now: fields.next()? },
        })
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

traits!(SubmissionStep: read, write, serialize, schema);
