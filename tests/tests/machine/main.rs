//! `kb probe`, `doctor`, `which`, `snapshot` and `watch` on this machine: with a management library that answers from a
//! file, with Python environments made for the test, in namespaces that look like other machines.
#![cfg(target_os = "linux")]

mod desk;
mod drift;
mod environments;
mod gpus;
mod namespaces;
mod odd;
mod unchanged;
