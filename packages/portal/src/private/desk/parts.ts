import { type Html, html, toBdi } from '../../html.ts';
import type { TextContext } from '../../page.ts';
import { privateForm } from '../frame.ts';
import type { PrivateContext } from '../page.ts';
import type { HeldCase, ShownClaim, TextPart } from './actions.ts';
import { DESK_PATH, type ListFilter } from './paths.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns how long something lasts, in the largest unit of which it has two. */
export const formatSpan = (ms: number): string => {
  const [size, unit] = ms >= 2 * DAY ? [DAY, 'days'] : ms >= 2 * HOUR ? [HOUR, 'hours'] : [MINUTE, 'minutes'];
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`;
};

/** Renders when a case is due. */
export const renderDue = ({ format }: TextContext, dueAt: Date, now: Date): Html => {
  const when = format.time(dueAt.toISOString());
  return dueAt <= now ? html`<strong class="desk-late">late since ${when}</strong>` : html`due ${when}`;
};

/** Renders who works on a case. */
export const renderClaim = ({ format }: TextContext, claim: ShownClaim | undefined): Html => {
  if (!claim) return html`nobody has it`;
  const who = claim.isYou ? html`you have` : html`${toBdi(claim.by)} has`;
  return html`${who} it until ${format.time(claim.until.toISOString())}`;
};

/** Renders a text with its marks. */
export const renderParts = (parts: readonly TextPart[]): Html =>
  html`${parts.map(({ text, mark }) => (mark === undefined ? text : html`<mark title="${mark}">${text}</mark>`))}`;

/** Renders a button, with the key that presses it. */
export const renderButton = (label: string, value: string, key?: string, title?: string): Html =>
  html`<button name="do" value="${value}"${key !== undefined && html` accesskey="${key}" data-key="${key}"`}${title !== undefined && html` title="${title}"`}>${label}${key !== undefined && html` <kbd>${key}</kbd>`}</button>`;

/** Returns the hidden fields that keep the list from which a case was opened. */
export const toHidden = ({ of, broker }: ListFilter): Record<string, string> => ({
  ...(of === undefined ? {} : { of }),
  ...(broker === undefined ? {} : { broker }),
});

/** Renders the last decision, which can still be taken back. */
export const renderHeld = (context: PrivateContext, held: HeldCase | undefined, filter: ListFilter): Html | false =>
  held !== undefined &&
  html`<div class="desk-held" role="status"><p>Your last decision, ${held.what}, is written with the next one, or after ${context.format.time(held.until.toISOString())}.</p>
${privateForm(context, DESK_PATH, toHidden(filter), renderButton('Take it back', 'undo', 'u'))}</div>
`;

/** Tells of decisions that came too late. */
export const renderLate = (late: string | undefined): Html | false =>
  late !== undefined &&
  html`<p role="alert">Not written, since the review changed meanwhile: ${late.split(' ').join(', ')}.</p>
`;

/** Lets the operator switch single keys off. It is shown by the script that reads keys. */
export const KEY_SWITCH = html`<p class="soft" data-part="keys" hidden><label><input type="checkbox"> Single keys press the buttons that show them</label></p>
`;
