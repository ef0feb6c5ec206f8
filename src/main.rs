//! The `bsym` command. Everything it does is in the library; see `bsym --help`.

#[path = "main/allocator.rs"]
mod allocator;
#[path = "main/leave.rs"]
mod leave;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

fn main() -> std::process::ExitCode {
    bsym::cli::main(leave::leave)
}
