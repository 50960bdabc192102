//! Submissions: whether an operation may be sent again after its connection broke.
//!
//! An operation and its job share one nonce, so the chain executes an operation at most once, however often it is sent.
//! An intent is only executed twice if a program makes a second job for it, because the first one seemed to fail. A
//! [`Submission`] is the state that a program keeps of a job to avoid that. It is plain data, like the window of a rate
//! limit: [`advance`] takes it and a [`SubmissionStep`], and returns the next state and a [`SubmissionVerdict`].
//!
//! - Take the step [`SubmissionStep::Sent`] before the request goes out, and keep the state that it returns. Send only if the
//!   verdict is [`SubmissionVerdict::MayHaveHappened`].
//! - Then take the step [`SubmissionStep::Answered`] with the service's reply. Take [`SubmissionStep::BrokenOff`] after a
//!   timeout, a lost connection, a body that is not a reply, or a restart that finds the state `sent`.
//! - If it may have been executed, ask for the receipt ([`SubmissionStep::Receipt`]), or send the same operation again. Neither can
//!   execute it twice. A new job can.
//! - If it must not be sent, the job has ended. `failed` is final too: the nonce is used.
//!
//! The same job with another hash is a conflict: two operations were made for one intent, and the chain may execute
//! either.
//!
//! ```
//! use sendoff::submission::{SubmissionStep, SubmissionVerdict, advance};
//!
//! let hash = "0x2941e29d31ed4583cf2b19591d761fe3212307d5d3b7d7133b3121caca712beb";
//! let sent = SubmissionStep::Sent { job_id: "e4fb7f8b-d19d-4785-94af-4b911469a3b0".parse()?, hash: hash.parse()? };
//! let first = advance(None, &sent)?;
//! assert_eq!(first.verdict, SubmissionVerdict::MayHaveHappened);
//!
//! // No answer: the same operation may be sent again, and its second try is answered.
//! let broken_off = advance(Some(first.state), &SubmissionStep::BrokenOff)?;
//! let again = advance(Some(broken_off.state), &sent)?;
//! let reply = r#"{"status":"success","data":{"jobId":"e4fb7f8b-d19d-4785-94af-4b911469a3b0"}}"#.parse()?;
//! let answered = advance(Some(again.state), &SubmissionStep::Answered(reply))?;
//! assert_eq!(answered.verdict, SubmissionVerdict::MustNotBeSent);
//! # Ok::<(), sendoff::error::Error>(())
//! ```

mod step;

pub use step::SubmissionStep;

use alloc::format;

use crate::document::{answer, document};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::service::Reply;
use crate::user_op::UserOpOutcome;
use crate::value::{JobId, Word, keyword};

document! {
    /// The state of a job that is sent: the operation's hash and its phase.
    ///
    /// A job that was never sent has no state: `None`, or `null` in JSON.
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
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct Submission: "a submission, an object of `jobId`, `hash` and `phase`" {
        /// The job.
        "jobId" => pub job_id: JobId,
        /// The hash of its operation.
        "hash" => pub hash: Word,
        /// The phase.
        "phase" => pub phase: SubmissionPhase,
    }
}

keyword! {
    /// The phase of a submission.
    ///
    /// ```
    /// use sendoff::submission::{SubmissionPhase, SubmissionVerdict};
    ///
    /// assert_eq!(SubmissionPhase::Refused.verdict(), SubmissionVerdict::MayBeSent);
    /// ```
    pub enum SubmissionPhase: "`sent`, `refused`, `unknown`, `accepted`, `succeeded` or `failed`" {
        /// One try is in progress. Every earlier try was refused.
        "sent" => Sent,
        /// The service refused every try.
        "refused" => Refused,
        /// At least one try ended without an answer that settles it.
        "unknown" => Unknown,
        /// The service accepted it.
        "accepted" => Accepted,
        /// Its receipt says that the account's call was executed.
        "succeeded" => Succeeded,
        /// Its receipt says that the account's call reverted. The nonce is used.
        "failed" => Failed,
    }
}

impl SubmissionPhase {
    /// Returns the verdict of this phase for another try.
    #[must_use]
    pub const fn verdict(self) -> SubmissionVerdict {
        match self {
            Self::Refused => SubmissionVerdict::MayBeSent,
            Self::Sent | Self::Unknown => SubmissionVerdict::MayHaveHappened,
            Self::Accepted | Self::Succeeded | Self::Failed => SubmissionVerdict::MustNotBeSent,
        }
    }
}

keyword! {
    /// Whether an operation may be sent again.
    ///
    /// ```
    /// use sendoff::submission::SubmissionVerdict;
    ///
    /// assert_eq!(SubmissionVerdict::MayHaveHappened.as_str(), "mayHaveHappened");
    /// ```
    pub enum SubmissionVerdict: "`mayBeSent`, `mustNotBeSent`, `mayHaveHappened` or `conflict`" {
        /// The operation was not executed, and no try is in progress.
        "mayBeSent" => MayBeSent,
        /// The service accepted it, or the chain executed it.
        "mustNotBeSent" => MustNotBeSent,
        /// A try is in progress or ended without an answer. The same operation may be sent again. Make no new job for
        /// the same intent before there is a receipt.
        "mayHaveHappened" => MayHaveHappened,
        /// Another operation was sent for this job. The state is unchanged; do not send this one.
        "conflict" => Conflict,
    }
}

