import { type Html, html } from '../html.ts';
import { addressIn } from '../languages.ts';
import { textField } from './fields.ts';
import { privateForm, privateLayout } from './frame.ts';
import type { PrivateContext, PrivateResponse } from './page.ts';

/**
 * Says that the session of a writer has ended, and lets them sign in in a new window.
 * @param path without language, to which the new window goes then
 */
export const endedNotice = (context: PrivateContext, path: string): Html => {
  const said = context.texts.write.ended;
  const address = `${addressIn(context, '/sign-in')}?${new URLSearchParams({ to: path })}`;
  return html`<div class="problems" role="alert"><p><strong>${said.title}</strong></p>
<p>${context.visitor ? said.again : said.text}</p>
${!context.visitor && html`<p><a href="${address}" target="_blank" rel="noopener">${said.signIn}</a></p>\n`}</div>
`;
};

/** A form whose texts are worth keeping. */
interface KeptForm {
  readonly title: string;
  /** Label of its button. */
  readonly send: string;
  readonly texts: readonly { readonly name: string; readonly label: string; readonly value: string }[];
  /** Other fields, which are sent again as they are. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** True if the page is in one language only. */
  readonly isUntranslated?: boolean;
}

/**
 * Shows a form again whose writer was signed out while typing. It is not saved: nobody knows yet whose it is. Undefined
 * if nothing was typed.
 */
export const keepForm = (
  context: PrivateContext,
  { title, send, texts, hidden = {}, isUntranslated = false }: KeptForm,
): PrivateResponse | undefined => {
  if (texts.every(({ value }) => value.trim() === '')) return undefined;
  const { path } = context;
  const fields = texts.map(({ value, ...field }) => textField({ ...field, isOptional: true }, value, 8));
  const form = privateForm(
    context,
    path,
    hidden,
    html`${fields}<p class="form-buttons"><button>${send}</button></p>\n`,
  );
  const body = html`${endedNotice(context, path)}${form}`;
  return { status: 403, html: privateLayout(context, { title, isUntranslated, body }) };
};
