//! The `bsym` command. Everything it does is in the library; see `bsym --help`.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    bsym::cli::main()
}
