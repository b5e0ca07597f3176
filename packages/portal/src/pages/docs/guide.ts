import * as z from 'zod';
import { CONTENTS, OPERATING_PATH, toGuideSlug } from '../../docs/contents.ts';
import { docsPage, prefixLinks, wrapEnglish } from '../../docs/frame.ts';
import type { GuideEntry } from '../../docs/library.ts';
import { guideLists } from '../../docs/pages.ts';
import { type Html, html } from '../../html.ts';
import { definePage, type PageContext } from '../../page.ts';

const NAMES = CONTENTS.flatMap(({ guides }) => guides.map(toGuideSlug));

/** Pattern for a service on the reader's machine, except the sandbox that the reader starts there. */
const LOCAL = /(?<!ORIGIN=)http:\/\/127\.0\.0\.1:3000/g;

/** Replaces the address in samples by this service, so that they can be copied. */
const askingHere = (text: string, { publicUrl }: PageContext): string =>
  text.replace(/<pre.*?<\/pre>/gs, (sample) => sample.replace(LOCAL, () => html`${publicUrl}`.text));

/** Minimum number of sections for which a guide lists them. */
const LISTED_FROM = 4;

const sections = ({ texts }: PageContext, { headings }: GuideEntry): Html | false => {
  const top = headings.filter(({ level }) => level === 2);
  return (
    top.length >= LISTED_FROM &&
    html`<details class="docs-sections" open><summary>${texts.docs.onPage}</summary>
<ul lang="en">${top.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul></details>`
  );
};

/** A text of the documentation. */
export const guide = definePage(
  '/docs/guides/:name',
  { params: z.object({ name: z.enum(NAMES) }), query: z.object({}) },
  async (context, { params: { name } }) => {
    const { library, prefix } = context;
    const written = library.guide(name);
    const about = library.guides().find((other) => other.name === name);
    if (written === undefined || !about) return { isMissing: true };
    const own = guideLists(context).filter(({ links }) => links.some(({ path }) => path === context.path));
    const isForOperators = own[0]?.isForOperators === true;
    const text = isForOperators ? written : askingHere(written, context);
    return {
      html: docsPage(context, {
        title: about.title,
        description: about.lead,
        above: isForOperators ? [{ title: context.texts.docs.parts.operating, path: OPERATING_PATH }] : [],
        siblings: own,
        body: html`<h1 lang="en" dir="ltr">${about.title}</h1>
${sections(context, about)}
${wrapEnglish(prefixLinks(text, prefix))}`,
      }),
    };
  },
);
