import { Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { html, written } from '../html.ts';
import { layout } from '../layout.ts';
import { definePage } from '../page.ts';
import { schemaOrg } from '../spread/schema-org.ts';
import { CHECK_SCRIPTS, checkSection } from './broker/check.ts';

/** A broker, with the evidence for everything that is said of it. */
export const broker = definePage(
  '/brokers/:slug',
  { params: z.object({ slug: Slug }), query: z.object({}) },
  async (context, { params }) => {
    const found = await context.client.brokers.get(params.slug);
    if (found.slug !== params.slug) return { movedTo: `/brokers/${found.slug}` };
    return {
      html: layout(context, {
        title: found.name,
        description: found.description,
        scripts: CHECK_SCRIPTS,
        body: html`<h1>${written(found.name)}</h1>
<p>${context.texts.colors[found.color as 'green']}</p>
${checkSection(context, found)}`,
        head: schemaOrg(context, found),
      }),
    };
  },
);
