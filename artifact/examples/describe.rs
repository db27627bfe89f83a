//! Prints what wheels and libraries say of themselves: `cargo run --release -p artifact --example describe FILE…`.
//!
//! After `--remote` files are read as remote ones would be, and the ranges are counted. After `--no-libraries` the
//! libraries of wheels are left out, but for those that state targets.

use artifact::code::{Count, DeviceCode};
use artifact::{Blocks, Bytes, Options, describe_library, describe_wheel};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs::File;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut remote = false;
    let mut options = Options::default();
    for name in std::env::args().skip(1) {
        if name == "--remote" {
            remote = true;
            continue;
        }
        if name == "--no-libraries" {
            options = Options { code: false, tables: false, targets: true, ..options };
            continue;
        }
        let start = Instant::now();
        println!("{name}");
        let file = File::open(&name)?;
        if remote {
            let blocks = Blocks::new(file);
            describe(&blocks, &name, &options)?;
            let (reads, bytes) = blocks.traffic();
            println!("{reads} ranges, {bytes} bytes");
        } else {
            describe(&file, &name, &options)?;
        }
        println!("{:.2} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

fn describe(file: &impl Bytes, name: &str, options: &Options) -> Result<(), artifact::Error> {
    if name.ends_with(".whl") {
        return wheel(file, name, options);
    }
    let (code, tables) = describe_library(file);
    println!("{tables:#?}");
    code.get().map_or_else(|| println!("{code:?}"), print_code);
    Ok(())
}

fn wheel(file: &impl Bytes, name: &str, options: &Options) -> Result<(), artifact::Error> {
    let wheel = describe_wheel(file, name, options)?;
    println!("{:#?}", wheel.file_name);
    for (path, stated) in &wheel.stated {
        println!("{path}: {stated:#?}");
    }
    println!("{} members, {} problems", wheel.entries.len(), wheel.problems.len());
    for (path, why) in &wheel.not_read {
        println!("not read: {path}: {why}");
    }
    for member in &wheel.libraries {
        println!("{} ({} bytes)", member.path, member.size);
        match member.tables.get() {
            Some(t) => println!(
                "  {} needs {:?}, when used {:?}, glibc {:?}, version {:?}",
                t.format,
                t.needed,
                t.delayed,
                t.glibc,
                (&t.file_version, &t.file_version_text, &t.product_version_text)
            ),
            None => println!("  {:?}", member.tables),
        }
        member.code.get().map_or_else(|| println!("  {:?}", member.code), print_code);
    }
    for row in wheel.bundled() {
        println!("{} {} by {:?}: {}", row.library, row.version.value, row.how, row.path);
    }
    println!("decides: {:?}", wheel.dominant(|_| true).map(|(path, _)| path));
    Ok(())
}

fn print_code(code: &DeviceCode) {
    let list = |table: &BTreeMap<_, Count>| {
        let items: Vec<String> = table.iter().map(|(t, c)| target(t, c)).collect();
        items.join(" ")
    };
    println!(
        "  {} containers, {} malformed{}; SASS {}; PTX {}; other {:?}",
        code.containers,
        code.malformed,
        if code.truncated { ", cut" } else { "" },
        list(&code.sass),
        list(&code.ptx),
        code.other
    );
}

fn target(target: &impl Debug, count: &Count) -> String {
    format!("{target:?}×{}/{}", count.entries, count.containers)
}
