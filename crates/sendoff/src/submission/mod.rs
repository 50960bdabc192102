//! Submissions: retries and replacements of an operation, and when a program may make another job.
//!
//! All operations of a job share one sender and one nonce, so the chain executes at most one of
//! them, however many are sent and however often. An intent is only executed twice if a program
//! makes a second job for it, because the first one seemed to fail. A [`Submission`] is the state
//! that a program keeps to avoid that. It is plain data, like the window of a rate limit:
//! [`advance`] takes it and a [`SubmissionStep`], and returns the next state and a
//! [`SubmissionVerdict`].
//!
//! A verdict speaks of the chain. A service that refuses an operation has its signature, and so has
//! everybody who saw it: until it expires, each of them can have it executed.
//!
//! - Keep one state for each **intent**, not for each job, and write it by compare-and-swap: read it, take the step, and
//!   write the new state only if the stored one is still the one that you read. If it is another one, read it again, and drop
//!   your step if the state is of another job. Two tabs or processes then cannot make two jobs.
//! - Take the step [`SubmissionStep::Sent`] before the request goes out. Send only after the new state is stored, and only if
//!   the verdict is [`SubmissionVerdict::MayHaveHappened`].
//! - Then take the step [`SubmissionStep::Answered`] with the service's reply, or the step of a bundler's answer
//!   ([`SubmissionStep::accepted`], or [`From`] its error). Take [`SubmissionStep::BrokenOff`] after a timeout, a lost connection, a body that is not a reply, or a restart that finds the state `sent`.
//! - To change an operation (more gas, a new grant of the paymaster), take [`SubmissionStep::Replaced`] with another operation
//!   **of the same job**, and send that one. The state keeps all hashes, and a receipt of any of them settles the job.
//! - To learn what happened, ask a bundler for the receipt of each hash ([`SubmissionStep::Receipt`]), and a chain node of your
//!   own for the nonce ([`SubmissionStep::Nonce`], [`NonceAnswer`](crate::user_op::NonceAnswer)).
//! - Make a new job only if the verdict is [`SubmissionVerdict::NewJob`]: a finalized block that is later than the end of
//!   every operation of the job says that the nonce is unused. If an operation has no end that the account or the paymaster
//!   enforces, there is never a new job; replace the operation until one is executed.
//!
//! ```
//! use sendoff::submission::{SubmissionStep, SubmissionVerdict, advance};
//!
//! let job_id = "e4fb7f8b-d19d-4785-94af-4b911469a3b0".parse()?;
//! let hash = "0x2941e29d31ed4583cf2b19591d761fe3212307d5d3b7d7133b3121caca712beb".parse()?;
//! let valid_until = Some(1_747_710_819.try_into()?);
//! let first = advance(None, &SubmissionStep::Sent { job_id, hash, valid_until })?;
//! assert_eq!(first.verdict, SubmissionVerdict::MayHaveHappened);
//!
//! // The service refuses it. It has the signature all the same, so the same job gets a replacement.
//! let reply = r#"{"status":"error","error":{"code":400,"message":"gas too low"}}"#.parse()?;
//! let refused = advance(Some(first.state), &SubmissionStep::Answered(reply))?;
//! assert_eq!(refused.verdict, SubmissionVerdict::MayBeSent);
//! let hash = "0x07f1c6cdb8b8a3a0a9a4c1a5bd1d2b2a5d2e7c8f1f0e9d8c7b6a594837261504".parse()?;
//! let replaced = advance(Some(refused.state), &SubmissionStep::Replaced { job_id, hash, valid_until })?;
//! assert_eq!(replaced.verdict, SubmissionVerdict::MayHaveHappened);
//!
//! // Another job is safe once the chain says that neither can be executed any more.
//! let unused = SubmissionStep::Nonce { used: false, now: 1_747_710_820.try_into()? };
//! let expired = advance(Some(replaced.state), &unused)?;
//! assert_eq!(expired.verdict, SubmissionVerdict::NewJob);
//! # Ok::<(), sendoff::error::Error>(())
//! ```

mod phase;
mod replaced;
mod step;
mod advance;
mod next;

pub use advance::advance;
pub use next::{SubmissionLast, SubmissionNext};
pub use phase::{SubmissionPhase, SubmissionVerdict};
pub use replaced::Replaced;
pub use step::SubmissionStep;

use alloc::vec::Vec;

use crate::document::{Field, Parts, document};
use crate::error::{Issues, Path};
use crate::value::{JobId, Word, bounded};

document! {
    /// The state of a job that is sent: the hashes of its operations, its phase, and when it ends.
    ///
    /// A job that was never sent has no state: `None`, or `null` in JSON. A state of three fields is one without
    /// replacements and without an end.
    ///
    /// ```
    /// use sendoff::submission::{SubmissionPhase, Submission};
    ///
    /// let state: Submission = r#"{
    ///     "jobId": "e4fb7f8b-d19d-4785-94af-4b911469a3b0",
    ///     "hash": "0x2941e29d31ed4583cf2b19591d761fe3212307d5d3b7d7133b3121caca712beb",
    ///     "phase": "unknown"
    /// }"#.parse()?;
    /// assert_eq!(state.phase, SubmissionPhase::Unknown);
    /// assert!(state.replaced.as_slice().is_empty());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct Submission: "a submission, an object of `jobId`, `hash` and `phase`", checked by check_submission {
        /// The job.
        "jobId" => pub job_id: JobId,
        /// The hash of its operation: the last one that was sent, or the one that was executed.
        "hash" => pub hash: Word,
        /// The phase.
        "phase" => pub phase: SubmissionPhase,
        /// The hashes of its other operations that were sent, at most 16.
        "replaced" => pub replaced: Replaced,
        /// The greatest end of all its operations, in seconds since the epoch; absent if one of them has no end.
        "validUntil" => pub valid_until: Option<ValidUntil>,
    }
}

bounded! {
    /// The time after which the chain executes no operation of a job, in seconds since the epoch, from 1 to 2^48−1.
    ///
    /// ```
    /// use sendoff::submission::ValidUntil;
    ///
    /// assert_eq!(ValidUntil::new(1_747_710_819).map(ValidUntil::value), Ok(1_747_710_819));
    /// assert!(ValidUntil::new(0).is_err());
    /// ```
    pub struct ValidUntil: "seconds since the epoch, an integer from 1 to 2^48−1", 1, (1 << 48) - 1
}

const HASH: Field<Submission, Word> = Field::of("hash");
const REPLACED: Field<Submission, Replaced> = Field::of("replaced");

/// No hash is in the list twice, and none is the state's.
fn check_submission(submission: Parts<'_, Submission>, at: &Path<'_>, issues: &mut Issues) {
    let Some(replaced) = submission.items(REPLACED) else { return };
    let replaced: Vec<_> = replaced.into_iter().map(Parts::whole).collect();
    let at = Path::Field(at, REPLACED.path());
    Replaced::check_among(&replaced, submission.get(HASH), &at, issues);
}

document! {
    /// A submission after a step: `{state, verdict}` in JSON.
    pub struct SubmissionProgress: "", open Ignored, displayed by nobody {
        /// The state to keep.
        "state" => pub state: Submission,
        /// What the program may do next.
        "verdict" => pub verdict: SubmissionVerdict,
    }
}
