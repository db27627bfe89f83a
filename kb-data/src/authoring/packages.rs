//! `catalog/packages/<id>.toml`.

use super::role::Role;
use super::{Loader, Spot, check, put};
use kb_core::catalog::{Package, PackageKind, Scheme};
use kb_core::diag::Diagnostic;

const KINDS: [(&str, PackageKind); 4] = [
    ("framework", PackageKind::Framework),
    ("library", PackageKind::Library),
    ("system", PackageKind::System),
    ("nvidia-wheel", PackageKind::NvidiaWheel),
];
const SCHEMES: [(&str, Scheme); 6] = [
    ("pep440", Scheme::Pep440),
    ("cuda", Scheme::Cuda),
    ("driver", Scheme::Driver),
    ("cudnn", Scheme::Cudnn),
    ("python", Scheme::Python),
    ("dotted", Scheme::Dotted),
];

/// Can it stand between the quotes of `python -c "…"` in every shell?
fn is_quotable(code: &str) -> Result<(), Diagnostic> {
    if code.trim().is_empty() || code.contains(['"', '$', '`', '\\', '!', '%', '\n']) {
        let out = Diagnostic::error("unquotable-code", format!("`{code}` cannot stand in python -c \"…\""));
        return Err(out.help("write one line of Python, with single quotes for texts and without $ ` \\ ! %"));
    }
    Ok(())
}

impl Loader<'_, '_> {
    pub(super) fn read_packages(&mut self) {
        let mut found = Vec::new();
        self.each(
            |role| if let Role::Package(id) = role { Some(*id) } else { None },
            |id, file, f| {
                let name = f.text("name", "\"PyTorch\"");
                let aliases = f.boxed_list("aliases");
                let kind = f.word("kind", &KINDS);
                let scheme = f.word("scheme", &SCHEMES);
                let main = f.number("main", 1, 255).map(|n| n as u8);
                let import_name = f.boxed_opt("import-name");
                let gpu_check = f.text_opt("gpu-check");
                if let Some(text) = &gpu_check {
                    check(f, text, is_quotable(text.text));
                }
                let compiles_at_run_time = f.flag("compiles-at-run-time");
                let gpu_package = f.text_opt("gpu-package");
                let members = f.texts("members");
                let channel_order = f.texts("channel-order");
                for text in gpu_package.iter().chain(&members) {
                    check(f, text, self.names.package(text.text));
                }
                for text in channel_order.iter().filter(|t| t.text != "*") {
                    check(f, text, self.names.channel(text.text));
                }
                let span = gpu_package.iter().chain(&members).next().map_or(0..0, |t| t.span.clone());
                let (Some(name), Some(kind), Some(scheme)) = (name, kind, scheme) else { return };
                let package = Package {
                    id: id.into(),
                    name: name.boxed(),
                    aliases,
                    kind,
                    scheme,
                    main,
                    import_name,
                    gpu_check: gpu_check.map(|t| t.boxed()),
                    compiles_at_run_time,
                    gpu_package: gpu_package.map(|t| t.boxed()),
                    members: members.iter().map(|t| t.boxed()).collect(),
                    channel_order: channel_order.iter().map(|t| t.boxed()).collect(),
                };
                found.push((package, Spot { file, span }));
            },
        );
        for (package, spot) in found {
            self.seen.packages.insert(package.id.clone(), spot);
            put(&mut self.kb.packages, package, |p| &p.id);
        }
    }
}
