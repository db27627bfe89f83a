//! Files for tests: zips that lie, containers, libraries.

#![allow(dead_code)]

pub mod fatbin;
pub mod pe;
pub mod zip;

/// Bytes that look like anything and are the same every time.
pub fn noise(length: usize, mut seed: u64) -> Vec<u8> {
    (0..length)
        .map(|_| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 56) as u8
        })
        .collect()
}
