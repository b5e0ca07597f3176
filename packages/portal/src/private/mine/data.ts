import * as z from 'zod';
import { type Html, html } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { SERVICE_NAME } from '../../service.ts';
import { type Field, lineField, problemList } from '../fields.ts';
import { privateForm, privateLayout } from '../frame.ts';
import { definePrivatePage, type PrivateContext, type PrivatePage } from '../page.ts';
import { renderSignInAgain } from '../sign-in/fresh.ts';
import { minePage, requireMine } from './parts.ts';

const NOTHING = z.object({});
const EXPORT = '/mine/export';
const ERASE = '/mine/erase';

/** Everything that is kept about a person, as a file. */
const exportPage = definePrivatePage(
  EXPORT,
  { params: NOTHING, query: NOTHING, needs: 'person', waits: true },
  {
    render: async (context) => {
      const said = context.texts.mine.data;
      const form = privateForm(
        context,
        EXPORT,
        {},
        html`<p class="form-buttons"><button>${said.button}</button></p>\n`,
      );
      return { html: minePage(context, said.title, html`<p>${said.lead}</p>\n<p>${said.care}</p>\n${form}`) };
    },
    submit: async (context) => {
      const text = await requireMine(context).exportData();
      return { file: { name: 'my-data.json', contentType: 'application/json', text } };
    },
  },
);

const explain = (context: PrivateContext): Html => {
  const said = context.texts.mine.erase;
  return html`<p class="lead">${said.never}</p>
<h2>${said.goesTitle}</h2>
<ul>${said.goes.map((line) => html`<li>${line}</li>\n`)}</ul>
<h2>${said.staysTitle}</h2>
<ul>${said.stays.map((line) => html`<li>${line}</li>\n`)}</ul>
<p>${said.first} <a href="${addressIn(context, EXPORT)}">${context.texts.mine.links.export}</a></p>
<p><a class="button" href="${addressIn(context, ERASE)}?step=sure">${said.next}</a></p>
`;
};

const askAgain = (context: PrivateContext, problem?: string): Html => {
  const said = context.texts.mine.erase;
  const stale = renderSignInAgain(context, `${ERASE}?step=sure`);
  if (stale) return stale;
  const field: Field = { name: 'word', label: said.label({ word: said.word }), problem };
  return html`<h2>${said.sureTitle}</h2>
<p>${said.never}</p>
${problemList(context.texts.write.wrong.title, problem === undefined ? [] : [field])}${privateForm(
  context,
  ERASE,
  {},
  html`${lineField(field, '', { most: 20 })}<p class="form-buttons"><button>${said.button}</button> <a href="${addressIn(context, '/mine')}">${said.cancel}</a></p>\n`,
)}`;
};

/** Deletes a person's data in two steps. */
const erasePage = definePrivatePage(
  ERASE,
  {
    params: NOTHING,
    query: z.object({ step: z.literal('sure').optional().catch(undefined) }),
    needs: 'person',
    waits: true,
  },
  {
    render: async (context, { query }) => {
      const body = query.step === undefined ? explain(context) : askAgain(context);
      return { html: minePage(context, context.texts.mine.erase.title, body) };
    },
    submit: async (context, _asked, { word = '' }) => {
      const said = context.texts.mine.erase;
      if (context.visitor?.isFresh !== true)
        return { status: 403, html: minePage(context, said.title, askAgain(context)) };
      if (word.trim() !== said.word)
        return { status: 422, html: minePage(context, said.title, askAgain(context, said.cure({ word: said.word }))) };
      const state = await requireMine(context).erase();
      await context.actions.signIn.signOut();
      return { seeOther: state === 'done' ? '/mine/erased' : '/mine/erased?state=begun' };
    },
  },
);

/** Says that the data is deleted, or is being deleted. It is the same for everybody. */
const erasedPage = definePrivatePage(
  '/mine/erased',
  { params: NOTHING, query: z.object({ state: z.literal('begun').optional().catch(undefined) }), needs: 'nobody' },
  {
    render: async (context, { query }) => {
      const said = context.texts.mine.erase;
      const isBegun = query.state === 'begun';
      const body = html`<p class="lead">${isBegun ? said.begun : said.done}</p>\n<p><a href="${addressIn(context, '/')}">${SERVICE_NAME}</a></p>\n`;
      return { html: privateLayout(context, { title: isBegun ? said.begunTitle : said.doneTitle, body }) };
    },
  },
);

/** Pages by which a person takes and deletes what is kept about them. */
export const DATA_PAGES: readonly PrivatePage[] = [exportPage, erasePage, erasedPage];
