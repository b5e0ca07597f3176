import * as z from 'zod';
import { type Html, html } from '../../html.ts';
import { wordFor } from '../../words.ts';
import { definePrivatePage, type PrivateContext } from '../page.ts';
import {
  DECIDED_QUERY,
  keepAppeal,
  readStatementFile,
  renderDecided,
  sayReason,
  type TypedAppeal,
} from '../statement.ts';
import type { MineActions } from './actions.ts';
import { answerAppeal, brokerLink, minePage, pairs, readBrokerName, requireMine } from './parts.ts';

type OwnReport = NonNullable<Awaited<ReturnType<MineActions['findReport']>>>;

const toPath = (id: string): string => `/mine/reports/${id}`;

const showReport = async (context: PrivateContext, report: OwnReport, typed?: TypedAppeal): Promise<Html> => {
  const { mine } = context.texts;
  const said = mine.report;
  const { id, brokerSlug, reason, status, outcome, createdAt } = report;
  const name = await readBrokerName(context, brokerSlug);
  return minePage(
    context,
    said.title,
    html`<p class="lead">${outcome === null ? wordFor(said.states, status) : wordFor(said.outcomes, outcome)}</p>
${pairs([
  [said.reference, html`<code>${id}</code>`],
  [mine.about, brokerLink(context, brokerSlug, name)],
  [said.reason, sayReason(context, reason)],
  [said.sent, context.format.time(createdAt)],
])}${renderDecided(context, toPath(id), report, typed)}`,
  );
};

/** A report about a review, with the decision. */
export const reportPage = definePrivatePage(
  '/mine/reports/:id',
  { params: z.object({ id: z.string().regex(/^[0-9a-f]{24}$/) }), query: DECIDED_QUERY, needs: 'person' },
  {
    render: async (context, { params: { id }, query: { file } }) => {
      const report = await requireMine(context).findReport(id);
      if (!report) return { isMissing: true };
      return file ? readStatementFile(context, toPath(id), report) : { html: await showReport(context, report) };
    },
    submit: async (context, { params: { id } }, { text = '' }) => {
      const actions = requireMine(context);
      const report = await actions.findReport(id);
      if (!report) return { isMissing: true };
      const sent = await actions.appealReport(id, text);
      return answerAppeal(context, toPath(id), { sent, text }, (typed) => showReport(context, report, typed));
    },
    keep: async (context, _asked, fields) => keepAppeal(context, fields),
  },
);
