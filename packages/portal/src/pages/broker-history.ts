import type { BrokerDetail } from '@broker-transparency/client';
import { CalendarDate, QueryInteger, Slug, TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import * as z from 'zod';
import { licenseTimeline } from '../charts/license-timeline.ts';
import { scoreParts } from '../charts/score-parts.ts';
import { type LastSteps, readScoreHistory, readSteps } from '../history.ts';
import { type Html, html, toBdi } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import { definePage, type PageContext } from '../page.ts';
import { addressFor, hiddenResidence, queryFor, Residence } from '../parts/residence.ts';
import { storyChart } from '../story/chart.ts';
import { storyList } from '../story/list.ts';
import { readStory } from '../story/read.ts';
import { changeItem, scoreWords } from './broker-history/changes.ts';

/** Sample requests of programs for a broker's record. */
const EXAMPLES = [
  '/at?knownAt=2026-03-10T00:00:00Z',
  '/at?knownAt=31&validAt=2026-03-10T00:00:00Z',
  '/history?per=day',
] as const;

/** Returns the UTC day of a time. */
const toDay = (time: string): string => time.slice(0, 10);
const getToday = ({ now }: PageContext): string => toDay(now.toISOString());

/** Renders a form that needs no script: the same page for a day. */
const dayForm = (context: PageContext, { slug, since }: LastSteps, on: string | undefined): Html => {
  const said = context.texts.history;
  return html`<form class="on-day" action="${addressIn(context, `/brokers/${slug}/history`)}#on" method="get">
<label for="on-day">${said.day}</label>
<input id="on-day" type="date" name="on" required min="${toDay(since)}" max="${getToday(context)}"${on && html` value="${on}"`}>
${hiddenResidence(context)}<button>${said.show}</button>
</form>`;
};

/** Returns the end of a day, or now if the day is not over. */
const findEndOfDay = (day: string, now: Date): string => {
  const end = `${day}T23:59:59.999Z`;
  return end < now.toISOString() ? end : now.toISOString();
};

/** Renders the published facts of the broker at the end of a day, as known then. */
const renderDay = async (context: PageContext, { slug }: BrokerDetail, day: string): Promise<Html> => {
  const { texts, format, now, client } = context;
  const said = texts.history;
  const time = findEndOfDay(day, now);
  const { data, error } = await client.safe.record.brokers.at(slug, { knownAt: time, validAt: time });
  if (error && error.code !== 'broker_not_found') throw error;
  const href = `${TRANSPARENCY_BASE_PATH}/brokers/${slug}/at?knownAt=${time}&validAt=${time}`;
  const title = html`<h3>${day === getToday(context) ? said.today({ time: format.time(time) }) : said.on({ day: format.day(day) })}</h3>`;
  if (!data) return html`${title}<p>${said.nothing}</p>`;
  const { score } = data;
  return html`${title}
<p class="lead">${scoreWords(context, score.value, score.color)}</p>
<p>${said.methodology({ version: score.methodologyVersion })} <a href="${href}">${said.allFacts}</a></p>
${scoreParts(context, { slug, score, href })}`;
};

const renderReading = async (
  context: PageContext,
  { broker, found }: { readonly broker: BrokerDetail; readonly found: LastSteps },
  on: string | undefined,
): Promise<Html> => {
  const said = context.texts.history;
  const base = `${TRANSPARENCY_BASE_PATH}/brokers/${broker.slug}`;
  return html`<h2 id="on">${said.anyTime}</h2>
<p>${said.anyTimeLead}</p>
${dayForm(context, found, on)}
${on && (await renderDay(context, broker, on))}
<p>${said.machines}</p>
<ul>${EXAMPLES.map((example) => html`<li><code>${base}${example}</code></li>`)}</ul>
`;
};

/** Returns whether the service signs a log: its entries have proofs, the newest ones within moments. */
const hasProof = async ({ client }: PageContext, { slug }: BrokerDetail, { steps }: LastSteps): Promise<boolean> => {
  const number = steps[0]?.number;
  return number !== undefined && (await client.safe.record.brokers.proof(slug, { number })).error === undefined;
};

/** Renders links to newer and older changes. */
const pager = (context: PageContext, path: string, { next, older }: LastSteps): Html | false => {
  const said = context.texts.history;
  const isNewest = next === null;
  if (isNewest && older === undefined) return false;
  return html`<nav aria-label="${said.pages}"><ul class="pager">${
    !isNewest && html`<li><a href="${addressFor(context, path)}#changes">${said.newest}</a></li>`
  }${
    older !== undefined &&
    html`<li><a rel="next" href="${addressFor(context, path, { before: older })}#changes">${said.older}</a></li>`
  }</ul></nav>
`;
};

const changeList = async (context: PageContext, broker: BrokerDetail, found: LastSteps): Promise<Html> => {
  const said = context.texts.history;
  const changes = found.steps;
  const words = { ...context, isProven: await hasProof(context, broker, found) };
  return html`<h2 id="changes">${said.changes}</h2>
<p>${said.changesLead}</p>
${changes.length === 0 && html`<p>${said.noMore}</p>`}<ol class="changes" reversed>
${changes.toReversed().map((change) => changeItem(words, broker.slug, change))}</ol>
${pager(context, `/brokers/${broker.slug}/history`, found)}`;
};

const renderStory = async (context: PageContext, broker: BrokerDetail, found: LastSteps): Promise<Html> => {
  const said = context.texts.story;
  const [history, { items, cutAt }] = await Promise.all([
    readScoreHistory(context, broker.slug),
    readStory(context, found),
  ]);
  return html`<h2 id="story">${said.title}</h2>
<p>${said.lead}</p>
${storyChart(context, broker, { history, items, hasLinks: true })}${licenseTimeline(context, broker)}${storyList(context, broker.slug, items)}${
  cutAt !== undefined && html`<p>${said.cut({ day: context.format.day(cutAt) })}</p>`
}
`;
};

/** Returns the earlier one of two days. */
const chooseEarlier = (one: string, other: string): string => (one < other ? one : other);

/**
 * All published changes of a broker, with the score after each. The page has few addresses: a day from the first one to
 * today, or the first number of a change before which it begins. Any other address redirects to the nearest of these.
 */
export const brokerHistory = definePage(
  '/brokers/:slug/history',
  {
    params: z.object({ slug: Slug }),
    query: z.object({
      on: CalendarDate.optional(),
      before: QueryInteger(1, 999_999_999).optional(),
      residence: Residence,
    }),
    costs: 'history',
  },
  async (context, { params, query }) => {
    const { texts, client } = context;
    const broker = await client.brokers.get(params.slug);
    const said = texts.history;
    const movedTo = `/brokers/${broker.slug}/history`;
    if (broker.slug !== params.slug) return { movedTo };
    if (query.on !== undefined && (query.before !== undefined || query.on > getToday(context)))
      return { movedTo, query: queryFor(context, { on: chooseEarlier(query.on, getToday(context)) }) };
    const found = await readSteps(context, broker.slug, query.before);
    if (query.before !== undefined && query.before !== found.next)
      return { movedTo, query: queryFor(context, { before: found.next ?? undefined }) };
    const firstDay = chooseEarlier(toDay(found.since), getToday(context));
    if (query.on !== undefined && query.on < firstDay) return { movedTo, query: queryFor(context, { on: firstDay }) };
    const story = query.before === undefined && (await renderStory(context, broker, found));
    return {
      html: layout(context, {
        title: said.title({ name: broker.name }),
        description: said.description({ name: broker.name }),
        picture: { path: `/brokers/${broker.slug}/story.png`, alt: said.pictureAlt({ name: broker.name }) },
        isUnlisted: query.before !== undefined || query.on !== undefined,
        body: html`<h1>${said.heading} ${toBdi(broker.name)}</h1>
<p><a href="${addressFor(context, `/brokers/${broker.slug}`)}">${said.back}</a></p>
${story}${await changeList(context, broker, found)}${await renderReading(context, { broker, found }, query.on)}`,
      }),
    };
  },
);
