import type { Methodology } from '@broker-transparency/contract/score';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../page.ts';
import { createViewContext } from '../../score/view.ts';
import { findWord, wordFor } from '../../words.ts';

/** Renders a table with a caption. The first column names the row; number columns are aligned at their end. */
export const table = (
  caption: string,
  head: readonly { readonly text: string; readonly isNumber?: boolean }[],
  rows: readonly (readonly (Html | string)[])[],
): Html => html`<div class="table numbers">
<table>
<caption>${caption}</caption>
<thead><tr>${head.map(({ text, isNumber }) => html`<th scope="col" class="${isNumber ? 'number' : ''}">${text}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (cells) =>
    html`<tr>${cells.map((cell, at) =>
      at === 0
        ? html`<th scope="row">${cell}</th>`
        : html`<td class="${head[at]?.isNumber ? 'number' : ''}">${cell}</td>`,
    )}</tr>\n`,
)}</tbody>
</table>
</div>`;

/** Renders the parts of a score with their weights. */
export const partsTable = ({ texts, format }: PageContext, { weights }: Methodology): Html => {
  const { partsCaption, part, weight, about } = texts.methodology;
  const rows = Object.entries(weights).map(([key, share]) => [
    html`<strong>${wordFor(texts.score.components, key)}</strong> <span class="below">${wordFor(about, key)}</span>`,
    format.percent(share),
  ]);
  return table(partsCaption, [{ text: part }, { text: weight, isNumber: true }], rows);
};

/** Renders the words for values, with the value from which each applies. */
export const colorsTable = ({ texts, format }: PageContext, { colorFrom }: Methodology): Html => {
  const { colorsCaption, color, condition, from, below, gray } = texts.methodology;
  const word = (name: string): Html => html`<span class="rated-${name}">${wordFor(texts.score.colors, name)}</span>`;
  return table(
    colorsCaption,
    [{ text: color }, { text: condition }],
    [
      [word('green'), from({ value: format.number(colorFrom.green) })],
      [word('yellow'), from({ value: format.number(colorFrom.yellow) })],
      [word('red'), below({ value: format.number(colorFrom.yellow) })],
      [word('gray'), gray],
    ],
  );
};

/** Renders the limits of a value. */
export const capsTable = ({ texts, format }: PageContext, { caps }: Methodology): Html => {
  const { capsCaption, limit, while: condition } = texts.methodology;
  const rows = Object.entries(caps).map(([code, cap]) => [
    findWord(texts.score.caps, code) ?? cap.reason,
    format.number(cap.limit),
  ]);
  return table(capsCaption, [{ text: condition }, { text: limit, isNumber: true }], rows);
};

/** Returns the formula of each part, with the constants of the version. */
const formulas = (numbers: Methodology, n: (value: number) => string): Readonly<Record<string, readonly string[]>> => {
  const { ratingPrior: rating, complaintPrior: complaint } = numbers;
  const rate = (name: string): string => `(${name} + ${n(complaint.count)}) / (closed + ${n(complaint.count)})`;
  return {
    regulation: ['E = 100 · (1 − ∏(1 − q · s))', '(max E + min E) / 2'],
    userRating: [
      `w = 2^(−days / ${n(rating.halfLifeDays)})`,
      `B = (${n(rating.count)} · ${n(rating.mean)} + Σ w·r) / (${n(rating.count)} + Σ w)`,
      '(B − 1) / 4 · 100',
    ],
    complaints: [
      `100 · (${n(complaint.resolvedShare)} · ${rate('resolved')} + ${n(complaint.timelyShare)} · ${rate('timely')})`,
    ],
    transparency: [`100 · met / ${n(numbers.checklist.length)}`],
    longevity: [`100 · min(1; ln(1 + years) / ln(1 + ${n(numbers.longevityFullYears)}))`],
  };
};

const formulasTable = ({ texts }: PageContext, numbers: Methodology): Html => {
  const { write } = createViewContext(texts);
  const lines = formulas(numbers, write);
  const rows = Object.keys(numbers.weights).map((key) => [
    wordFor(texts.score.components, key),
    html`${(lines[key] ?? []).map((line) => html`<code class="formula-line" dir="ltr">${line}</code>`)}`,
  ]);
  return table(
    texts.methodology.formula,
    [{ text: texts.methodology.part }, { text: texts.methodology.formula }],
    rows,
  );
};

const strengths = ({ texts }: PageContext, { tierStrength, licenseStrength, regimes }: Methodology): Html => {
  const { methodology: words, score } = texts;
  const { write } = createViewContext(texts);
  const notes = Object.entries(regimes).map(([code, other]) =>
    words.regimes({ code: code.toUpperCase(), other: other.toUpperCase() }),
  );
  return html`${table(
    words.tiers,
    [{ text: words.tier }, { text: words.q, isNumber: true }],
    Object.entries(tierStrength).map(([tier, q]) => [tier, write(q)]),
  )}
${table(
  words.statuses,
  [{ text: words.status }, { text: words.s, isNumber: true }],
  Object.entries(licenseStrength).map(([status, s]) => [wordFor(score.statuses, status), write(s)]),
)}
${notes.map((note) => html`<p>${note}</p>`)}`;
};

const constants = ({ texts }: PageContext, numbers: Methodology): Html => {
  const { names, constantsCaption, constant, number } = texts.methodology;
  const { write } = createViewContext(texts);
  const { ratingPrior: rating, complaintPrior: complaint, confidenceFrom } = numbers;
  const rows: readonly (readonly [string, number])[] = [
    [names.ratingCount, rating.count],
    [names.ratingMean, rating.mean],
    [names.halfLife, rating.halfLifeDays],
    [names.complaintCount, complaint.count],
    [names.resolvedShare, complaint.resolvedShare],
    [names.timelyShare, complaint.timelyShare],
    [names.window, complaint.windowMonths],
    [names.longevity, numbers.longevityFullYears],
    [names.medium, confidenceFrom.medium],
    [names.high, confidenceFrom.high],
  ];
  return table(
    constantsCaption,
    [{ text: constant }, { text: number, isNumber: true }],
    rows.map(([name, value]) => [name, write(value)]),
  );
};

/** Renders every number of a version, from the data of its arithmetic. */
export const everyNumber = (context: PageContext, numbers: Methodology): Html => {
  const { methodology: words } = context.texts;
  return html`<h3>${words.parts}</h3>
${partsTable(context, numbers)}
${formulasTable(context, numbers)}
<p class="soft">${words.legend}</p>
<h3>${words.strength}</h3>
${strengths(context, numbers)}
<h3>${words.constants}</h3>
${constants(context, numbers)}
<h3>${words.checklist}</h3>
<ul>${numbers.checklist.map((key) => html`<li>${wordFor(words.disclosures, key)}</li>\n`)}</ul>
<h3>${words.capsTitle}</h3>
${capsTable(context, numbers)}
<h3>${words.colors}</h3>
${colorsTable(context, numbers)}`;
};
