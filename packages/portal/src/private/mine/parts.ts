import type { ModerationAppeal, ModerationDecision } from '@broker-transparency/contract';
import { type Html, html, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { wordFor } from '../../words.ts';
import { type Field, problemList, textField } from '../fields.ts';
import { privateForm, privateLayout } from '../frame.ts';
import type { Outcome } from '../outcome.ts';
import type { PrivateContext, PrivateResponse } from '../page.ts';
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

/** Renders a text that somebody wrote, line by line. */
export const prose = (text: string): Html => html`<div dir="auto"><p class="prose">${text}</p></div>`;

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

/** Renders a decision with its statement of reasons. */
export const decisionPart = (context: PrivateContext, decision: ModerationDecision): Html => {
  const { texts, format } = context;
  const said = texts.mine.decision;
  const { facts, reasonCode, ground, automatedMeans } = decision.statement;
  return html`<h2>${said.title}</h2>
<p><strong>${wordFor(said.kinds, decision.decision)}</strong></p>
${pairs([
  [said.facts, prose(facts)],
  [said.reason, reasonCode !== null && wordFor(texts.broker.moderation.reasons, reasonCode)],
  [said.ground, ground !== null && wordFor(said.grounds, ground)],
  [said.by, automatedMeans ? said.machine : said.person],
  [said.decided, format.time(decision.decidedAt)],
])}${decision.appealUntil !== null && html`<p>${said.rights}</p>\n`}`;
};

/** An appeal that was typed, and why it was not taken. */
export interface TypedAppeal {
  readonly text: string;
  readonly problem: string | undefined;
}

const appealField = ({ texts }: PrivateContext, problem: string | undefined): Field => {
  const { label, hint } = texts.mine.appeal;
  return { name: 'text', label, hint, problem };
};

/** Renders the form for an appeal, and what became of an earlier one. `path`: the page of the case. */
export const appealPart = (
  context: PrivateContext,
  path: string,
  { decision, appeal }: { readonly decision: ModerationDecision | null; readonly appeal: ModerationAppeal | null },
  typed?: TypedAppeal,
): Html => {
  const { texts, format } = context;
  const said = texts.mine.appeal;
  const until = decision?.appealUntil ?? null;
  const isOpen = until !== null && new Date(until) > context.now;
  if (!appeal && !isOpen) return html``;
  const field = appealField(context, typed?.problem);
  const outcome = appeal?.outcome ?? null;
  return html`<h2 id="appeal">${said.title}</h2>
${
  appeal &&
  html`<p>${outcome === null ? said.open : wordFor(said.outcomes, outcome)}</p>
${pairs([
  [texts.mine.decision.facts, appeal.facts !== null && prose(appeal.facts)],
  [said.sent, format.time(appeal.createdAt)],
  [texts.mine.decision.decided, appeal.decidedAt !== null && format.time(appeal.decidedAt)],
])}`
}${
  isOpen &&
  html`<p>${said.lead(format.day(until))}</p>
${problemList(texts.write.wrong.title, field.problem === undefined ? [] : [field])}${privateForm(
  context,
  path,
  { do: 'appeal' },
  html`${textField(field, typed?.text ?? '', 6)}<p class="form-buttons"><button>${said.button}</button></p>\n`,
)}`
}`;
};

/**
 * Answers an appeal: a taken one leads to its case, and so does one that was there before. `show` renders the case with
 * what was typed.
 */
export const answerAppeal = async (
  context: PrivateContext,
  path: string,
  { sent, text }: { readonly sent: Outcome<unknown>; readonly text: string },
  show: (typed: TypedAppeal) => Promise<PrivateResponse>,
): Promise<PrivateResponse> => {
  if ('done' in sent || sent.refused.code === 'appeal_exists') return { seeOther: path };
  const { mine, write } = context.texts;
  const [fault] = sent.refused.faults;
  if (!fault) return show({ text, problem: mine.appeal.over });
  const { title, other, ...known } = write.wrong;
  const problem = `${Object.hasOwn(known, fault.code) ? known[fault.code as keyof typeof known] : other} ${mine.appeal.cure}`;
  return show({ text, problem });
};
