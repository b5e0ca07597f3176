import { ACCOUNT_BASE_PATH, BASE_PATH, TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { METHODOLOGIES } from '@broker-transparency/contract/score';
import * as z from 'zod';
import { guideLists, problemLinks } from '../docs/pages.ts';
import { listCalls, referencePath } from '../docs/reference.ts';
import { definePage, type Page, type PageContext } from '../page.ts';
import { renderBrokersSitemap, renderPagesSitemap, renderSitemapIndex } from '../spread/sitemap.ts';
import { FEEDS } from './feeds.ts';

const XML = 'application/xml; charset=utf-8';
const NOTHING = { params: z.object({}), query: z.object({}) };

/** Pages that no search engine lists: their contents depend on the query, or they have moved. */
const UNLISTED: ReadonlySet<string> = new Set(['/search', '/compare', '/docs/search', '/docs/reference']);

const isListed = ({ path, isTranslated }: Page): boolean => isTranslated && !/[:.]/.test(path) && !UNLISTED.has(path);

/** Returns the addresses of pages with parameters, except those of brokers. */
const othersBy = async (context: PageContext): Promise<string[]> => {
  const { client, library } = context;
  const { data } = await client.regulators.list();
  return [
    ...data.map(({ code }) => `/regulators/${code}`),
    ...METHODOLOGIES.map(({ version }) => `/methodology/${version}`),
    ...[...guideLists(context).flatMap(({ links }) => links), ...problemLinks()].map(({ path }) => path),
    ...library.apis().flatMap((api) => [referencePath(api), ...listCalls(api).map((call) => referencePath(api, call))]),
  ];
};

const robots = definePage('/robots.txt', { ...NOTHING, isTranslated: false }, async ({ publicUrl }) => ({
  text: `User-agent: *
${[BASE_PATH, ACCOUNT_BASE_PATH, TRANSPARENCY_BASE_PATH].map((path) => `Disallow: ${path}/`).join('\n')}
Disallow: /enterprise/
Sitemap: ${publicUrl}/sitemap.xml
`,
  contentType: 'text/plain; charset=utf-8',
}));

const index = definePage('/sitemap.xml', { ...NOTHING, isTranslated: false }, async (context) => ({
  text: renderSitemapIndex(context),
  contentType: XML,
}));

/** Returns the files for machines, for a site with these pages. */
export const forMachines = (pages: readonly Page[]): readonly Page[] => {
  const others = pages.filter(isListed).map(({ path }) => path);
  const part = definePage(
    '/sitemaps/:file',
    {
      params: z.object({ file: z.string().regex(/^(?:pages|brokers-[1-9]\d{0,3})\.xml$/) }),
      query: z.object({}),
      isTranslated: false,
    },
    async (context, { params: { file } }) => {
      const number = /\d+/.exec(file)?.[0];
      const text =
        number === undefined
          ? renderPagesSitemap(context, [...others, ...(await othersBy(context))])
          : renderBrokersSitemap(context, Number(number));
      return text === undefined ? { isMissing: true } : { text, contentType: XML };
    },
  );
  return [...FEEDS, robots, index, part];
};
