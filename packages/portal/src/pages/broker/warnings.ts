import { classifyWarning } from '@broker-transparency/contract/score';
import { type Html, html, toBdi } from '../../html.ts';
import { formatHost, renderExternalLink } from '../../links.ts';
import { wordFor } from '../../words.ts';
import { type BrokerView, day, section } from './parts.ts';
import { groupNewestFirst, type Warning } from './state.rule.ts';

/** Returns the meaning of a warning for this firm, in sentences. */
const meaning = ({ context, texts }: BrokerView, warning: Warning): string[] => {
  const { about, match, withdrawnAt, correctedAt } = warning;
  const { format } = context;
  if (about === 'not_this_firm')
    return [
      wordFor(texts.warnings.about, about),
      correctedAt === undefined
        ? texts.warnings.notThisFirm
        : texts.warnings.corrected({ day: format.day(correctedAt) }),
    ];
  return [
    wordFor(texts.warnings.about, about),
    ...(withdrawnAt === undefined ? [] : [texts.warnings.withdrawn({ day: format.day(withdrawnAt) })]),
    ...(match === 'unchecked' ? [texts.warnings.unchecked] : []),
    ...(match === 'confirmed' ? [texts.warnings.confirmed] : []),
  ];
};

const item = (view: BrokerView, warning: Warning): Html => {
  const { context, texts } = view;
  const [about, ...rest] = meaning(view, warning);
  const title = toBdi(warning.title);
  const state = classifyWarning(warning);
  const { published, publishedBy } = texts.warnings;
  const dated = warning.dating === undefined ? published : publishedBy;
  return html`
<li class="record warning-record ${state}" data-warning="${state}">
<h3>${state === 'past' ? html`<s>${title}</s>` : title}</h3>
<p class="record-by">${toBdi(warning.source)}, ${dated({ day: '' })}${day(context, warning.publishedAt)}</p>
<p><strong>${about}</strong> ${rest.join(' ')}</p>
<p>${renderExternalLink(warning.url, texts.warnings.read)} <span class="soft">${formatHost(warning.url)}</span></p>
</li>`;
};

const list = (view: BrokerView, some: readonly Warning[]): Html =>
  html`<ul class="records">${some.map((warning) => item(view, warning))}</ul>`;

/** Renders the warnings in full, those in force first. Those that do not count are folded. */
export const warnings = (view: BrokerView): Html => {
  const { texts, broker } = view;
  const { confirmed, unchecked, clone, past } = groupNewestFirst(broker.warnings);
  const first = [...confirmed, ...unchecked, ...clone];
  const hasStanding = confirmed.length + unchecked.length > 0;
  return section(view, 'warnings', [
    !hasStanding && html`<p><strong>${texts.warnings.noneKnown}</strong> ${texts.warnings.noneText}</p>`,
    first.length > 0 && list(view, first),
    past.length > 0 &&
      html`<details><summary>${texts.warnings.past({ count: past.length })}</summary>${list(view, past)}</details>`,
  ]);
};
