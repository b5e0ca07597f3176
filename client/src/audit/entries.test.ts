import { METHODOLOGY_MODULES } from '@broker-transparency/contract/record';
import { canonicalJson } from '@broker-transparency/log';
import { describe, expect, test } from 'vitest';
import { createEntryCheck } from './entries.ts';
import { createReplay } from './replay.ts';
import { createDayRoots } from './scored-day.ts';

type Row = Readonly<Record<string, unknown>>;

const VERSION = '2026-1';
const BROKER = {
  slug: 'alpha',
  name: 'Alpha',
  status: 'operating',
  checked: true,
  entities: [{ legalName: 'Alpha Ltd', retailClients: true }],
  checklist: [],
};
const LICENSE = {
  broker: 'alpha',
  regulator: 'fca',
  number: '1',
  holders: [{ legalName: 'Alpha Ltd', type: 'authorisation', status: 'active', activeSince: '2015-01-01' }],
};
const review = (rating: number, state = 'published') => ({ broker: 'alpha', rating, month: '2026-10', state });

/**
 * Entries as a log has them: each gets its number and a time a minute after the one before, and is a change by itself.
 */
const log = (rows: readonly Row[]): Row[] =>
  rows.map((row, number) => ({
    number,
    time: new Date(Date.UTC(2026, 10, 1, 9, number)).toISOString(),
    cause: 'fact',
    kind: String(row['key']).split('/')[0],
    last: true,
    ...row,
  }));

const FACTS: readonly Row[] = [
  { key: `methodology/${VERSION}`, value: { version: VERSION, sha256: METHODOLOGY_MODULES[VERSION] } },
  { key: 'regulator/fca', value: { code: 'fca', tier: 1 } },
  { key: 'broker/alpha', value: BROKER },
  { key: 'license/alpha/fca/1', value: LICENSE },
  { key: 'review/a', value: review(4) },
];

/** Returns entries with the days of these dates at their end, each with the root that a replay gives. */
const withDays = (rows: readonly Row[], dates: readonly string[]): Row[] => {
  const entries = log(rows);
  for (const date of dates) {
    const replay = createReplay();
    for (const entry of entries) replay.add(entry as never);
    const scores = replay.scoresOn({ date, through: entries.length });
    const value = { date, through: entries.length, count: scores.length, root: createDayRoots()(scores) };
    const time = `${date}T00:05:00.000Z`;
    entries.push({ number: entries.length, time, cause: 'day', kind: 'day', key: `day/${date}`, last: true, value });
  }
  return entries;
};

const listFindings = async (entries: readonly Row[], size = entries.length): Promise<string[]> => {
  const check = createEntryCheck(() => Promise.reject(new Error('no value is beside')));
  for (const entry of entries) await check.add(new TextEncoder().encode(canonicalJson(entry)));
  check.end(size);
  return check.result().findings.map(({ number, message }) => `${number}: ${message}`);
};

const SOUND = withDays(FACTS, ['2026-11-02', '2026-11-03']);
const changed = (number: number, change: Row): Row[] =>
  SOUND.map((entry) => (entry['number'] === number ? { ...entry, ...change } : entry));
const dayValue = (number: number): Row => SOUND[number]?.['value'] as Row;

const VOTE = { verifierKey: 'a+1+b', since: '2026-11-04T00:01Z' };
/** Entries about the service, behind those that are sound. */
const withService = (...entries: readonly [key: string, value: Row | null][]): Row[] => [
  ...SOUND,
  ...entries.map(([key, value], at) => ({
    number: SOUND.length + at,
    time: '2026-11-04T00:00:30.000Z',
    cause: 'day',
    kind: 'service-level',
    key: `service-level/${key}`,
    last: true,
    value,
  })),
];
const levelDay = (root: string, probers: readonly Row[] = []): Row => ({ date: '2026-11-02', root, probers });
const voter = { name: 'a', key: VOTE.verifierKey, since: VOTE.since };

