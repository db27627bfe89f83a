//! Which encoding bytes are in.

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GB18030, IBM866, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252,
};

/// A text and the encoding that its bytes were in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decoded {
    /// The text; bytes that mean nothing are U+FFFD.
    pub text: String,
    /// `utf-8`, `utf-16le`, `utf-16be`, or the code page of the lines that are no UTF-8.
    pub encoding: &'static str,
}

/// Turns bytes into text.
///
/// Marks at the beginning decide, then the zeros of UTF-16. What is no UTF-8 is decoded line by line, because logs mix
/// what a program wrote (UTF-8) with what a console wrote (its code page): lines that are UTF-8 stay, the others are
/// read in the code page that makes the most sense of them together.
pub fn decode(bytes: &[u8]) -> Decoded {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return whole(&bytes[length..], encoding);
    }
    if let Some(encoding) = utf_16_without_mark(bytes) {
        return whole(bytes, encoding);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Decoded { text: text.to_owned(), encoding: "utf-8" },
        Err(_) => by_lines(bytes),
    }
}

fn whole(bytes: &[u8], encoding: &'static Encoding) -> Decoded {
    if encoding == UTF_8 {
        return match std::str::from_utf8(bytes) {
            Ok(text) => Decoded { text: text.to_owned(), encoding: "utf-8" },
            Err(_) => by_lines(bytes),
        };
    }
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    Decoded { text: text.into_owned(), encoding: name(encoding) }
}

fn name(encoding: &'static Encoding) -> &'static str {
    match encoding {
        e if e == UTF_16LE => "utf-16le",
        e if e == UTF_16BE => "utf-16be",
        e if e == GB18030 => "gb18030",
        e if e == BIG5 => "big5",
        e if e == SHIFT_JIS => "shift_jis",
        e if e == EUC_KR => "euc-kr",
        e if e == WINDOWS_1251 => "windows-1251",
        e if e == IBM866 => "ibm866",
        e if e == WINDOWS_1252 => "windows-1252",
        _ => "utf-8",
    }
}

/// ASCII in UTF-16 has a zero in every other byte, and no text has zeros otherwise.
fn utf_16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(4096) & !1];
    let zeros = |odd: usize| sample.iter().skip(odd).step_by(2).filter(|b| **b == 0).count();
    let (even, odd, half) = (zeros(0), zeros(1), sample.len() / 2);
    if half < 2 {
        return None;
    }
    if odd * 3 > half && even * 10 < half {
        Some(UTF_16LE)
    } else if even * 3 > half && odd * 10 < half {
        Some(UTF_16BE)
    } else {
        None
    }
}

fn by_lines(bytes: &[u8]) -> Decoded {
    let odd: Vec<u8> = bytes
        .split_inclusive(|b| *b == b'\n')
        .filter(|line| std::str::from_utf8(line).is_err())
        .take(2000)
        .flatten()
        .copied()
        .take(1 << 16)
        .collect();
    let encoding = likeliest(&odd);
    let mut text = String::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        match std::str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(_) => text.push_str(&encoding.decode_without_bom_handling(line).0),
        }
    }
    Decoded { text, encoding: name(encoding) }
}

/// A code page and words that consoles print in it.
struct CodePage {
    encoding: &'static Encoding,
    words: &'static [&'static str],
    /// Characters that texts in it are made of.
    common: fn(char) -> bool,
}

/// Words of Windows' and programs' messages in Russian.
const RUSSIAN: &[&str] = &[
    "не найден",
    "Не найден",
    "не удается",
    "Отказано",
    "модуль",
    "версия",
    "Версия",
    "ошибка",
    "Ошибка",
    "файл",
    "команд",
];

