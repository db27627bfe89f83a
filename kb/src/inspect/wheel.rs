//! What a wheel says of itself, wherever its bytes are.

use super::Inspected;
use super::part::Part;
use artifact::wheel::Tag;
use artifact::{Bytes, Error, Limits, Options, Wheel, describe_versions, describe_wheel};

/// Everything, device code included.
pub(super) fn whole(
    bytes: &(impl Bytes + ?Sized),
    name: &str,
    options: &Options,
) -> Result<Inspected, Error> {
    Ok(about(&describe_wheel(bytes, name, options)?))
}

/// What it states in text, without looking into libraries.
pub(super) fn stated(bytes: &(impl Bytes + ?Sized), name: &str) -> Result<Inspected, Error> {
    let read = describe_versions(bytes, name, Limits::default())?;
    let mut out = about(&read.wheel);
    (out.no_code, out.no_tables, out.unlisted) = (true, true, read.unread);
    Ok(out)
}

fn about(wheel: &Wheel) -> Inspected {
    let mut out = Inspected { kind: "wheel", not_read: wheel.not_read.clone(), ..Inspected::default() };
    if let Some(file_name) = &wheel.file_name {
        out.name = Some(file_name.package.clone());
        out.version = Some(file_name.version.to_string());
        tags(&mut out, &file_name.tags);
    } else if let Some(about) = &wheel.wheel {
        tags(&mut out, &about.tags);
    }
    if let Some(metadata) = &wheel.metadata {
        out.name = out.name.or_else(|| metadata.name.clone());
        out.version = out.version.or_else(|| metadata.version.clone());
        out.requires_python.clone_from(&metadata.requires_python);
        out.requires =
            metadata.requires_dist.iter().filter(|r| artifact::installed::is_required(r)).cloned().collect();
    }
    for (member, stated) in &wheel.stated {
        out.state(member, stated);
    }
    for l in &wheel.libraries {
        out.library(&Part::of_wheel(l, &wheel.stated));
    }
    if wheel.name_agrees() == Some(false) {
        out.notes.push(("ui-inspect-other-name", 1));
    }
    if !wheel.problems.is_empty() {
        out.notes.push(("ui-inspect-odd", wheel.problems.len()));
    }
    out
}

fn tags(out: &mut Inspected, tags: &[Tag]) {
    for tag in tags {
        for (list, value) in [(&mut out.python, &tag.python), (&mut out.platform, &tag.platform)] {
            if !list.contains(value) {
                list.push(value.clone());
            }
        }
    }
}
