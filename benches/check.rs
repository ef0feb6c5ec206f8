//! Whole checks through the library: loading, compiling, exploring. Each iteration starts from the file.
//!
//! `cargo bench --bench check`; the figures to keep in mind are in `docs/performance.md`.

mod common;

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;

/// (machine, size of its deferred sets, strategy, states).
const CHECKS: &[(&str, u32, &str, u64)] = &[
    ("Scheduler1", 7, "off", 297_472),
    ("Scheduler1", 7, "markers", 168),
    ("Scheduler1", 7, "exact", 168),
    ("Scheduler0", 10, "off", 255_879),
    ("Peterson", 4, "off", 22_282),
    ("Towns", 4, "off", 65_536),
    ("Towns", 4, "exact", 3_044),
    ("RussianPost", 6, "off", 60_980),
];

fn checks(c: &mut Criterion) {
    let mut group = c.benchmark_group("check");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    for &(machine, size, strategy, expected) in CHECKS {
        let file = format!("symmetry/{machine}.mch");
        group.bench_function(format!("{machine}/{size}/{strategy}"), |b| {
            b.iter(|| {
                let states = common::states(&common::evaluator(black_box(&file), size), strategy, 1);
                assert_eq!(states, expected);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, checks);
criterion_main!(benches);
