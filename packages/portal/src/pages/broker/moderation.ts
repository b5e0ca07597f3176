import type { CountByReason } from '@broker-transparency/client/record';
import { type Html, html } from '../../html.ts';
import { wordFor } from '../../words.ts';
import { type BrokerView, section } from './parts.ts';

const sumCounts = (counts: CountByReason): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Renders the outcomes of all submitted reviews, which shows any that were held back. */
export const moderation = (view: BrokerView): Html => {
  const { context, texts, moderation: found } = view;
  const { format } = context;
  const { moderation: words } = texts;
  const lead = html`<p>${words.lead}</p>`;
  if (!found) return section(view, 'moderation', [lead, html`<p>${words.missing}</p>`]);
  const { reviews, reports, appeals, operators } = found;
  const number = (count: number) => html`<td class="number">${format.number(count)}</td>`;
  const rows: readonly (readonly [string, number])[] = [
    [words.published, reviews.published],
    [words.pending, reviews.pending],
    [words.withdrawn, reviews.withdrawn],
    [words.rejected, sumCounts(reviews.rejected)],
    [words.withheld, reviews.withheld],
    [words.removed, sumCounts(reviews.removed)],
  ];
  const reasons = found.reasons
    .map(({ code, description }) => ({
      text: Object.hasOwn(words.reasons, code) ? wordFor(words.reasons, code) : description,
      rejected: reviews.rejected[code as keyof typeof reviews.rejected] ?? 0,
      removed: reviews.removed[code as keyof typeof reviews.removed] ?? 0,
    }))
    .filter(({ rejected, removed }) => rejected + removed > 0);
  return section(view, 'moderation', [
    lead,
    html`
<table class="figures">
<caption class="unseen">${words.caption}</caption>
<thead class="unseen"><tr><th scope="col">${words.outcome}</th><th scope="col">${words.reviews}</th></tr></thead>
<tbody>${rows.map(([name, count]) => html`\n<tr><th scope="row">${name}</th>${number(count)}</tr>`)}</tbody>
<tfoot><tr class="total"><th scope="row">${words.received}</th>${number(reviews.received)}</tr></tfoot>
</table>`,
    reasons.length === 0
      ? html`<p>${words.noReasons}</p>`
      : html`
<details><summary>${words.reasonsCaption}</summary>
<div class="table" role="region" tabindex="0" aria-label="${words.reasonsCaption}"><table>
<caption class="unseen">${words.reasonsCaption}</caption>
<thead><tr><th scope="col">${words.reason}</th><th scope="col" class="number">${words.rejected}</th><th scope="col" class="number">${words.removed}</th></tr></thead>
<tbody>${reasons.map(({ text, rejected, removed }) => html`\n<tr><th scope="row">${text}</th>${number(rejected)}${number(removed)}</tr>`)}</tbody>
</table></div></details>`,
    html`<p>${words.reports({ received: format.number(reports.received), upheld: format.number(reports.upheld), open: format.number(reports.open) })} ${words.appeals({ received: format.number(appeals.received), reversed: format.number(appeals.reversed), open: format.number(appeals.open) })}</p>`,
    operators.added > 0
      ? html`<p>${words.operators({ added: format.number(operators.added), alone: format.number(operators.alone) })}</p>`
      : html``,
  ]);
};
