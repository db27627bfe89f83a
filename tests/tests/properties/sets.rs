//! A short version is the set of the releases that start so: a wider set is never stricter than a narrower one, in
//! made-up worlds and in the real data.

use super::runner::{Said, values, worlds};
use super::{generate, render};
use kb_core::answer::Verdict;
use kb_core::request::RawRequest;
use kb_core::world::World;
use proptest::sample::select;
use std::sync::LazyLock;

/// Verdicts from best to worst.
fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Fits => 0,
        Verdict::Unknown => 1,
        Verdict::Conflict => 2,
    }
}

fn not_stricter(world: &World<'_>, narrow: &RawRequest, wide: &RawRequest) -> Said {
    let said = |raw: &RawRequest| {
        let answer = kb_core::ask(world, raw);
        answer
            .map(|a| a.verdict)
            .map_err(|e| e.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    };
    let before = said(narrow)?;
    let after = said(wide)?;
    if rank(after) > rank(before) {
        return Err(format!("{before:?} for {narrow:?}, but {after:?} for {wide:?}"));
    }
    Ok(())
}

#[test]
fn a_wider_set_of_cuda_is_not_stricter_in_made_up_worlds() {
    worlds("wider-set", generate::case(false), |case| {
        // In a check a bare name means what the installer takes, which may change with what is left open.
        let bare = case.question.check && case.question.wants.len() > 1;
        if bare || !super::oracle::asked_well(case) {
            return Ok(());
        }
        let kb = render::kb(&case.world)?;
        let world = World::new(&kb);
        let narrow = render::request(&case.world, &case.question);
        for text in narrow.cuda.iter() {
            let major = text.split('.').next().unwrap_or(text);
            for set in [major.to_owned(), format!("{major}.*"), format!(">={text}"), ">=10".to_owned()] {
                let wide = RawRequest { cuda: Some(set), ..narrow.clone() };
                not_stricter(&world, &narrow, &wide)?;
            }
        }
        let pinned = narrow.wants.iter().find_map(|w| w.strip_prefix("cuda-toolkit=="));
        if let Some(text) = pinned {
            let mut wide = narrow.clone();
            let major = text.split('.').next().unwrap_or(text);
            wide.wants.iter_mut().filter(|w| w.starts_with("cuda-toolkit")).for_each(|w| {
                *w = format!("cuda-toolkit=={major}.*");
            });
            not_stricter(&world, &narrow, &wide)?;
        }
        Ok(())
    });
}

static KB: LazyLock<kb_core::kb::Kb> = LazyLock::new(kb_data::builtin);

/// Narrow, and sets that hold it.
const CUDNN: [(&str, &[&str]); 6] = [
    ("8.9.7.29", &["8.9.7", "8.9", "8", "8.*", ">=8.6", ">=8.6, <9", ">=8"]),
    ("8.6.0", &["8.6", "8", ">=8.6", "8.*"]),
    ("8.1.1", &["8.1", "8", "8.*"]),
    ("9.3.0", &["9.3", "9", "9.*", ">=9.3", ">=9, <10"]),
    ("9.10.2.21", &["9.10.2", "9.10", "9", "9.*", ">=9.1"]),
    ("9.12.0.46", &["9.12.0", "9.12", "9", ">=8.9.7, <10"]),
];
const CUDA: [(&str, &[&str]); 5] = [
    ("11.2", &["11", "11.*", ">=11", ">=11, <12"]),
    ("11.8", &["11", "11.*", ">=11.2", ">=11, <13"]),
    ("12.0", &["12", ">=12", "12.*"]),
    ("12.5.1", &["12.5", "12", ">=12.5", ">=12, <13"]),
    ("12.8", &["12", "12.*", ">=12.8", ">=12"]),
];

#[test]
fn a_wider_set_is_not_stricter_in_the_real_data() {
    let world = kb_data::world(&KB);
    let wants = select(vec![
        "paddlepaddle-gpu==2.6.2",
        "paddlepaddle-gpu==2.6.2.post120",
        "paddlepaddle-gpu",
        "tensorflow==2.8.3",
        "tensorflow==2.13.1",
        "tensorflow==2.21.0",
        "tensorflow",
        "onnxruntime-gpu==1.18.0",
        "onnxruntime-gpu",
        "cupy-cuda12x",
        "cupy-cuda11x==13.1.0",
        "torch==2.9.1",
        "jax[cuda12]",
        "jax[cuda13]",
        "nvidia-cudnn-cu12==9.10.2.21",
    ]);
    let gpus = select(vec!["rtx-3090", "v100", "h100", "rtx-5090", "gtx-1080"]);
    let drivers = select(vec![None, Some("470.57.02"), Some("535.104.05"), Some("580.95.05")]);
    let cudnn = select(CUDNN.to_vec());
    let cuda = select(CUDA.to_vec());
    values(
        "wider-set-real",
        (wants, gpus, drivers, cudnn, cuda, 0..3_u8, 0..8_usize),
        |(want, gpu, driver, (cudnn, wider_cudnn), (cuda, wider_cuda), which, at)| {
            let narrow = RawRequest {
                command: "check".into(),
                wants: vec![(*want).to_owned()],
                gpus: vec![(*gpu).to_owned()],
                os: Some("linux".into()),
                driver: driver.map(Into::into),
                cudnn: (*which != 1).then(|| (*cudnn).to_owned()),
                cuda: (*which != 0).then(|| (*cuda).to_owned()),
                ..RawRequest::default()
            };
            let mut wide = narrow.clone();
            wide.cudnn = wide.cudnn.map(|_| wider_cudnn[at % wider_cudnn.len()].to_owned());
            wide.cuda = wide.cuda.map(|_| wider_cuda[at % wider_cuda.len()].to_owned());
            not_stricter(&world, &narrow, &wide)
        },
    );
}
