import { type Html, html, raw, stripTurning } from './html.ts';
import { addressIn, LANGUAGES, type Language } from './languages.ts';
import type { AssetName, PageContext } from './page.ts';
import { feedHead } from './parts/follow.ts';
import { findResidence } from './parts/residence.ts';
import { headerSearch } from './parts/search-form.ts';
import { mark } from './pictures/mark.ts';
import { SHARED } from './pictures/picture.ts';
import { MANIFEST_PATH, TOUCH_ICON } from './pictures/touch-icon.ts';
import { SERVICE_NAME } from './service.ts';
import { FEED_PATH } from './spread/atom.ts';

const SITE_PICTURE = '/card.png';
/** Age in milliseconds from which a page marks its data as old. */
const OLD_MS = 120_000;

interface Content {
  readonly title: string;
  /** For search engines and previews. */
  readonly description: string;
  readonly body: Html;
  /** Scripts of the page, which must be complete without them. */
  readonly scripts?: readonly AssetName[];
  /** Additional elements of the head, such as structured data. */
  readonly head?: Html;
  /** True if search engines should skip it. */
  readonly isUnlisted?: boolean;
  /** True if it is in one language only. */
  readonly isUntranslated?: boolean;
  /** True if the search is at the top; false if the page itself begins with one. */
  readonly hasSearch?: boolean;
  /** Picture beside links to the page; that of the site by default. */
  readonly picture?: PagePicture;
}

interface PagePicture {
  /** Path without a language. */
  readonly path: string;
  /** Describes it in words. */
  readonly alt: string;
}

const MENU = [
  ['brokers', '/brokers'],
  ['regulators', '/regulators'],
  ['news', '/news'],
  ['check', '/check'],
  ['methodology', '/methodology'],
  ['docs', '/docs'],
  ['mine', '/mine'],
] as const;

/** The part of the page context that the frame uses. */
export type FrameContext = Pick<PageContext, 'texts' | 'prefix' | 'path' | 'has'> & Partial<Pick<PageContext, 'query'>>;

export interface Frame extends Pick<Content, 'title' | 'description' | 'body'> {
  /** Style, scripts and metadata in the head. */
  readonly head: Html;
  readonly search?: Html | false;
  /** Notice above the content. */
  readonly notice?: Html | false | null;
  readonly footer: Html;
}

const menuLinks = ({ texts, prefix, path, has, query = '' }: FrameContext): Html => {
  const residence = findResidence({ query });
  const keep = (name: (typeof MENU)[number][0]): string =>
    residence !== undefined && (name === 'brokers' || name === 'check') ? `?residence=${residence}` : '';
  return html`<ul>${MENU.filter(([, at]) => has(at)).map(([name, at]) => {
    const current = path === at || path.startsWith(`${at}/`);
    return html`<li><a href="${prefix}${at}${keep(name)}"${current && raw(' aria-current="page"')}>${texts.site[name]}</a></li>`;
  })}</ul>`;
};

/** Renders the main pages, in a row or folded if there is no room. Only one of the two is displayed. */
const menu = (context: FrameContext): Html => {
  const { menu: label, fold } = context.texts.site;
  return html`
<nav class="menu" aria-label="${label}">${menuLinks(context)}</nav>
<details class="menu-fold"><summary>${fold}</summary><nav aria-label="${label}">${menuLinks(context)}</nav></details>`;
};

/** @param toHref returns the address of the page in a language */
const languages = ({ texts }: FrameContext, toHref: (language: Language) => string): Html => html`
<ul class="languages" aria-label="${texts.site.language}">${LANGUAGES.map(
  (language) =>
    html`<li><a href="${toHref(language)}" hreflang="${language.texts.code}" lang="${language.texts.code}"${
      language.texts === texts && raw(' aria-current="true"')
    }>${language.texts.name}</a></li>`,
)}</ul>`;

const alternates = ({ publicUrl, path }: PageContext): Html[] => [
  ...LANGUAGES.map(
    (language) =>
      html`<link rel="alternate" hreflang="${language.texts.code}" href="${publicUrl}${addressIn(language, path)}">
`,
  ),
  html`<link rel="alternate" hreflang="x-default" href="${publicUrl}${path}">\n`,
];

/** Renders the addresses for search engines. An unlisted page has none. */
const found = (context: PageContext): Html => {
  const address = `${context.publicUrl}${addressIn(context, context.path)}`;
  return html`<link rel="canonical" href="${address}">
${alternates(context)}<meta property="og:url" content="${address}">
`;
};

const pictureTags = (context: PageContext, { path, alt }: PagePicture): Html => html`
<meta property="og:image" content="${context.publicUrl}${addressIn(context, path)}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${SHARED.width}">
<meta property="og:image:height" content="${SHARED.height}">
<meta property="og:image:alt" content="${alt}">
<meta name="twitter:card" content="summary_large_image">`;

