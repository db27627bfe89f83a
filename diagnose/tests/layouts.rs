//! Layouts of other releases and languages than the corpus has: what must be found, what must not.
#![allow(clippy::unwrap_used, clippy::expect_used)]

/// Every `what=value` that the readers find in a text.
fn found(text: &str) -> Vec<String> {
    let decoded = diagnose::text::decode(text.as_bytes());
    let all = diagnose::read::read(&diagnose::text::lines(&decoded.text));
    all.into_iter().map(|o| format!("{}={}", o.what, o.value)).collect()
}

/// All of `expected` is found, and nothing that begins as one of `absent`.
fn check(text: &str, expected: &[&str], absent: &[&str]) {
    let found = found(text);
    for value in expected {
        assert!(found.iter().any(|f| f == value), "{value} is not in {found:#?}");
    }
    for value in absent {
        assert!(!found.iter().any(|f| f.starts_with(value)), "{value} is in {found:#?}");
    }
}

#[test]
fn describe_node_of_an_operator() {
    check(
        "$ kubectl describe node gpu-01\nName:               gpu-01\nLabels:             beta.kubernetes.io/arch=amd64\n                    feature.node.kubernetes.io/kernel-version.full=5.15.0-97-generic\n                    feature.node.kubernetes.io/system-os_release.ID=ubuntu\n                    feature.node.kubernetes.io/system-os_release.VERSION_ID=22.04\n                    nvidia.com/cuda.driver-version.full=550.54.15\n                    nvidia.com/cuda.runtime-version.full=12.4\n                    nvidia.com/gpu.compute.major=9\n                    nvidia.com/gpu.compute.minor=0\n                    nvidia.com/gpu.count=8\n                    nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3\nSystem Info:\n  Kernel Version:             5.15.0-97-generic\n  OS Image:                   Ubuntu 22.04.4 LTS\n  Container Runtime Version:  containerd://1.7.2\nAllocatable:\n  nvidia.com/gpu:     8",
        &[
            "driver=550.54.15",
            "cuda-driver-level=12.4",
            "compute-capability=9.0",
            "gpu-count=8",
            "gpu=NVIDIA-H100-80GB-HBM3",
            "kernel=5.15.0-97-generic",
            "os=Ubuntu 22.04.4 LTS",
        ],
        &["cuda-toolkit", "driver=1.7.2"],
    );
}

#[test]
fn jetson_release_of_its_fourth_version() {
    check(
        "user@jetson:~$ jetson_release\nSoftware part of jetson-stats 4.2.3 - (c) 2023, Raffaello Bonghi\nModel: NVIDIA Orin NX Developer Kit - Jetpack 5.1.2 [L4T 35.4.1]\nNV Power Mode[3]: 25W\nSerial Number: [XXX Show with: jetson_release -s XXX]\nHardware:\n - P-Number: p3767-0000\n - Module: NVIDIA Jetson Orin NX (16GB ram)\nPlatform:\n - Distribution: Ubuntu 20.04 focal\n - Release: 5.10.120-tegra\njtop:\n - Version: 4.2.3\n - Service: Active\nLibraries:\n - CUDA: 11.4.315\n - cuDNN: 8.6.0.166\n - TensorRT: 8.5.2.2\n - VPI: 2.3.9\n - OpenCV: 4.5.4 - with CUDA: NO",
        &[
            "l4t=35.4.1",
            "os=Ubuntu 20.04 focal",
            "kernel=5.10.120-tegra",
            "cuda-toolkit=11.4.315",
            "cudnn=8.6.0.166",
        ],
        &["driver=", "cuda-available=True", "cudnn=2.3.9"],
    );
}

#[test]
fn linux_inside_windows() {
    check(
        "Microsoft Windows [Version 10.0.22631.3447]\n\nC:\\Users\\user>wsl -d Debian\nuser@host:/mnt/c$ cat /etc/os-release | head -3\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\nVERSION=\"12 (bookworm)\"\nuser@host:/mnt/c$ uname -r\n5.15.146.1-microsoft-standard-WSL2",
        &[
            "os=10.0.22631.3447",
            "os=Debian GNU/Linux 12 (bookworm)",
            "kernel=5.15.146.1-microsoft-standard-WSL2",
            "wsl=2",
        ],
        &["kernel=10.0"],
    );
}

