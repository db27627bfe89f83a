//! Windows' own lists of display adapters: wmic, Get-CimInstance, dxdiag, driver properties.
//!
//! Memory is never read here: these lists hold it in 32 bits or together with shared memory.

use super::found::Found;
use super::gpu_name::is_gpu_name;
use super::page::Page;
use super::readers::Reader;
use super::{label, number};

pub(super) const READER: Reader = Reader {
    tool: "windows",
    words: &[
        "DriverVersion",
        "AdapterRAM",
        "VideoController",
        "Card name",
        "Driver Version",
        "驱动",
        "驅動",
        "ドライバー",
        "Treiber",
        "显示适配器",
        "顯示介面卡",
        "Name",
        "Caption",
        "VideoProcessor",
        "pilote",
    ],
    read,
};

/// Reads names of NVIDIA's adapters and their drivers.
fn read(page: &Page<'_>, found: &mut Found) {
    // How many columns stand behind the name, in a table.
    let mut table: Option<usize> = None;
    // The last adapter that was named, and whether it is NVIDIA's.
    let mut adapter: Option<(usize, bool)> = None;
    let mut named: Option<(&str, &str, usize)> = None;
    // A driver that stood before the adapter's name, as in lists sorted by label.
    let mut waiting: Option<(String, &str, usize, usize)> = None;
    for (at, line, text) in page.all() {
        let trimmed = text.trim();
        if let Some(behind) = heading(trimmed) {
            table = Some(behind);
            continue;
        }
        if let Some((name, value)) = pair(trimmed) {
            let lower = name.to_ascii_lowercase();
            if is_adapter(&lower) {
                let nvidia = value.starts_with("NVIDIA") || is_gpu_name(value);
                adapter = Some((at, nvidia));
                // Several labels of one record hold the same name.
                let again = named.is_some_and(|(n, l, from)| n == value && l != name && at < from + 40);
                let a_name = is_gpu_name(value) && !value.contains(": ");
                if nvidia && a_name && !again {
                    named = Some((value, name, at));
                    found.see("gpu", value, line);
                }
                if let Some((driver, raw, line, from)) = waiting.take().filter(|_| nvidia)
                    && at < from + 6
                {
                    found.made("driver", &driver, raw, line);
                }
            } else if is_driver(&lower)
                && let Some(raw) = value.split_whitespace().next()
                && let Some(driver) = number::windows_driver(raw)
            {
                match adapter {
                    Some((from, true)) if at < from + 60 => found.made("driver", &driver, raw, line),
                    _ => waiting = Some((driver, raw, line, at)),
                }
            }
            continue;
        }
        if trimmed.is_empty() {
            continue;
        }
        row(trimmed, line, table, found);
    }
}

/// A row of a table: its NVIDIA name, and a driver's number beside it.
fn row(text: &str, line: usize, table: Option<usize>, found: &mut Found) {
    let Some(at) = ["NVIDIA ", "GeForce ", "Quadro ", "Tesla "].iter().filter_map(|v| text.find(v)).min()
    else {
        return;
    };
    let number = text.split_whitespace().find_map(|w| Some((w, number::windows_driver(w)?)));
    if table.is_none() && number.is_none() {
        return;
    }
    let name = text[at..].split("  ").next().unwrap_or("").trim();
    // Where only one blank separates the columns the name ends before the number.
    let name =
        number.as_ref().and_then(|(raw, _)| name.split_once(raw)).map_or(name, |(head, _)| head.trim());
    // Columns that lost the blanks between them: as many words go as columns follow.
    let mut name = name;
    if !text.contains("  ") && number.is_none() {
        for _ in 0..table.unwrap_or(0) {
            name = name.rsplit_once(' ').map_or(name, |(head, _)| head);
        }
    }
    let a_name = is_gpu_name(name) && !name.contains([':', '|', '=', '\\', '"']);
    if a_name && (at == 0 || !text.as_bytes()[at - 1].is_ascii_alphanumeric()) {
        found.see("gpu", name, line);
    }
    if let Some((raw, driver)) = number {
        found.made("driver", &driver, raw, line);
    }
}

/// The heading of wmic's and PowerShell's tables of adapters: how many columns stand behind the name.
fn heading(text: &str) -> Option<usize> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let known = |w: &&str| {
        matches!(
            *w,
            "Name"
                | "DriverVersion"
                | "AdapterRAM"
                | "Caption"
                | "DeviceID"
                | "VideoArchitecture"
                | "VideoProcessor"
                | "Description"
                | "Status"
                | "DriverDate"
                | "FriendlyName"
                | "DeviceName"
        )
    };
    let all = !words.is_empty()
        && words.iter().all(known)
        && (words.len() > 1 || words[0] == "Name" || words[0] == "Caption");
    all.then(|| words.iter().position(|w| *w == "Name").map_or(0, |at| words.len() - at - 1))
}

/// `label : value`, or `label=value` of `wmic … /format:list`.
fn pair(text: &str) -> Option<(&str, &str)> {
    if let Some((name, value)) = label::split(text) {
        return Some((name, value));
    }
    let (name, value) = text.split_once('=')?;
    name.bytes().all(|b| b.is_ascii_alphanumeric()).then_some((name, value.trim()))
}

fn is_adapter(label: &str) -> bool {
    matches!(
        label,
        "name"
            | "card name"
            | "caption"
            | "显示适配器"
            | "顯示介面卡"
            | "videoprocessor"
            | "devicename"
            | "friendlyname"
            | "显卡名称"
            | "grafikkarte"
            | "adapter"
            | "graphics card"
            | "display adapter"
            | "description"
    )
}

fn is_driver(label: &str) -> bool {
    matches!(
        label,
        "driverversion"
            | "driver version"
            | "driver file version"
            | "驱动程序版本"
            | "驱动版本"
            | "驅動程式版本"
            | "ドライバーのバージョン"
            | "ドライバー バージョン"
            | "treiberversion"
            | "version du pilote"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("wmic");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn tables_and_lists() {
        assert_eq!(
            of(
                "AdapterRAM  DeviceID          Name                       VideoArchitecture\n4293918720  VideoController1  NVIDIA GeForce RTX 4090    5\n1073741824  VideoController2  Intel(R) UHD Graphics 770  5"
            ),
            ["gpu=NVIDIA GeForce RTX 4090@2"]
        );
        assert_eq!(
            of(
                "DriverVersion  Name\n31.0.101.4502  Intel(R) UHD Graphics\n32.0.15.8180   NVIDIA GeForce RTX 3060"
            ),
            ["gpu=NVIDIA GeForce RTX 3060@3", "driver=581.80@3"]
        );
        assert_eq!(
            of("DriverVersion=31.0.15.3623\nName=NVIDIA GeForce RTX 3060"),
            ["gpu=NVIDIA GeForce RTX 3060@2", "driver=536.23@1"]
        );
        assert_eq!(
            of("Name          : NVIDIA GeForce RTX 3060\nDriverVersion : 32.0.15.8180"),
            ["gpu=NVIDIA GeForce RTX 3060@1", "driver=581.80@2"]
        );
    }

    #[test]
    fn other_languages_and_other_vendors() {
        assert_eq!(
            of("显示适配器: NVIDIA GeForce GTX 1050 Ti\n  驱动程序版本: 23.21.13.9135"),
            ["gpu=NVIDIA GeForce GTX 1050 Ti@1", "driver=391.35@2"]
        );
        assert_eq!(of("Card name: Intel(R) HD Graphics\nDriver Version: 20.19.15.4531"), [""; 0]);
    }
}
