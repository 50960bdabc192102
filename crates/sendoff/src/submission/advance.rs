//! The submission after a step: one function over a closed set of phases and steps.

use super::phase::Event;
use super::{
    Replaced, Submission, SubmissionPhase, SubmissionProgress, SubmissionStep, SubmissionVerdict,
    ValidUntil,
};
use crate::document::Node;
use crate::error::{Error, Issues, Path};
use crate::http::{ErrorReply, Reply};
use crate::text::{contains, fill};
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
        SubmissionStep::Receipt(None) => phase.after(Event::NoReceipt),
        SubmissionStep::Answered(Reply::Success { .. }) => phase.after(Event::Acceptance),
        SubmissionStep::Answered(Reply::Error(error)) if refuses(error) => {
            phase.after(Event::Refusal)
        }
        SubmissionStep::Answered(Reply::Error(_)) | SubmissionStep::BrokenOff => {
            phase.after(Event::NoAnswer)
        }
        SubmissionStep::Nonce { used: true, .. } => phase.after(Event::UsedNonce),
        SubmissionStep::Nonce { used: false, now } => {
            let is_over = state.valid_until.is_some_and(|end| end.value() < now.value());
            phase.after(Event::UnusedNonce { is_over })
        }
    };
    Ok(progress(Submission { phase, ..state }))
}

/// The first step makes the state.
fn first(step: &SubmissionStep) -> Result<SubmissionProgress, Error> {
    let SubmissionStep::Sent { job_id, hash, valid_until } = step else {
        let message = fill("expected the step `sent` first, found `{}`", &[&step.tag()]);
        return Err(Error::of_step("type", message));
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
    let phase = state.phase.after(Event::Same);
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
    if !state.phase.is_open() {
        return Ok(conflict(state));
    }

    let phase = state.phase.after(Event::Same);
    let Some(replaced) = state.replaced.moved(state.hash, hash) else {
        let template = "expected at most {} replaced operations, found one more";
        return Err(Error::of_step("type", fill(template, &[&Replaced::MAX])));
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
    Err(Error::of_step("jobId", message))
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

/// Texts that say that the nonce is used, or that the operation is known. `AA25` is the EntryPoint's `invalid account nonce`.
const HINTS: [&str; 4] = ["aa25", "already", "duplicate", "nonce"];

/// Returns `true` if an error says that the request was not carried out.
fn refuses(error: &ErrorReply) -> bool {
    // 408, 425 and 499 end a try without an answer. 409 may be a conflict with the same operation.
    let is_refusal =
        matches!(error.code, 400..=499) && !matches!(error.code, 408 | 409 | 425 | 499);

    is_refusal
        && !hints(&error.message)
        && !error.error_code.as_deref().is_some_and(hints)
        && !error.details.as_ref().is_some_and(|details| json_hints(details.as_str()))
}

fn hints(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    HINTS.iter().any(|hint| contains(&text, hint))
}

fn json_hints(json: &str) -> bool {
    let node = Node::parse(json, &Path::Root, &mut Issues::default());
    node.is_some_and(|node| node_hints(&node))
}

/// Keys are names, not texts: a field `nonce` says nothing.
fn node_hints(node: &Node<'_>) -> bool {
    match node {
        Node::Text(text) => hints(text),
        Node::List(items) => items.iter().any(node_hints),
        Node::Object(fields) => fields.iter().any(|field| node_hints(&field.node)),
        Node::Null | Node::Bool(_) | Node::Number(_) => false,
    }
}
