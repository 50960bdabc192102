//! The submission after a step: one function over a closed set of phases and steps.

use alloc::string::String;

use super::{
    Replaced, Submission, SubmissionPhase, SubmissionProgress, SubmissionStep, SubmissionVerdict,
    hint,
};
use crate::document::{Made, Place, Typed, Valued, Value, made};
use crate::error::{Error, Issue, IssueCode};
use crate::text::fill;

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
    let state = state.map_or(Value::Null, Valued::into_value);
    advance_value(state, &step.to_value()).map(made)
}

/// The same for values. Before the first step the state is null.
pub(crate) fn advance_value(state: Value, step: &Value) -> Result<Value, Error> {
    let kind = step.field("type");
    let Some(phase) = SubmissionPhase::of_value(state.field("phase").clone()) else {
        return if *kind == Value::Keyword("sent") {
            Ok(kept(submission(step, SubmissionPhase::Sent, Value::Absent, end_of(step))))
        } else {
            Err(refused("type", fill("expected the step `sent` first, found `{}`", &[kind])))
        };
    };

    match kind.as_text() {
        "sent" => sent(state, phase, step, false),
        "replaced" => sent(state, phase, step, true),
        "receipt" if !matches!(step.field("receipt"), Value::Null) => {
            Ok(settled(state, step.field("receipt")))
        }
        _ => {
            let phase = reported(phase, &state, step);
            Ok(in_phase(state, phase))
        }
    }
}

/// The submission with the operation of a step.
fn submission(step: &Value, phase: SubmissionPhase, replaced: Value, end: Value) -> Value {
    let mut made = Made::of(Submission::TABLE);
    made.copy(step.field("jobId"));
    made.copy(step.field("hash"));
    made.keyword(phase.as_str());
    made.add(replaced);
    made.add(end);
    made.finish()
}

/// The end of a step's operation; 0 is no end.
fn end_of(step: &Value) -> Value {
    if *step.field("validUntil") == Value::Integer(0) {
        Value::Absent
    } else {
        step.field("validUntil").clone()
    }
}

/// The submission after an operation was sent, or another one in the place of the state's.
fn sent(
    state: Value,
    phase: SubmissionPhase,
    step: &Value,
    is_other: bool,
) -> Result<Value, Error> {
    let (job_id, hash) = (state.field("jobId"), state.field("hash"));
    if job_id != step.field("jobId") {
        let template = "expected the state's job {}, found {}";
        return Err(refused("jobId", fill(template, &[job_id, step.field("jobId")])));
    }
    if hash == step.field("hash") {
        return Ok(in_phase(state, sent_again(phase)));
    }

    let phase = match phase {
        SubmissionPhase::Refused => SubmissionPhase::Sent,
        SubmissionPhase::Sent | SubmissionPhase::Unknown | SubmissionPhase::Accepted => {
            SubmissionPhase::Unknown
        }
        SubmissionPhase::Succeeded | SubmissionPhase::Failed | SubmissionPhase::Expired => {
            return Ok(conflict(state));
        }
    };
    if !is_other {
        return Ok(conflict(state));
    }

    let Some(replaced) = Replaced::moved(state.field("replaced"), hash, step.field("hash")) else {
        let message =
            fill("expected at most {} replaced operations, found one more", &[&Replaced::MAX]);
        return Err(refused("type", message));
    };
    let end = match (state.field("validUntil"), end_of(step)) {
        (Value::Integer(old), Value::Integer(new)) => Value::Integer(new.max(*old)),
        _ => Value::Absent,
    };
    let mut next = submission(step, phase, replaced, end);
    // The job keeps its first spelling.
    next.set(0, job_id.clone());
    Ok(kept(next))
}

/// The phase after the same operation was sent again.
const fn sent_again(phase: SubmissionPhase) -> SubmissionPhase {
    match phase {
        SubmissionPhase::Refused => SubmissionPhase::Sent,
        // The earlier try was not answered.
        SubmissionPhase::Sent | SubmissionPhase::Unknown => SubmissionPhase::Unknown,
        other => other,
    }
}

