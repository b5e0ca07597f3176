import type { License } from '@broker-transparency/client';
import { BASE_PATH, hasLicenseEnded } from '@broker-transparency/contract';
import { type Html, html, written } from '../html.ts';
import { wordFor } from '../words.ts';
import { type ChartContext, DAY, figure, marked, timeNames, xAxis } from './figure.ts';
import { percentOf, shareBetween } from './scale.ts';

/** States in which no register shows the licence. */
const CLAIMED: ReadonlySet<string> = new Set(['pending', 'unverified']);

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

/** `full`: active; `hollow`: another state; `thin`: held in a state that is not known; `dashed`: not known to be held. */
type Kind = 'full' | 'hollow' | 'thin' | 'dashed';

/** A stretch of time between two times in milliseconds; null: an end of the axis. */
interface Stretch {
  readonly kind: Kind;
  readonly from: number | null;
  readonly to: number | null;
}

const timeOf = (date: string | null | undefined): number | null =>
  date === null || date === undefined ? null : Date.parse(date);

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
  if (CLAIMED.has(license.status)) return [{ kind: 'dashed', from: null, to: null }];
  const unknown: Stretch[] = begin === null ? [{ kind: 'dashed', from: null, to: state }] : [];
  if (hasLicenseEnded(license)) {
    if (begin === null) return unknown;
    return [{ kind: state === null ? 'dashed' : 'thin', from: begin, to: state }];
  }
  if (state === null) return begin === null ? unknown : [{ kind: 'thin', from: begin, to: null }];
  const before: Stretch[] = begin !== null && begin < state ? [{ kind: 'thin', from: begin, to: state }] : [];
  return [...unknown, ...before, { kind: license.status === 'active' ? 'full' : 'hollow', from: state, to: null }];
};

/** Room for what was before the first known day, as a share of what is known. */
const BEFORE = 0.08;

/** Where times are on the axis, which ends now. */
interface Axis {
  readonly shareAt: (time: number) => number;
  /** The first known day; a day ago where none is known. */
  readonly earliest: number;
  readonly end: number;
}

const axisOf = (known: readonly number[], now: Date): Axis => {
  const end = now.getTime();
  const earliest = Math.min(end - DAY, ...known);
  const begin = earliest - BEFORE * (end - earliest);
  return { shareAt: (time) => shareBetween(time, begin, end), earliest, end };
};

const numberOf = ({ regulatorCode, referenceNumber }: Held): string =>
  `${regulatorCode.toUpperCase()} ${referenceNumber}`;

const stretchMark = ({ shareAt }: Axis, { kind, from, to }: Stretch): Html => {
  const [x1, x2] = [from === null ? 0 : shareAt(from), to === null ? 1 : shareAt(to)];
  return kind === 'full' || kind === 'hollow'
    ? html`<rect class="chart-${kind}" x="${percentOf(x1)}" y="25%" width="${percentOf(x2 - x1)}" height="50%"/>`
    : html`<line class="chart-${kind}" x1="${percentOf(x1)}" x2="${percentOf(x2)}" y1="50%" y2="50%"/>`;
};

const dateMark = ({ shareAt }: Axis, name: string, time: number | null): Html | null => {
  if (time === null) return null;
  const x = percentOf(shareAt(time));
  return html`<line class="chart-date" x1="${x}" x2="${x}" y1="10%" y2="90%"${marked(name, time)}/>`;
};

/** How licences and their dates are said. */
const wordsOf = ({ texts, format }: ChartContext) => {
  const { statuses } = texts.charts.licenses;
  return {
    statusOf: ({ status }: Held): string => wordFor(statuses, status),
    dayOf: (time: number | null): string =>
      time === null ? texts.site.notKnown : format.day(new Date(time).toISOString()),
  };
};

const plotOf = (context: ChartContext, licenses: readonly Held[], axis: Axis): Html => {
  const { texts } = context;
  const { statusOf, dayOf } = wordsOf(context);
  const rows = licenses.map((license, row) => {
    const { begin, state } = datesOf(license);
    const [number, status] = [numberOf(license), statusOf(license)];
    const title = texts.charts.licenses.row({ license: number, status, since: dayOf(state) });
    return html`<p class="chart-row-name">${written(number)} <span class="soft">${written(license.entity.legalName)}</span>: ${status}</p>
<svg class="chart-row" role="img"><title>${title}</title>${stretchesOf(license).map((stretch) => stretchMark(axis, stretch))}${dateMark(axis, `begin ${row}`, begin)}${dateMark(axis, `state ${row}`, state)}</svg>
`;
  });
  const { shareAt, earliest, end } = axis;
  const nameOf = timeNames(context, earliest, end);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const time = earliest + share * (end - earliest);
    return { at: shareAt(time), label: nameOf(time) };
  });
  return html`<div class="chart-rows">${rows}<div dir="ltr">${xAxis(ticks)}</div></div>\n`;
};

const tableOf = (context: ChartContext, licenses: readonly Held[]): Html => {
  const { texts, format } = context;
  const said = texts.charts.licenses;
  const { statusOf, dayOf } = wordsOf(context);
  const cell = (name: string, time: number | null): Html =>
    html`<td${time !== null && marked(name, time)}>${dayOf(time)}</td>`;
  return html`<thead><tr><th scope="col">${said.license}</th><th scope="col">${said.begin}</th><th scope="col">${said.state}</th></tr></thead>
<tbody>${licenses.map((license, row) => {
    const { begin, state } = datesOf(license);
    const { expiresAt } = license;
    return html`<tr><th scope="row">${written(numberOf(license))}: ${statusOf(license)}${
      expiresAt && html`, ${said.expires(format.day(expiresAt))}`
    }</th>${cell(`begin ${row}`, begin)}${cell(`state ${row}`, state)}</tr>\n`;
  })}</tbody>`;
};

/** The licences of a broker over time. */
export const licenseTimeline = (context: ChartContext, { slug, licenses }: Licensed): Html => {
  const said = context.texts.charts.licenses;
  const source = { name: said.source, href: `${BASE_PATH}/brokers/${slug}` };
  const shared = { name: 'licenses', title: said.title, unit: said.unit, source };
  if (licenses.length === 0) return figure(context, { ...shared, plot: null, note: said.none });
  const rows = tableOf(context, licenses);
  const known = licenses.flatMap((license) => Object.values(datesOf(license))).filter((time) => time !== null);
  if (known.length === 0) return figure(context, { ...shared, plot: null, rows, note: said.noDates });
  const kinds = new Set(licenses.flatMap(stretchesOf).map(({ kind }) => kind));
  const legend = (['full', 'hollow', 'thin', 'dashed'] as const)
    .filter((kind) => kinds.has(kind))
    .map((kind) => [kind, said.kinds[kind]] as const);
  return figure(context, { ...shared, plot: plotOf(context, licenses, axisOf(known, context.now)), legend, rows });
};
