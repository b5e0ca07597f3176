import { GIVEN_REASON_CODES } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import type { FormFields } from '../../page.ts';
import { REPORT_PATH } from '../../parts/report-link.ts';
import { type Field, lineField, problemList, radioField, textField, tickField } from '../fields.ts';
import { privateForm, privateLayout } from '../frame.ts';
import { endedNotice } from '../kept.ts';
import { definePrivatePage, type PrivateContext, type PrivateResponse } from '../page.ts';
import type { ReportedReview } from './actions.ts';
import { type ReportField, readReport } from './forms.rule.ts';

const params = z.object({ id: z.string().regex(/^[0-9a-f]{24}$/) });

/** A form with what was typed, and the fields that must be corrected. */
interface FilledForm {
  readonly fields: FormFields;
  readonly problems: readonly ReportField[];
  /** Says why the report was not taken, if no field is wrong. */
  readonly notice?: Html;
}

const SIZES: Readonly<Partial<Record<ReportField, number>>> = { name: 100, mail: 254 };

const toField = (context: PrivateContext, { problems }: FilledForm, name: ReportField): Field => {
  const said = context.texts.cases;
  const problem = problems.includes(name) ? said.problems[name] : undefined;
  return { name, label: said[name], problem, ...(name === 'text' ? { hint: said.textHint } : {}) };
};

const renderReasons = (context: PrivateContext, form: FilledForm): Html => {
  const said = context.texts.cases;
  const choices = GIVEN_REASON_CODES.map((code) => {
    const { label, help } = said.reasons[code];
    return [code, label, help] as const;
  });
  // not required: a report of an offence against a child needs none
  return radioField({ ...toField(context, form, 'reason'), isOptional: true }, choices, form.fields['reason'] ?? '');
};

const renderChild = ({ fields }: FilledForm, label: string): Html =>
  html`<p class="choice"><input type="checkbox" id="child" name="child" value="yes"${fields['child'] === 'yes' && html` checked`}> <label for="child">${label}</label></p>\n`;

const renderSender = (context: PrivateContext, form: FilledForm): Html => {
  const said = context.texts.cases;
  const line = (name: 'name' | 'mail', type: 'text' | 'email', purpose: string): Html =>
    lineField({ ...toField(context, form, name), isOptional: true }, form.fields[name] ?? '', {
      type,
      purpose,
      most: SIZES[name] ?? 0,
    });
  return html`<fieldset aria-describedby="sender-hint">
<legend>${said.sender}</legend>
<p class="soft" id="sender-hint">${said.senderHint}</p>
${line('name', 'text', 'name')}${line('mail', 'email', 'email')}${renderChild(form, said.child)}</fieldset>`;
};

const renderForm = (context: PrivateContext, id: string, review: ReportedReview, form: FilledForm): Html => {
  const said = context.texts.cases;
  const { visitor, actions } = context;
  const { slug, name } = review.broker;
  const problems = form.problems.map((field) => toField(context, form, field));
  const content = html`${renderReasons(context, form)}
${textField(toField(context, form, 'text'), form.fields['text'] ?? '', 6)}${
  visitor
    ? html`<p>${said.asVisitor} ${toBdi(visitor.label)}</p>\n${renderChild(form, said.childMine)}`
    : renderSender(context, form)
}
${tickField(toField(context, form, 'faith'), form.fields['faith'] === 'yes')}<p><button>${said.send}</button></p>`;
  const next = visitor ? said.reportNextMine : actions.cases.sendsMail ? said.reportNext : said.reportNextNoMail;
  return privateLayout(context, {
    title: said.reportTitle,
    body: html`${form.notice}${problemList(said.wrong, problems)}<p class="lead">${said.reportLead}</p>
<p>${said.about} <q>${toBdi(review.title)}</q>, <a href="${addressIn(context, `/brokers/${slug}/reviews`)}">${toBdi(name)}</a></p>
<div class="case-form">${privateForm(context, REPORT_PATH.replace(':id', id), {}, content)}</div>
<p class="soft">${next}</p>
${!visitor && html`<p class="soft">${said.reportPrivacy}</p>`}`,
  });
};

const renderNotice = (title: string, text: string, link?: Html): Html => html`<div class="problems" role="alert">
<p><strong>${title}</strong></p>
<p>${text}</p>
${link && html`<p>${link}</p>\n`}</div>
`;

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
    keep: async (context, { params: { id } }, fields) => {
      const review = await context.actions.cases.findReview(id);
      if (!review) return undefined;
      const notice = endedNotice(context, REPORT_PATH.replace(':id', id));
      return { status: 403, html: renderForm(context, id, review, { fields, problems: [], notice }) };
    },
    submit: async (context, { params: { id } }, fields): Promise<PrivateResponse> => {
      const { cases } = context.actions;
      const review = await cases.findReview(id);
      if (!review) return { isMissing: true };
      const said = context.texts.cases;
      const show = (problems: readonly ReportField[], notice?: Html): Html =>
        renderForm(context, id, review, { fields, problems, ...(notice && { notice }) });
      const refuse = (problems: readonly ReportField[]): PrivateResponse => ({ status: 422, html: show(problems) });
      const read = readReport(fields, context.visitor !== undefined);
      if ('problems' in read) return refuse(read.problems);
      const sent = await cases.sendReport({ ...read.report, reviewId: id, language: context.texts.code });
      if (sent === 'no_review') return { isMissing: true };
      if (sent === 'no_address') return refuse(['mail']);
      if (sent === 'too_many') return { status: 429, html: show([], renderNotice(said.tooManyTitle, said.tooMany)) };
      if (!('earlier' in sent))
        return { seeOther: 'token' in sent ? `/case/${sent.token}` : `/mine/reports/${sent.id}` };
      const path = addressIn(context, `/mine/reports/${sent.earlier}`);
      const link = html`<a href="${path}">${said.reportExistsLink}</a>`;
      return { status: 409, html: show([], renderNotice(said.reportExistsTitle, said.reportExists, link)) };
    },
  },
);
