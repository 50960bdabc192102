//! Retries on a chain: a program that follows the verdicts of `submission` executes an intent once,
//! also with a service that keeps what it refuses, and under random faults.
//!
//! The chain is revm with the published EntryPoints. A job's intent is a transfer of one wei, so
//! the recipient's balance counts how often it was executed. The last eight bytes of each job id
//! are zero: a published EntryPoint takes them as a sequence, which starts at 0.

mod ground;
mod schedule;

use std::collections::BTreeMap;

use chain::VERSIONS;
use sendoff::submission::{Submission, SubmissionStep, SubmissionVerdict, advance};
use sendoff::user_op::EntryPointVersion;

use ground::{ENDS, Ground, nonce, receipt, replied};
use schedule::schedule;

/// The attack: the service says 400 and keeps the operation.
#[test]
fn a_service_that_keeps_what_it_refuses_cannot_execute_it_beside_its_replacement() {
    for version in VERSIONS {
        let mut ground = Ground::new(version);
        let take = |state: Option<Submission>, step: &SubmissionStep| {
            let progress = advance(state, step).unwrap();
            (Some(progress.state), progress.verdict)
        };

        let (state, _) = take(None, &ground.step("sent", 0));
        let (refused, verdict) = take(state, &replied(400, "call gas limit too low"));
        assert_eq!(verdict, SubmissionVerdict::MayBeSent);
        // Another job is refused as a step, and would be executed beside the first.
        assert_eq!(
            advance(refused.clone(), &ground.step("sent", 3)).unwrap_err().issues()[0].path,
            "step.jobId"
        );
        let (state, verdict) = take(refused, &ground.step("replaced", 1));
        assert_eq!(verdict, SubmissionVerdict::MayHaveHappened);

        // In either order, the chain executes one of them.
        for order in [[0, 1], [1, 0]] {
            ground.service.chain.restore(&ground.start);
            ground.execute(order[0]).unwrap();
            assert_eq!(ground.execute(order[1]).unwrap_err(), "AA25 invalid account nonce");
            assert_eq!(ground.executed(), 1, "{version}: {order:?}");
            assert!(ground.asks(0));

            let hash = ground.operations[order[0]].hash;
            let (settled, verdict) = take(state.clone(), &receipt(hash, true));
            assert_eq!((settled.unwrap().hash, verdict), (hash, SubmissionVerdict::MustNotBeSent));
        }

        // What version 0.1 led to: another job after the refusal.
        ground.service.chain.restore(&ground.start);
        ground.execute(3).unwrap();
        ground.execute(0).unwrap();
        assert_eq!(ground.executed(), 2);

        // The safe way to another job: a finalized block behind both ends.
        ground.service.chain.restore(&ground.start);
        let now = ENDS[0][1] + 1;
        ground.service.chain.set_time(now);
        let used = ground.asks(0);
        let (_, verdict) = take(state, &nonce(used, now));
        assert_eq!((used, verdict), (false, SubmissionVerdict::NewJob));
        for late in [0, 1] {
            assert_eq!(ground.execute(late).unwrap_err(), "AA32 paymaster expired or not due");
        }
        ground.execute(3).unwrap();
        assert_eq!(ground.executed(), 1);
    }
}

/// 10,000 schedules with `SENDOFF_ALL`, else 200.
#[test]
fn no_schedule_executes_an_intent_twice() {
    let schedules = laws::extent(200, 10_000);
    let mut grounds = VERSIONS.map(Ground::new);
    let (mut seen, mut executed) = (BTreeMap::<_, usize>::new(), 0);

    for seed in 0..schedules {
        let ground = &mut grounds[usize::try_from(seed).unwrap() % VERSIONS.len()];
        let (times, own) = schedule(ground, seed, false);
        assert!(times <= 1, "schedule {seed}");
        executed += times;
        for (what, times) in own {
            *seen.entry(what).or_default() += times;
        }
    }

    println!("{schedules} schedules: the intent was executed in {executed}, never twice; {seen:?}");
    // Schedules in which nothing happens would show nothing.
    let all = "executed, taken back, replaced, newJob, another job, crashed, refused as used, \
        refused as over";
    for what in all.split(", ") {
        assert!(seen.contains_key(what), "no schedule has `{what}`");
    }
}

#[test]
fn the_schedules_find_a_program_that_makes_another_job_after_a_refusal() {
    let mut ground = Ground::new(EntryPointVersion::V07);
    let found = (0..400).find(|seed| schedule(&mut ground, *seed, true).0 > 1);
    println!("schedule {found:?} executes the intent twice");
    assert!(found.is_some());
}
