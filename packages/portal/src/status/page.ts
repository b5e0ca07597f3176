import { SEAL_AFTER_DAYS } from '@broker-transparency/service-level';
import { pageAlone } from '../alone.ts';
import { DAY } from '../charts/figure.ts';
import { type Html, html, toBdi } from '../html.ts';
import { addressIn, LANGUAGES, type Language } from '../languages.ts';
import { dayChart, daysSentence } from './chart.ts';
import { incidentsHtml, outageList } from './incidents.ts';
import { type CurrentState, STALE_MINUTES, type StatusMonth, type StatusState } from './state.ts';
import { createStatusTexts, minutesBetween, type StatusTexts, timeHtml } from './text.ts';

/** Parts of the page besides its data. */
export interface StatusFrame {
  readonly language: Language;
  /** The text of `status.css`, which is inlined so that the page is one file. */
  readonly style: string;
  /** Its `Content-Security-Policy`, which allows the style by its hash. */
  readonly policy: string;
  /** Returns whether the service has the page with this path. */
  readonly has: (path: string) => boolean;
}

/** Renders the beginning and duration of a state; null if its beginning is unknown. */
const sinceHtml = (
  { said, lasting }: StatusTexts,
  { since, minute }: CurrentState,
  word = said.sinceInside,
): Html | null =>
  since === null || minute === null
    ? null
    : html`${word} ${timeHtml(since)}, ${said.lasting({ time: lasting(minutesBetween(since, minute) + 1) })}`;

/** Returns the age of the figures; null if the service never read any. */
const computeAge = ({ generatedAt, shownAt }: StatusState): number | null =>
  generatedAt === null ? null : minutesBetween(generatedAt, shownAt);

const isStale = (state: StatusState): boolean => {
  const age = computeAge(state);
  return age === null || age > STALE_MINUTES;
};

const minuteHtml = ({ said, minutes }: StatusTexts, { minute }: CurrentState, shownAt: string): Html =>
  minute === null
    ? html`${said.noMinute}`
    : html`${said.newest} ${timeHtml(minute)}, ${said.before({ minutes: minutes(minutesBetween(minute, shownAt)) })}`;

const votesText = ({ said }: StatusTexts, { state, minute, said: votes, of }: CurrentState): string => {
  if (of === 0) return said.noProber;
  if (minute === null) return said.voters({ count: of });
  if (state === 'unknown') return said.silent({ of: String(of) });
  return (state === 'up' ? said.votedUp : said.votedDown)({ said: String(votes), of });
};

const panel = (state: CurrentState['state'], title: string, ...texts: readonly Html[]): Html =>
  html`<div class="now ${state}"><strong>${title}</strong>${texts.map((text) => html`<p>${text}</p>`)}</div>`;

const nowHtml = (texts: StatusTexts, state: StatusState): Html => {
  const { said } = texts;
  const { now, prober, shownAt } = state;
  if (!isStale(state)) {
    const since = sinceHtml(texts, now, said.since);
    return panel(
      now.state,
      said.states[now.state],
      html`${since && html`${since}. `}${votesText(texts, now)}`,
      minuteHtml(texts, now, shownAt),
    );
  }
  if (prober === null || prober.now.state === 'unknown')
    return panel('unknown', said.states.unknown, html`${said.nowUnknown}`);
  const seen = prober.now;
  return panel(
    seen.state,
    said.asSeen({ state: said.states[seen.state] }),
    html`${toBdi(prober.name)} ${said.sees[seen.state]} ${sinceHtml(texts, seen)}.`,
    minuteHtml(texts, seen, shownAt),
  );
};

