//! Windows' ways, replayed anywhere.

use crate::{all, given, machine, one, packages, placed, values};

const WINDOWS: &str = r#"
schema = 1
family = "windows"
arch = "x86_64"
directory = 'C:\work'
[variables]
Path = 'C:\Windows\System32;C:\Users\u\AppData\Local\Microsoft\WindowsApps'
USERPROFILE = 'C:\Users\u'
APPDATA = 'C:\Users\u\AppData\Roaming'
LOCALAPPDATA = 'C:\Users\u\AppData\Local'
ProgramData = 'C:\ProgramData'
[[path]]
at = 'C:\Users\u\AppData\Local\Microsoft\WindowsApps\python.exe'
bytes = 0
"#;

fn windows(more: &str) -> probe::machine::Replay {
    machine(&format!("{WINDOWS}{more}"))
}

const PYTHON_ORG: &str = r#"
[[registry]]
key = 'HKCU\SOFTWARE\Python\PythonCore\3.12\InstallPath'
values = { "" = 'C:\Users\u\AppData\Local\Programs\Python\Python312\', ExecutablePath = 'C:\Users\u\AppData\Local\Programs\Python\Python312\python.exe' }
[[registry]]
key = 'HKLM\SOFTWARE\Python\PythonCore\3.9\InstallPath'
values = { "" = 'C:\Python39\' }
[[registry]]
key = 'HKLM\SOFTWARE\Python\PyLauncher'
[[path]]
at = 'C:\Python39\python.exe'
bytes = 10
[[path]]
at = 'C:\Python39\python39.dll'
bytes = 10
[[path]]
at = 'C:\Users\u\AppData\Local\Programs\Python\Python312\python.exe'
bytes = 10
[[path]]
at = 'C:\Users\u\AppData\Local\Programs\Python\Python312\python3.dll'
bytes = 10
[[path]]
at = 'C:\Users\u\AppData\Local\Programs\Python\Python312\python312.dll'
library = { machine = "x86_64", version = "3.12.4" }
[[path]]
at = 'C:\Users\u\AppData\Local\Programs\Python\Python312\Lib\site-packages'
site.installed = ["torch-2.5.1+cu124.dist-info"]
[[path]]
at = 'C:\Users\u\AppData\Roaming\Python\Python312\site-packages'
site.installed = ["paddlepaddle_gpu-2.6.1.post120.dist-info"]
[[path]]
at = 'C:\work\.venv\pyvenv.cfg'
text = "home = C:\\Users\\u\\AppData\\Local\\Programs\\Python\\Python312\r\ninclude-system-site-packages = false\r\nversion = 3.12.4\r\n"
[[path]]
at = 'C:\work\.venv\Scripts\python.exe'
bytes = 10
[[path]]
at = 'C:\work\.venv\Lib\site-packages'
site.installed = ["onnxruntime_gpu-1.20.1.dist-info", "~nnxruntime_gpu-1.19.0.dist-info"]
site.remains = ["~nnxruntime-gpu"]
"#;

#[test]
fn an_alias_that_opens_the_store_is_no_python() {
    let seen = one(&windows(""));
    assert!(values(&seen, "environment").is_empty());
    assert_eq!(
        placed(&seen, "program-found"),
        [r"C:\Users\u\AppData\Local\Microsoft\WindowsApps\python.exe @ PATH"]
    );
}

#[test]
fn a_python_of_the_store() {
    let seen = one(&windows(
        r#"
        [[path]]
        at = 'C:\Users\u\AppData\Local\Microsoft\WindowsApps\PythonSoftwareFoundation.Python.3.11_qbz5n2kfra8p0\python.exe'
        bytes = 0
        [[path]]
        at = 'C:\Users\u\AppData\Local\Packages\PythonSoftwareFoundation.Python.3.11_qbz5n2kfra8p0\LocalCache\local-packages\Python311\site-packages'
        site.installed = ["torch-2.1.0+cpu.dist-info"]
        "#,
    ));
    assert_eq!(values(&seen, "environment"), ["store"]);
    assert_eq!(
        (values(&seen, "python"), packages(&seen)),
        (vec!["3.11".into()], vec!["torch 2.1.0+cpu".into()])
    );
}

#[test]
fn the_newest_in_the_registry_is_what_the_launcher_starts() {
    let seen = one(&windows(PYTHON_ORG));
    assert_eq!(
        placed(&seen, "environment"),
        [r"system @ C:\Users\u\AppData\Local\Programs\Python\Python312"]
    );
    assert_eq!(values(&seen, "python"), ["3.12.4"]);
    assert_eq!(packages(&seen), ["paddlepaddle-gpu 2.6.1.post120", "torch 2.5.1+cu124"]);
}

#[test]
fn all_of_windows() {
    let seen = all(&windows(PYTHON_ORG));
    assert_eq!(
        placed(&seen, "environment"),
        [
            r"system @ C:\Users\u\AppData\Local\Programs\Python\Python312",
            r"venv @ C:\work\.venv",
            r"system @ C:\Python39"
        ]
    );
    assert_eq!(values(&seen, "python"), ["3.12.4", "3.12.4", "3.9"]);
    assert_eq!(placed(&seen, "package-remains"), [r"~nnxruntime-gpu @ C:\work\.venv\Lib\site-packages"]);
}

#[test]
fn a_venv_is_named_as_people_type_it() {
    for name in
        [".venv", r".\.venv", "c:/WORK/.venv/", r".venv\Scripts\python.exe", r".venv\Lib\site-packages"]
    {
        let seen = given(&windows(PYTHON_ORG), name);
        assert_eq!(values(&seen, "environment"), ["venv"], "{name}: {:?}", seen.failures);
        assert_eq!(packages(&seen), ["onnxruntime-gpu 1.20.1"], "{name}");
    }
}

#[test]
fn a_program_that_brings_python_along() {
    let seen = given(
        &windows(
            r#"
            [[path]]
            at = 'D:\ComfyUI\python_embeded\python.exe'
            bytes = 10
            [[path]]
            at = 'D:\ComfyUI\python_embeded\python313.dll'
            library = { machine = "x86_64", version = "3.13.6" }
            [[path]]
            at = 'D:\ComfyUI\python_embeded\python313._pth'
            text = "../ComfyUI\r\npython313.zip\r\n.\r\nimport site\r\n"
            [[path]]
            at = 'D:\ComfyUI\python_embeded\Lib\site-packages'
            site.installed = ["torch-2.8.0+cu129.dist-info"]
            [[path]]
            at = 'C:\Users\u\AppData\Roaming\Python\Python313\site-packages'
            site.installed = ["torch-2.0.0.dist-info"]
            "#,
        ),
        r"D:\ComfyUI\python_embeded",
    );
    assert_eq!(values(&seen, "environment"), ["embedded"]);
    assert_eq!(
        (values(&seen, "python"), packages(&seen)),
        (vec!["3.13.6".into()], vec!["torch 2.8.0+cu129".into()])
    );
}

#[test]
fn pyenv_for_windows() {
    let text = r#"
        [[path]]
        at = 'C:\Users\u\.pyenv\pyenv-win\versions\3.11.7\python.exe'
        bytes = 10
        [[path]]
        at = 'C:\Users\u\.pyenv\pyenv-win\shims\python.bat'
        bytes = 10
        [[path]]
        at = 'C:\Users\u\.pyenv\pyenv-win\version'
        text = "3.11.7\r\n"
    "#;
    let with = WINDOWS.replace(r"C:\Windows\System32", r"C:\Users\u\.pyenv\pyenv-win\shims") + text;
    let seen = one(&machine(&with));
    assert_eq!(
        (values(&seen, "environment"), values(&seen, "python")),
        (vec!["pyenv".into()], vec!["3.11.7".into()])
    );
}
