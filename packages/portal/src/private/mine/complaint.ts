import * as z from 'zod';
import { type Html, html } from '../../html.ts';
import { wordFor } from '../../words.ts';
import { definePrivatePage, type PrivateContext } from '../page.ts';
import { prose } from '../statement.ts';
import type { OwnComplaint } from './actions.ts';
import { brokerLink, minePage, noticeBox, pairs, readBrokerName, requireMine } from './parts.ts';

const timeline = ({ texts, format }: PrivateContext, { steps, ending }: OwnComplaint): Html => {
  const said = texts.mine.complaint;
  return html`<h2>${said.timeline}</h2>
<ol class="timeline">${steps.map(
    ({ status, at }) =>
      html`<li><strong>${wordFor(said.states, status)}</strong> <time datetime="${at}">${format.time(at)}</time></li>\n`,
  )}</ol>
${ending !== undefined && pairs([[said.ended, wordFor(said.endings, ending)]])}`;
};

/** Says who has to do what, and until when: the day until which an answer is in time, and the last one. */
const nextStep = ({ texts, format }: PrivateContext, { status, duty, consentToForward }: OwnComplaint): Html => {
  const said = texts.mine.complaint;
  const { by, dueAt, finalAt, isOverdue } = duty;
  if (by === 'nobody') return html`<h2>${said.next}</h2>\n<p>${said.closed}</p>\n`;
  if (by === 'operator')
    return html`<h2>${said.next}</h2>\n<p>${consentToForward ? wordFor(said.operator, status) : said.unsent}</p>\n`;
  return html`<h2>${said.next}</h2>
<p>${said.broker}</p>
${pairs([
  [isOverdue ? said.overdue : said.due, dueAt !== undefined && format.time(dueAt)],
  [said.final, finalAt !== undefined && format.time(finalAt)],
])}`;
};

const sentPart = ({ texts, format }: PrivateContext, complaint: OwnComplaint): Html => {
  const said = texts.mine.complaint;
  const { category, title, content, amountInDispute, occurredAt, desiredResolution, consentToForward } = complaint;
  return html`<h2>${said.yours}</h2>
<article class="record"><h3 dir="auto">${title}</h3>
${prose(content)}
</article>
${pairs([
  [said.category, wordFor(texts.write.fields.category.choices, category)],
  [said.amount, amountInDispute && format.money(amountInDispute)],
  [said.occurred, occurredAt !== undefined && format.day(occurredAt)],
  [said.resolution, desiredResolution !== undefined && prose(desiredResolution)],
  [said.consent, consentToForward ? said.yes : said.no],
])}`;
};

/** A complaint with its clocks. */
export const complaintPage = definePrivatePage(
  '/mine/complaints/:reference',
  {
    params: z.object({ reference: z.string().regex(/^[A-Z0-9-]{1,40}$/) }),
    query: z.object({ sent: z.literal('yes').optional().catch(undefined) }),
    needs: 'person',
  },
  {
    render: async (context, { params, query }) => {
      const complaint = await requireMine(context).findComplaint(params.reference);
      if (!complaint) return { isMissing: true };
      const { mine } = context.texts;
      const said = mine.complaint;
      const { reference, brokerSlug, status, answer } = complaint;
      const name = await readBrokerName(context, brokerSlug);
      return {
        html: minePage(
          context,
          said.title,
          html`${query.sent === 'yes' && status === 'received' && noticeBox(said.sent, said.sentText, 'status')}<p class="lead">${wordFor(said.states, status)}</p>
${pairs([
  [said.reference, html`<code>${reference}</code>`],
  [mine.about, brokerLink(context, brokerSlug, name)],
])}${nextStep(context, complaint)}${timeline(context, complaint)}${
  answer !== undefined && html`<h2>${said.answer}</h2>\n${prose(answer)}\n`
}${sentPart(context, complaint)}`,
        ),
      };
    },
  },
);
