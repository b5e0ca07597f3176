import { hash } from 'node:crypto';
import { readStatus, type StatusIncident, type StatusState } from '@broker-transparency/portal/status';
import { minuteNumber } from '@broker-transparency/service-level';
import { describe, expect, test } from 'vitest';
import { isShort } from '../../../packages/portal/src/status/incidents.ts';
import { matchIncidents, toCurrentState, toStatusDays, toStatusMonth } from './compose.ts';
import { renderStatus } from './page.ts';
import { toProberStatus } from './prober.ts';

const SHOWN_AT = '2026-11-23T10:05:30.000Z';

const day = (date: string, up = 1440, unmeasured = 0) => ({ date, minutes: 1440, up, unmeasured });

const state = (over: Partial<StatusState> = {}): StatusState => ({
  service: 'https://ratings.example',
  source: 'service',
  shownAt: SHOWN_AT,
  generatedAt: SHOWN_AT,
  now: { state: 'up', minute: '2026-11-23T10:04Z', since: '2026-11-22T09:00Z', said: 2, of: 3 },
  probers: [{ name: 'frankfurt-1', minute: '2026-11-23T10:04Z' }],
  days: [day('2026-11-22'), { ...day('2026-11-23', 600), minutes: 605 }],
  month: null,
  incidents: [],
  unexplained: [],
  moreUnexplained: 0,
  prober: null,
  ...over,
});

const incident = (over: Partial<StatusIncident> = {}): StatusIncident => ({
  id: 'in_1',
  title: 'The database was away',
  from: '2026-11-22T10:00:00Z',
  to: '2026-11-22T10:30:00Z',
  updates: [{ at: '2026-11-22T10:05:00Z', text: 'We look into it.' }],
  measured: [{ from: '2026-11-22T10:02Z', to: '2026-11-22T10:20Z', minutes: 18, unmeasured: 3 }],
  ...over,
});

const renderPage = (over: Partial<StatusState> = {}): string => renderStatus(state(over))['index.html'];
/** Returns the text that a reader sees. */
const readText = (html: string): string =>
  html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
const renderText = (over: Partial<StatusState> = {}): string => readText(renderPage(over));

test('says how the service is, since when, by how many probers, and how old that is', () => {
  const text = renderText();
  expect(text).toContain(
    'Up Since 2026-11-22 09:00 UTC , for 1 day 1 hour. 2 of 3 probers with a vote reported it up.',
  );
  expect(text).toContain('The newest measured minute is 2026-11-23 10:04 UTC , 1 minute before this page was made.');
});

test.each<[string, Partial<StatusState>, RegExp]>([
  ['down', { now: { ...state().now, state: 'down', said: 3 } }, /Down Since .*no majority saw it up/],
  ['unknown, where nobody reported', { now: { ...state().now, state: 'unknown', said: 0 } }, /None of the 3 probers/],
  [
    'the first day: no prober',
    { now: { state: 'unknown', minute: null, since: null, said: 0, of: 0 }, days: [], probers: [] },
    /Unknown No prober measures it. No minute is measured yet/,
  ],
  [
    'the first minutes',
    { now: { state: 'unknown', minute: null, since: null, said: 0, of: 1 }, days: [] },
    /Unknown 1 prober has a vote\. No minute is measured yet/,
  ],
  ['no data at all', { days: [], generatedAt: null }, /Unknown How it is now is not known here/],
  ['old figures', { generatedAt: '2026-11-23T07:05:00Z' }, /figures below are 3 hours old : of 2026-11-23 07:05 UTC/],
  ['an old page does not say up', { generatedAt: '2026-11-23T09:54:00Z' }, /Unknown How it is now is not known here/],
  ['all down', { days: [day('2026-11-22', 0)] }, /0.000 % of 1 440 minutes were up; 1 440 down, 0 not measured/],
  ['a share rounded down', { days: [day('2026-11-22', 1439)] }, /99\.930 % of 1 440/],
])('says %s', (_, over, expected) => {
  expect(renderText(over)).toMatch(expected);
});

test.each([
  ['the newest month that is final', '2026-08-26', '2026-10'],
  ['the first month of all, while none is', '2026-11-22', '2026-11'],
])('says how to compute %s again', (_, first, month) => {
  const text = renderText({ days: [day(first), day('2026-11-23')] });
  expect(text).toContain(
    `service-level get ${month} ./month --base-url https://ratings.example/api/v1 --key "$LOG_KEY"`,
  );
});

test('a page with old figures is not titled "Up"', () => {
  expect(renderPage()).toContain('<title>Up · ');
  expect(renderPage({ generatedAt: '2026-11-23T07:05:00Z' })).toContain('<title>Status · ');
});

