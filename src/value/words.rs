//! Names inside the text of values.
//!
//! In: B text of a value. Out: the same text with some names replaced; strings stay as they are.

/// Replaces each name for which `new` knows another.
#[must_use]
pub fn rename(text: &str, new: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let mut quoted = false;
    let mut escaped = false;
    for c in text.chars() {
        if !quoted && (c.is_alphanumeric() || c == '_') {
            word.push(c);
            continue;
        }
        flush(&mut word, &mut out, new);
        if c == '"' && !escaped {
            quoted = !quoted;
        }
        escaped = quoted && c == '\\' && !escaped;
        out.push(c);
    }
    flush(&mut word, &mut out, new);
    out
}

fn flush(word: &mut String, out: &mut String, new: &dyn Fn(&str) -> Option<String>) {
    if !word.is_empty() {
        out.push_str(&new(word).unwrap_or_else(|| word.clone()));
        word.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::rename;

    #[test]
    fn names_but_no_strings() {
        let new = |w: &str| (w == "P1").then(|| "P2".to_owned());
        assert_eq!(rename("{(P1|->P11),(\"P1\"|->P1)}", &new), "{(P2|->P11),(\"P1\"|->P2)}");
    }
}
