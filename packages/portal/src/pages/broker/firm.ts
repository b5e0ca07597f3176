import { groupWarnings } from '@broker-transparency/contract/score';
import { type Html, html, isolateText, toBdi } from '../../html.ts';

import { formatHost, renderHostLink } from '../../links.ts';
import { addressFor } from '../../parts/residence.ts';
import { type BrokerView, facts, section } from './parts.ts';

const list = (names: readonly string[]): Html | false =>
  names.length > 0 && html`${names.map((name, at) => html`${at > 0 && ', '}${toBdi(name)}`)}`;

const predecessors = ({ context, texts, broker }: BrokerView): Html | false => {
  const all = broker.predecessors ?? [];
  return (
    all.length > 0 &&
    html`<ul class="bare-list">${all.map(({ name, how, until }) => {
      const day = context.format.day(until);
      return html`<li>${how === 'merged' ? texts.firm.merged({ name: isolateText(name), day }) : texts.firm.renamed({ name: isolateText(name), day })}</li>`;
    })}</ul>`
  );
};

const entities = ({ context, texts, broker }: BrokerView): Html => {
  const { firm } = texts;
  if (broker.entities.length === 0) return html`<p>${firm.noEntities}</p>`;
  return html`
<p>${firm.entitiesLead}</p>
<table class="lines">
<caption class="unseen">${firm.entities}</caption>
<thead><tr><th scope="col">${firm.entity}</th><th scope="col">${firm.country}</th><th scope="col">${firm.retail}</th><th scope="col" class="number">${firm.supervision}</th></tr></thead>
<tbody>${broker.entities.map(
    ({ legalName, lei, country, retailClients, regulationScore }) => html`
<tr><th scope="row">${toBdi(legalName)}${lei !== undefined && html`<br><span class="soft">LEI ${lei}</span>`}</th><td data-label="${firm.country}">${context.format.country(country)}</td><td data-label="${firm.retail}">${retailClients ? texts.yes : texts.no}</td><td class="number" data-label="${firm.supervision}">${context.format.fixed(regulationScore, 1)}</td></tr>`,
  )}</tbody>
</table>`;
};

/** Renders the address of its site, without a link for a suspected clone or a firm with a warning of an authority. */
const website = ({ broker: { website: url, status, warnings } }: BrokerView): Html =>
  status === 'suspected_clone' || groupWarnings(warnings).confirmed.length > 0
    ? toBdi(formatHost(url))
    : renderHostLink(url);

/** Renders the firm: its names, legal entities, predecessors and successor. */
export const firm = (view: BrokerView): Html => {
  const { context, texts, broker, successor } = view;
  const { notKnown } = context.texts.site;
  return section(view, 'firm', [
    broker.description !== '' && html`<p>${toBdi(broker.description)}</p>`,
    facts([
      [texts.firm.legalName, toBdi(broker.legalName)],
      [texts.firm.tradingNames, list(broker.tradingNames)],
      [texts.firm.country, context.format.country(broker.country)],
      [texts.firm.founded, broker.foundedYear === null ? notKnown : String(broker.foundedYear)],
      [texts.firm.lei, broker.lei ?? notKnown],
      [texts.firm.website, website(view)],
      [texts.firm.domains, list(broker.domains)],
      [texts.firm.predecessors, predecessors(view)],
      [
        texts.firm.successor,
        broker.successor !== undefined &&
          html`<a href="${addressFor(context, `/brokers/${broker.successor}`)}">${toBdi(successor ?? broker.successor)}</a>`,
      ],
    ]),
    html`<h3>${texts.firm.entities}</h3>`,
    entities(view),
  ]);
};