#[test]
fn a_form_of_tensorflow() {
    check(
        "### Issue type\n\nBug\n\n### TensorFlow version\n\ntf 2.15.0\n\n### OS platform and distribution\n\nUbuntu 22.04.3 LTS\n\n### Python version\n\n3.11.5\n\n### CUDA/cuDNN version\n\nCUDA 12.2 / cuDNN 8.9.4\n\n### GPU model and memory\n\nNVIDIA GeForce RTX 4090, 24 GB\n",
        &["os=Ubuntu 22.04.3 LTS", "python=3.11.5", "gpu=NVIDIA GeForce RTX 4090"],
        &["cuda-driver-level"],
    );
}

#[test]
fn a_form_copied_from_its_page() {
    check(
        "Platform\nWindows\n\nOS Version\nWindows 11 22H2\n\nONNX Runtime Installation\nReleased Package\n\nONNX Runtime Version or Commit ID\n1.18.1\n\nONNX Runtime API\nPython\n",
        &["os=Windows 11 22H2", "package:onnxruntime=1.18.1"],
        &["python="],
    );
}

#[test]
fn forms_of_paddleocr_and_comfyui() {
    check(
        "- 系统环境/System Environment：Ubuntu 20.04\n- 版本号/Version：Paddle：2.4.2 PaddleOCR：2.6.1\n",
        &["os=Ubuntu 20.04", "package:paddlepaddle=2.4.2", "package:paddleocr=2.6.1"],
        &[],
    );
    check(
        "## System Information\n- **ComfyUI Version:** v0.3.10\n- **Python Version:** 3.11.9 (tags/v3.11.9:de54cf5)\n- **PyTorch Version:** 2.5.1+cu124\n## Devices\n\n- **Name:** cuda:0 NVIDIA GeForce RTX 3060 : cudaMallocAsync\n  - **VRAM Total:** 12884246528\n  - **VRAM Free:** 11785995058",
        &["python=3.11.9", "package:torch=2.5.1+cu124", "gpu=NVIDIA GeForce RTX 3060", "memory-mib=12287"],
        &["memory-mib=11239"],
    );
}

#[test]
fn installers_that_name_their_python() {
    check(
        "$ pipenv install torch\nCreating a virtualenv for this project...\nUsing /usr/bin/python3.10 (3.10.12) to create virtualenv...\ncreated virtual environment CPython3.10.12.final.0-64 in 412ms\n$ poetry add torch\nThe currently activated Python version 3.12.3 is not supported by the project (>=3.9,<3.12).",
        &["python=3.10.12", "python=3.12.3"],
        &["package:torch"],
    );
    check(
        "$ uv pip install --dry-run torch\nUsing Python 3.13.1 environment at: .venv\nResolved 10 packages in 5ms\nWould download 2 packages\nWould install 2 packages\n + sympy==1.13.1\n + torch==2.6.0",
        &["python=3.13.1"],
        &["package:"],
    );
}

#[test]
fn instances_listed_and_possible() {
    check(
        "$ sudo nvidia-smi mig -lgip\n+-----------------------------------------------------------------------------+\n| GPU instance profiles:                                                      |\n| GPU   Name             ID    Instances   Memory     P2P    SM    DEC   ENC  |\n|=============================================================================|\n|   0  MIG 7g.80gb        0     0/1        79.25      No     132    7     0   |\n+-----------------------------------------------------------------------------+\n$ sudo nvidia-smi mig -lgi\n+-------------------------------------------------------+\n| GPU instances:                                        |\n| GPU   Name             Profile  Instance   Placement  |\n|                          ID       ID       Start:Size |\n|=======================================================|\n|   0  MIG 1g.10gb         19        9          2:1     |\n+-------------------------------------------------------+\n|   0  MIG 3g.40gb          9        2          4:4     |\n+-------------------------------------------------------+",
        &["mig=1g.10gb", "mig=3g.40gb"],
        &["mig=7g", "gpu-count", "memory-mib"],
    );
    check(
        "GPU 0: NVIDIA H100 PCIe (UUID: GPU-1)\n  MIG 1c.2g.20gb  Device  0: (UUID: MIG-1)\n  MIG 1g.20gb     Device  1: (UUID: MIG-2)\n",
        &["gpu=NVIDIA H100 PCIe", "gpu-count=1", "mig=1c.2g.20gb", "mig=1g.20gb"],
        &["gpu-count=2"],
    );
}

