import * as z from 'zod';
import { type Html, html, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { tickField } from '../fields.ts';
import { privateForm, privateLayout } from '../frame.ts';
import { definePrivatePage, type PrivateContext, type PrivateResponse } from '../page.ts';
import {
  DECIDED_QUERY,
  fact,
  prose,
  readStatementFile,
  refuseAppeal,
  renderDecided,
  sayReason,
  type TypedAppeal,
} from '../statement.ts';
import type { ShownCase } from './actions.ts';
import { readAppeal } from './forms.rule.ts';

const CASE_PATH = '/case/:token';
// a link that was cut off gets the page for links that do not work
const params = z.object({ token: z.string().regex(/^[0-9a-zA-Z]{1,100}$/) });

const renderState = (context: PrivateContext, { side, report, decision, isReplaced }: ShownCase): Html => {
  const said = context.texts.cases;
  if (side === 'author') return html`<p class="lead">${isReplaced ? said.replaced : said.authorLead}</p>`;
  const state =
    report?.outcome === null ? said.reportOpen : said.reportDone[report?.outcome as keyof typeof said.reportDone];
  return html`<p class="lead">${decision === null && report?.outcome === null ? said.reportTaken : said.reportDecided} ${state}</p>`;
};

/** Renders the form that ends the only access of a person without an account: it takes two steps. */
const renderWithdrawal = (context: PrivateContext, path: string, endsAt: string, problem?: string): Html => {
  const said = context.texts.cases;
  return html`<section>
<h2>${said.linkTitle}</h2>
<p>${said.linkText({ day: context.format.day(endsAt) })}</p>
${privateForm(
  context,
  path,
  { do: 'withdraw' },
  html`${tickField({ name: 'agree', label: said.withdrawAgree, problem })}<p><button class="quiet">${said.withdraw}</button></p>\n`,
)}
</section>`;
};

/** The form of a case that was not taken. */
interface RefusedForm {
  readonly appeal?: TypedAppeal;
  /** Why the links were not withdrawn. */
  readonly withdrawal?: string;
}

const renderCase = (context: PrivateContext, token: string, shown: ShownCase, refused: RefusedForm = {}): Html => {
  const { texts, format } = context;
  const said = texts.cases;
  const path = CASE_PATH.replace(':token', token);
  const { side, reference, broker, review, reported, report } = shown;
  const title = side === 'author' ? said.authorTitle : said.reporterTitle;
  return privateLayout(context, {
    title,
    body: html`${renderState(context, shown)}
<dl class="facts">${fact(said.reference, html`<code>${reference}</code>`)}${fact(said.broker, html`<a href="${addressIn(context, `/brokers/${broker.slug}`)}">${toBdi(broker.name)}</a>`)}${
      reported &&
      fact(
        said.reported,
        html`<a href="${addressIn(context, `/brokers/${broker.slug}/reviews#review-${reported.id}`)}">${toBdi(reported.title)}</a>`,
      )
    }${
      report &&
      html`${fact(said.sentAt, format.time(report.createdAt))}${fact(said.yourReason, sayReason(context, report.reason))}${fact(said.yourText, prose(report.text))}`
    }</dl>
${
  review &&
  html`<details><summary>${said.yourReview}</summary>
<div dir="auto"><p><strong>${review.title}</strong></p><p class="prose">${review.content}</p></div>
</details>
`
}${renderDecided(context, path, shown, refused.appeal)}${renderWithdrawal(context, path, shown.endsAt, refused.withdrawal)}`,
  });
};

const noCase = (context: PrivateContext): PrivateResponse => {
  const { noCaseTitle, noCase } = context.texts.cases;
  return {
    status: 410,
    html: privateLayout(context, { title: noCaseTitle, body: html`<p class="lead">${noCase}</p>` }),
  };
};

const takeAppeal = async (context: PrivateContext, token: string, typed: string, text: string | undefined) => {
  const { cases } = context.actions;
  const said = context.texts.cases;
  const answer = text === undefined ? 'wrong' : await cases.appeal(token, text);
  const path = CASE_PATH.replace(':token', token);
  if (answer === 'taken') return { seeOther: path };
  const shown = answer === 'no_case' ? undefined : await cases.show(token);
  if (!shown || answer === 'no_case') return noCase(context);
  if (answer !== 'wrong') return refuseAppeal(context, path, answer);
  const refused = { appeal: { text: typed, problem: said.problems.text } };
  return { status: 422, html: renderCase(context, token, shown, refused) } as const;
};

const withdraw = async (
  context: PrivateContext,
  token: string,
  agree: string | undefined,
): Promise<PrivateResponse> => {
  const { cases } = context.actions;
  const said = context.texts.cases;
  const shown = await cases.show(token);
  if (!shown) return noCase(context);
  if (agree !== 'yes')
    return { status: 422, html: renderCase(context, token, shown, { withdrawal: said.withdrawCure }) };
  await cases.withdraw(token);
  const body = html`<p class="lead">${said.withdrawn}</p>
<p>${said.reference}: <code>${shown.reference}</code></p>`;
  return { html: privateLayout(context, { title: said.withdrawnTitle, body }) };
};

/** Shows one case to whoever has its link, takes one appeal, and ends the link. Opening it changes nothing. */
export const showCase = definePrivatePage(
  CASE_PATH,
  { params, query: DECIDED_QUERY, needs: 'nobody', hasSecret: true },
  {
    render: async (context, { params: { token }, query: { file } }): Promise<PrivateResponse> => {
      const shown = await context.actions.cases.show(token);
      if (!shown) return noCase(context);
      if (file) return readStatementFile(context, CASE_PATH.replace(':token', token), shown);
      return { html: renderCase(context, token, shown) };
    },
    keep: async (context, { params: { token } }, fields) => {
      const shown = fields['do'] === 'appeal' ? await context.actions.cases.show(token) : undefined;
      if (!shown) return undefined;
      const problem = context.texts.write.ended.resend;
      return {
        status: 403,
        html: renderCase(context, token, shown, { appeal: { text: fields['text'] ?? '', problem } }),
      };
    },
    submit: async (context, { params: { token } }, fields): Promise<PrivateResponse> => {
      if (fields['do'] === 'appeal') return takeAppeal(context, token, fields['text'] ?? '', readAppeal(fields));
      if (fields['do'] === 'withdraw') return withdraw(context, token, fields['agree']);
      return { seeOther: CASE_PATH.replace(':token', token) };
    },
  },
);
