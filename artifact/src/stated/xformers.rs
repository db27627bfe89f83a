//! `xformers/cpp_lib.json`.

use super::numbers::{hundreds, text_version};
use super::{Declared, Stated};
use serde_json::Value;

pub(super) fn read(bytes: &[u8]) -> Stated {
    let Ok(json) = serde_json::from_slice::<Value>(bytes) else { return Stated::default() };
    let version = &json["version"];
    let text = |value: &Value| value.as_str().and_then(text_version);
    let cuda = match &version["cuda"] {
        Value::Number(number) => number.as_u64().and_then(hundreds),
        other => text(other),
    };
    Stated {
        gpu: cuda.is_some().then_some(true),
        cuda,
        rocm: text(&version["hip"]),
        torch: text(&version["torch"]),
        python: text(&version["python"]),
        targets: json["env"]["TORCH_CUDA_ARCH_LIST"].as_str().map(Declared::torch),
        ..Stated::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;

    #[test]
    fn a_build() {
        let text = br#"{"version": {"cuda": 1204, "hip": null, "torch": "2.5.1+cu124", "python": "3.10.15"},
            "env": {"TORCH_CUDA_ARCH_LIST": "6.0+PTX 7.0 8.0+PTX 9.0a", "PYTORCH_ROCM_ARCH": null}}"#;
        let said = read("xformers/cpp_lib.json", text).unwrap();
        assert_eq!(
            (said.cuda.unwrap().value, said.torch.unwrap().value),
            ("12.4".into(), "2.5.1+cu124".into())
        );
        let targets = said.targets.unwrap();
        assert_eq!(format!("{:?} {:?}", targets.sass, targets.ptx), "[6.0, 7.0, 8.0, 9.0a] [6.0, 8.0]");
        let said =
            read("xformers/cpp_lib.json", br#"{"env": {"TORCH_CUDA_ARCH_LIST": "native;8.0"}}"#).unwrap();
        assert_eq!(said.targets.unwrap().unread, ["native"]);
    }
}
