import { scoreHistory } from '../../charts/score-history.ts';
import { type Html, html } from '../../html.ts';
import { addressFor } from '../../parts/residence.ts';
import { type BrokerView, section } from './parts.ts';

/** Renders the score over time, with a link to every change and its cause. */
export const history = (view: BrokerView): Html => {
  const { context, texts, broker, history: found } = view;
  return section(view, 'history', [
    found ? scoreHistory(context, broker, found) : html`<p>${texts.history.missing}</p>`,
    html`<p><a href="${addressFor(context, `/brokers/${broker.slug}/history`)}">${texts.history.all}</a></p>`,
  ]);
};
