//! What the words of a text are.

use kb_search::tokens::{Word, leads, name_key, words};

/// Words with their parts and joints: `whole[part part]{joint}`.
fn shown(text: &str) -> String {
    let one = |word: Word| {
        let mut out = word.text;
        if !word.parts.is_empty() {
            out += &format!("[{}]", word.parts.join(" "));
        }
        if !word.joints.is_empty() {
            out += &format!("{{{}}}", word.joints.join(" "));
        }
        out
    };
    words(text).into_iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_version_is_one_word() {
    assert_eq!(shown("2.4.1"), "2.4.1");
    assert_eq!(shown("12.4, 550.54.15."), "12.4 550.54.15");
    assert_eq!(shown("2.4.0rc1 2.0.dev20240101"), "2.4.0rc1 2.0.dev20240101");
    assert_eq!(shown("v2.4.1"), "v2.4.1[2.4.1]");
}

#[test]
fn names_are_whole_and_in_parts() {
    assert_eq!(shown("sm_90a"), "sm_90a[sm 90a]{sm90a}");
    assert_eq!(shown("libcudnn.so.8"), "libcudnn.so.8[libcudnn so]");
    assert_eq!(shown("cu124"), "cu124[cu]");
    assert_eq!(
        shown("torch==2.5.1+cu124"),
        "torch==2.5.1+cu124[2.5.1+cu124 torch 2.5.1 cu124 cu]{torch2.5.1}"
    );
    assert_eq!(
        shown("CUDNN_STATUS_NOT_INITIALIZED"),
        "cudnn_status_not_initialized[cudnn status not initialized]"
    );
    assert_eq!(shown("nvidia-cudnn-cu12"), "nvidia-cudnn-cu12[nvidia cudnn cu12 cu]");
}

#[test]
fn signs_at_the_edges_belong_to_no_word() {
    assert_eq!(shown("(torch>=2.4) __init__.py --gpus=all"), "torch 2.4 init py gpus all");
    assert_eq!(shown("end. C++ ..."), "end c");
}

#[test]
fn letters_and_the_number_behind_them_are_joined() {
    assert_eq!(shown("RTX3090"), "rtx3090[rtx 3090]");
    assert_eq!(shown("rtx 3090 Ti"), "rtx 3090{rtx3090} ti{3090ti}");
    assert_eq!(shown("RTX-3090"), "rtx-3090[rtx 3090]{rtx3090}");
    assert_eq!(shown("CUDA: 12.4"), "cuda 12.4{cuda12.4}");
    assert_eq!(shown("CUDA. 12.4"), "cuda 12.4", "another sentence");
    assert_eq!(shown("CUDA\n12.4"), "cuda 12.4", "another line");
}

#[test]
fn chinese_is_pairs_of_characters() {
    assert_eq!(shown("显存不足"), "显存 存不 不足");
    assert_eq!(shown("卡"), "卡");
    assert_eq!(shown("安装CUDA 12.4驱动"), "安装 cuda 12.4{cuda12.4} 驱动");
    assert_eq!(shown("ドライバー"), "ドラ ライ イバ バー");
    assert_eq!(shown("드라이버"), "드라 라이 이버");
    assert_eq!(shown("显存，不足"), "显存 不足", "a comma parts them");
}

#[test]
fn full_width_letters_are_letters() {
    assert_eq!(shown("ＣＵＤＡ　１２．４"), "cuda 12.4");
}

#[test]
fn what_is_too_long_is_known_by_its_parts() {
    let name = format!("{}_{}", "a".repeat(40), "b".repeat(40));
    let found = words(&name);
    assert_eq!(found[0].text, "");
    assert_eq!(found[0].parts.len(), 2);
    assert_eq!(words(&"x".repeat(100_000)), [Word::default()]);
}

#[test]
fn names_that_people_take_for_the_same_have_one_key() {
    for same in [&["RTX 3090", "rtx-3090", "RTX3090"][..], &["torch 2.5.1", "torch==2.5.1", "Torch-2.5.1"]] {
        same.iter().for_each(|name| assert_eq!(name_key(name), name_key(same[0]), "{name}"));
    }
    for (one, other) in
        [("12.4", "124"), ("CUDA 12.1", "CUDA 12.2"), ("12 4", "12.4"), ("CUDA 1 2", "CUDA 12")]
    {
        assert_ne!(name_key(one), name_key(other), "{one} is not {other}");
    }
    assert_eq!(name_key("显存不足!"), "显存不足");
}

#[test]
fn a_version_leads_to_shorter_ones() {
    let all = |word: &'static str| leads(word).collect::<Vec<_>>();
    assert_eq!(all("12.4.1"), ["12.4"]);
    assert_eq!(all("550.54.15"), ["550.54", "550"]);
    assert_eq!(all("libcudnn.so.8.9"), ["libcudnn.so.8"]);
    assert_eq!(all("12.4"), Vec::<&str>::new());
    assert_eq!(all("torch.cuda"), Vec::<&str>::new());
}
