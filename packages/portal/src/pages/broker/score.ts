import { type Html, html } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import type { CountMessage } from '../../texts/counting.ts';
import { wordFor } from '../../words.ts';
import { type BrokerView, bar, facts, ratingWord, section } from './parts.ts';
import { capEffect, isEvidenceShown } from './state.rule.ts';

type Component = BrokerView['broker']['score']['components'][number];

/** Returns the inputs of a part in the reader's language; the API's own sentence if an input is unknown here. */
const explainComponent = ({ context, texts }: BrokerView, { key, inputs, explanation: own }: Component): string => {
  const { format } = context;
  const all = texts.score;
  const given = (name: string): number => inputs[name] ?? Number.NaN;
  const number = (name: string): string => format.number(given(name));
  const plural = (name: string, forms: CountMessage): string => forms({ count: given(name) });
  const says: Readonly<Record<string, { readonly needs: readonly string[]; readonly text: () => string }>> = {
    regulation: {
      needs: ['strongest', 'weakest', 'entities'],
      text: () =>
        given('entities') === 0
          ? all.noEntity
          : all.regulation({
              strongest: number('strongest'),
              weakest: number('weakest'),
              entities: plural('entities', all.entities),
            }),
    },
    userRating: {
      needs: ['stars', 'reviews'],
      text: () =>
        given('reviews') === 0
          ? all.noReviews
          : all.userRating({ stars: format.fixed(given('stars'), 2), reviews: plural('reviews', texts.reviewCount) }),
    },
    complaints: {
      needs: ['closed', 'resolved', 'timely'],
      text: () =>
        given('closed') === 0
          ? all.noComplaints
          : all.complaints({ closed: number('closed'), resolved: number('resolved'), timely: number('timely') }),
    },
    transparency: {
      needs: ['met', 'total'],
      text: () => all.transparency({ met: number('met'), total: number('total') }),
    },
    longevity: {
      needs: ['years'],
      text: () => (given('years') === 0 ? all.noYears : all.longevity({ years: format.fixed(given('years'), 1) })),
    },
  };
  const known = Object.hasOwn(says, key) ? says[key] : undefined;
  return known?.needs.every((name) => inputs[name] !== undefined) ? known.text() : own;
};

const componentRows = ({ context }: BrokerView, component: Component): Html => {
  const { key, score, weight, contribution } = component;
  const { format } = context;
  return html`
<tbody class="component" data-component="${key}">
<tr><th scope="row">${wordFor(context.texts.score.components, key)}</th><td class="number">${format.fixed(score, 1)}</td><td class="number">${format.percent(weight)}</td><td class="number">${format.fixed(contribution, 2)}</td></tr>
</tbody>`;
};

const partsTable = (view: BrokerView): Html => {
  const { context, texts, broker } = view;
  const { components, rawValue, value, color } = broker.score;
  const { format } = context;
  const { lowers, limit } = capEffect(broker.score);
  const column = (name: string) => html`<th scope="col" class="number">${name}</th>`;
  const row = (name: string, number: Html | string) =>
    html`<tr><th scope="row" colspan="3">${name}</th><td class="number">${number}</td></tr>`;
  return html`
<table class="parts">
<caption class="unseen">${texts.score.caption}</caption>
<thead><tr><th scope="col">${texts.score.part}</th>${column(texts.score.points)}${column(texts.score.weight)}${column(texts.score.contribution)}</tr></thead>
${components.map((component) => componentRows(view, component))}
<tfoot>
${row(texts.score.sum, format.fixed(rawValue, 2))}
${lowers && row(texts.score.capsTitle, html`≤ ${format.fixed(limit, 0)}`)}
<tr class="total"><th scope="row" colspan="2">${texts.score.value}</th><td class="number" colspan="2">${
    value !== null && html`<strong>${format.fixed(value, 1)}</strong> `
  }${ratingWord(context, color)}</td></tr>
</tfoot>
</table>`;
};

const caps = (view: BrokerView): Html => {
  const { context, texts, broker } = view;
  const { format } = context;
  const { caps: inForce, value } = broker.score;
  const { raw, lowers } = capEffect(broker.score);
  const effect = lowers
    ? texts.score.capLowers({ from: format.fixed(raw, 1), to: format.fixed(value as number, 1) })
    : texts.score.capIdle;
  if (inForce.length === 0) return html`<p>${texts.score.noCaps}</p>`;
  return html`
<h3>${texts.score.capsTitle}</h3>
<ul>${inForce.map(
    ({ code, limit, reason }) =>
      html`<li data-cap="${code}">${texts.score.cap({ limit: format.number(limit), reason: Object.hasOwn(texts.score.caps, code) ? wordFor(texts.score.caps, code) : reason })}</li>`,
  )}</ul>${value !== null && html`<p>${effect}</p>`}`;
};

const evidence = ({ context, texts, broker }: BrokerView): Html => {
  const { format } = context;
  const { level, effectiveReviews, low, high } = broker.score.confidence;
  const reviews = texts.score.effective({ count: Math.round(effectiveReviews) });
  const interval =
    low === null || high === null
      ? ''
      : low === high
        ? texts.score.fixed
        : texts.score.interval({ low: format.fixed(low, 1), high: format.fixed(high, 1) });
  return html`
<h3>${texts.score.evidenceTitle}</h3>
<p>${texts.score.evidence({ level: wordFor(texts.score.levels, level), reviews })} ${interval}</p>`;
};

/** Renders how much each part adds, of the most that it can add. */
const partBars = ({ context, texts, broker }: BrokerView): Html => {
  const { components } = broker.score;
  const { format } = context;
  const full = Math.max(...components.map(({ weight }) => weight * 100));
  return facts(
    components.map(({ key, weight, contribution }) => [
      wordFor(context.texts.score.components, key),
      html`${texts.score.bar({ contribution: format.fixed(contribution, 1), most: format.number(weight * 100) })}${bar(contribution, weight * 100, full)}`,
    ]),
  );
};

/** Renders the arithmetic of the parts and their inputs in words, folded: they are for readers who want to know why. */
const explanations = (view: BrokerView): Html => {
  const { context, texts, broker } = view;
  const { computedAt, methodologyVersion } = broker.score;
  return html`<details><summary>${texts.score.parts}</summary>${partsTable(view)}${facts(
    broker.score.components.map((component) => [
      wordFor(context.texts.score.components, component.key),
      explainComponent(view, component),
    ]),
  )}${isEvidenceShown(broker) && evidence(view)}<p class="soft">${texts.score.computed({ time: context.format.time(computedAt), version: methodologyVersion })} <a href="${addressIn(context, '/methodology')}">${texts.score.methodology}</a></p></details>`;
};

/** Renders the details of the score: its parts, limits and confidence. */
export const score = (view: BrokerView): Html => {
  const { context, texts, broker } = view;
  const { value, color } = broker.score;
  const { format } = context;
  const { raw, lowers } = capEffect(broker.score);
  const word = wordFor(context.texts.colors, color);
  const formatLead = (given: number): string =>
    lowers
      ? texts.score.cappedLead({ value: format.fixed(given, 1), word, raw: format.fixed(raw, 1) })
      : texts.score.lead({ value: format.fixed(given, 1), word });
  const lead = value === null ? texts.score.unratedLead : formatLead(value);
  return section(view, 'score', [html`<p>${lead}</p>`, partBars(view), caps(view), explanations(view)]);
};
