import type { Review } from '@broker-transparency/client';
import { Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, isolateText, toBdi } from '../../html.ts';
import { describeChange, describeDispute } from '../../pages/broker/dispute.rule.ts';
import { day, facts } from '../../pages/broker/parts.ts';
import { wordFor } from '../../words.ts';
import { tickField } from '../fields.ts';
import { privateForm, privateLayout } from '../frame.ts';
import { keepForm } from '../kept.ts';
import { definePrivatePage, type PrivateContext, type PrivateResponse } from '../page.ts';
import type { ActionResult, AnsweredFirm, FirmComplaint, FirmDispute, FirmReply } from './actions.ts';
import { BOUNDS, isWithin } from './form.rule.ts';
import { alarm, backLink, contactLink, formField, link, textField, unsentText } from './parts.ts';

const NOTHING = z.object({});
const OfFirm = z.object({ slug: Slug });

const missing: PrivateResponse = { isMissing: true };

const renderStart = (context: PrivateContext, fault?: string): Html => {
  const { texts, visitor } = context;
  const said = texts.dispute;
  const brokers = visitor?.brokers ?? [];
  return privateLayout(context, {
    title: said.answerTitle,
    body: html`<p class="lead">${said.answerLead}</p>
<h2>${said.yourFirms}</h2>
${
  brokers.length === 0
    ? html`<p>${said.noFirms}</p>`
    : html`<ul>${brokers.map(({ slug, name }) => html`<li>${link(context, `/answer/${slug}`, toBdi(name))}</li>`)}</ul>`
}
<h2>${said.codeTitle}</h2>
${privateForm(
  context,
  '/answer',
  {},
  html`${formField({
    id: 'code',
    label: said.code,
    fault,
    control: (attributes) =>
      html`<input name="code" required maxlength="40" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false"${attributes}>`,
  })}<p><button>${said.claim}</button></p>
`,
)}
<h2>${said.howTitle}</h2>
<p>${said.how}</p>
<p>${said.howNoCode}</p>
${contactLink(context)}`,
  });
};

/** The firms that a person answers for, and the form for a code. */
const start = definePrivatePage(
  '/answer',
  { params: NOTHING, query: NOTHING, needs: 'person' },
  {
    render: async (context) => ({ html: renderStart(context) }),
    submit: async (context, _asked, { code = '' }) => {
      const slug = code.trim() === '' ? undefined : await context.actions.disputes.claim(code.slice(0, 100));
      return slug === undefined
        ? { status: 422, html: renderStart(context, context.texts.dispute.faults.code) }
        : { seeOther: `/answer/${slug}` };
    },
  },
);

const buttonForm = (
  context: PrivateContext,
  { slug }: AnsweredFirm,
  fields: Readonly<Record<string, string>>,
  label: string,
  about?: string,
): Html =>
  privateForm(
    context,
    `/answer/${slug}`,
    fields,
    html`<button${about !== undefined && html` aria-describedby="${about}"`}>${label}</button>`,
  );

/** A form of the page of a firm that was sent without its tick. */
interface MissingTick {
  /** The action, and the reference of what it is about. */
  readonly key: string;
}

/** Renders a form for what cannot be undone: its reader ticks a box first. */
const agreeForm = (
  context: PrivateContext,
  { slug }: AnsweredFirm,
  {
    key,
    fields,
    label,
    agree,
  }: {
    readonly key: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly label: string;
    readonly agree: string;
  },
  unticked: MissingTick | undefined,
): Html =>
  privateForm(
    context,
    `/answer/${slug}`,
    fields,
    html`${tickField({
      name: `agree-${key}`,
      label: agree,
      problem: unticked?.key === key ? context.texts.dispute.agreeCure : undefined,
    })}<p><button class="quiet">${label}</button></p>\n`,
  );

/** Says by when an answer is due, or that it is late. */
const renderDue = (context: PrivateContext, { dueAt, isOpen }: FirmComplaint): Html => {
  const isLate = isOpen && new Date(dueAt) < context.now;
  return html`${day(context, dueAt)}${isLate && html`, <strong>${context.texts.dispute.late}</strong>`}`;
};