/// The phase after a report about a job's operations, which is no receipt.
fn reported(phase: SubmissionPhase, state: &Value, step: &Value) -> SubmissionPhase {
    let (reply, is_sent) = (step.field("reply"), phase == SubmissionPhase::Sent);

    match (step.field("type").as_text(), phase) {
        // A reorganisation took the receipt back, or the bundler forgot it.
        ("receipt", SubmissionPhase::Succeeded | SubmissionPhase::Failed) => {
            SubmissionPhase::Unknown
        }
        ("nonce", _) => asked(phase, state, step),
        (
            "answered",
            SubmissionPhase::Sent | SubmissionPhase::Refused | SubmissionPhase::Unknown,
        ) if reply.field("status").as_text() == "success" => SubmissionPhase::Accepted,
        ("answered", SubmissionPhase::Sent) if hint::refuses(reply.field("error")) => {
            SubmissionPhase::Refused
        }
        ("answered" | "brokenOff", _) if is_sent => SubmissionPhase::Unknown,
        _ => phase,
    }
}

/// The submission after a receipt. The operation that was executed becomes the state's.
fn settled(mut state: Value, receipt: &Value) -> Value {
    let (hash, executed) = (state.field("hash"), receipt.field("userOpHash"));
    if hash != executed {
        let known = state.field("replaced").items().iter().find(|known| *known == executed);
        let moved = known.and_then(|known| {
            Some((known.clone(), Replaced::moved(state.field("replaced"), hash, known)?))
        });
        let Some((executed, replaced)) = moved else { return kept(state) };
        state.set(HASH, executed);
        state.set(REPLACED, replaced);
    }

    let is_success = *receipt.field("success") == Value::Flag(true);
    in_phase(state, if is_success { SubmissionPhase::Succeeded } else { SubmissionPhase::Failed })
}

/// The phase after a finalized block was asked for the nonce.
fn asked(phase: SubmissionPhase, state: &Value, step: &Value) -> SubmissionPhase {
    let is_settled = matches!(phase, SubmissionPhase::Succeeded | SubmissionPhase::Failed);
    let is_over = if let (Value::Integer(end), Value::Integer(now)) =
        (state.field("validUntil"), step.field("now"))
    {
        end < now
    } else {
        false
    };

    match (*step.field("used") == Value::Flag(true), is_settled) {
        (true, true) => phase,
        (true, false) => SubmissionPhase::Accepted,
        // The receipt was of a block that is not part of the chain any more, or of none.
        (false, true) => SubmissionPhase::Unknown,
        (false, false) if is_over => SubmissionPhase::Expired,
        (false, false) => phase,
    }
}

const HASH: usize = Place::of(Submission::TABLE, "hash").first_row();
const PHASE: usize = Place::of(Submission::TABLE, "phase").first_row();
const REPLACED: usize = Place::of(Submission::TABLE, "replaced").first_row();

fn in_phase(mut state: Value, phase: SubmissionPhase) -> Value {
    state.set(PHASE, phase.into_value());
    kept(state)
}

fn kept(state: Value) -> Value {
    let phase = SubmissionPhase::of_value(state.nth(PHASE).clone());
    progress(state, phase.map_or(SubmissionVerdict::Conflict, SubmissionPhase::verdict))
}

fn conflict(state: Value) -> Value {
    progress(state, SubmissionVerdict::Conflict)
}

fn progress(state: Value, verdict: SubmissionVerdict) -> Value {
    let mut made = Made::of(SubmissionProgress::TABLE);
    made.add(state);
    made.keyword(verdict.as_str());
    made.finish()
}

/// An issue of code `rule` at a field of the step.
fn refused(field: &str, message: String) -> Error {
    Issue::new(fill("step.{}", &[&field]), IssueCode::Rule, message).into()
}

#[cfg(test)]
mod tests;
