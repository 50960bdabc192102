//! The expected results of the script, computed by the functions of the core.

use sendoff::rate_limit::redis::Ask;
use sendoff::rate_limit::{Admission, Cost, Policy, Time, Verdict, Window, admit, touch};

/// [`run`] for a request with a deadline. From the deadline on, the answer has the current window, nothing is granted, and the
/// state does not change.
pub fn run_by(
    deadline: Option<Time>,
    policy: &Policy,
    state: Option<Window>,
    ask: Ask,
    now: Time,
) -> ([i64; 5], Option<Verdict>, Option<Window>) {
    if deadline.is_none_or(|deadline| now < deadline) {
        return run(policy, state, ask, now);
    }
    let (numbers, ..) = run(policy, state, Ask::Touch, now);
    (numbers, None, state)
}

/// Returns the expected answer of the script to a request at a time, the verdict, and the expected state after it.
pub fn run(
    policy: &Policy,
    state: Option<Window>,
    ask: Ask,
    now: Time,
) -> ([i64; 5], Option<Verdict>, Option<Window>) {
    // A call of cost 1 returns the window of this time.
    let single = admit(policy, state, now, Cost::ONE);
    let taken = single.window.count() - u32::from(single.verdict.is_admitted());
    let left = policy.limit().saturating_sub(taken);

    let (admission, granted) = match ask {
        Ask::Touch => (None, 0),
        Ask::Admit(cost) | Ask::Peek(cost) | Ask::Lease(cost) => {
            // A batch is a call of at most the number of calls left.
            let batch = matches!(ask, Ask::Lease(_)) && (1..cost.value()).contains(&left);
            let cost = if batch {
                policy.cost(left).expect("what is left is within the limit")
            } else {
                cost
            };
            let admission = admit(policy, state, now, cost);
            (
                Some(admission),
                if admission.verdict.is_admitted() { i64::from(cost.value()) } else { -1 },
            )
        }
    };
    let state = match (ask, admission) {
        (Ask::Touch, _) => Some(touch(policy, state, now)),
        (Ask::Admit(_) | Ask::Lease(_), Some(Admission { window, .. })) => Some(window),
        _ => state,
    };
    let start = single.window.start().as_ms();
    let phase = single.verdict.phase() as i64;
    let numbers = [phase, granted, now.as_ms(), start, i64::from(taken) + granted.max(0)];
    (numbers, admission.map(|admission| admission.verdict), state)
}

/// The stored text of a state.
pub fn stored(state: Option<Window>) -> Option<String> {
    state.map(|window| format!("{} {}", window.start(), window.count()))
}
