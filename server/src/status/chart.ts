import { dayHtml, number, shareText } from './html.ts';
import type { StatusDay } from './state.ts';

const WIDTH = 10;
const GAP = 2;
const HEIGHT = 56;
/** A minute that was lost can be seen: the part of a bar for it is at least so high. */
const LEAST = 12;

const downOf = ({ minutes, up, unmeasured }: StatusDay): number => minutes - up - unmeasured;

const words = (day: StatusDay): string =>
  `${day.date}: ${day.up} of ${day.minutes} minutes up, ${downOf(day)} down, ${day.unmeasured} not measured`;

/** Heights of the parts of a bar, from its top: not measured, down, up. */
const partsOf = (day: StatusDay): [unmeasured: number, down: number, up: number] => {
  const high = (minutes: number): number =>
    minutes === 0 ? 0 : Math.max(LEAST, Math.round((minutes / day.minutes) * HEIGHT));
  const [gap, down] = [high(day.unmeasured), high(downOf(day))];
  const lost = gap + down;
  const room = day.up === 0 ? HEIGHT : HEIGHT - LEAST;
  const scale = day.up === 0 || lost > room ? room / Math.max(1, lost) : 1;
  const [gapHigh, downHigh] = [Math.round(gap * scale), Math.round(down * scale)];
  return [gapHigh, downHigh, HEIGHT - gapHigh - downHigh];
};

const bar = (day: StatusDay, at: number): string => {
  const title = `<title>${words(day)}</title>`;
  const rect = (kind: string, y: number, height: number): string =>
    height <= 0
      ? ''
      : `<rect${kind} x="${at * WIDTH}" y="${y}" width="${WIDTH - GAP}" height="${height}">${title}</rect>`;
  if (day.minutes === 0) return rect(' class="n"', HEIGHT - 4, 4);
  const [gap, down, up] = partsOf(day);
  // what was not measured stands back, so that it is told from what was down without colour
  const shown = gap > 4 ? rect(' class="g"', 4, gap - 4) : '';
  return shown + rect(' class="d"', gap, down) + rect('', gap + down, up);
};

/** One bar for each day. */
export const chart = (days: readonly StatusDay[]): string => {
  const lost = days.filter(({ minutes, up }) => up < minutes).length;
  const label = `${days.length} days, one bar each: ${lost} with minutes that were not up. The table below has the numbers.`;
  const width = Math.max(1, days.length) * WIDTH - GAP;
  return `<svg class="bars" role="img" aria-label="${label}" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none">${days.map(bar).join('')}</svg>`;
};

const sign = (kind: string, word: string): string =>
  `<li><svg class="bars" aria-hidden="true" viewBox="0 0 10 10"><rect${kind} width="10" height="10"/></svg>${word}</li>`;

/** What the parts of the bars mean. */
export const legend = `<ul class="legend">${sign('', 'up')}${sign(' class="d"', 'down (from the top)')}${sign(' class="g"', 'not measured (cut short at the top)')}</ul>`;

/** The same numbers as the chart, newest first. */
export const dayTable = (days: readonly StatusDay[]): string => {
  const cell = (text: string): string => `<td class="number">${text}</td>`;
  const rows = days
    .toReversed()
    .map(
      (day) =>
        `<tr><th scope="row">${dayHtml(day.date)}</th>${cell(number(day.up))}${cell(number(downOf(day)))}${cell(number(day.unmeasured))}</tr>`,
    );
  const heads = ['Up', 'Down', 'Not measured'].map((text) => `<th scope="col" class="number">${text}</th>`).join('');
  return `<div class="table"><table><thead><tr><th scope="col">Day (UTC)</th>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
};

/** A sentence on all days together. */
export const daysSentence = (days: readonly StatusDay[]): string => {
  const sum = (of: (day: StatusDay) => number): number => days.reduce((total, day) => total + of(day), 0);
  const [minutes, up] = [sum((day) => day.minutes), sum((day) => day.up)];
  if (minutes === 0) return 'Nothing was measured yet.';
  const rest = `${number(sum(downOf))} down, ${number(sum((day) => day.unmeasured))} not measured`;
  return `${shareText(up, minutes)} of ${number(minutes)} minutes were up; ${rest}.`;
};
