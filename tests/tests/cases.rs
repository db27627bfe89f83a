//! Every case says what it said when it was last read. `KB_BLESS=1` rewrites them; read them before you commit.

#[test]
fn cases() {
    let bless = std::env::var_os("KB_BLESS").is_some_and(|v| v == "1");
    let (count, wrong) = kb_tests::cases::differing(bless).expect("the program is built");
    assert!(count > 0, "no case was found");
    assert!(
        wrong.is_empty(),
        "{} of {count} cases differ (KB_BLESS=1 rewrites them)\n\n{}\n",
        wrong.len(),
        wrong.join("\n\n")
    );
}
