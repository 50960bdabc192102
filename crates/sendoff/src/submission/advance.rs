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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::IssueCode;
    use crate::user_op::Seconds;
    use crate::value::Word;
    use alloc::{format, vec::Vec};

    const JOB: &str = "e4fb7f8b-d19d-4785-94af-4b911469a3b0";
    const HASH: &str = "0x2941e29d31ed4583cf2b19591d761fe3212307d5d3b7d7133b3121caca712beb";
    const OTHER: &str = "0x2941e29d31ed4583cf2b19591d761fe3212307d5d3b7d7133b3121caca712bec";

    fn sent() -> SubmissionStep {
        SubmissionStep::Sent {
            job_id: JOB.parse().unwrap(),
            hash: HASH.parse().unwrap(),
            valid_until: None,
        }
    }

    fn replaced(hash: &str, valid_until: Option<u64>) -> SubmissionStep {
        let valid_until = valid_until.map(|seconds| Seconds::new(seconds).unwrap());
        SubmissionStep::Replaced {
            job_id: JOB.parse().unwrap(),
            hash: hash.parse().unwrap(),
            valid_until,
        }
    }

    fn answered(code: Option<i64>) -> SubmissionStep {
        SubmissionStep::Answered(match code {
            None => r#"{"status":"success","data":{}}"#.parse().unwrap(),
            Some(code) => {
                format!(r#"{{"status":"error","error":{{"code":{code},"message":"no"}}}}"#)
                    .parse()
                    .unwrap()
            }
        })
    }

    fn receipt(hash: &str, success: bool) -> SubmissionStep {
        let receipt = format!(
            r#"{{"userOpHash":"{hash}","success":{success},"actualGasCost":"0x1","actualGasUsed":"0x1"}}"#
        );
        SubmissionStep::Receipt(Some(receipt.parse().unwrap()))
    }

    fn nonce(used: bool, now: u64) -> SubmissionStep {
        SubmissionStep::Nonce { used, now: Seconds::new(now).unwrap() }
    }

    /// The state after these steps.
    fn after(steps: &[SubmissionStep]) -> Submission {
        let state =
            steps.iter().fold(None, |state, step| Some(advance(state, step).unwrap().state));
        state.unwrap()
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
    fn a_state_that_version_0_1_saved_is_read() {
        for phase in ["sent", "refused", "unknown", "accepted", "succeeded", "failed"] {
            let saved = format!(r#"{{"jobId":"{JOB}","hash":"{HASH}","phase":"{phase}"}}"#);
            let state: Submission = saved.parse().unwrap();

            assert_eq!((state.replaced.as_slice(), state.valid_until), (&[][..], None));
            // It is written as it came, and has no end: no block makes it expire.
            assert_eq!(format!("{state}"), saved);
            let asked = advance(Some(state), &nonce(false, (1 << 48) - 1)).unwrap();
            assert_ne!(asked.verdict, SubmissionVerdict::NewJob);
        }
    }

    #[test]
    fn a_refusal_does_not_settle_an_earlier_try() {
        let steps = [sent(), SubmissionStep::BrokenOff, sent(), answered(Some(429))];
        assert_eq!(
            through(&steps),
            [
                SubmissionPhase::Sent,
                SubmissionPhase::Unknown,
                SubmissionPhase::Unknown,
                SubmissionPhase::Unknown
            ]
        );

        // A second try while the first is in progress: one refusal settles only one of them.
        assert_eq!(
            through(&[sent(), sent(), answered(Some(400))]),
            [SubmissionPhase::Sent, SubmissionPhase::Unknown, SubmissionPhase::Unknown]
        );

        assert_eq!(through(&[sent(), sent(), answered(None)])[2], SubmissionPhase::Accepted);
        // Nor does the refusal of a replacement settle the operation before it.
        assert_eq!(
            through(&[sent(), replaced(OTHER, None), answered(Some(400))])[2],
            SubmissionPhase::Unknown
        );
    }

    #[test]
    fn only_receipts_and_the_nonce_change_a_final_phase() {
        for (success, phase) in
            [(true, SubmissionPhase::Succeeded), (false, SubmissionPhase::Failed)]
        {
            let steps = [
                sent(),
                receipt(HASH, success),
                sent(),
                SubmissionStep::BrokenOff,
                answered(Some(429)),
                answered(None),
                receipt(OTHER, success),
                nonce(true, 5),
            ];
            assert_eq!(through(&steps)[1..], [phase; 7]);

            for taken_back in [SubmissionStep::Receipt(None), nonce(false, 5)] {
                assert_eq!(
                    through(&[sent(), receipt(HASH, success), taken_back])[2],
                    SubmissionPhase::Unknown
                );
            }
        }
        assert_eq!(
            through(&[sent(), receipt(HASH, false), receipt(HASH, true)])[2],
            SubmissionPhase::Succeeded
        );
    }

    #[test]
    fn a_receipt_of_each_operation_settles_the_job() {
        let steps = [sent(), answered(Some(400)), replaced(OTHER, None)];
        let state = after(&steps);
        assert_eq!(state.replaced.as_slice(), [HASH.parse().unwrap()]);

        let settled = advance(Some(state), &receipt(HASH, true)).unwrap().state;
        assert_eq!(
            (settled.hash, settled.phase),
            (HASH.parse().unwrap(), SubmissionPhase::Succeeded)
        );
        assert_eq!(settled.replaced.as_slice(), [OTHER.parse().unwrap()]);
    }

    #[test]
    fn a_new_job_needs_a_block_behind_every_end() {
        let first = SubmissionStep::Sent {
            job_id: JOB.parse().unwrap(),
            hash: HASH.parse().unwrap(),
            valid_until: Some(Seconds::new(10).unwrap()),
        };
        let verdict = |steps: &[SubmissionStep], now| {
            let state = after(&[core::slice::from_ref(&first), steps].concat());
            advance(Some(state), &nonce(false, now)).unwrap().verdict
        };

        assert_eq!(verdict(&[], 10), SubmissionVerdict::MayHaveHappened);
        assert_eq!(verdict(&[], 11), SubmissionVerdict::NewJob);
        assert_eq!(verdict(&[replaced(OTHER, Some(20))], 20), SubmissionVerdict::MayHaveHappened);
        assert_eq!(verdict(&[replaced(OTHER, Some(20))], 21), SubmissionVerdict::NewJob);
        for endless in [None, Some(0)] {
            assert_eq!(
                verdict(&[replaced(OTHER, endless)], 1 << 47),
                SubmissionVerdict::MayHaveHappened
            );
        }
    }

    #[test]
    fn the_same_job_with_another_hash_is_a_conflict() {
        let other = SubmissionStep::Sent {
            job_id: JOB.parse().unwrap(),
            hash: OTHER.parse().unwrap(),
            valid_until: None,
        };

        for before in
            [SubmissionStep::BrokenOff, answered(None), answered(Some(429)), receipt(HASH, false)]
        {
            let state = after(&[sent(), before]);
            let progress = advance(Some(state.clone()), &other).unwrap();
            assert_eq!(
                progress,
                SubmissionProgress { state, verdict: SubmissionVerdict::Conflict }
            );
        }

        // Hashes and job ids compare by meaning.
        let hash = HASH.to_ascii_uppercase().replace("0X", "0x").parse().unwrap();
        let same = SubmissionStep::Sent {
            job_id: JOB.to_ascii_uppercase().parse().unwrap(),
            hash,
            valid_until: None,
        };

        assert_eq!(through(&[sent(), answered(Some(429)), same])[2], SubmissionPhase::Sent);
    }

    #[test]
    fn other_steps_need_a_sent_one_first() {
        let place = |result: Result<SubmissionProgress, Error>| {
            let issue = result.unwrap_err().into_issues().remove(0);
            (issue.path, issue.code)
        };
        let others = [
            replaced(HASH, None),
            SubmissionStep::BrokenOff,
            answered(None),
            SubmissionStep::Receipt(None),
            nonce(true, 1),
        ];
        for step in others {
            assert_eq!(place(advance(None, &step)), ("step.type".into(), IssueCode::Rule));
        }

        let job_id = "00000000-0000-4000-8000-000000000000".parse().unwrap();
        let step = SubmissionStep::Sent { job_id, hash: HASH.parse().unwrap(), valid_until: None };
        assert_eq!(
            place(advance(Some(after(&[sent()])), &step)),
            ("step.jobId".into(), IssueCode::Rule)
        );
    }

    #[test]
    fn a_list_of_replaced_operations_is_checked() {
        let hash = |number: u8| Word::from([number; 32]);
        assert!(Replaced::new((0..16).map(hash).collect()).is_ok());
        assert_eq!(
            Replaced::new((0..17).map(hash).collect()).unwrap_err().issues()[0].code,
            IssueCode::Range
        );
        assert_eq!(Replaced::new([1, 2, 1].map(hash).into()).unwrap_err().issues()[0].path, "2");
    }
}
