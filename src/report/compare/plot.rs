//! A plot as SVG: cardinality against a quantity on a logarithmic axis, one line per strategy.
//!
//! Lines differ in colour (Okabe and Ito's palette, safe for the colour-blind), in the shape of their
//! points and in their dashes, so that the plot also reads in grey; earlier lines are broader, so that one below another
//! can be seen.

use crate::report::markup::escape;

/// One line of a plot.
pub struct Line<'a> {
    /// Name in the legend.
    pub name: &'a str,
    /// (cardinality, value); values are positive.
    pub points: Vec<(u32, f64)>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 50.0;

const STYLES: [(&str, &str); 8] = [
    ("#000000", ""),
    ("#0072B2", "7 4"),
    ("#D55E00", ""),
    ("#009E73", "2 3"),
    ("#CC79A7", "9 3 2 3"),
    ("#E69F00", "4 2"),
    ("#56B4E9", "1 3"),
    ("#7F7F7F", "12 4"),
];

struct Scale {
    cards: (f64, f64),
    /// Powers of ten at the bottom and the top.
    tens: (i32, i32),
}

impl Scale {
    fn x(&self, card: u32) -> f64 {
        let span = (self.cards.1 - self.cards.0).max(1.0);
        LEFT + (f64::from(card) - self.cards.0) / span * (WIDTH - LEFT - RIGHT)
    }
    fn y(&self, value: f64) -> f64 {
        let span = f64::from(self.tens.1 - self.tens.0).max(1.0);
        HEIGHT - BOTTOM - (value.log10() - f64::from(self.tens.0)) / span * (HEIGHT - TOP - BOTTOM)
    }
}

/// The plot with a title and the label of its vertical axis (with its unit).
#[must_use]
pub fn plot(title: &str, axis: &str, lines: &[Line<'_>]) -> String {
    let points = || lines.iter().flat_map(|l| &l.points);
    let low = points().map(|p| p.1).fold(f64::INFINITY, f64::min);
    let high = points().map(|p| p.1).fold(0.0, f64::max);
    if !low.is_finite() {
        return format!("<p>{}: nothing to plot.</p>\n", escape(title));
    }
    #[allow(clippy::cast_possible_truncation, reason = "powers of ten of measured values are small")]
    let tens = (low.log10().floor() as i32, (high.log10().ceil() as i32).max(low.log10().floor() as i32 + 1));
    let first = points().map(|p| p.0).min().unwrap_or(0);
    let last = points().map(|p| p.0).max().unwrap_or(1);
    let scale = Scale { cards: (f64::from(first), f64::from(last)), tens };
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{0}\" xmlns=\"http://www.w3.org/2000/svg\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{0}</text>\n",
        escape(title)
    );
    out += &axes(&scale, axis, first, last);
    for (n, line) in lines.iter().enumerate() {
        out += &draw(&scale, n, lines.len(), line);
    }
    out + "</svg>\n"
}

fn axes(s: &Scale, axis: &str, first: u32, last: u32) -> String {
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    let mut out = String::new();
    for ten in s.tens.0..=s.tens.1 {
        let y = s.y(10f64.powi(ten));
        out += &format!(
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#dddddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
            LEFT - 6.0,
            y + 4.0,
            ten_label(ten)
        );
    }
    // Not more labels than fit.
    let step = (last - first) / 15 + 1;
    for card in (first..=last).step_by(step as usize) {
        let x = s.x(card);
        out += &format!(
            "<line x1=\"{x:.1}\" y1=\"{bottom}\" x2=\"{x:.1}\" y2=\"{:.1}\" stroke=\"black\"/>\n\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{card}</text>\n",
            bottom + 5.0,
            bottom + 19.0
        );
    }
    out += &format!(
        "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">elements per deferred set</text>\n\
         <text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        LEFT.midpoint(right),
        HEIGHT - 12.0,
        TOP.midpoint(bottom),
        escape(axis)
    );
    out
}

fn ten_label(ten: i32) -> String {
    match ten {
        0..=5 => 10i64.pow(ten.unsigned_abs()).to_string(),
        -3..0 => format!("{:.*}", ten.unsigned_abs() as usize, 10f64.powi(ten)),
        _ => format!("1e{ten}"),
    }
}

fn draw(s: &Scale, n: usize, count: usize, line: &Line<'_>) -> String {
    let above = f64::from(u8::try_from(count.saturating_sub(n + 1)).unwrap_or(4).min(4));
    let (width, radius) = (2.0 + 1.5 * above, 3.5 + above);
    let (colour, dash) = STYLES[n % STYLES.len()];
    let dashes = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
    let path: Vec<String> =
        line.points.iter().map(|&(c, v)| format!("{:.1} {:.1}", s.x(c), s.y(v))).collect();
    let mut out = format!(
        "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}/>\n",
        path.join("L")
    );
    for &(c, v) in &line.points {
        out += &mark(n, colour, radius, s.x(c), s.y(v));
    }
    let (x, y) = (WIDTH - RIGHT + 18.0, TOP + 8.0 + 20.0 * [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0][n % 8]);
    out += &format!(
        "<line x1=\"{x}\" y1=\"{y}\" x2=\"{:.1}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}/>\n{}\
         <text x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
        x + 30.0,
        mark(n, colour, radius, x + 15.0, y),
        x + 38.0,
        y + 4.0,
        escape(line.name)
    );
    out
}

fn mark(n: usize, colour: &str, r: f64, x: f64, y: f64) -> String {
    let path = match n % 4 {
        0 => format!("M{:.1} {y:.1}a{r} {r} 0 1 0 {1} 0a{r} {r} 0 1 0 -{1} 0", x - r, 2.0 * r),
        1 => format!("M{:.1} {:.1}h{2}v{2}h-{2}z", x - r, y - r, 2.0 * r),
        2 => format!("M{x:.1} {:.1}l{} {}h-{}z", y - 1.2 * r, 1.2 * r, 2.1 * r, 2.4 * r),
        _ => format!("M{x:.1} {:.1}l{1} {1}l-{1} {1}l-{1} -{1}z", y - 1.3 * r, 1.3 * r),
    };
    format!("<path d=\"{path}\" fill=\"{colour}\" stroke=\"white\"/>\n")
}
