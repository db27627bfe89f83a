//! `cupy/.data/_wheel.json`.

use super::numbers::text_version;
use super::{Said, Stated};
use serde_json::Value;

pub(super) fn read(bytes: &[u8]) -> Stated {
    let Ok(json) = serde_json::from_slice::<Value>(bytes) else { return Stated::default() };
    let text = |value: &Value| value.as_str().and_then(text_version);
    // The libraries that CuPy loads, if they are there: `"cudnn": {"version": "8.8.1", "filenames": […]}`.
    let library = |name: &str| text(&json[name]["version"]);
    let cuda = text(&json["cuda"]).map(wildcard);
    Stated {
        version: text(&json["cupy_version"]),
        gpu: cuda.is_some().then_some(true),
        cuda,
        cudnn: library("cudnn"),
        nccl: library("nccl"),
        ..Stated::default()
    }
}

/// `12.x` is any release of 12; the wheels for other processors say `12.x-aarch64`.
fn wildcard(said: Said) -> Said {
    match said.written.split('-').next().unwrap_or_default().strip_suffix(".x") {
        Some(major) => Said { value: major.to_owned(), written: said.written.clone() },
        None => said,
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;

    #[test]
    fn a_wheel() {
        let text =
            br#"{"cuda": "12.x", "packaging": "pip", "cutensor": {"version": "2.0.1", "filenames": ["a"]},
            "nccl": {"version": "2.18.5"}, "cudnn": {"version": "8.8.1", "filenames": ["libcudnn.so.8"]}}"#;
        let said = read("cupy/.data/_wheel.json", text).unwrap();
        let cuda = said.cuda.unwrap();
        assert_eq!((cuda.value.as_str(), cuda.written.as_str()), ("12", "12.x"));
        assert_eq!((said.cudnn.unwrap().value, said.nccl.unwrap().value), ("8.8.1".into(), "2.18.5".into()));
        assert_eq!(read("cupy/.data/_wheel.json", b"[1"), Some(Default::default()));
    }
}
