import type { Regulator } from '@broker-transparency/client';
import * as z from 'zod';
import { type Html, html, toBdi } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import { definePage, type PageContext } from '../page.ts';
import { drawTiers } from '../parts/illustrations.ts';
import { listTable } from '../parts/list.ts';
import { findWord } from '../words.ts';

const TIERS = [1, 2, 3, 4];

/** Renders the time of the last check of a register, marked if it is too old. */
const checked = ({ texts: { find }, format }: PageContext, { lastVerifiedAt, stale }: Regulator): Html => {
  const { regulators: words } = find;
  if (lastVerifiedAt === null) return html`<strong>${words.never}</strong>`;
  return html`${format.day(lastVerifiedAt)}${stale === true && html`, <strong>${words.stale}</strong>`}`;
};

const table = (context: PageContext, regulators: readonly Regulator[]): Html => {
  const { texts, format, prefix } = context;
  const { regulators: words } = texts.find;
  const name = ({ code, name }: Regulator): Html =>
    html`<a href="${prefix}/regulators/${code}">${toBdi(name)}</a> <span class="under">${code.toUpperCase()}</span>`;
  return listTable({
    name: 'regulators',
    caption: words.caption({ count: regulators.length }),
    rows: regulators,
    columns: [
      [words.name, name],
      [words.country, ({ country }) => format.country(country)],
      [words.brokers, ({ brokerCount }) => format.number(brokerCount), 'number'],
      [words.checked, (regulator) => checked(context, regulator)],
    ],
  });
};

/** All regulators, by tier. */
export const regulators = definePage('/regulators', { params: z.object({}), query: z.object({}) }, async (context) => {
  const { texts, client } = context;
  const { regulators: words, tiers, tier } = texts.find;
  const { data } = await client.regulators.list();
  const byName = new Intl.Collator(texts.locale).compare;
  const sorted = [...data].sort((a, b) => byName(a.name, b.name));
  const known = [...new Set([...TIERS, ...data.map((each) => each.tier)])].sort();
  return {
    html: layout(context, {
      title: words.title,
      description: words.description,
      body: html`<h1>${words.title}</h1>
<p>${words.lead} ${words.total({ count: data.length })}</p>
<p class="soft">${words.about} <a href="${addressIn(context, '/methodology')}">${texts.site.methodology}</a></p>
${drawTiers(context)}
${known.map((number) => {
  const members = sorted.filter((each) => each.tier === number);
  return html`<section aria-labelledby="tier-${number}">
<h2 id="tier-${number}">${findWord(tiers, number) ?? tier({ tier: String(number) })}</h2>
${members.length === 0 ? html`<p>${words.none}</p>` : table(context, members)}</section>
`;
})}`,
    }),
  };
});
