import { type ModerationDecision, REASONS } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { tickField } from '../fields.ts';
import { privateForm, privateLayout } from '../frame.ts';
import { definePrivatePage, type PrivateContext, type PrivateResponse } from '../page.ts';
import type { ShownCase } from './actions.ts';
import { readAppeal } from './forms.rule.ts';

const CASE_PATH = '/case/:token';
// a link that was cut off gets the page for links that do not work
const params = z.object({ token: z.string().regex(/^[0-9a-zA-Z]{1,100}$/) });

const fact = (title: string, value: Html | string): Html => html`<div><dt>${title}</dt><dd>${value}</dd></div>`;

const findReason = (context: PrivateContext, code: string | null) =>
  (context.texts.cases.reasons as Readonly<Record<string, { readonly label: string } | undefined>>)[code ?? ''];

/** The facts of a statement, where they say more than the words of its reason. */
const renderFound = ({ texts }: PrivateContext, { statement }: ModerationDecision): Html | string => {
  const { facts, reasonCode } = statement;
  const known = reasonCode === null ? undefined : REASONS[reasonCode as keyof typeof REASONS];
  if (reasonCode === null && facts === 'No ground for a restriction was found.') return texts.cases.noGround;
  if (known?.description === facts) return texts.cases.onlyReason;
  return html`<span class="prose" dir="auto">${facts}</span>`;
};

const renderGround = (context: PrivateContext, ground: string | null): Html | string => {
  const said = context.texts.cases;
  if (ground === 'law') return said.groundLaw;
  return ground === 'terms' ? html`<a href="${addressIn(context, '/terms')}">${said.groundTerms}</a>` : said.groundNone;
};

/** Renders a statement of reasons with the fields of Regulation (EU) 2022/2065, article 17(3). */
export const renderStatement = (context: PrivateContext, decision: ModerationDecision): Html => {
  const { texts, format } = context;
  const said = texts.cases;
  const { reasonCode, ground, automatedMeans, origin, scope, until } = decision.statement;
  const opening = decision.opening;
  const kind = decision.decision;
  return html`<section>
<h2>${said.statement}</h2>
<dl class="facts">${fact(said.decision, said.decisions[kind as keyof typeof said.decisions] ?? kind)}${fact(said.decidedAt, format.time(decision.decidedAt))}${
    scope !== null &&
    html`${fact(said.scope, said.everywhere)}${fact(said.duration, until === null ? said.noEnd : said.until(format.time(until)))}`
  }${reasonCode !== null && fact(said.reason, findReason(context, reasonCode)?.label ?? reasonCode)}${fact(said.found, renderFound(context, decision))}${
    origin !== null && fact(said.origin, origin === 'report' ? said.byReport : said.ownInitiative)
  }${fact(said.automated, automatedMeans ? said.byProgram : said.byPerson)}${fact(said.ground, renderGround(context, ground))}</dl>
${
  opening &&
  html`<details><summary>${said.opening}</summary>
<p>${said.openingText}</p>
<dl class="facts">${fact(said.openingKey, html`<code>${opening.key}</code>`)}${fact(said.openingSalt, html`<code>${opening.salt}</code>`)}${fact(said.openingStatement, html`<code>${JSON.stringify(decision.statement)}</code>`)}</dl>
</details>`
}
</section>
`;
};

const renderAppealState = ({ texts, format }: PrivateContext, appeal: NonNullable<ShownCase['appeal']>): Html => {
  const said = texts.cases;
  const outcome =
    appeal.outcome === null ? said.appealOpen : said.outcomes[appeal.outcome as keyof typeof said.outcomes];
  return html`<section>
<h2>${said.appealTitle}</h2>
<dl class="facts">${fact(said.sentAt, format.time(appeal.createdAt))}${fact(said.state, outcome ?? String(appeal.outcome))}${fact(said.yourText, html`<span class="prose" dir="auto">${appeal.text}</span>`)}${
    appeal.decidedAt !== null && fact(said.decidedAt, format.time(appeal.decidedAt))
  }${appeal.facts !== null && fact(said.found, html`<span class="prose" dir="auto">${appeal.facts}</span>`)}</dl>
</section>
`;
};

/** An appeal that was not taken, with its text. */
interface RefusedAppeal {
  readonly text: string;
  readonly problem: string;
}

