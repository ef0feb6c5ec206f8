//! Files of temporal formulas (`-ltlfile`).
//!
//! In: a file: `[name]` begins a formula, which may go on over several lines, `#` a comment; without names each line is one. Out: the formulas.

use std::path::Path;

/// The formulas of a file.
///
/// # Errors
/// It cannot be read, or has none.
pub(super) fn read(path: &Path) -> Result<Vec<String>, String> {
    let name = path.display();
    let text = crate::source::read_text(path).map_err(|e| format!("`{name}` cannot be read: {e}"))?;
    let all = formulas(&text);
    if all.is_empty() { Err(format!("there is no formula in `{name}`")) } else { Ok(all) }
}

fn formulas(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    let mut out: Vec<String> = Vec::new();
    let mut named = false;
    for line in lines {
        if is_name(line) {
            named = true;
            out.push(String::new());
        } else if let Some(formula) = out.last_mut().filter(|_| named) {
            if !formula.is_empty() {
                formula.push(' ');
            }
            formula.push_str(line);
        } else {
            out.push(line.to_owned());
        }
    }
    out.retain(|f| !f.is_empty());
    out
}

/// `[name]`, and not `[operation]`, which may be a formula, or the beginning of one, after another name.
fn is_name(line: &str) -> bool {
    let inside = line.strip_prefix('[').and_then(|l| l.strip_suffix(']'));
    inside.is_some_and(|name| !name.contains(['[', ']']))
}

#[cfg(test)]
mod tests {
    use super::formulas;

    #[test]
    fn names_begin_formulas() {
        let text = "# two\n[safe]\nG {x < 3}\n\n[lives]\nG F\n  [up]\n";
        // What stands alone in brackets is a name.
        assert_eq!(formulas(text), ["G {x < 3}", "G F"]);
        assert_eq!(formulas("G {x < 3}\nF {x = 1}\n"), ["G {x < 3}", "F {x = 1}"]);
        assert_eq!(formulas("[lives]\nG F [up]\n"), ["G F [up]"]);
    }
}
