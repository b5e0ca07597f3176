import { minuteNumber, type Outage, SETTLE_MINUTES } from '@broker-transparency/kernel';
import { type Html, html, toBdi } from '../html.ts';
import type { StatusIncident, StatusState } from './state.ts';
import { lastingText, minutesBetween, minutesText, timeHtml } from './text.ts';

/** Renders an outage as probers measured it. */
const outageItem = ({ from, to, minutes, unmeasured }: Outage): Html => {
  const gap =
    unmeasured === 0 ? '' : unmeasured === minutes ? ', none measured' : `, ${unmeasured} of them not measured`;
  return html`<li>from ${timeHtml(from)} to ${timeHtml(to)}: ${minutesText(minutes)}${gap}</li>`;
};

/** Renders outages, and the number of earlier ones. */
export const outageList = (outages: readonly Outage[], more = 0): Html =>
  html`<ul>${outages.map(outageItem)}${more > 0 && html`<li>and ${more} before</li>`}</ul>`;

/** Returns whether the measured outage is longer than the stated time of the incident. */
export const isShort = ({ from, to, measured }: Pick<StatusIncident, 'from' | 'to' | 'measured'>): boolean =>
  (measured ?? []).some(
    (outage) =>
      minuteNumber(outage.from) < minuteNumber(from) || (to !== null && Date.parse(outage.to) > roundedUp(to)),
  );

const roundedUp = (time: string): number => Math.ceil(Date.parse(time) / 60_000) * 60_000;

const MEASURED_SHOWN = 10;

const measuredHtml = (incident: StatusIncident, generatedAt: string): Html | string => {
  const { from, measured } = incident;
  if (minuteNumber(from) >= minuteNumber(generatedAt) - SETTLE_MINUTES) return 'not measured yet';
  if (measured === null) return 'nobody measured then';
  if (measured.length === 0) return 'not seen by the probers';
  const newest = measured.slice(-MEASURED_SHOWN);
  const longer = isShort(incident) && html`<p>The probers saw it for longer than is stated.</p>`;
  return html`${outageList(newest, measured.length - newest.length)}${longer}`;
};

const incidentHtml = (incident: StatusIncident, generatedAt: string): Html => {
  const { id, title, from, to, updates } = incident;
  const stated =
    to === null
      ? html`from ${timeHtml(from)}, and it goes on`
      : html`from ${timeHtml(from)} to ${timeHtml(to)} (${lastingText(minutesBetween(from, to))})`;
  const texts = updates.toReversed().map(({ at, text }) => html`<li>${timeHtml(at)}<p dir="auto">${text}</p></li>`);
  return html`<article id="${id}"><h3>${toBdi(title)}</h3>
<dl><dt>State</dt><dd>${to === null ? 'going on' : 'resolved'}</dd><dt>Stated</dt><dd>${stated}</dd><dt>Measured</dt><dd>${measuredHtml(incident, generatedAt)}</dd></dl>
${texts.length > 0 && html`<ol reversed>${texts}</ol>`}</article>`;
};

/** Renders incidents, newest first, and measured outages without one. */
export const incidentsHtml = ({ incidents, unexplained, moreUnexplained, generatedAt }: StatusState): Html => {
  if (generatedAt === null) return html`<p>What the operator wrote is not known here.</p>`;
  const silent =
    unexplained.length > 0 &&
    html`<article><h3>Measured, and no explanation written yet</h3>${outageList(unexplained, moreUnexplained)}</article>`;
  const none = html`<p>The operator has written of none in the last 90 days.</p>`;
  return html`${silent}${incidents.length === 0 ? none : incidents.map((each) => incidentHtml(each, generatedAt))}`;
};
