import { addressIn, definePage, html, layout } from '@broker-transparency/portal';
import * as z from 'zod';

/** The page by which customers download files without any code. It contains nothing that needs a key. It is in English. */
export const downloadPage = definePage(
  '/enterprise/download',
  { params: z.object({}), query: z.object({}), isTranslated: false },
  async (context) => ({
    html: layout(context, {
      title: 'Download all data',
      description: 'Files with everything that this service publishes, for organisations with an agreement.',
      isUntranslated: true,
      scripts: ['download.js'],
      body: html`<h1>Download all data</h1>
<p>Once a day everything that is published is written into files. They are for organisations with an agreement: <a href="/enterprise">whom
to ask for one</a>.</p>
<ol>
<li>Write the key of your organisation into the field. It stays in this page: it is sent to this service alone, in no address, and is
forgotten when you close the page.</li>
<li>Choose a file. <b>csv</b> files open in any spreadsheet once they are unpacked; <b>ndjson</b> files have one entry a line, as the log has
it; <b>texts</b> are what people wrote, and must be deleted when they are erased here.</li>
<li>What you may do with them stands in your agreement. A citation line is in the answers of <code>/enterprise/v1/movers</code> and in each
<a href="${addressIn(context, '/verify')}">publication</a>.</li>
</ol>
<p class="asked-field"><label for="key">Key</label><input id="key" type="password" autocomplete="off" spellcheck="false"></p>
<p><button type="button" id="list">Show files</button></p>
<p id="state" role="status"></p>
<div class="table"><table id="table" hidden><thead><tr><th scope="col">Kind</th><th scope="col">Content</th><th scope="col">Format</th><th scope="col" class="number">Lines</th><th scope="col" class="number">Size</th><th scope="col">SHA-256</th><td></td></tr></thead><tbody id="files"></tbody></table></div>
<noscript><p>Without scripts: <code>curl -H "Authorization: Bearer KEY" -O HOST/enterprise/v1/snapshots/NUMBER/files/NAME</code></p></noscript>`,
    }),
  }),
);