#[test]
fn lists_behind_other_prompts() {
    check(
        "➜  ~ pip list | grep -i torch\ntorch 2.3.1+cu118\ntorchaudio 2.3.1+cu118\n",
        &["package:torch=2.3.1+cu118", "package:torchaudio=2.3.1+cu118"],
        &[],
    );
    check(
        "user@host ~/src (main)> pip list | grep -i jax\njax 0.4.30\njaxlib 0.4.30\n",
        &["package:jax=0.4.30", "package:jaxlib=0.4.30"],
        &[],
    );
    check(
        "tensorflow-gpu                1.13.1\nopt-utils                     0.9.4\nvalidation                    0.25\n",
        &["package:tensorflow-gpu=1.13.1", "package:opt-utils=0.9.4"],
        &["package:validation"],
    );
}

#[test]
fn the_processor_in_two_languages() {
    check(
        "$ lscpu\n架构：                           x86_64\n型号名称：                       Intel(R) Xeon(R) CPU E5-2670 0 @ 2.60GHz\n标记：                           fpu vme sse sse2 ssse3 sse4_1 sse4_2 avx lahf_lm",
        &["cpu=Intel(R) Xeon(R) CPU E5-2670 0 @ 2.60GHz", "cpu=sse4_1 sse4_2 avx"],
        &[],
    );
    check(
        "PS C:\\> (Get-CimInstance Win32_Processor).Name\nAMD Phenom(tm) II X6 1090T Processor\nmodel name: bert-base",
        &["cpu=AMD Phenom(tm) II X6 1090T Processor"],
        &["cpu=bert"],
    );
}

#[test]
fn does_a_framework_see_a_gpu() {
    check(
        "Num GPUs Available:  0\nBuilt with CUDA: True",
        &["cuda-available=False", "cuda-available=True"],
        &["gpu-count"],
    );
    check(
        ">>> ort.get_available_providers()\n['AzureExecutionProvider', 'CPUExecutionProvider']",
        &["cuda-available=False"],
        &["cuda-available=True"],
    );
    check(
        "In [2]: tf.config.list_physical_devices('GPU')\nOut[2]: [PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')]",
        &["cuda-available=True"],
        &["cuda-available=False"],
    );
    check(
        "W0624 14:32:46.220422 23029 init.cc:136] Compiled with WITH_GPU, but no GPU found in runtime.",
        &["cuda-available=False"],
        &[],
    );
    check("session = InferenceSession(path, providers=['CPUExecutionProvider'])", &[], &["cuda-available"]);
}

#[test]
fn modules_loaded_and_on_the_disk() {
    check(
        "$ dkms status\nnvidia/550.90.07, 6.8.0-39-generic, x86_64: installed\n$ uname -r\n6.8.0-40-generic\n$ find /lib/modules -name 'nvidia*.ko*'\n/lib/modules/6.8.0-39-generic/updates/dkms/nvidia.ko.zst\n/lib/modules/6.8.0-39-generic/updates/dkms/nvidia-uvm.ko.zst\n$ modinfo nvidia\nmodinfo: ERROR: Module nvidia not found.",
        &[
            "kernel=6.8.0-40-generic",
            "kernel-module=nvidia/550.90.07, 6.8.0-39-generic, x86_64: installed",
            "kernel-module=/lib/modules/6.8.0-39-generic/updates/dkms/nvidia.ko.zst",
        ],
        &["driver=", "kernel=6.8.0-39"],
    );
}

