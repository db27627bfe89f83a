//! How long an answer takes once the data is in memory, beside two solvers that are given the same world as packages
//! with versions and that give a first answer without reasons.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use kb_bench::{grub, index, sat};
use kb_core::request::RawRequest;
use std::hint::black_box;

const GPU: &str = "rtx-3090";
const DRIVER: &str = "550.54.14";
const FOUR: [&str; 4] = ["torch", "tensorflow", "onnxruntime-gpu", "paddlepaddle-gpu"];

fn question(wants: &[&str]) -> RawRequest {
    RawRequest {
        command: "solve".into(),
        wants: wants.iter().map(|w| (*w).to_owned()).collect(),
        gpus: vec![GPU.into()],
        os: Some("linux".into()),
        driver: Some(DRIVER.into()),
        ..RawRequest::default()
    }
}

fn answers(c: &mut Criterion) {
    let kb = kb_data::builtin();
    let world = kb_data::world(&kb);
    let six: &[&str] = &[];
    for (name, wants) in [("one", &["torch"][..]), ("six", six), ("four-together", &FOUR[..])] {
        let raw = question(wants);
        let answer = kb_core::ask(&world, &raw).expect("a good question");
        println!("{name}: {:?}", answer.verdict);
        c.bench_function(&format!("kb/{name}"), |b| b.iter(|| kb_core::ask(&world, black_box(&raw))));
    }
    for (name, wants) in [("one", &["torch"][..]), ("four-together", &FOUR[..])] {
        let index = index(&world, wants, GPU, DRIVER);
        let builds: Vec<usize> = wants.iter().map(|w| index.packages[*w].len()).collect();
        println!(
            "{name}: builds {builds:?}, resolvo {:?}, pubgrub {:?}",
            sat::solve(sat::provider(&index)),
            grub::solve(&grub::provider(&index))
        );
        c.bench_function(&format!("resolvo/{name}"), |b| {
            b.iter_batched(
                || sat::provider(&index),
                |provider| black_box(sat::solve(provider)),
                BatchSize::SmallInput,
            );
        });
        let provider = grub::provider(&index);
        c.bench_function(&format!("pubgrub/{name}"), |b| b.iter(|| black_box(grub::solve(&provider))));
    }
    c.bench_function("kb/read-builtin", |b| b.iter(|| black_box(kb_data::builtin())));
}

criterion_group!(benches, answers);
criterion_main!(benches);
