//! A small invented world, as texts.
#![allow(dead_code, unreachable_pub)]

use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_data::authoring::load;
use kb_data::tree::DataTree;

pub const FILES: [(&str, &str); 22] = [
    (
        "sources/maker.toml",
        "title = 'The maker'\npublisher = 'Maker'\nkind = 'vendor-document'\naddress = 'https://example.org'\n",
    ),
    (
        "sources/other.toml",
        "title = 'Somebody'\npublisher = 'Other'\nkind = 'third-party'\nrepository = 'other/set'\npath = 'a.json'\n",
    ),
    ("sources/index.toml", "title = 'The index'\npublisher = 'Index'\nkind = 'artifact'\n"),
    (
        "catalog/gpus/red.toml",
        "[[gpu]]\nid = 'red-1'\nname = 'GeForce RED 1'\narchitecture = 'Red'\nsegment = 'geforce'\nsources = ['maker']\n",
    ),
    (
        "catalog/packages/torch.toml",
        "name = 'PyTorch'\nkind = 'framework'\nscheme = 'pep440'\nmain = 1\nchannel-order = ['pypi', '*']\n",
    ),
    (
        "catalog/packages/torch-cpu.toml",
        "name = 'PyTorch for CPUs'\nkind = 'framework'\nscheme = 'pep440'\ngpu-package = 'torch'\n",
    ),
    ("catalog/packages/cuda-toolkit.toml", "name = 'CUDA toolkit'\nkind = 'system'\nscheme = 'cuda'\n"),
    (
        "catalog/channels/pypi.toml",
        "name = 'PyPI'\nkind = 'pypi'\npackages = ['torch', 'torch-cpu']\nos = ['linux']\nsources = ['index']\n[[install]]\ntool = 'pip'\nshell = 'any'\ncommand = 'pip install {requirement}'\n",
    ),
    (
        "catalog/accelerators/blue.toml",
        "name = 'Blue'\nkind = 'npu'\n[[offer]]\npackage = 'torch-blue'\nframework = 'torch'\nsources = ['other']\n",
    ),
    (
        "relations/gpu-compute-capability.md",
        "+++\ntitle = 'What a GPU can execute'\nsays = '{gpu} has compute capability {compute-capability}'\nkey = ['gpu']\nprimary = ['vendor-document', 'measured']\n[columns]\ngpu = 'gpu'\ncompute-capability = 'compute'\n+++\nIt has.\n\nNot more.\n",
    ),
    (
        "relations/cuda-minimum-driver.md",
        "+++\ntitle = 'The lowest driver'\nsays = 'CUDA {toolkit} starts on {os} with driver {driver}'\nkey = ['toolkit', 'os']\nprimary = ['vendor-document']\n[columns]\ntoolkit = 'cuda-range'\nos = 'os'\ndriver = 'driver'\n+++\nIt starts.\n\nNot more.\n",
    ),
    (
        "relations/release.md",
        "+++\ntitle = 'Releases'\nsays = '{package} {version} was released'\nkey = ['package', 'version']\nprimary = ['artifact']\ncoverage = 'complete'\n[columns]\npackage = 'package'\nversion = 'pep440'\ndate = 'date?'\nyanked = 'bool?'\n+++\nIt is there.\n\nNot more.\n",
    ),
    (
        "relations/build-made-with.md",
        "+++\ntitle = 'Made with'\nsays = '{package} {versions} from {channel} was made with CUDA {cuda}'\nkey = ['package', 'versions', 'channel']\nprimary = ['artifact']\n[columns]\npackage = 'package'\nversions = 'pep440-range'\nchannel = 'channel'\ncuda = 'cuda?'\n+++\nMade.\n\nNot more.\n",
    ),
    (
        "relations/build-requires.md",
        "+++\ntitle = 'Requirements'\nsays = '{package} {versions} requires {requires}'\nkey = ['package', 'versions']\nprimary = ['artifact']\n[columns]\npackage = 'package'\nversions = 'pep440-range'\nplatform = 'platform?'\nrequires = '[requirement]'\n+++\nRequires.\n\nNot more.\n",
    ),
    (
        "facts/gpu-compute-capability/maker.toml",
        "source = 'maker'\nlocator = 'table'\nread-on = '2026-11-30'\ncoverage = 'complete'\n[[row]]\ngpu = 'red-1'\ncompute-capability = '8.6'\nalso = ['other']\n",
    ),
    (
        "facts/cuda-minimum-driver/maker.toml",
        "source = 'maker'\nlocator = 'table 2'\nread-on = '2026-11-29'\n[[row]]\ntoolkit = '12.*'\nos = 'linux'\ndriver = '525.60.13'\n[[row]]\ntoolkit = '13.*'\nos = 'linux'\ndriver = '580.65.06'\n",
    ),
    (
        "facts/cuda-minimum-driver/other.toml",
        "source = 'other'\nread-on = '2026-10-01'\n[[row]]\ntoolkit = '>=12.4, <13'\nos = 'linux'\ndriver = '530.01'\n",
    ),
    (
        "facts/build-made-with/maker.toml",
        "source = 'maker'\nread-on = '2026-11-30'\n[[row]]\npackage = 'torch'\nversions = '==2.8.*'\nchannel = 'pypi'\ncuda = '12.6'\n",
    ),
    (
        "imported/pypi/release/torch.toml",
        "source = 'index'\nby = 'pypi-index'\nfrom = 'https://example.org/torch'\nread-on = '2026-11-30'\n[[row]]\npackage = 'torch'\nversion = '2.8.0'\ndate = '2026-01-01'\n[[row]]\npackage = 'torch'\nversion = '2.9.0'\n",
    ),
    (
        "disputes/cuda-minimum-driver/12-linux.md",
        "+++\nkey = { toolkit = '12.4', os = 'linux' }\nprefer = 'maker'\nover = ['other']\nsince = '2026-11-30'\n+++\nThe maker knows.\n",
    ),
    (
        "claims/guide.toml",
        "[article]\ntitle = 'A guide'\n[[claim]]\nid = 'A001'\nstatement = 's'\nkind = 'driver-minimum'\nverdict = 'confirmed'\nevidence = 'e'\nsources = ['maker']\nsubject = { cuda = '12.4' }\n",
    ),
    (
        "topics/drivers.md",
        "+++\ntitle = 'Which driver?'\nresolution = 'this'\nclaims = ['A001']\nfacts = ['cuda-minimum-driver/maker#12.*,linux']\n+++\nText.\n",
    ),
];

/// The world as it is.
pub fn world() -> DataTree {
    DataTree::from_texts(FILES)
}

/// The world with files added or exchanged.
pub fn with(files: &[(&str, &str)]) -> DataTree {
    let mut tree = world();
    for (path, text) in files {
        tree.insert(*path, *text);
    }
    tree
}

/// The world with a piece of one file exchanged.
pub fn edited(path: &str, from: &str, to: &str) -> DataTree {
    let (_, text) = FILES.iter().find(|(p, _)| *p == path).expect("a file of the world");
    assert!(text.contains(from), "{path} has no {from}");
    with(&[(path, &text.replacen(from, to, 1))])
}

/// Loads what must have no mistakes.
pub fn sound(tree: &DataTree) -> Kb {
    let (kb, diagnostics) = load(tree);
    assert!(diagnostics.is_empty(), "{}", shown(&diagnostics));
    kb
}

pub fn shown(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n")
}
