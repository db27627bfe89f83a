//! Conflicts: their cores cannot be made smaller, and a prohibition never removes one.

use super::model::*;
use super::oracle::V;
use super::runner::{ask, ask_in, value, worlds};
use super::{generate, render};
use kb_core::answer::Conflict;
use kb_core::graph::Graph;
use kb_core::reason::{Edge, Outcome, Reason};
use kb_core::request::Request;
use kb_core::rule::Context;
use kb_core::world::World as Facts;
use std::collections::BTreeMap;

/// What a link that fails is about. A core shows one link for all that are about the same.
fn subject(edge: &Edge<'_>) -> String {
    match &edge.reason {
        Reason::NoCode { gpu, .. }
        | Reason::CannotCompile { gpu, .. }
        | Reason::ToolkitCannot { gpu, .. }
        | Reason::ToolkitCannotTarget { gpu, .. }
        | Reason::NotDocumented { gpu, .. }
        | Reason::CudnnNoCode { gpu, .. }
        | Reason::CudnnNoneFits { gpu, .. }
        | Reason::BranchTooOld { gpu, .. }
        | Reason::BranchTooNew { gpu, .. } => (*gpu).to_owned(),
        Reason::NoBranchLeft { gpu, cuda, .. } => format!("{gpu} {}", cuda.major()),
        Reason::DriverBelow { cuda, .. } => format!("cuda {}", cuda.major()),
        Reason::PythonNoFile { .. } | Reason::PythonOutside { .. } => "python".to_owned(),
        Reason::Advisory { index, .. } => format!("finding-{index}"),
        Reason::CpuBuild { .. }
        | Reason::CpuBuildExtra { .. }
        | Reason::CpuBuildElsewhere { .. }
        | Reason::CpuBuildSince { .. } => "cpu".to_owned(),
        other => format!("{:?}", std::mem::discriminant(other)),
    }
}

