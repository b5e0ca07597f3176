import { type Html, html, isolateText, toBdi } from '../../html.ts';
import { renderHostLink } from '../../links.ts';
import { wordFor } from '../../words.ts';
import { type BrokerView, day, dayOrNever, facts, section } from './parts.ts';

type Source = BrokerView['broker']['provenance'][number];

const who = ({ texts }: BrokerView, source: NonNullable<Source['statedBy']>): Html =>
  html`${wordFor(texts.sources.kinds, source.kind)} <span class="soft">(${toBdi(source.name)})</span>`;

/** Renders the source of a fact, unless it is the editors. */
export const saidBy = (view: BrokerView, fact: string): Html | false => {
  const { texts, broker, context } = view;
  const all = broker.provenance.flatMap(({ fact: of, statedBy }) =>
    of === fact && statedBy
      ? [texts.sources.who({ kind: wordFor(texts.sources.kinds, statedBy.kind), name: isolateText(statedBy.name) })]
      : [],
  );
  return (
    all.length > 0 &&
    html`<p class="soft">${texts.licences.saidBy({ who: context.format.list([...new Set(all)]) })}</p>`
  );
};

const list = (view: BrokerView): Html => {
  const { texts, broker } = view;
  const { sources } = texts;
  return facts(
    broker.provenance.map(({ fact, sourceUrl, lastVerifiedAt, attribution, statedBy }) => [
      wordFor(sources.facts, fact),
      html`${renderHostLink(sourceUrl)}, ${sources.opened}: ${dayOrNever(view, lastVerifiedAt)}<br><span class="soft">${
        statedBy ? who(view, statedBy) : sources.kinds['editor']
      }${attribution !== undefined && html`<br>${toBdi(attribution)}`}</span>`,
    ]),
  );
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
<ul class="records">${all.map(
      ({ field, says, source, sourceUrl, asOf, overruledBecause }) => html`
<li class="record" data-contradicted>
<h4>${toBdi(field)}</h4>
${facts([
  [sources.says, toBdi(says)],
  [sources.saidBy, html`${who(view, source)}${sourceUrl !== null && html`, ${renderHostLink(sourceUrl)}`}`],
  [sources.asOf, day(context, asOf)],
  [sources.because, overruledBecause === undefined ? sources.rank : toBdi(overruledBecause)],
])}
</li>`,
    )}</ul>`
  );
};

/** Renders the sources of the facts, and contrary claims of other sources. */
export const sources = (view: BrokerView): Html => {
  const { texts, broker } = view;
  return section(view, 'sources', [
    html`<p>${texts.sources.lead}</p>`,
    broker.provenance.length === 0 ? html`<p>${texts.sources.empty}</p>` : list(view),
    contradictions(view),
    html`<p><a href="/api/v1/brokers/${broker.slug}">${texts.sources.machine}</a> <span class="soft">JSON</span></p>`,
  ]);
};