describe('a check of entries', () => {
  test('finds nothing in a sound log', async () => {
    expect(await listFindings(SOUND)).toEqual([]);
    const ended = { ...VOTE, until: '2026-11-05T00:00Z' };
    const days: [string, Row][] = [['2026-11-02', levelDay('AAAA', [voter])]];
    const marks: [string, Row][] = [
      ['canary/a', { mark: '2026-11-04T00:01Z' }],
      ['canary/a', { mark: '2026-11-04T00:02Z' }],
    ];
    expect(await listFindings(withService(['prober/a', VOTE], ['prober/a', ended], ...days, ...marks))).toEqual([]);
  });

  test.each([
    ['a value that was changed', changed(4, { value: review(1) }), '5: the scores of 2026-11-02 are not'],
    ['an entry that was taken away', SOUND.filter(({ number }) => number !== 3), '3: 3 is missing'],
    [
      'entries that were taken away after a change',
      changed(2, { time: '2026-12-31T00:00:00.000Z' }).filter(({ number }) => number !== 3 && number !== 4),
      '3: 3 to 4 are missing',
    ],
    ['a number that is there twice', [...SOUND.slice(0, 4), ...SOUND.slice(3)], '4: entry 4 says that it is number 3'],
    ['a time that goes back', changed(3, { time: '2026-10-31T00:00:00.000Z' }), '3: the time of entry 3 is before'],
    [
      'a change with two times',
      changed(3, { last: undefined }),
      '4: entry 4 belongs to the change that begins with entry 3, and has another time',
    ],
    [
      'a day in the middle of a change',
      changed(4, { last: undefined, time: '2026-11-02T00:05:00.000Z' }),
      '5: the scores of 2026-11-02 follow from entries up to 4, which is in the middle of a change',
    ],
    [
      'an end in the middle of a change',
      changed(6, { last: undefined }),
      '6: the log ends in the middle of the change that begins with entry 6',
    ],
    [
      'an entry that is no JSON object after a change began',
      changed(3, { last: undefined }).map((row) => (row['number'] === 4 ? [] : row)) as never,
      '4: entry 4 cannot be read',
    ],
    ['a mark that is none', changed(3, { last: 'true' }), '3: entry 3 cannot be read: its last is not true'],
    ['a missing day', withDays(FACTS, ['2026-11-02', '2026-11-04']), '6: the day 2026-11-03 is missing'],
    ['a missing first day', withDays(FACTS, ['2026-11-03']), '5: the day 2026-11-02 is missing'],
    ['another root', changed(6, { value: { ...dayValue(6), root: 'AAAA' } }), '6: the scores of 2026-11-03 are not'],
    ['another count', changed(6, { value: { ...dayValue(6), count: 2 } }), '6: the scores of 2026-11-03 are not'],
    [
      'a day from later entries',
      changed(5, { value: { ...dayValue(5), through: 9 } }),
      '5: the scores of 2026-11-02 follow',
    ],
    [
      'another arithmetic',
      changed(0, { value: { version: VERSION, sha256: 'ab' } }),
      `0: entry 0 names another arithmetic of methodology ${VERSION}`,
    ],
    [
      'a kind that is not that of its key',
      changed(1, { kind: 'broker' }),
      '1: entry 1 cannot be read: it has the kind broker',
    ],
    [
      'a second entry about a day of the service',
      withService(['2026-11-02', levelDay('AAAA')], ['2026-11-02', levelDay('BBBB')]),
      `${SOUND.length + 1}: service-level/2026-11-02 is written twice`,
    ],
    [
      'a day of the service that is taken back',
      withService(['2026-11-02', levelDay('AAAA')], ['2026-11-02', null]),
      `entry ${SOUND.length + 1} takes service-level/2026-11-02 back`,
    ],
    [
      'a vote for the past',
      withService(['prober/a', { ...VOTE, since: '2026-11-03T23:00Z' }]),
      `entry ${SOUND.length} says at`,
    ],
    [
      'the end of a vote in the past',
      withService(['prober/a', VOTE], ['prober/a', { ...VOTE, until: '2026-11-03T23:00Z' }]),
      `entry ${SOUND.length + 1} says at`,
    ],
    [
      'another key of a prober',
      withService(['prober/a', VOTE], ['prober/a', { ...VOTE, verifierKey: 'a+2+c', until: '2026-11-05T00:00Z' }]),
      'has another key or vote',
    ],
    [
      'a day that ends a vote which nobody ended',
      withService(['prober/a', VOTE], ['2026-11-02', levelDay('AAAA', [{ ...voter, until: '2026-11-02T10:00Z' }])]),
      `entry ${SOUND.length + 1} ends the vote of a at 2026-11-02T10:00Z, which no entry before it did`,
    ],
    [
      'a vote that ended and goes on',
      withService(
        ['prober/a', { ...VOTE, until: '2026-11-05T00:00Z' }],
        ['prober/a', { ...VOTE, until: '2026-11-06T00:00Z' }],
      ),
      'service-level/prober/a has another key or vote',
    ],
    [
      'a prober that nobody gave a vote',
      withService(['2026-11-02', levelDay('AAAA', [voter])]),
      `entry ${SOUND.length} counts the prober a`,
    ],
  ])('names the first entry that shows %s', async (_, entries, first) => {
    expect((await listFindings(entries))[0]).toContain(first);
  });

  test('names the entries that were taken away at the end', async () => {
    const size = SOUND.length;
    expect(await listFindings(SOUND.slice(0, -1), size)).toEqual([`${size - 1}: ${size - 1} is missing`]);
    expect(await listFindings([], size)).toEqual([`0: 0 to ${size - 1} are missing`]);
  });

  test.each([
    'broker',
    'license',
    'warning',
    'regulator',
    'check',
    'review',
    'complaints',
    'news',
    'methodology',
    'day',
    'dispute',
    'statement',
  ])('goes on after an entry of kind %s that says nothing of its kind', async (kind) => {
    const strange = { key: `${kind}/alpha/fca/1`, value: { merged: 1, date: 'never' } };
    const findings = await listFindings([...SOUND, ...log([...SOUND, strange]).slice(SOUND.length)]);
    expect(findings.every((message) => message.startsWith(`${SOUND.length}: `))).toBe(true);
    if (!['warning', 'regulator', 'check', 'review', 'news'].includes(kind)) expect(findings).not.toEqual([]);
  });

  test('names an arithmetic that the package does not know', async () => {
    const check = createEntryCheck(() => Promise.reject(new Error('no value is beside')));
    const [entry] = log([{ key: 'methodology/2099-1', value: { version: '2099-1', sha256: 'ab' } }]);
    await check.add(new TextEncoder().encode(canonicalJson(entry)));
    expect(check.result().findings[0]?.message).toContain('2099-1, which this package does not know');
  });

  test.each(['{"b":1,"a":2}', '{"a": 1}', '[1]', 'nothing', '{"a":1}\n'])(
    'names %j, which is not a canonical entry',
    async (text) => {
      const check = createEntryCheck(() => Promise.reject(new Error('no value is beside')));
      await check.add(new TextEncoder().encode(text));
      expect(check.result().findings).toMatchObject([
        { number: 0, message: expect.stringContaining('cannot be read') },
      ]);
    },
  );
});

