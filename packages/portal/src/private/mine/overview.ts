import { Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { wordFor } from '../../words.ts';
import { privateLayout } from '../frame.ts';
import { definePrivatePage, type PrivateContext } from '../page.ts';
import { listDrafts } from '../write/drafts.ts';
import type { OwnList } from './actions.ts';
import { readBrokerName, requireMine } from './parts.ts';

const Reference = z.string().regex(/^[A-Za-z0-9-]{1,40}$/);
const QUERY = z.object({
  reviews: Reference.optional().catch(undefined),
  complaints: Reference.optional().catch(undefined),
  reports: Reference.optional().catch(undefined),
});
type ListName = keyof z.infer<typeof QUERY>;

/** A row of one of the lists. */
interface OwnRow {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly state: string;
  readonly at: string;
}

const readNames = async (context: PrivateContext, slugs: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  new Map(
    await Promise.all(
      [...new Set(slugs.filter((slug) => Slug.safeParse(slug).success))].map(
        async (slug) => [slug, await readBrokerName(context, slug)] as const,
      ),
    ),
  );

const listSection = async (
  context: PrivateContext,
  name: ListName,
  { rows, hasMore }: OwnList<OwnRow>,
  isFirst: boolean,
): Promise<Html> => {
  const { mine } = context.texts;
  const names = await readNames(
    context,
    rows.map(({ slug }) => slug),
  );
  const last = rows.at(-1);
  return html`<h2 id="${name}">${mine.sections[name]}</h2>
${
  rows.length === 0
    ? html`<p>${mine.none[name]}</p>\n`
    : html`<ul class="own-list">${rows.map(
        ({ id, slug, title, state, at }) =>
          html`<li><a href="${addressIn(context, `/mine/${name}/${id}`)}">${toBdi(title)}</a> <span class="soft">${mine.about} ${toBdi(names.get(slug) ?? slug)}, ${mine.on({ day: context.format.day(at) })}: ${state}</span></li>\n`,
      )}</ul>\n`
}${!isFirst && html`<p><a href="${addressIn(context, '/mine')}">${mine.newest}</a></p>\n`}${
  hasMore &&
  last &&
  html`<p><a href="${addressIn(context, '/mine')}?${name}=${last.id}#${name}">${mine.older}</a></p>\n`
}${name !== 'reports' && html`<p><a href="${addressIn(context, `/write/${name === 'reviews' ? 'review' : 'complaint'}`)}">${mine.write[name === 'reviews' ? 'review' : 'complaint']}</a></p>\n`}`;
};

const mapRows = <T>({ rows, hasMore }: OwnList<T>, toRow: (row: T) => OwnRow): OwnList<OwnRow> => ({
  rows: rows.map(toRow),
  hasMore,
});

/** Renders links to the pages of people who answer for a broker, and of operators. */
const workLinks = (context: PrivateContext): Html => {
  const { visitor, texts } = context;
  const { links } = texts.mine;
  return html`${(visitor?.brokers.length ?? 0) > 0 && html`<p><a href="${addressIn(context, '/answer')}">${links.answer}</a></p>\n`}${
    visitor?.operator && html`<p><a href="/desk">${links.desk}</a></p>\n`
  }`;
};

/** All that a person wrote, with its state. */
export const overview = definePrivatePage(
  '/mine',
  { params: z.object({}), query: QUERY, needs: 'person' },
  {
    render: async (context, { query }) => {
      const { mine, broker } = context.texts;
      const actions = requireMine(context);
      const after = query.complaints === undefined ? undefined : { reference: query.complaints };
      const [reviews, complaints, reports] = await Promise.all([
        actions.listReviews(query.reviews),
        actions.listComplaints(after),
        actions.listReports(query.reports),
      ]);
      const lists: readonly (readonly [ListName, OwnList<OwnRow>])[] = [
        [
          'reviews',
          mapRows(reviews, ({ id, brokerSlug: slug, title, status, createdAt: at }) => {
            return { id, slug, title, state: wordFor(mine.review.short, status), at };
          }),
        ],
        [
          'complaints',
          mapRows(complaints, ({ reference: id, brokerSlug: slug, title, status, createdAt: at }) => {
            return { id, slug, title, state: wordFor(mine.complaint.states, status), at };
          }),
        ],
        [
          'reports',
          mapRows(reports, ({ id, brokerSlug: slug, reason, status, outcome, createdAt: at }) => {
            const state =
              outcome === null ? wordFor(mine.report.states, status) : wordFor(mine.report.outcomes, outcome);
            return { id, slug, title: wordFor(broker.moderation.reasons, reason), state, at };
          }),
        ],
      ];
      const sections = await Promise.all(
        lists.map(([name, list]) => listSection(context, name, list, query[name] === undefined)),
      );
      return {
        html: privateLayout(context, {
          title: mine.title,
          body: html`<p class="lead">${mine.lead}</p>
${workLinks(context)}${await listDrafts(context)}${sections}<h2>${mine.own}</h2>
<ul>${(['mail', 'sessions', 'export', 'erase'] as const).map(
            (name) => html`<li><a href="${addressIn(context, `/mine/${name}`)}">${mine.links[name]}</a></li>\n`,
          )}</ul>
`,
        }),
      };
    },
  },
);
