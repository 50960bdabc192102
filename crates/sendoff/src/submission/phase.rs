//! The phase of a submission, and its verdict.

use crate::value::keyword;

keyword! {
    /// The phase of a submission.
    ///
    /// ```
    /// use sendoff::submission::{SubmissionPhase, SubmissionVerdict};
    ///
    /// assert_eq!(SubmissionPhase::Refused.verdict(), SubmissionVerdict::MayBeSent);
    /// assert_eq!(SubmissionPhase::Expired.verdict(), SubmissionVerdict::NewJob);
    /// ```
    pub enum SubmissionPhase: "`sent`, `refused`, `unknown`, `accepted`, `succeeded`, `failed` or `expired`" {
        /// One try is in progress. The service refused every earlier try.
        "sent" => Sent,
        /// The service said that it refused every try. The chain can still execute each operation that was sent.
        "refused" => Refused,
        /// At least one try ended without an answer that settles it.
        "unknown" => Unknown,
        /// The service said that it accepted an operation, or the nonce is used.
        "accepted" => Accepted,
        /// A receipt says that the account's call was executed.
        "succeeded" => Succeeded,
        /// A receipt says that the account's call reverted, and that the nonce is used.
        "failed" => Failed,
        /// A finalized block says that no operation of the job was executed, and that none can be executed any more.
        "expired" => Expired,
    }
}

/// What is learnt about the operations of a job.
#[derive(Clone, Copy)]
pub(super) enum Event {
    /// The same operation is about to be sent.
    Same,
    /// The service accepted an operation.
    Acceptance,
    /// The service refused a try.
    Refusal,
    /// A try ended without an answer that settles it.
    NoAnswer,
    /// The bundler has no receipt of the state's hash.
    NoReceipt,
    /// A finalized block says that the nonce is used.
    UsedNonce,
    /// A finalized block says that the nonce is not used. `is_over` if it is later than the end of all operations.
    UnusedNonce { is_over: bool },
}

impl SubmissionPhase {
    /// The next phase, by what happened.
    pub(super) const fn after(self, event: Event) -> Self {
        use Event::{Acceptance, NoAnswer, NoReceipt, Refusal, Same, UnusedNonce, UsedNonce};
        use SubmissionPhase::{Accepted, Expired, Failed, Refused, Sent, Succeeded, Unknown};

        match (event, self) {
            (Same, Refused) => Sent,
            // An earlier try was not answered, or the bundler lost what it accepted.
            (Same, Sent | Unknown | Accepted) => Unknown,
            (Acceptance | UsedNonce, Refused | Sent | Unknown | Accepted) => Accepted,
            (UsedNonce, Expired) => Accepted,
            (UsedNonce, Succeeded | Failed) => self,

            (Refusal, Sent) => Refused,
            (NoAnswer, Sent) => Unknown,
            // A refusal does not settle an earlier try.
            (Refusal | NoAnswer, Refused | Unknown | Accepted) => self,
            (Same | Acceptance | Refusal | NoAnswer, Succeeded | Failed | Expired) => self,

            // A reorganisation took the receipt back, or the bundler forgot it.
            (NoReceipt, Succeeded | Failed) => Unknown,
            (NoReceipt, Refused | Sent | Unknown | Accepted | Expired) => self,

            (UnusedNonce { is_over: true }, Refused | Sent | Unknown | Accepted) => Expired,
            // The bundler lost what it accepted, or the receipt was of a block that is not part of the chain.
            (UnusedNonce { .. }, Accepted | Succeeded | Failed) => Unknown,
            (UnusedNonce { .. }, Refused | Sent | Unknown | Expired) => self,
        }
    }

    /// `true` if another operation of the job may still be executed.
    pub(super) const fn is_open(self) -> bool {
        match self {
            Self::Refused | Self::Sent | Self::Unknown | Self::Accepted => true,
            Self::Succeeded | Self::Failed | Self::Expired => false,
        }
    }

    /// Returns the verdict of this phase.
    #[must_use]
    pub const fn verdict(self) -> SubmissionVerdict {
        match self {
            Self::Refused => SubmissionVerdict::MayBeSent,
            Self::Sent | Self::Unknown | Self::Accepted => SubmissionVerdict::MayHaveHappened,
            Self::Succeeded | Self::Failed => SubmissionVerdict::MustNotBeSent,
            Self::Expired => SubmissionVerdict::NewJob,
        }
    }
}

keyword! {
    /// What a program may do next. A verdict speaks of the chain, and never repeats what the service says about it.
    ///
    /// ```
    /// use sendoff::submission::SubmissionVerdict;
    ///
    /// assert_eq!(SubmissionVerdict::MayHaveHappened.as_str(), "mayHaveHappened");
    /// ```
    pub enum SubmissionVerdict: "`mayBeSent`, `mustNotBeSent`, `mayHaveHappened`, `conflict` or `newJob`" {
        /// No try is open. The chain can still execute every operation that was sent. Send the same operation or a
        /// replacement; make no new job.
        "mayBeSent" => MayBeSent,
        /// The chain executed an operation. Only ask for the receipt and the nonce.
        "mustNotBeSent" => MustNotBeSent,
        /// A try is open, or was accepted, or ended without an answer. Send the same operation or a replacement; make no new
        /// job.
        "mayHaveHappened" => MayHaveHappened,
        /// The step is of another operation than the job's, or comes after the job's end. The state is unchanged. Do not
        /// send this operation; only ask for the receipt and the nonce.
        "conflict" => Conflict,
        /// No operation of this job was executed, and none can be executed any more. Only this verdict allows another job
        /// for the same intent.
        "newJob" => NewJob,
    }
}
