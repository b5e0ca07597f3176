import { type Html, html, written } from '../../html.ts';
import { external, hostOf, wordFor } from '../../links.ts';
import { type BrokerView, day, dayOrNever, section } from './parts.ts';

type Source = BrokerView['broker']['provenance'][number];

const who = ({ texts }: BrokerView, source: NonNullable<Source['statedBy']>): Html =>
  html`${wordFor(texts.sources.kinds, source.kind)} <span class="soft">(${written(source.name)})</span>`;

/** Who says what is published of a fact, where it is not the editors of this service. */
export const saidBy = (view: BrokerView, fact: string): Html | false => {
  const { texts, broker, context } = view;
  const all = broker.provenance.flatMap(({ fact: of, statedBy }) =>
    of === fact && statedBy ? [texts.sources.who(wordFor(texts.sources.kinds, statedBy.kind), statedBy.name)] : [],
  );
  return all.length > 0 && html`<p class="soft">${texts.licences.saidBy(context.format.list([...new Set(all)]))}</p>`;
};

const table = (view: BrokerView): Html => {
  const { texts, broker } = view;
  const { sources } = texts;
  return html`
<div class="table" role="region" tabindex="0" aria-label="${sources.caption}"><table>
<caption class="unseen">${sources.caption}</caption>
<thead><tr><th scope="col">${sources.fact}</th><th scope="col">${texts.source}</th><th scope="col">${sources.opened}</th><th scope="col">${sources.saidBy}</th></tr></thead>
<tbody>${broker.provenance.map(
    ({ fact, sourceUrl, lastVerifiedAt, attribution, statedBy }) => html`
<tr><th scope="row">${wordFor(sources.facts, fact)}</th><td>${external(sourceUrl, hostOf(sourceUrl))}${
      attribution !== undefined && html`<br><span class="soft">${written(attribution)}</span>`
    }</td><td>${dayOrNever(view, lastVerifiedAt)}</td><td>${statedBy ? who(view, statedBy) : sources.kinds['editor']}</td></tr>`,
  )}</tbody>
</table></div>`;
};

const contradictions = (view: BrokerView): Html | false => {
  const { context, texts, broker } = view;
  const { sources } = texts;
  const all = broker.provenance.flatMap(({ contradicted = [] }) => contradicted);
  return (
    all.length > 0 &&
    html`
<h3>${sources.disagree}</h3>
<p>${sources.disagreeLead}</p>
<div class="table" role="region" tabindex="0" aria-label="${sources.disagree}"><table>
<caption class="unseen">${sources.disagree}</caption>
<thead><tr><th scope="col">${sources.field}</th><th scope="col">${sources.says}</th><th scope="col">${sources.saidBy}</th><th scope="col">${sources.asOf}</th><th scope="col">${sources.because}</th></tr></thead>
<tbody>${all.map(
      ({ field, says, source, sourceUrl, asOf, overruledBecause }) => html`
<tr data-contradicted><th scope="row">${written(field)}</th><td>${written(says)}</td><td>${who(view, source)}${
        sourceUrl !== null && html`<br>${external(sourceUrl, hostOf(sourceUrl))}`
      }</td><td>${day(context, asOf)}</td><td>${overruledBecause === undefined ? sources.rank : written(overruledBecause)}</td></tr>`,
    )}</tbody>
</table></div>`
  );
};

/** Where the facts come from, and what other sources say instead. */
export const sources = (view: BrokerView): Html => {
  const { texts, broker } = view;
  return section(view, 'sources', [
    html`<p>${texts.sources.lead}</p>`,
    broker.provenance.length === 0 ? html`<p>${texts.sources.empty}</p>` : table(view),
    contradictions(view),
    html`<p><a href="/api/v1/brokers/${broker.slug}">${texts.sources.machine}</a> <span class="soft">JSON</span></p>`,
  ]);
};
