import { type Html, html, raw } from '../html.ts';
import type { PageContext } from '../page.ts';
import { type ApiCall, readPolicy } from './reference.ts';
import { findOpenAddress, getSecretName, SAMPLE_LANGUAGES, writeSample } from './samples.ts';

/** Renders the samples of a call in each language, of which one is open, and a link to its answer. */
export const renderSamples = ({ texts: { docs } }: PageContext, call: ApiCall): Html => {
  const address = findOpenAddress(call);
  const isSecret = readPolicy(call).access !== 'public';
  return html`${SAMPLE_LANGUAGES.map(
    (
      language,
      at,
    ) => html`<details name="sample"${at === 0 && raw(' open')}><summary>${docs.sampleOf[language]}</summary>
<pre tabindex="0"><code class="language-${language}" data-sample="${language}">${writeSample(call, language)}</code></pre></details>\n`,
  )}
${isSecret && html`<p>${docs.secretIn({ name: getSecretName(call) })}</p>`}
${address !== undefined && html`<p><a href="${address}">${docs.tryIt}</a></p>`}`;
};
