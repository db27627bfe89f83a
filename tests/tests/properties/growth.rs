//! What is new is data: a GPU, a CUDA release, a framework release, an advisory and a claim are laid over the real
//! data as files, and asked about. Nothing of them is known to the program.

use kb_core::answer::{Answer, Verdict};
use kb_core::kb::Kb;
use kb_core::request::RawRequest;
use kb_core::world::World;
use kb_data::authoring::load_over;
use kb_data::tree::DataTree;

const FILES: [(&str, &str); 13] = [
    (
        "sources/future.toml",
        "title = 'A page from the future'\npublisher = 'Future'\nkind = 'vendor-document'\n",
    ),
    (
        "catalog/gpus/zeta.toml",
        "[[gpu]]\nid = 'rtx-9090'\nname = 'GeForce RTX 9090'\naliases = ['zeta card']\narchitecture = 'Zeta'\nsegment = 'geforce'\nsources = ['future']\n",
    ),
    (
        "facts/gpu-compute-capability/future.toml",
        "source = 'future'\nread-on = '2027-01-01'\n[[row]]\ngpu = 'rtx-9090'\ncompute-capability = '15.0'\n",
    ),
    (
        "facts/arch-driver/future.toml",
        "source = 'future'\nread-on = '2027-01-01'\n[[row]]\narchitecture = 'Zeta'\nfirst-branch = 'R700'\n",
    ),
    (
        "facts/driver-branch/future.toml",
        "source = 'future'\nread-on = '2027-01-01'\n[[row]]\nbranch = 'R700'\ntype = 'production'\ncuda = '15.0'\nwindows-families = [701]\n",
    ),
    (
        "facts/cuda-release/future.toml",
        "source = 'future'\nread-on = '2027-01-01'\n[[row]]\ntoolkit = '15.0.0'\nlabel = '15.0 GA'\n",
    ),
    (
        "facts/cuda-minimum-driver/future.toml",
        "source = 'future'\nread-on = '2027-01-01'\n[[row]]\ntoolkit = '15.*'\nos = 'linux'\ndriver = '700.10'\n[[row]]\ntoolkit = '15.*'\nos = 'windows'\ndriver = '701.10'\n",
    ),
    (
        "facts/toolkit-targets/future.toml",
        "source = 'future'\nread-on = '2027-01-01'\n[[row]]\ntoolkit = '15.0'\ntargets = ['9.0', '12.0', '15.0']\n",
    ),
    (
        "facts/release/future.toml",
        "source = 'future'\nread-on = '2027-01-01'\n[[row]]\npackage = 'torch'\nversion = '99.1.0'\n[[row]]\npackage = 'torch'\nversion = '99.2.0'\n",
    ),
    (
        "facts/build-made-with/future.toml",
        "source = 'future'\nread-on = '2027-01-01'\n[[row]]\npackage = 'torch'\nversions = '>=99, <100'\nchannel = 'pypi'\nplatform = 'linux-x86_64'\nkind = 'cuda'\ncuda = '15.0'\nlibraries = 'nvidia-wheels'\n",
    ),
    (
        "facts/build-device-code/future.toml",
        "source = 'future'\nread-on = '2027-01-01'\n[[row]]\npackage = 'torch'\nversions = '>=99, <100'\nchannel = 'pypi'\nplatform = 'linux-x86_64'\nsass = ['12.0', '15.0']\nptx = []\n",
    ),
    (
        "advisories/torch-99-2-on-zeta.md",
        "+++\ntitle = 'torch 99.2 on Zeta'\nseverity = 'breaks'\n[when]\ntorch = '==99.2.*'\ngpu-compute = '>=15'\n[say]\nfinding = 'torch 99.2 hangs on this GPU'\nfix = 'use torch 99.1'\n[[evidence]]\nsource = 'future'\n+++\nIt hangs.\n",
    ),
    (
        "claims/a-new-guide.toml",
        "[article]\ntitle = 'A new guide'\n[[claim]]\nid = 'Z001'\nstatement = 'torch 99.2 runs on Zeta.'\nkind = 'hardware-support'\nverdict = 'refuted'\nevidence = 'the advisory'\nsources = ['future']\nsubject = { framework = 'torch', version = '99.2', gpu = 'RTX 9090' }\n",
    ),
];

