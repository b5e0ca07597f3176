import { type Html, html } from '../../html.ts';
import type { PrivateContext } from '../page.ts';

/** Says who may write what, before anybody writes: whose identity has to be verified, and where that is done. */
export const verificationNote = ({ texts, visitor, actions }: PrivateContext): Html => {
  const said = texts.signIn.verification;
  const { verifyUrl } = actions.signIn;
  const state = visitor && html` ${visitor.isVerified ? said.isVerified : said.isNot}`;
  const where =
    visitor?.isVerified !== true &&
    verifyUrl !== undefined &&
    html` <a href="${verifyUrl}" rel="noreferrer">${said.where}</a>`;
  return html`<p>${said.who}${state}${where}</p>`;
};
