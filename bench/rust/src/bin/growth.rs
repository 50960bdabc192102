//! How times grow: of an estimate and a verification with the size of the document, of an admission
//! with the number of callers, beside a map from texts to numbers that adds one and governor; and the time of a
//! refused estimate beside an accepted one of its size. The sides take turns, and the least of all
//! rounds counts. Prints JSON.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a benchmark ends at the first mistake"
)]

use std::{collections::HashMap, hint::black_box, num::NonZeroU32, time::Duration};

use governor::{Quota, RateLimiter as Governor};
use sendoff::rate_limit::{Cost, Policy, RateLimiter, Time};
use sendoff::{estimate::EstimateRequest, json};
use serde_json::{Value, json};
use stages::{FACTS, REQUEST, microseconds};

/// The longest text that the core reads.
const MAX_TEXT: usize = 1 << 20;

fn main() {
    let documents: Vec<_> = (10..=20).map(|power| document(1 << power)).collect();
    let callers: Vec<_> = (0..=6).map(|power| admission(10_usize.pow(power))).collect();
    println!("{}", json!({ "documents": documents, "callers": callers, "refusals": refusals() }));
}

/// Microseconds of an estimate, and of the verification of its reply, for a request of this many bytes. A reply is about twice
/// as long, so replies to the largest requests cannot be verified.
fn document(bytes: usize) -> Value {
    let request = request_of(bytes);
    let reply = json::estimate(&request, FACTS).unwrap();
    let parsed: EstimateRequest = request.parse().unwrap();
    let [estimate, verify] = microseconds(
        (1 << 16) / bytes + 1,
        [&mut || drop(black_box(json::estimate(&request, FACTS))), &mut || {
            drop(black_box(sendoff::estimate::verify(&parsed, &reply)))
        }],
    );
    json!({ "bytes": request.len(), "estimate": estimate, "verify": (reply.len() <= MAX_TEXT).then_some(verify) })
}

/// A request of this many bytes: one raw transaction, and as much data as fits.
fn request_of(bytes: usize) -> String {
    let of = |digits: usize| {
        let mut request: Value = serde_json::from_str(REQUEST).unwrap();
        let to = "0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90";
        let transaction = json!({ "from": to, "to": to, "data": format!("0x{}", "5a".repeat(digits / 2)), "value": "0x0" });
        request["type"] = "RAW_TRANSACTION".into();
        request["paymasterData"] = "0x".into();
        request["details"] = json!({ "caip2Id": "eip155:80002", "transactions": [transaction] });
        request.to_string()
    };
    of(bytes - of(0).len())
}

/// Microseconds of an estimate that is refused, and of one that is accepted and as long.
fn refusals() -> Vec<Value> {
    let accepted = serde_json::from_str::<Value>(REQUEST).unwrap().to_string();
    let fields = |count: usize| (0..count).map(|n| format!(r#""k{n}":{n},"#)).collect::<String>();
    let largest = request_of(MAX_TEXT);
    let cases = [
        ("the first field", accepted.replacen("NFT_TRANSFER", "NFT", 1), &accepted),
        (
            "100 unknown fields",
            accepted.replacen('{', &format!("{{{}", fields(100)), 1),
            &request_of(2_300),
        ),
        (
            "1 MiB, the last character is no hex digit",
            largest.replacen(r#"5a","#, r#"5x","#, 1),
            &largest,
        ),
        ("1 MiB, 65,000 unknown fields", format!("{{{}\"z\":0}}", fields(65_000)), &largest),
        ("1 MiB, equal keys", format!("{{{}\"a\":0}}", r#""a":0,"#.repeat(170_000)), &largest),
        ("1 MiB, 500,000 items", format!("[{}0]", "0,".repeat(500_000)), &largest),
    ];
    let measured = cases.into_iter().map(|(name, text, peer)| {
        assert!(
            json::estimate(&text, FACTS).is_err() && json::estimate(peer, FACTS).is_ok(),
            "{name}"
        );
        let [refused, other] = microseconds(
            (1 << 14) / text.len() + 1,
            [&mut || drop(black_box(json::estimate(&text, FACTS))), &mut || {
                drop(black_box(json::estimate(peer, FACTS)))
            }],
        );
        json!({ "name": name, "bytes": text.len(), "refused": refused, "accepted": other })
    });
    measured.collect()
}

/// The order in which callers come, from a generator of Knuth's, so that each run has the same.
fn order(callers: usize) -> impl Iterator<Item = usize> {
    let mut state = 1_u64;
    std::iter::repeat_with(move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % callers
    })
}

/// Nanoseconds a call. The limiter has admitted each caller once, and refuses none.
fn admission(callers: usize) -> Value {
    let policy = Policy::new((1 << 21) - 1, Duration::from_secs(86_400)).unwrap();
    let now = Time::from_ms(1_750_000_000_000).unwrap();
    let keys: Vec<_> = (0..callers).map(|caller| format!("application-{caller:08}")).collect();
    let mut map: HashMap<_, u64> = keys.iter().map(|key| (key.clone(), 0)).collect();
    let mut limiter = RateLimiter::new(policy);
    keys.iter().for_each(|key| assert!(limiter.admit(key, now, Cost::ONE).is_admitted()));
    let peer = Governor::keyed(Quota::per_second(NonZeroU32::MAX));
    let [mut first, mut second, mut third] = [(); 3].map(|()| order(callers));
    let times = microseconds(
        1_000,
        [
            &mut || *map.get_mut(&*keys[first.next().unwrap()]).unwrap() += 1,
            &mut || {
                black_box(limiter.admit(&keys[second.next().unwrap()], now, Cost::ONE));
            },
            &mut || drop(black_box(peer.check_key(&keys[third.next().unwrap()]))),
        ],
    );
    let [map, sendoff, governor] = times.map(|micros| micros * 1e3);
    json!({ "callers": callers, "map": map, "sendoff": sendoff, "governor": governor })
}
