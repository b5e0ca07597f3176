import { type ModerationAppeal, type ModerationDecision, REASONS } from '@broker-transparency/contract';
import { canonicalJson } from '@broker-transparency/log';
import * as z from 'zod';
import { type Html, html } from '../html.ts';
import { addressIn } from '../languages.ts';
import type { FormFields } from '../page.ts';
import { wordFor } from '../words.ts';
import { type Field, problemList, textField } from './fields.ts';
import { privateForm, privateLayout } from './frame.ts';
import { keepForm } from './kept.ts';
import type { PrivateContext, PrivateResponse } from './page.ts';

/** Renders one row of a list of facts. */
export const fact = (title: string, value: Html | string): Html => html`<div><dt>${title}</dt><dd>${value}</dd></div>`;

/** Renders a text that somebody wrote, line by line. */
export const prose = (text: string): Html => html`<div dir="auto"><p class="prose">${text}</p></div>`;

/** Returns the words for the reason of a report or a decision; its code if there are none. */
export const sayReason = ({ texts }: PrivateContext, code: string): string => {
  const reasons: Readonly<Record<string, { readonly label: string }>> = texts.cases.reasons;
  return Object.hasOwn(reasons, code) ? (reasons[code]?.label ?? code) : code;
};

/** The facts of a statement, where they say more than the words of its reason. */
const renderFound = ({ texts }: PrivateContext, { statement }: ModerationDecision): Html | string => {
  const { facts, reasonCode } = statement;
  const known = reasonCode === null ? undefined : REASONS[reasonCode as keyof typeof REASONS];
  if (reasonCode === null && facts === 'No ground for a restriction was found.') return texts.cases.noGround;
  if (known?.description === facts) return texts.cases.onlyReason;
  return prose(facts);
};

const renderGround = (context: PrivateContext, ground: string | null): Html | string => {
  const said = context.texts.cases;
  if (ground === 'law') return said.groundLaw;
  return ground === 'terms' ? html`<a href="${addressIn(context, '/terms')}">${said.groundTerms}</a>` : said.groundNone;
};

/** The query of pages that show a decision: `?file=statement` is its statement as a file. */
export const DECIDED_QUERY = z.object({ file: z.literal('statement').optional().catch(undefined) });

/** Returns what the log commits to. */
const toStated = (reviewId: string, { decision, statement }: ModerationDecision) => ({ reviewId, decision, statement });

/**
 * Returns a statement of reasons as the file that `/verify` verifies. Says so if there is none, or the log does not cover
 * it yet.
 * @param path page of the case, without language
 */
export const readStatementFile = async (
  context: PrivateContext,
  path: string,
  { reviewId, decision }: Pick<DecidedCase, 'reviewId' | 'decision'>,
): Promise<PrivateResponse> => {
  const opening = decision?.opening;
  const proof = opening && (await context.actions.cases.proveStatement(opening.key));
  if (!proof) {
    const { openingFile, openingNotYet, back } = context.texts.cases;
    const body = html`<p class="lead">${openingNotYet}</p>\n<p><a href="${addressIn(context, path)}">${back}</a></p>`;
    return { status: 409, html: privateLayout(context, { title: openingFile, body }) };
  }
  const file = { ...toStated(reviewId, decision), salt: opening.salt, proof };
  const text = `${JSON.stringify(file, null, 2)}\n`;
  return { file: { name: `statement-${reviewId}.json`, contentType: 'application/json', text } };
};

/**
 * Renders a statement of reasons with the fields of Regulation (EU) 2022/2065, article 17(3).
 * @param about the page of the case, without language, and the review, for a reader who may open its entry in the log
 */
export const renderStatement = (
  context: PrivateContext,
  decision: ModerationDecision,
  about?: { readonly path: string; readonly reviewId: string },
): Html => {
  const { texts, format } = context;
  const said = texts.cases;
  const { reasonCode, ground, automatedMeans, origin, scope, until } = decision.statement;
  const { opening } = decision;
  const kind = decision.decision;
  return html`<section>
<h2>${said.statement}</h2>
<dl class="facts">${fact(said.decision, wordFor(said.decisions, kind))}${fact(said.decidedAt, format.time(decision.decidedAt))}${
    scope !== null &&
    html`${fact(said.scope, said.everywhere)}${fact(said.duration, until === null ? said.noEnd : said.until({ time: format.time(until) }))}`
  }${reasonCode !== null && fact(said.reason, sayReason(context, reasonCode))}${fact(said.found, renderFound(context, decision))}${
    origin !== null && fact(said.origin, origin === 'report' ? said.byReport : said.ownInitiative)
  }${fact(said.automated, automatedMeans ? said.byProgram : said.byPerson)}${fact(said.ground, renderGround(context, ground))}</dl>
${
  about &&
  opening &&
  html`<details><summary>${said.opening}</summary>
<p>${said.openingText}</p>
<p><a class="button" href="${addressIn(context, about.path)}?file=statement">${said.openingFile}</a> <a href="${addressIn(context, '/verify')}">${said.openingCheck}</a></p>
<dl class="facts">${fact(said.openingKey, html`<code>${opening.key}</code>`)}${fact(said.openingSalt, html`<code>${opening.salt}</code>`)}${fact(said.openingStatement, html`<code class="exact">${canonicalJson(toStated(about.reviewId, decision))}</code>`)}</dl>
</details>`
}
</section>
`;
};

