import type { CountedLicense, ExplainedComponent, ExplainedScore, Formula } from '@broker-transparency/contract/score';
import { type Child, type Element, element as e } from '../elements.ts';
import { createFormat, type Format } from '../format.ts';
import type { Messages } from '../generated/messages.ts';
import { stripTurning } from '../html.ts';
import { wordFor } from '../words.ts';
import { scrollTable } from './table.ts';

type ScoreTexts = Messages['score'];

/** The part of a language that the arithmetic uses. */
interface ScoreWords {
  readonly score: ScoreTexts;
  readonly locale: string;
}

/** Returns the number format of formulas: four decimals, and six digits for small numbers. */
const createNumberFormat = (locale: string): ((value: number) => string) => {
  const decimals = new Intl.NumberFormat(locale, { maximumFractionDigits: 4, useGrouping: false });
  const digits = new Intl.NumberFormat(locale, { maximumSignificantDigits: 6, useGrouping: false });
  return (value) => (Math.abs(value) < 1 ? digits : decimals).format(value);
};

/** Context for showing the arithmetic. */
export interface ViewContext {
  readonly texts: ScoreTexts;
  readonly format: Format;
  readonly write: (value: number) => string;
}

/** Returns the context for showing the arithmetic in a language. */
export const createViewContext = ({ score, locale }: ScoreWords): ViewContext => ({
  texts: score,
  format: createFormat(locale),
  write: createNumberFormat(locale),
});

const line = ({ texts, write }: ViewContext, { name, text, result }: Formula): Element =>
  e('p', { class: 'formula' }, e('span', { class: 'formula-name' }, texts.formulas[name]), ' ', [
    e('code', { dir: 'ltr' }, `${text} = ${write(result)}`),
  ]);

const licenseLine = (
  { texts, write }: ViewContext,
  { regulatorCode, countsAs, tier, status, q, s }: CountedLicense,
): Element => {
  const code = regulatorCode.toUpperCase();
  const name = countsAs === undefined ? code : texts.countsAs({ code, other: countsAs.toUpperCase() });
  const state = wordFor(texts.statuses, status);
  return e(
    'li',
    {},
    `${texts.license({ code: name, tier: String(tier), q: write(q) })}, ${texts.statusCounts({ status: state, s: write(s) })}`,
  );
};

const formula = (shown: ViewContext, each: Formula): Child[] => {
  if (each.of === undefined || !each.licenses) return [line(shown, each)];
  const licenses =
    each.licenses.length === 0
      ? e('p', { class: 'soft' }, shown.texts.noLicense)
      : e(
          'ul',
          { class: 'plain soft' },
          each.licenses.map((license) => licenseLine(shown, license)),
        );
  return [e('p', { class: 'step-of' }, e('bdi', {}, stripTurning(each.of))), licenses, line(shown, each)];
};

const monthsTable = (
  { texts, format, write }: ViewContext,
  months: NonNullable<ExplainedComponent['months']>,
): Element => {
  const { months: words } = texts;
  const head = [words.month, words.reviews, words.age, words.weight, words.stars];
  const cell = (value: number): Element => e('td', { class: 'number' }, write(value));
  return e(
    'details',
    {},
    e('summary', {}, words.summary({ count: months.length })),
    scrollTable(
      words.caption,
      head.map((text, at) => e('th', { scope: 'col', ...(at > 0 && { class: 'number' }) }, text)),
      months.map(({ month, count, ageDays, weight, stars }) =>
        e('tr', {}, e('th', { scope: 'row' }, format.month(`${month}-01`)), [count, ageDays, weight, stars].map(cell)),
      ),
    ),
  );
};

const step = (title: string, figure: string | undefined, ...parts: readonly Child[]): Element =>
  e(
    'li',
    {},
    e('p', { class: 'step' }, e('strong', {}, title), figure !== undefined && e('span', { class: 'number' }, figure)),
    parts,
  );

const componentStep = (shown: ViewContext, { key, formulas, contribution, months }: ExplainedComponent): Element => {
  const { texts } = shown;
  const parts = formulas.flatMap((each) => formula(shown, each));
  const isEmpty = key === 'regulation' && formulas.length === 1;
  return step(
    wordFor(texts.components, key),
    shown.format.fixed(contribution.result, 2),
    ...(isEmpty ? [e('p', { class: 'soft' }, texts.noEntity)] : parts),
    line(shown, contribution),
    ...(months && months.length > 0 ? [monthsTable(shown, months)] : []),
  );
};

const capStep = (shown: ViewContext, { score, capped }: ExplainedScore): Element => {
  const { texts, format, write } = shown;
  const limits = score.caps.map(({ code, limit, reason }) =>
    e('li', {}, `${texts.caps[code] ?? reason} `, e('strong', {}, texts.capLimit({ limit: write(limit) }))),
  );
  const list = limits.length === 0 ? e('p', { class: 'soft' }, texts.noCap) : e('ul', { class: 'plain' }, limits);
  return step(
    texts.cap,
    capped && format.fixed(capped.result, 2),
    list,
    ...(capped && limits.length > 0 ? [line(shown, capped)] : []),
  );
};

const valueStep = ({ texts, format }: ViewContext, { score }: ExplainedScore): Element => {
  const word = wordFor(texts.colors, score.color);
  if (score.value === null) return step(texts.rounded, '–', e('p', {}, texts.notRated));
  const value = format.fixed(score.value, 1);
  return step(texts.rounded, value, e('p', {}, texts.isRated({ value, word })));
};

const confidenceStep = (shown: ViewContext, { score, effectiveReviews }: ExplainedScore): Element => {
  const { texts, format } = shown;
  const { level, low, high } = score.confidence;
  const range =
    low === null || high === null ? undefined : texts.range({ low: format.fixed(low, 1), high: format.fixed(high, 1) });
  const words = [texts.level({ level: wordFor(texts.levels, level) }), ...(range === undefined ? [] : [range])].join(
    ' ',
  );
  return step(texts.sure, undefined, e('p', {}, words), line(shown, effectiveReviews));
};

/** Renders a score step by step: each component, the sum, the limits, the value and its confidence. */
export const arithmeticView = (shown: ViewContext, arithmetic: ExplainedScore): Element =>
  e(
    'div',
    { class: 'arithmetic' },
    e(
      'ol',
      { class: 'steps' },
      arithmetic.components.map((component) => componentStep(shown, component)),
      step(shown.texts.sum, shown.format.fixed(arithmetic.sum.result, 2), line(shown, arithmetic.sum)),
      capStep(shown, arithmetic),
      valueStep(shown, arithmetic),
      confidenceStep(shown, arithmetic),
    ),
    e('p', { class: 'soft' }, shown.texts.rounding),
  );
