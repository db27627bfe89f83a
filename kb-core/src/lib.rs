//! kb
pub mod catalog;
pub mod decode;
pub mod diag;
pub mod evidence;
pub mod fact;
pub mod kb;
pub mod record;
pub mod value;
pub mod version;
