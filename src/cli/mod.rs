//! The command line: arguments, commands, exit codes. One file per command.
