import type { ServiceLevelDay } from '@broker-transparency/service-level';
import { describe, expect, test } from 'vitest';
import { listDates, type MonthOptions, makeMonth, type Voter } from '../../../test/support/measured-month.ts';
import { addMinutes, createChain, createReading, newProber, type ProbeReading } from '../../../test/support/prober.ts';
import { type RecomputeOptions, recomputeMonth } from '../verify/node.ts';
import { VerifyError } from '../verify.ts';

const MONTH = '2026-02';
const START = '2026-01-10T10:00Z';
const voters: Voter[] = ['berlin', 'oslo', 'paris'].map((name) => ({ prober: newProber(name), since: START }));
const [berlin, oslo] = voters as [Voter, Voter];

/** One result an hour: the other minutes are unmeasured. In the third hour of the 5th two of three saw it down. */
const hourly = (prober: string, date: string): ProbeReading[] =>
  Array.from({ length: 24 }, (_, hour) => {
    const isDown = date === '2026-02-05' && hour === 2 && prober !== 'paris';
    return createReading(addMinutes(`${date}T00:00Z`, hour * 60), !isDown);
  });

const folder = (change: Partial<MonthOptions> = {}) => makeMonth({ month: MONTH, voters, saidOn: hourly, ...change });

const recompute = (
  { files, policy }: Pick<ReturnType<typeof folder>, 'files' | 'policy'>,
  more: Partial<RecomputeOptions> = {},
) =>
  recomputeMonth({
    month: MONTH,
    policy,
    files: { list: async () => [...files.keys()], read: async (path) => files.get(path) },
    ...more,
  });

const whole = folder();

/** Changes files of the whole month, and recomputes it. */
const after = async (change: (files: Map<string, string>) => unknown, more: Partial<RecomputeOptions> = {}) => {
  const files = new Map(whole.files);
  change(files);
  return recompute({ ...whole, files }, more);
};

const OSLO = 'results/oslo/2026-02-10.ndjson';
const splitLines = (files: ReadonlyMap<string, string>, path = OSLO): string[] =>
  (files.get(path) ?? '').split('\n').filter((line) => line !== '');
const rewrite = (files: Map<string, string>, change: (lines: string[]) => string[], path = OSLO) =>
  files.set(
    path,
    change(splitLines(files, path))
      .map((line) => `${line}\n`)
      .join(''),
  );
const at = { prober: 'oslo', date: '2026-02-10' };

test('a month that fits gives the figures of the service to the digit', async () => {
  const found = await recompute(whole);
  expect(found.problems).toEqual([]);
  expect(found.differences).toEqual([]);
  const up = 28 * 24 - 1;
  expect(found.figures).toMatchObject({ minutes: 28 * 1440, up, unmeasured: 28 * 1440 - up - 1, credit: 50 });
  expect(found.published).toMatchObject({ entry: 28, value: found.figures });
  expect(found.level).toBe('logged');
  // the minute that two of three saw down joins two hours of which nobody measured more than the first minute
  expect(found.outages).toContainEqual({
    from: '2026-02-05T01:01Z',
    to: '2026-02-05T03:00Z',
    minutes: 119,
    unmeasured: 118,
  });
  expect(found.days[4]).toEqual({ date: '2026-02-05', entry: 4, minutes: 1440, up: 23, unmeasured: 1416 });
});

