import type { BrokerDetail, Regulator } from '@broker-transparency/client';
import type { ModerationTransparency } from '@broker-transparency/contract';
import type { ScoreHistory } from '../../charts/score-history.ts';
import { type Html, type HtmlPart, html } from '../../html.ts';
import type { PageContext } from '../../page.ts';
import type { Texts } from '../../texts/en.ts';
import { wordFor } from '../../words.ts';

/** What the sections of a broker's page are made of. */
export interface BrokerView {
  readonly context: PageContext;
  readonly texts: Texts['broker'];
  readonly broker: BrokerDetail;
  readonly regulators: ReadonlyMap<string, Regulator>;
  /** Undefined where they cannot be read. */
  readonly moderation: ModerationTransparency | undefined;
  /** The score over time; undefined where it cannot be read. */
  readonly history: ScoreHistory | undefined;
  /** Name of the broker that took its business over. */
  readonly successor: string | undefined;
}

/** Names of the sections, in the order of the page. Each is also the anchor of its section. */
export type SectionName = keyof Texts['broker']['sections'];

/** A section with a heading that links lead to. */
export const section = ({ texts }: BrokerView, name: SectionName, body: HtmlPart): Html => html`
<section class="part" id="${name}">
<h2>${texts.sections[name]}</h2>
${body}
</section>`;

/** A list of facts with their names. A row without a value is left out. */
export const facts = (rows: readonly (readonly [name: string, value: HtmlPart])[]): Html => html`
<dl class="fact-list">${rows.map(
  ([name, value]) =>
    value !== null && value !== undefined && value !== false && html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
)}</dl>`;

/** A day in words, for machines too. */
export const day = ({ format }: PageContext, iso: string): Html =>
  html`<time datetime="${iso}">${format.day(iso)}</time>`;

/** A day, or that it is not known. */
export const dayOrUnknown = (context: PageContext, iso: string | null | undefined): Html | string =>
  iso ? day(context, iso) : context.texts.site.notKnown;

/** A day on which somebody looked, or that nobody ever did. */
export const dayOrNever = (view: BrokerView, iso: string | null): Html | string =>
  iso === null ? view.texts.never : day(view.context, iso);

/** The word of a color, never without the color and never the color without it. */
export const ratingWord = ({ texts }: PageContext, color: string): Html =>
  html`<strong class="rating rating-${Object.hasOwn(texts.colors, color) ? color : 'gray'}">${wordFor(texts.colors, color)}</strong>`;

/** A bar of a table, whose numbers stand beside it. */
export const bar = (value: number, most: number, full: number): Html => html`
<svg class="bar" viewBox="0 0 ${full} 1" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-most" width="${most}" height="1"/><rect class="bar-value" width="${value}" height="1"/></svg>`;
