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

/// The next phase, by what happened.
impl SubmissionPhase {
    /// The same operation is about to be sent.
    pub(super) const fn after_same(self) -> Self {
        match self {
            Self::Refused => Self::Sent,
            // An earlier try was not answered, or the bundler lost what it accepted.
            Self::Sent | Self::Unknown | Self::Accepted => Self::Unknown,
            Self::Succeeded | Self::Failed | Self::Expired => self,
        }
    }

    /// Another operation is about to be sent; `None` if that is too late.
    pub(super) const fn after_replacement(self) -> Option<Self> {
        match self {
            Self::Refused | Self::Sent | Self::Unknown | Self::Accepted => Some(self.after_same()),
            Self::Succeeded | Self::Failed | Self::Expired => None,
        }
    }

    /// The service accepted an operation.
    pub(super) const fn after_acceptance(self) -> Self {
        match self {
            Self::Refused | Self::Sent | Self::Unknown | Self::Accepted => Self::Accepted,
            Self::Succeeded | Self::Failed | Self::Expired => self,
        }
    }

    /// The service refused a try.
    pub(super) const fn after_refusal(self) -> Self {
        match self {
            Self::Sent => Self::Refused,
            // It does not settle an earlier try.
            Self::Refused | Self::Unknown | Self::Accepted => self,
            Self::Succeeded | Self::Failed | Self::Expired => self,
        }
    }

    /// A try ended without an answer that settles it.
    pub(super) const fn after_no_answer(self) -> Self {
        match self {
            Self::Sent => Self::Unknown,
            Self::Refused | Self::Unknown | Self::Accepted => self,
            Self::Succeeded | Self::Failed | Self::Expired => self,
        }
    }

    /// The bundler has no receipt of the state's hash.
    pub(super) const fn after_no_receipt(self) -> Self {
        match self {
            Self::Refused | Self::Sent | Self::Unknown | Self::Accepted | Self::Expired => self,
            // A reorganisation took the receipt back, or the bundler forgot it.
            Self::Succeeded | Self::Failed => Self::Unknown,
        }
    }

    /// A finalized block says that the nonce is used.
    pub(super) const fn after_use_of_nonce(self) -> Self {
        match self {
            Self::Refused | Self::Sent | Self::Unknown | Self::Accepted => Self::Accepted,
            Self::Succeeded | Self::Failed => self,
            Self::Expired => Self::Accepted,
        }
    }

    /// A finalized block says that the nonce is not used. `is_over` if it is later than the end of all operations.
    pub(super) const fn after_unused_nonce(self, is_over: bool) -> Self {
        match self {
            Self::Refused | Self::Sent | Self::Unknown | Self::Accepted if is_over => Self::Expired,
            Self::Refused | Self::Sent | Self::Unknown | Self::Expired => self,
            // The bundler lost what it accepted, or the receipt was of a block that is not part of the chain.
            Self::Accepted | Self::Succeeded | Self::Failed => Self::Unknown,
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
