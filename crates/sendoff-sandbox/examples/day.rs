//! A day of the pocket service, on its own clock: an application polls, and makes a transfer every
//! ten seconds.

use std::{collections::BTreeMap, time::Instant};

use sendoff_sandbox::{Json, Request, State, answer};

/// The time at the beginning: midnight.
const MIDNIGHT: i64 = 1_749_945_600_000;
const SECONDS: i64 = 86_400;

fn main() -> Result<(), String> {
    let mut state = State::start(r#"{"seed":"day","lies":{"seed":"day","every":50}}"#)?;
    let begun = Instant::now();
    let (mut statuses, mut lies) = (BTreeMap::<u16, u64>::new(), BTreeMap::<String, u64>::new());
    let mut count = 0_u64;
    for second in (0..SECONDS).step_by(2) {
        let request = if second % 10 == 0 { transfer() } else { read("/api/v1/orders?limit=5") };
        let reply =
            answer(&mut state, &request, MIDNIGHT.saturating_add(second.saturating_mul(1_000)));
        count = count.saturating_add(1);
        let times = statuses.entry(reply.status).or_default();
        *times = times.saturating_add(1);
        if let Some(lie) = reply.header("x-sandbox-lied") {
            let times = lies.entry(lie.into()).or_default();
            *times = times.saturating_add(1);
        }
    }

    let took = begun.elapsed();
    let saved = Json::parse(&state.to_string()).ok_or("expected a state")?;
    println!("a day of {count} requests took {:.1} s", took.as_secs_f64());
    println!("replies by status: {statuses:?}");
    println!("{} different lies were told, {} in all", lies.len(), lies.values().sum::<u64>());
    println!("orders by state, of those that are kept: {:?}", states(&saved));
    Ok(())
}

fn read(target: &str) -> Request {
    let headers = vec![("authorization".into(), "Bearer sandbox-token".into())];
    Request { method: "GET".into(), target: target.into(), headers, body: String::new() }
}

fn transfer() -> Request {
    let body = r#"{"network_name":"POLYGON","token_address":"","quantity":"0.001","recipient_address":"0xCDAC489b062A5d057Bd15DdE758829eCF3A14e5B"}"#;
    Request { method: "POST".into(), body: body.into(), ..read("/api/v1/transfer/tokens/execute") }
}

fn states(saved: &Json) -> BTreeMap<String, u64> {
    let mut states = BTreeMap::<String, u64>::new();
    for order in saved.get("orders").and_then(Json::as_list).unwrap_or_default() {
        let times = states
            .entry(order.at("status").and_then(Json::as_text).unwrap_or_default().into())
            .or_default();
        *times = times.saturating_add(1);
    }
    states
}
