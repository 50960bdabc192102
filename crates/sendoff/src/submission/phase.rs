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

impl SubmissionPhase {
    /// Returns the verdict of this phase.
    #[must_use]
    pub const fn verdict(self) -> SubmissionVerdict {
        match self {
            Self::Refused => SubmissionVerdict::MayBeSent,
            Self::Sent | Self::Unknown => SubmissionVerdict::MayHaveHappened,
            Self::Accepted | Self::Succeeded | Self::Failed => SubmissionVerdict::MustNotBeSent,
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
        /// The service accepted an operation, or the chain executed one. Only ask for the receipt and the nonce.
        "mustNotBeSent" => MustNotBeSent,
        /// A try is open, or ended without an answer. Send the same operation or a replacement; make no new job.
        "mayHaveHappened" => MayHaveHappened,
        /// The step is of another operation than the job's, or comes after the job's end. The state is unchanged. Do not
        /// send this operation; only ask for the receipt and the nonce.
        "conflict" => Conflict,
        /// No operation of this job was executed, and none can be executed any more. Only this verdict allows another job
        /// for the same intent.
        "newJob" => NewJob,
    }
}
