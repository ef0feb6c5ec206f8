//! The IR as text (`bsym show --stage ir`).
