import { Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, raw, toBdi } from '../../html.ts';
import type { FormFields } from '../../page.ts';
import { FORM_TOKEN_FIELD, privateForm, privateLayout } from '../frame.ts';
import { keepForm } from '../kept.ts';
import { definePrivatePage, type PrivateContext, type PrivatePage, type PrivateResponse } from '../page.ts';
import { renderStatement } from '../statement.ts';
import type { CaseAddress, DeskCase, DeskField, DeskForm, DeskProblem, StatementPreview } from './actions.ts';
import { KindName } from './inbox.ts';
import { KEY_SWITCH, renderButton, renderClaim, renderHeld, renderLate, renderParts, toHidden } from './parts.ts';
import { CASE_PATH, type ListFilter, toCasePath, toInboxPath } from './paths.ts';
import { refusedDesk, requireDesk } from './refused.ts';

const params = z.object({ kind: KindName, id: z.string().regex(/^[^/\s\p{Cc}]{1,300}$/u) });
const query = z.object({
  of: KindName.optional().catch(undefined),
  broker: Slug.optional().catch(undefined),
  late: z.string().max(500).optional().catch(undefined),
});

/** The fields that were sent, if a decision was not taken yet. */
interface SentForm {
  readonly fields: FormFields;
  readonly problem?: DeskProblem;
  readonly preview?: StatementPreview;
}

interface CaseView {
  readonly found: DeskCase;
  readonly filter: z.infer<typeof query>;
  readonly sent: SentForm | undefined;
}

const renderPreview = (context: PrivateContext, { reader, decision }: StatementPreview): Html =>
  html`<div class="desk-preview" role="status"><p><strong>The ${reader} gets:</strong></p>
${renderStatement(context, decision)}</div>
`;

/** Renders a field. @param hasKeys true if digits choose */
const renderField = (field: DeskField, { fields, problem }: SentForm, hasKeys: boolean, at: number): Html => {
  const { name, label, type, hint, choices = [], isNeeded } = field;
  const value = fields[name] ?? '';
  const id = `${name}-${at}`;
  const isWrong = problem?.field === name;
  const described = [hint !== undefined && `${id}-hint`, isWrong && `${id}-problem`].filter(Boolean).join(' ');
  const about = html`${described !== '' && html` aria-describedby="${described}"`}${isWrong && raw(' aria-invalid="true"')}`;
  const said = html`${hint !== undefined && html`<span class="soft" id="${id}-hint">${hint}</span>`}${isWrong && html`<strong class="problem" id="${id}-problem">${problem.problem}</strong>`}`;
  if (type === 'choice')
    return html`<fieldset${about}><legend>${label}</legend>${said}
${!isNeeded && html`<label><input type="radio" name="${name}" value=""${value === '' && raw(' checked')}> none</label>\n`}${choices.map(
  (choice, place) =>
    html`<label><input type="radio" name="${name}" value="${choice.value}"${choice.value === value && raw(' checked')}${hasKeys && html` data-key="${place + 1}"`}> ${hasKeys && html`<kbd>${place + 1}</kbd> `}<span>${choice.label}</span></label>
`,
)}</fieldset>`;
  const input =
    type === 'text'
      ? html`<textarea id="${id}" name="${name}" rows="3"${hasKeys && raw(' data-key="n" accesskey="n"')}${about}>\n${value}</textarea>`
      : html`<input id="${id}" name="${name}" value="${value}" maxlength="60"${about}>`;
  return html`<p><label for="${id}">${label}</label> ${said} ${input}</p>`;
};

const renderForm = (context: PrivateContext, { found, filter, sent }: CaseView, form: DeskForm, at: number): Html => {
  const isFirst = at === 0;
  const statements = form.buttons.filter(({ hasStatement }) => hasStatement);
  const fields = form.fields.map((field) => html`${renderField(field, sent ?? { fields: {} }, isFirst, at)}\n`);
  const buttons = form.buttons.map(({ label, action, key, command }) =>
    renderButton(label, `decide:${action}`, key, command),
  );
  const previews = statements.map(({ label, action }) =>
    renderButton(`Preview: ${label}`, `preview:${action}`, isFirst && statements.length === 1 ? 'v' : undefined),
  );
  const body = html`${fields}<p class="desk-buttons">${buttons} ${previews}</p>`;
  const made = privateForm(context, toCasePath(found), toHidden(filter), body);
  if (form.buttons.some(({ key }) => key !== undefined)) return made;
  const isOpen = form.buttons.some(({ action }) => sent?.fields['do']?.endsWith(`:${action}`));
  return html`<details${isOpen && raw(' open')}><summary>${form.buttons.map(({ label }) => label).join(', ')}</summary>${made}</details>`;
};

