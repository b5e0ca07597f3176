import { type Html, html, toBdi } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import type { AssetName } from '../page.ts';
import type { PrivateContext } from './page.ts';

/** Name of the hidden field that proves where a form comes from. */
export const FORM_TOKEN_FIELD = 'form-token';

type FormContext = Pick<PrivateContext, 'prefix' | 'formToken'>;

/**
 * Renders a form that is sent to a private page.
 * @param path without language
 * @param fields hidden fields
 */
export const privateForm = (
  context: FormContext,
  path: string,
  fields: Readonly<Record<string, string>>,
  content: Html,
): Html => {
  const hidden = context.formToken === '' ? fields : { [FORM_TOKEN_FIELD]: context.formToken, ...fields };
  return html`<form method="post" action="${addressIn(context, path)}">${Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}
${content}</form>`;
};

interface PrivateContent {
  readonly title: string;
  readonly body: Html;
  readonly scripts?: readonly AssetName[];
  /** True if the page is in one language only. */
  readonly isUntranslated?: boolean;
}

/** Says who is signed in, and lets them sign out. */
const visitorLine = (context: PrivateContext): Html | false => {
  const { visitor, texts } = context;
  if (!visitor) return false;
  const said = texts.signIn;
  return html`<div class="visitor"><p>${said.signedInAs} ${toBdi(visitor.label)}</p>
${privateForm(context, '/sign-out', {}, html`<button class="quiet">${said.signOut}</button>`)}</div>
`;
};

/** Renders a whole private page: `body` stands below its title. */
export const privateLayout = (context: PrivateContext, content: PrivateContent): Html => {
  const { title, body, scripts = [], isUntranslated = false } = content;
  return layout(context, {
    title,
    description: title,
    scripts,
    isUnlisted: true,
    isUntranslated,
    body: html`${visitorLine(context)}<h1>${title}</h1>\n${body}`,
  });
};
