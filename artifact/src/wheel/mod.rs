//! Wheels: zip archives with a name, metadata and a list of files.

mod archive;
mod ends;
mod file_name;
mod member;
mod metadata;
mod record;

pub use archive::{Archive, Entry, Kind, Method, Problem};
pub(crate) use file_name::local;
pub use file_name::{FileName, Tag, normalised};
pub use member::Member;
pub use metadata::{Metadata, WheelFile};
pub use record::{Record, RecordRow};
