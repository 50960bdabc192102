//! Submissions: an operation is sent, the connection breaks; may it be sent again?
//!
//! An operation and its job share one nonce, so the chain executes an operation at most once, however often it is sent.
//! An intent is only executed twice if a program makes a second job for it, because the first one seemed to fail. A
//! [`Submission`] is the state that a program keeps of a job to avoid that. It is plain data, like the window of a rate
//! limit: [`advance`] takes it and a [`Step`], and returns the next state and a [`Verdict`].
//!
//! - Take the step [`Step::Sent`] before the request goes out, and keep the state that it returns. Send only if the
//!   verdict is [`Verdict::MayHaveHappened`].
//! - Then take the step [`Step::Answered`] with the service's reply, or [`Step::BrokenOff`] if there is none: time out,
//!   connection lost, a body that is no reply, or a restart that finds the state `sent`.
//! - If it may have happened, ask for the receipt ([`Step::Receipt`]), or send the same operation again. Neither can
//!   make it happen twice. A new job can.
//! - If it must not be sent, the job has ended. `failed` is final too: the nonce is used.
//!
//! The same job with another hash is a conflict: two operations were made for one intent, and the chain may execute
//! either.
//!
//! ```
//! use sendoff::submission::{Step, Verdict, advance};
//!
//! let hash = "0x2941e29d31ed4583cf2b19591d761fe3212307d5d3b7d7133b3121caca712beb";
//! let sent = Step::Sent { job_id: "e4fb7f8b-d19d-4785-94af-4b911469a3b0".parse()?, hash: hash.parse()? };
//! let first = advance(None, &sent)?;
//! assert_eq!(first.verdict, Verdict::MayHaveHappened);
//!
//! // No answer: the same operation may be sent again, and its second try is answered.
//! let broken_off = advance(Some(first.state), &Step::BrokenOff)?;
//! let again = advance(Some(broken_off.state), &sent)?;
//! let reply = r#"{"status":"success","data":{"jobId":"e4fb7f8b-d19d-4785-94af-4b911469a3b0"}}"#.parse()?;
//! let answered = advance(Some(again.state), &Step::Answered(reply))?;
//! assert_eq!(answered.verdict, Verdict::MustNotBeSent);
//! # Ok::<(), sendoff::error::Error>(())
//! ```

use alloc::format;
use core::str::FromStr;

use crate::document::{Node, Nullable, Object, Read, answer, document, read_document, schema, undivided};
use crate::error::{Code, Error, Issues, Path};
use crate::service::Reply;
use crate::user_op::{Outcome, Receipt};
use crate::value::{JobId, Word, keyword};

document! {
    /// The state of a job that is sent: the operation's hash and its phase.
    ///
    /// A job that was never sent has no state: `None`, or `null` in JSON.
    ///
    /// ```
    /// use sendoff::submission::{Phase, Submission};
    ///
    /// let state: Submission = r#"{
    ///     "jobId": "e4fb7f8b-d19d-4785-94af-4b911469a3b0",
    ///     "hash": "0x2941e29d31ed4583cf2b19591d761fe3212307d5d3b7d7133b3121caca712beb",
    ///     "phase": "unknown"
    /// }"#.parse()?;
    /// assert_eq!(state.phase, Phase::Unknown);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct Submission: "a submission, an object of `jobId`, `hash` and `phase`" {
        /// The job.
        "jobId" => pub job_id: JobId,
        /// The hash of its operation.
        "hash" => pub hash: Word,
        /// The phase.
        "phase" => pub phase: Phase,
    }
}