const complaintRow = (context: PrivateContext, { slug }: AnsweredFirm, complaint: FirmComplaint): Html => {
  const said = context.texts.dispute;
  const { reference, title, respondedAt } = complaint;
  return html`
<li class="record">${link(context, `/answer/${slug}/complaints/${reference}`, html`${said.complaint({ reference })}: ${toBdi(title)}`)}<br>
${respondedAt === undefined ? html`${said.due}: ${renderDue(context, complaint)}` : html`${said.answered}: ${day(context, respondedAt)}`}</li>`;
};

const replyRow = (context: PrivateContext, firm: AnsweredFirm, reply: FirmReply): Html => {
  const said = context.texts.dispute;
  const { id, reviewId, status, reason, content, createdAt } = reply;
  return html`
<li class="record"><p id="reply-${id}">${day(context, createdAt)}: ${wordFor(said.replyStates, status)}${
    reason !== undefined && html` (${wordFor(said.declineReasons, reason)})`
  }</p>${content !== undefined && html`<p class="prose" dir="auto">${content}</p>`}${
    (status === 'waiting' || status === 'published') &&
    buttonForm(context, firm, { do: 'withdraw-reply', id }, said.withdrawReply, `reply-${id}`)
  }${status === 'published' && html`<p>${link(context, `/brokers/${firm.slug}/reviews#review-${reviewId}`, said.toPublicPage)}</p>`}</li>`;
};

const disputeRow = (
  context: PrivateContext,
  firm: AnsweredFirm,
  dispute: FirmDispute,
  unticked: MissingTick | undefined,
): Html => {
  const said = context.texts.dispute;
  const { reference, status, text, evidence, note } = dispute;
  const change = describeChange(context, dispute as Parameters<typeof describeChange>[1]);
  return html`
<li class="record"><p id="dispute-${reference}">${describeDispute(context, dispute as Parameters<typeof describeDispute>[1], context.now)}${
    change !== undefined && html` ${change}.`
  } <span class="reference">${said.reference} ${reference}</span></p>${
    note !== undefined && html`<p>${said.note}: <span class="prose" dir="auto">${note}</span></p>`
  }${text !== undefined && html`<p class="prose" dir="auto">${text}</p>`}${
    evidence.length > 0 &&
    html`<p>${said.evidence}:</p>\n<ul>${evidence.map((one) => html`<li><a href="${one}" rel="nofollow noreferrer">${toBdi(one)}</a></li>`)}</ul>`
  }${
    status === 'open' &&
    agreeForm(
      context,
      firm,
      {
        key: reference,
        fields: { do: 'withdraw-dispute', reference },
        label: said.withdrawDispute,
        agree: said.withdrawDisputeAgree({ field: wordFor(said.fieldNames, dispute.field) }),
      },
      unticked,
    )
  }</li>`;
};

const list = (rows: readonly Html[], none: string): Html =>
  rows.length === 0 ? html`<p>${none}</p>` : html`<ul class="records">${rows}</ul>`;

/** Reviews of one page of the list that have no reply, and the place of the next page. */
const readReviews = async ({ client }: PrivateContext, slug: string, cursor: string | undefined) => {
  const { data, pagination } = await client.reviews.list({ broker: slug, limit: 50, ...(cursor ? { cursor } : {}) });
  return { open: data.filter(({ reply }) => reply === undefined), next: pagination.nextCursor };
};

const reviewRow = (context: PrivateContext, { slug }: AnsweredFirm, { id, title, rating, createdAt }: Review): Html => {
  const { format, texts } = context;
  return html`
<li class="record">${link(context, `/answer/${slug}/reviews/${id}`, html`${texts.dispute.replyTo}: ${toBdi(title)}`)}<br>
${texts.broker.reviews.rated({ rating: format.number(rating) })}, ${day(context, createdAt)}</li>`;
};

