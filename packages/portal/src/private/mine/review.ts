import * as z from 'zod';
import { type Html, html, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { wordFor } from '../../words.ts';
import { tickField } from '../fields.ts';
import { privateForm } from '../frame.ts';
import { definePrivatePage, type PrivateContext, type PrivatePage, type PrivateResponse } from '../page.ts';
import { DECIDED_QUERY, keepAppeal, prose, readStatementFile, renderDecided, type TypedAppeal } from '../statement.ts';
import type { MineActions } from './actions.ts';
import { answerAppeal, brokerLink, minePage, noticeBox, pairs, readBrokerName, requireMine } from './parts.ts';

type OwnReview = NonNullable<Awaited<ReturnType<MineActions['findReview']>>>;

/** States in which a review can be withdrawn. */
const WITHDRAWABLE: ReadonlySet<string> = new Set(['pending', 'published', 'withheld']);

const PARAMS = z.object({ id: z.string().regex(/^[0-9a-f]{24}$/) });
const toPath = (id: string): string => `/mine/reviews/${id}`;

/** Renders how the log will commit to the texts of a review that waits. */
const openingPart = async (context: PrivateContext, { id, status }: OwnReview): Promise<Html | false> => {
  const said = context.texts.mine.review;
  const opening = status === 'pending' ? await requireMine(context).readOpening(id) : undefined;
  if (!opening) return false;
  const rows = opening.map(
    ({ field, commitment, salt }) => html`<dt>${wordFor(said.openingFields, field)}</dt>
<dd>${said.fingerprint}: <code>${commitment}</code><br>${said.secret}: <code>${salt}</code></dd>
`,
  );
  return html`<details class="opening"><summary>${said.openingTitle}</summary>
<p>${said.openingText}</p>
<dl class="pairs">${rows}</dl>
</details>
`;
};

/** Renders the download of the proof, or when there will be one. */
const proofPart = async (context: PrivateContext, review: OwnReview): Promise<Html | false> => {
  const { id, status, publishedAt } = review;
  const said = context.texts.mine.review;
  if (status !== 'published' && (publishedAt !== null || status !== 'pending')) return false;
  const proof = status === 'published' ? await requireMine(context).readProof(id) : undefined;
  const isReady = proof !== undefined && 'done' in proof;
  return html`<h2>${said.proofTitle}</h2>
${
  isReady
    ? html`<p>${said.proofText}</p>
<p><a class="button" href="${addressIn(context, `${toPath(id)}/proof`)}" download>${said.proof}</a> <a href="${addressIn(context, '/verify')}">${said.check}</a></p>
`
    : html`<p>${status === 'published' ? said.proofSoon : said.proofLater}</p>\n${await openingPart(context, review)}`
}`;
};

const withdrawPart = (
  context: PrivateContext,
  { id, status }: OwnReview,
  problem: string | undefined,
): Html | false => {
  const said = context.texts.mine.review;
  return (
    WITHDRAWABLE.has(status) &&
    html`<h2>${said.withdrawTitle}</h2>
<p>${said.withdrawText}</p>
${privateForm(
  context,
  toPath(id),
  { do: 'withdraw' },
  html`${tickField({ name: 'agree', label: said.withdrawAgree, problem })}<p class="form-buttons"><button>${said.withdraw}</button></p>\n`,
)}`
  );
};

/** The parts of the page of a review that change. */
interface ReviewState {
  readonly isSent?: boolean;
  readonly appeal?: TypedAppeal;
  /** The fault in the form that withdraws. */
  readonly withdrawal?: string;
}

const showReview = async (context: PrivateContext, review: OwnReview, shown: ReviewState = {}): Promise<Html> => {
  const { texts, format } = context;
  const { mine, write } = texts;
  const said = mine.review;
  const { id, brokerSlug, status, rating, title, content, language, author, createdAt, publishedAt, reply } = review;
  const own = html` lang="${language}" dir="auto"`;
  const name = await readBrokerName(context, brokerSlug);
  return minePage(
    context,
    said.title,
    html`${shown.isSent && status === 'pending' && noticeBox(said.sent, said.sentText, 'status')}<p class="lead">${wordFor(said.states, status)}</p>
${pairs([
  [said.reference, html`<code>${id}</code>`],
  [mine.about, brokerLink(context, brokerSlug, name)],
  [said.written, format.time(createdAt)],
  [said.published, publishedAt !== null && format.time(publishedAt)],
])}<article class="record review">
<h2${own}>${title}</h2>
<p class="record-by"><strong>${write.preview.rated({ stars: format.number(rating) })}</strong> · ${toBdi(author.displayName)}</p>
<div${own}><p class="prose">${content}</p></div>
${reply && html`<div class="reply"><p class="record-by">${said.reply}, ${format.day(reply.createdAt)}</p>${prose(reply.content)}</div>`}
</article>
${status === 'published' && html`<p><a href="${addressIn(context, `/brokers/${brokerSlug}/reviews`)}#review-${id}">${said.open}</a></p>\n`}${renderDecided(context, toPath(id), { ...review, reviewId: id }, shown.appeal)}${await proofPart(context, review)}${withdrawPart(context, review, shown.withdrawal)}`,
  );
};

const submit = async (
  context: PrivateContext,
  review: OwnReview,
  fields: Readonly<Record<string, string | undefined>>,
): Promise<PrivateResponse> => {
  const actions = requireMine(context);
  const { mine, write } = context.texts;
  const path = toPath(review.id);
  if (fields['do'] === 'appeal') {
    const { text = '' } = fields;
    const sent = await actions.appealReview(review.id, text);
    return answerAppeal(context, path, { sent, text }, (appeal) => showReview(context, review, { appeal }));
  }
  if (fields['do'] !== 'withdraw') return { seeOther: path };
  if (fields['agree'] !== 'yes')
    return { status: 422, html: await showReview(context, review, { withdrawal: write.fields.agree.cure }) };
  const withdrawn = await actions.withdrawReview(review.id);
  if ('done' in withdrawn) return { seeOther: path };
  const current = (await actions.findReview(review.id)) ?? review;
  return { status: 409, html: await showReview(context, current, { withdrawal: mine.review.cannotWithdraw }) };
};

const page = definePrivatePage(
  '/mine/reviews/:id',
  {
    params: PARAMS,
    query: DECIDED_QUERY.extend({ sent: z.literal('yes').optional().catch(undefined) }),
    needs: 'person',
  },
  {
    render: async (context, { params: { id }, query }) => {
      const review = await requireMine(context).findReview(id);
      if (!review) return { isMissing: true };
      if (query.file) return readStatementFile(context, toPath(id), { ...review, reviewId: id });
      return { html: await showReview(context, review, { isSent: query.sent === 'yes' }) };
    },
    submit: async (context, { params }, fields) => {
      const review = await requireMine(context).findReview(params.id);
      return review ? submit(context, review, fields) : { isMissing: true };
    },
    keep: async (context, _asked, fields) => keepAppeal(context, fields),
  },
);

/** The file that shows in which words a review was published. */
const proof = definePrivatePage(
  '/mine/reviews/:id/proof',
  { params: PARAMS, query: z.object({}), needs: 'person', isTranslated: true },
  {
    render: async (context, { params: { id } }) => {
      const found = await requireMine(context).readProof(id);
      if ('refused' in found)
        return found.refused.code === 'review_not_found' ? { isMissing: true } : { seeOther: toPath(id) };
      const text = `${JSON.stringify(found.done, null, 2)}\n`;
      return { file: { name: `review-${id}.json`, contentType: 'application/json', text } };
    },
  },
);

/** Pages about one review. */
export const REVIEW_PAGES: readonly PrivatePage[] = [page, proof];
