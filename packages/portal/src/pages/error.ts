import type { ProblemCode } from '@broker-transparency/contract';
import { type Html, html } from '../html.ts';
import { layout } from '../layout.ts';
import { toContactHref } from '../operator.ts';
import type { PageContext } from '../page.ts';
import { framed } from '../parts/framed.ts';

interface PageError {
  readonly code: ProblemCode;
  readonly requestId: string;
  /** True if the missing page is for a frame of another site. */
  readonly isFramed: boolean;
}

/** Renders the page in place of one that cannot be shown. */
export const errorPage = (context: PageContext, { code, requestId, isFramed }: PageError): Html => {
  const { texts } = context;
  const { title, text } = Object.hasOwn(texts.errors, code)
    ? texts.errors[code as keyof typeof texts.errors]
    : texts.error;
  const { contact } = context.operator;
  const id = html`<p class="soft">${texts.errorId({ id: requestId })}${
    contact !== undefined && html`<br>${texts.operator.report} <a href="${toContactHref(contact)}">${contact}</a>`
  }</p>`;
  if (isFramed) return framed(context, { title, body: html`<h1>${title}</h1>\n<p>${text}</p>\n${id}` });
  return layout(context, {
    title,
    description: text,
    isUnlisted: true,
    body: html`<h1>${title}</h1>\n<p class="lead">${text}</p>\n${id}`,
  });
};
