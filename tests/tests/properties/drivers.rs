//! A newer driver never loses a build, unless a fact says so: the last branch of a GPU, a board that a branch's table
//! does not list, a forward-compatibility package that is not for the branch, an advisory about branches.

use super::model::{Driver, MINORS, Os};
use super::runner::{cases, worlds};
use super::{generate, render};
use kb_core::graph::Graph;
use kb_core::kb::Kb;
use kb_core::reason::{Edge, Outcome, Reason};
use kb_core::request::{RawRequest, Request};
use kb_core::rule::Context;
use kb_core::version::DriverVersion;
use kb_core::world::World;

/// May this link get worse with a newer driver?
fn a_fact_says_so(edge: &Edge<'_>, by_package_before: bool) -> bool {
    match edge.reason {
        // Nobody has recorded to which branch a Windows number belongs.
        Reason::BranchUnknown { .. } => true,
        Reason::BranchTooNew { .. } | Reason::BoardNotListed { .. } | Reason::Advisory { .. } => true,
        // The driver before was below the least one as well, and a package was listed for its branch.
        Reason::DriverBelow { .. }
        | Reason::FloorUnsure { .. }
        | Reason::ForwardUndecided { .. }
        | Reason::PtxTooNew { .. } => by_package_before,
        _ => false,
    }
}

/// What became of each build under one driver.
type Fates = Vec<(Outcome, bool)>;

/// Walks drivers from old to new; says which build a driver lost without a fact that says so.
fn walk(world: &World<'_>, raw: &RawRequest, drivers: &[DriverVersion]) -> Result<usize, String> {
    let request = Request::parse(world, raw)
        .map_err(|e| e.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
    let view = world.view().from(request.platform());
    let mut before: Vec<(DriverVersion, Fates)> =
        request.wants.iter().map(|_| (DriverVersion::new(&[0]), Vec::new())).collect();
    let mut looked_at = 0;
    for driver in drivers {
        let mut request = request.clone();
        request.driver = Some(*driver);
        let context = Context::new(view, &request);
        for (want, before) in request.wants.iter().zip(&mut before) {
            let graph = Graph::build(&context, want);
            let mut now: Fates = Vec::with_capacity(graph.candidates.len());
            for (at, candidate) in graph.candidates.iter().enumerate() {
                looked_at += 1;
                let edges = graph.edges(candidate);
                let package = edges.iter().any(|e| {
                    matches!(
                        e.reason,
                        Reason::DriverForward { .. }
                            | Reason::ForwardUndecided { .. }
                            | Reason::PtxForward { .. }
                    )
                });
                now.push((candidate.outcome, package));
                let Some((was, by_package)) = before.1.get(at) else { continue };
                // What was in doubt before is not lost.
                if *was != Outcome::Pass || candidate.outcome == Outcome::Pass {
                    continue;
                }
                let excuse =
                    edges.iter().any(|e| e.outcome != Outcome::Pass && a_fact_says_so(e, *by_package));
                if !excuse {
                    let worst: Vec<String> = edges
                        .iter()
                        .filter(|e| e.outcome != Outcome::Pass)
                        .map(|e| format!("{:?}", e.reason))
                        .collect();
                    return Err(format!(
                        "{} release {} from channel {} on {:?}: {was:?} with {}, {:?} with {driver}: {}",
                        want.text,
                        candidate.package.release(candidate.build).text,
                        candidate.build.channel,
                        request.gpus().iter().map(|g| &g.label).collect::<Vec<_>>(),
                        before.0,
                        candidate.outcome,
                        worst.join("; ")
                    ));
                }
            }
            *before = (*driver, now);
        }
    }
    Ok(looked_at)
}

#[test]
fn a_newer_driver_loses_nothing_in_made_up_worlds() {
    worlds("newer-driver", generate::case(false), |case| {
        if case.question.wants.is_empty() || case.question.no_gpu || !super::oracle::asked_well(case) {
            return Ok(());
        }
        let kb = render::kb(&case.world)?;
        let mut drivers: Vec<DriverVersion> = Vec::new();
        for branch in 0..case.world.branches.len() {
            for minor in MINORS {
                let text = case.world.driver_text(Driver::Of(branch, minor), case.question.os != Os::Linux);
                drivers.push(text.parse().map_err(|_| "no driver")?);
            }
        }
        let raw = render::request(&case.world, &case.question);
        walk(&World::new(&kb), &raw, &drivers).map(drop)
    });
}

/// Every Linux driver that any table names.
fn linux_drivers(kb: &Kb) -> Vec<DriverVersion> {
    let mut out: Vec<DriverVersion> = Vec::new();
    for (id, _) in kb.facts_of("driver-release") {
        let linux = kb.cell(id, "os").is_some_and(|os| os.to_string() == "linux");
        if let (true, Some(driver)) = (linux, kb.cell(id, "driver")) {
            out.extend(driver.to_string().parse::<DriverVersion>());
        }
    }
    out.sort();
    out.dedup();
    out
}

#[test]
fn a_newer_driver_loses_nothing_in_the_real_data() {
    let kb = kb_data::builtin();
    let world = kb_data::world(&kb);
    let drivers = linux_drivers(&kb);
    assert!(drivers.len() > 100, "{} drivers", drivers.len());
    let mut gpus = vec!["rtx-3090", "rtx-5090", "v100", "h100", "gtx-1080-ti"];
    // All boards of the headline table when there is time.
    let table = std::fs::read_to_string(kb_tests::root().join("golden/headline.tsv")).unwrap_or_default();
    if cases() > 64 {
        gpus = table.lines().skip(1).filter_map(|l| l.split('\t').next()).collect();
        gpus.dedup();
    }
    let known: Vec<&str> = gpus.into_iter().filter(|g| kb.gpu(g).is_some()).collect();
    assert!(known.len() >= 3, "{known:?}");
    // Each branch's first and last driver, or every one.
    let step = if cases() > 64 { 1 } else { drivers.len().div_ceil(24) };
    let drivers: Vec<DriverVersion> = drivers.iter().step_by(step).copied().collect();
    let mut looked_at = 0;
    let mut wrong = Vec::new();
    for gpu in known {
        for framework in ["torch", "paddlepaddle-gpu", "tensorflow", "jax", "onnxruntime-gpu", "cupy"] {
            let raw = RawRequest {
                command: "solve".into(),
                wants: vec![framework.into()],
                gpus: vec![gpu.into()],
                os: Some("linux".into()),
                ..RawRequest::default()
            };
            match walk(&world, &raw, &drivers) {
                Ok(count) => looked_at += count,
                Err(why) => wrong.push(format!("{gpu}: {why}")),
            }
        }
    }
    println!("{looked_at} builds under {} drivers", drivers.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
