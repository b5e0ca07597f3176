import { pageAlone } from '../alone.ts';
import { type Html, html, raw } from '../html.ts';
import { addressIn, type Language } from '../languages.ts';

/** The parts of the page that the server brings. */
interface VerifyParts {
  readonly language: Language;
  readonly has: (path: string) => boolean;
  /** The text of `verify.css`. */
  readonly style: string;
  /** The text of `verify.js`. */
  readonly script: string;
  /** Its `Content-Security-Policy`, which allows both by their hashes. */
  readonly policy: string;
}

/** Renders the page that verifies files, as one file that works from a disk as well. It asks nobody. */
export const verifyPage = ({ language, has, style, script, policy }: VerifyParts): Html => {
  const { verify: said } = language.texts;
  return pageAlone(
    { ...language, path: '/verify', has },
    {
      title: said.title,
      description: said.description,
      style,
      policy,
      body: html`<h1>${said.title}</h1>
<noscript><p class="old"><strong>${said.noScript} <code>broker-transparency verify</code>.</strong></p></noscript>
<p class="lead">${said.lead}</p>
<div class="verify-form">
<p><label for="keys">${said.keys}</label>
<span class="soft" id="keys-hint">${said.keysHint}</span>
<textarea id="keys" rows="4" spellcheck="false" aria-describedby="keys-hint"></textarea></p>
<p class="choice"><input type="checkbox" id="own"> <label for="own">${said.own}</label></p>
<p class="drop"><label for="file">${said.file}</label> <input type="file" id="file" accept=".json,.html,.txt,.tlog-proof"></p>
</div>
<div id="result" role="status"></div>
<script>${raw(script)}</script>`,
      hasSearch: true,
      toHref: (other) => addressIn(other, '/verify'),
    },
  );
};
