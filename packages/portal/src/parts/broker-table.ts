import type { BrokerSummary } from '@broker-transparency/client';
import { groupWarnings } from '@broker-transparency/contract/score';
import { type Html, html, toBdi } from '../html.ts';
import type { PageContext } from '../page.ts';
import { listTable } from './list.ts';
import { rating } from './rating.ts';
import { addressFor } from './residence.ts';

/** Renders an unusual status of a broker: a suspected clone, or one that does not operate. */
export const statusMark = ({ texts: { find } }: PageContext, status: string): Html | undefined => {
  if (status === 'suspected_clone') return html`<strong class="alarm">${find.row.suspectedClone}</strong>`;
  if (status === 'ceased') return html`<span class="mark">${find.row.ceased}</span>`;
  return status === 'merged' ? html`<span class="mark">${find.row.merged}</span>` : undefined;
};

/** Returns the warnings in force about a broker, in a few words. */
const warningWords = ({ texts: { find } }: PageContext, warnings: BrokerSummary['warnings']): readonly Html[] => {
  const { confirmed, unchecked, clone } = groupWarnings(warnings);
  const said = [
    confirmed.length > 0 && html`<strong class="alarm">${find.row.warned({ count: confirmed.length })}</strong>`,
    unchecked.length > 0 && html`<span class="unconfirmed">${find.row.unconfirmed({ count: unchecked.length })}</span>`,
    clone.length > 0 && html`<span>${find.row.copied}</span>`,
  ].filter((each) => each !== false);
  return said.length > 0 ? said : [html`<span class="soft">${find.row.noWarning}</span>`];
};

/** Renders the words for the warnings in force about a broker, on one line. */
export const warningLine = (context: PageContext, warnings: BrokerSummary['warnings']): Html =>
  html`${warningWords(context, warnings).map((each, at) => html`${at > 0 && ', '}${each}`)}`;

/** Returns the best tier of a broker, or that it has no confirmed licence; nothing for a clone. */
const tierWords = ({ texts: { find, licences }, format }: PageContext, broker: BrokerSummary): string => {
  if (broker.status === 'suspected_clone') return '–';
  if (broker.licenseCounts.confirmed === 0) return licences.none;
  return broker.bestTier === null ? find.row.noTier : find.tier({ tier: format.number(broker.bestTier) });
};

/** Renders brokers in rows, with the facts for choosing one. The caption describes and counts them. */
export const brokerTable = (context: PageContext, caption: string, brokers: readonly BrokerSummary[]): Html => {
  const { row: words } = context.texts.find;
  const name = (broker: BrokerSummary): Html => {
    // the column of the score says that a broker is a suspected clone
    const mark = broker.status !== 'suspected_clone' && statusMark(context, broker.status);
    return html`<a href="${addressFor(context, `/brokers/${broker.slug}`)}">${toBdi(broker.name)}</a>${mark && html` ${mark}`}
<span class="under">${toBdi(broker.legalName)}</span>`;
  };
  return html`${listTable({
    name: 'brokers',
    caption,
    rows: brokers,
    columns: [
      [words.broker, name],
      [words.score, (broker) => rating(context, { ...broker, value: broker.score.value }), 'number'],
      [words.tier, (broker) => tierWords(context, broker)],
      [words.country, ({ country }) => context.format.country(country)],
      [words.warnings, ({ warnings }) => warningLine(context, warnings)],
    ],
  })}<p class="soft">${words.scale}</p>
`;
};
