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
use serde_json::json;

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

/// Welch's t of the times of two classes, taken in turns that chance decides. The slowest tenth is left out: interrupts.
fn t<T: Clone>(samples: usize, classes: [&T; 2], judge: impl Fn(&T) -> bool) -> f64 {
    const CALLS: usize = 16;

    let mut times = [Vec::new(), Vec::new()];
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;

    for _ in 0..samples {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let class = usize::from(seed & 1 == 1);
        // One place in memory for both.
        let given = classes[class].clone();
        let began = Instant::now();
        for _ in 0..CALLS {
            black_box(judge(black_box(&given)));
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
    let user = json!({ "user": "0xb3950bBE24596c9e1097dC110701410257038293" });

    for (name, of, operation, header, begin) in [
        ("a token", user, Operation::TransferNft, header::AUTHORIZATION, "Bearer "),
        ("a server key", json!("server"), Operation::ServerCreateWallet, API_KEY, ""),
    ] {
        let application = in_service(&json!({
            "name": "shop",
            "client_swa": "0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F",
            "keys": [{ "sha256": Digest::of(&secrets[0]), "of": of }],
        }));
        let callers = Callers::new(&[Arc::new(application)], Users::default());
        // No other server is asked, so that the future is ready at once.
        let identify = |headers: &HeaderMap| {
            let mut before = || Ok(());
            let found = pin!(callers.identify(operation, headers, &mut before));
            matches!(found.poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(Ok(_)))
        };
        let [right, first, middle, last] = secrets.each_ref().map(|secret| {
            let value = HeaderValue::try_from(format!("{begin}{secret}")).expect("a value");
            HeaderMap::from_iter([(header.clone(), value)])
        });
        assert!(identify(&right));

        // A right one is answered otherwise, so that its time tells nothing more.
        let [equal, near, far] = [[&right, &last], [&first, &middle], [&first, &last]]
            .map(|classes| t(samples, classes, identify));
        println!(
            "{name}: t = {near:.1} first and middle byte, {far:.1} first and last byte; {equal:.1} right and wrong"
        );
        assert!(near.abs() < NO_SIGN && far.abs() < NO_SIGN, "{name}: {near}, {far}");
    }

    // The deliberate fault: the secret itself is compared.
    let [right, first, _, last] = &secrets;
    let far = t(samples, [first, last], |secret| secret == right);
    println!("a comparison by `==`: t = {far:.1} first and last byte");

    // A busy machine hides it from few samples.
    let is_found = asked.is_none() || far.abs() > CERTAIN;
    assert!(is_found, "the measurement finds no comparison by `==`: {far}");
}
