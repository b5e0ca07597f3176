import { hash } from 'node:crypto';

/** The one style of the page. */
export const STYLE = `
:root{color-scheme:light dark;--text:#1b1f24;--soft:#57606a;--back:#fff;--panel:#f4f6f8;--line:#d0d7de;--link:#0b57d0;--up:#1a7f37;--down:#c62828;--gap:#8c959f}
@media (prefers-color-scheme:dark){:root{--text:#e6edf3;--soft:#a5b0bc;--back:#0d1117;--panel:#161b22;--line:#3d444d;--link:#7ab7ff;--up:#3fb950;--down:#ff6b63;--gap:#6e7681}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
main,footer{max-width:46rem;margin:0 auto;padding:0 1rem}
main{padding-top:1.5rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}
h2{font-size:1.25rem;line-height:1.3;margin:2.5rem 0 .5rem}
h3{font-size:1.0625rem;line-height:1.35;margin:0}
p{margin:.5rem 0}
a{color:var(--link)}
time{white-space:nowrap}
.soft{color:var(--soft)}
.now{border:1px solid var(--line);border-left:.5rem solid var(--gap);border-radius:.375rem;background:var(--panel);padding:.75rem 1rem}
.now.up{border-left-color:var(--up)}
.now.down{border-left-color:var(--down)}
.now strong{display:block;font-size:1.5rem;line-height:1.3}
.note{border:1px solid var(--line);border-radius:.375rem;padding:.5rem 1rem;margin:1rem 0}
svg{display:block;width:100%;height:3.5rem}
.bars rect{fill:var(--up)}
.bars .d{fill:var(--down)}
.bars .g{fill:var(--gap)}
.bars .n{fill:var(--line)}
.ends{display:flex;justify-content:space-between;gap:1rem;margin:.25rem 0;color:var(--soft)}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0;margin:.5rem 0}
.legend svg{display:inline-block;width:.75rem;height:.75rem;margin-right:.5rem}
.table{overflow-x:auto}
table{border-collapse:collapse;width:100%;margin:.5rem 0;overflow-wrap:normal}
th,td{border-bottom:1px solid var(--line);padding:.4rem .5rem;text-align:left;vertical-align:top}
th:first-child,td:first-child{padding-left:0}
th:last-child,td:last-child{padding-right:0}
thead th{vertical-align:bottom}
tbody th{font-weight:400}
.number{text-align:right;font-variant-numeric:tabular-nums}
summary{cursor:pointer;padding:.5rem 0}
article{border-top:1px solid var(--line);padding:1rem 0}
article ol,ul.plain{list-style:none;padding:0;margin:0}
article ol li{border-left:2px solid var(--line);padding-left:.75rem;margin:.75rem 0}
article ol p{margin:0;white-space:pre-line}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.125rem 1rem;margin:.5rem 0}
dt{color:var(--soft)}
dd{margin:0}
code,pre{font:1rem/1.5 ui-monospace,monospace;background:var(--panel)}
pre{padding:.5rem .75rem;white-space:pre-wrap}
footer{margin-top:2.5rem;padding-bottom:2rem;color:var(--soft)}
@media (max-width:22rem){th,td{padding-left:.2rem;padding-right:.2rem}thead th{font-weight:400}}
@media (max-width:30rem){dl{grid-template-columns:1fr}dd{margin-bottom:.375rem}}
@media print{:root{--back:#fff;--text:#000;--panel:#fff;--soft:#333;--line:#999;--up:#777;--down:#000;--gap:#ccc}.bars,.legend{print-color-adjust:exact}details::details-content{content-visibility:visible;height:auto;opacity:1}h2,h3,summary{break-after:avoid}article,tr{break-inside:avoid}}
`;

/** The page runs nothing and loads nothing: its style is known by its hash, and its icon is empty. */
export const STATUS_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; img-src data:; base-uri 'none'; form-action 'none'`;
