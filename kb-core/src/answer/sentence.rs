//! The sentence of each reason: an id of the word tables, and the values for its places.

use super::words::list;
use crate::kb::Kb;
use crate::reason::Reason;
use crate::version::{ComputeTarget, DriverVersion};
use crate::world::{Build, BuildKind, View};
use compact_str::CompactString;

/// How a build is named: `torch 2.9.1+cu126`, `torch 2.15.0 (pypi)`, `jax[cuda12] 0.9.0 (pypi)`.
pub(crate) fn build_name(world: View<'_>, build: &Build) -> String {
    let package = usize::from(build.package);
    let id = &world.kb.packages[package].id;
    let version = world.package(package).release(build).version();
    let extra = build.extra.as_deref().map(|e| format!("[{e}]")).unwrap_or_default();
    match build.label.as_deref().filter(|_| build.extra.is_none()) {
        Some(label) => format!("{id}{extra} {version}+{label}"),
        // A library beside a framework comes from where that does.
        None if build.kind == BuildKind::Plain => format!("{id}{extra} {version}"),
        None => format!("{id}{extra} {version} ({})", world.kb.channels[usize::from(build.channel)].id),
    }
}

fn platform_value(platform: &Option<crate::platform::Platform>) -> (&'static str, String) {
    ("platform", platform.map_or_else(|| "any".to_owned(), |p| p.to_string()))
}

fn targets(list_of: &[ComputeTarget], none: &str) -> String {
    if list_of.is_empty() { none.to_owned() } else { list(list_of) }
}

/// Interpreter tags as versions, where they name one: `cp312` is 3.12.
fn pythons(tags: &[CompactString]) -> String {
    let versions = crate::rule::build_platform::versions(tags);
    if versions.is_empty() { list(tags) } else { list(&versions) }
}

fn or_dash<T: std::fmt::Display>(value: Option<T>) -> String {
    value.map_or_else(|| "?".to_owned(), |v| v.to_string())
}

