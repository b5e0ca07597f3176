import { html } from '../html.ts';
import { addressIn, LANGUAGES } from '../languages.ts';
import type { PageContext } from '../page.ts';

/** Maximum number of addresses per file. */
const PART = 10_000;
/** Number of brokers per file: each has a page in each language. */
const BROKERS = Math.floor(PART / LANGUAGES.length);

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

type SitemapContext = Pick<PageContext, 'publicUrl' | 'slugs'>;

const renderUrlSet = ({ publicUrl }: SitemapContext, paths: readonly string[]): string =>
  html`<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="${NAMESPACE}">
${paths.flatMap((path) =>
  LANGUAGES.map((language) => html`<url><loc>${publicUrl}${addressIn(language, path)}</loc></url>\n`),
)}</urlset>
`.text;

/** Returns the number of files for brokers. */
const countParts = ({ slugs }: SitemapContext): number => {
  let parts = 0;
  while (slugs(1, parts * BROKERS).length > 0) parts++;
  return parts;
};

/** Renders the index of all files: the one for other pages, and those for brokers. */
export const renderSitemapIndex = (site: SitemapContext): string => {
  const names = ['pages', ...Array.from({ length: countParts(site) }, (_, at) => `brokers-${at + 1}`)];
  return html`<?xml version="1.0" encoding="utf-8"?>
<sitemapindex xmlns="${NAMESPACE}">
${names.map((name) => html`<sitemap><loc>${site.publicUrl}/sitemaps/${name}.xml</loc></sitemap>\n`)}</sitemapindex>
`.text;
};

/** Renders the sitemap of all pages except those of brokers. */
export const renderPagesSitemap = (site: SitemapContext, paths: readonly string[]): string => renderUrlSet(site, paths);

/** Renders a file of brokers, counted from 1; undefined beyond the last one. */
export const renderBrokersSitemap = (site: SitemapContext, part: number): string | undefined => {
  const slugs = site.slugs(BROKERS, (part - 1) * BROKERS);
  return slugs.length === 0
    ? undefined
    : renderUrlSet(
        site,
        slugs.map((slug) => `/brokers/${slug}`),
      );
};
