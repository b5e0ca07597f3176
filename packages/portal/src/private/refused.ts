import { type Html, html } from '../html.ts';
import { addressIn } from '../languages.ts';
import { SERVICE_NAME } from '../service.ts';
import { privateLayout } from './frame.ts';
import type { PrivateContext } from './page.ts';

/** Renders the page for a person who may not read a page (`operator`), or whose form was not taken (`form`). */
export const refusedPage = (context: PrivateContext, why: 'operator' | 'form'): Html => {
  const { title, text } = context.texts.signIn.refused[why];
  return privateLayout(context, {
    title,
    body: html`<p class="lead">${text}</p>
<p><a href="${addressIn(context, '/')}">${SERVICE_NAME}</a></p>`,
  });
};
