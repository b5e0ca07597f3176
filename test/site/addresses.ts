import { HOSTILE } from './hostile.ts';

/**
 * Where each page of the site is looked at, by the template of its path. A page that names no address here fails the
 * tests: nobody has looked at it.
 */
export const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  '/': ['/', '/de'],
  '/embed/brokers/:slug': ['/embed/brokers/alpha-markets', `/embed/brokers/${HOSTILE}`],
  '/brokers/:slug/reviews': ['/brokers/alpha-markets/reviews', `/brokers/${HOSTILE}/reviews`],
  '/brokers/:slug': ['/brokers/alpha-markets', `/brokers/${HOSTILE}`, '/de/brokers/alpha-markets'],
  '/methodology': ['/methodology', '/de/methodology'],
  '/methodology/:version': [
    '/methodology/2026-3',
    `/methodology/2026-3?broker=${HOSTILE}`,
    '/de/methodology/2026-1?broker=alpha-markets&closed=40&warning=unchecked',
  ],
};

/** What the site has besides pages, each with its media type. */
export const FILES: Readonly<Record<string, readonly [path: string, type: string]>> = {
  '/badges/:file': ['/badges/alpha-markets.svg', 'image/svg+xml'],
  '/feeds/news.atom': ['/feeds/news.atom', 'application/atom+xml'],
  '/robots.txt': ['/robots.txt', 'text/plain'],
  '/sitemap.xml': ['/sitemap.xml', 'application/xml'],
  '/sitemaps/:file': ['/sitemaps/brokers-1.xml', 'application/xml'],
};

/** Pages in place of one that cannot be shown, with their status. */
export const ERRORS: Readonly<Record<string, number>> = {
  '/no-such-page': 404,
  '/de/brokers/no-such-broker': 404,
};