/// The sentence id and the values. `name` is the build that the reason speaks of; `none` the word for an empty list.
pub(crate) fn sentence(
    kb: &Kb,
    name: &str,
    none: &str,
    reason: &Reason<'_>,
) -> (&'static str, Vec<(&'static str, String)>) {
    let build = ("build", name.to_owned());
    let gpu = |g: &str| ("gpu", gpu_name(kb, g));
    match reason {
        // A build for any platform is not "for any".
        Reason::CpuBuildElsewhere { platform: None, channel } => {
            ("cpu-build-elsewhere-any", vec![build, ("channel", (*channel).to_owned())])
        }
        Reason::CpuBuild { platform: None } => ("cpu-build-any", vec![build]),
        Reason::CpuBuildExtra { platform, with } => {
            ("cpu-build-extra", vec![build, platform_value(platform), ("with", with.clone())])
        }
        Reason::CpuBuildElsewhere { platform, channel } => {
            ("cpu-build-elsewhere", vec![build, platform_value(platform), ("channel", (*channel).to_owned())])
        }
        Reason::CpuBuildSince { platform, last } => {
            ("cpu-build-since", vec![build, platform_value(platform), ("last", (*last).to_owned())])
        }
        Reason::ToolkitCannotTarget { gpu: g, capability, cuda, last } => (
            "toolkit-cannot-target",
            vec![
                gpu(g),
                ("capability", capability.to_string()),
                ("cuda", cuda.to_string()),
                ("last", or_dash(*last)),
            ],
        ),
        Reason::CpuBuild { platform } => ("cpu-build", vec![build, platform_value(platform)]),
        Reason::RocmBuild => ("rocm-build", vec![build]),
        Reason::CpuIsEnough => ("cpu-is-enough", vec![build]),
        Reason::RunsSass { gpu: g, capability, by } => {
            ("runs-sass", vec![build, gpu(g), ("capability", capability.to_string()), ("by", by.to_string())])
        }
        Reason::RunsPtx { gpu: g, capability, by, sass } => (
            "runs-ptx",
            vec![
                build,
                gpu(g),
                ("capability", capability.to_string()),
                ("by", by.to_string()),
                ("sass", targets(sass, none)),
            ],
        ),
        Reason::RunsCompiled { gpu: g, capability, cuda } => (
            "runs-compiled",
            vec![build, gpu(g), ("capability", capability.to_string()), ("cuda", or_dash(*cuda))],
        ),
        Reason::RunsDocumented { gpu: g, capability, range } => (
            "runs-documented",
            vec![build, gpu(g), ("capability", capability.to_string()), ("range", range.to_string())],
        ),
        Reason::NoCode { gpu: g, capability, sass, ptx } => (
            if ptx.is_empty() { "no-code" } else { "no-code-old-ptx" },
            vec![
                build,
                gpu(g),
                ("capability", capability.to_string()),
                ("sass", targets(sass, none)),
                ("ptx", targets(ptx, none)),
            ],
        ),
        Reason::NotDocumented { gpu: g, capability, range } => (
            "not-documented",
            vec![build, gpu(g), ("capability", capability.to_string()), ("range", range.to_string())],
        ),
        Reason::CannotCompile { gpu: g, capability, cuda } => (
            "cannot-compile",
            vec![build, gpu(g), ("capability", capability.to_string()), ("cuda", cuda.to_string())],
        ),
        Reason::ToolkitCannot { gpu: g, capability, cuda, least } => (
            "toolkit-cannot",
            vec![
                build,
                gpu(g),
                ("capability", capability.to_string()),
                ("cuda", cuda.to_string()),
                ("least", or_dash(*least)),
            ],
        ),
        Reason::CodeUnknown { gpu: g, capability } => {
            ("code-unknown", vec![build, gpu(g), ("capability", capability.to_string())])
        }
        Reason::PtxUnknown { gpu: g, capability, sass } => (
            "ptx-unknown",
            vec![build, gpu(g), ("capability", capability.to_string()), ("sass", targets(sass, none))],
        ),
        Reason::BranchKnowsGpu { gpu: g, driver, branch } if branch.0 == u16::MAX => {
            ("newest-branch-knows-gpu", vec![gpu(g), ("driver", driver.to_string())])
        }
        Reason::BranchKnowsGpu { gpu: g, driver, branch } => {
            ("branch-knows-gpu", vec![gpu(g), ("driver", driver.to_string()), ("branch", branch.to_string())])
        }
        Reason::BranchTooOld { gpu: g, driver, branch, first } => (
            "branch-too-old",
            vec![
                gpu(g),
                ("driver", driver.to_string()),
                ("branch", branch.to_string()),
                ("first", first.to_string()),
            ],
        ),
        Reason::BranchTooNew { gpu: g, driver, branch, last } => (
            "branch-too-new",
            vec![
                gpu(g),
                ("driver", driver.to_string()),
                ("branch", branch.to_string()),
                ("last", last.to_string()),
            ],
        ),
        Reason::BoardNotListed { gpu: g, driver, branch, since, elsewhere } => {
            let values = vec![gpu(g), ("driver", driver.to_string()), ("branch", branch.to_string())];
            match (since, elsewhere) {
                (Some(since), _) => ("board-not-listed-yet", with(values, ("since", since.to_string()))),
                (None, Some(other)) => ("board-not-listed", with(values, ("elsewhere", other.to_string()))),
                (None, None) => ("board-not-listed-anywhere", values),
            }
        }
        Reason::BranchUnknown { gpu: g, driver } => {
            ("branch-unknown", vec![gpu(g), ("driver", driver.to_string())])
        }
        Reason::NeedsBranch { gpu: g, first, last } => match (first, last) {
            (Some(first), Some(last)) => {
                ("needs-branches", vec![gpu(g), ("first", first.to_string()), ("last", last.to_string())])
            }
            (Some(first), None) => ("needs-branch", vec![gpu(g), ("first", first.to_string())]),
            (None, last) => ("last-branch", vec![gpu(g), ("last", or_dash(*last))]),
        },
        Reason::NoBranchLeft { gpu: g, last, cuda, floor } => (
            "no-branch-left",
            vec![
                build,
                gpu(g),
                ("last", last.to_string()),
                ("cuda", cuda.to_string()),
                ("floor", floor.to_string()),
            ],
        ),
        Reason::RangeUnknown { gpu: g, driver } => {
            ("range-unknown", vec![gpu(g), ("driver", driver.to_string())])
        }
        Reason::NeedsDriver { cuda, floor } => {
            ("needs-driver", vec![build, ("cuda", cuda.to_string()), ("floor", floor.to_string())])
        }
        Reason::DriverNative { cuda, driver, level } => (
            if level.at_least { "driver-native-at-least" } else { "driver-native" },
            vec![
                build,
                ("cuda", cuda.to_string()),
                ("driver", driver.to_string()),
                ("level", level.cuda.to_string()),
            ],
        ),
        Reason::DriverMinor { cuda, driver, floor, level } => (
            if level.is_some_and(|l| !l.at_least) { "driver-minor" } else { "driver-minor-level-unknown" },
            vec![
                build,
                ("cuda", cuda.to_string()),
                ("driver", driver.to_string()),
                ("floor", floor.to_string()),
                ("level", or_dash(level.map(|l| l.cuda))),
            ],
        ),
        Reason::DriverForward { cuda, driver, floor, package, branch } => (
            "driver-forward",
            vec![
                build,
                ("cuda", cuda.to_string()),
                ("driver", driver.to_string()),
                ("floor", floor.to_string()),
                ("package", (*package).to_owned()),
                ("branch", branch.to_string()),
            ],
        ),
        Reason::DriverBelow { cuda, driver, floor } => (
            "driver-below",
            vec![
                build,
                ("cuda", cuda.to_string()),
                ("driver", driver.to_string()),
                ("floor", floor.to_string()),
            ],
        ),
        Reason::ForwardUndecided { cuda, driver, floor, package } => (
            "forward-undecided",
            vec![
                build,
                ("cuda", cuda.to_string()),
                ("driver", driver.to_string()),
                ("floor", floor.to_string()),
                ("package", (*package).to_owned()),
            ],
        ),
        Reason::FloorUnsure { cuda, driver, floor } => (
            "floor-unsure",
            vec![
                build,
                ("cuda", cuda.to_string()),
                ("driver", driver.to_string()),
                ("floor", floor.to_string()),
            ],
        ),
        Reason::FloorUnknown { cuda, os } => {
            ("floor-unknown", vec![build, ("cuda", cuda.to_string()), ("os", (*os).to_owned())])
        }
        Reason::CudaUnknown => ("cuda-unknown", vec![build]),
        Reason::PtxNeedsDriver { made, branch, driver } => (
            "ptx-needs-driver",
            vec![
                build,
                ("cuda", made.to_string()),
                ("branch", branch.to_string()),
                ("driver", driver.map_or_else(|| branch.to_string(), |d: DriverVersion| d.to_string())),
            ],
        ),
        Reason::PtxReadable { made, driver, level } => (
            if level.at_least { "ptx-readable-at-least" } else { "ptx-readable" },
            vec![
                build,
                ("cuda", made.to_string()),
                ("driver", driver.to_string()),
                ("level", level.cuda.to_string()),
            ],
        ),
        Reason::PtxForward { made, driver, package }
        | Reason::PtxForwardUndecided { made, driver, package } => (
            if matches!(reason, Reason::PtxForward { .. }) { "ptx-forward" } else { "ptx-forward-undecided" },
            vec![
                build,
                ("cuda", made.to_string()),
                ("driver", driver.to_string()),
                ("package", (*package).to_owned()),
            ],
        ),
        Reason::PtxTooNew { made, driver, level, branch } => (
            "ptx-too-new",
            vec![
                build,
                ("cuda", made.to_string()),
                ("driver", driver.to_string()),
                ("level", level.to_string()),
                ("branch", or_dash(*branch)),
            ],
        ),
        Reason::PtxLevelUnknown { made, driver } => {
            ("ptx-level-unknown", vec![build, ("cuda", made.to_string()), ("driver", driver.to_string())])
        }
        Reason::CudnnHasCode { cudnn, gpu: g, capability } => (
            "cudnn-has-code",
            vec![("cudnn", cudnn.to_string()), gpu(g), ("capability", capability.to_string())],
        ),
        Reason::OwnCudnnUnknown { cuda, gpu: g, capability } => (
            "own-cudnn-unknown",
            vec![build, ("cuda", cuda.to_string()), gpu(g), ("capability", capability.to_string())],
        ),
        Reason::CudnnNoCode { cudnn, gpu: g, capability, range } => (
            "cudnn-no-code",
            vec![
                ("cudnn", cudnn.to_string()),
                gpu(g),
                ("capability", capability.to_string()),
                ("range", range.to_string()),
            ],
        ),
        Reason::CudnnNoneFits { wanted, gpu: g, capability, range } => (
            "cudnn-none-fits",
            vec![
                build,
                ("wanted", wanted.clone()),
                gpu(g),
                ("capability", capability.to_string()),
                ("range", or_dash(*range)),
            ],
        ),
        Reason::CudnnChoose { cudnn, gpu: g, capability } => (
            "cudnn-choose",
            vec![build, ("cudnn", cudnn.to_string()), gpu(g), ("capability", capability.to_string())],
        ),
        Reason::CudnnCodeUnknown { cudnn, gpu: g, capability } => (
            "cudnn-code-unknown",
            vec![("cudnn", cudnn.to_string()), gpu(g), ("capability", capability.to_string())],
        ),
        Reason::CudnnListed { cudnn, cuda } => {
            ("cudnn-listed", vec![("cudnn", cudnn.to_string()), ("cuda", cuda.to_string())])
        }
        Reason::CudnnTested { cudnn, cuda } => {
            ("cudnn-tested", vec![("cudnn", cudnn.to_string()), ("cuda", cuda.to_string())])
        }
        Reason::CudnnNoBuild { cudnn, cuda, builds } => (
            "cudnn-no-build",
            vec![("cudnn", cudnn.to_string()), ("cuda", cuda.to_string()), ("builds", builds.clone())],
        ),
        Reason::CudnnUnlisted { cudnn, cuda, listed } => (
            if listed.is_empty() { "cudnn-no-matrix" } else { "cudnn-unlisted" },
            vec![("cudnn", cudnn.to_string()), ("cuda", cuda.to_string()), ("listed", listed.clone())],
        ),
        Reason::CudnnFits { have, made } => {
            ("cudnn-fits", vec![build, ("have", have.to_string()), ("made", made.to_string())])
        }
        Reason::CudnnOlder { have, made } => {
            ("cudnn-older", vec![build, ("have", have.to_string()), ("made", made.to_string())])
        }
        Reason::CudnnOtherMajor { have, made } => {
            ("cudnn-other-major", vec![build, ("have", have.to_string()), ("made", made.to_string())])
        }
        Reason::CudnnOutside { have, range } => {
            ("cudnn-outside", vec![build, ("have", have.clone()), ("range", range.to_string())])
        }
        Reason::CudnnUseUnknown { have } => ("cudnn-use-unknown", vec![build, ("have", have.clone())]),
        Reason::NoCommonBranch { gpu: g, last, other, first } => (
            "no-common-branch",
            vec![
                gpu(g),
                ("last", last.to_string()),
                ("other", gpu_name(kb, other)),
                ("first", first.to_string()),
            ],
        ),
        Reason::NothingRecorded => ("nothing-recorded", vec![build]),
        Reason::CudnnNotUsed { have, libraries } => (
            "cudnn-not-used",
            vec![build, ("have", have.clone()), ("libraries", libraries.word().to_owned())],
        ),
        Reason::BringsLibraries { libraries, cuda } => match libraries {
            crate::world::Libraries::Bundled => ("brings-bundled", vec![build, ("cuda", or_dash(*cuda))]),
            _ => ("brings-wheels", vec![build, ("cuda", or_dash(*cuda))]),
        },
        Reason::NeedsSystem { cuda, cudnn } => match cudnn {
            Some(cudnn) => {
                ("needs-system", vec![build, ("cuda", cuda.to_string()), ("cudnn", cudnn.to_string())])
            }
            None => ("needs-system-cuda", vec![build, ("cuda", cuda.to_string())]),
        },
        Reason::SystemFits { have, made } => {
            ("system-fits", vec![build, ("have", have.to_string()), ("made", made.to_string())])
        }
        Reason::SystemOtherMajor { have, made } => {
            ("system-other-major", vec![build, ("have", have.to_string()), ("made", made.to_string())])
        }
        Reason::SystemOlder { have, made } => {
            ("system-older", vec![build, ("have", have.to_string()), ("made", made.to_string())])
        }
        Reason::SystemOutside { have, range } => {
            ("system-outside", vec![build, ("have", have.to_string()), ("range", range.to_string())])
        }
        Reason::OtherCuda { asked, made } => {
            ("other-cuda", vec![build, ("asked", asked.clone()), ("made", made.to_string())])
        }
        Reason::ToolkitNotUsed { have, libraries } => (
            "toolkit-not-used",
            vec![build, ("have", have.clone()), ("libraries", libraries.word().to_owned())],
        ),
        Reason::LibrariesUnknown { asked } => ("libraries-unknown", vec![build, ("asked", asked.clone())]),
        Reason::PythonFits { python } => ("python-fits", vec![build, ("python", python.to_string())]),
        Reason::PythonDocumented { python } => {
            ("python-documented", vec![build, ("python", python.to_string())])
        }
        Reason::PythonNoFile { python, package, tags } => (
            "python-no-file",
            vec![
                build,
                ("python", python.to_string()),
                ("package", (*package).to_owned()),
                ("tags", pythons(tags)),
            ],
        ),
        Reason::PythonOutside { python, range } => {
            ("python-outside", vec![build, ("python", python.to_string()), ("range", range.to_string())])
        }
        Reason::NoCommonPython { needed } => {
            let each: Vec<String> = needed.iter().map(|(who, set)| format!("{who}: {set}")).collect();
            ("no-common-python", vec![build, ("each", each.join("; "))])
        }
        Reason::CommonPythonUnknown => ("common-python-unknown", vec![build]),
        Reason::PythonElsewhere { python, tags, range } => {
            let mut values = vec![build, ("python", python.to_string()), ("tags", pythons(tags))];
            values.extend(range.map(|range| ("range", range.to_string())));
            (if range.is_some() { "python-disputed" } else { "python-elsewhere" }, values)
        }
        Reason::PythonUnknown { python } => ("python-unknown", vec![build, ("python", python.to_string())]),
        Reason::GlibcFits { have, needs } => {
            ("glibc-fits", vec![build, ("have", have.to_string()), ("needs", needs.to_string())])
        }
        Reason::GlibcTooOld { have, needs } => {
            ("glibc-too-old", vec![build, ("have", have.to_string()), ("needs", needs.to_string())])
        }
        Reason::GlibcUnknown { have } => ("glibc-unknown", vec![build, ("have", have.to_string())]),
        Reason::SameMajor { a, b, major } => {
            ("same-major", vec![("a", a.clone()), ("b", b.clone()), ("major", major.to_string())])
        }
        Reason::TwoMajors { a, a_cuda, b, b_cuda } => (
            "two-majors",
            vec![
                ("a", a.clone()),
                ("a_cuda", a_cuda.to_string()),
                ("b", b.clone()),
                ("b_cuda", b_cuda.to_string()),
            ],
        ),
        Reason::SameFiles { a, b, files } => {
            ("same-files", vec![("a", a.clone()), ("b", b.clone()), ("files", files.clone())])
        }
        Reason::OtherLabel { a, b, label } => {
            ("other-label", vec![("a", a.clone()), ("b", b.clone()), ("label", label.clone())])
        }
        Reason::SameModule { a, b, module } => {
            ("same-module", vec![("a", a.clone()), ("b", b.clone()), ("module", (*module).to_owned())])
        }
        Reason::PinsMeet { package } => ("pins-meet", vec![("package", package.clone())]),
        Reason::PinsApart { package, a, a_wants, b, b_wants } => (
            "pins-apart",
            vec![
                ("package", package.clone()),
                ("a", a.clone()),
                ("a_wants", a_wants.clone()),
                ("b", b.clone()),
                ("b_wants", b_wants.clone()),
            ],
        ),
        Reason::PinFits { by, wants, have } => {
            ("pin-fits", vec![("by", by.clone()), ("wants", wants.clone()), ("have", have.clone())])
        }
        Reason::PinBroken { by, wants, have } => {
            ("pin-broken", vec![("by", by.clone()), ("wants", wants.clone()), ("have", have.clone())])
        }
        Reason::PinsUnknown { a } => ("pins-unknown", vec![("a", a.clone())]),
        Reason::RequirementsKnown { requirement } => (
            "requires",
            vec![build, ("requirement", format!("{}{}", requirement.name, requirement.specifier))],
        ),
        Reason::Advisory { index, version } => {
            let advisory = &kb.advisories[*index];
            // Its text may name what it is about: {paddlepaddle-gpu}, {os}.
            let own: Vec<(&str, String)> = advisory
                .when
                .iter()
                .map(|(what, value)| {
                    (&**what, if kb.package(what).is_some() { version.clone() } else { value.to_string() })
                })
                .collect();
            let text = |t: &str| super::words::fill(t, &own);
            ("advisory", vec![build, ("finding", text(&advisory.finding)), ("fix", text(&advisory.fix))])
        }
        Reason::WslNotSupported { gpu: g, architecture, from } => (
            "wsl-not-supported",
            vec![gpu(g), ("architecture", (*architecture).to_owned()), ("from", (*from).to_owned())],
        ),
        Reason::WslFits { gpu: g } => ("wsl-fits", vec![gpu(g)]),
        Reason::NoBuild { what, platform, others } => (
            if others.is_empty() { "no-build" } else { "no-build-but" },
            vec![("what", what.clone()), ("platform", platform.clone()), ("others", others.clone())],
        ),
        Reason::OnlyWithheld { what, releases } => {
            ("only-withheld", vec![("what", what.clone()), ("releases", releases.clone())])
        }
        Reason::NotInChannel { what, channel, others } => (
            "not-in-channel",
            vec![("what", what.clone()), ("channel", channel.clone()), ("others", others.clone())],
        ),
    }
}

/// `GeForce RTX 3090` for a catalogue id; what it is for a bare capability.
pub(crate) fn gpu_name(kb: &Kb, label: &str) -> String {
    kb.gpu(label).map_or_else(|| format!("GPU {label}"), |i| kb.gpus[i].name.to_string())
}

fn with(
    mut values: Vec<(&'static str, String)>,
    more: (&'static str, String),
) -> Vec<(&'static str, String)> {
    values.push(more);
    values
}
