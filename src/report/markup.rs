//! Text made safe inside XML and HTML. What a page or picture is made of is with each of them.

/// Text made safe between tags and in attributes. Characters that XML cannot have are replaced.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_markup() {
        assert_eq!(escape("<b a=\"1\">&\u{1}\n"), "&lt;b a=&quot;1&quot;&gt;&amp;\u{fffd}\n");
    }
}