const renderClaimForm = (context: PrivateContext, { found, filter }: CaseView): Html => {
  const { claim, canClaim, isDecided } = found;
  const mine = claim?.isYou === true && !isDecided;
  const buttons = mine
    ? html`${renderButton('Skip', 'skip', 's')} ${renderButton('Give it back', 'release', 'q')}`
    : canClaim && renderButton('Take it', 'claim', 'w');
  return html`<div class="desk-claim"${mine && raw(' data-part="mine"')}><p class="desk-who">${renderClaim(context, claim)}</p>
${buttons && privateForm(context, toCasePath(found), toHidden(filter), buttons)}</div>
`;
};

const renderTexts = ({ texts }: DeskCase): Html =>
  html`${texts.map(
    ({ label, language, parts }) => html`<section><h2>${label}</h2>
<p class="desk-text" dir="auto"${language !== undefined && html` lang="${language}"`}>${renderParts(parts)}</p></section>
`,
  )}`;

const renderAside = (context: PrivateContext, { found, filter }: CaseView): Html => {
  const { facts, hints = [], similar = [], related = [], timeline } = found;
  const link = (one: CaseAddress & { readonly label: string }): Html =>
    html`<a href="${toCasePath(one, filter)}">${toBdi(one.label)}</a>`;
  return html`${
    hints.length > 0 &&
    html`<section><h2>Hints</h2><ul>${hints.map(({ code, detail }) => html`<li><strong>${code}</strong>: ${toBdi(detail)}</li>`)}</ul></section>
`
  }<section><h2>Facts</h2><dl>${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${toBdi(value)}</dd>`)}</dl></section>
${
  similar.length > 0 &&
  html`<section><h2>Nearly the same text</h2>${similar.map((one) => html`<p>${link(one)}</p><p class="desk-text" dir="auto">${renderParts(one.parts)}</p>`)}</section>
`
}${
  related.length > 0 &&
  html`<section><h2>Beside it</h2><ul>${related.map((one) => html`<li>${link(one)}</li>`)}</ul></section>
`
}<section><h2>What happened</h2><ol class="desk-timeline">${timeline
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(
      ({ at, text }) =>
        html`<li${at > context.now && raw(' class="soft"')}><time datetime="${at.toISOString()}">${context.format.time(at.toISOString())}</time> ${toBdi(text)}</li>
`,
    )}</ol></section>
`;
};

const renderCase = (context: PrivateContext, view: CaseView): Html => {
  const { found, filter, sent } = view;
  const { title, state, broker, held, forms, isDecided } = found;
  const general = sent?.problem && sent.problem.field === undefined ? sent.problem.problem : undefined;
  return privateLayout(context, {
    title,
    isUntranslated: true,
    scripts: ['desk.js'],
    body: html`<p>State: <strong>${state}</strong>${isDecided && ', decided and not written yet'}. <a href="/brokers/${broker}">Page of ${broker}</a> · <a href="${toInboxPath({ kind: filter.of, broker: filter.broker })}">All that waits</a></p>
