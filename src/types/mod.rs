//! From the flat machine to typed IR: inference, then lowering.
