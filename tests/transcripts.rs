//! Golden transcripts of the command line: messages and exit codes, one file a behaviour.
//! `TRYCMD=overwrite cargo test --test transcripts` writes them anew.

#[test]
fn transcripts() {
    trycmd::TestCases::new()
        .env("COLUMNS", "80")
        .case("tests/cmd/*.trycmd");
}