test('a month is counted by the objectives of its own days, whatever those of the day before were', async () => {
  const probers = voters
    .map(({ prober: { name, verifierKey: key }, since }) => ({ name, key, since, lines: 0, head: null }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const eve: ServiceLevelDay = { date: '2026-01-31', objectives: '1999-1', probers, root: `${'A'.repeat(43)}=` };
  const { objectives, problems, differences } = await recompute(folder({ eve }));
  expect({ objectives, problems, differences }).toEqual({ objectives: '2026-1', problems: [], differences: [] });
});

describe('a change is named by prober, day and line:', () => {
  type Change = (files: Map<string, string>) => unknown;
  const slower = (line: string): string => line.replace('"ms":40', '"ms":41');

  test.each<[string, Change, object[]]>([
    [
      'a result that was changed',
      (files) => rewrite(files, (lines) => lines.with(4, slower(lines[4] as string))),
      [
        { ...at, line: 1, lastLine: 4, why: 'no signature covers it' },
        { ...at, line: 5, why: expect.stringContaining('it was changed, or lines behind it are missing') },
      ],
    ],
    [
      'the signed result',
      (files) => rewrite(files, (lines) => lines.with(23, slower(lines[23] as string))),
      [
        { ...at, line: 1, lastLine: 23, why: 'no signature covers it' },
        { ...at, line: 24, why: 'it was changed: its signature is wrong' },
      ],
    ],
    [
      'a line in the middle that is missing',
      (files) => rewrite(files, (lines) => lines.toSpliced(22, 1)),
      [
        { ...at, line: 1, lastLine: 21, why: 'no signature covers it' },
        { ...at, line: 22, why: expect.stringContaining('lines behind it are missing') },
      ],
    ],
    [
      'the first line that is missing',
      (files) => rewrite(files, (lines) => lines.slice(1)),
      [{ ...at, line: 1, why: 'lines before it are missing' }],
    ],
    [
      'a line that is none',
      (files) => rewrite(files, (lines) => [...lines, '{']),
      [{ ...at, line: 25, why: 'it is no JSON' }],
    ],
    [
      'a file that is missing',
      (files) => files.delete(OSLO),
      [{ ...at, why: 'its file is missing: its 24 lines count as not up' }],
    ],
    [
      'the file of another day',
      (files) => files.set(OSLO, files.get('results/oslo/2026-02-11.ndjson') as string),
      [{ ...at, line: 1, lastLine: 24, why: 'it is about 2026-02-11, not 2026-02-10' }],
    ],
    [
      'a prober that nobody registered',
      (files) => files.set('results/rome/2026-02-10.ndjson', files.get(OSLO) as string),
      [{ date: '2026-02-10', prober: 'rome', why: expect.stringContaining('does not have this prober') }],
    ],
    [
      'an entry that is missing',
      (files) => ['proof', 'json'].map((end) => files.delete(`days/2026-02-10.${end}`)),
      [{ date: '2026-02-10', why: 'days/2026-02-10.proof is missing: nobody says what was measured' }],
    ],
    [
      'an entry without its proof',
      (files) => files.delete('days/2026-02-10.proof'),
      [{ date: '2026-02-10', why: 'days/2026-02-10.proof is missing' }],
    ],
    [
      'the proof of another day',
      (files) => files.set('days/2026-02-10.proof', files.get('days/2026-02-11.proof') as string),
      [{ date: '2026-02-10', why: expect.stringContaining('it proves the entry service-level/2026-02-11, not') }],
    ],
    [
      'a proof that was changed',
      (files) => {
        const [head, extra, index, , ...rest] = (files.get('days/2026-02-10.proof') as string).split('\n');
        files.set('days/2026-02-10.proof', [head, extra, index, `${'A'.repeat(43)}=`, ...rest].join('\n'));
      },
      [
        {
          date: '2026-02-10',
          why: expect.stringMatching(/^days\/2026-02-10\.proof: the entry of the proof is not what log/),
        },
      ],
    ],
    [
      'an entry that says something else than its proof',
      (files) => files.set('days/2026-02-10.json', files.get('days/2026-02-11.json') as string),
      [{ date: '2026-02-10', why: 'days/2026-02-10.json says something else than the log: the log counts' }],
    ],
    [
      "the month's entry that is missing",
      (files) => ['proof', 'json'].map((end) => files.delete(`months/${MONTH}.${end}`)),
      [{ why: `months/${MONTH}.proof is missing: nobody says what was measured` }],
    ],
  ])('%s', async (_, change, problems) => {
    expect((await after(change)).problems).toEqual(problems);
  });

  test('deleted results count as down, and both figures are listed side by side', async () => {
    const all = ['berlin', 'oslo', 'paris'].map((name) => `results/${name}/2026-02-10.ndjson`);
    const { figures, differences, days } = await after((files) => all.map((path) => files.delete(path)));
    const up = 28 * 24 - 1;
    expect(figures).toMatchObject({ up: up - 24 });
    expect(days[9]).toMatchObject({ up: 0, unmeasured: 1440 });
    expect(differences).toContainEqual({ figure: 'up', published: up, recomputed: up - 24 });
    const gone = await after((files) => files.delete('days/2026-02-10.proof'));
    expect(gone.figures).toEqual(figures);
  });

  test('one of three that is gone changes no minute that the others agree on, and is named', async () => {
    const found = await after((files) => files.delete(OSLO));
    expect(found.figures.up).toBe(28 * 24 - 1);
    expect(found.problems).toHaveLength(1);
    expect(found.differences.map(({ figure }) => figure)).toEqual(['speeds.publicReads.count']);
  });
});

describe('a service that does not tell the truth is found out:', () => {
  type Lie = Partial<Pick<MonthOptions, 'sealDay' | 'sealMonth'>>;
  const on = (date: string, change: (day: ServiceLevelDay) => ServiceLevelDay | undefined): Lie => ({
    sealDay: (day) => (day.date === date ? change(day) : day),
  });
  const without = (day: ServiceLevelDay, name: string) => ({
    ...day,
    probers: day.probers.filter((each) => each.name !== name),
  });
  const other = newProber('oslo').verifierKey;
  const change = (day: ServiceLevelDay, fields: object): ServiceLevelDay => ({
    ...day,
    probers: day.probers.map((each) => (each.name === 'oslo' ? { ...each, ...fields } : each)),
  });

  test.each<[string, Lie, object[]]>([
    [
      'a prober is left out of a day',
      on('2026-02-10', (day) => without(day, 'oslo')),
      [
        { ...at, why: 'it had a vote, and the entry of the day does not have it' },
        { date: '2026-02-10', why: 'the root in its entry is not that of its results' },
        { ...at, why: expect.stringContaining('does not have this prober') },
      ],
    ],
    [
      'a day is not sealed',
      on('2026-02-10', () => undefined),
      [{ date: '2026-02-10', why: 'days/2026-02-10.proof is missing: nobody says what was measured' }],
    ],
    [
      'a day is sealed without its last results',
      on('2026-02-10', (day) => change(day, { lines: 23 })),
      [{ ...at, why: 'line 23 is not the one that the entry of the day names' }],
    ],
    [
      'a day is sealed with more results than there are',
      on('2026-02-10', (day) => change(day, { lines: 25 })),
      [{ ...at, why: 'it has 24 lines, and the entry of the day 25: the last ones are missing' }],
    ],
    [
      'another root',
      on('2026-02-10', (day) => ({ ...day, root: `${'A'.repeat(43)}=` })),
      [{ date: '2026-02-10', why: 'the root in its entry is not that of its results' }],
    ],
    [
      'another key for a prober',
      on('2026-02-10', (day) => change(day, { key: other })),
      [
        { ...at, why: 'it has another key than on the days before' },
        { ...at, date: '2026-02-11', why: 'it has another key than on the days before' },
        { ...at, line: 1, lastLine: 23, why: 'no signature covers it' },
        { ...at, line: 24, why: 'it was changed: its signature is wrong' },
      ],
    ],
    [
      'a vote that ended afterwards',
      on('2026-02-11', (day) => change(day, { until: '2026-02-10T12:00Z' })),
      [
        { ...at, date: '2026-02-11', why: 'its vote ends 2026-02-10T12:00Z, and the days before counted it' },
        { ...at, date: '2026-02-12', why: 'its vote ends never, and before 2026-02-10T12:00Z' },
        { ...at, date: '2026-02-11', why: expect.stringContaining('it measured 2026-02-11T00:00Z, without a vote') },
      ],
    ],
    [
      'a vote that was ended afterwards, before what the prober saw of that day',
      on('2026-02-28', (day) => change(day, { until: '2026-02-28T12:00Z' })),
      [{ ...at, date: '2026-02-28', why: expect.stringContaining('it measured 2026-02-28T13:00Z, without a vote') }],
    ],
    [
      'a vote that begins later than it did',
      { sealDay: (day) => change(day, { since: '2026-02-01T00:02Z' }) },
      [{ ...at, date: '2026-02-01', why: expect.stringContaining('it measured 2026-02-01T00:00Z, without a vote') }],
    ],
    [
      'an entry in another form',
      on('2026-02-10', (day) => change(day, { lines: -1 })),
      [{ date: '2026-02-10', why: 'days/2026-02-10.proof: the entry is not that of a day' }],
    ],
    [
      'objectives that nobody promised',
      on('2026-02-01', (day) => ({ ...day, objectives: '1999-1' })),
      [
        { why: 'its days name several objectives: 1999-1, 2026-1' },
        { why: 'this package does not know the objectives 1999-1: a newer one does' },
      ],
    ],
  ])('%s', async (_, lie, problems) => {
    expect((await recompute(folder(lie))).problems).toEqual(problems);
  });

  test('a month with other figures than its results give', async () => {
    const found = await recompute(folder({ sealMonth: (month) => ({ ...month, up: 40_000, credit: 0, note: 'x' }) }));
    expect(found.problems).toEqual([]);
    expect(found.differences).toEqual([
      { figure: 'up', published: 40_000, recomputed: 671 },
      { figure: 'credit', published: 0, recomputed: 50 },
      { figure: 'note', published: 'x', recomputed: null },
    ]);
  });

  test('a key that is pinned is not the one of the entries', async () => {
    const found = await recompute(whole, { proberKeys: [other] });
    expect(found.problems[0]).toEqual({
      prober: 'oslo',
      date: '2026-02-01',
      why: 'the entry of the day names another key than the pinned one',
    });
    const pinned = await recompute(whole, { proberKeys: voters.map(({ prober }) => prober.verifierKey) });
    expect(pinned.problems).toEqual([]);
  });
});

describe('the first minute', () => {
  const began = '2026-02-10T08:00Z';

  test('the first minute is that of the first vote if the service level began in the month', async () => {
    const late = voters.map((voter) => ({ ...voter, since: began }));
    const voted = (prober: string, date: string) => hourly(prober, date).filter(({ minute }) => minute >= began);
    const found = await recompute(folder({ voters: late, saidOn: voted }));
    expect([found.problems, found.differences]).toEqual([[], []]);
    expect(found.figures).toMatchObject({ from: began, minutes: 19 * 1440 - 480 });
  });

  test('the first minute is not later because the first days are not sealed: they count as down', async () => {
    const found = await recompute(folder({ sealDay: (day) => (day.date < '2026-02-10' ? undefined : day) }));
    expect(found.figures).toMatchObject({ from: '2026-02-01T00:00Z', minutes: 28 * 1440, up: 19 * 24 });
    expect(found.problems.map(({ date }) => date)).toEqual(listDates(MONTH).slice(0, 9));
  });

  test('the first minute is the first of the month if the last day before it has an entry', async () => {
    const late = voters.map((voter) => ({ ...voter, since: began }));
    const { files, policy } = folder({
      voters: [{ ...berlin, since: START, until: '2026-01-31T12:00Z' }, ...late.slice(1)],
    });
    expect((await recompute({ files, policy })).figures.from).toBe('2026-02-01T00:00Z');
  });
});

test('a result that came after the day was sealed does not count, and is named', async () => {
  const found = await recompute(
    folder({
      sealDay: (day) => {
        if (day.date !== '2026-02-10') return day;
        const results = hourly('oslo', day.date).slice(0, 20);
        const { head, lines } = createChain(oslo.prober, results);
        return {
          ...day,
          probers: day.probers.map((each) => (each.name === 'oslo' ? { ...each, lines: lines.length, head } : each)),
        };
      },
    }),
  );
  expect(found.problems).toEqual([
    { ...at, why: 'it has 24 lines, and the entry of the day 20: what came too late does not count' },
    { date: '2026-02-10', why: 'the root in its entry is not that of its results' },
  ]);
});

test('some probers alone give their own figure, which is compared with none', async () => {
  const found = await after((files) => files.delete(OSLO), { only: ['paris'] });
  expect(found).toMatchObject({ problems: [], differences: [], published: null, figures: { up: 28 * 24 } });
  expect((await after((files) => files.delete(OSLO), { only: ['oslo'] })).problems).toHaveLength(1);
});

test('a malformed policy or month gives no result', async () => {
  await expect(recompute({ ...whole, policy: 'log x' })).rejects.toThrow(VerifyError);
  await expect(recompute(whole, { month: '2026-13' })).rejects.toThrow(RangeError);
});

test('a log that nobody trusts proves nothing: every minute counts as down', async () => {
  const { policy } = folder();
  const { figures, problems, level } = await recompute({ ...whole, policy });
  expect(figures).toMatchObject({ up: 0, unmeasured: 28 * 1440, availability: 0 });
  expect(problems).toHaveLength(29);
  expect(level).toBeNull();
});
