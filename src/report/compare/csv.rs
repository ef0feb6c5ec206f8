//! Comparisons as CSV: one line per cardinality and strategy.

use super::Comparison;

/// The comparison as CSV with a header line.
#[must_use]
pub fn write(c: &Comparison) -> String {
    let mut out = String::from(
        "machine,card,mode,finished,limit,nodes,transitions,seconds,peak_bytes,key_share,verdict,orbits,precision,formulas\n",
    );
    for (i, card) in c.cards.iter().enumerate() {
        let precision = c.precision.get(i).and_then(Option::as_ref);
        for (m, mode) in c.modes.iter().enumerate() {
            let Some(cell) = c.cells.get(i).and_then(|r| r.get(m)) else { continue };
            let (orbits, share) = match precision {
                #[allow(clippy::cast_precision_loss, reason = "a ratio with four decimals")]
                Some(p) if mode == "markers" => {
                    (p.orbits.to_string(), format!("{:.4}", p.markers as f64 / p.orbits.max(1) as f64))
                }
                Some(p) => (p.orbits.to_string(), String::new()),
                None => (String::new(), String::new()),
            };
            let formulas: Vec<String> =
                cell.formulas.iter().map(|f| format!("{}: {}", f.name, f.verdict)).collect();
            let fields = [
                c.machine.clone(),
                card.to_string(),
                mode.clone(),
                cell.finished.to_string(),
                cell.limit.clone().unwrap_or_default(),
                cell.nodes.to_string(),
                cell.transitions.to_string(),
                format!("{:.6}", cell.seconds),
                cell.peak_bytes.to_string(),
                format!("{:.3}", cell.key_share),
                cell.verdict.clone(),
                orbits,
                share,
                formulas.join("; "),
            ];
            out += &fields.map(|f| quote(&f)).join(",");
            out.push('\n');
        }
    }
    out
}

fn quote(field: &str) -> String {
    if field.contains([',', '"', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
