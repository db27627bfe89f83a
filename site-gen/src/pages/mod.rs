//! The pages, one file for each sort.

pub(crate) mod home;
pub(crate) mod index;
pub(crate) mod matrix;
pub(crate) mod myths;
pub(crate) mod table;
pub(crate) mod thing;
pub(crate) mod tools;
