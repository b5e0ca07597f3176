import { type Html, html } from '../../html.ts';
import { wordFor } from '../../words.ts';
import { type BrokerView, section } from './parts.ts';
import { listUnknowns, type UnknownFact } from './state.rule.ts';

const sentence = ({ context, texts }: BrokerView, unknown: UnknownFact): string => {
  const { format } = context;
  if (unknown.kind === 'checklist')
    return texts.unknown.checklist({
      items: format.list(unknown.keys.map((key) => wordFor(texts.disclosures.items, key))),
    });
  return 'count' in unknown ? texts.unknown[unknown.kind]({ count: unknown.count }) : texts.unknown[unknown.kind];
};

/** Renders the unknown facts about the broker in one place, so that a gap does not look like a good sign. */
export const unknown = (view: BrokerView): Html => {
  const { texts, broker } = view;
  const all = listUnknowns(broker);
  return section(
    view,
    'unknown',
    all.length === 0
      ? html`<p>${texts.unknown.nothing}</p>`
      : html`<p>${texts.unknown.lead}</p>
<ul>${all.map((one) => html`<li data-unknown="${one.kind}">${sentence(view, one)}</li>`)}</ul>`,
  );
};
