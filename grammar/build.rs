//! Generates the parser from `grammar/b.lalrpop` into `OUT_DIR`.

fn main() {
    lalrpop::Configuration::new()
        .set_in_dir("grammar")
        .emit_rerun_directives(true)
        .process()
        .expect("grammar/b.lalrpop must generate");
}