#[test]
fn services_limits_and_nodes() {
    check(
        "# systemctl status nvidia-persistenced --no-pager\n× nvidia-persistenced.service - NVIDIA Persistence Daemon\n     Loaded: loaded (/usr/lib/systemd/system/nvidia-persistenced.service; static)\n     Active: failed (Result: exit-code) since Fri 2024-03-01 09:00:01 CET; 1min ago\n# ulimit -a\nmax locked memory           (kbytes, -l) 65536\nopen files                          (-n) 1048576\n# ls /dev/nvidia*\n/dev/nvidia0  /dev/nvidiactl  /dev/nvidia-modeset\n# df -h /dev/shm\nFilesystem      Size  Used Avail Use% Mounted on\nshm              64M   64M     0 100% /dev/shm",
        &[
            "service=nvidia-persistenced failed",
            "limit=max locked memory 65536",
            "limit=open files 1048576",
            "limit=/dev/shm 64M",
            "device-node=/dev/nvidiactl",
        ],
        &["device-node=/dev/nvidia-uvm", "memory-mib"],
    );
}

#[test]
fn places_of_compilers() {
    check(
        "$ type -a nvcc\nnvcc is /usr/bin/nvcc\nnvcc is /usr/local/cuda-12.2/bin/nvcc\n$ where.exe python\nC:\\Users\\user\\miniconda3\\python.exe\nC:\\Windows\\py.exe\n$ which ptxas\nwhich: no ptxas in (/usr/bin:/bin)",
        &[
            "program-found=/usr/bin/nvcc",
            "program-found=/usr/local/cuda-12.2/bin/nvcc",
            "program-found=C:\\Users\\user\\miniconda3\\python.exe",
        ],
        &["cuda-toolkit", "program-found=/usr/bin:"],
    );
}

#[test]
fn memory_that_grep_left() {
    check(
        "$ nvidia-smi | grep MiB\n|  0%   35C    P8              21W / 450W |  23912MiB / 24564MiB |      0%      Default |\n| N/A   41C    P0    68W / 300W |    500MiB / 32768MiB |      3%      Default |\n|    0   N/A  N/A     12345      C   python                          23900MiB |",
        &["memory-mib=24564", "memory-mib=32768"],
        &["memory-mib=23900", "memory-mib=500", "gpu-count"],
    );
}

#[test]
fn an_image_and_what_it_installs() {
    check(
        "FROM nvidia/cuda:12.1.1-runtime-ubuntu22.04\nENV NVIDIA_REQUIRE_CUDA=cuda>=12.1 brand=tesla,driver>=470,driver<471\nRUN pip install torch==2.3.1 --index-url https://download.pytorch.org/whl/cu121 --extra-index-url https://pypi.org/simple\nRUN pip install ./flash_attn-2.5.8+cu122torch2.3cxx11abiFALSE-cp310-cp310-linux_x86_64.whl",
        &[
            "container=docker",
            "cuda-needed=12.1",
            "index=https://download.pytorch.org/whl/cu121",
            "index=https://pypi.org/simple",
            "wheel=flash_attn-2.5.8+cu122torch2.3cxx11abiFALSE-cp310-cp310-linux_x86_64.whl",
        ],
        &["package:torch", "driver=470", "cuda-toolkit"],
    );
}

#[test]
fn three_versions_of_cudnn() {
    check(
        "CUDA backend failed to initialize: Unable to use CUDA because of the following issues with CUDA components:\nOutdated cuDNN installation found.\nVersion JAX was built against: 90100\nMinimum supported: 9000\nInstalled version: 8905\nThe local installation version must be no lower than 9000.",
        &["framework-cudnn=9.1.0", "cudnn-needed=9.0.0", "cudnn=8.9.5"],
        &["cudnn=9"],
    );
}

#[test]
fn dialogs_and_counts_of_missing_libraries() {
    check(
        "由于找不到 cudnn64_8.dll，无法继续执行代码。重新安装程序可能会解决此问题。\n$ ldconfig -p | grep -c libcudnn\n0\n$ find / -name \"libnvinfer*\" 2>/dev/null | wc -l\n0",
        &["library-missing=cudnn64_8.dll", "library-missing=libnvinfer*"],
        &["library-found", "cudnn="],
    );
}
