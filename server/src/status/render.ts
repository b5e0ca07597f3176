import { SEAL_AFTER_DAYS } from '@broker-transparency/contract/service-level';
import { chart, daysSentence, dayTable, legend } from './chart.ts';
import {
  dayHtml,
  escapeHtml,
  lastingText,
  minutesBetween,
  minutesText,
  number,
  shareText,
  timeHtml,
  written,
} from './html.ts';
import { incidentsHtml, outageList } from './incidents.ts';
import { type Seen, STALE_MINUTES, type StatusMonth, type StatusState } from './state.ts';
import { STATUS_POLICY, STYLE } from './style.ts';

/** The files of the page. */
export interface StatusFiles {
  readonly 'index.html': string;
  readonly 'status.json': string;
}

const WORDS: Readonly<Record<Seen['state'], string>> = { up: 'Up', down: 'Down', unknown: 'Unknown' };

const sinceHtml = ({ since, minute }: Seen): string =>
  since === null || minute === null
    ? ''
    : `since ${timeHtml(since)}, for ${lastingText(minutesBetween(since, minute) + 1)}`;

/** The beginning of a sentence. */
const capital = (html: string): string => (html === '' ? '' : `${html[0]?.toUpperCase()}${html.slice(1)}.`);

/** How old figures are; null: the service never gave any. */
const ageOf = ({ generatedAt, shownAt }: StatusState): number | null =>
  generatedAt === null ? null : minutesBetween(generatedAt, shownAt);

const isStale = (state: StatusState): boolean => {
  const age = ageOf(state);
  return age === null || age > STALE_MINUTES;
};

const minuteHtml = ({ minute }: Seen, shownAt: string): string =>
  minute === null
    ? 'No minute is measured yet.'
    : `The newest measured minute is ${timeHtml(minute)}, ${minutesText(minutesBetween(minute, shownAt))} before this page was made.`;

const votesText = ({ state, minute, said, of }: Seen): string => {
  if (of === 0) return 'No prober measures it.';
  if (minute === null) return `${of} ${of === 1 ? 'prober has' : 'probers have'} a vote.`;
  if (state === 'unknown') return `None of the ${of} probers with a vote reported that minute.`;
  return `${said} of ${of} ${of === 1 ? 'prober' : 'probers'} with a vote reported ${state === 'up' ? 'it up' : 'that minute, and no majority saw it up'}.`;
};

const panel = (state: Seen['state'], title: string, ...texts: readonly string[]): string =>
  `<div class="now ${state}"><strong>${title}</strong>${texts.map((text) => `<p>${text}</p>`).join('')}</div>`;

const nowHtml = (state: StatusState): string => {
  const { now, prober, shownAt } = state;
  if (!isStale(state))
    return panel(
      now.state,
      `${WORDS[now.state]}`,
      [capital(sinceHtml(now)), votesText(now)].filter(Boolean).join(' '),
      minuteHtml(now, shownAt),
    );
  if (prober === null || prober.now.state === 'unknown')
    return panel('unknown', 'Unknown', 'How it is now is not known here.');
  const seen = prober.now;
  return panel(
    seen.state,
    `${WORDS[seen.state]}, as one prober sees it`,
    `${written(prober.name)} sees it ${seen.state} ${sinceHtml(seen)}.`,
    minuteHtml(seen, shownAt),
  );
};

/** Says how old the figures are, if they are. */
const ageHtml = (state: StatusState): string => {
  if (!isStale(state)) return '';
  const { generatedAt, source, now, prober } = state;
  if (generatedAt === null) {
    const days = prober === null ? '' : ' Days below are as this prober alone saw them.';
    return `<p class="note"><strong>No figures of the service are known here.</strong>${days}</p>`;
  }
  const why =
    source === 'prober'
      ? 'This prober has no newer ones of the service.'
      : 'The service cannot read its measurements now.';
  const then = now.minute === null ? '' : ` Then it was ${WORDS[now.state].toLowerCase()}.`;
  const seen = prober === null ? '' : ' What this prober has seen since is told apart.';
  return `<p class="note"><strong>The figures below are ${lastingText(ageOf(state) ?? 0)} old</strong>: of ${timeHtml(generatedAt)}. ${why}${then}${seen}</p>`;
};

const proberHtml = ({ prober, generatedAt, shownAt }: StatusState): string => {
  if (prober === null) return '';
  const { name, now, outages } = prober;
  const since = generatedAt === null ? '' : ` since ${timeHtml(generatedAt)}`;
  const found =
    outages.length === 0
      ? `<p>It found no minute down${since}.</p>`
      : `<p>Minutes that it found down${since}, newest first:</p>${outageList(outages)}`;
  return `<h2>What this prober sees</h2>
<p>${written(name)}: ${`${WORDS[now.state].toLowerCase()} ${sinceHtml(now)}`.trim()}. ${minuteHtml(now, shownAt)} One prober alone decides nothing: the service level is what a majority sees.</p>${found}`;
};

const MET = { true: 'met', false: 'missed', null: 'not measured' } as const;
const metText = (isMet: boolean | null): string => MET[String(isMet) as keyof typeof MET];

const SPEED_TITLES: Readonly<Record<keyof StatusMonth['speeds'], string>> = {
  publicReads: 'Public reads',
  enterpriseReads: 'Reads of customers',
  freshness: 'From a change to the feed',
  webhooks: 'From a change to its webhook',
};

