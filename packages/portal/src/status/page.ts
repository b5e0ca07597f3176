import { SEAL_AFTER_DAYS } from '@broker-transparency/kernel';
import { DAY } from '../charts/figure.ts';
import { type Html, html, raw, toBdi } from '../html.ts';
import { LANGUAGES } from '../languages.ts';
import { frame, operatorLinks } from '../layout.ts';
import { dayChart, daysSentence } from './chart.ts';
import { incidentsHtml, outageList } from './incidents.ts';
import { type CurrentState, STALE_MINUTES, type StatusMonth, type StatusState } from './state.ts';
import { lastingText, minutesBetween, minutesText, number, shareText, timeHtml } from './text.ts';

/** Parts of the page besides its data. */
export interface StatusFrame {
  /** The text of `status.css`, which is inlined so that the page is one file. */
  readonly style: string;
  /** Its `Content-Security-Policy`, which allows the style by its hash. */
  readonly policy: string;
  /** Returns whether the service has the page with this path. */
  readonly has: (path: string) => boolean;
}

const WORDS: Readonly<Record<CurrentState['state'], string>> = { up: 'Up', down: 'Down', unknown: 'Unknown' };

/** Renders the beginning and duration of a state; null if its beginning is unknown. */
const sinceHtml = ({ since, minute }: CurrentState, word = 'since'): Html | null =>
  since === null || minute === null
    ? null
    : html`${word} ${timeHtml(since)}, for ${lastingText(minutesBetween(since, minute) + 1)}`;

/** Returns the age of the figures; null if the service never read any. */
const computeAge = ({ generatedAt, shownAt }: StatusState): number | null =>
  generatedAt === null ? null : minutesBetween(generatedAt, shownAt);

const isStale = (state: StatusState): boolean => {
  const age = computeAge(state);
  return age === null || age > STALE_MINUTES;
};

const minuteHtml = ({ minute }: CurrentState, shownAt: string): Html =>
  minute === null
    ? html`No minute is measured yet.`
    : html`The newest measured minute is ${timeHtml(minute)}, ${minutesText(minutesBetween(minute, shownAt))} before this page was made.`;

const votesText = ({ state, minute, said, of }: CurrentState): string => {
  if (of === 0) return 'No prober measures it.';
  if (minute === null) return `${of} ${of === 1 ? 'prober has' : 'probers have'} a vote.`;
  if (state === 'unknown') return `None of the ${of} probers with a vote reported that minute.`;
  return `${said} of ${of} ${of === 1 ? 'prober' : 'probers'} with a vote reported ${state === 'up' ? 'it up' : 'that minute, and no majority saw it up'}.`;
};

const panel = (state: CurrentState['state'], title: string, ...texts: readonly Html[]): Html =>
  html`<div class="now ${state}"><strong>${title}</strong>${texts.map((text) => html`<p>${text}</p>`)}</div>`;

const nowHtml = (state: StatusState): Html => {
  const { now, prober, shownAt } = state;
  if (!isStale(state)) {
    const since = sinceHtml(now, 'Since');
    return panel(
      now.state,
      WORDS[now.state],
      html`${since && html`${since}. `}${votesText(now)}`,
      minuteHtml(now, shownAt),
    );
  }
  if (prober === null || prober.now.state === 'unknown')
    return panel('unknown', 'Unknown', html`How it is now is not known here.`);
  const seen = prober.now;
  return panel(
    seen.state,
    `${WORDS[seen.state]}, as one prober sees it`,
    html`${toBdi(prober.name)} sees it ${seen.state} ${sinceHtml(seen)}.`,
    minuteHtml(seen, shownAt),
  );
};

/** Renders the age of old figures; null if they are current. */
const ageHtml = (state: StatusState): Html | null => {
  if (!isStale(state)) return null;
  const { generatedAt, source, now, prober } = state;
  if (generatedAt === null)
    return html`<p class="old" role="status"><strong>No figures of the service are known here.</strong>${prober && ' Days below are as this prober alone saw them.'}</p>`;
  const why =
    source === 'prober'
      ? 'This prober has no newer ones of the service.'
      : 'The service cannot read its measurements now.';
  const then = now.minute !== null && ` Then it was ${WORDS[now.state].toLowerCase()}.`;
  return html`<p class="old" role="status"><strong>The figures below are ${lastingText(computeAge(state) ?? 0)} old</strong>: of ${timeHtml(generatedAt)}. ${why}${then}${prober && ' What this prober has seen since is told apart.'}</p>`;
};

const proberHtml = ({ prober, generatedAt, shownAt }: StatusState): Html | null => {
  if (prober === null) return null;
  const { name, now, outages } = prober;
  const since = generatedAt !== null && html` since ${timeHtml(generatedAt)}`;
  const begun = sinceHtml(now);
  const found =
    outages.length === 0
      ? html`<p>It found no minute down${since}.</p>`
      : html`<p>Minutes that it found down${since}, newest first:</p>${outageList(outages)}`;
  return html`<h2>What this prober sees</h2>
<p>${toBdi(name)}: ${WORDS[now.state].toLowerCase()}${begun && html` ${begun}`}. ${minuteHtml(now, shownAt)} One prober alone decides nothing: the service level is what a majority sees.</p>${found}`;
};

const MET = { true: 'met', false: 'missed', null: 'not measured' } as const;
const metText = (isMet: boolean | null): string => MET[String(isMet) as keyof typeof MET];

const SPEED_TITLES: Readonly<Record<keyof StatusMonth['speeds'], string>> = {
  publicReads: 'Public reads',
  enterpriseReads: 'Reads of customers',
  freshness: 'From a change to the feed',
  webhooks: 'From a change to its webhook',
};

