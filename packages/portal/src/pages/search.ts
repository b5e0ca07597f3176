import { SEARCH_RESULTS, Text } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, isolateText, toBdi } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import type { Alikes } from '../look-alikes.ts';
import { definePage, type PageContext } from '../page.ts';
import { brokerTable, statusMark, warningLine } from '../parts/broker-table.ts';
import { evidenceList, readFound, warningItem } from '../parts/found-brokers.ts';
import { nothingFound } from '../parts/list.ts';
import { addressFor, hiddenResidence, Residence } from '../parts/residence.ts';
import { wideSearch } from '../parts/search-form.ts';

/** Maximum length of a search text, in characters. */
const MOST = 100;

/** Returns the text to search for; undefined if it has no visible character. */
export const askedText = (given: string | undefined): string | undefined =>
  Text(1, MOST).safeParse([...(given ?? '').trim()].slice(0, MOST).join('')).data;

/** Finds look-alikes of the text; undefined while the index is not ready. */
const findAlikes = async ({ lookAlikes }: PageContext, asked: string): Promise<Alikes | undefined> => {
  try {
    return await lookAlikes(asked);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'unavailable') return undefined;
    throw error;
  }
};

/** Lists brokers with a name, an address or a number similar to the text, for a mistyped search. */
const listSimilar = async (context: PageContext, alikes: Alikes): Promise<Html | undefined> => {
  const { search } = context.texts.find;
  const found = await readFound(context, alikes);
  if (found.length === 0) return undefined;
  return html`<h3>${search.similar}</h3>
<p>${search.similarText}</p>
<ul>${found.map(({ broker, evidence }) => {
    const mark = statusMark(context, broker.status);
    return html`<li><a href="${addressFor(context, `/brokers/${broker.slug}`)}">${toBdi(broker.name)}</a>${mark && html` ${mark}`}. ${context.texts.find.row.warnings}: ${warningLine(context, broker.warnings)}${evidenceList(context, evidence)}</li>
`;
  })}</ul>
`;
};

const renderNothing = async (context: PageContext, asked: string): Promise<Html> => {
  const { search } = context.texts.find;
  const alikes = await findAlikes(context, asked);
  const warnings = alikes?.warnings ?? [];
  const next = html`${
    warnings.length > 0
      ? html`<h3 class="alarm">${search.warned}</h3>\n<ul class="founds">${warnings.map((one) => warningItem(context, one))}</ul>`
      : html`<p>${search.noneText}</p>`
  }
${alikes && (await listSimilar(context, alikes))}<h3>${search.next}</h3>
<form method="post" action="${addressIn(context, '/check')}"><input type="hidden" name="text" value="${asked}">${hiddenResidence(context)}
<p>${search.nextClone} <button>${search.check}</button></p></form>
<ul>
<li>${search.nextSpelling}</li>
<li><a href="${addressIn(context, '/regulators')}">${search.nextRegister}</a></li>
<li><a href="${addressFor(context, '/brokers')}">${search.nextList}</a></li>
</ul>`;
  return nothingFound(search.none({ asked: isolateText(asked) }), next);
};

const results = async (context: PageContext, asked: string): Promise<Html> => {
  const { texts, format, client } = context;
  const { search } = texts.find;
  const { data } = await client.search({ q: asked });
  if (data.length === 0) return renderNothing(context, asked);
  const isCut = data.length === SEARCH_RESULTS;
  const caption = isCut ? search.cut({ most: format.number(SEARCH_RESULTS) }) : search.found({ count: data.length });
  return brokerTable(context, caption, data);
};

/** The results of a search, with a form for the next one. */
export const search = definePage(
  '/search',
  { params: z.object({}), query: z.object({ q: z.string().optional(), residence: Residence }) },
  async (context, { query: { q } }) => {
    const words = context.texts.find.search;
    const asked = askedText(q);
    const isCut = [...(q ?? '').trim()].length > MOST;
    return {
      html: layout(context, {
        title: asked === undefined ? words.title : `${asked} · ${words.title}`,
        description: words.description,
        isUnlisted: true,
        hasSearch: false,
        body: html`<h1>${asked === undefined ? words.title : words.titleFor}</h1>
${wideSearch(context, asked)}
${isCut && html`<p role="status">${words.tooLong({ most: context.format.number(MOST) })}</p>`}
${asked !== undefined && (await results(context, asked))}`,
      }),
    };
  },
);
