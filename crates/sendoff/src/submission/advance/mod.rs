//! The submission after a step: one function over a closed set of phases and steps.

use alloc::string::String;

use super::{
    Replaced, Submission, SubmissionPhase, SubmissionProgress, SubmissionStep, SubmissionVerdict,
    ValidUntil, hint,
};
use crate::error::{Error, Issue, IssueCode};
use crate::http::Reply;
use crate::text::fill;
use crate::user_op::{Seconds, UserOpReceipt};
use crate::value::{JobId, Word};

/// Returns the submission after a step.
///
/// A `replaced` step must be of an operation with the same sender, nonce, EntryPoint and chain as the job's others, or the
/// chain can execute both. This function sees hashes only, and cannot check that.
///
/// # Errors
///
/// `rule` at `step.type` for any step before `sent`, and for a replacement with more than 16 replaced operations; at
/// `step.jobId` for another job than the state's.
pub fn advance(
    state: Option<Submission>,
    step: &SubmissionStep,
) -> Result<SubmissionProgress, Error> {
    let Some(state) = state else { return first(step) };
    let phase = state.phase;

    let phase = match step {
        SubmissionStep::Sent { job_id, hash, .. } => {
            return sent(state, *job_id, *hash);
        }
        SubmissionStep::Replaced { job_id, hash, valid_until } => {
            return replaced(state, *job_id, *hash, *valid_until);
        }
        SubmissionStep::Receipt(Some(receipt)) => return Ok(settled(state, receipt)),
        SubmissionStep::Receipt(None) => phase.after_no_receipt(),
        SubmissionStep::Answered(Reply::Success { .. }) => phase.after_acceptance(),
        SubmissionStep::Answered(Reply::Error(error)) if hint::refuses(error) => {
            phase.after_refusal()
        }
        SubmissionStep::Answered(Reply::Error(_)) | SubmissionStep::BrokenOff => {
            phase.after_no_answer()
        }
        SubmissionStep::Nonce { used: true, .. } => phase.after_use_of_nonce(),
        SubmissionStep::Nonce { used: false, now } => {
            let is_over = state.valid_until.is_some_and(|end| end.value() < now.value());
            phase.after_unused_nonce(is_over)
        }
    };
    Ok(progress(Submission { phase, ..state }))
}

/// The first step makes the state.
fn first(step: &SubmissionStep) -> Result<SubmissionProgress, Error> {
    let SubmissionStep::Sent { job_id, hash, valid_until } = step else {
        let message = fill("expected the step `sent` first, found `{}`", &[&step.kind()]);
        return Err(refused("type", message));
    };
    Ok(progress(Submission {
        job_id: *job_id,
        hash: *hash,
        phase: SubmissionPhase::Sent,
        replaced: Replaced::default(),
        valid_until: end_of(*valid_until),
    }))
}

/// The end of an operation; 0 is no end.
fn end_of(valid_until: Option<Seconds>) -> Option<ValidUntil> {
    ValidUntil::new(valid_until?.value()).ok()
}

/// The same operation is about to be sent.
fn sent(state: Submission, job_id: JobId, hash: Word) -> Result<SubmissionProgress, Error> {
    check_job(&state, job_id)?;
    if state.hash != hash {
        return Ok(conflict(state));
    }
    let phase = state.phase.after_same();
    Ok(progress(Submission { phase, ..state }))
}

/// Another operation is about to be sent in the place of the earlier ones. The job keeps its first spelling.
fn replaced(
    state: Submission,
    job_id: JobId,
    hash: Word,
    valid_until: Option<Seconds>,
) -> Result<SubmissionProgress, Error> {
    if state.hash == hash {
        return sent(state, job_id, hash);
    }
    check_job(&state, job_id)?;
    let Some(phase) = state.phase.after_replacement() else { return Ok(conflict(state)) };

    let Some(replaced) = state.replaced.moved(state.hash, hash) else {
        let template = "expected at most {} replaced operations, found one more";
        return Err(refused("type", fill(template, &[&Replaced::MAX])));
    };
    let ends = state.valid_until.zip(end_of(valid_until));
    let valid_until = ends.map(|(old, new)| old.max(new));
    Ok(progress(Submission { job_id: state.job_id, hash, phase, replaced, valid_until }))
}

fn check_job(state: &Submission, job_id: JobId) -> Result<(), Error> {
    if state.job_id == job_id {
        return Ok(());
    }
    let message = fill("expected the state's job {}, found {}", &[&state.job_id, &job_id]);
    Err(refused("jobId", message))
}

/// The operation that was executed becomes the state's. A receipt of any other operation changes nothing.
fn settled(mut state: Submission, receipt: &UserOpReceipt) -> SubmissionProgress {
    let executed = receipt.user_op_hash;
    if state.hash != executed {
        let known = state.replaced.as_slice().iter().find(|known| **known == executed).copied();
        let moved = known.and_then(|known| Some((known, state.replaced.moved(state.hash, known)?)));
        let Some((known, replaced)) = moved else { return progress(state) };
        (state.hash, state.replaced) = (known, replaced);
    }

    let phase = if receipt.success { SubmissionPhase::Succeeded } else { SubmissionPhase::Failed };
    progress(Submission { phase, ..state })
}

const fn progress(state: Submission) -> SubmissionProgress {
    let verdict = state.phase.verdict();
    SubmissionProgress { state, verdict }
}

const fn conflict(state: Submission) -> SubmissionProgress {
    SubmissionProgress { state, verdict: SubmissionVerdict::Conflict }
}

/// An issue of code `rule` at a field of the step.
fn refused(field: &str, message: String) -> Error {
    Issue::new(fill("step.{}", &[&field]), IssueCode::Rule, message).into()
}

#[cfg(test)]
mod tests;
