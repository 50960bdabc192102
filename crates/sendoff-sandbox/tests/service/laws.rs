//! Laws of the whole service: it never panics, replays to the byte, and loses nothing.

use std::collections::BTreeSet;

use proptest::{prelude::*, sample::Index, strategy::ValueTree as _, test_runner::TestRunner};
use sendoff_sandbox::{Request, State, answer};

use crate::calls::*;
use crate::random::day;

const OPTIONS: &str = r#"{"seed":"law"}"#;

/// The replies to a day's requests, and the state after it.
fn run(mut state: State, day: &[(Request, i64)], mut now: i64) -> (Vec<String>, State, i64) {
    let replies = day.iter().map(|(request, step)| {
        now += step;
        let reply = answer(&mut state, request, now);
        written(&reply)
    });
    let replies = replies.collect();
    (replies, state, now)
}

/// The supply of each token in a saved state, without what new users were given.
fn supplies(state: &State) -> Vec<u128> {
    let state = parse(&state.to_string()).unwrap();
    let users = state.at("users").and_then(Json::as_object).unwrap();
    let is_new = |user: &Json| user.text("isTreasury") == "false" && user.text("id") != USER;
    let new: u128 = users.values().filter(|user| is_new(user)).map(|_| 10).sum();
    let supply = |token: &Json| {
        let balances = token.at("balances").and_then(Json::as_object).unwrap().values();
        let sum: u128 =
            balances.map(|amount| amount.as_str().unwrap().parse::<u128>().unwrap()).sum();
        sum - new * 10_u128.pow(token.text("decimals").parse().unwrap())
    };
    state.at("ledger.tokens").and_then(Json::as_array).unwrap().iter().map(supply).collect()
}

/// The method and the path of a request, without what is a parameter; of the bundler its method.
pub(crate) fn route(request: &Request) -> String {
    if request.target == "/rpc" {
        return parse(&request.body).unwrap().text("method");
    }
    let path = request.target.split('?').next().unwrap();
    let is_parameter = |part: &str| part == USER || part == TREASURY;
    let parts: Vec<_> =
        path.split('/').map(|part| if is_parameter(part) { "" } else { part }).collect();
    format!("{} {}", request.method, parts.join("/"))
}

/// All routes: those of the documents, and the methods of the bundler by their names in the source.
pub(crate) fn routes() -> BTreeSet<String> {
    let documents = [
        include_str!("../../../../docs/schema/openapi.json"),
        include_str!("../../../../docs/schema/openapi-okto-v1.json"),
    ];
    let paths = documents.map(|text| parse(text).unwrap().at("paths").unwrap().clone());
    let routes =
        paths.iter().flat_map(|paths| paths.as_object().unwrap()).flat_map(|(path, of)| {
            let path = path.split('{').next().unwrap();
            of.as_object()
                .unwrap()
                .keys()
                .map(move |method| format!("{} {path}", method.to_uppercase()))
        });
    let rpc = include_str!("../../src/bundler/rpc.rs").split("\"eth_").skip(1);
    let methods = rpc.map(|rest| format!("eth_{}", rest.split('"').next().unwrap()));
    routes.chain(methods).collect()
}

#[test]
fn random_requests_succeed_on_every_route() {
    let mut runner = TestRunner::deterministic();
    let days = (0..400).map(|_| day(OPTIONS).new_tree(&mut runner).unwrap().current());
    let succeeded = days.flat_map(|day| {
        let (replies, ..) = run(State::start(OPTIONS).unwrap(), &day, NOW);
        let good = day.into_iter().zip(replies).filter(|((request, _), reply)| {
            request.header("x-sandbox-lie").is_none() && reply.starts_with("{\"status\":20")
        });
        good.map(|((request, _), _)| route(&request)).collect::<Vec<_>>()
    });
    assert_eq!(succeeded.collect::<BTreeSet<_>>(), routes());
}

proptest! {
    #![proptest_config(ProptestConfig {
        // With `SENDOFF_ALL` more than a hundred thousand requests.
        cases: if std::env::var_os("SENDOFF_ALL").is_some() { 4_000 } else { 32 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_was_recorded_replays_byte_for_byte(day in day(OPTIONS), cut in any::<Index>()) {
        let start = State::start(OPTIONS).unwrap();
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
}
