//! Every class, with many cases: none is accepted.

use std::collections::BTreeMap;
use std::{env, sync::Mutex, thread};

use bypass::{Originals, all};

/// The number of cases of each class: `SENDOFF_BYPASS` for all classes together, or 100, with `SENDOFF_ALL` 1,000.
fn cases() -> u64 {
    let usual = laws::extent(100, 1_000);
    let classes = all().count() as u64;
    env::var("SENDOFF_BYPASS")
        .map_or(usual, |text| text.parse::<u64>().expect("a number of cases").div_ceil(classes))
}

/// The first failure of each class, and the number of failures.
type Failures = BTreeMap<&'static str, (u64, String)>;

/// Runs the cases of these numbers.
fn run(seeds: impl Iterator<Item = u64>, failures: &Mutex<Failures>) {
    let originals = laws::INTENTS.map(|kind| (kind, Originals::of(kind)));
    for seed in seeds {
        let drafts = originals.each_ref().map(|(kind, originals)| (*kind, originals.at(seed)));
        for class in all() {
            let kind = class.kind(seed);
            let (_, original) = drafts.iter().find(|(other, _)| *other == kind).unwrap();
            if let Err(why) = class.case(original, seed).check() {
                let mut failures = failures.lock().unwrap();
                failures.entry(class.name).or_insert((0, format!("{kind}, {seed}: {why}"))).0 += 1;
            }
        }
    }
}

#[test]
fn no_case_is_accepted() {
    let (cases, threads) =
        (cases(), thread::available_parallelism().map_or(1, |count| count.get() as u64));
    let failures = Mutex::new(Failures::new());
    thread::scope(|scope| {
        for first in 0..threads {
            let seeds = (0..cases).filter(move |seed| seed % threads == first);
            scope.spawn(|| run(seeds, &failures));
        }
    });
    let failures = failures.into_inner().unwrap();
    println!("{} classes, {cases} cases of each, {} classes failed", all().count(), failures.len());
    let list: String = failures
        .iter()
        .map(|(class, (count, why))| format!("\n{class}: {count} of {cases}, first {why}"))
        .collect();
    assert!(list.is_empty(), "{list}");
}
