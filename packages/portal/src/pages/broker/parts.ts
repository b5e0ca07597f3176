import type { BrokerDetail, Regulator } from '@broker-transparency/client';
import type { ModerationTransparency } from '@broker-transparency/client/record';
import type { ScoreHistory } from '../../charts/score-history.ts';
import { type Html, type HtmlPart, html } from '../../html.ts';
import type { Texts } from '../../languages.ts';
import type { PageContext } from '../../page.ts';
import { wordFor } from '../../words.ts';
import { disputesIn } from './dispute.ts';

/** Data of the sections of a broker's page. */
export interface BrokerView {
  readonly context: PageContext;
  readonly texts: Texts['broker'];
  readonly broker: BrokerDetail;
  readonly regulators: ReadonlyMap<string, Regulator>;
  /** The mark of the broker, if pages show one. */
  readonly mark: Html | undefined;
  /** Undefined if they cannot be read. */
  readonly moderation: ModerationTransparency | undefined;
  /** The score over time; undefined if it cannot be read. */
  readonly history: ScoreHistory | undefined;
  /** Name of the broker that took over its business. */
  readonly successor: string | undefined;
}

/** Names of the sections, in the order of the page. Each is also the anchor of its section. */
export type SectionName = keyof Texts['broker']['sections'];

/** Renders a section with a heading that has an anchor, and the disputes of the facts in it. */
export const section = ({ context, texts, broker }: BrokerView, name: SectionName, body: HtmlPart): Html => html`
<section class="part" id="${name}">
<h2>${texts.sections[name]}</h2>${disputesIn(context, name, broker.disputes)}
${body}
</section>`;

/** Renders a list of facts with their names. A row without a value is left out. */
export const facts = (rows: readonly (readonly [name: string, value: HtmlPart])[]): Html => html`
<dl class="fact-list">${rows.map(
  ([name, value]) =>
    value !== null && value !== undefined && value !== false && html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
)}</dl>`;

/** Number of signs of a day in a time: 2026-03-10. */
const DAY_DIGITS = 10;

/** Renders a day in words, readable by machines too. */
export const day = ({ format }: PageContext, iso: string): Html =>
  html`<time datetime="${iso.slice(0, DAY_DIGITS)}">${format.day(iso)}</time>`;

/** Renders a day, or the word for an unknown one. */
export const dayOrUnknown = (context: PageContext, iso: string | null | undefined): Html | string =>
  iso ? day(context, iso) : context.texts.site.notKnown;

/** Renders the day of the last check, or the word for never. */
export const dayOrNever = (view: BrokerView, iso: string | null): Html | string =>
  iso === null ? view.texts.never : day(view.context, iso);

/** Renders the word of a color. Color and word always appear together. */
export const ratingWord = ({ texts }: PageContext, color: string): Html =>
  html`<strong class="rating rating-${Object.hasOwn(texts.colors, color) ? color : 'gray'}">${wordFor(texts.colors, color)}</strong>`;

/** Renders a bar of a table, beside its number. */
export const bar = (value: number, most: number, full: number): Html => html`
<svg class="bar" viewBox="0 0 ${full} 1" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-most" width="${most}" height="1"/><rect class="bar-value" width="${value}" height="1"/></svg>`;
