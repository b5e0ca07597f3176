import * as z from 'zod';
import { html } from '../html.ts';
import { layout } from '../layout.ts';
import { definePage } from '../page.ts';

/** The first page: search, and what there is. */
export const home = definePage('/', { params: z.object({}), query: z.object({}) }, async (context) => {
  const { texts } = context;
  return {
    html: layout(context, {
      title: texts.home.title,
      description: texts.home.lead,
      body: html`<h1>${texts.home.title}</h1>\n<p class="lead">${texts.home.lead}</p>`,
    }),
  };
});
