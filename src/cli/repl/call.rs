//! An operation with arguments, as a line names it.
//!
//! In: `op`, `op(e, f)`, `op(p = e)`, with or without `r <-- ` before it: what traces show may be typed again. Out: its parts
//! as text.

/// An operation with arguments.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Call<'t> {
    /// The operation.
    pub name: &'t str,
    /// Its arguments, with the names of parameters where they are given; `None` if there are no parentheses.
    pub arguments: Option<Vec<(Option<&'t str>, &'t str)>>,
}

/// Reads it; `None` if it has another form.
pub(super) fn read(text: &str) -> Option<Call<'_>> {
    let text = text.split_once("<--").map_or(text, |(_, call)| call).trim();
    let Some((name, rest)) = text.split_once('(') else {
        return Some(Call { name: text, arguments: None });
    };
    let inside = rest.trim_end().strip_suffix(')')?;
    let parts = split(inside)?;
    Some(Call { name: name.trim(), arguments: Some(parts.into_iter().map(argument).collect()) })
}

/// An argument without the name of its parameter.
fn argument(text: &str) -> (Option<&str>, &str) {
    let named = text.split_once('=').filter(|(name, rest)| {
        let name = name.trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        is_name && !name.starts_with(|c: char| c.is_ascii_digit()) && !rest.starts_with(['>', '='])
    });
    match named {
        Some((name, value)) => (Some(name.trim()), value.trim()),
        None => (None, text.trim()),
    }
}

/// The parts between commas that stand in no parentheses and in no string; `None` if these do not match.
fn split(text: &str) -> Option<Vec<&str>> {
    let (mut parts, mut begin, mut depth, mut quoted) = (Vec::new(), 0, 0_u32, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                parts.push(text.get(begin..at)?);
                begin = at + 1;
            }
            _ => {}
        }
    }
    let last = text.get(begin..)?;
    if !parts.is_empty() || !last.trim().is_empty() {
        parts.push(last);
    }
    (depth == 0 && !quoted).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_as_traces_show_them() {
        let call = |text| read(text).map(|c| (c.name, c.arguments));
        assert_eq!(call("inc"), Some(("inc", None)));
        assert_eq!(call("r <-- get()"), Some(("get", Some(vec![]))));
        let arguments = vec![(Some("p"), "{1,2}"), (None, "f(1,2)"), (None, "\"a,)\"")];
        assert_eq!(call("a.op(p = {1,2}, f(1,2),\"a,)\")"), Some(("a.op", Some(arguments))));
        assert_eq!(call("op({1)"), None);
        assert_eq!(call("op(1"), None);
    }
}
