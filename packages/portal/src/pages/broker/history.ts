import { licenseTimeline } from '../../charts/license-timeline.ts';
import { scoreHistory } from '../../charts/score-history.ts';
import { type Html, html } from '../../html.ts';
import { addressFor } from '../../parts/residence.ts';
import { type BrokerView, section } from './parts.ts';

/** Renders the score and the licences over time, with a link to every change and its cause. */
export const history = (view: BrokerView): Html => {
  const { context, texts, broker, history: found } = view;
  return section(view, 'history', [
    found ? scoreHistory(context, broker, found) : html`<p>${texts.history.missing}</p>`,
    licenseTimeline(context, broker),
    html`<p><a href="${addressFor(context, `/brokers/${broker.slug}/history`)}">${texts.history.all}</a></p>`,
  ]);
};