const renderReviews = async (
  context: PrivateContext,
  firm: AnsweredFirm,
  cursor: string | undefined,
): Promise<Html> => {
  const said = context.texts.dispute;
  if (!firm.mayReply) return html`<p>${said.cloneReply}</p>`;
  const { open, next } = await readReviews(context, firm.slug, cursor);
  const waiting = new Set(firm.replies.filter(({ status }) => status === 'waiting').map(({ reviewId }) => reviewId));
  const rows = open.filter(({ id }) => !waiting.has(id)).map((review) => reviewRow(context, firm, review));
  return html`${list(rows, said.noReviews)}${
    next !== null &&
    html`<p>${link(context, `/answer/${firm.slug}?${new URLSearchParams({ cursor: next })}#reviews`, said.moreReviews)}</p>`
  }`;
};

const renderFirm = async (
  context: PrivateContext,
  firm: AnsweredFirm,
  {
    cursor,
    fault,
    unticked,
  }: { readonly cursor?: string | undefined; readonly fault?: string; readonly unticked?: MissingTick },
): Promise<Html> => {
  const said = context.texts.dispute;
  const body = html`${alarm(fault)}<p>${link(context, `/brokers/${firm.slug}`, said.toPublicPage)}</p>
<h2 id="complaints">${said.complaintsTitle}</h2>
${list(
  firm.complaints.map((one) => complaintRow(context, firm, one)),
  said.noComplaints,
)}
<h2 id="disputes">${said.disputesTitle}</h2>
${list(
  firm.disputes.map((one) => disputeRow(context, firm, one, unticked)),
  said.noDisputes,
)}
<p>${link(context, `/brokers/${firm.slug}/dispute`, said.title)}</p>
${
  firm.replies.length > 0 &&
  html`<h2 id="replies">${said.repliesTitle}</h2>
${list(
  firm.replies.map((one) => replyRow(context, firm, one)),
  '',
)}\n`
}<h2 id="reviews">${said.reviewsTitle}</h2>
${await renderReviews(context, firm, cursor)}
<h2 id="resign">${said.resignTitle}</h2>
<p>${said.resignText}</p>
${agreeForm(context, firm, { key: 'resign', fields: { do: 'resign' }, label: said.resign, agree: said.resignAgree({ name: isolateText(firm.name) }) }, unticked)}
<p>${link(context, '/answer', said.backToFirms)}</p>`;
  return privateLayout(context, { title: said.firmTitle({ name: isolateText(firm.name) }), body });
};

const renderResigned = (context: PrivateContext): Html => {
  const said = context.texts.dispute;
  return privateLayout(context, {
    title: said.resignedTitle,
    body: html`<p class="lead">${said.resigned}</p>\n<p>${link(context, '/answer', said.backToFirms)}</p>`,
  });
};

/** Shows the cases that wait for a firm, and the texts that it wrote. */
const firmPage = definePrivatePage(
  '/answer/:slug',
  {
    params: OfFirm,
    query: z.object({ cursor: z.string().max(200).optional().catch(undefined) }),
    needs: 'person',
  },
  {
    render: async (context, { params: { slug }, query: { cursor } }) => {
      const firm = await context.actions.disputes.readFirm(slug);
      if (!firm) return missing;
      return firm.slug === slug
        ? { html: await renderFirm(context, firm, { cursor }) }
        : { seeOther: `/answer/${firm.slug}` };
    },
    submit: async (context, { params: { slug } }, fields) => {
      const { do: action, id = '', reference = '' } = fields;
      const { disputes } = context.actions;
      const key = action === 'resign' ? 'resign' : action === 'withdraw-dispute' ? reference : undefined;
      if (key !== undefined && fields[`agree-${key}`] !== 'yes') {
        const firm = await disputes.readFirm(slug);
        return firm ? { status: 422, html: await renderFirm(context, firm, { unticked: { key } }) } : missing;
      }
      const act: Readonly<Record<string, () => Promise<ActionResult>>> = {
        resign: () => disputes.resign(slug),
        'withdraw-reply': () => disputes.withdrawReply(slug, id),
        'withdraw-dispute': () => disputes.withdrawDispute(slug, reference),
      };
      const known = action !== undefined && Object.hasOwn(act, action) ? act[action] : undefined;
      const result = (await known?.()) ?? 'missing';
      if (result === 'done' && action === 'resign') return { html: renderResigned(context) };
      if (result === 'done') return { seeOther: `/answer/${slug}` };
      const firm = result === 'missing' ? undefined : await disputes.readFirm(slug);
      if (!firm) return missing;
      return { status: 409, html: await renderFirm(context, firm, { fault: context.texts.dispute.faults.nothing }) };
    },
  },
);

