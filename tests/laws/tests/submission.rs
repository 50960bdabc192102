//! Law of submissions: no operation is sent again while an earlier try may still be carried out.

use proptest::prelude::*;
use sendoff::submission::{Submission, SubmissionStep, SubmissionVerdict, advance};
use serde_json::json;

const JOB: &str = "e4fb7f8b-d19d-4785-94af-4b911469a3b0";
const HASH: &str = "0x2941e29d31ed4583cf2b19591d761fe3212307d5d3b7d7133b3121caca712beb";

#[derive(Clone, Debug)]
enum Event {
    Sent,
    Accepted,
    Refused(i64),
    Failed(i64),
    BrokenOff,
    NoReceipt,
    OtherReceipt,
    Receipt(bool),
}

fn event() -> impl Strategy<Value = Event> {
    let refusals = prop_oneof![Just(400_i64), Just(401), Just(422), Just(429)];
    let failures = prop_oneof![Just(408_i64), Just(409), 500_i64..600, -33_000_i64..400];
    prop_oneof![
        6 => Just(Event::Sent),
        1 => Just(Event::Accepted),
        4 => refusals.prop_map(Event::Refused),
        2 => failures.prop_map(Event::Failed),
        2 => Just(Event::BrokenOff),
        1 => Just(Event::NoReceipt),
        1 => Just(Event::OtherReceipt),
        1 => any::<bool>().prop_map(Event::Receipt),
    ]
}

fn step(event: &Event) -> SubmissionStep {
    let error =
        |code| json!({"type": "answered", "reply": {"status": "error", "error": {"code": code, "message": ""}}});
    let receipt = |hash: &str, success| {
        let receipt = json!({"userOpHash": hash, "success": success, "actualGasCost": "0x1", "actualGasUsed": "0x1"});
        json!({"type": "receipt", "receipt": receipt})
    };
    let step = match event {
        Event::Sent => json!({"type": "sent", "jobId": JOB, "hash": HASH}),
        Event::Accepted => json!({"type": "answered", "reply": {"status": "success", "data": {}}}),
        Event::Refused(code) | Event::Failed(code) => error(*code),
        Event::BrokenOff => json!({"type": "brokenOff"}),
        Event::NoReceipt => json!({"type": "receipt", "receipt": null}),
        Event::OtherReceipt => receipt(&HASH.replace("2beb", "2bec"), true),
        Event::Receipt(success) => receipt(HASH, *success),
    };
    step.to_string().parse().unwrap()
}

proptest! {
    #[test]
    fn it_is_sent_again_only_if_no_try_is_open(events in prop::collection::vec(event(), 0..30)) {
        let (mut on_their_way, mut lost, mut settled) = (1_u32, 0_u32, false);
        let mut state = advance(None, &step(&Event::Sent)).unwrap().state;
        for event in events {
            let progress = advance(Some(state), &step(&event)).unwrap();
            match event {
                Event::Sent if settled => {}
                Event::Sent => on_their_way += 1,
                Event::Accepted | Event::Receipt(_) => settled = true,
                Event::Refused(_) => on_their_way = on_their_way.saturating_sub(1),
                Event::Failed(_) | Event::BrokenOff if on_their_way > 0 => (on_their_way, lost) = (on_their_way - 1, lost + 1),
                _ => {}
            }
            if settled {
                prop_assert_eq!(progress.verdict, SubmissionVerdict::MustNotBeSent);
            } else if progress.verdict == SubmissionVerdict::MayBeSent {
                prop_assert_eq!((on_their_way, lost), (0, 0));
            } else {
                prop_assert_eq!(progress.verdict, SubmissionVerdict::MayHaveHappened);
            }
            // A submission is stored as JSON.
            state = serde_json::to_string(&progress.state).unwrap().parse::<Submission>().unwrap();
            prop_assert_eq!(&state, &progress.state);
        }
    }
}