/** Renders what other services show of a page beside a link to it. */
const preview = (context: PageContext, { title, description, picture }: Content): Html => {
  const { texts, has } = context;
  const shown = picture ?? { path: SITE_PICTURE, alt: `${SERVICE_NAME}: ${texts.home.title}` };
  return html`<meta property="og:type" content="website">
<meta property="og:site_name" content="${SERVICE_NAME}">
<meta property="og:title" content="${stripTurning(title)}">
<meta property="og:description" content="${stripTurning(description)}">
<meta property="og:locale" content="${texts.locale.replace('-', '_')}">${has(SITE_PICTURE) && pictureTags(context, shown)}
`;
};

const icons = (context: PageContext): Html => {
  const { asset, has } = context;
  return html`<link rel="icon" type="image/svg+xml" href="${asset('icon.svg')}">
${has(TOUCH_ICON.path) && html`<link rel="apple-touch-icon" href="${TOUCH_ICON.path}">\n`}${
  has(MANIFEST_PATH) && html`<link rel="manifest" href="${addressIn(context, MANIFEST_PATH)}">\n`
}`;
};

/** Renders what search engines, other services and readers of feeds see of a page. */
const metadata = (context: PageContext, content: Content): Html =>
  html`${content.isUnlisted ? raw('<meta name="robots" content="noindex">\n') : found(context)}${preview(context, content)}${context.has(FEED_PATH) && feedHead(context, FEED_PATH, context.texts.spread.feed)}`;

/** Renders the links to who answers for the service, in the footer of every page. */
const operatorLinks = (context: Pick<FrameContext, 'texts' | 'prefix' | 'has'>): Html => {
  const { label, pages } = context.texts.operator;
  const links = Object.entries(pages).filter(([name]) => context.has(`/${name}`));
  return html`${
    links.length > 0 &&
    html`
<ul class="operator-links" aria-label="${label}">${links.map(
      ([name, title]) => html`<li><a href="${addressIn(context, `/${name}`)}">${title}</a></li>`,
    )}</ul>`
  }`;
};

/**
 * Renders the footer of every page.
 * @param toHref returns the address of the page in a language; undefined if the page is in one language only
 */
export const siteFooter = (
  context: FrameContext,
  line: Html | undefined,
  toHref: ((language: Language) => string) | undefined,
): Html => {
  const { texts, prefix } = context;
  return html`${line && html`<p>${line}</p>\n`}<ul><li><a href="${prefix}/status">${texts.site.status}</a></li><li><a href="${prefix}/docs">${texts.site.docs}</a></li></ul>${toHref && languages(context, toHref)}${operatorLinks(context)}`;
};

/** Renders the frame of all pages. */
export const frame = (
  context: FrameContext,
  { title, description, head, search, notice, body, footer }: Frame,
): Html => {
  const { texts, has } = context;
  return html`<!doctype html>
<html lang="${texts.code}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${stripTurning(title)} · ${SERVICE_NAME}</title>
<meta name="description" content="${stripTurning(description)}">
<meta name="color-scheme" content="light dark">
${head}</head>
<body>
<a class="skip" href="#content">${texts.site.skip}</a>
<header class="site-header">
<a class="brand" href="${addressIn(context, has('/') ? '/' : '/docs')}">${mark()}<span>${SERVICE_NAME}</span></a>${menu(context)}${search}
</header>
${notice}
<main id="content">
${body}
</main>
<footer class="site-footer">
${footer}
</footer>
</body>
</html>
`;
};

/** Renders a whole page in a language, with the search and with scripts if it has some. */
export const layout = (context: PageContext, content: Content): Html => {
  const { title, description, body, scripts = [], head, hasSearch = true } = content;
  const { texts, format, asset, now, has } = context;
  const asOf = context.asOf();
  const isOld = now.getTime() - asOf.getTime() > OLD_MS;
  return frame(context, {
    title,
    description,
    head: html`${metadata(context, content)}${icons(context)}<link rel="stylesheet" href="${asset('site.css')}">
${head}${['search.js' as const, ...scripts].map((name) => html`<script type="module" src="${asset(name)}"></script>\n`)}`,
    search: hasSearch && has('/search') && headerSearch(context),
    notice:
      isOld && html`<p class="old" role="status">${texts.site.old({ time: format.time(asOf.toISOString()) })}</p>`,
    body,
    footer: siteFooter(
      context,
      html`${texts.site.asOf({ time: format.time(asOf.toISOString()) })} ${texts.site.notAdvice}`,
      content.isUntranslated ? undefined : (language) => `${addressIn(language, context.path)}${context.query}`,
    ),
  });
};
