//! Real names and what they mean, against a small knowledge base.

mod fixture;
mod properties;
mod table;
mod words;