/** Renders the age of old figures; null if they are current. */
const ageHtml = ({ said, lasting }: StatusTexts, state: StatusState): Html | null => {
  if (!isStale(state)) return null;
  const { generatedAt, source, now, prober } = state;
  if (generatedAt === null)
    return html`<p class="old" role="status"><strong>${said.noFigures}</strong>${prober && ` ${said.ownDays}`}</p>`;
  const why = source === 'prober' ? said.noNewer : said.cannotRead;
  const then = now.minute !== null && ` ${said.atThatTime[now.state]}`;
  return html`<p class="old" role="status"><strong>${said.oldFigures({ age: lasting(computeAge(state) ?? 0) })}</strong>: ${said.oldOf} ${timeHtml(generatedAt)}. ${why}${then}${prober && ` ${said.toldApart}`}</p>`;
};

const proberHtml = (texts: StatusTexts, { prober, generatedAt, shownAt }: StatusState): Html | null => {
  if (prober === null) return null;
  const { said } = texts;
  const { name, now, outages } = prober;
  const since = generatedAt !== null && html` ${said.sinceInside} ${timeHtml(generatedAt)}`;
  const begun = sinceHtml(texts, now);
  const found =
    outages.length === 0
      ? html`<p>${said.foundNone}${since}.</p>`
      : html`<p>${said.foundDown}${since}${said.newestFirst}</p>${outageList(texts, outages)}`;
  return html`<h2>${said.ownView}</h2>
<p>${toBdi(name)}: ${said.states[now.state].toLowerCase()}${begun && html` ${begun}`}. ${minuteHtml(texts, now, shownAt)} ${said.decidesNothing}</p>${found}`;
};

const metText = ({ said }: StatusTexts, isMet: boolean | null): string =>
  said.met[String(isMet) as keyof typeof said.met];

const objectiveRow = (title: string, promised: string, measured: string): Html =>
  html`<tr><th scope="row">${title}</th><td class="number">${promised}</td><td class="number">${measured}</td></tr>`;

const speedRows = (texts: StatusTexts, { speeds }: StatusMonth): Html[] => {
  const { said, number } = texts;
  return Object.entries(said.speeds).map(([name, title]) => {
    const { percentile, limitMs, ms, isMet } = speeds[name as keyof StatusMonth['speeds']];
    const measured = ms === null ? '' : `${number(ms)}\u00a0ms, `;
    return objectiveRow(
      said.within({ title, share: number(percentile) }),
      `${number(limitMs)}\u00a0ms`,
      `${measured}${metText(texts, isMet)}`,
    );
  });
};

const monthHtml = (texts: StatusTexts, month: StatusMonth | null): Html => {
  const { said, number, minutes: toMinutes, share } = texts;
  if (month === null) return html`<p>${said.noMonth}</p>`;
  const { promised, allowed, minutes, up, unmeasured, isMet } = month;
  const lost = minutes - up;
  const gap = unmeasured > 0 && said.gap({ minutes: number(unmeasured) });
  const reached = share(up, minutes).replace(' ', '\u00a0');
  return html`<div class="table chart"><table><thead><tr><th scope="col">${said.objective}</th><th scope="col" class="number">${said.promised}</th><th scope="col" class="number">${said.measured}</th></tr></thead><tbody>
${objectiveRow(said.minutesUp, `${number(promised / 10)}\u00a0%`, `${reached}, ${metText(texts, isMet)}`)}${speedRows(texts, month)}</tbody></table></div>
<p>${said.lost({ minutes: toMinutes(lost), all: number(minutes) })}${gap}. ${said.allowed({ minutes: number(allowed) })}</p>`;
};

/** Returns the newest final month, or the first one that will be final. */
const checkable = (days: StatusState['days'], now: string): string => {
  const sealed = new Date(Date.parse(now) - (SEAL_AFTER_DAYS + 1) * DAY);
  const last = new Date(Date.UTC(sealed.getUTCFullYear(), sealed.getUTCMonth() - 1)).toISOString().slice(0, 7);
  const first = days[0]?.date.slice(0, 7) ?? '';
  return [first, last].sort().at(-1) as string;
};