const objectiveRow = (title: string, promised: string, measured: string): Html =>
  html`<tr><th scope="row">${title}</th><td class="number">${promised}</td><td class="number">${measured}</td></tr>`;

const speedRows = ({ speeds }: StatusMonth): Html[] =>
  Object.entries(SPEED_TITLES).map(([name, title]) => {
    const { percentile, limitMs, ms, isMet } = speeds[name as keyof StatusMonth['speeds']];
    const measured = ms === null ? '' : `${number(ms)}\u00a0ms, `;
    return objectiveRow(
      `${title}, ${percentile}\u00a0% within`,
      `${number(limitMs)}\u00a0ms`,
      `${measured}${metText(isMet)}`,
    );
  });

const monthHtml = (month: StatusMonth | null): Html => {
  if (month === null) return html`<p>No minute of this month counts yet.</p>`;
  const { promised, allowed, minutes, up, unmeasured, isMet } = month;
  const lost = minutes - up;
  const gap = unmeasured > 0 && `, ${number(unmeasured)} of them because nobody measured`;
  const share = shareText(up, minutes).replace(' ', '\u00a0');
  return html`<div class="table chart"><table><thead><tr><th scope="col">Objective</th><th scope="col" class="number">Promised</th><th scope="col" class="number">Measured</th></tr></thead><tbody>
${objectiveRow('Minutes up', `${(promised / 10).toFixed(1)}\u00a0%`, `${share}, ${metText(isMet)}`)}${speedRows(month)}</tbody></table></div>
<p>${minutesText(lost)} of ${number(minutes)} so far ${lost === 1 ? 'was' : 'were'} not up${gap}. The whole month allows ${number(allowed)}.</p>`;
};

/** Returns the newest final month, or the first one that will be final. */
const checkable = (days: StatusState['days'], now: string): string => {
  const sealed = new Date(Date.parse(now) - (SEAL_AFTER_DAYS + 1) * DAY);
  const last = new Date(Date.UTC(sealed.getUTCFullYear(), sealed.getUTCMonth() - 1)).toISOString().slice(0, 7);
  const first = days[0]?.date.slice(0, 7) ?? '';
  return [first, last].sort().at(-1) as string;
};

const checkHtml = ({ service, probers, days, shownAt }: StatusState): Html => {
  const results = `${service}/transparency/v1/service-level/results`;
  const date = days.at(-1)?.date;
  const voters = probers.map(({ name, minute }) => {
    const said = minute === null ? 'no result in the last days' : html`newest result of ${timeHtml(minute)}`;
    const file = date !== undefined && html` (<a href="${results}/${name}/${date}">its signed results of the day</a>)`;
    return html`<li>${toBdi(name)}: ${said}${file}</li>`;
  });
  return html`<p>Probers outside this service ask it each minute as a caller would, and sign what they saw. A minute is up if more than half of the
probers with a vote say so; a minute that nobody measured counts as down. Nothing is excluded. Each day's results are sealed in
<a href="${service}/docs/guides/record">the public record</a>.</p>
${voters.length === 0 ? html`<p>No prober has a vote now.</p>` : html`<ul>${voters}</ul>`}
<p>Once a month is final, three days after its end, anybody can compute its figures again from what the probers signed, offline. LOG_KEY is
the verifier key of the log, which you have from elsewhere:</p>
<pre>npx @broker-transparency/client service-level get ${checkable(days, shownAt)} ./month --base-url ${service}/api/v1 --key "$LOG_KEY"
npx @broker-transparency/client service-level check ./month</pre>
<p>This page as data: <a href="status.json">status.json</a>.</p>`;
};

const daysHtml = (state: StatusState): Html => {
  const { days } = state;
  if (days.length === 0) return html`<h2>The last days</h2><p>No figures are known yet.</p>`;
  return html`<h2>${days.length === 1 ? 'The first day' : `The last ${days.length} days`}</h2>
<p>${daysSentence(days)}</p>
${dayChart(state)}`;
};

/** Renders the status page as one file: it runs nothing, and loads nothing. */
export const statusPage = (state: StatusState, { style, policy, has }: StatusFrame): Html => {
  const { service, month, shownAt, generatedAt, source, prober } = state;
  const { host } = new URL(service);
  const prefix = source === 'service' ? '' : service;
  const by = source === 'prober' && prober ? html`the prober ${toBdi(prober.name)}` : 'the service';
  const of = generatedAt !== null && html` of figures of ${timeHtml(generatedAt)}`;
  const { texts } = LANGUAGES[0];
  return frame(
    { texts, prefix, path: '/status', has },
    {
      title: `${isStale(state) ? 'Status' : WORDS[state.now.state]} · Service status`,
      description: `How ${host} is now and was in the last 90 days, minute by minute.`,
      head: html`<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
`,
      notice: ageHtml(state),
      body: html`<h1>Service status of ${host}</h1>
${nowHtml(state)}
${proberHtml(state)}
${daysHtml(state)}
<h2>This month${month && `, ${month.month}`}</h2>
${monthHtml(month)}
<h2>Incidents</h2>
${incidentsHtml(state)}
<h2>How this is measured and checked</h2>
${checkHtml(state)}`,
      footer: html`<p>Made by ${by} at ${timeHtml(shownAt)}${of}. All times are UTC.</p>
<ul><li><a href="${prefix}/docs">${texts.site.docs}</a></li></ul>${operatorLinks({ texts, prefix, has })}`,
    },
  );
};
