//! The program `kb`. Everything is in the library, so that tests can use the same code.

fn main() -> std::process::ExitCode {
    kb_cli::run(std::env::args_os().collect())
}
