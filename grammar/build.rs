//! Generates the parsers from `grammar/*.lalrpop` into `OUT_DIR`, and says how programs are linked.
//!
//! On Linux a program has its place in memory from the linker: tables of addresses are then pages of the file that processes share,
//! where a program that may lie anywhere writes 70 of them anew each time it starts, which was a tenth of a small run.

fn main() {
    let is = |variable: &str, value: &str| std::env::var(variable).is_ok_and(|v| v == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
    lalrpop::Configuration::new()
        .set_in_dir("grammar")
        .emit_rerun_directives(true)
        .process()
        .expect("the grammars must generate");
}