const renderAppealForm = (context: PrivateContext, path: string, until: string, refused?: RefusedAppeal): Html => {
  const said = context.texts.cases;
  const content = html`<p><label for="text">${said.appealLabel}</label></p>
<p class="soft" id="text-hint">${said.appealHint}</p>
${refused && html`<p class="problem" id="text-problem" role="alert"><strong>${refused.problem}</strong></p>\n`}<p><textarea id="text" name="text" rows="8" maxlength="2000" required dir="auto" aria-describedby="text-hint${refused && html` text-problem`}"${refused && html` aria-invalid="true"`}>${refused?.text ?? ''}</textarea></p>
<p><button>${said.appealSend}</button></p>`;
  return html`<section>
<h2>${said.appealTitle}</h2>
<p>${said.appealLead(context.format.time(until))}</p>
<div class="case-form">${privateForm(context, path, { do: 'appeal' }, content)}</div>
</section>
`;
};

const renderRedress = ({ texts }: PrivateContext): Html => html`<section>
<h2>${texts.cases.redress}</h2>
<p>${texts.cases.redressText}</p>
</section>
`;

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
<p>${said.linkText(context.format.day(endsAt))}</p>
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
  readonly appeal?: RefusedAppeal;
  /** Why the links were not withdrawn. */
  readonly withdrawal?: string;
}

const renderCase = (context: PrivateContext, token: string, shown: ShownCase, refused: RefusedForm = {}): Html => {
  const { texts, format } = context;
  const said = texts.cases;
  const path = CASE_PATH.replace(':token', token);
  const { side, reference, broker, review, reported, report, decision, appeal, isReplaced } = shown;
  const until = isReplaced ? null : (decision?.appealUntil ?? null);
  const canAppeal = until !== null && new Date(until) >= context.now && appeal === null;
  const title = side === 'author' ? said.authorTitle : said.reporterTitle;
  return privateLayout(context, {
    title,
    body: html`${renderState(context, shown)}
<dl class="facts">${fact(said.reference, html`<code>${reference}</code>`)}${fact(said.broker, html`<a href="${addressIn(context, `/brokers/${broker.slug}`)}">${toBdi(broker.name)}</a>`)}${
      reported &&
      fact(
        said.reported,
        html`<a href="${addressIn(context, `/brokers/${broker.slug}/reviews#review-${reported.id}`)}"><bdi>${reported.title}</bdi></a>`,
      )
    }${
      report &&
      html`${fact(said.sentAt, format.time(report.createdAt))}${fact(said.yourReason, findReason(context, report.reason)?.label ?? report.reason)}${fact(said.yourText, html`<span class="prose" dir="auto">${report.text}</span>`)}`
    }</dl>
${
  review &&
  html`<details><summary>${said.yourReview}</summary>
<div dir="auto"><p><strong>${review.title}</strong></p><p class="prose">${review.content}</p></div>
</details>
`
}${decision && renderStatement(context, decision)}${appeal && renderAppealState(context, appeal)}${
  canAppeal && renderAppealForm(context, path, until, refused.appeal)
}${decision && renderRedress(context)}${renderWithdrawal(context, path, shown.endsAt, refused.withdrawal)}`,
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
  if (answer === 'taken') return { seeOther: CASE_PATH.replace(':token', token) };
  const shown = answer === 'no_case' ? undefined : await cases.show(token);
  if (!shown) return noCase(context);
  if (answer === 'wrong') {
    const refused = { appeal: { text: typed, problem: said.problems.text } };
    return { status: 422, html: renderCase(context, token, shown, refused) } as const;
  }
  const body = html`<p class="lead">${answer === 'exists' ? said.appealExists : said.appealTooLate}</p>
<p><a href="${addressIn(context, CASE_PATH.replace(':token', token))}">${said.back}</a></p>`;
  return { status: 409, html: privateLayout(context, { title: said.appealTitle, body }) } as const;
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
  { params, query: z.object({}), needs: 'nobody', hasSecret: true },
  {
    render: async (context, { params: { token } }): Promise<PrivateResponse> => {
      const shown = await context.actions.cases.show(token);
      return shown ? { html: renderCase(context, token, shown) } : noCase(context);
    },
    submit: async (context, { params: { token } }, fields): Promise<PrivateResponse> => {
      if (fields['do'] === 'appeal') return takeAppeal(context, token, fields['text'] ?? '', readAppeal(fields));
      if (fields['do'] === 'withdraw') return withdraw(context, token, fields['agree']);
      return { seeOther: CASE_PATH.replace(':token', token) };
    },
  },
);
