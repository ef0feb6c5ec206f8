//! How pages look: light or dark as the reader's system is, and on paper. What has a colour has a sign or a word, too.

/// The style sheet. Without `<` and `&`, so that it can stand in XML as it is.
pub(super) const STYLE: &str = "
:root{color-scheme:light dark;--text:#1a1a1a;--quiet:#5c5c5c;--back:#fff;--soft:#f4f4f2;--line:#d4d4d0;
--good:#0a6b3b;--bad:#b00020;--open:#8a5a00;--goodback:#e3f3ea;--badback:#fbe6e8;--openback:#fbf0da;--new:#fff3c4;--blue:#00429d}
@media (prefers-color-scheme:dark){:root{--text:#e6e6e6;--quiet:#a0a0a0;--back:#17181a;--soft:#222427;--line:#3c3f44;
--good:#6fd3a0;--bad:#ff8a95;--open:#f0c060;--goodback:#153326;--badback:#43191f;--openback:#3b2d10;--new:#4a4112;--blue:#8ab8ff}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back);margin:0}
main{max-width:76em;margin:0 auto;padding:1.5em 1.5em 3em}
h1{font-size:1.5em;margin:0 0 .3em;overflow-wrap:anywhere}h2{font-size:1.15em;margin:0 0 .5em;overflow-wrap:anywhere}
h3{font-size:1em;margin:1.2em 0 .4em}p{margin:.3em 0}ul{margin:.3em 0;padding-left:1.4em}
code,pre{font:13px/1.45 ui-monospace,monospace}code{overflow-wrap:anywhere;white-space:pre-wrap}
pre{background:var(--soft);padding:.5em .8em;margin:.4em 0;overflow-x:auto}pre .no{color:var(--quiet)}
section{margin:1.6em 0}section.found{border-left:4px solid var(--bad);padding:.2em 0 .2em 1em}
section.open{border-left-color:var(--open)}section.goal{border-left-color:var(--good)}
.badge{display:inline-block;padding:0 .5em;border-radius:.25em;font-weight:700;white-space:nowrap}
.badge.holds{color:var(--good);background:var(--goodback)}.badge.violated{color:var(--bad);background:var(--badback)}
.badge.incomplete{color:var(--open);background:var(--openback)}
.answer{font-size:1.1em;overflow-wrap:anywhere}.quiet{color:var(--quiet)}
details{margin:.5em 0}summary{cursor:pointer}details>summary~*{margin-left:1em}
td details{margin:0}td details>summary~*{margin-left:0}
.wide{overflow-x:auto;margin:.4em 0}table{border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:.25em .7em;border-bottom:1px solid var(--line)}
thead th{border-bottom:2px solid var(--quiet);font-weight:600}
th.number,td.number{text-align:right;font-variant-numeric:tabular-nums}
table.trace td{max-width:24em;min-width:2.5em}table.trace td:first-child,table.trace th:first-child{text-align:right;color:var(--quiet)}
table.trace .same{color:var(--quiet)}table.trace .changed{background:var(--new);font-weight:600}
table.trace .delta{display:block;font-weight:400;font-size:.9em}table.trace .fault{color:var(--bad);font-weight:600}
table.trace tr.again td:first-child{border-left:4px solid var(--blue)}table.trace tr.last td{border-bottom:2px solid var(--bad)}
table.trace tr.missed{opacity:.55}table.trace .gap{color:var(--quiet);text-align:center}
table.trace th.side{border-left:1px solid var(--line)}table.trace th.expression{font-weight:400}
a code{white-space:nowrap}li>details{display:inline-block;margin:0;vertical-align:top}ul.values{list-style:none;padding-left:0}ul.reason{padding-left:1.2em}.again-note{color:var(--blue)}
tbody th{white-space:nowrap}svg{max-width:100%;height:auto;display:block;margin:.5em 0;font:11px ui-monospace,monospace}
svg text{fill:var(--text)}svg .edge{fill:none;stroke:var(--quiet);stroke-width:1.3}svg .tip{fill:var(--quiet)}
svg .loop{stroke:var(--blue);stroke-width:2}svg .tip.loop{fill:var(--blue);stroke:none}svg .left-out{stroke-dasharray:3 4}
svg circle{fill:var(--soft);stroke:var(--quiet);stroke-width:1.3}svg .root{fill:var(--quiet)}
svg .initial{fill:var(--goodback);stroke:var(--good);stroke-width:2}svg .bad{fill:var(--badback);stroke:var(--bad);stroke-width:2.5}
svg .goal{fill:var(--goodback);stroke:var(--good);stroke-width:3}svg .mark{font-weight:700}
footer{margin-top:2.5em;border-top:1px solid var(--line);padding-top:.6em}
@media print{main{max-width:none;padding:0}.wide{overflow:visible}tr,svg,h2,h3{break-inside:avoid}h2,h3{break-after:avoid}
.badge,.changed{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
";
