//! `jax.print_environment_info()`, beyond its labels.

use super::found::Found;
use super::page::Page;
use super::platform_text;
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
    tool: "jax.print_environment_info",
    words: &["jax.devices", "device info: ", "uname_result"],
    read,
};

/// `jax.devices (8 total, 8 local): [CudaDevice(id=0) …]`, `platform: uname_result(…)`.
fn read(page: &Page<'_>, found: &mut Found) {
    for (_, line, text) in page.all() {
        let text = text.trim();
        if let Some(rest) = text.strip_prefix("jax.devices (") {
            let gpus = rest.contains("Cuda") || rest.contains("cuda") || rest.contains("Gpu");
            if let Some((count, _)) =
                rest.split_once(" total").filter(|(c, _)| gpus && c.bytes().all(|b| b.is_ascii_digit()))
            {
                found.made("gpu-count", count, &format!("{count} total"), line);
            }
        } else if let Some(rest) = text.strip_prefix("device info: ") {
            // `NVIDIA A100-SXM4-40GB-8, 8 local devices`: the name, a hyphen, how many.
            if let Some((name, count)) = rest.split_once(", ").and_then(|(head, _)| head.rsplit_once('-'))
                && count.bytes().all(|b| b.is_ascii_digit())
                && name != "cpu"
            {
                found.see("gpu", name, line);
                found.made("gpu-count", count, rest, line);
            }
        } else if text.contains("uname_result(") {
            let field =
                |name: &str| text.split_once(&format!("{name}='")).and_then(|(_, r)| r.split('\'').next());
            if field("system") == Some("Linux") {
                if let Some(kernel) = field("release") {
                    platform_text::see_kernel(kernel, line, found);
                }
                if let Some(arch) =
                    field("machine").filter(|a| matches!(*a, "x86_64" | "aarch64" | "ppc64le"))
                {
                    found.see("arch", arch, line);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    #[test]
    fn devices_and_the_system() {
        let lines = Line::all(
            "jax.devices (8 total, 8 local): [CudaDevice(id=0) ... CudaDevice(id=7)]\nplatform: uname_result(system='Linux', node='host', release='6.8.0-1017-aws', version='#18', machine='x86_64')\njax.devices (1 total, 1 local): [CpuDevice(id=0)]",
        );
        let mut found = Found::of("jax");
        read(&Page::of(&lines), &mut found);
        assert_eq!(found.shown(), ["gpu-count=8@1", "kernel=6.8.0-1017-aws@2", "arch=x86_64@2"]);
    }
}
