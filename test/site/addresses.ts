import { HOSTILE } from './hostile.ts';

/**
 * An example address of each page of the site, by the template of its path. Tests fail for a page without one, since
 * nobody has looked at it.
 */
export const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  '/': ['/', '/de', '/es'],
  '/search': ['/search?q=alpha', '/search?q=nothing-like-it', `/search?q=${'x'.repeat(100)}`, '/de/search?q=qqqzzz'],
  '/brokers': ['/brokers', '/de/brokers?color=red'],
  '/compare': ['/compare', `/compare?a=alpha-markets&b=${HOSTILE}`],
  '/regulators': ['/regulators'],
  '/regulators/:code': ['/regulators/fca'],
  '/news': ['/news'],
  '/check': ['/check', '/de/check', '/es/check'],
  '/embed/brokers/:slug': ['/embed/brokers/alpha-markets', `/embed/brokers/${HOSTILE}`],
  '/embed/brokers/:slug/story': ['/embed/brokers/alpha-markets/story', `/embed/brokers/${HOSTILE}/story`],
  '/brokers/:slug/proof': [
    '/brokers/alpha-markets/proof',
    `/brokers/${HOSTILE}/proof`,
    '/de/brokers/alpha-markets/proof',
  ],
  '/brokers/:slug/history': ['/brokers/alpha-markets/history', `/brokers/${HOSTILE}/history`],
  '/brokers/:slug/reviews': ['/brokers/alpha-markets/reviews', `/brokers/${HOSTILE}/reviews`],
  '/brokers/:slug/dispute': [
    '/brokers/alpha-markets/dispute',
    `/brokers/${HOSTILE}/dispute`,
    '/de/brokers/alpha-markets/dispute',
  ],
  '/brokers/:slug': [
    '/brokers/alpha-markets',
    `/brokers/${HOSTILE}`,
    '/de/brokers/alpha-markets',
    '/es/brokers/alpha-markets?residence=ES',
  ],
  '/docs': ['/docs', '/de/docs'],
  '/docs/operating': ['/docs/operating'],
  '/follow': [
    '/follow',
    '/follow?broker=alpha-markets',
    `/follow?broker=${HOSTILE}`,
    '/de/follow?broker=alpha-markets',
  ],
  '/follow/confirm/:token': [`/follow/confirm/${'0a'.repeat(20)}`],
  '/write/review': [
    '/write/review',
    '/de/write/review?q=alpha',
    '/write/review?broker=alpha-markets',
    `/write/review?broker=${HOSTILE}`,
  ],
  '/write/complaint': [
    '/write/complaint',
    '/de/write/complaint?broker=alpha-markets',
    `/write/complaint?broker=${HOSTILE}`,
  ],
  '/mine/erased': ['/mine/erased', '/de/mine/erased'],
  '/sign-out': ['/sign-out', '/de/sign-out'],
  '/sign-in': ['/sign-in', '/de/sign-in', '/sign-in?problem=blocked&to=/news'],
  '/follow/mine/:token': [`/follow/mine/s_${'0a'.repeat(15)}`, `/de/follow/mine/s_${'0a'.repeat(15)}`],
  '/docs/guides/:name': ['/docs/guides/api'],
  '/docs/reference/:api': ['/docs/reference/api'],
  '/docs/reference/:api/:call': ['/docs/reference/api/brokers-get'],
  '/docs/search': ['/docs/search?q=score'],
  '/problems': ['/problems'],
  '/problems/:code': ['/problems/rate_limited'],
  '/methodology': ['/methodology', '/de/methodology'],
  '/methodology/:version': [
    '/methodology/2026-1',
    `/methodology/2026-1?broker=${HOSTILE}`,
    '/de/methodology/2026-1?broker=alpha-markets&closed=40&warning=unchecked',
  ],
  '/about': ['/about', '/de/about'],
  '/contact': ['/contact'],
  '/imprint': ['/imprint', '/de/imprint'],
  '/privacy': ['/privacy', '/de/privacy'],
  '/terms': ['/terms'],
  '/corrections': ['/corrections', '/de/corrections'],
  '/moderation': ['/moderation', '/de/moderation'],
  '/independence': ['/independence', '/de/independence'],
};

/** Settings of a service that sends mail: it has the pages of followers. It sends none while it is looked at. */
export const MAIL = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Ratings <mail@ratings.example>',
  PUBLIC_URL: 'http://ratings.example',
  JOBS: 'off',
};

/** Pages that are one file each, with their style and script: they can be kept, and opened from a disk. */
export const ALONE = ['/status', '/de/status', '/verify', '/de/verify'];

/** Addresses of the site besides pages, each with its media type. */
export const FILES: Readonly<Record<string, readonly [path: string, type: string]>> = {
  '/docs/headings.json': ['/docs/headings.json', 'application/json'],
  '/badges/:file': ['/badges/alpha-markets.svg', 'image/svg+xml'],
  '/brokers/:slug/card.png': ['/brokers/alpha-markets/card.png', 'image/png'],
  '/brokers/:slug/story.png': ['/brokers/alpha-markets/story.png', 'image/png'],
  '/card.png': ['/card.png', 'image/png'],
  '/site.webmanifest': ['/site.webmanifest', 'application/manifest+json'],
  '/apple-touch-icon.png': ['/apple-touch-icon.png', 'image/png'],
  '/feeds/news.atom': ['/feeds/news.atom', 'application/atom+xml'],
  '/brokers/:slug/feed.atom': ['/brokers/alpha-markets/feed.atom', 'application/atom+xml'],
  '/regulators/:code/feed.atom': ['/regulators/fca/feed.atom', 'application/atom+xml'],
  '/warnings/:country/feed.atom': ['/warnings/gb/feed.atom', 'application/atom+xml'],
  '/.well-known/security.txt': ['/.well-known/security.txt', 'text/plain'],
  '/robots.txt': ['/robots.txt', 'text/plain'],
  '/sitemap.xml': ['/sitemap.xml', 'application/xml'],
  '/sitemaps/:file': ['/sitemaps/brokers-1.xml', 'application/xml'],
};

/** Addresses that lead to another page, each with its own. */
export const MOVED: Readonly<Record<string, string>> = {
  '/docs/reference': '/docs/reference/api',
  '/favicon.ico': '/apple-touch-icon.png',
};

/** Private pages that lead to another page while nobody is signed in and nothing is asked for. */
export const LEADING: Readonly<Record<string, string>> = {
  '/sign-in/code': '/sign-in?problem=gone',
  '/sign-in/provider': '/sign-in',
  '/sign-in/return': '/sign-in?problem=expired',
};

/** A link to sign in that was used. */
const USED = `/sign-in/link/${'0a'.repeat(20)}`;

/** Pages whose address is a secret that nobody has or a hash of nothing here, with their status. */
export const UNKNOWN: Readonly<Record<string, readonly [path: string, status: number]>> = {
  '/sign-in/link/:token': [USED, 410],
  '/case/:token': [`/case/${'0a'.repeat(20)}`, 410],
  '/marks/:file': [`/marks/${'0a'.repeat(16)}.png`, 404],
  '/reviews/:id/report': [`/reviews/${'0a'.repeat(12)}/report`, 404],
};

/** Pages in place of one that cannot be shown, with their status. */
export const ERRORS: Readonly<Record<string, number>> = {
  '/no-such-page': 404,
  '/de/brokers/no-such-broker': 404,
};
