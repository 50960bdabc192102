//! Every class, with many cases: none is accepted.

use std::collections::BTreeMap;
use std::{env, thread};

use bypass::{Originals, all};

/// The number of cases of each class: `SENDOFF_BYPASS` for all classes together, or 100, with `SENDOFF_ALL` 1,000.
fn cases() -> u64 {
    let usual = if env::var_os("SENDOFF_ALL").is_some() { 1_000 } else { 100 };
    let classes = all().count() as u64;
    env::var("SENDOFF_BYPASS")
        .map_or(usual, |text| text.parse::<u64>().expect("a number of cases").div_ceil(classes))
}

/// What a thread found: the first failure of each class, and the number of failures.
type Failures = BTreeMap<&'static str, (u64, String)>;

/// Runs the cases of these numbers.
fn run(seeds: impl Iterator<Item = u64>) -> Failures {
    let originals = laws::INTENTS.map(|kind| (kind, Originals::of(kind)));
    let mut failures = Failures::new();
    for seed in seeds {
        let drafts = originals.each_ref().map(|(kind, originals)| (*kind, originals.at(seed)));
        for class in all() {
            let kind = class.kind(seed);
            let (_, original) = drafts.iter().find(|(other, _)| *other == kind).unwrap();
            if let Err(why) = class.case(original, seed).check() {
                failures.entry(class.name).or_insert((0, format!("{kind}, {seed}: {why}"))).0 += 1;
            }
        }
    }
    failures
}

#[test]
fn no_case_is_accepted() {
    let (cases, threads) =
        (cases(), thread::available_parallelism().map_or(1, |count| count.get() as u64));
    let mut failures = Failures::new();
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|first| {
                scope.spawn(move || run((0..cases).filter(|seed| seed % threads == first)))
            })
            .collect();
        for found in running {
            for (class, (count, why)) in found.join().unwrap() {
                failures.entry(class).or_insert((0, why)).0 += count;
            }
        }
    });
    println!("{} classes, {cases} cases of each, {} classes failed", all().count(), failures.len());
    let list: String = failures
        .iter()
        .map(|(class, (count, why))| format!("\n{class}: {count} of {cases}, first {why}"))
        .collect();
    assert!(list.is_empty(), "{list}");
}
