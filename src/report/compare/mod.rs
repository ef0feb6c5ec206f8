//! The comparison of strategies on one machine, as data, and its formats: one file per format.
//!
//! Measurements come in finished; formats compute nothing but layout. Times are seconds of exploration,
//! medians over the repetitions.

pub mod csv;
pub mod html;
pub mod json;
pub mod markdown;
pub mod plot;
pub mod text;

use super::FormatOf;

/// One strategy at one cardinality.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// Whether the search finished within its budget.
    pub finished: bool,
    /// What stopped it if not, as "> 60 s" or "> 2 GiB".
    pub limit: Option<String>,
    /// Nodes: states, valuations and the root.
    pub nodes: u64,
    /// Edges of the graph explored.
    pub transitions: u64,
    /// Median seconds.
    pub seconds: f64,
    /// Peak memory in bytes, of the process while this cell ran.
    pub peak_bytes: u64,
    /// Share of the time spent computing keys, from 0 to 1.
    pub key_share: f64,
    /// The verdict of the search.
    pub verdict: String,
    /// What came of temporal formulas.
    pub formulas: Vec<Decided>,
}

/// What came of a temporal formula.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Decided {
    /// Its name, or text.
    pub name: String,
    /// The verdict on it.
    pub verdict: String,
    /// States of the graphs that decided it, and nodes of the products.
    pub states: u64,
    /// See `states`.
    pub product: u64,
}

impl Decided {
    fn is_known(&self) -> bool {
        matches!(self.verdict.as_str(), "holds" | "violated")
    }
}

/// A formula on which strategies differ at one cardinality: (strategy, verdict).
pub struct Difference<'a> {
    /// The formula.
    pub name: &'a str,
    /// The cardinality.
    pub card: u32,
    /// Two verdicts.
    pub verdicts: [(&'a str, &'a str); 2],
}

/// Precision of markers at one cardinality.
#[derive(Clone, Debug)]
pub struct Precision {
    /// Nodes that markers store.
    pub markers: u64,
    /// True orbits (as nodes).
    pub orbits: u64,
    /// The first two states with one marker that are not symmetric.
    pub collision: Option<Collision>,
}

/// Two states with equal markers in different orbits.
#[derive(Clone, Debug, Default)]
pub struct Collision {
    /// (variable or constant, value in the first, value in the second).
    pub rows: Vec<(String, String, String)>,
    /// What tells the two apart, in words.
    pub difference: String,
}

/// A whole comparison.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Machine name.
    pub machine: String,
    /// File.
    pub file: String,
    /// Cardinalities compared, as on the command line.
    pub cards: Vec<u32>,
    /// Strategy names in the order asked for.
    pub modes: Vec<String>,
    /// `cells[card][mode]`.
    pub cells: Vec<Vec<Cell>>,
    /// Precision of markers, per cardinality, where both markers and orbits are known.
    pub precision: Vec<Option<Precision>>,
    /// Growth of nodes per element of card, per mode: the base b of nodes ~ a*b^card, least squares on
    /// logarithms, from three sizes on.
    pub growth: Vec<Option<f64>>,
    /// Repetitions behind each median.
    pub repetitions: u32,
}

/// All formats.
pub const FORMATS: &[FormatOf<Comparison>] = &[
    FormatOf { name: "text", help: "tables for the terminal", write: text::write },
    FormatOf { name: "markdown", help: "the same tables in Markdown", write: markdown::write },
    FormatOf { name: "csv", help: "one line per cardinality and strategy", write: csv::write },
    FormatOf { name: "json", help: "everything, schema bsym.compare/1", write: json::write },
    FormatOf { name: "html", help: "a page with plots that needs no network", write: html::write },
];

impl Comparison {
    /// The cell of a strategy by name at the `i`th cardinality.
    #[must_use]
    pub fn cell(&self, i: usize, mode: &str) -> Option<&Cell> {
        let m = self.modes.iter().position(|x| x == mode)?;
        self.cells.get(i)?.get(m)
    }

    /// How many times faster than `base` the strategy is, where both finished.
    #[must_use]
    pub fn speed_up(&self, i: usize, mode: &str, base: &str) -> Option<f64> {
        let (a, b) = (self.cell(i, mode)?, self.cell(i, base)?);
        (a.finished && b.finished && a.seconds > 0.0 && mode != base).then(|| b.seconds / a.seconds)
    }

