//! Comparisons as tables for the terminal.

use super::{Collision, Comparison, Table};
use comfy_table::{CellAlignment, Table as Grid, presets};

/// The comparison as text.
#[must_use]
pub fn write(c: &Comparison) -> String {
    let mut out = format!("{} ({}), medians of {}\n", c.machine, c.file, c.repetitions);
    for table in c.tables() {
        out += &format!("\n{}\n{}\n", table.title, grid(&table));
    }
    if let Some((card, collision)) = c.collision() {
        out += &format!("\nFirst collision, at card {card}: one marker, two orbits\n{}\n", pair(collision));
        out += &format!("{}\n", collision.difference);
    }
    out
}

fn grid(table: &Table) -> Grid {
    let mut grid = Grid::new();
    grid.load_style(presets::UTF8_BORDERS_ONLY).set_header(&table.header);
    for row in &table.rows {
        grid.add_row(row);
    }
    for column in grid.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    grid
}

fn pair(collision: &Collision) -> Grid {
    let mut grid = Grid::new();
    grid.load_style(presets::UTF8_BORDERS_ONLY).set_header(["", "first state", "second state"]);
    for (name, a, b) in &collision.rows {
        grid.add_row([name, a, b]);
    }
    grid
}
