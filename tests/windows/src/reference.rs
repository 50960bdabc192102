//! What the script must do, said in the functions of the core.

use sendoff::rate_limit::redis::Ask;
use sendoff::rate_limit::{Admission, Cost, Policy, Time, Verdict, Window, admit, touch};

/// [`run`] for a request with a deadline: from then on it answers what window it meets, grants nothing and leaves all.
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

/// What is asked of a window at a time: what the script must answer, the verdict, and the state that it must leave.
pub fn run(policy: &Policy, state: Option<Window>, ask: Ask, now: Time) -> ([i64; 5], Option<Verdict>, Option<Window>) {
    // What a call of cost 1 shows of the window that it falls into.
    let single = admit(policy, state, now, Cost::ONE);
    let taken = single.window.count() - u32::from(single.verdict.is_admitted());
    let left = policy.limit().saturating_sub(taken);

    let (admission, granted) = match ask {
        Ask::Touch => (None, 0),
        Ask::Admit(cost) | Ask::Peek(cost) | Ask::Lease(cost) => {
            // A batch is a call of as much as is left, where that is less.
            let batch = matches!(ask, Ask::Lease(_)) && (1..cost.get()).contains(&left);
            let cost = if batch { policy.cost(left).expect("what is left is within the limit") } else { cost };
            let admission = admit(policy, state, now, cost);
            (Some(admission), if admission.verdict.is_admitted() { i64::from(cost.get()) } else { -1 })
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

/// The text that is stored of a state.
pub fn stored(state: Option<Window>) -> Option<String> {
    state.map(|window| format!("{} {}", window.start(), window.count()))
}
