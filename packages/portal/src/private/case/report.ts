import { GIVEN_REASON_CODES } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import type { FormFields } from '../../page.ts';
import { REPORT_PATH } from '../../parts/report-link.ts';
import { privateForm, privateLayout } from '../frame.ts';
import { definePrivatePage, type PrivateContext, type PrivateResponse } from '../page.ts';
import type { ReportedReview } from './actions.ts';
import { type ReportField, readReport } from './forms.rule.ts';

const params = z.object({ id: z.string().regex(/^[0-9a-f]{24}$/) });

/** A form with what was typed, and the fields that must be corrected. */
interface FilledForm {
  readonly fields: FormFields;
  readonly problems: readonly ReportField[];
}

/** Renders the sentence about a field that must be corrected; its id is what the field is described by. */
const renderProblem = (context: PrivateContext, { problems }: FilledForm, field: ReportField): Html | false =>
  problems.includes(field) &&
  html`<p class="problem" id="${field}-problem"><strong>${context.texts.cases.problems[field]}</strong></p>\n`;

const describe = ({ problems }: FilledForm, field: ReportField, hint?: string): Html => {
  const ids = [...(hint === undefined ? [] : [hint]), ...(problems.includes(field) ? [`${field}-problem`] : [])];
  return html`${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}${problems.includes(field) && html` aria-invalid="true"`}`;
};

const renderReasons = (context: PrivateContext, form: FilledForm): Html => {
  const said = context.texts.cases;
  return html`<fieldset${describe(form, 'reason')}>
<legend>${said.reason}</legend>
${renderProblem(context, form, 'reason')}${GIVEN_REASON_CODES.map((code) => {
  const { label, help } = said.reasons[code];
  return html`<p class="choice"><input type="radio" id="reason-${code}" name="reason" value="${code}" aria-describedby="help-${code}"${form.fields['reason'] === code && html` checked`}> <label for="reason-${code}">${label}</label><br><span class="soft" id="help-${code}">${help}</span></p>
`;
})}</fieldset>`;
};

const renderSender = (context: PrivateContext, form: FilledForm): Html => {
  const said = context.texts.cases;
  const input = (field: 'name' | 'mail', type: string, autocomplete: string): Html =>
    html`<p><label for="${field}">${said[field]}</label><br><input id="${field}" type="${type}" name="${field}" value="${form.fields[field] ?? ''}" maxlength="254" autocomplete="${autocomplete}" dir="auto"${describe(form, field, 'sender-hint')}></p>
${renderProblem(context, form, field)}`;
  return html`<fieldset>
<legend>${said.sender}</legend>
<p class="soft" id="sender-hint">${said.senderHint}</p>
${input('name', 'text', 'name')}${input('mail', 'email', 'email')}<p class="choice"><input type="checkbox" id="child" name="child" value="yes"${form.fields['child'] === 'yes' && html` checked`}> <label for="child">${said.child}</label></p>
</fieldset>`;
};

const renderForm = (context: PrivateContext, id: string, review: ReportedReview, form: FilledForm): Html => {
  const said = context.texts.cases;
  const { slug, name } = review.broker;
  const isWrong = form.problems.length > 0;
  const content = html`${renderReasons(context, form)}
<p><label for="text">${said.text}</label></p>
<p class="soft" id="text-hint">${said.textHint}</p>
${renderProblem(context, form, 'text')}<p><textarea id="text" name="text" rows="6" maxlength="2000" dir="auto"${describe(form, 'text', 'text-hint')}>${form.fields['text'] ?? ''}</textarea></p>
${renderSender(context, form)}
<p class="choice"><input type="checkbox" id="faith" name="faith" value="yes"${describe(form, 'faith')}${form.fields['faith'] === 'yes' && html` checked`}> <label for="faith">${said.faith}</label></p>
${renderProblem(context, form, 'faith')}<p><button>${said.send}</button></p>`;
  return privateLayout(context, {
    title: said.reportTitle,
    body: html`${isWrong && html`<p role="alert"><strong>${said.wrong}</strong></p>\n`}<p class="lead">${said.reportLead}</p>
<p>${said.about} <q><bdi>${review.title}</bdi></q>, <a href="${addressIn(context, `/brokers/${slug}/reviews`)}">${toBdi(name)}</a></p>
<div class="case-form">${privateForm(context, REPORT_PATH.replace(':id', id), {}, content)}</div>
<p class="soft">${context.actions.cases.sendsMail ? said.reportNext : said.reportNextNoMail}</p>
<p class="soft">${said.reportPrivacy}</p>`,
  });
};

const EMPTY: FilledForm = { fields: {}, problems: [] };

/** Takes a report of a review by anybody (Regulation (EU) 2022/2065, article 16). */
export const report = definePrivatePage(
  REPORT_PATH,
  { params, query: z.object({}), needs: 'nobody' },
  {
    render: async (context, { params: { id } }): Promise<PrivateResponse> => {
      const review = await context.actions.cases.findReview(id);
      return review ? { html: renderForm(context, id, review, EMPTY) } : { isMissing: true };
    },
    submit: async (context, { params: { id } }, fields): Promise<PrivateResponse> => {
      const { cases } = context.actions;
      const review = await cases.findReview(id);
      if (!review) return { isMissing: true };
      const refuse = (problems: readonly ReportField[]): PrivateResponse => ({
        status: 422,
        html: renderForm(context, id, review, { fields, problems }),
      });
      const read = readReport(fields);
      if ('problems' in read) return refuse(read.problems);
      const sent = await cases.sendReport({ ...read.report, reviewId: id, language: context.texts.code });
      if (sent === 'no_review') return { isMissing: true };
      if (sent === 'no_address') return refuse(['mail']);
      if (sent !== 'too_many') return { seeOther: `/case/${sent.token}` };
      const { tooManyTitle, tooMany } = context.texts.cases;
      const body = html`<p class="lead">${tooMany}</p>`;
      return { status: 429, html: privateLayout(context, { title: tooManyTitle, body }) };
    },
  },
);
