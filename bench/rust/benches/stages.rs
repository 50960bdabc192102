//! The stages of the core, each by itself.

use criterion::{Criterion, criterion_group, criterion_main};

fn stages(c: &mut Criterion) {
    for (group, name, mut run) in stages::stages() {
        c.benchmark_group(group).bench_function(name, |b| b.iter(&mut run));
    }
}

criterion_group!(benches, stages);
criterion_main!(benches);
