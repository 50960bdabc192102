//! The next action of a program with a submission.

use super::{Replaced, Submission, SubmissionPhase};
use crate::user_op::RefusalNext;
use crate::value::keyword;

keyword! {
    /// What a program does next with a submission.
    ///
    /// ```
    /// use sendoff::submission::{Submission, SubmissionNext};
    ///
    /// assert_eq!(Submission::next(None, None), SubmissionNext::Prepare);
    /// ```
    pub enum SubmissionNext: "`prepare`, `send`, `replace`, `ask` or `end`" {
        /// Request an estimate for the job, check it, show it and sign it. Then send it: by the step `sent` if there is no
        /// state, else by `replaced`.
        "prepare" => Prepare,
        /// Send the same operation again, by the step `sent`.
        "send" => Send,
        /// Prepare an operation with higher fees ([`replacement_fees`](crate::user_op::replacement_fees)), and send it by
        /// the step `replaced`.
        "replace" => Replace,
        /// Ask for the receipts and the nonce.
        "ask" => Ask,
        /// Nothing: the job was executed, or cannot be executed any more.
        "end" => End,
    }
}

keyword! {
    /// What came last, before a program asks for its next action: the questions were asked in vain, or a bundler refused
    /// the operation ([`RefusalNext`](crate::user_op::RefusalNext)).
    ///
    /// ```
    /// use sendoff::submission::SubmissionLast;
    ///
    /// assert_eq!(SubmissionLast::Asked.as_str(), "asked");
    /// ```
    pub enum SubmissionLast: "`asked`, `vain`, `change`, `later`, `replace` or `ask`" {
        /// There is no receipt, and the nonce is not used or not known.
        "asked" => Asked,
        /// The same several times in a row (`flow` counts three), or a finalized block says that the nonce is unused: what a
        /// bundler accepted may be lost, and is sent again.
        "vain" => Vain,
        /// The bundler will refuse this operation again.
        "change" => Change,
        /// The bundler may take this operation later.
        "later" => Later,
        /// The bundler takes an operation with higher fees only.
        "replace" => Replace,
        /// The operation may have been executed.
        "ask" => Ask,
    }
}

impl From<RefusalNext> for SubmissionLast {
    fn from(next: RefusalNext) -> Self {
        match next {
            RefusalNext::Change => Self::Change,
            RefusalNext::Later => Self::Later,
            RefusalNext::Replace => Self::Replace,
            RefusalNext::Ask => Self::Ask,
        }
    }
}

impl Submission {
    /// Returns the next action of a program with this submission: its loop after a signature. It only allows what the
    /// verdict of the phase allows, and never another job: that is the program's decision after
    /// [`SubmissionVerdict::NewJob`](super::SubmissionVerdict::NewJob).
    ///
    /// The program asks before it sends anything again, so an operation that was executed is not sent twice without need. It
    /// waits before it asks or sends again; how long is its own decision. An operation that was accepted is sent again after
    /// [`SubmissionLast::Vain`] alone.
    ///
    /// ```
    /// use sendoff::submission::{Submission, SubmissionLast, SubmissionNext};
    ///
    /// let state: Submission = r#"{"jobId":"e4fb7f8b-d19d-4785-94af-4b911469a3b0","phase":"unknown",
    ///     "hash":"0x2941e29d31ed4583cf2b19591d761fe3212307d5d3b7d7133b3121caca712beb"}"#.parse()?;
    /// assert_eq!(Submission::next(Some(&state), None), SubmissionNext::Ask);
    /// assert_eq!(Submission::next(Some(&state), Some(SubmissionLast::Asked)), SubmissionNext::Send);
    /// assert_eq!(Submission::next(Some(&state), Some(SubmissionLast::Change)), SubmissionNext::Prepare);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[must_use]
    pub fn next(state: Option<&Self>, last: Option<SubmissionLast>) -> SubmissionNext {
        use SubmissionLast as Last;
        use SubmissionPhase::{Accepted, Expired, Failed, Refused, Sent, Succeeded, Unknown};

        let Some(Self { phase, replaced, .. }) = state else { return SubmissionNext::Prepare };
        let is_full = replaced.as_slice().len() >= Replaced::MAX;

        match (phase, last) {
            (Succeeded | Failed | Expired, _) => SubmissionNext::End,
            (Sent | Refused | Unknown | Accepted, None | Some(Last::Ask)) => SubmissionNext::Ask,
            (Accepted, Some(Last::Vain)) => SubmissionNext::Send,
            (Accepted, Some(Last::Asked | Last::Later | Last::Change | Last::Replace)) => {
                SubmissionNext::Ask
            }
            (Sent | Refused | Unknown, Some(Last::Asked | Last::Vain | Last::Later)) => {
                SubmissionNext::Send
            }
            // No more operations of this job can be sent.
            (Sent | Refused | Unknown, Some(Last::Change | Last::Replace)) if is_full => {
                SubmissionNext::Ask
            }
            (Sent | Refused | Unknown, Some(Last::Change)) => SubmissionNext::Prepare,
            (Sent | Refused | Unknown, Some(Last::Replace)) => SubmissionNext::Replace,
        }
    }
}