fn grown() -> Kb {
    let (kb, diagnostics) = load_over(kb_data::builtin_full(), &DataTree::from_texts(FILES));
    assert!(
        diagnostics.is_empty(),
        "{}",
        diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n")
    );
    kb
}

fn ask(kb: &Kb, wants: &[&str], gpu: &str, driver: Option<&str>) -> Answer {
    let raw = RawRequest {
        command: "solve".into(),
        wants: wants.iter().map(|w| (*w).to_owned()).collect(),
        gpus: vec![gpu.into()],
        os: Some("linux".into()),
        driver: driver.map(Into::into),
        ..RawRequest::default()
    };
    kb_core::ask(&World::new(kb), &raw)
        .unwrap_or_else(|e| panic!("{}", e.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")))
}

#[test]
fn a_new_gpu_a_cuda_release_a_framework_release_an_advisory_and_a_claim() {
    let kb = grown();
    // The new card by its names, the older of the new releases because of the advisory.
    for name in ["rtx9090", "GeForce RTX 9090", "Zeta Card"] {
        let answer = ask(&kb, &["torch"], name, None);
        assert_eq!(answer.verdict, Verdict::Fits, "{name}");
        let item = &answer.answers[0];
        assert_eq!(item.stack[0].version.as_deref(), Some("99.1.0"), "{name}");
        assert_eq!(item.device_code.as_ref().and_then(|d| d.runs.as_deref()), Some("sass 15.0"));
        assert_eq!(item.driver.as_ref().and_then(|d| d.minimum.as_deref()), Some("700.10"));
    }
    let refused = ask(&kb, &["torch==99.2.0"], "rtx9090", None);
    assert_eq!(refused.verdict, Verdict::Conflict);
    let core = &refused.conflict.as_ref().expect("explained").core;
    assert!(core[0].says.contains("torch 99.2 hangs on this GPU"), "{core:?}");
    // The new driver branch, and one that is too old for the card or for the release.
    assert_eq!(ask(&kb, &["torch>=99"], "rtx9090", Some("700.10")).verdict, Verdict::Fits);
    assert_eq!(ask(&kb, &["torch>=99"], "rtx9090", Some("580.65.06")).verdict, Verdict::Conflict);
    assert_eq!(ask(&kb, &["torch>=99"], "rtx5090", Some("580.65.06")).verdict, Verdict::Conflict);
    assert_eq!(ask(&kb, &["torch>=99"], "rtx5090", Some("700.10")).verdict, Verdict::Fits);
    // Nothing old has machine code for the card, and the new data did not change what the old says.
    let old = ask(&kb, &["torch<99"], "rtx9090", Some("700.10"));
    assert!(
        old.answers[0]
            .device_code
            .as_ref()
            .and_then(|d| d.runs.as_deref())
            .is_none_or(|r| r.starts_with("ptx")),
        "{old:?}"
    );
    assert_eq!(
        ask(&kb, &["torch==2.6.0"], "rtx9090", Some("700.10")).verdict,
        ask(&kb_data::builtin(), &["torch==2.6.0"], "sm_150", None).verdict
    );
    assert_eq!(
        ask(&kb, &["torch==99.2.0"], "rtx5090", None).verdict,
        Verdict::Fits,
        "the advisory is about Zeta"
    );
    let claim =
        kb.articles.iter().flat_map(|a| &a.claims).find(|c| &*c.id == "Z001").expect("the claim is there");
    assert_eq!(&*claim.verdict, "refuted");
}
