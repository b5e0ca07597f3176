import { BASE_PATH } from '@broker-transparency/contract';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../page.ts';
import { findResidence, hiddenResidence } from './residence.ts';

/** Returns the settings of the search script: addresses, and words in the language of the page. */
export const suggestions = ({ texts, prefix, query }: Required<SearchContext>): string => {
  const words = texts.find.suggestions;
  return JSON.stringify({
    api: `${BASE_PATH}/search`,
    brokers: `${prefix}/brokers/`,
    all: `${prefix}/search`,
    residence: findResidence({ query }),
    colors: texts.colors,
    words: {
      ...words,
      count: words.count({ n: '{n}' }), // the script fills these in
      all: words.all({ q: '{q}' }),
    },
  });
};

type SearchContext = Pick<PageContext, 'texts' | 'prefix'> & Partial<Pick<PageContext, 'query'>>;

/** Renders the search at the top of every page. @param suggests false on a page that loads no script */
export const headerSearch = ({ query = '', ...given }: SearchContext, suggests = true): Html => {
  const context = { ...given, query };
  const { site } = context.texts;
  return html`
<form class="search" role="search" aria-label="${site.searchLabel}" action="${context.prefix}/search" method="get">
<label class="unseen" for="site-search">${site.searchLabel}</label>
<span class="suggesting"><input id="site-search" type="search" name="q" required maxlength="100" autocomplete="off" placeholder="${site.search}"${suggests && html` data-suggest="${suggestions(context)}"`}></span>
<button>${site.search}</button>${hiddenResidence(context)}
</form>`;
};

/** Renders the search as the main content of a page. */
export const wideSearch = (context: PageContext, asked = ''): Html => {
  const { site, find } = context.texts;
  return html`<form class="wide-search" role="search" aria-label="${find.search.label}" action="${context.prefix}/search" method="get">
<label for="search">${find.search.label}</label>
<div class="field"><span class="suggesting"><input id="search" type="search" name="q" value="${asked}" required maxlength="100" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="search-hint" data-suggest="${suggestions(context)}"></span>
<button>${site.search}</button></div>${hiddenResidence(context)}
<p class="soft" id="search-hint">${find.search.hint}</p>
</form>
`;
};
