//! The registry of Windows, read only.

use super::{Refusal, RegistryKey};
use winreg::enums::{HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE, KEY_READ};
use winreg::types::FromRegValue;
use winreg::{RegKey, enums::RegType};

pub(super) fn read(key: &str) -> Result<RegistryKey, Refusal> {
    let (root, path) = key.split_once('\\').unwrap_or((key, ""));
    let root = match root {
        "HKLM" => HKEY_LOCAL_MACHINE,
        "HKCU" => HKEY_CURRENT_USER,
        _ => return Err(Refusal::Other(format!("`{root}` is no root of the registry that is read"))),
    };
    let key = RegKey::predef(root).open_subkey_with_flags(path, KEY_READ)?;
    let mut out = RegistryKey::default();
    for value in key.enum_values() {
        let Ok((name, value)) = value else { continue };
        let text = match value.vtype {
            RegType::REG_DWORD => u32::from_reg_value(&value).map(|n| n.to_string()),
            RegType::REG_QWORD => u64::from_reg_value(&value).map(|n| n.to_string()),
            RegType::REG_MULTI_SZ => Vec::<String>::from_reg_value(&value).map(|v| v.join(";")),
            RegType::REG_SZ | RegType::REG_EXPAND_SZ => String::from_reg_value(&value),
            _ => continue,
        };
        // A value that is not what its type says is left out, as one that is not there.
        if let Ok(text) = text {
            out.values.insert(name, text.trim_end_matches('\0').to_owned());
        }
    }
    out.keys = key.enum_keys().filter_map(Result::ok).collect();
    out.keys.sort_unstable();
    Ok(out)
}