const checkHtml = ({ said }: StatusTexts, language: Language, state: StatusState): Html => {
  const { service, probers, days, shownAt } = state;
  const results = `${service}/transparency/v1/service-level/results`;
  const date = days.at(-1)?.date;
  const voters = probers.map(({ name, minute }) => {
    const newest = minute === null ? said.noResult : html`${said.newestResult} ${timeHtml(minute)}`;
    const file = date !== undefined && html` (<a href="${results}/${name}/${date}">${said.signed}</a>)`;
    return html`<li>${toBdi(name)}: ${newest}${file}</li>`;
  });
  return html`<p>${said.checkText} <a href="${service}${addressIn(language, '/docs/guides/record')}">${said.record}</a>.</p>
${voters.length === 0 ? html`<p>${said.noVoters}</p>` : html`<ul>${voters}</ul>`}
<p>${said.recompute}</p>
<pre>npx @broker-transparency/client service-level get ${checkable(days, shownAt)} ./month --base-url ${service}/api/v1 --key "$LOG_KEY"
npx @broker-transparency/client service-level check ./month</pre>
<p>${said.asData} <a href="${toDataHref(state)}">status.json</a>.</p>`;
};

/** Returns the address of the data: a prober has it beside the page. */
const toDataHref = ({ source }: StatusState): string => (source === 'service' ? '/status.json' : 'status.json');

/** The page in a language: its path at the service, and the name of its file at a prober. */
export const STATUS_PAGES = LANGUAGES.map((language) => ({
  language,
  path: addressIn(language, '/status'),
  file: language.prefix === '' ? 'index.html' : `page-${language.texts.code}.html`,
}));

const daysHtml = (texts: StatusTexts, state: StatusState): Html => {
  const { said } = texts;
  const { days } = state;
  const heading = html`<h2>${said.days({ count: days.length })}</h2>`;
  if (days.length === 0) return html`${heading}<p>${said.noDays}</p>`;
  return html`${heading}
<p>${daysSentence(texts, days)}</p>
${dayChart(texts, state, toDataHref(state))}`;
};

/** Renders the status page as one file: it runs nothing, and loads nothing. */
const statusPage = (state: StatusState, { language, style, policy, has }: StatusFrame): Html => {
  const { service, month, shownAt, generatedAt, source, prober } = state;
  const { host } = new URL(service);
  const texts = createStatusTexts(language);
  const { said } = texts;
  const isOwn = source === 'service';
  const by = !isOwn && prober ? html`${said.prober} ${toBdi(prober.name)}` : said.service;
  const of = generatedAt !== null && html` ${said.madeOf} ${timeHtml(generatedAt)}`;
  return pageAlone(
    { ...language, prefix: isOwn ? language.prefix : `${service}${language.prefix}`, path: '/status', has },
    {
      title: `${isStale(state) ? said.stale : said.states[state.now.state]} · ${said.title}`,
      description: said.description({ host }),
      style,
      policy,
      notice: ageHtml(texts, state),
      body: html`<h1>${said.heading({ host })}</h1>
${nowHtml(texts, state)}
${proberHtml(texts, state)}
${daysHtml(texts, state)}
<h2>${said.thisMonth}${month && `, ${month.month}`}</h2>
${monthHtml(texts, month)}
<h2>${said.incidents}</h2>
${incidentsHtml(texts, state)}
<h2>${said.check}</h2>
${checkHtml(texts, language, state)}`,
      line: html`${said.madeBy} ${by} ${said.madeAt} ${timeHtml(shownAt)}${of}. ${said.utc}`,
      hasSearch: isOwn,
      toHref: (other) => STATUS_PAGES.find(({ language: one }) => one === other)?.[isOwn ? 'path' : 'file'] ?? '',
    },
  );
};

/** Renders the status page in each language, by the name of its file. */
export const statusPages = (state: StatusState, frame: Omit<StatusFrame, 'language'>) => {
  const pages = STATUS_PAGES.map(({ language, file }) => [file, statusPage(state, { ...frame, language }).text]);
  return Object.fromEntries(pages) as Readonly<Record<string, string>> & { readonly 'index.html': string };
};
