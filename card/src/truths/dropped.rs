//! Machine code that a source says a build does not have (`build-dropped-code`). No answer rests on that; it is shown
//! beside the lists.

use kb_core::fact::FactId;
use kb_core::kb::Kb;
use kb_core::pep;
use kb_core::platform::Platform;
use kb_core::value::Value;
use kb_core::world::{Build, PackageWorld};

/// The facts that count targets out of a build, with the targets.
pub(super) fn of(kb: &Kb, package: &PackageWorld, build: &Build) -> Vec<(FactId, Vec<String>)> {
    let id = kb.packages.get(usize::from(build.package)).map_or("", |p| &p.id);
    let channel = kb.channels.get(usize::from(build.channel)).map_or("", |c| &c.id);
    let version = package.release(build).version();
    let mut out = Vec::new();
    for (fact, _) in kb.facts_of("build-dropped-code") {
        let text = |column: &str| match kb.cell(fact, column) {
            Some(Value::Text(text)) => Some(text.as_str()),
            _ => None,
        };
        let platform = text("platform").and_then(Platform::parse);
        let meant = text("package") == Some(id)
            && text("channel").is_none_or(|c| c == channel)
            && (platform.is_none() || build.platform.is_none() || platform == build.platform)
            && text("variant").is_none_or(|v| Some(v) == build.extra.as_deref())
            && text("versions").is_some_and(|range| pep::contains(&pep::alternatives(range), version));
        if let (true, Some(Value::List(targets))) = (meant, kb.cell(fact, "targets")) {
            out.push((fact, targets.iter().map(ToString::to_string).collect()));
        }
    }
    out
}
