//! "Did you mean": the known name nearest to an unknown one.

/// Letters of the shortest name for which a guess is made, and of the shortest guess.
const SHORTEST: usize = 3;

/// The candidate closest to `name`, if it is close enough to be a likely slip of the pen.
///
/// Distance is Levenshtein's, at most a third of the name's length (at least one); ties go to the
/// candidate that comes first. Names of one or two letters are near to everything, so nothing is guessed for them and none of them.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.chars().count() < SHORTEST {
        return None;
    }
    let limit = (name.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().filter(|c| c.chars().count() >= SHORTEST) {
        let d = distance(name, candidate);
        if d <= limit && best.is_none_or(|(b, _)| d < b) {
            best = Some((d, candidate));
        }
    }
    best.map(|(_, c)| c)
}

/// Advice for an unknown name: the nearest of the known ones, if one is near, and all of them; `None` if there are none.
#[must_use]
pub fn listed(name: &str, are: &str, known: &[&str]) -> Option<String> {
    let all = (!known.is_empty()).then(|| format!("{are} {}", known.join(", ")))?;
    let Some(near) = nearest(name, known.iter().copied()) else { return Some(all) };
    let mut letters = all.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    Some(format!("did you mean `{near}`? {first}{}", letters.as_str()))
}

fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let change = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{listed, nearest};

    #[test]
    fn finds_slips_only() {
        assert_eq!(nearest("activ", ["active", "idle"]), Some("active"));
        assert_eq!(nearest("x", ["counter"]), None);
        assert_eq!(nearest("ab", ["ac"]), None);
        assert_eq!(nearest("len", ["en"]), None);
    }

    #[test]
    fn all_known_names_are_listed() {
        assert_eq!(listed("x", "they are", &[]), None);
        assert_eq!(listed("x", "they are", &["one", "two"]).as_deref(), Some("they are one, two"));
        let near = Some("did you mean `two`? They are one, two");
        assert_eq!(listed("twoo", "they are", &["one", "two"]).as_deref(), near);
    }
}