test.each<[string, string]>([
  ['a script', '<script>alert(1)</script>'],
  ['an attribute', '" onmouseover="alert(1)'],
  ['an end of the style', '</style></title><img src=x>'],
  ['5 000 characters without a blank', 'x'.repeat(5000)],
  ['text from right to left', '\u202eabc \u05d0\u05d1'],
])('shows %s as text, wherever people write', (_, hostile) => {
  const html = renderPage({
    incidents: [incident({ id: 'in_2', title: hostile, updates: [{ at: SHOWN_AT, text: hostile }] })],
    prober: { name: hostile, now: state().now, outages: [] },
  });
  const body = html.slice(html.indexOf('<body>')).replaceAll('\u202e', ''); // where it stands beside other text, it is taken out
  const shown = hostile.replaceAll('\u202e', '');
  const escaped = shown.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  expect(body.split(escaped)).toHaveLength(4);
  expect(body).not.toMatch(/<(script|img|style)|<[^>]+ on\w+=/);
  expect(body).toContain(`<bdi>${escaped}</bdi>`);
});

test('each language has its page in the frame of the site, and leads to the others', () => {
  const { 'index.html': english, 'page-de.html': german = '' } = renderStatus(state());
  expect(german).toContain('<html lang="de"');
  expect(readText(german)).toMatch(/Erreichbar Seit .* Dauer: 1 Tag 1 Stunde\. 2 von 3 Messstellen/);
  expect(readText(german)).toContain('1 440');
  expect(german).toContain('<a href="/de/brokers">');
  expect(german).toContain('<a href="/status" hreflang="en"');
  expect(english).toContain('<a href="/de/status" hreflang="de"');
  expect(english).toContain('<form class="search"');
  const kept = renderStatus(
    toProberStatus(state(), { prober: 'a', service: state().service, results: [] }, new Date()),
  );
  expect(kept['index.html']).toContain('<a href="page-de.html" hreflang="de"');
  expect(kept['index.html']).toContain('<a href="https://ratings.example/brokers">');
  expect(kept['index.html']).not.toContain('<form');
});

