import type { Figures } from './measure.ts';

const WIDTH = 640;
const HEIGHT = 300;
const LEFT = 50;
const TOP = 20;
const [INNER_WIDTH, INNER_HEIGHT] = [WIDTH - LEFT - 20, HEIGHT - TOP - 50];
/** Shares below this are not drawn. */
const LEAST = 0.5;

interface Point {
  readonly same: number;
  readonly figures: Figures;
}

const drawLine = (points: readonly Point[], of: (figures: Figures) => number, color: string, dash = ''): string => {
  const [first, last] = [points[0]?.same ?? 0, points.at(-1)?.same ?? 1];
  const x = (same: number) => LEFT + (INNER_WIDTH * (same - first)) / (last - first);
  const y = (share: number) => TOP + INNER_HEIGHT * (1 - (Math.max(share, LEAST) - LEAST) / (1 - LEAST));
  const path = points.map(({ same, figures }) => `${x(same).toFixed(1)},${y(of(figures)).toFixed(1)}`).join(' ');
  const style = `fill="none" stroke="${color}" stroke-width="2"${dash === '' ? '' : ` stroke-dasharray="${dash}"`}`;
  return `<polyline points="${path}" ${style}/>`;
};

const drawText = (x: number, y: number, words: string, rest = ''): string =>
  `<text x="${x}" y="${y}" font-size="12" fill="#444" ${rest}>${words}</text>`;

/** Draws what is gained and lost by where `same` begins: the lower bound of the precision, and the recall. */
export const drawCurve = (sets: Readonly<Record<string, readonly Point[]>>): string => {
  const colors = ['#999', '#06c'];
  const all = Object.entries(sets);
  const axis = [0.5, 0.6, 0.7, 0.8, 0.9, 1].flatMap((share) => {
    const y = TOP + INNER_HEIGHT * (1 - (share - LEAST) / (1 - LEAST));
    const grid = `<line x1="${LEFT}" x2="${LEFT + INNER_WIDTH}" y1="${y}" y2="${y}" stroke="#ddd"/>`;
    return [grid, drawText(LEFT - 8, y + 4, `${Math.round(share * 100)} %`, 'text-anchor="end"')];
  });
  const points = all[0]?.[1] ?? [];
  const bounds = points.map(({ same }, at) =>
    drawText(
      LEFT + (INNER_WIDTH * at) / (points.length - 1),
      TOP + INNER_HEIGHT + 18,
      String(same),
      'text-anchor="middle"',
    ),
  );
  const lines = all.flatMap(([, set], at) => [
    drawLine(set, (one) => one.precisionLower, colors[at] as string, '5 3'),
    drawLine(set, (one) => one.recallOfAll, colors[at] as string),
  ]);
  const legend = all.map(([name], at) =>
    drawText(LEFT + 10, TOP + INNER_HEIGHT - 30 + 16 * at, name, `style="fill:${colors[at]}"`),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" role="img">`,
    '<title>Recall (solid) and lower bound of the precision (dashed), by the points from which two are the same</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...axis,
    ...bounds,
    ...lines,
    ...legend,
    drawText(LEFT + INNER_WIDTH / 2, HEIGHT - 8, 'points from which two are the same', 'text-anchor="middle"'),
    '</svg>\n',
  ].join('\n');
};
