//! What is private goes, what a diagnosis needs stays.

use super::Redactor;
use kb_core::kb::Kb;
use kb_core::record::Signature;
use proptest::prelude::*;

fn kb() -> Kb {
    let signature = Signature { needles: vec!["the driver will fail".into()], ..Signature::default() };
    Kb { signatures: vec![signature], ..Kb::default() }
}

fn redacted(text: &str) -> String {
    Redactor::new(&kb()).text(text)
}

#[test]
fn names_go() {
    for (text, wanted) in [
        (r"C:\Users\Zoe\AppData", r"C:\Users\user1\AppData"),
        (r"C:\Users\Zoe Quist\.conda\envs", r"C:\Users\user1\.conda\envs"),
        (r"PS C:\Users\Zoe Quist> pip list", r"PS C:\Users\user1> pip list"),
        (r"in C:\Users\zoe and D:\x", r"in C:\Users\user1 and D:\x"),
        (r#""C:\\Users\\zoe\\x.py""#, r#""C:\\Users\\user1\\x.py""#),
        ("/mnt/c/Users/zoe/x /Users/zoe/y", "/mnt/c/Users/user1/x /Users/user1/y"),
        ("/home/张三/x: 张三的目录", "/home/user1/x: user1的目录"),
        (r"\\wsl$\Ubuntu\home\zoe\x", r"\\wsl$\Ubuntu\home\user1\x"),
        (r"\\fileserver7\share\x", r"\\host1\share\x"),
        ("(base) zoe@quistbox:~/x$ zoe", "(base) user1@host1:~/x$ user1"),
        ("[zoe@quistbox x]$ ls", "[user1@host1 x]$ ls"),
        ("zoe@Quists-MacBook-Pro ~ % ls", "user1@host1 ~ % ls"),
        ("┌──(zoe㉿quistbox)-[~]", "┌──(user1㉿host1)-[~]"),
        ("root@quistbox:/app# ls", "root@host1:/app# ls"),
        ("user@host:~$ ls", "user@host:~$ ls"),
        (
            "Linux quistbox 5.15.0-91-generic #101-Ubuntu SMP x86_64 GNU/Linux",
            "Linux host1 5.15.0-91-generic #101-Ubuntu SMP x86_64 GNU/Linux",
        ),
        (
            "uname_result(system='Linux', node='quistbox', release='5.15')",
            "uname_result(system='Linux', node='host1', release='5.15')",
        ),
        ("Mar 06 15:10:21 quistbox kernel: NVRM: Xid", "Mar 06 15:10:21 host1 kernel: NVRM: Xid"),
        (
            "2026-03-06T15:10:21.5+00:00 quistbox kernel: NVRM",
            "2026-03-06T15:10:21.5+00:00 host1 kernel: NVRM",
        ),
        ("gpu17.quist.lan:123:456 [0] NCCL INFO x", "host1:123:456 [0] NCCL INFO x"),
        ("Host Name:   QUIST-PC", "Host Name:   host1"),
        ("-rw-r--r-- 1 zoe quists 12 Mar 1 x.so", "-rw-r--r-- 1 user1 user2 12 Mar 1 x.so"),
        ("write to zoe.quist@quist.example.org.", "write to mail1@example.com."),
        ("USER=zoe\nzoe x", "USER=user1\nuser1 x"),
    ] {
        assert_eq!(redacted(text), wanted);
    }
}

#[test]
fn addresses_and_secrets_go() {
    for (text, wanted) in [
        ("inet 10.0.1.6/24 brd", "inet 192.0.2.1/24 brd"),
        ("tcp://10.0.1.6:29500 and 10.0.1.6", "tcp://192.0.2.1:29500 and 192.0.2.1"),
        ("Using eth0:10.0.1.6<0>", "Using eth0:192.0.2.1<0>"),
        ("from 192.168.7.9.", "from 192.0.2.1."),
        ("addr fe80::1ff:fe23:4567:890a up", "addr 2001:db8::1 up"),
        ("ether 3c:ec:ef:12:34:56 x", "ether 00:00:5e:00:53:01 x"),
        ("https://zoe:secret@pypi.example.org/simple", "https://credentials1@pypi.example.org/simple"),
        (
            "GPU 0: Tesla T4 (UUID: GPU-6f1c2d3e-aaaa-bbbb-cccc-0123456789ab)",
            "GPU 0: Tesla T4 (UUID: GPU-00000000-0000-0000-0000-000000000001)",
        ),
        (
            "MIG-GPU-6f1c2d3e-aaaa-bbbb-cccc-0123456789ab/1/0",
            "MIG-GPU-00000000-0000-0000-0000-000000000001/1/0",
        ),
        ("    Serial Number             : 1563221001873", "    Serial Number             : serial1"),
        ("<serial>1563221001873</serial>", "<serial>serial1</serial>"),
        ("export HF_TOKEN=hf_AbCdEfGhIjKlMnOpQrStUvWx", "export HF_TOKEN=token1"),
        ("Authorization: Bearer abcdef0123456789", "Authorization: Bearer token1"),
        ("password: hunter22", "password: token1"),
        ("api_key = 'a8Kd93Lq02xMz71PqT5w'", "api_key = 'token1'"),
        ("wandb: using 0123456789abcdef0123456789abcdef01234567", "wandb: using token1"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA1234567890\n-----END RSA PRIVATE KEY-----",
            "-----BEGIN RSA PRIVATE KEY-----\ntoken1\n-----END RSA PRIVATE KEY-----",
        ),
    ] {
        assert_eq!(redacted(text), wanted);
    }
}

#[test]
fn what_a_variable_names_secret_goes_whatever_it_is() {
    for (text, wanted) in [
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfi", "AWS_SECRET_ACCESS_KEY=token1"),
        ("AWS_ACCESS_KEY_ID=someid", "AWS_ACCESS_KEY_ID=token1"),
        ("export WANDB_API_KEY=swordfish", "export WANDB_API_KEY=token1"),
        ("declare -x HF_TOKEN=\"open sesame\"", "declare -x HF_TOKEN=\"token1\""),
        ("set OPENAI_API_KEY=test", "set OPENAI_API_KEY=token1"),
        ("HF_TOKEN=a,b;c python train.py", "HF_TOKEN=token1 python train.py"),
        ("docker run -e HF_TOKEN=abcd -it x", "docker run -e HF_TOKEN=token1 -it x"),
        ("docker run --env=HF_TOKEN=abcd x", "docker run --env=HF_TOKEN=token1 x"),
        ("ENV HF_TOKEN abcd", "ENV HF_TOKEN token1"),
        ("set -gx HF_TOKEN abcd", "set -gx HF_TOKEN token1"),
        ("$env:HF_TOKEN = 'abcd'", "$env:HF_TOKEN = 'token1'"),
        ("HF_TOKEN                       abcd", "HF_TOKEN                       token1"),
        ("HF_TOKEN                     : abcd", "HF_TOKEN                     : token1"),
        ("os.environ[\"HF_TOKEN\"] = \"abcd\"", "os.environ[\"HF_TOKEN\"] = \"token1\""),
        ("{\"api_key\": \"ab\\\"cd\", \"n\": 1}", "{\"api_key\": \"token1\", \"n\": 1}"),
        ("environ({'MY_CREDENTIALS': 'abcd', 'N': '1'})", "environ({'MY_CREDENTIALS': 'token1', 'N': '1'})"),
        (r#"{\"GITHUB_TOKEN\":\"abcd\"}"#, r#"{\"GITHUB_TOKEN\":\"token1\"}"#),
        ("  db_password: abcd/ef", "  db_password: token1"),
        ("aws_secret_access_key = ab+cd/ef", "aws_secret_access_key = token1"),
        ("token: abcd", "token: token1"),
        ("\"accessToken\": \"abcd\"", "\"accessToken\": \"token1\""),
        ("x AccountKey=abcd==;Endpoint=y", "x AccountKey=token1;Endpoint=y"),
        ("GET /x?access_token=abcd&y=1", "GET /x?access_token=token1&y=1"),
        ("kb --wandb-api-key abcd x", "kb --wandb-api-key token1 x"),
        ("- name: HF_TOKEN\n  value: abcd", "- name: HF_TOKEN\n  value: token1"),
        ("{\"name\": \"HF_TOKEN\", \"value\": \"abcd\"}", "{\"name\": \"HF_TOKEN\", \"value\": \"token1\"}"),
        ("my_key_prod: abcd", "my_key_prod: token1"),
        ("password: correct horse battery\ncorrect", "password: token1\ncorrect"),
        ("<add key=\"ApiKey\" value=\"abcd\" />", "<add key=\"ApiKey\" value=\"token1\" />"),
        ("machine x login zoe password abcd", "machine x login zoe password token1"),
        ("Serial 1563221004455", "Serial serial1"),
        ("the serial number is 1563221004455.", "the serial number is serial1."),
        ("| Serial | 1563221004455 |", "| Serial | serial1 |"),
        ("序列号 1563221004455", "序列号 serial1"),
    ] {
        assert_eq!(redacted(text), wanted);
        assert_eq!(redacted(wanted), wanted);
    }
}

#[test]
fn the_domain_of_a_machine_goes_with_it() {
    for (text, wanted) in [
        ("zoe@node7:~$ x\nnode7.hpc.acme-corp.de is down", "user1@host1:~$ x\nhost1 is down"),
        (
            "zoe@node7.hpc.acme-corp.de:~$ x\non node7, node8.hpc.acme-corp.de and www.acme-corp.de.",
            "user1@host1:~$ x\non host1, host2 and host3.",
        ),
        (
            "Mar 06 15:10:21 box7.acme.co.uk kernel: x\nnews.co.uk",
            "Mar 06 15:10:21 host1 kernel: x\nnews.co.uk",
        ),
        ("ssh zoe@box7.quist.lan.\nbox7.log box7", "ssh user1@host1.\nhost1.log host1"),
        (
            "zoe@node7.acme-corp.de:~$ pip install -i https://download.pytorch.org/whl/cu124 torch",
            "user1@host1:~$ pip install -i https://download.pytorch.org/whl/cu124 torch",
        ),
    ] {
        assert_eq!(redacted(text), wanted);
    }
    for text in ["ssh git@github.com", "hostname: pypi.org", "https://files.pythonhosted.org/x"] {
        assert_eq!(redacted(text), text);
    }
}

#[test]
fn what_a_diagnosis_needs_stays() {
    for text in [
        "nvidia-cudnn-cu12        9.1.0.70",
        "nvidia-curand-cu12==10.3.5.147",
        "Successfully installed nvidia-cublas-cu12-12.4.5.8 torch-2.5.1",
        "TensorRT 10.0.1.6, cuDNN 8.9.7.29",
        "Driver Version: 535.104.05   CUDA Version: 12.2",
        "DriverVersion : 31.0.15.3623",
        "|   0  NVIDIA GeForce RTX 3090        Off | 00000000:01:00.0  On |",
        "0000:65:00.0 VGA compatible controller",
        "/usr/local/cuda-12.1/lib64/libcudnn.so.8.9.7",
        "/usr/lib/wsl/lib/libcuda.so.1",
        "2026-03-06 15:10:21.123456: I tensorflow/core/util/port.cc:153] oneDNN",
        "2024-05-01 10:00:00,123 INFO root: started",
        "c10::cuda::add(c10::Stream) at::native::x",
        "torch 2.1.0 @ file:///tmp/torch",
        "git clone git@github.com:owner/repository.git",
        "pkg@1.2.3 node@18.0.0",
        "KeyError: 'transformer.h.0.attn.c_attn.weight'",
        "Unexpected key(s) in state_dict: \"module.conv1.weight\"",
        "pad_token: <|endoftext|>, max_tokens=2048",
        "PWD=/usr/src/app",
        "variable TOKENIZERS_PARALLELISM=(true | false)",
        "eos_token=</s> MAX_NUM_BATCHED_TOKENS=8192 num_tokens: 17",
        "    key_states = repeat_kv(key_states, self.num_key_value_groups)",
        "    token = get_token(path)  api_key=os.environ[x], sorted(x, key=lambda y: y)",
        "ValueError: unknown token: foo",
        "key_dim = dim image_token_index: 32000, n_key_groups=8",
        "the flux capacitor token: error",
        "HF_TOKEN=$HF_TOKEN python x.py",
        "serial 8250 port, serial8250: ttyS0",
        "docker pull nvcr.io/nvidia/pytorch@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "127.0.0.1:8888 and 0.0.0.0:80 and ::1",
        "the driver will fail",
        "/home/user/x C:\\Users\\user\\x user1 host2",
        "nvidia-persistenced.service systemd: user@1000.service",
        "libcublas.so.12: cannot open shared object file",
    ] {
        assert_eq!(redacted(text), text);
    }
}

#[test]
fn a_name_that_is_a_word_goes_only_where_it_is_a_name() {
    assert_eq!(redacted("/home/will/x\nthe driver will fail"), "/home/user1/x\nthe driver will fail");
}

#[test]
fn one_value_has_one_placeholder() {
    let text = "/home/zoe/a /home/ken/b\nzoe@box7:~$ ken\nMar 06 15:10:21 box7 kernel: Zoe";
    let wanted = "/home/user1/a /home/user2/b\nuser1@host1:~$ user2\nMar 06 15:10:21 host1 kernel: user1";
    assert_eq!(redacted(text), wanted);
}

/// Texts in which something private stands, and what it is.
fn secret() -> impl Strategy<Value = (String, String)> {
    let name = "[a-z]{4,9}q[xz][a-z]{2,4}";
    prop_oneof![
        name.prop_map(|n| (format!("File \"/home/{n}/.local/lib/python3.10/x.py\""), n)),
        name.prop_map(|n| (format!(r"C:\Users\{n}\AppData\Local"), n)),
        name.prop_map(|n| (format!("/Users/{n}/miniconda3/bin/python"), n)),
        name.prop_map(|n| (format!("(env) {n}@host:~$ python x.py"), n)),
        name.prop_map(|n| (format!("root@{n}:/workspace# nvidia-smi"), n)),
        name.prop_map(|n| (format!("Linux {n} 6.5.0-14-generic #14-Ubuntu SMP"), n)),
        name.prop_map(|n| (format!("Mar 06 15:10:21 {n} kernel: NVRM: Xid 79"), n)),
        name.prop_map(|n| (format!("mail {n}@{n}.org"), format!("{n}@{n}.org"))),
        "[A-Za-z0-9]{20,36}".prop_map(|n| (format!("token hf_{n} x"), format!("hf_{n}"))),
        "[A-Za-z0-9]{24,36}".prop_map(|n| (format!("x ghp_{n}"), format!("ghp_{n}"))),
        "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f1-9]{12}"
            .prop_map(|n| (format!("(UUID: GPU-{n})"), n)),
        "[1-9][0-9]{12}".prop_map(|n| (format!("Serial Number : {n}"), n)),
        (60_u8..120, 1_u8..255, 1_u8..255).prop_map(|(a, b, c)| {
            let n = format!("{a}.{b}.{c}.77");
            (format!("connected to {n}:443"), n)
        }),
        "[a-f1-9]{2}(:[a-f1-9]{2}){5}".prop_map(|n| (format!("link/ether {n} brd"), n)),
        "[a-z]{6,10}[0-9]{2}".prop_map(|n| (format!("https://{n}:x@host/simple"), format!("{n}:x"))),
    ]
}

proptest! {
    #[test]
    fn no_secret_survives(
        secrets in proptest::collection::vec(secret(), 1..6),
        noise in proptest::collection::vec("[ -~]{0,40}", 0..6),
    ) {
        let mut lines = Vec::new();
        for (index, (line, _)) in secrets.iter().enumerate() {
            lines.extend(noise.get(index).cloned());
            lines.push(line.clone());
        }
        // A name stands elsewhere too.
        lines.extend(secrets.iter().map(|(_, secret)| format!("again {secret}, and")));
        let out = redacted(&lines.join("\n")).to_lowercase();
        for (line, secret) in &secrets {
            prop_assert!(!out.contains(&secret.to_lowercase()), "{secret} of {line} is in\n{out}");
        }
    }

    #[test]
    fn any_text_can_be_redacted_twice(text in "(\\PC|[/\\\\@:.\n\t =]|/home/|Users\\\\|://){0,200}") {
        let once = redacted(&text);
        let _ = redacted(&once);
        prop_assert_eq!(once.lines().count(), text.lines().count());
    }
}

/// Ten times the text takes about ten times as long.
#[test]
fn the_time_goes_with_the_length() {
    let line = r"zoe@box:~$ C:\Users\Zoe Quist\x /home/zoe/y 10.1.2.3:80 aa:bb:cc:dd:ee:ff key=aaaaaaaaaaaaaaaaaaaaaa @@@@ ";
    let time = |count: usize| {
        let text = line.repeat(count);
        let start = std::time::Instant::now();
        let mut redactor = Redactor::new(&kb());
        assert!(!redactor.text(&text).contains("quist"));
        start.elapsed().as_secs_f64()
    };
    time(10);
    let (short, long) = (time(100), time(1000));
    assert!(long < short * 40.0 + 0.5, "{short} s, then {long} s");
}
