import { minuteNumber, type Outage, SETTLE_MINUTES } from '@broker-transparency/contract/service-level';
import { escapeHtml, lastingText, minutesBetween, minutesText, timeHtml, written } from './html.ts';
import type { StatusIncident, StatusState } from './state.ts';

/** What probers saw of an outage. */
const outageHtml = ({ from, to, minutes, unmeasured }: Outage): string => {
  const gap =
    unmeasured === 0 ? '' : unmeasured === minutes ? ', none measured' : `, ${unmeasured} of them not measured`;
  return `from ${timeHtml(from)} to ${timeHtml(to)}: ${minutesText(minutes)}${gap}`;
};

/** Whether what was measured reaches beyond what an incident says of its time. */
export const isShort = ({ from, to, measured }: Pick<StatusIncident, 'from' | 'to' | 'measured'>): boolean =>
  (measured ?? []).some(
    (outage) =>
      minuteNumber(outage.from) < minuteNumber(from) || (to !== null && Date.parse(outage.to) > roundedUp(to)),
  );

const roundedUp = (time: string): number => Math.ceil(Date.parse(time) / 60_000) * 60_000;

const MEASURED_SHOWN = 10;

const measuredHtml = (incident: StatusIncident, generatedAt: string): string => {
  const { from, measured } = incident;
  if (minuteNumber(from) >= minuteNumber(generatedAt) - SETTLE_MINUTES) return 'not measured yet';
  if (measured === null) return 'nobody measured then';
  if (measured.length === 0) return 'not seen by the probers';
  const newest = measured.slice(-MEASURED_SHOWN);
  const more = measured.length - newest.length;
  const list = newest.map((outage) => `<li>${outageHtml(outage)}</li>`).join('');
  const rest = more === 0 ? '' : `<li>and ${more} before</li>`;
  const longer = isShort(incident) ? '<p>The probers saw it for longer than is stated.</p>' : '';
  return `<ul class="plain">${list}${rest}</ul>${longer}`;
};

const incidentHtml = (incident: StatusIncident, generatedAt: string): string => {
  const { id, title, from, to, updates } = incident;
  const stated =
    to === null
      ? `from ${timeHtml(from)}, and it goes on`
      : `from ${timeHtml(from)} to ${timeHtml(to)} (${lastingText(minutesBetween(from, to))})`;
  const texts = updates
    .toReversed()
    .map(({ at, text }) => `<li>${timeHtml(at)}<p dir="auto">${escapeHtml(text)}</p></li>`);
  return `<article id="${escapeHtml(id)}"><h3>${written(title)}</h3>
<dl><dt>State</dt><dd>${to === null ? 'going on' : 'resolved'}</dd><dt>Stated</dt><dd>${stated}</dd><dt>Measured</dt><dd>${measuredHtml(incident, generatedAt)}</dd></dl>
${texts.length === 0 ? '' : `<ol reversed>${texts.join('')}</ol>`}</article>`;
};

/** Incidents, newest first, and measured outages without one. */
export const incidentsHtml = ({ incidents, unexplained, moreUnexplained, generatedAt }: StatusState): string => {
  if (generatedAt === null) return '<p>What the operator wrote is not known here.</p>';
  const none = '<p>The operator has written of none in the last 90 days.</p>';
  const more = moreUnexplained === 0 ? '' : `<li>and ${moreUnexplained} before</li>`;
  const list = unexplained.map((outage) => `<li>${outageHtml(outage)}</li>`).join('');
  const silent =
    unexplained.length === 0
      ? ''
      : `<article><h3>Measured, and no explanation written yet</h3><ul>${list}${more}</ul></article>`;
  return silent + (incidents.length === 0 ? none : incidents.map((each) => incidentHtml(each, generatedAt)).join(''));
};

/** Outages that a prober found by itself. */
export const outageList = (outages: readonly Outage[]): string =>
  `<ul>${outages.map((outage) => `<li>${outageHtml(outage)}</li>`).join('')}</ul>`;