test('runs nothing and loads nothing: one style, known by its hash', () => {
  const html = renderPage({ incidents: [incident()] });
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  expect(html).toContain(`style-src &#39;sha256-${hash('sha256', style, 'base64')}&#39;`);
  expect(html).not.toContain('unsafe-inline');
  expect(html).not.toMatch(/<script|<img|<iframe|<link rel="stylesheet"| style=| src=|@import|url\(/);
});

test('the chart has one bar for each day, and its numbers are in the table', () => {
  const days = [day('2026-11-20', 1440), day('2026-11-21', 1430, 4), { ...day('2026-11-22'), minutes: 0, up: 0 }];
  const html = renderPage({ days });
  expect(html.match(/<title>2026[^<]+/g)?.[0]).toBe(
    '<title>2026-11-20: 1440 of 1440 minutes up, 0 down, 0 not measured',
  );
  expect(readText(html)).toContain('2026-11-21 1 430 6 4');
  expect(new Set(html.match(/<title>(2026-11-\d\d)/g)).size).toBe(3);
});

test.each<[number, number, number]>([
  [1440, 1440, 0],
  [1440, 1439, 0],
  [1440, 0, 1440],
  [1440, 0, 0],
  [1440, 1, 1438],
  [5, 2, 2],
  [1440, 720, 719],
])('a bar of %i minutes, %i up and %i unmeasured, shows each kind and keeps its height', (minutes, up, unmeasured) => {
  const svg = /<svg class="bars" role.*?<\/svg>/.exec(
    renderPage({ days: [{ date: '2026-11-22', minutes, up, unmeasured }] }),
  );
  const rects = [...(svg?.[0].matchAll(/<rect class="chart-(\w+)" x="0" y="(\d+)" width="8" height="(\d+)"/g) ?? [])];
  expect(rects.map(([, kind]) => kind).sort()).toEqual(
    [
      ...(up > 0 ? ['full'] : []),
      ...(minutes - up - unmeasured > 0 ? ['down'] : []),
      ...(unmeasured > 0 ? ['unmeasured'] : []),
    ].sort(),
  );
  const last = rects.at(-1);
  expect(Number(last?.[2]) + Number(last?.[3])).toBe(56);
});

describe('incidents', () => {
  test('shows measured minutes beside the stated time, and updates newest first', () => {
    const updates = ['One.', 'Two.'].map((text, at) => ({ at: `2026-11-22T10:0${at}:00Z`, text }));
    const text = renderText({ incidents: [incident({ updates })] });
    expect(text).toContain('Stated from 2026-11-22 10:00 UTC to 2026-11-22 10:30 UTC (30 minutes)');
    expect(text).toContain('from 2026-11-22 10:02 UTC to 2026-11-22 10:20 UTC : 18 minutes, 3 of them not measured');
    expect(text.indexOf('Two.')).toBeLessThan(text.indexOf('One.'));
    expect(text).not.toContain('for longer than is stated');
  });
  test.each<[string, Partial<StatusIncident>, string]>([
    ['that no probers saw', { measured: [] }, 'not seen by the probers'],
    ['of a time that nobody measured', { measured: null }, 'nobody measured then'],
    ['that began just now', { from: '2026-11-23T10:02:00Z', to: null, measured: [] }, 'Measured not measured yet'],
    ['that goes on', { to: null }, 'and it goes on'],
    ['that is stated shorter than measured', { to: '2026-11-22T10:15:00Z' }, 'saw it for longer than is stated'],
  ])('shows the note of an incident %s', (_, over, expected) => {
    expect(renderText({ incidents: [incident(over)] })).toContain(expected);
  });
  test('shows an outage that nobody explained', () => {
    const unexplained = [{ from: '2026-11-21T10:00Z', to: '2026-11-21T10:01Z', minutes: 1, unmeasured: 1 }];
    expect(renderText({ unexplained, moreUnexplained: 7 })).toMatch(
      /no explanation written yet.*10:01 UTC : 1 minute, none measured and 7 before/,
    );
  });
  test.each<[string, string, string | null, boolean]>([
    ['the same minutes', '2026-11-22T10:02:59Z', '2026-11-22T10:19:01Z', false],
    ['a later beginning', '2026-11-22T10:03:00Z', null, true],
    ['an earlier end', '2026-11-22T10:00:00Z', '2026-11-22T10:19:00Z', true],
  ])('compares the stated time of an incident with the measured minutes: %s', (_, from, to, expected) => {
    expect(isShort(incident({ from, to }))).toBe(expected);
  });
});

describe('what is composed', () => {
  const first = Math.floor(Date.parse('2026-11-21T23:58Z') / 60_000);
  const states = ['up', 'down', 'down', 'unmeasured', 'up'] as const;
  test('the measured minutes are summed up by day', () => {
    expect(toStatusDays({ first, states })).toEqual([
      { date: '2026-11-21', minutes: 2, up: 1, unmeasured: 0 },
      { date: '2026-11-22', minutes: 3, up: 1, unmeasured: 1 },
    ]);
  });
  test('the composed page has the state of the last minute, and since when', () => {
    const votes = { said: 1, of: 2 };
    expect(toCurrentState({ first, states }, votes)).toEqual({
      state: 'up',
      minute: '2026-11-22T00:02Z',
      since: '2026-11-22T00:02Z',
      ...votes,
    });
    expect(toCurrentState({ first, states: states.slice(0, 3) }, votes)).toMatchObject({
      state: 'down',
      since: '2026-11-21T23:59Z',
    });
    expect(toCurrentState({ first, states: states.slice(0, 4) }, votes)).toMatchObject({ state: 'unknown' });
    expect(toCurrentState({ first, states: [] }, votes)).toMatchObject({ state: 'unknown', minute: null, since: null });
  });
  test.each<[string, string, string | null, number, number]>([
    ['explains what it overlaps', '2026-11-21T23:59:30Z', '2026-11-22T00:00:10Z', 1, 0],
    ['explains nothing before it', '2026-11-22T00:02:00Z', null, 0, 1],
    ['explains nothing after it', '2026-11-21T23:58:00Z', '2026-11-21T23:59:00Z', 0, 1],
  ])('an incident %s', (_, from, to, measured, unexplained) => {
    const explained = matchIncidents([{ ...incident(), from, to }], { first, states });
    expect(explained.incidents[0]?.measured).toHaveLength(measured);
    expect(explained.unexplained).toHaveLength(unexplained);
  });
  test('an incident before the first measured minute was measured by nobody', () => {
    const [only] = matchIncidents([{ ...incident(), from: '2026-11-01T00:00Z', to: '2026-11-01T01:00Z' }], {
      first,
      states,
    }).incidents;
    expect(only?.measured).toBeNull();
  });
  test('the composed page has the month, with what it allows', () => {
    const speeds = { publicReads: [100, 200], enterpriseReads: [], freshness: [3000], webhooks: [] };
    const month = toStatusMonth({ month: '2026-11', first, states, speeds });
    const counted = minuteNumber('2026-12-01T00:00Z') - first; // what was before the first vote allows nothing
    expect(month.allowed).toBe(Math.floor(counted / 1000));
    expect(toStatusMonth({ month: '2026-02', first: minuteNumber('2026-02-01T00:00Z'), states, speeds }).allowed).toBe(
      40,
    );
    expect(month).toMatchObject({ promised: 999, minutes: 5, up: 2, unmeasured: 1, isMet: false });
    const text = renderText({ month });
    expect(text).toContain('Minutes up 99.9 % 40.000 %, missed');
    expect(text).toContain('Public reads, 95 % within 300 ms 200 ms, met');
    expect(text).toContain('From a change to the feed, 99 % within 2 000 ms 3 000 ms, missed');
    expect(text).toContain('Reads of customers, 95 % within 500 ms not measured');
    expect(text).toContain('Not up so far: 3 minutes of 5, 1 of them because nobody measured.');
  });
});

describe('what a prober shows', () => {
  const own = (states: string, from = '2026-11-23T10:00Z') => ({
    prober: 'frankfurt-1',
    service: 'https://ratings.example',
    results: [...states].map((sign, at) => ({
      minute: new Date(Date.parse(from) + at * 60_000).toISOString().replace(/:\d\d\.000Z$/, 'Z'),
      checks: { public: { ok: sign === 'u', ms: 5 } },
    })),
  });
  const now = new Date(SHOWN_AT);
  test('a prober shows what it sees by itself while the service is away, and how old the rest is', () => {
    const known = state({ generatedAt: '2026-11-23T08:00:00Z' });
    const made = toProberStatus(known, own('uuddd'), now);
    expect(made).toMatchObject({ source: 'prober', generatedAt: '2026-11-23T08:00:00Z', days: known.days });
    expect(made.prober?.now).toEqual({
      state: 'down',
      minute: '2026-11-23T10:04Z',
      since: '2026-11-23T10:02Z',
      said: 1,
      of: 1,
    });
    const text = readText(renderStatus(made)['index.html']);
    expect(text).toContain('Down, as one prober sees it');
    expect(text).toContain('figures below are 2 hours 5 minutes old');
    expect(text).toContain('This prober has no newer ones of the service. Then it was up.');
    expect(text).toContain('from 2026-11-23 10:02 UTC to 2026-11-23 10:05 UTC : 3 minutes');
  });
  test('a prober shows what the majority says while the service answers', () => {
    const text = readText(renderStatus(toProberStatus(state(), own('uuudd'), now))['index.html']);
    expect(text).toMatch(/Up Since .*2 of 3 probers/);
    expect(text).toContain('One prober alone decides nothing');
  });
  test('a prober that never heard the service shows its own days', () => {
    const made = toProberStatus(undefined, own('uuddu'), now);
    expect(made).toMatchObject({ generatedAt: null, days: [{ date: '2026-11-23', minutes: 5, up: 3, unmeasured: 0 }] });
    const text = readText(renderStatus(made)['index.html']);
    expect(text).toContain('No figures of the service are known here');
    expect(text).toContain('What the operator wrote is not known here');
  });
  test('a prober without measurements shows that its state is unknown', () => {
    const made = toProberStatus(undefined, own(''), now);
    expect(made.prober).toMatchObject({ now: { state: 'unknown', minute: null }, outages: [] });
    expect(readText(renderStatus(made)['index.html'])).toContain('How it is now is not known here');
  });
  test('the worst of two results about a minute counts, and minutes without one are not measured', () => {
    const both = own('u');
    const twice = {
      ...both,
      results: [...both.results, ...own('d').results, ...own('u', '2026-11-23T10:02Z').results],
    };
    expect(toProberStatus(undefined, twice, now).days).toEqual([
      { date: '2026-11-23', minutes: 3, up: 1, unmeasured: 1 },
    ]);
  });
});

describe('status.json', () => {
  test('status.json is what was shown', () => {
    const shown = state({
      incidents: [incident()],
      month: toStatusMonth({ month: '2026-11', first: 0, states: [], speeds: NONE }),
    });
    expect(readStatus(renderStatus(shown)['status.json'])).toEqual(shown);
  });
  test.each<[string, string]>([
    ['no JSON', '<html>'],
    ['another document', '{}'],
    ['an address that runs', JSON.stringify(state({ service: 'javascript:alert(1)' }))],
    ['too many days', JSON.stringify(state({ days: Array.from({ length: 91 }, () => day('2026-11-22')) }))],
    ['a time that is none', JSON.stringify(state({ shownAt: '"><script>' }))],
  ])('status.json is not read from %s', (_, text) => {
    expect(readStatus(text)).toBeUndefined();
  });
});

const NONE = { publicReads: [], enterpriseReads: [], freshness: [], webhooks: [] };
