pub mod code;
mod blocks;
mod bytes;
mod error;
pub mod stated;
pub mod wheel;
pub use blocks::Blocks;
pub use bytes::{Bytes, Cursor, Window};
pub use error::{Error, Limits};