keyword! {
    /// The phase of a submission.
    ///
    /// ```
    /// use sendoff::submission::{Phase, Verdict};
    ///
    /// assert_eq!(Phase::Refused.verdict(), Verdict::MayBeSent);
    /// ```
    pub enum Phase as SubmissionPhase: "`sent`, `refused`, `unknown`, `accepted`, `succeeded` or `failed`" {
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

impl Phase {
    /// Returns the verdict of this phase for another try.
    #[must_use]
    pub const fn verdict(self) -> Verdict {
        match self {
            Self::Refused => Verdict::MayBeSent,
            Self::Sent | Self::Unknown => Verdict::MayHaveHappened,
            Self::Accepted | Self::Succeeded | Self::Failed => Verdict::MustNotBeSent,
        }
    }
}

keyword! {
    /// Whether an operation may be sent again.
    ///
    /// ```
    /// use sendoff::submission::Verdict;
    ///
    /// assert_eq!(Verdict::MayHaveHappened.as_str(), "mayHaveHappened");
    /// ```
    pub enum Verdict as SubmissionVerdict: "`mayBeSent`, `mustNotBeSent`, `mayHaveHappened` or `conflict`" {
        /// It did not happen, and no try is in progress.
        "mayBeSent" => MayBeSent,
        /// The service accepted it, or it has happened.
        "mustNotBeSent" => MustNotBeSent,
        /// A try is in progress or ended without an answer. The same operation may be sent again. Make no new job for
        /// the same intent before there is a receipt.
        "mayHaveHappened" => MayHaveHappened,
        /// Another operation was sent for this job. The state is unchanged; do not send this one.
        "conflict" => Conflict,
    }
}

/// An event of a submission: `{type: "sent", jobId, hash}`, `{type: "answered", reply}`, `{type: "brokenOff"}` or
/// `{type: "receipt", receipt}` in JSON.
///
/// ```
/// use sendoff::submission::Step;
///
/// let step: Step = r#"{"type":"receipt","receipt":null}"#.parse()?;
/// assert_eq!(step, Step::Receipt(None));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
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
    Receipt(Option<Receipt>),
}

keyword! {
    /// The type of a step.
    enum StepType: "`sent`, `answered`, `brokenOff` or `receipt`" {
        "sent" => Sent,
        "answered" => Answered,
        "brokenOff" => BrokenOff,
        "receipt" => Receipt,
    }
}

impl Step {
    const fn kind(&self) -> StepType {
        match self {
            Self::Sent { .. } => StepType::Sent,
            Self::Answered(_) => StepType::Answered,
            Self::BrokenOff => StepType::BrokenOff,
            Self::Receipt(_) => StepType::Receipt,
        }
    }
}

impl Read for Step {
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

impl FromStr for Step {
    type Err = Error;

    /// Reads JSON text; every problem of it is in the error.
    fn from_str(text: &str) -> Result<Self, Error> {
        read_document(text)
    }
}

schema::of!(Step as SubmissionStep, |generator| {
    fn step(generator: &mut schemars::SchemaGenerator, kind: StepType) -> schema::Fields<'_> {
        schema::Fields::new(generator).constant("type", "The type of the step.", kind.as_str())
    }
    let sent = step(generator, StepType::Sent)
        .required::<JobId>("jobId", "The job.")
        .required::<Word>("hash", "The hash of its operation.")
        .close("The operation is about to be sent, for the first time or again.");
    let answered = step(generator, StepType::Answered)
        .required::<crate::service::Body>("reply", "The body of the service's reply.")
        .close("The service answered.");
    let broken_off = step(generator, StepType::BrokenOff).close("The try ended without an answer.");
    let receipt = step(generator, StepType::Receipt)
        .required::<Option<Receipt>>("receipt", "The bundler's answer; null if it has no receipt yet.")
        .close("The bundler was asked for the receipt.");
    schemars::json_schema!({
        "description": "What happened to a submission.",
        "oneOf": [sent, answered, broken_off, receipt],
    })
});

answer! {
    /// A submission after a step: `{state, verdict}` in JSON.
    pub struct Progress as "SubmissionProgress" {
        /// The state to keep.
        "state" => pub state: Submission,
        /// Whether the operation may be sent again.
        "verdict" => pub verdict: Verdict,
    }
}

/// Returns the submission after a step.
///
/// # Errors
///
/// `rule` at `step.type` for any step before `sent`, at `step.jobId` for another job than the state's.
pub fn advance(state: Option<Submission>, step: &Step) -> Result<Progress, Error> {
    let mut issues = Issues::default();
    let progress = read_step(state, step, &mut issues);
    issues.or(progress)
}

fn read_step(state: Option<Submission>, step: &Step, issues: &mut Issues) -> Option<Progress> {
    let at = Path::Field(&Path::Root, "step");
    let state = match (state, step) {
        (None, Step::Sent { job_id, hash }) => Submission { job_id: *job_id, hash: *hash, phase: Phase::Sent },
        (None, other) => {
            let message = format!("expected the step `sent` first, found `{}`", other.kind());
            issues.push(&Path::Field(&at, "type"), Code::Rule, message);
            return None;
        }
        (Some(state), Step::Sent { job_id, .. }) if state.job_id != *job_id => {
            let message = format!("expected the state's job {}, found {job_id}", state.job_id);
            issues.push(&Path::Field(&at, "jobId"), Code::Rule, message);
            return None;
        }
        (Some(state), Step::Sent { hash, .. }) if state.hash != *hash => {
            return Some(Progress { state, verdict: Verdict::Conflict });
        }
        (Some(state), step) => Submission { phase: next(&state, step), ..state },
    };
    let verdict = state.phase.verdict();
    Some(Progress { state, verdict })
}

/// The phase after a step of this submission.
fn next(state: &Submission, step: &Step) -> Phase {
    match (state.phase, step) {
        // A receipt overrides everything known before: a reorganised chain may even take back an earlier one.
        (phase, Step::Receipt(receipt)) => match receipt.as_ref().map(|receipt| receipt.outcome(state.hash)) {
            Some(Outcome::Succeeded { .. }) => Phase::Succeeded,
            Some(Outcome::Failed { .. }) => Phase::Failed,
            Some(Outcome::Other) | None => phase,
        },
        (phase @ (Phase::Accepted | Phase::Succeeded | Phase::Failed), _) => phase,
        (_, Step::Answered(Reply::Success { .. })) => Phase::Accepted,
        (Phase::Refused, Step::Sent { .. }) => Phase::Sent,
        // The earlier try was not answered.
        (Phase::Sent | Phase::Unknown, Step::Sent { .. }) => Phase::Unknown,
        (Phase::Sent, Step::Answered(Reply::Error(error))) if refuses(error.code) => Phase::Refused,
        (Phase::Sent | Phase::Unknown, Step::Answered(_) | Step::BrokenOff) => Phase::Unknown,
        // No try is in progress.
        (Phase::Refused, Step::Answered(_) | Step::BrokenOff) => Phase::Refused,
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

    fn sent() -> Step {
        Step::Sent { job_id: JOB.parse().unwrap(), hash: HASH.parse().unwrap() }
    }

    fn answered(code: Option<i64>) -> Step {
        Step::Answered(match code {
            None => r#"{"status":"success","data":{}}"#.parse().unwrap(),
            Some(code) => format!(r#"{{"status":"error","error":{{"code":{code},"message":"no"}}}}"#).parse().unwrap(),
        })
    }

    fn receipt(hash: &str, success: bool) -> Step {
        let receipt =
            format!(r#"{{"userOpHash":"{hash}","success":{success},"actualGasCost":"0x1","actualGasUsed":"0x1"}}"#);
        Step::Receipt(Some(receipt.parse().unwrap()))
    }

    fn through(steps: &[Step]) -> Vec<Phase> {
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
        assert_eq!(through(&[sent(), answered(None)]), [Phase::Sent, Phase::Accepted]);
        for code in [400, 401, 404, 422, 429] {
            let phases = through(&[sent(), answered(Some(code)), sent(), answered(None)]);
            assert_eq!(phases, [Phase::Sent, Phase::Refused, Phase::Sent, Phase::Accepted], "{code}");
        }
        for code in [500, 502, 503, 408, 409, 200, 0, -32603] {
            assert_eq!(through(&[sent(), answered(Some(code))]), [Phase::Sent, Phase::Unknown], "{code}");
        }
    }

    #[test]
    fn a_refusal_does_not_settle_an_earlier_try() {
        let steps = [sent(), Step::BrokenOff, sent(), answered(Some(429))];
        assert_eq!(through(&steps), [Phase::Sent, Phase::Unknown, Phase::Unknown, Phase::Unknown]);
        // A second try while the first is in progress: one refusal settles only one of them.
        assert_eq!(through(&[sent(), sent(), answered(Some(400))]), [Phase::Sent, Phase::Unknown, Phase::Unknown]);
        assert_eq!(through(&[sent(), sent(), answered(None)])[2], Phase::Accepted);
    }

    #[test]
    fn final_phases_stay() {
        for (success, phase) in [(true, Phase::Succeeded), (false, Phase::Failed)] {
            let steps =
                [sent(), receipt(HASH, success), sent(), Step::BrokenOff, answered(Some(429)), Step::Receipt(None)];
            assert_eq!(through(&steps)[1..], [phase; 5]);
        }
        assert_eq!(through(&[sent(), receipt(HASH, false), receipt(HASH, true)])[2], Phase::Succeeded);
        let other = receipt(&HASH.replace("2beb", "2bec"), true);
        assert_eq!(through(&[sent(), other, Step::Receipt(None)]), [Phase::Sent; 3]);
    }

    #[test]
    fn the_same_job_with_another_hash_is_a_conflict() {
        let hash = HASH.replace("2beb", "2bec").parse().unwrap();
        let other = Step::Sent { job_id: JOB.parse().unwrap(), hash };
        for before in [Step::BrokenOff, answered(None), answered(Some(429)), receipt(HASH, false)] {
            let state = advance(Some(advance(None, &sent()).unwrap().state), &before).unwrap().state;
            let progress = advance(Some(state.clone()), &other).unwrap();
            assert_eq!(progress, Progress { state, verdict: Verdict::Conflict });
        }
        // Hashes and job ids compare by meaning.
        let upper = HASH.to_ascii_uppercase().replace("0X", "0x").parse().unwrap();
        let same = Step::Sent { job_id: JOB.to_ascii_uppercase().parse().unwrap(), hash: upper };
        assert_eq!(through(&[sent(), answered(Some(429)), same])[2], Phase::Sent);
    }

    #[test]
    fn other_steps_need_a_sent_one_first() {
        let place = |result: Result<Progress, Error>| {
            let issue = result.unwrap_err().into_issues().remove(0);
            (issue.path, issue.code)
        };
        for step in [Step::BrokenOff, answered(None), Step::Receipt(None)] {
            assert_eq!(place(advance(None, &step)), ("step.type".into(), Code::Rule));
        }
        let state = advance(None, &sent()).unwrap().state;
        let job_id = "00000000-0000-4000-8000-000000000000".parse().unwrap();
        let step = Step::Sent { job_id, hash: HASH.parse().unwrap() };
        assert_eq!(place(advance(Some(state), &step)), ("step.jobId".into(), Code::Rule));
    }
}
