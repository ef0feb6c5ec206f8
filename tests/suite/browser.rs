//! Pages as a person sees them: opened in headless Chromium, if there is one on PATH. Here that of `bsym compare`.
//!
//! A copy of the page gets a script that measures what is on the screen and writes it into the page, which Chromium
//! then prints. `BSYM_SCREENSHOT=FILE` keeps a picture to look at.

use super::{bsym, root};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::Command;

const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Texts of each plot that leave it or overlap, texts too small to read, lines without a legend entry of their own,
/// and what was fetched.
const SCRIPT: &str = r#"
const out = {plots: [], fetched: performance.getEntriesByType("resource").length};
for (const svg of document.querySelectorAll("svg")) {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")].map(t => [t.textContent, t.getBoundingClientRect()]);
  const outside = texts.filter(([, b]) =>
    b.left < frame.left || b.right > frame.right || b.top < frame.top || b.bottom > frame.bottom);
  const overlaps = [];
  texts.forEach(([a, p], i) => texts.slice(i + 1).forEach(([b, q]) => {
    if (p.left < q.right && q.left < p.right && p.top < q.bottom && q.top < p.bottom) overlaps.push([a, b]);
  }));
  const styles = [...svg.querySelectorAll("path[stroke-width]")].map(
    p => [p.getAttribute("stroke"), p.getAttribute("stroke-dasharray")].join());
  out.plots.push({
    width: frame.width, height: frame.height, texts: texts.map(([t]) => t),
    outside: outside.map(([t]) => t), overlaps, lines: styles.length, styles: new Set(styles).size,
    smallest: Math.min(...texts.map(([, b]) => Math.min(b.height, b.width + 99))),
  });
}
const pre = document.createElement("pre");
pre.id = "measured";
pre.textContent = JSON.stringify(out);
document.body.append(pre);
"#;

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let dirs: Vec<PathBuf> = std::env::split_paths(&path).collect();
    BROWSERS.iter().find_map(|name| dirs.iter().map(|d| d.join(name)).find(|p| p.is_file()))
}

/// Runs the browser on a page; what it prints.
fn open(browser: &Path, profile: &Path, page: &Path, action: &[String]) -> String {
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]);
    command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
    command.args(["--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1000,1700"]);
    command.arg(format!("--user-data-dir={}", profile.display())).args(action);
    command.arg(format!("file://{}", page.display()));
    let out = command.output().expect("the browser starts");
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// A page as it is measured on the screen; nothing where there is no browser.
pub(crate) fn measured(name: &str, page: &str) -> Option<Json> {
    let Some(browser) = browser() else {
        eprintln!("SKIPPED: no browser on PATH ({})", BROWSERS.join(", "));
        return None;
    };
    let dir = std::env::temp_dir().join(format!("bsym-browser-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder is made");
    let path = dir.join("page.html");
    if let Some(picture) = std::env::var_os("BSYM_SCREENSHOT") {
        std::fs::write(&path, page).expect("a file is written");
        let picture = root().join(picture).display().to_string();
        open(&browser, &dir.join("profile"), &path, &[format!("--screenshot={picture}")]);
    }
    let measuring = page.replace("</body>", &format!("<script>{SCRIPT}</script></body>"));
    std::fs::write(&path, measuring).expect("a file is written");
    let dom = open(&browser, &dir.join("profile"), &path, &["--dump-dom".to_owned()]);
    let measured = dom.split("<pre id=\"measured\">").nth(1).and_then(|t| t.split("</pre>").next());
    let measured = measured.unwrap_or_else(|| panic!("the page did not run: {dom}"));
    let unescaped = measured.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let found: Json = serde_json::from_str(&unescaped).expect("JSON");
    assert_eq!(found["fetched"], 0, "the page fetches something");
    let _ = std::fs::remove_dir_all(&dir);
    Some(found)
}

#[test]
fn the_report_can_be_read_in_a_browser() {
    let file = "machines/symmetry/Scheduler1.mch";
    let out = bsym(&["compare", file, "--card", "1..5", "--repeat", "1", "--format", "html"]);
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    let page = String::from_utf8(out.stdout).expect("text");
    let Some(found) = measured("compare", &page) else { return };
    let plots = found["plots"].as_array().cloned().unwrap_or_default();
    assert_eq!(plots.len(), 2, "{found}");
    for (plot, axis) in plots.iter().zip(["seconds (log scale)", "nodes (log scale)"]) {
        let texts: Vec<&str> =
            plot["texts"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        for text in [axis, "elements per deferred set", "off", "flood", "markers", "exact", "1", "5"] {
            assert!(texts.contains(&text), "`{text}` is not on the plot: {texts:?}");
        }
        assert_eq!(plot["outside"], serde_json::json!([]), "texts outside the plot");
        assert_eq!(plot["overlaps"], serde_json::json!([]), "texts that overlap");
        assert!(plot["width"].as_f64() > Some(400.0) && plot["smallest"].as_f64() > Some(9.0), "{plot}");
        // Four strategies, told apart by more than their names.
        assert_eq!((&plot["lines"], &plot["styles"]), (&4.into(), &4.into()), "{plot}");
    }
}
