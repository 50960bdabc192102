//! Laws of the whole service: it never panics, replays to the byte, and loses nothing.

use proptest::prelude::*;
use sendoff_sandbox::{Json, Request, State, answer, check_reply};

use crate::{calls::NOW, random::day};

/// The replies to a day's requests, and the state after it.
fn run(mut state: State, day: &[(Request, i64)], mut now: i64) -> (Vec<String>, State, i64) {
    let replies = day.iter().map(|(request, step)| {
        now += step;
        let reply = answer(&mut state, request, now);
        if reply.header("x-sandbox-lied").is_none() {
            assert_eq!(
                check_reply(request, &reply),
                Vec::<String>::new(),
                "{request:?} {}",
                reply.body
            );
        }
        reply.to_json().to_string()
    });
    let replies = replies.collect();
    (replies, state, now)
}

/// The supply of each token, and the number of NFTs, in a saved state.
fn supplies(state: &State) -> Vec<String> {
    let state = Json::parse(&state.to_string()).unwrap();
    let tokens = state.at("ledger.tokens").and_then(Json::as_list).unwrap();
    let supply = |token: &Json| {
        let Some(Json::Object(balances)) = token.get("balances") else { panic!("{token}") };
        let sum: u128 = balances
            .iter()
            .map(|(_, amount)| amount.as_text().unwrap().parse::<u128>().unwrap())
            .sum();
        sum.to_string()
    };
    tokens.iter().map(supply).collect()
}

/// With `SENDOFF_ALL` more than a hundred thousand requests.
fn cases() -> u32 {
    if std::env::var_os("SENDOFF_ALL").is_some() { 4_000 } else { 32 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_recorded_replays_byte_for_byte(day in day(), cut in any::<prop::sample::Index>()) {
        let start = State::start(r#"{"seed":"law"}"#).unwrap();
        let before = supplies(&start);
        let (replies, end, _) = run(start.clone(), &day, NOW);
        prop_assert_eq!(&before, &supplies(&end), "tokens are moved, never made or lost");

        // The same, saved and loaded in the middle.
        let (morning, afternoon) = day.split_at(cut.index(day.len()));
        let (mut again, noon, now) = run(start, morning, NOW);
        let loaded: State = noon.to_string().parse().unwrap();
        prop_assert_eq!(&loaded, &noon);
        let (rest, evening, _) = run(loaded, afternoon, now);
        again.extend(rest);
        prop_assert_eq!(replies, again);
        prop_assert_eq!(end.to_string(), evening.to_string());
    }

    #[test]
    fn json_is_read_as_serde_json_reads_it(text in "[\\[\\]{}\",:0-9eE.+\\-\\\\a-fnrtu \n\u{1}é]{0,40}") {
        let (ours, other) = (Json::parse(&text), serde_json::from_str::<serde_json::Value>(&text));
        if let Some(ours) = ours {
            // Numbers beyond a double are ours alone.
            if let Ok(other) = other {
                prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&ours.to_string()).unwrap(), other);
            }
        } else if let Ok(other) = other {
            // Twice the same key: the last would win there.
            prop_assert!(text.contains('{') && text.matches(':').count() > other.to_string().matches(':').count(), "{}", text);
        }
    }
}
