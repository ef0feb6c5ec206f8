//! Some benches per room, on small inputs: where the time of a short run goes.
//!
//! `cargo bench --bench rooms`

mod common;

use bsym::explore::keys::Keys;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// Reading, resolving and typing a machine.
fn front_end(c: &mut Criterion) {
    let mut group = c.benchmark_group("front-end");
    for name in ["symmetry/Scheduler1.mch", "symmetry/USB.mch"] {
        group.bench_function(name, |b| b.iter(|| common::load(black_box(name))));
    }
    group.finish();
}

/// A machine with few states: what a short run costs besides reading it.
fn short_run(c: &mut Criterion) {
    let mut group = c.benchmark_group("short-run");
    for strategy in ["off", "markers", "exact"] {
        let evaluator = common::evaluator("symmetry/Scheduler1.mch", 3);
        group.bench_function(strategy, |b| b.iter(|| common::states(black_box(&evaluator), strategy, 1)));
    }
    group.finish();
}

/// The set of stored keys: half of what is inserted is new.
fn seen(c: &mut Criterion) {
    const MANY: u64 = 1 << 18;
    let mixed = |n: u64| {
        let h = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        u128::from(h ^ h >> 29) << 64 | u128::from(h.wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ h >> 31)
    };
    let keys: Vec<u128> = (0..MANY).map(|n| mixed(n / 2)).collect();
    let mut group = c.benchmark_group("seen");
    group.throughput(Throughput::Elements(MANY));
    for (name, narrow) in [("64 bits", true), ("128 bits", false)] {
        group.bench_function(name, |b| {
            b.iter_batched(
                || Keys::new(narrow, 1),
                |mut set| {
                    set.insert_all(black_box(&keys), |_| {});
                    set
                },
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, front_end, short_run, seen);
criterion_main!(benches);
