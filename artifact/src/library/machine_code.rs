//! Constants in functions that do nothing but return or store one. Only exact forms; nothing is decoded beyond them.

/// The constant of a function that only returns one: `mov eax, 7605; ret`. `code` begins with the function.
pub(super) fn returned(machine: &str, code: &[u8]) -> Option<u32> {
    match machine {
        "x86_64" => {
            // endbr64, and a frame that is not used
            let code = code.strip_prefix(&[0xf3, 0x0f, 0x1e, 0xfa]).unwrap_or(code);
            let framed = code.strip_prefix(&[0x55, 0x48, 0x89, 0xe5]);
            let rest = framed.unwrap_or(code).strip_prefix(&[0xb8])?;
            let (number, rest) = rest.split_first_chunk::<4>()?;
            let end: &[u8] = if framed.is_some() { &[0x5d, 0xc3] } else { &[0xc3] };
            rest.starts_with(end).then(|| u32::from_le_bytes(*number))
        }
        "aarch64" => {
            let words = words(code);
            // bti c
            let words = words.strip_prefix(&[0xd503_245f]).unwrap_or(&words);
            let (number, register, rest) = moved(words)?;
            (register == 0 && rest.first() == Some(&RET)).then_some(number)
        }
        _ => None,
    }
}

/// Constants that functions store where their argument points to, and then return zero: `*version = 12040; return 0;`.
pub(super) fn stored(machine: &str, code: &[u8]) -> Vec<u32> {
    match machine {
        "x86_64" => memchr::memmem::find_iter(code, &[0xc7, 0x07])
            .filter_map(|at| {
                let (number, rest) = code.get(at + 2..)?.split_first_chunk::<4>()?;
                // eax is zeroed by one of two encodings, or only its lowest byte is.
                let zeroed = [[0x31, 0xc0], [0x33, 0xc0], [0x30, 0xc0]];
                let rest = zeroed.iter().find_map(|z| rest.strip_prefix(z))?;
                let ends: [&[u8]; 3] = [&[0xc3], &[0xf3, 0xc3], &[0x5d, 0xc3]];
                ends.iter().any(|end| rest.starts_with(end)).then(|| u32::from_le_bytes(*number))
            })
            .collect(),
        "aarch64" => {
            let words = words(code);
            (0..words.len())
                .filter_map(|at| {
                    let (number, register, rest) = moved(words.get(at..)?)?;
                    // mov w0, #0; str w<register>, [x1]; ret. The argument went to x1 before.
                    let [0x5280_0000, store, RET, ..] = *rest else { return None };
                    (register > 1 && store == 0xb900_0020 | register).then_some(number)
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// AArch64's `ret`.
const RET: u32 = 0xd65f_03c0;

fn words(code: &[u8]) -> Vec<u32> {
    code.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect()
}

/// A constant that is moved into a register, in one instruction or two: the constant, the register, what follows.
fn moved(words: &[u32]) -> Option<(u32, u32, &[u32])> {
    let (first, rest) = words.split_first()?;
    // movz, of 32 or 64 bits, not shifted
    if first & 0x7fe0_0000 != 0x5280_0000 {
        return None;
    }
    let register = first & 31;
    let low = first >> 5 & 0xffff;
    match rest.split_first() {
        // movk of the upper half
        Some((second, rest)) if second & 0x7fe0_0000 == 0x72a0_0000 && second & 31 == register => {
            Some(((second >> 5 & 0xffff) << 16 | low, register, rest))
        }
        _ => Some((low, register, rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }

    #[test]
    fn what_is_returned() {
        let plain = [0xb8, 0xb5, 0x1d, 0, 0, 0xc3];
        let prefixed = [&[0xf3, 0x0f, 0x1e, 0xfa][..], &plain].concat();
        let framed = [0x55, 0x48, 0x89, 0xe5, 0xb8, 0xb5, 0x1d, 0, 0, 0x5d, 0xc3];
        for code in [&plain[..], &prefixed, &framed] {
            assert_eq!(returned("x86_64", code), Some(7605), "{code:x?}");
            for end in 0..code.len() {
                assert_eq!(returned("x86_64", &code[..end]), None);
            }
            assert_eq!(returned("aarch64", code), None);
        }
        // It does more than return: xor eax, eax behind it.
        assert_eq!(returned("x86_64", &[0xb8, 0xb5, 0x1d, 0, 0, 0x31, 0xc0, 0xc3]), None);

        // mov w0, #7605; ret. bti c; mov x0, #24001; movk x0, #1, lsl 16; ret.
        assert_eq!(returned("aarch64", &bytes(&[0x5283_b6a0, RET])), Some(7605));
        let long = [0xd503_245f, 0xd280_0000 | 24001 << 5, 0xf2a0_0020, RET];
        assert_eq!(returned("aarch64", &bytes(&long)), Some(89537));
        assert_eq!(returned("aarch64", &bytes(&[0x5283_b6a1, RET])), None);
        assert_eq!(returned("aarch64", &bytes(&[0x5283_b6a0, 0, RET])), None);
        assert_eq!(returned("machine 40", &plain), None);
    }

    /// The functions of CUDA 12.4.127's and 10.2's runtimes and NCCL 2.20.5 that end like this.
    #[test]
    fn what_is_stored() {
        for (code, number) in [
            (&[0x48, 0x85, 0xff, 0x74, 0x0b, 0xc7, 0x07, 0x08, 0x2f, 0, 0, 0x31, 0xc0, 0xc3][..], 12040),
            (&[0x74, 0x0f, 0x31, 0xc0, 0xc7, 0x07, 0x08, 0x2f, 0, 0, 0x31, 0xc0, 0x5d, 0xc3], 12040),
            (&[0x74, 0x08, 0xc7, 0x07, 0x24, 0x27, 0, 0, 0x30, 0xc0, 0xf3, 0xc3], 10020),
            (&[0x48, 0x85, 0xff, 0x74, 0x09, 0xc7, 0x07, 0xf5, 0x55, 0, 0, 0x31, 0xc0, 0xc3, 0xb8, 4], 22005),
        ] {
            assert_eq!(stored("x86_64", code), [number]);
        }
        assert!(stored("x86_64", &[0xc7, 0x07, 0x08, 0x2f, 0, 0, 0x31, 0xc0, 0x48]).is_empty());
        assert!(stored("x86_64", &[0xc7, 0x07, 0x08, 0x2f, 0, 0]).is_empty());
        // cbz x0; mov x1, x0; mov w2, #12040; mov w0, #0; str w2, [x1]; ret
        let arm = [0xb400_00c0, 0xaa00_03e1, 0x5285_e102, 0x5280_0000, 0xb900_0022, RET];
        assert_eq!(stored("aarch64", &bytes(&arm)), [12040]);
        assert!(stored("aarch64", &bytes(&arm[..5])).is_empty());
        let more = [0x5285_e102, 0x5280_0000, 0xb900_0022, 0xf940_0000, RET];
        assert!(stored("aarch64", &bytes(&more)).is_empty());
    }
}
