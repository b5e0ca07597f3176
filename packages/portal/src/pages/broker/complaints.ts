import { complaintOutcomes } from '../../charts/complaint-outcomes.ts';
import { type Html, html } from '../../html.ts';
import { type BrokerView, section } from './parts.ts';

/** Renders how many complaints were closed and resolved, and how many are overdue. */
export const complaintLine = ({ context: { format }, texts, broker }: BrokerView): Html => {
  const { closed, resolvedRate, overdue } = broker.complaintSummary;
  const resolved =
    resolvedRate !== null && texts.hero.resolved({ count: format.number(Math.round(resolvedRate * closed)) });
  return html`${texts.hero.closed({ count: closed })}${resolved && `, ${resolved}`}${
    overdue > 0 && html`, <strong>${texts.hero.overdue({ count: overdue })}</strong>`
  }`;
};

/** Renders complaints in numbers: a share of no complaints is marked as such, not shown as 0. */
export const complaints = (view: BrokerView): Html => {
  const { context, texts, broker } = view;
  const { format } = context;
  const { complaints: words } = texts;
  const { open, overdue, closed, resolvedRate, timelyRate, medianResponseDays } = broker.complaintSummary;
  // a share of few cases would look more exact than it is
  const count = (rate: number | null): string =>
    rate === null
      ? words.noneClosed
      : words.ofClosed({ count: format.number(Math.round(rate * closed)), closed: format.number(closed) });
  const rows: readonly (readonly [string, string])[] = [
    [words.open, format.number(open)],
    [words.overdue, format.number(overdue)],
    [words.closed, format.number(closed)],
    [words.resolved, count(resolvedRate)],
    [words.timely, count(timelyRate)],
    [words.median, medianResponseDays === null ? words.noAnswer : words.days({ count: medianResponseDays })],
  ];
  if (open + overdue + closed === 0)
    return section(view, 'complaints', html`<p><strong>${words.empty}</strong> ${words.emptyText}</p>`);
  return section(view, 'complaints', [
    html`<p>${complaintLine(view)}</p>`,
    html`<details><summary>${words.all}</summary>
<p>${words.lead}</p>
<table class="figures">
<caption class="unseen">${words.caption}</caption>
<thead class="unseen"><tr><th scope="col">${words.measure}</th><th scope="col">${words.number}</th></tr></thead>
<tbody>${rows.map(([name, number]) => html`\n<tr><th scope="row">${name}</th><td class="number">${number}</td></tr>`)}</tbody>
</table>
${complaintOutcomes(context, { slug: broker.slug, complaintsByMonth: broker.complaintsByMonth })}
<p class="soft">${words.counting}</p></details>`,
  ]);
};
