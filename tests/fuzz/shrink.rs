//! A failing text made smaller.
//!
//! In: a text, who says whether it still fails. Out: one without what can be left out. Words are taken out, many at once at first.

use super::words::words;

/// Most attempts.
const ATTEMPTS: usize = 3000;

/// A smaller text that fails.
pub(crate) fn shrunk(text: &[u8], fails: &mut dyn FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut best: Vec<Vec<u8>> =
        words(text).into_iter().filter_map(|w| text.get(w.at)).map(<[u8]>::to_vec).collect();
    let mut size = best.len().div_ceil(2).max(1);
    let mut left = ATTEMPTS;
    loop {
        let before = best.len();
        let mut at = 0;
        while at < best.len() && left > 0 {
            left -= 1;
            let end = (at + size).min(best.len());
            let mut fewer = best.clone();
            fewer.drain(at..end);
            if fails(&fewer.concat()) {
                best = fewer;
            } else {
                at = end;
            }
        }
        if left == 0 || size == 1 && best.len() == before {
            return best.concat();
        }
        size = if best.len() == before { size.div_ceil(2).min(size - 1).max(1) } else { size };
    }
}