describe('a replay', () => {
  const scores = (rows: readonly Row[], date: string) => {
    const replay = createReplay();
    const entries = log(rows);
    for (const entry of entries) replay.add(entry as never);
    return replay.scoresOn({ date, through: entries.length });
  };

  test('counts a review while it is published, and as the entry with the highest number says', () => {
    const stars = (...states: Row[]) => scores([...FACTS.slice(0, 4), ...states], '2026-11-02')[0]?.value as number;
    const none = stars();
    const five = stars({ key: 'review/a', value: review(5) });
    expect(five).toBeGreaterThan(none);
    expect(stars({ key: 'review/a', value: review(5) }, { key: 'review/a', value: review(5, 'removed') })).toBe(none);
    expect(stars({ key: 'review/a', value: review(1) }, { key: 'review/a', value: review(5) })).toBe(five);
  });

  test('applies an entry only from the day on which it begins', () => {
    const gone = { ...LICENSE, holders: [{ ...LICENSE.holders[0], status: 'withdrawn' }] };
    const replay = createReplay();
    const late = {
      key: 'license/alpha/fca/1',
      value: gone,
      time: '2026-11-05T10:00:00.000Z',
      validFrom: '2026-11-03T00:00:00.000Z',
    };
    for (const entry of log([...FACTS, late])) replay.add(entry as never);
    const value = (date: string) => replay.scoresOn({ date, through: FACTS.length + 1 })[0]?.value as number;
    const [before, from] = [value('2026-11-02'), value('2026-11-03')];
    expect(from).toBeLessThan(before);
  });

  test.each<[string, Row]>([
    ['the tier of its regulator', { key: 'regulator/fca', value: { code: 'fca', tier: 4 } }],
    ['its own value', { key: 'broker/alpha', value: { ...BROKER, status: 'ceased' } }],
    ['a licence', { key: 'license/alpha/fca/1', value: null }],
    ['a warning', { key: 'warning/alpha/1', value: { broker: 'alpha', about: 'this_firm' } }],
    [
      'complaints',
      {
        key: 'complaints/alpha',
        value: { broker: 'alpha', months: [{ month: '2026-10', closed: 90, resolved: 0, timely: 0 }] },
      },
    ],
  ])('computes a score again on the day after a change of %s', (_, change) => {
    const entries = log([...FACTS, change]);
    const replay = createReplay();
    for (const entry of entries) replay.add(entry as never);
    const value = (date: string, through: number) => replay.scoresOn({ date, through })[0]?.value;
    const before = value('2026-11-02', FACTS.length);
    expect(value('2026-11-03', FACTS.length)).toBe(before);
    expect(value('2026-11-04', FACTS.length + 1)).not.toBe(before);
  });

  test('leaves out an entry that was added after the entries of a day, even if its time is before that day', () => {
    const other = { ...LICENSE, regulator: 'asic', number: '2' };
    const early = { validFrom: '2015-01-01T00:00:00.000Z' };
    const rows = [
      { key: 'license/alpha/asic/2', value: other },
      { key: 'review/b', value: review(5) },
    ];
    const entries = log([...FACTS, ...rows.map((row) => ({ ...row, ...early }))]);
    const replay = createReplay();
    for (const entry of entries) replay.add(entry as never);
    const value = (date: string, through: number) => replay.scoresOn({ date, through })[0]?.value as number;
    const [none, one, two] = [5, 6, 7].map((through, at) => value(`2026-11-0${2 + at}`, through)) as [
      number,
      number,
      number,
    ];
    expect(none).toBe(scores(FACTS, '2026-11-02')[0]?.value);
    expect(one).toBe(scores([...FACTS, { ...rows[0], ...early }], '2026-11-03')[0]?.value);
    expect(two).toBeGreaterThan(one);
    expect(one).toBeGreaterThan(none);
  });

  test('counts the reviews of merged brokers about their successor, and leaves out who is not published', () => {
    const rows: Row[] = [
      ...FACTS,
      { key: 'broker/beta', value: { ...BROKER, slug: 'beta' } },
      { key: 'review/b', value: { ...review(5), broker: 'beta' } },
    ];
    const [alpha, beta] = scores(rows, '2026-11-02');
    expect([alpha?.slug, beta?.slug]).toEqual(['alpha', 'beta']);
    const merged = [
      ...rows,
      { key: 'broker/beta', value: null },
      { key: 'broker/alpha', value: { ...BROKER, merged: ['beta'] } },
    ];
    const after = scores(merged, '2026-11-02');
    expect(after).toHaveLength(1);
    expect(after[0]?.value as number).toBeGreaterThan(alpha?.value as number);
  });
});
