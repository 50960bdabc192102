//! Admission of random callers, compared with a map of counters and with governor.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a benchmark ends at the first mistake"
)]

use std::{collections::HashMap, num::NonZeroU32};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use governor::{Quota, RateLimiter as Governor};
use sendoff::rate_limit::{Cost, Policy, RateLimiter, Time};

/// The order of callers, from a generator of Knuth, so that each run has the same order.
fn order(callers: usize) -> impl Iterator<Item = usize> {
    let mut state = 1_u64;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % callers
    })
}

fn admission(c: &mut Criterion) {
    let policy = Policy::new((1 << 21) - 1, 86_400_000).unwrap();
    let now = Time::from_ms(1_750_000_000_000).unwrap();
    for callers in [1, 1_000, 1_000_000] {
        let keys: Vec<String> = (0..callers).map(|caller| format!("application-{caller:08}")).collect();
        let mut group = c.benchmark_group(format!("{callers} callers"));
        group.throughput(Throughput::Elements(1));

        let mut map: HashMap<String, u64> = keys.iter().map(|key| (key.clone(), 0)).collect();
        let mut next = order(callers);
        group.bench_function(BenchmarkId::from_parameter("a map that adds one"), |b| {
            b.iter(|| *map.get_mut(&*keys[next.next().unwrap()]).unwrap() += 1)
        });

        let mut limiter = RateLimiter::new(policy);
        keys.iter().for_each(|key| assert!(limiter.admit(key, now, Cost::ONE).is_admitted()));
        let mut next = order(callers);
        group.bench_function(BenchmarkId::from_parameter("sendoff"), |b| {
            b.iter(|| limiter.admit(&keys[next.next().unwrap()], now, Cost::ONE))
        });

        let governor = Governor::keyed(Quota::per_second(NonZeroU32::MAX));
        keys.iter().for_each(|key| assert!(governor.check_key(key).is_ok()));
        let mut next = order(callers);
        group.bench_function(BenchmarkId::from_parameter("governor"), |b| {
            b.iter(|| governor.check_key(&keys[next.next().unwrap()]))
        });
        group.finish();
    }
}

criterion_group!(benches, admission);
criterion_main!(benches);
