import { Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, stripTurning } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import { definePage, type PageContext } from '../page.ts';
import { badgeSvg } from '../spread/badge.ts';

const IMAGE = '.svg';

/** `alpha-markets.svg` is the image, `alpha-markets` the page about its use. */
const File = z.string().refine((file) => Slug.safeParse(file.endsWith(IMAGE) ? file.slice(0, -4) : file).success);

/** Renders code to copy, and its result. */
const sample = ({ texts }: PageContext, code: Html): Html =>
  html`<p>${texts.spread.copy}</p>\n<pre class="sample"><code>${code.text}</code></pre>`;

const howTo = (context: PageContext, broker: { readonly slug: string; readonly name: string }): Html => {
  const { slug } = broker;
  const name = stripTurning(broker.name); // also in code that is copied
  const { texts, publicUrl } = context;
  const said = texts.spread;
  const at = (path: string): string => `${publicUrl}${addressIn(context, path)}`;
  const [page, image, frame] = [at(`/brokers/${slug}`), at(`/badges/${slug}${IMAGE}`), at(`/embed/brokers/${slug}`)];
  return layout(context, {
    title: said.badge({ name }),
    description: said.badgeLead,
    isUnlisted: true,
    body: html`<h1>${said.badge({ name })}</h1>
<p class="lead">${said.badgeLead}</p>
<h2>${said.imageTitle}</h2>
<p><img class="badge" src="${addressIn(context, `/badges/${slug}${IMAGE}`)}" width="304" height="96" alt="${said.badge({ name })}"></p>
<p>${said.imageText}</p>
${sample(context, html`<a href="${page}"><img src="${image}" width="304" height="96" alt="${said.frameName({ name })}"></a>`)}
<h2>${said.frameTitle}</h2>
<p>${said.frameText}</p>
${sample(context, html`<iframe src="${frame}" title="${said.frameName({ name })}" width="320" height="384" loading="lazy"></iframe>`)}
<p>${said.terms}</p>
<p><a href="${addressIn(context, `/brokers/${slug}`)}">${said.back({ name })}</a></p>`,
  });
};

/** The badge of a broker, and instructions for other sites. */
export const badge = definePage(
  '/badges/:file',
  { params: z.object({ file: File }), query: z.object({}), limit: 'badges' },
  async (context, { params: { file } }) => {
    const isImage = file.endsWith(IMAGE);
    const slug = isImage ? file.slice(0, -IMAGE.length) : file;
    const found = await context.client.brokers.get(slug);
    if (found.slug !== slug) return { movedTo: `/badges/${found.slug}${isImage ? IMAGE : ''}` };
    if (!isImage) return { html: howTo(context, found) };
    return { text: badgeSvg(found, context), contentType: 'image/svg+xml; charset=utf-8' };
  },
);