/// Do the shown links rule out every build, and is each needed?
fn irreducible(graph: &Graph<'_>, kb: &kb_core::kb::Kb, conflict: &Conflict) -> Result<(), String> {
    // Which builds each reason rules out, and which reasons a shown link can stand for.
    let mut rules_out: BTreeMap<(&'static str, String), Vec<usize>> = BTreeMap::new();
    let mut shown: Vec<Vec<(&'static str, String)>> = vec![Vec::new(); conflict.core.len()];
    for (at, candidate) in graph.candidates.iter().enumerate() {
        for edge in graph.edges(candidate).into_iter().filter(|e| e.outcome == Outcome::Fail) {
            let key = (edge.rule.word(), subject(edge));
            let facts: Vec<String> = edge.facts.iter().map(|f| kb.fact_name(*f)).collect();
            for (step, keys) in conflict.core.iter().zip(&mut shown) {
                let same = match &edge.reason {
                    Reason::Advisory { index, .. } => step.says.contains(&*kb.advisories[*index].finding),
                    _ => step.facts == facts,
                };
                if step.rule == Some(key.0) && same && !keys.contains(&key) {
                    keys.push(key.clone());
                }
            }
            rules_out.entry(key).or_default().push(at);
        }
    }
    let mut groups: Vec<&Vec<usize>> = Vec::new();
    for (step, keys) in conflict.core.iter().zip(&shown) {
        match keys.as_slice() {
            [] => return Err(format!("the core says what no build has: {}", step.says)),
            [one] => groups.push(&rules_out[one]),
            // Two reasons with the same facts cannot be told apart from outside.
            _ => return Ok(()),
        }
    }
    let covered = |skip: Option<usize>| {
        (0..graph.candidates.len())
            .all(|c| groups.iter().enumerate().any(|(i, g)| Some(i) != skip && g.contains(&c)))
    };
    let says: Vec<&str> = conflict.core.iter().map(|s| &*s.says).collect();
    if !covered(None) {
        return Err(format!("the core leaves a build open: {says:#?}"));
    }
    match (0..groups.len()).find(|i| covered(Some(*i))) {
        Some(i) if groups.len() > 1 => Err(format!("the core holds without {:?}: {says:#?}", says[i])),
        _ => Ok(()),
    }
}

#[test]
fn cores_cannot_be_made_smaller() {
    worlds("cores", generate::case(false), |case| {
        if case.question.any && case.question.hardware.len() > 1 {
            return Ok(());
        }
        let kb = render::kb(&case.world)?;
        let Some(answer) = ask_in(&kb, case)? else { return Ok(()) };
        let facts = Facts::new(&kb);
        let raw = render::request(&case.world, &case.question);
        let request = Request::parse(&facts, &raw)
            .map_err(|e| e.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
        let context = Context::new(facts.view().from(request.platform()), &request);
        let single = request.wants.len() == 1;
        for (at, want) in request.wants.iter().enumerate() {
            let graph = Graph::build(&context, want);
            if graph.candidates.is_empty() || graph.best().is_some() {
                continue;
            }
            let item = &answer.answers[if single { at } else { at + 1 }];
            let conflict = item.conflict.as_ref().ok_or("a conflict that is not explained")?;
            if conflict.core.is_empty() {
                return Err(format!("a conflict without a core: {}", item.says));
            }
            irreducible(&graph, &kb, conflict)?;
        }
        Ok(())
    });
}

#[test]
fn every_conflict_is_explained() {
    worlds("explained", generate::case(false), |case| {
        let Some(answer) = ask(case)? else { return Ok(()) };
        let conflict = answer.verdict == kb_core::answer::Verdict::Conflict;
        if conflict
            && !answer.answers.is_empty()
            && answer.conflict.as_ref().is_none_or(|c| c.core.is_empty())
        {
            return Err(format!("nothing explains it: {}", serde_json::to_string_pretty(&answer).unwrap()));
        }
        if !conflict && answer.conflict.is_some() {
            return Err("a conflict is explained that is none".into());
        }
        for item in &answer.answers {
            let open = item.verdict == kb_core::answer::Verdict::Unknown && item.missing.is_empty();
            if open {
                return Err(format!("{} is unknown, and nothing is said to be missing", item.want));
            }
        }
        Ok(())
    });
}

/// The same case with something more forbidden.
fn forbidden(case: &Case) -> Vec<(String, Case)> {
    let mut out = Vec::new();
    for (at, package) in case.world.packages.iter().enumerate().filter(|(_, p)| !p.releases.is_empty()) {
        let advisory = |spec| Advisory {
            package: at,
            spec,
            breaks: true,
            os: None,
            channels: Vec::new(),
            compute_from: None,
            gpu: None,
            python_from: None,
            branches: None,
            with: None,
        };
        for spec in [Spec::Any, Spec::Eq(1)] {
            let mut more = case.clone();
            more.world.advisories.push(advisory(spec));
            out.push((format!("an advisory about {}{}", render::name(at), spec.text()), more));
        }
        for (r, release) in package.releases.iter().enumerate() {
            for b in 0..release.builds.len() {
                let mut more = case.clone();
                if let Some((sass, _)) = &mut more.world.packages[at].releases[r].builds[b].code
                    && !sass.is_empty()
                {
                    sass.remove(0);
                    out.push((format!("{} {}.0 without its first target", render::name(at), r + 1), more));
                }
            }
        }
    }
    out
}

#[test]
fn a_prohibition_never_helps() {
    worlds("prohibitions", generate::case(false), |case| {
        let Some(before) = ask(case)? else { return Ok(()) };
        let before: V = value(before.verdict);
        for (what, more) in forbidden(case) {
            let after = ask(&more)?.ok_or("refused")?;
            if value(after.verdict) < before {
                return Err(format!("{before:?} becomes {:?} by {what}", after.verdict));
            }
        }
        Ok(())
    });
}
