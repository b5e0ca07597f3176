import * as z from 'zod';
import { type Html, type HtmlPart, html, toBdi } from '../../html.ts';
import type { Texts } from '../../languages.ts';
import { addressIn } from '../../languages.ts';
import { layout } from '../../layout.ts';
import { type Operator, toContactHref } from '../../operator.ts';
import { definePage, type Page, type PageContext } from '../../page.ts';

/** A part of a page: its heading, its sentences, and points in a list. */
interface TextSection {
  readonly title: string;
  readonly text?: readonly string[];
  readonly points?: readonly string[];
}

/** A page about the operator: the texts around what the operator stated. */
interface OperatorPageTexts {
  readonly title: string;
  readonly description: string;
  readonly lead: string;
  readonly sections?: readonly TextSection[];
}

/** A part of the operator's statement that pages show as a fact. */
export type StatedFact = keyof Texts['operator']['facts'];

/** Renders a part of a page with a heading. */
export const renderSection = (title: string, body: HtmlPart): Html => html`<section>
<h2>${title}</h2>
${body}
</section>
`;

const renderTexts = ({ title, text = [], points = [] }: TextSection): Html =>
  renderSection(
    title,
    html`${text.map((line) => html`<p>${line}</p>\n`)}${
      points.length > 0 && html`<ul>${points.map((point) => html`<li>${point}</li>\n`)}</ul>`
    }`,
  );

const isContact = (fact: StatedFact): boolean => fact === 'contact' || fact.endsWith('Contact');

const renderFact = ({ operator, format, texts }: PageContext, fact: StatedFact): Html => {
  const value = operator[fact];
  if (value === undefined) return html`<span class="soft">${texts.operator.notStated}</span>`;
  if (fact === 'country') return html`${format.country(value)}`;
  return isContact(fact) ? html`<a href="${toContactHref(value)}">${value}</a>` : toBdi(value);
};

/** Renders parts of the operator's statement. A part that was not stated says so. */
export const renderFacts = (
  context: PageContext,
  facts: readonly StatedFact[],
): Html => html`<dl class="facts">${facts.map(
  (fact) => html`<div><dt>${context.texts.operator.facts[fact]}</dt><dd>${renderFact(context, fact)}</dd></div>`,
)}</dl>
`;

/** Renders links to other pages of this service. A page that it does not have is left out. */
export const renderLinks = (
  context: PageContext,
  links: readonly (readonly [path: string, title: string])[],
): Html | false => {
  const served = links.filter(([path]) => context.has(path));
  return (
    served.length > 0 &&
    html`<ul>${served.map(([path, title]) => html`<li><a href="${addressIn(context, path)}">${title}</a></li>\n`)}</ul>\n`
  );
};

/** Renders a text of the operator, or the sentence that it was not stated. */
export const renderStatement = ({ texts }: PageContext, statement: Operator[keyof Operator]): Html =>
  statement === undefined
    ? html`<p class="soft">${texts.operator.notStated}</p>\n`
    : html`<p>${toBdi(String(statement))}</p>\n`;

/** The pages whose texts are sections. */
export type OperatorPageName = keyof Texts['operator']['pages'];

/** Defines a page about the operator: its texts, and what the operator stated before or after them. */
export const defineOperatorPage = (
  name: OperatorPageName,
  renderParts: (context: PageContext) => Promise<{ readonly before?: HtmlPart; readonly after?: HtmlPart }>,
): Page =>
  definePage(`/${name}`, { params: z.object({}), query: z.object({}) }, async (context) => {
    const { operator: words } = context.texts;
    const { title, description, lead, sections = [] }: OperatorPageTexts = words[name];
    const { before, after } = await renderParts(context);
    return {
      html: layout(context, {
        title,
        description,
        body: html`<h1>${title}</h1>
<p class="lead">${lead}</p>
${context.operator.name === undefined && html`<p><strong>${words.nobody}</strong></p>\n`}${before}${sections.map(renderTexts)}${after}`,
      }),
    };
  });