answer! {
    /// A submission after a step: `{state, verdict}` in JSON.
    pub struct SubmissionProgress {
        /// The state to keep.
        "state" => pub state: Submission,
        /// Whether the operation may be sent again.
        "verdict" => pub verdict: SubmissionVerdict,
    }
}

/// Returns the submission after a step.
///
/// # Errors
///
/// `rule` at `step.type` for any step before `sent`, at `step.jobId` for another job than the state's.
pub fn advance(state: Option<Submission>, step: &SubmissionStep) -> Result<SubmissionProgress, Error> {
    let mut issues = Issues::default();
    let progress = read_step(state, step, &mut issues);
    issues.or(progress)
}

fn read_step(state: Option<Submission>, step: &SubmissionStep, issues: &mut Issues) -> Option<SubmissionProgress> {
    let at = Path::Field(&Path::Root, "step");
    let state = match (state, step) {
        (None, SubmissionStep::Sent { job_id, hash }) => {
            Submission { job_id: *job_id, hash: *hash, phase: SubmissionPhase::Sent }
        }
        (None, other) => {
            let message = format!("expected the step `sent` first, found `{}`", other.kind());
            issues.push(&Path::Field(&at, "type"), IssueCode::Rule, message);
            return None;
        }
        (Some(state), SubmissionStep::Sent { job_id, .. }) if state.job_id != *job_id => {
            let message = format!("expected the state's job {}, found {job_id}", state.job_id);
            issues.push(&Path::Field(&at, "jobId"), IssueCode::Rule, message);
            return None;
        }
        (Some(state), SubmissionStep::Sent { hash, .. }) if state.hash != *hash => {
            return Some(SubmissionProgress { state, verdict: SubmissionVerdict::Conflict });
        }
        (Some(state), step) => Submission { phase: next(&state, step), ..state },
    };
    let verdict = state.phase.verdict();
    Some(SubmissionProgress { state, verdict })
}

/// The phase after a step of this submission.
fn next(state: &Submission, step: &SubmissionStep) -> SubmissionPhase {
    match (state.phase, step) {
        // A receipt overrides everything known before: a reorganised chain may even take back an earlier one.
        (phase, SubmissionStep::Receipt(receipt)) => {
            match receipt.as_ref().map(|receipt| receipt.outcome(state.hash)) {
                Some(UserOpOutcome::Succeeded { .. }) => SubmissionPhase::Succeeded,
                Some(UserOpOutcome::Failed { .. }) => SubmissionPhase::Failed,
                Some(UserOpOutcome::Other) | None => phase,
            }
        }
        (phase @ (SubmissionPhase::Accepted | SubmissionPhase::Succeeded | SubmissionPhase::Failed), _) => phase,
        (_, SubmissionStep::Answered(Reply::Success { .. })) => SubmissionPhase::Accepted,
        (SubmissionPhase::Refused, SubmissionStep::Sent { .. }) => SubmissionPhase::Sent,
        // The earlier try was not answered.
        (SubmissionPhase::Sent | SubmissionPhase::Unknown, SubmissionStep::Sent { .. }) => SubmissionPhase::Unknown,
        (SubmissionPhase::Sent, SubmissionStep::Answered(Reply::Error(error))) if refuses(error.code) => {
            SubmissionPhase::Refused
        }
        (SubmissionPhase::Sent | SubmissionPhase::Unknown, SubmissionStep::Answered(_) | SubmissionStep::BrokenOff) => {
            SubmissionPhase::Unknown
        }
        // No try is in progress.
        (SubmissionPhase::Refused, SubmissionStep::Answered(_) | SubmissionStep::BrokenOff) => SubmissionPhase::Refused,
    }
}

