import type { BrokerDetail } from '@broker-transparency/client';
import { complaintCounts, type ScoreFacts } from '@broker-transparency/contract/score';
import { toHtml } from '../../elements.ts';
import { type Html, html, isolateText, raw, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import type { PageContext } from '../../page.ts';
import {
  EXAMPLE,
  FIELDS,
  type Field,
  type FieldName,
  type Group,
  type Inputs,
  type ScoreBase,
  toInputs,
} from '../../score/inputs.ts';
import { computeScore, type LiveStart, type LiveTexts, liveView } from '../../score/live.ts';
import { createViewContext } from '../../score/view.ts';
import { wordFor } from '../../words.ts';

/** Returns the facts of a broker that determine its score. */
const toScoreBase = (broker: BrokerDetail): ScoreBase => {
  const { computedAt } = broker.score;
  const facts: ScoreFacts = {
    status: broker.status,
    licensesCheckedAt: broker.licensesCheckedAt,
    entities: broker.entities.map(({ legalName, retailClients }) => ({ legalName, retailClients })),
    licenses: broker.licenses.map(({ entity, regulatorCode, type, tier, status, activeSince }) => ({
      entity: { legalName: entity.legalName },
      regulatorCode,
      type,
      tier,
      status,
      activeSince,
    })),
    ratingsByMonth: broker.ratingsByMonth,
    complaints: complaintCounts(broker.complaintsByMonth, new Date(computedAt)),
    checklist: broker.checklist.map(({ key, met }) => ({ key, met })),
    warnings: broker.warnings.map(({ about, withdrawnAt, match }) => ({ about, withdrawnAt, match })),
  };
  return { facts, computedAt };
};

/** Returns the initial inputs of a page. */
export const createStart = (version: string, broker: BrokerDetail | undefined): LiveStart => {
  if (!broker) return { version, initial: EXAMPLE };
  const base = toScoreBase(broker);
  const { score } = computeScore(EXAMPLE, { version, initial: EXAMPLE, base });
  return { version, base, initial: toInputs(base, score) };
};

const optionText = (context: PageContext, name: FieldName, option: string): string => {
  const { live, score } = context.texts;
  if (name === 'state') return wordFor(score.statuses, option);
  if (name === 'checked') return option === 'yes' ? live.yes : live.no;
  if (name === 'warning')
    return { none: live.noWarning, confirmed: live.confirmed, unchecked: live.unchecked }[option] ?? option;
  if (option === 'no') return live.noOther;
  if (option === '0') return name === 'other' ? live.unlicensed : live.none;
  return live.tier({ tier: option });
};

const getLabel = (live: LiveTexts, name: FieldName): string => live[name];

const control = (context: PageContext, field: Field, value: string): Html => {
  const { name } = field;
  const id = `live-${name}`;
  const label = html`<label for="${id}">${getLabel(context.texts.live, name)}</label>`;
  if ('options' in field) {
    const options = field.options.map(
      (option) =>
        html`<option value="${option}"${option === value && raw(' selected')}>${optionText(context, name, option)}</option>`,
    );
    return html`<div class="live-field">${label}<select id="${id}" name="${name}">${options}</select></div>\n`;
  }
  const { min, max, step } = field;
  return html`<div class="live-field">${label}<input type="number" id="${id}" name="${name}" \
inputmode="decimal" value="${value}" min="${min}" max="${max}" step="${step}" required autocomplete="off"></div>\n`;
};

const GROUPS: readonly Group[] = ['licenses', 'reviews', 'complaints', 'disclosure', 'warnings'];

const fieldset = (context: PageContext, group: Group, inputs: Inputs): Html => html`<fieldset>
<legend>${context.texts.live[group]}</legend>
${FIELDS.filter((field) => field.group === group).map((field) => control(context, field, inputs[field.name]))}</fieldset>
`;

/**
 * Renders a form with inputs and the resulting score, with every step. Without a script the form submits to the page.
 */
export const liveSection = (context: PageContext, inputs: Inputs, start: LiveStart, broker?: BrokerDetail): Html => {
  const { texts, asset } = context;
  const { live } = texts;
  const at = addressIn(context, `/methodology/${start.version}`);
  const shown = createViewContext(texts);
  const { value, steps } = liveView(shown, inputs, start);
  const published = broker?.score.value;
  return html`<section aria-labelledby="try">
<h2 id="try">${live.title}</h2>
<p>${broker ? live.from({ name: isolateText(broker.name) }) : live.example}</p>
<div class="live">
<form action="${at}" method="get" data-live="${JSON.stringify(start)}" data-texts="${asset(`texts-${texts.code}.js`)}">
${broker && html`<input type="hidden" name="broker" value="${broker.slug}">`}
${GROUPS.map((group) => fieldset(context, group, inputs))}
<p class="live-actions"><button>${live.compute}</button> <a href="${at}${broker && `?broker=${broker.slug}`}#try">${live.reset}</a></p>
</form>
<div class="live-result">
<p class="live-head" role="status"><span class="unseen">${live.result}: </span><span data-part="value">${value.map(toHtml)}</span></p>
${
  broker &&
  html`<p class="soft">${live.published({ value: typeof published === 'number' ? context.format.fixed(published, 1) : '–' })}. \
<a href="${addressIn(context, `/brokers/${broker.slug}`)}">${toBdi(broker.name)}</a></p>`
}
<div data-part="steps">${toHtml(steps)}</div>
</div>
</div>
</section>`;
};
