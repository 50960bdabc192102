//! Small models: all inputs up to a bound, which is higher with `SENDOFF_ALL`. That of `admit` is
//! in `rate_limit/model.rs`.

use laws::fuzzed::{check, planned};
use laws::steps::{UNIT_MS, small_policies, time};
use laws::{INTENTS, extent, replies::cases};
use sendoff::rate_limit::Window;
use sendoff::user_op::Call;
use sendoff::value::{HexBytes, Quantity};
use serde_json::Value;

/// Calls `each` with all sequences of up to `most` pieces.
fn sequences(pieces: &[&str], most: u32, mut each: impl FnMut(&str)) -> u64 {
    let (mut count, base) = (0, pieces.len());
    for length in 0..=most {
        for number in 0..base.pow(length) {
            let places = (0..length).map(|at| pieces[number / base.pow(at) % base]);
            each(&places.collect::<String>());
            count += 1;
        }
    }
    count
}

/// A quantity is `0x0`, or `0x` and digits of which the first is not 0.
#[test]
fn every_short_text_is_a_quantity_or_none() {
    let count =
        sequences(&["0", "x", "X", "1", "9", "f", "F", "g", " ", "-"], extent(5, 6), |text| {
            let digits = text
                .strip_prefix("0x")
                .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
            let is_quantity = digits.is_some_and(|digits| {
                digits == "0" || !digits.is_empty() && !digits.starts_with('0')
            });
            match text.parse::<Quantity>() {
                Ok(quantity) => {
                    assert!(is_quantity, "{text}");
                    assert_eq!(
                        quantity.value(),
                        u64::from_str_radix(digits.unwrap(), 16).unwrap().into()
                    );
                }
                Err(_) => assert!(!is_quantity, "{text}"),
            }
        });
    println!("{count} texts");
}

/// The check of targets that a fuzzer has too.
#[test]
fn every_short_path_has_one_spelling() {
    let targets = check("targets");
    let pieces = "/api/v1/orders / api v1 orders %6F rders ; . %2e ? %2F #";
    let count = sequences(&pieces.split(' ').collect::<Vec<_>>(), extent(4, 5), |text| {
        targets(text.as_bytes())
    });
    println!("{count} targets");
}

/// Each word of call data, replaced by each number up to past its end: no other offset or length is read.
#[test]
fn every_offset_is_the_writers() {
    let mut count = 0;
    for kind in INTENTS {
        let case = cases(kind).next().unwrap();
        let reply: Value = serde_json::from_str(&case.reply).unwrap();
        let call_data: HexBytes =
            reply["data"]["userOps"]["callData"].as_str().unwrap().parse().unwrap();
        let bytes = call_data.to_vec();
        for at in (4..bytes.len().saturating_sub(32)).step_by(4) {
            for number in 0..=bytes.len() as u64 + 33 {
                let mut other = bytes.clone();
                other[at..at + 32].fill(0);
                other[at + 24..at + 32].copy_from_slice(&number.to_be_bytes());
                if let Ok(call) = Call::decode(&other) {
                    assert_eq!(call.encode(), other, "byte {at} is {number}");
                }
                count += 1;
            }
        }
    }
    println!("{count} encodings");
}

/// Every state of a window of three units in a day of seven, and every plan of up to nine calls from any unit.
#[test]
fn every_small_plan_is_the_earliest() {
    let mut count = 0;
    for policy in small_policies() {
        for now in -7..=7 {
            let taken = |start| (0..=policy.limit()).map(move |taken| (start * UNIT_MS, taken));
            let states = (0..7).flat_map(taken);
            let states = states.map(|(start, taken)| Window::new(time(start), taken).unwrap());
            for state in states.map(Some).chain([None]) {
                for calls in 0..=9 {
                    planned(&policy, state, now * UNIT_MS, calls);
                    count += 1;
                }
            }
        }
    }
    println!("{count} plans");
}
