import { type Html, html, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { privateLayout } from '../frame.ts';
import type { Outcome } from '../outcome.ts';
import type { PrivateContext, PrivateResponse } from '../page.ts';
import { refuseAppeal, type TypedAppeal } from '../statement.ts';
import type { MineActions } from './actions.ts';

/** Returns the actions of the person who is signed in. The frame has made sure that somebody is. */
export const requireMine = ({ actions }: PrivateContext): MineActions => {
  if (!actions.mine) throw new Error('a page about a person needs a person');
  return actions.mine;
};

/** Renders a page below the overview. */
export const minePage = (context: PrivateContext, title: string, body: Html): Html =>
  privateLayout(context, {
    title,
    body: html`${body}<p><a href="${addressIn(context, '/mine')}">${context.texts.mine.back}</a></p>\n`,
  });

/** Renders what a label stands for. Rows without a value are left out. */
export const pairs = (rows: readonly (readonly [label: string, value: Html | string | undefined | false])[]): Html =>
  html`<dl class="pairs">${rows.map(
    ([label, value]) => value !== undefined && value !== false && html`<dt>${label}</dt><dd>${value}</dd>\n`,
  )}</dl>
`;

/** Renders a box that tells of what was done, or was not. */
export const noticeBox = (title: string, text: string, role: 'status' | 'alert'): Html =>
  html`<div class="${role === 'alert' ? 'problems' : 'notice-box'}" role="${role}"><p><strong>${title}</strong></p>
<p>${text}</p></div>
`;

/** Renders the link to the page of a broker. */
export const brokerLink = (context: PrivateContext, slug: string, name: string): Html =>
  html`<a href="${addressIn(context, `/brokers/${slug}`)}">${toBdi(name)}</a>`;

/** Returns the name of a broker; the slug if its page cannot be read. */
export const readBrokerName = async ({ client }: PrivateContext, slug: string): Promise<string> => {
  const found = await client.safe.brokers.get(slug);
  return found.data?.name ?? slug;
};

/**
 * Answers an appeal: a taken one leads to its case, and so does one that was there before. `show` renders the case with
 * what was typed.
 */
export const answerAppeal = async (
  context: PrivateContext,
  path: string,
  { sent, text }: { readonly sent: Outcome<unknown>; readonly text: string },
  show: (typed: TypedAppeal) => Promise<Html>,
): Promise<PrivateResponse> => {
  if ('done' in sent || sent.refused.code === 'appeal_exists') return { seeOther: path };
  if (sent.refused.faults.length === 0) return refuseAppeal(context, path, 'too_late');
  return { status: 422, html: await show({ text, problem: context.texts.cases.problems.text }) };
};