/// Returns `true` if an error with this code says that the request was not carried out. A conflict (409) may be a
/// conflict with the same operation, and a timeout (408) means that the try broke off.
const fn refuses(code: i64) -> bool {
    matches!(code, 400..=499) && code != 408 && code != 409
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    const JOB: &str = "e4fb7f8b-d19d-4785-94af-4b911469a3b0";
    const HASH: &str = "0x2941e29d31ed4583cf2b19591d761fe3212307d5d3b7d7133b3121caca712beb";

    fn sent() -> SubmissionStep {
        SubmissionStep::Sent { job_id: JOB.parse().unwrap(), hash: HASH.parse().unwrap() }
    }

    fn answered(code: Option<i64>) -> SubmissionStep {
        SubmissionStep::Answered(match code {
            None => r#"{"status":"success","data":{}}"#.parse().unwrap(),
            Some(code) => format!(r#"{{"status":"error","error":{{"code":{code},"message":"no"}}}}"#).parse().unwrap(),
        })
    }

    fn receipt(hash: &str, success: bool) -> SubmissionStep {
        let receipt =
            format!(r#"{{"userOpHash":"{hash}","success":{success},"actualGasCost":"0x1","actualGasUsed":"0x1"}}"#);
        SubmissionStep::Receipt(Some(receipt.parse().unwrap()))
    }

    fn through(steps: &[SubmissionStep]) -> Vec<SubmissionPhase> {
        let mut state = None;
        let phases = steps.iter().map(|step| {
            let progress = advance(state.take(), step).unwrap();
            assert_eq!(progress.verdict, progress.state.phase.verdict());
            let phase = progress.state.phase;
            state = Some(progress.state);
            phase
        });
        phases.collect()
    }

    #[test]
    fn a_try_that_is_answered_is_settled() {
        assert_eq!(through(&[sent(), answered(None)]), [SubmissionPhase::Sent, SubmissionPhase::Accepted]);
        for code in [400, 401, 404, 422, 429] {
            let phases = through(&[sent(), answered(Some(code)), sent(), answered(None)]);
            assert_eq!(
                phases,
                [SubmissionPhase::Sent, SubmissionPhase::Refused, SubmissionPhase::Sent, SubmissionPhase::Accepted],
                "{code}"
            );
        }
        for code in [500, 502, 503, 408, 409, 200, 0, -32603] {
            assert_eq!(
                through(&[sent(), answered(Some(code))]),
                [SubmissionPhase::Sent, SubmissionPhase::Unknown],
                "{code}"
            );
        }
    }

    #[test]
    fn a_refusal_does_not_settle_an_earlier_try() {
        let steps = [sent(), SubmissionStep::BrokenOff, sent(), answered(Some(429))];
        assert_eq!(
            through(&steps),
            [SubmissionPhase::Sent, SubmissionPhase::Unknown, SubmissionPhase::Unknown, SubmissionPhase::Unknown]
        );
        // A second try while the first is in progress: one refusal settles only one of them.
        assert_eq!(
            through(&[sent(), sent(), answered(Some(400))]),
            [SubmissionPhase::Sent, SubmissionPhase::Unknown, SubmissionPhase::Unknown]
        );
        assert_eq!(through(&[sent(), sent(), answered(None)])[2], SubmissionPhase::Accepted);
    }

    #[test]
    fn final_phases_stay() {
        for (success, phase) in [(true, SubmissionPhase::Succeeded), (false, SubmissionPhase::Failed)] {
            let steps = [
                sent(),
                receipt(HASH, success),
                sent(),
                SubmissionStep::BrokenOff,
                answered(Some(429)),
                SubmissionStep::Receipt(None),
            ];
            assert_eq!(through(&steps)[1..], [phase; 5]);
        }
        assert_eq!(through(&[sent(), receipt(HASH, false), receipt(HASH, true)])[2], SubmissionPhase::Succeeded);
        let other = receipt(&HASH.replace("2beb", "2bec"), true);
        assert_eq!(through(&[sent(), other, SubmissionStep::Receipt(None)]), [SubmissionPhase::Sent; 3]);
    }

    #[test]
    fn the_same_job_with_another_hash_is_a_conflict() {
        let hash = HASH.replace("2beb", "2bec").parse().unwrap();
        let other = SubmissionStep::Sent { job_id: JOB.parse().unwrap(), hash };
        for before in [SubmissionStep::BrokenOff, answered(None), answered(Some(429)), receipt(HASH, false)] {
            let state = advance(Some(advance(None, &sent()).unwrap().state), &before).unwrap().state;
            let progress = advance(Some(state.clone()), &other).unwrap();
            assert_eq!(progress, SubmissionProgress { state, verdict: SubmissionVerdict::Conflict });
        }
        // Hashes and job ids compare by meaning.
        let upper = HASH.to_ascii_uppercase().replace("0X", "0x").parse().unwrap();
        let same = SubmissionStep::Sent { job_id: JOB.to_ascii_uppercase().parse().unwrap(), hash: upper };
        assert_eq!(through(&[sent(), answered(Some(429)), same])[2], SubmissionPhase::Sent);
    }

    #[test]
    fn other_steps_need_a_sent_one_first() {
        let place = |result: Result<SubmissionProgress, Error>| {
            let issue = result.unwrap_err().into_issues().remove(0);
            (issue.path, issue.code)
        };
        for step in [SubmissionStep::BrokenOff, answered(None), SubmissionStep::Receipt(None)] {
            assert_eq!(place(advance(None, &step)), ("step.type".into(), IssueCode::Rule));
        }
        let state = advance(None, &sent()).unwrap().state;
        let job_id = "00000000-0000-4000-8000-000000000000".parse().unwrap();
        let step = SubmissionStep::Sent { job_id, hash: HASH.parse().unwrap() };
        assert_eq!(place(advance(Some(state), &step)), ("step.jobId".into(), IssueCode::Rule));
    }
}