const renderComplaint = (
  context: PrivateContext,
  firm: AnsweredFirm,
  complaint: FirmComplaint,
  { text = '', fault }: { readonly text?: string; readonly fault?: string | undefined } = {},
): Html => {
  const { texts, format } = context;
  const said = texts.dispute;
  const { reference, author, amount, occurredAt, desiredResolution, answer, respondedAt, isOpen } = complaint;
  const path = `/answer/${firm.slug}/complaints/${reference}`;
  return privateLayout(context, {
    title: said.complaint({ reference }),
    body: html`${facts([
      [said.from, author !== undefined && toBdi(author)],
      [said.forwarded, day(context, complaint.forwardedAt)],
      [said.due, renderDue(context, complaint)],
      [said.final, day(context, complaint.finalAt)],
      [said.happened, occurredAt !== undefined && day(context, occurredAt)],
      [said.amount, amount !== undefined && format.money(amount)],
      [said.answered, respondedAt !== undefined && day(context, respondedAt)],
    ])}
<h2 dir="auto">${complaint.title}</h2>
<p class="prose" dir="auto">${complaint.content}</p>
${desiredResolution !== undefined && html`<h3>${said.wants}</h3>\n<p class="prose" dir="auto">${desiredResolution}</p>\n`}${
  answer !== undefined && html`<h2>${said.yourAnswer}</h2>\n<p class="prose" dir="auto">${answer}</p>\n`
}${
  isOpen
    ? privateForm(
        context,
        path,
        {},
        html`${textField({ id: 'answer', name: 'answer', label: said.yourAnswer, help: said.answerHelp, fault, value: text })}<p><button>${said.sendAnswer}</button></p>
`,
      )
    : html`${alarm(fault)}${unsentText(said.yourAnswer, text)}`
}
${backLink(context, firm)}`,
  });
};

/** A text that came too late. */
interface LateText {
  readonly title: string;
  readonly fault: string;
  readonly label: string;
  readonly text: string;
}

/** Says why a text was not taken whose occasion is gone, and shows it. */
const renderLate = (context: PrivateContext, firm: AnsweredFirm, { title, fault, label, text }: LateText) => {
  const body = html`${alarm(fault)}${unsentText(label, text)}${backLink(context, firm)}`;
  return { status: 409, html: privateLayout(context, { title, body }) } as const;
};

const readComplaint = async (context: PrivateContext, slug: string, reference: string) => {
  const firm = await context.actions.disputes.readFirm(slug);
  return firm && { firm, complaint: await context.actions.disputes.readComplaint(firm.slug, reference) };
};

/** A complaint that was sent to the firm, and its answer. */
const complaintPage = definePrivatePage(
  '/answer/:slug/complaints/:reference',
  {
    params: z.object({ slug: Slug, reference: z.string().regex(/^C-[0-9A-Z]{1,20}$/) }),
    query: NOTHING,
    needs: 'person',
  },
  {
    render: async (context, { params: { slug, reference } }) => {
      const found = await readComplaint(context, slug, reference);
      return found?.complaint ? { html: renderComplaint(context, found.firm, found.complaint) } : missing;
    },
    keep: async (context, { params: { reference } }, { answer = '' }) => {
      const said = context.texts.dispute;
      const texts = [{ name: 'answer', label: said.yourAnswer, value: answer }];
      return keepForm(context, { title: said.complaint({ reference }), send: said.sendAnswer, texts });
    },
    submit: async (context, { params: { slug, reference } }, { answer = '' }) => {
      const found = await readComplaint(context, slug, reference);
      if (!found?.firm.mayReply) return missing;
      const { firm, complaint } = found;
      const { faults, yourAnswer: label, complaint: toTitle } = context.texts.dispute;
      if (!complaint)
        return renderLate(context, firm, {
          title: toTitle({ reference }),
          fault: faults.complaint,
          label,
          text: answer,
        });
      const result = isWithin(answer, BOUNDS.answer)
        ? await context.actions.disputes.answerComplaint(slug, reference, answer.replaceAll('\r\n', '\n').trim())
        : 'invalid';
      if (result === 'missing') return missing;
      if (result === 'done') return { seeOther: `/answer/${firm.slug}/complaints/${reference}` };
      const fault = result === 'invalid' ? faults.answer : faults.complaint;
      return { status: 422, html: renderComplaint(context, firm, complaint, { text: answer, fault }) };
    },
  },
);