type WrittenAppeal = ModerationAppeal & { readonly text?: string };

/** A decision, and the appeal that was made about it. */
export interface DecidedCase {
  readonly reviewId: string;
  readonly decision: ModerationDecision | null;
  /** With its text where the page shows it again. */
  readonly appeal: WrittenAppeal | null;
}

/** An appeal that was typed, and why it was not taken. */
export interface TypedAppeal {
  readonly text: string;
  readonly problem: string;
}

/** Returns until when the reader can appeal, RFC 3339; undefined if the reader cannot. */
const findAppealEnd = (
  { now }: Pick<PrivateContext, 'now'>,
  { decision }: Pick<DecidedCase, 'decision'>,
): string | undefined => {
  const until = decision?.appealUntil ?? null;
  return until !== null && new Date(until) >= now ? until : undefined;
};

const renderAppealState = ({ texts, format }: PrivateContext, appeal: WrittenAppeal): Html => {
  const said = texts.cases;
  const state = appeal.outcome === null ? said.appealOpen : wordFor(said.outcomes, appeal.outcome);
  return html`<section>
<h2>${said.appealTitle}</h2>
<dl class="facts">${fact(said.sentAt, format.time(appeal.createdAt))}${fact(said.state, state)}${
    appeal.text !== undefined && fact(said.yourText, prose(appeal.text))
  }${
    appeal.decidedAt !== null && fact(said.decidedAt, format.time(appeal.decidedAt))
  }${appeal.facts !== null && fact(said.found, prose(appeal.facts))}</dl>
</section>
`;
};

const renderAppealForm = (context: PrivateContext, path: string, until: string, typed?: TypedAppeal): Html => {
  const { cases: said, write } = context.texts;
  const field: Field = { name: 'text', label: said.appealLabel, hint: said.appealHint, problem: typed?.problem };
  return html`<section>
<h2>${said.appealTitle}</h2>
<p>${said.appealLead({ until: context.format.time(until) })}</p>
${problemList(write.wrong.title, typed ? [field] : [])}<div class="case-form">${privateForm(
    context,
    path,
    { do: 'appeal' },
    html`${textField(field, typed?.text ?? '', 8)}<p class="form-buttons"><button>${said.appealSend}</button></p>`,
  )}</div>
</section>
`;
};

/**
 * Renders a decision with its statement of reasons, the appeal, and the form for one while the reader can appeal.
 * @param path page of the case, without language
 */
export const renderDecided = (
  context: PrivateContext,
  path: string,
  decided: DecidedCase,
  typed?: TypedAppeal,
): Html => {
  const { decision, appeal } = decided;
  const { redress, redressText } = context.texts.cases;
  const until = findAppealEnd(context, decided);
  return html`${decision && renderStatement(context, decision, { path, reviewId: decided.reviewId })}${appeal && renderAppealState(context, appeal)}${
    until !== undefined && renderAppealForm(context, path, until, typed)
  }${decision && html`<section>\n<h2>${redress}</h2>\n<p>${redressText}</p>\n</section>\n`}`;
};

/** Shows an appeal again whose writer was signed out while typing. */
export const keepAppeal = (context: PrivateContext, { text = '' }: FormFields): PrivateResponse | undefined => {
  const { appealTitle: title, appealLabel: label, appealSend: send } = context.texts.cases;
  return keepForm(context, { title, send, texts: [{ name: 'text', label, value: text }], hidden: { do: 'appeal' } });
};

/** Says that an appeal was not taken: there is one already, or it comes too late. */
export const refuseAppeal = (context: PrivateContext, path: string, why: 'exists' | 'too_late'): PrivateResponse => {
  const said = context.texts.cases;
  const body = html`<p class="lead">${why === 'exists' ? said.appealExists : said.appealTooLate}</p>
<p><a href="${addressIn(context, path)}">${said.back}</a></p>`;
  return { status: 409, html: privateLayout(context, { title: said.appealTitle, body }) };
};