const speedRows = ({ speeds }: StatusMonth): string =>
  Object.entries(SPEED_TITLES)
    .map(([name, title]) => {
      const { percentile, limitMs, ms, isMet } = speeds[name as keyof StatusMonth['speeds']];
      const measured = ms === null ? '' : `${number(ms)}\u00a0ms, `;
      return `<tr><th scope="row">${title}, ${percentile}\u00a0% within</th><td class="number">${number(limitMs)}\u00a0ms</td><td class="number">${measured}${metText(isMet)}</td></tr>`;
    })
    .join('');

const monthHtml = (month: StatusMonth | null): string => {
  if (month === null) return '<p>No minute of this month counts yet.</p>';
  const { promised, allowed, minutes, up, unmeasured, isMet } = month;
  const lost = minutes - up;
  const gap = unmeasured === 0 ? '' : `, ${number(unmeasured)} of them because nobody measured`;
  return `<div class="table"><table><thead><tr><th scope="col">Objective</th><th scope="col" class="number">Promised</th><th scope="col" class="number">Measured</th></tr></thead><tbody>
<tr><th scope="row">Minutes up</th><td class="number">${(promised / 10).toFixed(1)}\u00a0%</td><td class="number">${shareText(up, minutes).replace(' ', '\u00a0')}, ${metText(isMet)}</td></tr>${speedRows(month)}</tbody></table></div>
<p>${minutesText(lost)} of ${number(minutes)} so far ${lost === 1 ? 'was' : 'were'} not up${gap}. The whole month allows ${number(allowed)}.</p>`;
};

/** The newest month that is final, or the first one that will be. */
const checkable = (days: StatusState['days'], now: string): string => {
  const sealed = new Date(Date.parse(now) - (SEAL_AFTER_DAYS + 1) * 86_400_000);
  const last = new Date(Date.UTC(sealed.getUTCFullYear(), sealed.getUTCMonth() - 1)).toISOString().slice(0, 7);
  const first = days[0]?.date.slice(0, 7) ?? '';
  return [first, last].sort().at(-1) as string;
};

const checkHtml = ({ service, probers, days, shownAt }: StatusState): string => {
  const api = `${service}/transparency/v1/service-level`;
  const date = days.at(-1)?.date;
  const link = (path: string, text: string): string => `<a href="${escapeHtml(`${api}/${path}`)}">${text}</a>`;
  const raw = probers.map(({ name, minute }) => {
    const said = minute === null ? 'no result in the last days' : `newest result of ${timeHtml(minute)}`;
    const files = date === undefined ? '' : ` (${link(`results/${name}/${date}`, 'its signed results of the day')})`;
    return `<li>${written(name)}: ${said}${files}</li>`;
  });
  const address = escapeHtml(service);
  return `<p>Probers outside this service ask it each minute as a caller would, and sign what they saw. A minute is up if more than half of the
probers with a vote say so; a minute that nobody measured counts as down. Nothing is excluded. Each day's results are sealed in
<a href="${escapeHtml(service)}/docs/guides/record">the public record</a>.</p>
${raw.length === 0 ? '<p>No prober has a vote now.</p>' : `<ul>${raw.join('')}</ul>`}
<p>Once a month is final, three days after its end, anybody can compute its figures again from what the probers signed, offline. LOG_KEY is
the verifier key of the log, which you have from elsewhere:</p>
<pre>npx @broker-transparency/client service-level get ${checkable(days, shownAt)} ./month --base-url ${address}/api/v1 --key "$LOG_KEY"
npx @broker-transparency/client service-level check ./month</pre>
<p>This page as data: <a href="status.json">status.json</a>.</p>`;
};

/** The days as a chart, and as numbers. */
const daysHtml = ({ days }: StatusState): string => {
  const [first, last] = [days[0]?.date ?? '', days.at(-1)?.date ?? ''];
  if (days.length === 0) return '<h2>The last days</h2><p>No figures are known yet.</p>';
  return `<h2>${days.length === 1 ? 'The first day' : `The last ${days.length} days`}</h2>
<p>${daysSentence(days)}</p>
${chart(days)}
<div class="ends"><span>${dayHtml(first)}</span><span>${days.length > 1 ? dayHtml(last) : ''}</span></div>
${legend}
<details><summary>The numbers of each day</summary>${dayTable(days)}</details>`;
};

const bodyHtml = (state: StatusState): string => {
  const { service, month, shownAt, generatedAt, source, prober } = state;
  const by = source === 'prober' && prober !== null ? `the prober ${written(prober.name)}` : 'the service';
  const { host } = new URL(service);
  const of = generatedAt === null ? '' : ` of figures of ${timeHtml(generatedAt)}`;
  return `<main><h1>Service status of ${escapeHtml(host)}</h1>
${nowHtml(state)}
${ageHtml(state)}${proberHtml(state)}
${daysHtml(state)}
<h2>This month${month === null ? '' : `, ${escapeHtml(month.month)}`}</h2>
${monthHtml(month)}
<h2>Incidents</h2>
${incidentsHtml(state)}
<h2>How this is measured and checked</h2>
${checkHtml(state)}</main>
<footer><p>Made by ${by} at ${timeHtml(shownAt)}${of}. All times are UTC.</p></footer>`;
};

/** Makes the files of the page. They need no script, and load nothing from anywhere. */
export const renderStatus = (state: StatusState): StatusFiles => ({
  'index.html': `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(STATUS_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${isStale(state) ? 'Status' : WORDS[state.now.state]} · Service status</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>${bodyHtml(state)}</body>
</html>
`,
  'status.json': `${JSON.stringify(state)}\n`,
});