const CODE_PAGES: [CodePage; 8] = [
    CodePage {
        encoding: GB18030,
        words: &[
            "版本",
            "找不到",
            "指定的",
            "模块",
            "不是内部或外部命令",
            "拒绝访问",
            "错误",
            "文件",
            "系统",
            "保留所有权利",
            "动态链接库",
            "安装",
            "目录",
            "驱动",
            "显卡",
            "程序",
            "用户",
            "无法",
            "信息",
            "名称",
        ],
        common: han,
    },
    CodePage {
        encoding: BIG5,
        words: &[
            "版本",
            "找不到",
            "指定的",
            "模組",
            "不是內部或外部命令",
            "拒絕",
            "錯誤",
            "檔案",
            "系統",
            "著作權",
            "動態連結",
            "安裝",
            "目錄",
            "驅動",
            "程式",
            "使用者",
            "無法",
        ],
        common: han,
    },
    CodePage {
        encoding: SHIFT_JIS,
        words: &[
            "指定された",
            "モジュール",
            "見つかりません",
            "エラー",
            "バージョン",
            "認識されていません",
            "アクセス",
            "ファイル",
            "ドライバ",
            "です",
            "ます",
        ],
        common: japanese,
    },
    CodePage {
        encoding: EUC_KR,
        words: &[
            "지정된",
            "모듈",
            "찾을 수 없습니다",
            "버전",
            "액세스",
            "오류",
            "파일",
            "드라이버",
            "명령",
            "니다",
            "시스템",
        ],
        common: |c| ('\u{ac00}'..='\u{d7a3}').contains(&c) || c.is_ascii(),
    },
    CodePage { encoding: WINDOWS_1251, words: RUSSIAN, common: russian },
    CodePage { encoding: IBM866, words: RUSSIAN, common: russian },
    CodePage {
        encoding: WINDOWS_1252,
        words: &[
            "für",
            "gefunden",
            "über",
            "não",
            "é ",
            "ñ",
            "ção",
            "ción",
            "spécifié",
            "Accès",
            "à ",
            "können",
            "konnte",
            "°C",
            "©",
            "®",
            "ä",
            "ö",
            "ü",
            "ß",
        ],
        common: |c| c.is_ascii() || "äöüßÄÖÜéèêëàâáíìîóòôõúùûçñãåæø¿¡°©®·«»€'“”‘’–—…".contains(c),
    },
    CodePage { encoding: UTF_8, words: &[], common: |c| c.is_ascii() },
];

fn han(c: char) -> bool {
    c.is_ascii() || ('\u{4e00}'..='\u{9fff}').contains(&c) || "，。、：；！？（）《》“”‘’".contains(c)
}

fn japanese(c: char) -> bool {
    c.is_ascii()
        || ('\u{3040}'..='\u{30ff}').contains(&c)
        || ('\u{4e00}'..='\u{9fff}').contains(&c)
        || "、。「」".contains(c)
}

fn russian(c: char) -> bool {
    c.is_ascii() || ('\u{430}'..='\u{44f}').contains(&c) || "ёАБВГДЕЗИКЛМНОПРСТУФХЧШЭ№".contains(c)
}

fn likeliest(bytes: &[u8]) -> &'static Encoding {
    let mut best = (i64::MIN, WINDOWS_1252);
    for page in &CODE_PAGES {
        let score = score(bytes, page);
        if score > best.0 {
            best = (score, page.encoding);
        }
    }
    best.1
}

/// How much sense bytes make in a code page: words that consoles print count most, damage and rare characters against it.
fn score(bytes: &[u8], page: &CodePage) -> i64 {
    let (text, _) = page.encoding.decode_without_bom_handling(bytes);
    let mut score = 0;
    for word in page.words {
        let found = text.matches(word).take(20).count();
        score += 12 * i64::try_from(found * word.chars().count()).unwrap_or(0);
    }
    for c in text.chars().filter(|c| !c.is_ascii()) {
        score += match c {
            '\u{fffd}' => -40,
            c if ('\u{e000}'..='\u{f8ff}').contains(&c) => -20,
            c if c.is_control() => -20,
            c if (page.common)(c) => 3,
            _ => -6,
        };
    }
    if page.encoding.is_single_byte() || page.encoding == UTF_8 {
        return score;
    }
    // A wide character between two letters is an accented letter of a Western page that took its neighbour along.
    let chars: Vec<char> = text.chars().collect();
    for three in chars.windows(3) {
        if three[0].is_ascii_alphabetic() && !three[1].is_ascii() && three[2].is_ascii_alphabetic() {
            score -= 30;
        }
    }
    // The commonest characters stand in the first half of the double-byte tables.
    score + level_one(bytes, page.encoding)
}

