import type { ProblemCode } from '@broker-transparency/contract';
import { type Html, html } from '../html.ts';
import { layout } from '../layout.ts';
import type { PageContext } from '../page.ts';

/** The page in place of one that cannot be shown. */
export const errorPage = (context: PageContext, problem: { code: ProblemCode; requestId: string }): Html => {
  const { texts } = context;
  const { title, text } = texts.errors[problem.code] ?? texts.error;
  return layout(context, {
    title,
    description: text,
    isUnlisted: true,
    body: html`<h1>${title}</h1>\n<p class="lead">${text}</p>\n<p class="soft">${texts.errorId(problem.requestId)}</p>`,
  });
};
