import { type Html, html } from '../../html.ts';
import { renderExternalLink } from '../../links.ts';
import { wordFor } from '../../words.ts';
import { type BrokerView, dayOrNever, section } from './parts.ts';

/** Renders the disclosures of the broker; an unchecked one is neither yes nor no. */
export const disclosures = (view: BrokerView): Html => {
  const { context, texts, broker } = view;
  const { checklist } = broker;
  const { disclosures: words } = texts;
  const met = checklist.filter((item) => item.met === true).length;
  const answer = (is: boolean | null) => (is === null ? texts.notChecked : is ? texts.yes : texts.no);
  return section(view, 'disclosures', [
    html`<p>${words.lead({ met: context.format.number(met), total: context.format.number(checklist.length) })}</p>`,
    html`
<table class="disclosed lines">
<caption class="unseen">${words.caption}</caption>
<thead><tr><th scope="col">${words.item}</th><th scope="col">${words.met}</th><th scope="col">${words.checked}</th></tr></thead>
<tbody>${checklist.map(
      ({ key, met: is, sourceUrl, checkedAt }) => html`
<tr data-met="${String(is)}"><th scope="row">${sourceUrl === null ? wordFor(words.items, key) : renderExternalLink(sourceUrl, wordFor(words.items, key))}</th><td>${is === true ? answer(is) : html`<strong>${answer(is)}</strong>`}</td><td data-label="${words.checked}">${dayOrNever(view, checkedAt)}</td></tr>`,
    )}</tbody>
</table>`,
  ]);
};
