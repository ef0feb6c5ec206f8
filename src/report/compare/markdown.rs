//! Comparisons in Markdown.

use super::Comparison;

/// The comparison in Markdown.
#[must_use]
pub fn write(c: &Comparison) -> String {
    let mut out = format!("# {}\n\n`{}`, medians of {}.\n", c.machine, c.file, c.repetitions);
    for table in c.tables() {
        out += &format!("\n## {}\n\n", table.title);
        out += &line(&table.header);
        out += &format!("|{}\n", "---:|".repeat(table.header.len()));
        table.rows.iter().for_each(|row| out += &line(row));
    }
    if let Some((card, collision)) = c.collision() {
        out += &format!("\n## First collision, at card {card}\n\n");
        out += &line(&["", "first state", "second state"].map(str::to_owned));
        out += "|---|---|---|\n";
        for (name, a, b) in &collision.rows {
            out += &line(&[name.clone(), format!("`{a}`"), format!("`{b}`")]);
        }
        out += &format!("\n{}\n", collision.difference);
    }
    out
}

fn line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|c| c.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}
