import { minuteNumber, type Outage, SETTLE_MINUTES } from '@broker-transparency/service-level';
import { type Html, html, toBdi } from '../html.ts';
import type { StatusIncident, StatusState } from './state.ts';
import { minutesBetween, type StatusTexts, timeHtml } from './text.ts';

/** Renders an outage as probers measured it. */
const outageItem = ({ said, minutes: toMinutes, number }: StatusTexts, outage: Outage): Html => {
  const { from, to, minutes, unmeasured } = outage;
  const gap =
    unmeasured === 0
      ? ''
      : unmeasured === minutes
        ? said.noneMeasured
        : said.someMeasured({ count: number(unmeasured) });
  return html`<li>${said.from} ${timeHtml(from)} ${said.to} ${timeHtml(to)}: ${toMinutes(minutes)}${gap}</li>`;
};

/** Renders outages, and the number of earlier ones. */
export const outageList = (texts: StatusTexts, outages: readonly Outage[], more = 0): Html =>
  html`<ul>${outages.map((outage) => outageItem(texts, outage))}${more > 0 && html`<li>${texts.said.moreBefore({ count: texts.number(more) })}</li>`}</ul>`;

/** Returns whether the measured outage is longer than the stated time of the incident. */
export const isShort = ({ from, to, measured }: Pick<StatusIncident, 'from' | 'to' | 'measured'>): boolean =>
  (measured ?? []).some(
    (outage) =>
      minuteNumber(outage.from) < minuteNumber(from) || (to !== null && Date.parse(outage.to) > roundedUp(to)),
  );

const roundedUp = (time: string): number => Math.ceil(Date.parse(time) / 60_000) * 60_000;

const MEASURED_SHOWN = 10;

const measuredHtml = (texts: StatusTexts, incident: StatusIncident, generatedAt: string): Html | string => {
  const { said } = texts;
  const { from, measured } = incident;
  if (minuteNumber(from) >= minuteNumber(generatedAt) - SETTLE_MINUTES) return said.notYet;
  if (measured === null) return said.nobody;
  if (measured.length === 0) return said.notSeen;
  const newest = measured.slice(-MEASURED_SHOWN);
  const longer = isShort(incident) && html`<p>${said.longer}</p>`;
  return html`${outageList(texts, newest, measured.length - newest.length)}${longer}`;
};

const incidentHtml = (texts: StatusTexts, incident: StatusIncident, generatedAt: string): Html => {
  const { said, lasting } = texts;
  const { id, title, from, to, updates } = incident;
  const stated = html`${said.from} ${timeHtml(from)}${
    to === null ? said.goesOn : html` ${said.to} ${timeHtml(to)} (${lasting(minutesBetween(from, to))})`
  }`;
  const written = updates.toReversed().map(({ at, text }) => html`<li>${timeHtml(at)}<p dir="auto">${text}</p></li>`);
  return html`<article id="${id}"><h3>${toBdi(title)}</h3>
<dl><dt>${said.state}</dt><dd>${to === null ? said.goingOn : said.resolved}</dd><dt>${said.stated}</dt><dd>${stated}</dd><dt>${said.measured}</dt><dd>${measuredHtml(texts, incident, generatedAt)}</dd></dl>
${written.length > 0 && html`<ol reversed>${written}</ol>`}</article>`;
};

/** Renders incidents, newest first, and measured outages without one. */
export const incidentsHtml = (texts: StatusTexts, state: StatusState): Html => {
  const { said } = texts;
  const { incidents, unexplained, moreUnexplained, generatedAt } = state;
  if (generatedAt === null) return html`<p>${said.unwritten}</p>`;
  const silent =
    unexplained.length > 0 &&
    html`<article><h3>${said.unexplained}</h3>${outageList(texts, unexplained, moreUnexplained)}</article>`;
  const none = html`<p>${said.noIncident}</p>`;
  return html`${silent}${incidents.length === 0 ? none : incidents.map((each) => incidentHtml(texts, each, generatedAt))}`;
};
