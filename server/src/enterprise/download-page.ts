import type { WholePage } from '../http/endpoints/files.ts';

/**
 * The script of the page. It sends the key only in a header and only to this service. The key is in no address, history
 * or storage, so it is gone when the page is closed.
 */
const SCRIPT = `'use strict';
const element = (id) => document.getElementById(id);
const say = (text) => { element('state').textContent = text; };
const ask = async (path) => {
  const key = element('key').value.trim();
  const answer = await fetch('/enterprise/v1' + path, { headers: { Authorization: 'Bearer ' + key }, cache: 'no-store', credentials: 'omit' });
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => ({}));
  throw new Error(problem.detail || 'The service answers ' + answer.status + '.');
};
const save = async (path, name) => {
  say('Downloading ' + name + ' …');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await (await ask(path)).blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  say(name + ' is downloaded.');
};
const guarded = (work) => () => work().catch((error) => say(error.message));
const button = (text, work) => {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', guarded(work));
  return made;
};
const rowOf = (number, file) => {
  const row = document.createElement('tr');
  for (const text of [file.kind, file.content, file.format + ', ' + file.compression, String(file.lines), String(Math.ceil(file.bytes / 1000)) + ' kB', file.sha256]) {
    const cell = document.createElement('td');
    cell.textContent = text;
    row.append(cell);
  }
  const last = document.createElement('td');
  last.append(button('Download', () => save('/snapshots/' + number + '/files/' + encodeURIComponent(file.name), file.name)));
  row.append(last);
  return row;
};
const list = async () => {
  say('Asking …');
  element('table').hidden = true;
  const { data } = await (await ask('/snapshots')).json();
  if (data.length === 0) return say('There is no snapshot yet.');
  const manifest = await (await ask('/snapshots/' + data[0].number)).json();
  element('files').replaceChildren(...manifest.files.map((file) => rowOf(manifest.number, file)));
  element('table').hidden = false;
  say('Snapshot ' + manifest.number + ' of ' + manifest.time + '.');
};
element('list').addEventListener('click', guarded(list));
element('key').addEventListener('keydown', ({ key }) => { if (key === 'Enter') guarded(list)(); });
`;

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Download all data</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}td,th{text-align:left;padding:.2rem .8rem .2rem 0;font-size:14px}td:nth-child(6){word-break:break-all}input{width:100%;max-width:36rem;font:14px monospace}code{background:#f0f2f5}</style>
</head>
<body>
<h1>Download all data</h1>
<p>Once a day everything that is published is written into files. They are for organisations with an agreement: whom to ask for one stands at <a href="/enterprise">/enterprise</a>.</p>
<ol>
<li>Write the key of your organisation into the field. It stays in this page: it is sent to this service alone, in no address, and is forgotten when you close the page.</li>
<li>Choose a file. <b>csv</b> files open in any spreadsheet once they are unpacked; <b>ndjson</b> files have one entry a line, as the log has it; <b>texts</b> are what people wrote, and must be deleted when they are erased here.</li>
<li>What you may do with them stands in your agreement. A citation line is in the answers of <code>/enterprise/v1/movers</code> and in each <a href="/verify">publication</a>.</li>
</ol>
<p><label for="key">Key</label><br><input id="key" type="password" autocomplete="off" spellcheck="false"> <button type="button" id="list">Show files</button></p>
<p id="state" role="status"></p>
<table id="table" hidden><thead><tr><th>Kind</th><th>Content</th><th>Format</th><th>Lines</th><th>Size</th><th>SHA-256</th><th></th></tr></thead><tbody id="files"></tbody></table>
<noscript><p>Without scripts: <code>curl -H "Authorization: Bearer KEY" -O HOST/enterprise/v1/snapshots/NUMBER/files/NAME</code></p></noscript>
<script>${SCRIPT}</script>
</body>
</html>
`;

/** The page by which customers download files without any code. It contains nothing that needs a key. */
export const downloadPage: WholePage = { path: '/enterprise/download', html: HTML, asks: true };
