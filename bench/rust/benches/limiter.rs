//! Admission of random callers, compared with a map of counters and with governor.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a benchmark ends at the first mistake"
)]

use std::num::NonZeroU32;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use governor::{Quota, RateLimiter as Governor};
use sendoff::rate_limit::Cost;
use stages::callers::{Callers, order};

fn admission(c: &mut Criterion) {
    for callers in [1, 1_000, 1_000_000] {
        let Callers { keys, mut map, mut limiter, now } = Callers::new(callers);
        let mut group = c.benchmark_group(format!("{callers} callers"));
        group.throughput(Throughput::Elements(1));

        let mut next = order(callers);
        group.bench_function(BenchmarkId::from_parameter("a map that adds one"), |b| {
            b.iter(|| *map.get_mut(&*keys[next.next().unwrap()]).unwrap() += 1)
        });

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
