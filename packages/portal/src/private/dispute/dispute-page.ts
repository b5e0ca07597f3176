import { DISPUTE_FIELDS, Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, isolateText, toBdi } from '../../html.ts';
import type { FormFields } from '../../page.ts';
import { wordFor } from '../../words.ts';
import { privateForm, privateLayout } from '../frame.ts';
import { keepForm } from '../kept.ts';
import { definePrivatePage, type PrivateContext } from '../page.ts';
import type { AnsweredFirm } from './actions.ts';
import {
  BOUNDS,
  type DisputeConflict,
  type DisputeFault,
  type DisputeForm,
  findConflict,
  parseDispute,
} from './form.rule.ts';
import { alarm, backLink, contactLink, formField, link, textField } from './parts.ts';

const EMPTY: DisputeForm = { field: '', text: '', evidence: '' };

/** Says who can dispute a fact, to everybody else. */
const renderWho = (context: PrivateContext, { slug, name }: Pick<AnsweredFirm, 'slug' | 'name'>): Html => {
  const said = context.texts.dispute;
  return html`<h2>${said.howTitle}</h2>
<p>${said.how}</p>
<p>${context.visitor ? said.howTyped : said.howSignIn} ${link(context, '/answer', said.howCode)}</p>
<p>${said.howNoCode}</p>
${contactLink(context)}<p>${said.howOthers} ${link(context, '/corrections', context.texts.operator.corrections.title)}</p>
<p>${link(context, `/brokers/${slug}`, toBdi(name))}</p>`;
};

interface FormState {
  readonly form: DisputeForm;
  readonly faults: readonly DisputeFault[];
  /** Why the dispute was not taken. */
  readonly conflict?: DisputeConflict | undefined;
}

const sayConflict = ({ texts, format }: PrivateContext, conflict: DisputeConflict): string => {
  const { conflicts } = texts.dispute.faults;
  return conflict === 'many' ? conflicts.many({ most: format.number(BOUNDS.open) }) : conflicts[conflict];
};

const renderForm = (context: PrivateContext, firm: AnsweredFirm, { form, faults, conflict }: FormState): Html => {
  const said = context.texts.dispute;
  const { format } = context;
  const [least, most] = [format.number(BOUNDS.text.min), format.number(BOUNDS.text.max)];
  const findFault = (field: DisputeFault, text: string) => (faults.includes(field) ? text : undefined);
  const options = DISPUTE_FIELDS.map(
    (field) =>
      html`<option value="${field}"${field === form.field && html` selected`}>${wordFor(said.fieldNames, field)}</option>`,
  );
  return html`<p class="lead">${said.lead({ name: isolateText(firm.name) })}</p>
<p>${said.public}</p>
<p>${said.clock({ days: format.number(BOUNDS.days) })}</p>
${alarm(conflict && sayConflict(context, conflict))}${privateForm(
  context,
  `/brokers/${firm.slug}/dispute`,
  {},
  html`${formField({
    id: 'field',
    label: said.field,
    fault: findFault('field', said.faults.field),
    control: (attributes) =>
      html`<select name="field" required${attributes}><option value="">${said.chooseField}</option>${options}</select>`,
  })}${textField({
    id: 'text',
    name: 'text',
    label: said.text,
    help: said.textHelp({ least, most }),
    fault: findFault('text', said.faults.text({ least, most })),
    value: form.text,
  })}${textField({
    id: 'evidence',
    name: 'evidence',
    label: said.evidence,
    help: said.evidenceHelp({ most: format.number(BOUNDS.links) }),
    fault: findFault('evidence', said.faults.evidence),
    value: form.evidence,
    rows: 4,
  })}<p><button>${said.send}</button></p>
`,
)}
${backLink(context, firm)}`;
};

/** Shows a dispute again whose writer was signed out while typing. */
const keepDispute = (context: PrivateContext, { field = '', text = '', evidence = '' }: FormFields) => {
  const said = context.texts.dispute;
  const texts = [
    { name: 'text', label: said.text, value: text },
    { name: 'evidence', label: said.evidence, value: evidence },
  ];
  return keepForm(context, { title: said.title, send: said.send, texts, hidden: { field } });
};

/** A dispute begins with the fact that is wrong. Everybody may read who can open one. */
export const disputePage = definePrivatePage(
  '/brokers/:slug/dispute',
  { params: z.object({ slug: Slug }), query: z.object({}), needs: 'nobody' },
  {
    render: async (context, { params: { slug } }) => {
      const broker = await context.client.brokers.get(slug);
      if (broker.slug !== slug) return { seeOther: `/brokers/${broker.slug}/dispute` };
      const firm = context.visitor && (await context.actions.disputes.readFirm(slug));
      const body = firm ? renderForm(context, firm, { form: EMPTY, faults: [] }) : renderWho(context, broker);
      return { html: privateLayout(context, { title: context.texts.dispute.title, body }) };
    },
    keep: async (context, _asked, fields) => keepDispute(context, fields),
    submit: async (context, { params: { slug } }, fields) => {
      const { field = '', text = '', evidence = '' } = fields;
      if (!context.visitor) {
        const signIn = `/sign-in?${new URLSearchParams({ to: `/brokers/${slug}/dispute` })}`;
        return keepDispute(context, fields) ?? { seeOther: signIn };
      }
      const firm = await context.actions.disputes.readFirm(slug);
      if (!firm) return { isMissing: true };
      const form = { field, text, evidence };
      const { given, faults } = parseDispute(form);
      const result = given ? await context.actions.disputes.dispute(slug, given) : 'invalid';
      if (result === 'done') return { seeOther: `/answer/${firm.slug}#disputes` };
      if (result === 'missing') return { isMissing: true };
      const now = result === 'conflict' ? await context.actions.disputes.readFirm(slug) : undefined;
      const conflict = now && findConflict(now.disputes, field);
      const body = renderForm(context, firm, { form, faults, conflict });
      return { status: 422, html: privateLayout(context, { title: context.texts.dispute.title, body }) };
    },
  },
);
