//! Where reports begin in a long log.

/// Texts at which a reader starts, and how many lines it may want from there on. In a log of many megabytes only what
/// follows them is kept for the readers.
pub const ANCHORS: [(&str, u16); 24] = [
    ("NVIDIA-SMI ", 120),
    ("NVSMI LOG", 400),
    ("Collecting environment information", 400),
    ("PyTorch version:", 300),
    ("Cuda compilation tools", 1),
    ("NVRM version:", 1),
    ("Versions of relevant libraries", 100),
    ("# packages in environment at", 400),
    ("[pip3] ", 1),
    ("[conda] ", 1),
    ("CUDA_PATH=", 1),
    ("CUDA_HOME=", 1),
    ("CUDA_VISIBLE_DEVICES", 1),
    ("LD_LIBRARY_PATH=", 1),
    ("Successfully installed ", 1),
    ("Please NOTE: device", 2),
    ("Created device /job", 1),
    ("Created TensorFlow device", 1),
    ("Kernel driver in use: ", 1),
    ("nv_tegra_release", 2),
    ("microsoft-standard-WSL2", 1),
    ("torch.__version__", 2),
    ("nvidia-container-cli", 4),
    ("kubectl describe node", 200),
];
