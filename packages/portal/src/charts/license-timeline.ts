import type { License } from '@broker-transparency/client';
import { BASE_PATH, hasLicenseEnded } from '@broker-transparency/contract';
import { type Html, html, toBdi } from '../html.ts';
import { wordFor } from '../words.ts';
import { type ChartContext, createTimeFormat, DAY, figure, xAxis } from './figure.ts';
import { computeShare, toPercent } from './scale.ts';

/** States in which no register confirms the licence. */
const CLAIMED: ReadonlySet<string> = new Set(['pending', 'unverified']);

/** Fields of a licence for the chart. */
type ChartLicense = Pick<
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

interface BrokerLicenses {
  readonly slug: string;
  readonly licenses: readonly ChartLicense[];
}

/** `full`: active; `hollow`: another state; `thin`: held in an unknown state; `dashed`: not known to be held. */
type StretchKind = 'full' | 'hollow' | 'thin' | 'dashed';

/** A stretch of time between two times in milliseconds; null: an end of the axis. */
interface Stretch {
  readonly kind: StretchKind;
  readonly from: number | null;
  readonly to: number | null;
}

const parseTime = (date: string | null | undefined): number | null =>
  date === null || date === undefined ? null : Date.parse(date);

/** Returns the times since which a licence is known to exist and to have its status; null: unknown. */
export const computeDates = (license: ChartLicense): { begin: number | null; state: number | null } => {
  const { issuedAt, activeSince, statusEffectiveAt, status } = license;
  const active = parseTime(activeSince);
  const state = parseTime(statusEffectiveAt) ?? (status === 'active' ? active : null);
  const begin = parseTime(issuedAt) ?? active;
  return { begin: begin !== null && state !== null ? Math.min(begin, state) : begin, state };
};

/** Returns the known stretches of time of a licence. Only statements of sources are drawn as known. */
export const computeStretches = (license: ChartLicense): Stretch[] => {
  const { begin, state } = computeDates(license);
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

/** Room before the first known day, as a share of the known time. */
const BEFORE = 0.08;

/** Positions of times on the axis, which ends now. */
interface TimeAxis {
  readonly shareAt: (time: number) => number;
  /** The first known day; a day ago if none is known. */
  readonly earliest: number;
  readonly end: number;
}

const createAxis = (known: readonly number[], now: Date): TimeAxis => {
  const end = now.getTime();
  const earliest = Math.min(end - DAY, ...known);
  const begin = earliest - BEFORE * (end - earliest);
  return { shareAt: (time) => computeShare(time, begin, end), earliest, end };
};

const formatReference = ({ regulatorCode, referenceNumber }: ChartLicense): string =>
  `${regulatorCode.toUpperCase()} ${referenceNumber}`;

const stretchMark = ({ shareAt }: TimeAxis, { kind, from, to }: Stretch): Html => {
  const [x1, x2] = [from === null ? 0 : shareAt(from), to === null ? 1 : shareAt(to)];
  return kind === 'full' || kind === 'hollow'
    ? html`<rect class="chart-${kind}" x="${toPercent(x1)}" y="25%" width="${toPercent(x2 - x1)}" height="50%"/>`
    : html`<line class="chart-${kind}" x1="${toPercent(x1)}" x2="${toPercent(x2)}" y1="50%" y2="50%"/>`;
};

const dateMark = ({ shareAt }: TimeAxis, time: number | null): Html | null => {
  if (time === null) return null;
  const x = toPercent(shareAt(time));
  return html`<line class="chart-date" x1="${x}" x2="${x}" y1="10%" y2="90%"/>`;
};

/** Returns the functions that describe licences and their dates. */
const createFormatters = ({ texts, format }: ChartContext) => {
  const { statuses } = texts.charts.licenses;
  return {
    formatStatus: ({ status }: ChartLicense): string => wordFor(statuses, status),
    formatDay: (time: number | null): string =>
      time === null ? texts.site.notKnown : format.day(new Date(time).toISOString()),
  };
};

const renderRows = (context: ChartContext, licenses: readonly ChartLicense[], axis: TimeAxis): Html => {
  const { texts } = context;
  const { formatStatus, formatDay } = createFormatters(context);
  const rows = licenses.map((license) => {
    const { begin, state } = computeDates(license);
    const [number, status] = [formatReference(license), formatStatus(license)];
    const title = texts.charts.licenses.row({ license: number, status, since: formatDay(state) });
    return html`<p class="chart-row-name">${toBdi(number)} <span class="soft">${toBdi(license.entity.legalName)}</span>: ${status}</p>
<svg class="chart-row" role="img"><title>${title}</title>${computeStretches(license).map((stretch) => stretchMark(axis, stretch))}${dateMark(axis, begin)}${dateMark(axis, state)}</svg>
`;
  });
  const { shareAt, earliest, end } = axis;
  const formatTime = createTimeFormat(context, earliest, end);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const time = earliest + share * (end - earliest);
    return { at: shareAt(time), label: formatTime(time) };
  });
  return html`<div class="chart-rows">${rows}<div dir="ltr">${xAxis(ticks)}</div></div>\n`;
};

const renderTable = (context: ChartContext, licenses: readonly ChartLicense[]): Html => {
  const { texts, format } = context;
  const said = texts.charts.licenses;
  const { formatStatus, formatDay } = createFormatters(context);
  return html`<thead><tr><th scope="col">${said.license}</th><th scope="col">${said.begin}</th><th scope="col">${said.state}</th></tr></thead>
<tbody>${licenses.map((license) => {
    const { begin, state } = computeDates(license);
    const { expiresAt } = license;
    return html`<tr><th scope="row">${toBdi(formatReference(license))}: ${formatStatus(license)}${
      expiresAt && html`, ${said.expires({ day: format.day(expiresAt) })}`
    }</th><td>${formatDay(begin)}</td><td>${formatDay(state)}</td></tr>\n`;
  })}</tbody>`;
};

/** Renders the licences of a broker over time. */
export const licenseTimeline = (context: ChartContext, { slug, licenses }: BrokerLicenses): Html => {
  const said = context.texts.charts.licenses;
  const source = { name: said.source, href: `${BASE_PATH}/brokers/${slug}` };
  const shared = { name: 'licenses', title: said.title, unit: said.unit, source };
  if (licenses.length === 0) return figure(context, { ...shared, plot: null, note: said.none });
  const rows = renderTable(context, licenses);
  const known = licenses.flatMap((license) => Object.values(computeDates(license))).filter((time) => time !== null);
  if (known.length === 0) return figure(context, { ...shared, plot: null, rows, note: said.noDates });
  const kinds = new Set(licenses.flatMap(computeStretches).map(({ kind }) => kind));
  const legend = (['full', 'hollow', 'thin', 'dashed'] as const)
    .filter((kind) => kinds.has(kind))
    .map((kind) => [kind, said.kinds[kind]] as const);
  return figure(context, {
    ...shared,
    plot: renderRows(context, licenses, createAxis(known, context.now)),
    legend,
    rows,
  });
};