/// Pairs of bytes in the table's first level, which holds what is written every day.
fn level_one(bytes: &[u8], encoding: &'static Encoding) -> i64 {
    let mut score = 0;
    let mut at = 0;
    while at + 1 < bytes.len() {
        let (lead, trail) = (bytes[at], bytes[at + 1]);
        if lead < 0x80 {
            at += 1;
            continue;
        }
        let good = match encoding {
            e if e == GB18030 => (0xa1..=0xd7).contains(&lead) && trail >= 0xa1,
            e if e == BIG5 => (0xa1..=0xc6).contains(&lead),
            e if e == SHIFT_JIS => (0x81..=0x97).contains(&lead),
            _ => (0xa1..=0xc8).contains(&lead) && trail >= 0xa1,
        };
        score += if good { 1 } else { -3 };
        at += 2;
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(text: &str, encoding: &'static Encoding) -> Decoded {
        decode(&encoding.encode(text).0)
    }

    #[test]
    fn code_pages_of_consoles_are_found() {
        for (text, encoding) in [
            (
                "Microsoft Windows [版本 10.0.18363.836]\r\n'gpustat' 不是内部或外部命令，也不是可运行的程序\r\n",
                GB18030,
            ),
            ("OSError: [WinError 126] 找不到指定的模块。", GB18030),
            (
                "OSError: [WinError 126] 找不到指定的模組。\n'nvcc' 不是內部或外部命令、可執行的程式或批次檔。",
                BIG5,
            ),
            ("[WinError 126] 指定されたモジュールが見つかりません。", SHIFT_JIS),
            ("[WinError 126] 지정된 모듈을 찾을 수 없습니다", EUC_KR),
            ("[WinError 126] Не найден указанный модуль", WINDOWS_1251),
            ("[WinError 126] Das angegebene Modul wurde nicht gefunden für öäü", WINDOWS_1252),
            ("Le module spécifié est introuvable", WINDOWS_1252),
        ] {
            let decoded = back(text, encoding);
            assert_eq!(decoded.text, text, "{} read as {}", name(encoding), decoded.encoding);
        }
    }

    #[test]
    fn utf_16_is_found_with_and_without_its_mark() {
        let text = "NVIDIA-SMI 535.98\r\n错误\r\n";
        let le: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let be: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decode(&le).text, text);
        assert_eq!(decode(&be).text, text);
        assert_eq!(decode(&[&[0xff, 0xfe], le.as_slice()].concat()).text, text);
        assert_eq!(decode(&[&[0xef, 0xbb, 0xbf], text.as_bytes()].concat()).text, text);
    }

    #[test]
    fn lines_in_utf_8_stay_in_a_mixed_log() {
        let mut bytes = "训练开始\n".as_bytes().to_vec();
        bytes.extend_from_slice(&GB18030.encode("[WinError 5] 拒绝访问。\n").0);
        bytes.extend_from_slice("完成\n".as_bytes());
        assert_eq!(decode(&bytes).text, "训练开始\n[WinError 5] 拒绝访问。\n完成\n");
    }

    #[test]
    fn any_bytes_are_a_text() {
        assert_eq!(decode(b"").text, "");
        let _ = decode(&[0xff, 0x00, 0x80, b'\n', 0xc3]);
    }
}
