//! How long it takes to identify a caller does not depend on where a wrong secret differs from the
//! right one: a t-test on times, as dudect does it (Reparaz, Balasch, Verbauwhede, 2017).
//! `cargo xtask test timing` runs it optimised and for longer.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::cast_precision_loss,
    clippy::string_slice,
    reason = "a test"
)]

use std::env;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use axum::http::{HeaderMap, HeaderValue, header};
use sendoff::http::Operation;
use serde_json::{Value, json};

use crate::callers::{API_KEY, Arc, Callers, Digest, Users};
use crate::database::in_service;

/// As long as a token with claims: the longer a secret, the more a comparison byte by byte tells.
const LENGTH: usize = 1024;
/// Above this t a difference is certain, says dudect; below 4.5 there is no sign of one.
const CERTAIN: f64 = 10.0;
const NO_SIGN: f64 = 4.5;

/// The right secret, and wrong ones that differ in their first, middle or last byte.
fn secrets() -> [String; 4] {
    let right: String = ('a'..='z').cycle().take(LENGTH).collect();
    let differs_at = |at: usize| format!("{}0{}", &right[..at], &right[at + 1..]);
    let wrong = [0, LENGTH / 2, LENGTH - 1].map(differs_at);
    let [first, middle, last] = wrong;
    [right, first, middle, last]
}

fn callers(secret: &str, of: Value) -> Callers {
    let application = in_service(&json!({
        "name": "shop",
        "client_swa": "0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F",
        "keys": [{ "sha256": Digest::of(secret), "of": of }],
    }));
    Callers::new(&[Arc::new(application)], Users::default())
}

/// Welch's t of the times of two classes, taken in turns that chance decides. The slowest tenth is left out: interrupts.
fn t(samples: usize, classes: [&HeaderMap; 2], judge: &dyn Fn(&HeaderMap)) -> f64 {
    const CALLS: usize = 16;

    let mut times = [Vec::new(), Vec::new()];
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;

    for _ in 0..samples {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let class = usize::from(seed & 1 == 1);
        // One place in memory for both.
        let headers = classes[class].clone();
        let began = Instant::now();
        for _ in 0..CALLS {
            judge(black_box(&headers));
        }
        times[class].push(began.elapsed().as_nanos() as f64);
    }

    let mut all: Vec<f64> = times.concat();
    all.sort_by(f64::total_cmp);

    let most = all[all.len() * 9 / 10];
    let [one, other] = times.map(|times| {
        let kept: Vec<f64> = times.into_iter().filter(|time| *time <= most).collect();
        let count = kept.len() as f64;
        let mean = kept.iter().sum::<f64>() / count;
        let variance = kept.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / (count - 1.0);
        (mean, variance / count)
    });

    (one.0 - other.0) / (one.1 + other.1).sqrt()
}

#[test]
fn time_does_not_tell_where_a_secret_differs() {
    let asked = env::var("SENDOFF_TIMING").ok().and_then(|text| text.parse().ok());
    let samples = asked.unwrap_or(1_000);
    let secrets = secrets();
    let users =
        callers(&secrets[0], json!({ "user": "0xb3950bBE24596c9e1097dC110701410257038293" }));
    let servers = callers(&secrets[0], json!("server"));

    let token = |secret: &str| {
        let value = HeaderValue::try_from(format!("Bearer {secret}")).expect("a value");
        HeaderMap::from_iter([(header::AUTHORIZATION, value)])
    };
    let key = |secret: &str| {
        HeaderMap::from_iter([(API_KEY, HeaderValue::try_from(secret).expect("a value"))])
    };
    let (tokens, keys) = (
        secrets.each_ref().map(|secret| token(secret)),
        secrets.each_ref().map(|secret| key(secret)),
    );
    // No other server is asked, so that the future is ready at once.
    let identify = |callers: &Callers, operation, headers: &HeaderMap| {
        let mut before = || Ok(());
        let found = pin!(callers.identify(operation, headers, &mut before));
        matches!(found.poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(Ok(_)))
    };
    let by_token = |headers: &HeaderMap| {
        black_box(identify(&users, Operation::TransferNft, headers));
    };
    let by_key = |headers: &HeaderMap| {
        black_box(identify(&servers, Operation::ServerCreateWallet, headers));
    };

    assert!(identify(&users, Operation::TransferNft, &tokens[0]));
    assert!(identify(&servers, Operation::ServerCreateWallet, &keys[0]));

    // The deliberate fault: the secret itself is compared.
    let by_text = |headers: &HeaderMap| {
        black_box(headers[API_KEY].as_bytes() == secrets[0].as_bytes());
    };
    let (right, first, middle, last) = (0, 1, 2, 3);

    for (name, classes, judge) in
        [("a token", &tokens, &by_token as &dyn Fn(&HeaderMap)), ("a server key", &keys, &by_key)]
    {
        // A right one is answered otherwise, so that its time tells nothing more.
        let equal = t(samples, [&classes[right], &classes[last]], judge);
        let [near, far] =
            [middle, last].map(|other| t(samples, [&classes[first], &classes[other]], judge));
        println!(
            "{name}: t = {near:.1} first and middle byte, {far:.1} first and last byte; {equal:.1} right and wrong"
        );
        assert!(near.abs() < NO_SIGN && far.abs() < NO_SIGN, "{name}: {near}, {far}");
    }

    let far = t(samples, [&keys[first], &keys[last]], &by_text);
    println!("a comparison by `==`: t = {far:.1} first and last byte");

    // A busy machine hides it from few samples.
    let is_found = asked.is_none() || far.abs() > CERTAIN;
    assert!(is_found, "the measurement finds no comparison by `==`: {far}");
}
