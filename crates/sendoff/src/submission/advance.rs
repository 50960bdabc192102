//! The submission after a step: one function over a closed set of phases and steps.

use alloc::string::String;

use super::{
    Replaced, Submission, SubmissionPhase, SubmissionProgress, SubmissionStep, SubmissionVerdict,
    hint,
};
use crate::document::{Place, Typed, Value, made};
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
    let state = state.map_or(Value::Null, Typed::into_value);
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
    let [job_id, hash] = ["jobId", "hash"].map(|key| step.field(key).clone());
    Value::Record(alloc::vec![job_id, hash, phase.into_value(), replaced, end], Submission::TABLE)
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
    let [job_id, hash] = ["jobId", "hash"].map(|key| state.field(key));
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
    Value::Record(alloc::vec![state, verdict.into_value()], SubmissionProgress::TABLE)
}

/// An issue of code `rule` at a field of the step.
fn refused(field: &str, message: String) -> Error {
    Issue::new(fill("step.{}", &[&field]), IssueCode::Rule, message).into()
}

#[cfg(test)]
mod tests {
    use super::*;
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
