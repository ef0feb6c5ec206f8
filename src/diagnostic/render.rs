//! Diagnostics as text, with the source underlined (annotate-snippets).
