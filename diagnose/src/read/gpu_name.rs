//! Names of NVIDIA's GPUs, told from names of its other products.

/// Does a text begin like the name of a GPU?
pub(super) fn is_gpu_name(text: &str) -> bool {
    const BEGINNINGS: [&str; 12] = [
        "NVIDIA",
        "GeForce",
        "Tesla",
        "Quadro",
        "TITAN",
        "Titan",
        "RTX",
        "GTX",
        "GRID",
        "Orin",
        "Xavier",
        "Graphics Device",
    ];
    const OTHERS: [&str; 16] = [
        "Corporation",
        "Container",
        "Driver",
        "Control Panel",
        "High Definition",
        "USB",
        "Broadcast",
        "FrameView",
        "PhysX",
        " App",
        "Audio",
        "Software",
        "Update",
        "Install",
        "Nsight",
        "Developer Kit",
    ];
    text.len() < 70
        && text != "NVIDIA"
        && BEGINNINGS.iter().any(|b| text.starts_with(b))
        && !OTHERS.iter().any(|o| text.contains(o))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_and_services_are_no_gpus() {
        for name in ["NVIDIA GeForce RTX 3090", "Tesla T4", "NVIDIA A100-SXM4-40GB", "NVIDIA GB10"] {
            assert!(is_gpu_name(name), "{name}");
        }
        for name in [
            "NVIDIA Graphics Driver 551.61",
            "NVIDIA Container Toolkit",
            "NVIDIA Corporation",
            "NVIDIA",
            "Intel(R) UHD Graphics 770",
        ] {
            assert!(!is_gpu_name(name), "{name}");
        }
    }
}
