//! kb
pub mod answer;
pub mod catalog;
pub mod decode;
pub mod diag;
pub mod evidence;
pub mod fact;
pub mod graph;
pub mod kb;
pub mod pep;
pub mod platform;
pub mod reason;
pub mod record;
pub mod request;
pub mod rule;
pub mod value;
pub mod version;
pub mod world;