    /// The tables all text formats share: title, header and rows.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        let mut tables = vec![
            self.table("Nodes", |_, _, c| c.nodes.to_string()),
            self.table("Time (s)", |_, _, c| format!("{:.4}", c.seconds)),
        ];
        for base in ["off", "flood"] {
            if self.modes.iter().any(|m| m == base) && self.modes.len() > 1 {
                tables.push(self.table(&format!("Speed-up over {base}"), |i, m, _| {
                    self.speed_up(i, m, base).map_or_else(|| "-".into(), |x| format!("{x:.2}"))
                }));
            }
        }
        tables.push(self.table("Nodes per second", |_, _, c| rate(c)));
        tables.push(self.table("Time spent on keys (%)", |_, _, c| format!("{:.0}", 100.0 * c.key_share)));
        #[allow(clippy::cast_precision_loss, reason = "shown in MiB with one decimal")]
        tables.push(
            self.table("Peak memory (MiB)", |_, _, c| format!("{:.1}", c.peak_bytes as f64 / 1_048_576.0)),
        );
        tables.extend(self.formula_tables());
        tables.extend(self.precision_table());
        tables
    }

    /// A table for each temporal formula, and one of those on which strategies differ.
    fn formula_tables(&self) -> Vec<Table> {
        let formulas = self.cells.iter().flatten().map(|c| &c.formulas).max_by_key(|f| f.len());
        let each = formulas.into_iter().flatten().enumerate();
        let mut tables: Vec<Table> = each
            .map(|(n, f)| {
                self.table(&format!("Formula {}", f.name), |_, _, c| {
                    c.formulas.get(n).map_or_else(|| "-".into(), |f| f.verdict.clone())
                })
            })
            .collect();
        let header = ["card", "formula", "strategy", "verdict", "strategy", "verdict"].map(str::to_owned);
        let row = |d: Difference<'_>| {
            let [a, b] = d.verdicts;
            [&d.card.to_string(), d.name, a.0, a.1, b.0, b.1].map(str::to_owned).to_vec()
        };
        let rows: Vec<Vec<String>> = self.differences().into_iter().map(row).collect();
        if !rows.is_empty() {
            let title = "Strategies differ on formulas: a bug in bsym".to_owned();
            tables.push(Table { title, header: header.to_vec(), rows });
        }
        tables
    }

    /// Where one strategy says that a formula holds and another one that it does not.
    #[must_use]
    pub fn differences(&self) -> Vec<Difference<'_>> {
        let mut out = Vec::new();
        for (card, row) in self.cards.iter().zip(&self.cells) {
            // By formula the first verdict that is known.
            let mut first: Vec<(&str, &str, &str)> = Vec::new();
            for (mode, cell) in self.modes.iter().zip(row) {
                for f in cell.formulas.iter().filter(|f| f.is_known()) {
                    match first.iter().find(|(name, ..)| *name == f.name) {
                        None => first.push((&f.name, mode, &f.verdict)),
                        Some((_, _, verdict)) if *verdict == f.verdict => {}
                        Some((name, other, verdict)) => {
                            let verdicts = [(*other, *verdict), (mode.as_str(), f.verdict.as_str())];
                            out.push(Difference { name, card: *card, verdicts });
                        }
                    }
                }
            }
        }
        out
    }

    fn table(&self, title: &str, show: impl Fn(usize, &str, &Cell) -> String) -> Table {
        let header = std::iter::once("card".to_owned()).chain(self.modes.iter().cloned()).collect();
        let mut rows = Vec::new();
        for (i, card) in self.cards.iter().enumerate() {
            let mut row = vec![card.to_string()];
            for (m, mode) in self.modes.iter().enumerate() {
                row.push(match self.cells.get(i).and_then(|r| r.get(m)) {
                    Some(c) if c.finished => show(i, mode, c),
                    Some(c) => c.limit.clone().unwrap_or_else(|| "stopped".into()),
                    None => "-".into(),
                });
            }
            rows.push(row);
        }
        if title == "Nodes" && self.growth.iter().any(Option::is_some) {
            let mut row = vec!["growth per element".to_owned()];
            row.extend(self.growth.iter().map(|g| g.map_or_else(|| "-".into(), |b| format!("x{b:.2}"))));
            rows.push(row);
        }
        Table { title: title.to_owned(), header, rows }
    }

    fn precision_table(&self) -> Option<Table> {
        let rows: Vec<Vec<String>> = self
            .cards
            .iter()
            .zip(&self.precision)
            .filter_map(|(card, p)| {
                let p = p.as_ref()?;
                #[allow(clippy::cast_precision_loss, reason = "a percentage with one decimal")]
                let percent = 100.0 * p.markers as f64 / p.orbits.max(1) as f64;
                Some(vec![
                    card.to_string(),
                    p.markers.to_string(),
                    p.orbits.to_string(),
                    p.orbits.saturating_sub(p.markers).to_string(),
                    format!("{percent:.1}%"),
                ])
            })
            .collect();
        let header = ["card", "markers", "orbits", "missed", "precision"].map(str::to_owned).to_vec();
        (!rows.is_empty()).then(|| Table { title: "Precision of markers (nodes)".into(), header, rows })
    }

    /// The first collision found, with its cardinality.
    #[must_use]
    pub fn collision(&self) -> Option<(u32, &Collision)> {
        self.cards
            .iter()
            .zip(&self.precision)
            .find_map(|(card, p)| Some((*card, p.as_ref()?.collision.as_ref()?)))
    }
}

/// A titled table of text.
#[derive(Clone, Debug)]
pub struct Table {
    /// Title.
    pub title: String,
    /// Column heads.
    pub header: Vec<String>,
    /// Rows as wide as the header.
    pub rows: Vec<Vec<String>>,
}

fn rate(c: &Cell) -> String {
    #[allow(clippy::cast_precision_loss, reason = "shown as a whole number")]
    let per_second = c.nodes as f64 / c.seconds.max(1e-9);
    format!("{per_second:.0}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_that_differ_on_a_formula_are_named() {
        let cell = |verdict: &str| {
            let formula = Decided { name: "f".to_owned(), verdict: verdict.to_owned(), ..Decided::default() };
            Cell { finished: true, formulas: vec![formula], ..Cell::default() }
        };
        let compared = |verdicts: [&str; 3]| Comparison {
            cards: vec![4],
            modes: ["off", "markers", "exact"].map(str::to_owned).to_vec(),
            cells: vec![verdicts.map(cell).to_vec()],
            ..Comparison::default()
        };
        assert!(compared(["holds", "undecided", "holds"]).differences().is_empty());
        let c = compared(["holds", "undecided", "violated"]);
        let all = c.differences();
        let found: Vec<_> = all.iter().map(|d| (d.card, d.name, d.verdicts)).collect();
        assert_eq!(found, [(4, "f", [("off", "holds"), ("exact", "violated")])]);
        assert!(c.tables().iter().any(|t| t.title.starts_with("Strategies differ")));
    }
}
