import type { License } from '@broker-transparency/client';
import { BASE_PATH, ENDED_LICENSE_STATUSES } from '@broker-transparency/contract';
import { type Html, html, written } from '../html.ts';
import { type ChartContext, figure, marked, type Tick } from './figure.ts';
import { percentOf, shareBetween } from './scale.ts';

/** What is drawn of a licence. */
type Held = Pick<
  License,
  | 'entity'
  | 'regulatorCode'
  | 'referenceNumber'
  | 'status'
  | 'statusEffectiveAt'
  | 'activeSince'
  | 'issuedAt'
  | 'expiresAt'
>;

interface Licensed {
  readonly slug: string;
  readonly licenses: readonly Held[];
}

/** `full`: active; `hollow`: another state; `thin`: held in a state that is not known; `dashed`: not known whether held. */
type Kind = 'full' | 'hollow' | 'thin' | 'dashed';

/** A stretch of time between two times in milliseconds; null: an end of the axis. */
interface Stretch {
  readonly kind: Kind;
  readonly from: number | null;
  readonly to: number | null;
}

const timeOf = (date: string | null | undefined): number | null =>
  date === null || date === undefined ? null : Date.parse(date);

const isEnded = ({ status }: Held): boolean => ENDED_LICENSE_STATUSES.some((ended) => ended === status);

/** Since when a licence is known to exist, and since when it has its status; null: not known. */
const datesOf = (license: Held): { begin: number | null; state: number | null } => {
  const { issuedAt, activeSince, statusEffectiveAt, status } = license;
  const active = timeOf(activeSince);
  const state = timeOf(statusEffectiveAt) ?? (status === 'active' ? active : null);
  const begin = timeOf(issuedAt) ?? active;
  return { begin: begin !== null && state !== null ? Math.min(begin, state) : begin, state };
};

/** What is known of each stretch of time. Nothing is drawn as known that no source says. */
export const stretchesOf = (license: Held): Stretch[] => {
  const { begin, state } = datesOf(license);
  const unknown: Stretch[] = begin === null ? [{ kind: 'dashed', from: null, to: state }] : [];
  if (isEnded(license)) {
    if (begin === null) return unknown;
    return [{ kind: state === null ? 'dashed' : 'thin', from: begin, to: state }];
  }
  if (state === null) return begin === null ? unknown : [{ kind: 'thin', from: begin, to: null }];
  const before: Stretch[] = begin !== null && begin < state ? [{ kind: 'thin', from: begin, to: state }] : [];
  return [...unknown, ...before, { kind: license.status === 'active' ? 'full' : 'hollow', from: state, to: null }];
};

/** Room for what was before the first known day, as a share of what is known. */
const BEFORE = 0.08;
const DAY = 86_400_000;

/** The licences of a broker over time. */
export const licenseTimeline = (context: ChartContext, { slug, licenses }: Licensed): Html => {
  const { texts, format, now } = context;
  const said = texts.charts.licenses;
  const source = { name: said.source, href: `${BASE_PATH}/brokers/${slug}` };
  const shared = { name: 'licenses', title: said.title, unit: said.unit, source };
  if (licenses.length === 0) return figure(context, { ...shared, plot: null, note: said.none });
  const known = licenses.flatMap((license) => Object.values(datesOf(license))).filter((time) => time !== null);
  const end = now.getTime();
  const earliest = Math.min(end - DAY, ...known);
  const begin = earliest - BEFORE * (end - earliest);
  const shareAt = (time: number): number => shareBetween(time, begin, end);
  const dayOf = (time: number | null): string =>
    time === null ? texts.site.notKnown : format.day(new Date(time).toISOString());
  const statusOf = ({ status }: Held): string => said.statuses[status as keyof typeof said.statuses] ?? status;
  const numberOf = ({ regulatorCode, referenceNumber }: Held): string =>
    `${regulatorCode.toUpperCase()} ${referenceNumber}`;

  const stretch = ({ kind, from, to }: Stretch): Html => {
    const [x1, x2] = [from === null ? 0 : shareAt(from), to === null ? 1 : shareAt(to)];
    return kind === 'full' || kind === 'hollow'
      ? html`<rect class="chart-${kind}" x="${percentOf(x1)}" y="25%" width="${percentOf(x2 - x1)}" height="50%"/>`
      : html`<line class="chart-${kind}" x1="${percentOf(x1)}" x2="${percentOf(x2)}" y1="50%" y2="50%"/>`;
  };
  const dateMark = (series: string, row: number, time: number | null): Html | null => {
    if (time === null) return null;
    const x = percentOf(shareAt(time));
    return html`<line class="chart-date" x1="${x}" x2="${x}" y1="10%" y2="90%"${marked(series, row, time)}/>`;
  };
  const rowOf = (license: Held, row: number): Html => {
    const { begin, state } = datesOf(license);
    const title = said.row({ license: numberOf(license), status: statusOf(license), since: dayOf(state) });
    return html`<p class="chart-row-name">${written(numberOf(license))} <span class="soft">${written(license.entity.legalName)}</span>: ${statusOf(license)}</p>
<svg class="chart-row" role="img"><title>${title}</title>${stretchesOf(license).map(stretch)}${dateMark('begin', row, begin)}${dateMark('state', row, state)}</svg>
`;
  };
  const ticks: Tick[] = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = shareAt(earliest) + share * (1 - shareAt(earliest));
    return { at, label: format.month(new Date(earliest + share * (end - earliest)).toISOString()) };
  });
  const plot =
    known.length === 0
      ? null
      : html`<div class="chart-rows">${licenses.map(rowOf)}<svg class="chart-x" aria-hidden="true" dir="ltr">${ticks.map(
          ({ at, label }, index) =>
            html`<text${index > 0 && index < 4 ? html` class="chart-wide"` : null} x="${percentOf(at)}" y="1.2em" text-anchor="${index === 0 ? 'start' : index === 4 ? 'end' : 'middle'}">${label}</text>`,
        )}</svg></div>\n`;
  const cell = (series: string, row: number, time: number | null): Html =>
    time === null ? html`<td>${texts.site.notKnown}</td>` : html`<td${marked(series, row, time)}>${dayOf(time)}</td>`;
  const rows = html`<thead><tr><th scope="col">${said.license}</th><th scope="col">${said.begin}</th><th scope="col">${said.status}</th><th scope="col">${said.state}</th></tr></thead>
<tbody>${licenses.map((license, row) => {
    const { begin, state } = datesOf(license);
    return html`<tr><th scope="row">${written(numberOf(license))}</th>${cell('begin', row, begin)}<td>${statusOf(license)}${
      license.expiresAt && html`<br>${said.expires(format.day(license.expiresAt))}`
    }</td>${cell('state', row, state)}</tr>\n`;
  })}</tbody>`;
  const kinds = new Set(licenses.flatMap(stretchesOf).map(({ kind }) => kind));
  const legend = (['full', 'hollow', 'thin', 'dashed'] as const)
    .filter((kind) => kinds.has(kind))
    .map((kind) => [kind, said.kinds[kind]] as const);
  return figure(context, { ...shared, plot, legend, rows, note: known.length === 0 ? said.noDates : null });
};
