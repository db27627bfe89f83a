//! Made-up pages in the manner of the real ones: the facts in them are none.

use kb_search::Document;

/// Numbers that look random and are the same each time.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

const WORDS: &[&str] = &[
    "driver",
    "runtime",
    "toolkit",
    "kernel",
    "memory",
    "compute",
    "capability",
    "wheel",
    "build",
    "library",
    "version",
    "release",
    "requires",
    "supports",
    "install",
    "container",
    "image",
    "device",
    "host",
    "linux",
    "windows",
    "python",
    "binary",
    "architecture",
    "compiled",
    "minimum",
    "newer",
    "older",
    "branch",
    "production",
    "package",
    "index",
    "error",
    "loaded",
    "found",
    "missing",
    "path",
    "environment",
    "variable",
    "process",
    "precision",
    "tensor",
    "graph",
    "stream",
    "launch",
    "synchronise",
    "workspace",
    "attention",
    "quantised",
    "matrix",
    "multiply",
    "compiler",
    "header",
    "symbol",
    "the",
    "of",
    "and",
    "for",
    "with",
    "a",
    "is",
    "in",
    "on",
    "it",
    "that",
    "this",
    "from",
    "by",
    "not",
    "are",
    "or",
    "must",
    "can",
    "only",
    "when",
    "table",
    "source",
    "note",
    "known",
    "issue",
    "workaround",
    "since",
    "before",
    "after",
    "each",
];
const FRAMEWORKS: &[&str] = &[
    "PyTorch",
    "TensorFlow",
    "JAX",
    "CuPy",
    "ONNX Runtime",
    "PaddlePaddle",
    "xFormers",
    "bitsandbytes",
    "vLLM",
    "DeepSpeed",
];
const GPUS: &[&str] = &["RTX", "GTX", "Tesla", "Quadro", "RTX A", "H", "A", "L", "B", "Jetson"];
const LIBRARIES: &[&str] =
    &["CUDNN", "CUBLAS", "NCCL", "CUDA", "CUSOLVER", "CUFFT", "NVML", "CUSPARSE", "NPP", "TENSORRT"];
const FAILURES: &[&str] = &[
    "NOT_INITIALIZED",
    "INVALID_DEVICE",
    "OUT_OF_MEMORY",
    "ARCH_MISMATCH",
    "EXECUTION_FAILED",
    "VERSION_MISMATCH",
    "NO_KERNEL_IMAGE",
    "ALLOC_FAILED",
    "INSUFFICIENT_DRIVER",
    "NOT_SUPPORTED",
    "INTERNAL_ERROR",
    "MAPPING_FAILED",
];
const HAN: &str = "显存不足驱动版本安装失败动态库找到无法加载计算能力支持需要升级卸载重新编译环境变量路径错误内核镜像框架依赖冲突解决方法检查";
const HAN_TITLES: &[&str] = &[
    "显存不足",
    "驱动版本过低",
    "找不到动态库",
    "安装失败",
    "计算能力不支持",
    "版本冲突",
    "无法加载内核镜像",
];

fn text(dice: &mut Dice, words: usize) -> String {
    let mut text = String::new();
    for _ in 0..words {
        text += &match dice.roll(12) {
            3 => dice.roll(99).to_string(),
            0 => format!("CUDA 1{}.{}", dice.roll(3), dice.roll(10)),
            1 => format!("{} 2.{}.{}", dice.pick(FRAMEWORKS), dice.roll(12), dice.roll(4)),
            2 => format!("sm_{}", 50 + dice.roll(75)),
            _ => dice.pick(WORDS).to_owned(),
        };
        text.push(if dice.roll(12) == 0 { '\n' } else { ' ' });
    }
    text
}

fn han(dice: &mut Dice, length: usize) -> String {
    let all: Vec<char> = HAN.chars().collect();
    (0..length).map(|_| all[dice.roll(all.len())]).collect()
}

/// `count` pages: GPUs, CUDA releases, drivers, frameworks, errors, in a tenth Chinese.
pub(crate) fn pages(count: usize) -> Vec<Document> {
    let mut dice = Dice(7);
    (0..count).map(|number| page(&mut dice, number)).collect()
}

fn page(dice: &mut Dice, number: usize) -> Document {
    let (round, body) = (number / 10, text(dice, 150));
    let only = format!("{}.{}.{:02}", 400 + number % 250, 10 + number / 250, number % 89);
    let page = |kind: &str, title: String, aliases: Vec<String>, extra: String| Document {
        address: format!("/{kind}/{number}/"),
        title,
        kind: kind.into(),
        aliases,
        text: format!("{body} {only} {extra}"),
        ..Document::default()
    };
    let framework = FRAMEWORKS[round % FRAMEWORKS.len()];
    match number % 10 {
        0 | 1 => {
            let maker = GPUS[number % GPUS.len()];
            let model = format!("{maker} {}{}", 1000 + number * 3 % 8000, ["", " Ti", " Super"][number % 3]);
            page("gpu", format!("NVIDIA {model}"), vec![model.clone(), model.replace(' ', "")], "gpu".into())
        }
        2 => {
            let version = format!("{}.{}.{}", 10 + round % 4, round % 10, round / 40);
            page(
                "cuda",
                format!("CUDA {version}"),
                vec![format!("cu{}", version.replace('.', ""))],
                String::new(),
            )
        }
        3 => page(
            "driver",
            format!("Driver {}.{}.{:02}", 450 + round, 20 + round % 80, round % 20),
            vec![],
            String::new(),
        ),
        4..=6 => {
            let version = format!("{}.{}.{}", number % 10 - 3, round / 10, round % 4);
            let name = framework.to_lowercase().replace(' ', "");
            page(
                "release",
                format!("{framework} {version}"),
                vec![format!("{name}=={version}")],
                String::new(),
            )
        }
        7 | 8 => {
            let (library, failure) =
                (LIBRARIES[number / 7 % LIBRARIES.len()], FAILURES[round % FAILURES.len()]);
            let title = format!("{library}_STATUS_{failure}_{}", ["CODE", "CALL", "STATE"][round % 3]);
            let said = format!(
                "RuntimeError: {} error: {title} when calling `{}Create(handle)`",
                library,
                library.to_lowercase()
            );
            page("error", format!("{title} in {framework}"), vec![title], said)
        }
        _ => {
            let title = format!("{}{}：{}", framework, HAN_TITLES[round % HAN_TITLES.len()], han(dice, 4));
            let text = format!("{}。{}，{only} {}", han(dice, 30), han(dice, 60), body);
            let mut page = page("zh", title, vec![], String::new());
            page.address = format!("/zh/error/{number}/");
            page.language = "zh".into();
            page.text = text;
            page
        }
    }
}
