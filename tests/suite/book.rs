//! The pages of docs/ as a book: each stands in its summary, and what they link to is there.

use super::root;
use std::path::{Path, PathBuf};

fn pages() -> Vec<PathBuf> {
    let docs = root().join("docs");
    let all = std::fs::read_dir(docs).expect("docs").flatten().map(|e| e.path());
    let mut all: Vec<PathBuf> = all.filter(|p| p.extension().is_some_and(|e| e == "md")).collect();
    all.sort();
    all
}

/// What stands behind `](`, up to the closing parenthesis.
fn links(text: &str) -> Vec<&str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect()
}

#[test]
fn every_page_is_in_the_summary_and_every_link_leads_somewhere() {
    let summary = root().join("docs").join("SUMMARY.md");
    let listed = std::fs::read_to_string(&summary).expect("the summary");
    let listed = links(&listed);
    let mut followed = 0;
    for page in pages() {
        let name = page.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
        assert!(page == summary || listed.contains(&&*name), "docs/{name} is not in docs/SUMMARY.md");
        let text = std::fs::read_to_string(&page).expect("a page");
        for link in links(&text) {
            let target = link.split('#').next().unwrap_or_default();
            let is_file = Path::new(target).extension().is_some_and(|e| e == "md") && !target.contains("://");
            let there = page.parent().is_some_and(|docs| docs.join(target).is_file());
            assert!(!is_file || there, "docs/{name} links to {link}");
            followed += usize::from(is_file);
        }
    }
    assert!(followed > 40, "{followed} links");
}
