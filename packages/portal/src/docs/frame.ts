import { type Html, html, raw } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import type { AssetName, PageContext } from '../page.ts';
import { prepareSearch } from './search.ts';

/** A link to a page: its title, and its address without the language. */
export interface PageLink {
  readonly title: string;
  readonly path: string;
}

/** A list of links with a title. */
export interface LinkList {
  readonly title: string;
  readonly links: readonly PageLink[];
  /** True if its links are in English in each language of the site. */
  readonly isEnglish?: boolean;
}

interface DocsContent {
  readonly title: string;
  readonly description: string;
  readonly body: Html;
  /** Pages above this one, below the first page of the documentation. */
  readonly above?: readonly PageLink[];
  /** Pages beside this one. */
  readonly siblings?: readonly LinkList[];
  readonly scripts?: readonly AssetName[];
  readonly isUnlisted?: boolean;
}

const ENGLISH = raw(' lang="en"');

const renderLists = (context: PageContext, siblings: readonly LinkList[]): Html => html`
<nav class="docs-nav" aria-label="${context.texts.docs.contents}">${siblings.map(
  ({ title, links, isEnglish }) => html`
<h2>${title}</h2>
<ul${isEnglish && ENGLISH}>${links.map(
    ({ title: name, path }) =>
      html`<li><a href="${addressIn(context, path)}"${path === context.path && raw(' aria-current="page"')}>${name}</a></li>\n`,
  )}</ul>`,
)}
</nav>`;

/** Renders links to the pages before and after this one, among its siblings. */
const renderSteps = (context: PageContext, siblings: readonly LinkList[]): Html | false => {
  const pages = siblings.flatMap(({ links, isEnglish }) => links.map((link) => ({ ...link, isEnglish })));
  const at = pages.findIndex(({ path }) => path === context.path);
  const [before, after] = at < 0 ? [] : [pages[at - 1], pages[at + 1]];
  const { previous, next } = context.texts.docs;
  const step = ({ path, title, isEnglish }: (typeof pages)[number], word: string, rel: string): Html =>
    html`<a rel="${rel}" href="${addressIn(context, path)}"><span class="soft">${word}</span> <span${isEnglish && ENGLISH}>${title}</span></a>\n`;
  return (
    (before || after) !== undefined &&
    html`<p class="docs-steps">${before && step(before, previous, 'prev')}${after && step(after, next, 'next')}</p>`
  );
};

/** Renders the pages above this one, from the first page of the documentation. */
const renderTrail = (context: PageContext, above: readonly PageLink[]): Html => {
  const { docs } = context.texts;
  const trail = [{ title: docs.home, path: '/docs' }, ...above];
  return html`<nav class="trail" aria-label="${docs.where}"><ol>${trail.map(
    (page) => html`<li><a href="${addressIn(context, page.path)}">${page.title}</a></li>`,
  )}</ol></nav>`;
};

/** Renders a page of the documentation: its position, its text, and the pages beside it. */
export const docsPage = (
  context: PageContext,
  { body, above = [], siblings = [], title, ...content }: DocsContent,
): Html => {
  const { docs } = context.texts;
  prepareSearch(context.library); // a reader may search next
  return layout(context, {
    ...content,
    title: `${title} · ${docs.title}`,
    body: html`<div class="docs${siblings.length > 0 && ' docs-beside'}">
<div class="docs-text">
${context.path !== '/docs' && renderTrail(context, above)}
${body}
${renderSteps(context, siblings)}
</div>${siblings.length > 0 && renderLists(context, siblings)}
</div>`,
  });
};

/** Marks text that is in English in each language of the site. */
export const wrapEnglish = (text: Html | readonly Html[]): Html => html`<div lang="en" dir="ltr">${text}</div>`;

/** Returns a text of the library whose links to pages of the site keep the language of the page. */
export const prefixLinks = (text: string, prefix: string): Html =>
  raw(
    prefix === ''
      ? text
      : text.replaceAll(/ href="(?=\/(?:docs|methodology)(?![^"]*\.(?:py|ndjson)"))/g, ` href="${prefix}`),
  );

/** Renders the search form of the documentation. It works without script. */
export const searchForm = (context: PageContext, query = ''): Html => {
  const { docs, site } = context.texts;
  return html`<form class="search docs-search" role="search" aria-label="${docs.search}" action="${addressIn(context, '/docs/search')}" method="get" data-headings="${addressIn(context, '/docs/headings.json')}">
<label for="docs-q">${docs.search}</label>
<span class="docs-field"><input id="docs-q" type="search" name="q" value="${query}" maxlength="100" autocomplete="off" required>
<button>${site.search}</button></span>
</form>
<div id="docs-found"></div>`;
};
