import type { BrokerDetail } from '@broker-transparency/client';
import { type Html, html } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import type { AssetName, PageContext } from '../../page.ts';
import { addressFor } from '../../parts/residence.ts';
import { type BrokerView, section } from './parts.ts';

/** Scripts of a page with a {@link checkSection}. The check itself is loaded on request. */
export const CHECK_SCRIPTS: readonly AssetName[] = ['on-demand.js'];

const form = (context: PageContext, broker: BrokerDetail, script: AssetName, fields: Html): Html => {
  const { asset, texts } = context;
  const { value, computedAt } = broker.score;
  const former = (broker.predecessors ?? []).flatMap(({ slug, how }) => (how === 'renamed' ? [slug] : []));
  const busy = script === 'prove.js' ? texts.check.proving : texts.check.reading;
  return html`<div class="check-part">
<form hidden data-script="${asset(script)}" data-texts="${asset(`texts-${texts.code}.js`)}" data-slug="${broker.slug}" \
data-former="${former.join(' ')}" data-value="${JSON.stringify(value)}" data-computed-at="${computedAt}" data-busy="${busy}" data-failed="${texts.check.offline}">
${fields}
</form>
<div data-part="verdict" role="status"></div>
<div data-part="details"></div>
</div>`;
};

const commands = (context: PageContext, { slug }: BrokerDetail): Html => {
  const { texts, publicUrl } = context;
  const lines = [
    `npx @broker-transparency/client check ${slug} --base-url ${publicUrl}/api/v1`,
    `npx @broker-transparency/client verify ${publicUrl}/transparency/v1/brokers/${slug}/proof --key KEY`,
  ];
  return html`<details>
<summary>${texts.check.commands}</summary>
<p>${texts.check.commandsLead}</p>
<pre tabindex="0"><code>${lines.join('\n')}</code></pre>
<p>${texts.check.commandsKey}</p>
<p><a href="${addressIn(context, '/verify')}">${texts.check.file}</a></p>
</details>`;
};

/** Renders the line of a broker's page that leads to the proof and the arithmetic of its score. */
export const checkLine = (view: BrokerView): Html => {
  const { context, texts, broker } = view;
  const at = addressFor(context, `/brokers/${broker.slug}/proof`);
  return section(view, 'check', html`<p>${texts.proof.line} <a href="${at}">${texts.proof.link}</a></p>`);
};

/** Renders the section for recomputing a rating and verifying its place in the log, in the browser or by command. */
export const checkSection = (context: PageContext, broker: BrokerDetail): Html => {
  const { check } = context.texts;
  const version = broker.score.methodologyVersion;
  const steps = `${addressIn(context, `/methodology/${version}`)}?broker=${broker.slug}`;
  return html`<section class="check" aria-labelledby="check">
<h2 id="check">${check.title}</h2>
<p>${check.lead}</p>
<p><a href="${steps}">${check.arithmetic({ version })}</a></p>
<noscript><p>${check.noScript}</p></noscript>
<h3>${check.recompute}</h3>
<p>${check.recomputeLead}</p>
${form(context, broker, 'check-rating.js', html`<button>${check.recomputeButton}</button>`)}
<h3>${check.prove}</h3>
<p>${check.proveLead}</p>
${form(
  context,
  broker,
  'prove.js',
  html`<p><label for="log-key">${check.key}</label><textarea id="log-key" name="key" rows="2" spellcheck="false" \
autocomplete="off" aria-describedby="log-key-help"></textarea></p>
<p class="soft" id="log-key-help">${check.keyHelp}</p>
<button>${check.proveButton}</button>`,
)}
${commands(context, broker)}
</section>`;
};
