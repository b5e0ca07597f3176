import { html } from '../../html.ts';
import { privateLayout } from '../frame.ts';
import type { PrivateContext, PrivateResponse } from '../page.ts';
import type { DeskActions, RefusedCall } from './actions.ts';

/** Renders the answer to a call that the role of the operator does not allow. */
export const refusedDesk = (context: PrivateContext, { refused }: RefusedCall): PrivateResponse => ({
  status: 403,
  html: privateLayout(context, {
    title: 'Your role does not allow this',
    isUntranslated: true,
    body: html`<p class="lead">${refused}</p>
<p><a href="/desk">Back to the desk</a></p>`,
  }),
});

/** Returns the desk of the operator who is signed in: nobody else gets as far as its pages. */
export const requireDesk = ({ actions: { desk } }: PrivateContext): DeskActions => {
  if (!desk) throw new Error('only operators have a desk');
  return desk;
};