const renderReply = (
  context: PrivateContext,
  firm: AnsweredFirm,
  review: Review,
  { text = '', fault }: { readonly text?: string; readonly fault?: string | undefined } = {},
): Html => {
  const { texts, format } = context;
  const said = texts.dispute;
  return privateLayout(context, {
    title: said.replyTitle,
    body: html`<h2 lang="${review.language}" dir="auto">${review.title}</h2>
<p>${texts.broker.reviews.rated({ rating: format.number(review.rating) })}, ${toBdi(review.author.displayName)}, ${day(context, review.createdAt)}</p>
<p class="prose" lang="${review.language}" dir="auto">${review.content}</p>
${
  firm.mayReply
    ? privateForm(
        context,
        `/answer/${firm.slug}/reviews/${review.id}`,
        {},
        html`${textField({
          id: 'reply',
          name: 'reply',
          label: said.yourReply,
          help: said.replyHelp({ most: format.number(BOUNDS.reply.max) }),
          fault,
          value: text,
        })}<p><button>${said.sendReply}</button></p>
`,
      )
    : html`<p role="alert">${said.cloneReply}</p>${unsentText(said.yourReply, text)}`
}
${backLink(context, firm)}`,
  });
};

const hasReply = ({ replies }: AnsweredFirm, id: string): boolean =>
  replies.some(({ reviewId, status }) => reviewId === id && (status === 'waiting' || status === 'published'));

/** A review without a reply, and the form to write one. */
const replyPage = definePrivatePage(
  '/answer/:slug/reviews/:id',
  { params: z.object({ slug: Slug, id: z.string().regex(/^[0-9a-f]{24}$/) }), query: NOTHING, needs: 'person' },
  {
    render: async (context, { params: { slug, id } }) => {
      const firm = await context.actions.disputes.readFirm(slug);
      const review = firm && (await context.actions.disputes.readReview(firm.slug, id));
      return firm && review ? { html: renderReply(context, firm, review) } : missing;
    },
    keep: async (context, _asked, { reply = '' }) => {
      const { replyTitle: title, yourReply: label, sendReply: send } = context.texts.dispute;
      return keepForm(context, { title, send, texts: [{ name: 'reply', label, value: reply }] });
    },
    submit: async (context, { params: { slug, id } }, { reply = '' }) => {
      const firm = await context.actions.disputes.readFirm(slug);
      const review = firm && (await context.actions.disputes.readReview(firm.slug, id));
      if (!firm) return missing;
      const { faults, replyTitle: title, yourReply: label } = context.texts.dispute;
      const sayConflict = (now: AnsweredFirm) => (hasReply(now, id) ? faults.replyExists : faults.replyGone);
      if (!review) return renderLate(context, firm, { title, fault: sayConflict(firm), label, text: reply });
      const { min, max } = BOUNDS.reply;
      const { format } = context;
      const result = isWithin(reply, BOUNDS.reply)
        ? await context.actions.disputes.reply(slug, id, reply.replaceAll('\r\n', '\n').trim())
        : 'invalid';
      if (result === 'missing') return missing;
      if (result === 'done') return { seeOther: `/answer/${firm.slug}#replies` };
      const now = await context.actions.disputes.readFirm(slug);
      const fault =
        result === 'invalid'
          ? faults.text({ least: format.number(min), most: format.number(max) })
          : sayConflict(now ?? firm);
      return { status: 422, html: renderReply(context, firm, review, { text: reply, fault }) };
    },
  },
);

/** Pages on which people answer for a firm. */
export const ANSWER_PAGES = [start, firmPage, complaintPage, replyPage] as const;