${renderHeld(context, held, filter)}${renderLate(filter.late)}${sent?.problem && html`<p role="alert"><strong>${general ?? 'Not decided: see the field below.'}</strong></p>\n`}${renderClaimForm(context, view)}<div class="desk-case"><div>
${renderTexts(found)}${sent?.preview && renderPreview(context, sent.preview)}
${forms.length > 0 && html`<section class="desk-decide" aria-label="Decide">${forms.map((form, at) => renderForm(context, view, form, at))}</section>`}
</div><aside>${renderAside(context, view)}</aside></div>
${KEY_SWITCH}`,
  });
};

const showCase = async (
  context: PrivateContext,
  address: CaseAddress,
  filter: z.infer<typeof query>,
  sent?: SentForm,
): Promise<PrivateResponse> => {
  const found = await requireDesk(context).open(address);
  if (!found) return { isMissing: true, reason: 'There is no such case.' };
  if ('refused' in found) return refusedDesk(context, found);
  return {
    status: sent?.problem ? 422 : 200,
    html: renderCase(context, { found, filter, sent }),
  };
};

/** Leads to the next case, or to the inbox if there is none. */
const goOn = async (
  context: PrivateContext,
  { kind, id }: CaseAddress,
  list: ListFilter,
  late: readonly string[] = [],
): Promise<PrivateResponse> => {
  const next = await requireDesk(context).next({ kind: list.of ?? kind, broker: list.broker, after: id });
  if (next && 'refused' in next) return refusedDesk(context, next);
  if (next) return { seeOther: toCasePath(next, list, late) };
  return { seeOther: toInboxPath({ kind: list.of, broker: list.broker, late: late.join(' ') || undefined }) };
};

const decide = async (
  context: PrivateContext,
  address: CaseAddress,
  list: ListFilter,
  { verb, action, fields }: { readonly verb: string; readonly action: string; readonly fields: FormFields },
): Promise<PrivateResponse> => {
  const desk = requireDesk(context);
  if (verb === 'preview') {
    const made = await desk.preview(address, action, fields);
    if (made === undefined) return { isMissing: true };
    if ('refused' in made) return refusedDesk(context, made);
    const sent = 'problem' in made ? { fields, problem: made } : { fields, preview: made };
    return showCase(context, address, list, sent);
  }
  const made = await desk.decide(address, action, fields);
  if (made === undefined) return { isMissing: true };
  if ('refused' in made) return refusedDesk(context, made);
  if ('problem' in made) return showCase(context, address, list, { fields, problem: made });
  return made.stays ? { seeOther: toCasePath(address, list) } : goOn(context, address, list, made.notWritten);
};

const work = async (context: PrivateContext, address: CaseAddress, list: ListFilter, verb: string) => {
  const desk = requireDesk(context);
  if (verb === 'claim') {
    const refused = await desk.claim(address);
    if (refused && 'refused' in refused) return refusedDesk(context, refused);
    if (refused) return showCase(context, address, list, { fields: {}, problem: refused });
    return { seeOther: toCasePath(address, list) };
  }
  const refused = await desk.release(address);
  if (refused) return refusedDesk(context, refused);
  return verb === 'skip'
    ? goOn(context, address, list)
    : { seeOther: toInboxPath({ kind: list.of, broker: list.broker }) };
};

/** Fields that hold a text. A case that nobody may open any more is not there to say how it calls them. */
const TEXTS: Readonly<Record<string, string>> = {
  note: 'Note',
  answer: 'Answer of the broker',
  remark: 'Remark',
  reply: 'Answer of the firm',
  appeal: 'Text of the appeal',
};

/** Shows the typed texts to an operator who was signed out, keeps what else was chosen, and names it on the button. */
const keepDecision = (context: PrivateContext, fields: FormFields): PrivateResponse | undefined => {
  const typed = Object.entries(fields).filter(
    (field): field is [string, string] => field[0] !== FORM_TOKEN_FIELD && field[1] !== undefined,
  );
  const hidden = Object.fromEntries(typed.filter(([name]) => !Object.hasOwn(TEXTS, name)));
  const { do: button, of: _of, broker: _broker, ...choices } = hidden;
  const chosen = [button?.replace(':', ' '), ...Object.values(choices)].filter(Boolean);
  return keepForm(context, {
    title: 'Not decided',
    send: `Send it again: ${chosen.join(', ')}`,
    texts: typed.flatMap(([name, value]) => {
      const label = Object.hasOwn(TEXTS, name) && value !== '' ? TEXTS[name] : undefined;
      return label === undefined ? [] : [{ name, label, value }];
    }),
    hidden,
    isUntranslated: true,
  });
};

/** A case of the desk, with everything that decides about it. */
export const casePage: PrivatePage = definePrivatePage(
  CASE_PATH,
  { params, query, needs: 'operator', isTranslated: false },
  {
    render: (context, asked) => showCase(context, asked.params, asked.query),
    keep: async (context, _asked, fields) => keepDecision(context, fields),
    submit: async (context, { params: address }, fields): Promise<PrivateResponse> => {
      const list = { of: KindName.safeParse(fields['of']).data, broker: Slug.safeParse(fields['broker']).data };
      const [verb = '', action = ''] = (fields['do'] ?? '').split(':');
      if (verb === 'decide' || verb === 'preview') return decide(context, address, list, { verb, action, fields });
      if (['claim', 'release', 'skip'].includes(verb)) return work(context, address, list, verb);
      return { isMissing: true };
    },
  },
);
