import { type Html, html } from '../../html.ts';
import { privateForm } from '../frame.ts';
import type { PrivateContext } from '../page.ts';

/** Says that a person has to sign in again before a change, and leads there by a button. Undefined if they just did. */
export const renderSignInAgain = (context: PrivateContext, path: string): Html | undefined => {
  if (context.visitor?.isFresh !== false) return undefined;
  const said = context.texts.signIn.fresh;
  const button = html`<p class="form-buttons"><button>${said.button}</button></p>`;
  return html`<p>${said.why}</p>
${privateForm(context, '/sign-out', { again: path }, button)}
`;
};
