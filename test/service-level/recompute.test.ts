import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../bench/names.ts';
import { installClient } from '../packages/install.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { listDates, type MonthFolder, makeMonth, type Voter } from '../support/measured-month.ts';
import { addMinutes, createReading, newProber, type ProbeReading } from '../support/prober.ts';
import { runCli } from '../support/process.ts';

const MONTH = '2026-10';
const voters: Voter[] = ['berlin', 'oslo', 'paris'].map((name) => ({
  prober: newProber(name),
  since: '2026-09-30T12:00Z',
}));

let scratch: Scratch;
/** An otherwise empty folder with the packed client. */
let client: string;
/** Makes every attempt to reach anybody an error. */
let offline: string;

/** Makes a month in which outages come by a seed, with results of every `step` minutes. */
const generate = (seed: number, step: number) => {
  const random = createRandom(seed);
  const minutes = listDates(MONTH).length * 1440;
  const down = new Set<number>();
  for (let outage = 0; outage < 6; outage++) {
    const from = Math.floor(random() * minutes);
    const length = 20 + Math.floor(random() * 40);
    for (let at = from; at < from + length; at++) down.add(at);
  }
  const isDown = (date: string, at: number): boolean =>
    down.has((Date.parse(date) - Date.parse(`${MONTH}-01`)) / 60_000 + at);
  const createReadings = (_: string, date: string): ProbeReading[] =>
    Array.from({ length: 1440 / step }, (_each, at) =>
      createReading(addMinutes(`${date}T00:00Z`, at * step), !isDown(date, at * step)),
    );
  const measured = Array.from({ length: minutes / step }, (_, at) => at * step);
  return {
    made: makeMonth({ month: MONTH, voters, saidOn: createReadings }),
    up: measured.filter((at) => !down.has(at)).length,
  };
};

const writeMonth = async (folder: string, { files }: Pick<MonthFolder, 'files'>): Promise<void> => {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
};

/** Runs the command of the packed client, as `npx` finds it, in the folder that has nothing else. */
const run = (args: readonly string[], env: Record<string, string> = { NODE_OPTIONS: `--require ${offline}` }) =>
  runCli([...args], env, 100_000, join(client, 'node_modules/.bin/broker-transparency'));

interface RecomputeResult {
  readonly fits: boolean;
  readonly figures: { readonly minutes: number; readonly up: number; readonly availability: number };
  readonly problems: readonly object[];
  readonly differences: readonly {
    readonly figure: string;
    readonly published: unknown;
    readonly recomputed: unknown;
  }[];
}
const check = async (folder: string, ...options: string[]): Promise<RecomputeResult & { code: number }> => {
  const { code, stdout, stderr } = await run(['service-level', 'check', folder, '--json', ...options]);
  if (code > 1) throw new Error(stderr);
  return { code, ...(JSON.parse(stdout) as RecomputeResult) };
};

let month: ReturnType<typeof generate>;
let folder: string;
beforeAll(async () => {
  scratch = await createScratch();
  client = await installClient(scratch.path);
  offline = await scratch.write(
    'offline.cjs',
    `const refuse = () => { throw new Error('it must ask nobody'); };
    require('node:net').Socket.prototype.connect = refuse;
    require('node:dns').lookup = refuse;
    globalThis.fetch = refuse;\n`,
  );
  month = generate(19, 20);
  folder = scratch.file('month');
  await writeMonth(folder, month.made);
});
afterAll(() => scratch?.remove());

test('a whole month of three probers is recomputed to the digit, without asking anybody', async () => {
  const { made, up } = generate(7, 1);
  const whole = scratch.file('whole');
  await writeMonth(whole, made);
  const { code, fits, figures, problems, differences } = await check(whole, '--key', made.logKey);
  expect({ code, fits, problems, differences }).toEqual({ code: 0, fits: true, problems: [], differences: [] });
  const { value } = JSON.parse(made.files.get(`months/${MONTH}.json`) as string);
  expect(figures).toMatchObject({ minutes: 44_640, up, availability: Math.floor((up / 44_640) * 1e6) / 1e6 });
  expect(value).toMatchObject(figures);
  expect(up).toBeLessThan(44_640 - 30);
});

test('people read the figures, the outages and the verdict', async () => {
  const { code, stdout } = await run(['service-level', 'check', folder, '--key', month.made.logKey]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Service level of 2026-10, by the objectives 2026-1\n/);
  expect(stdout).toContain(`up                ${month.up}`);
  expect(stdout).toMatch(/availability +\d\.\d{4} % +NOT kept/);
  expect(stdout).toMatch(/\nOutages\nfrom +to +minutes +of them unmeasured\n/);
  expect(stdout).toMatch(/\nFits: the results give the figures of the service's entry 31, to the digit\.\n$/);
});

describe('tampering is named:', () => {
  const OSLO = 'results/oslo/2026-10-10.ndjson';
  const at = { prober: 'oslo', date: '2026-10-10' };
  /** Checks the folder after a change of one file, and takes it back. */
  const after = async (path: string, change: (text: string) => string | undefined) => {
    const file = join(folder, path);
    const text = await readFile(file, 'utf8');
    const changed = change(text);
    await (changed === undefined ? rm(file) : writeFile(file, changed));
    try {
      return await check(folder, '--key', month.made.logKey);
    } finally {
      await writeFile(file, text);
    }
  };

  test('names a changed result by its line', async () => {
    const { code, problems } = await after(OSLO, (text) =>
      text
        .split('\n')
        .map((line, index) => (index === 6 ? line.replace('"ms":40', '"ms":39') : line))
        .join('\n'),
    );
    expect(code).toBe(1);
    expect(problems).toContainEqual({ ...at, line: 7, why: expect.stringContaining('it was changed') });
  });

  test('names a line that is missing', async () => {
    const { code, problems } = await after(OSLO, (text) => text.split('\n').toSpliced(6, 1).join('\n'));
    expect(code).toBe(1);
    expect(problems).toContainEqual({ ...at, line: 6, why: expect.stringContaining('lines behind it are missing') });
  });

  test("a prober's day that is deleted counts as down", async () => {
    const one = await after(OSLO, () => undefined);
    expect(one.problems).toEqual([{ ...at, why: 'its file is missing: its 72 lines count as not up' }]);
    expect([one.code, one.figures.up]).toEqual([1, month.up]);
    const paris = join(folder, 'results/paris/2026-10-10.ndjson');
    const text = await readFile(paris);
    await rm(paris);
    const { code, figures, differences } = await after(OSLO, () => undefined);
    await writeFile(paris, text);
    expect(code).toBe(1);
    expect(figures.up).toBeLessThanOrEqual(month.up - 60);
    expect(differences).toContainEqual({ figure: 'up', published: month.up, recomputed: figures.up });
  });

  test('names a proof that was changed', async () => {
    const { code, problems } = await after('days/2026-10-10.proof', (text) =>
      text.replace(/\nindex 9\n/, '\nindex 8\n'),
    );
    expect(code).toBe(1);
    expect(problems).toEqual([{ date: at.date, why: expect.stringContaining('days/2026-10-10.proof: ') }]);
  });

  test('names tampering in words for people', async () => {
    const copy = scratch.file('copy');
    await cp(folder, copy, { recursive: true });
    await rm(join(copy, OSLO));
    const { code, stdout } = await run(['service-level', 'check', copy, '--key', month.made.logKey]);
    expect(code).toBe(1);
    expect(stdout).toContain('WRONG: oslo, 2026-10-10: its file is missing: its 72 lines count as not up\n');
    expect(stdout).toMatch(/\nDOES NOT FIT\.\n$/);
  });
});

test.each([
  ['no folder', ['none'], /none: it does not exist/],
  ['no policy', [], /needs to know whom you trust/],
])('%s is wrong usage', async (_, [name], message) => {
  const { code, stderr } = await run(['service-level', 'check', name ?? folder]);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

describe('the download', () => {
  let server: Server;
  let url: string;
  let held: Map<string, string>;
  beforeAll(async () => {
    held = new Map(month.made.files);
    server = createServer(({ url: asked = '' }, response) => {
      const path = asked.replace('/transparency/v1/service-level/', '');
      const [json, proof] = [held.get(`${path}.json`), held.get(`${path}.proof`)];
      const text = json ? JSON.stringify({ ...JSON.parse(json), proof }) : held.get(`${path}.ndjson`);
      response.writeHead(text === undefined ? 404 : 200).end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  });
  afterAll(() => server?.close());
  const get = (into: string, ...options: string[]) =>
    run(['service-level', 'get', MONTH, into, '--base-url', url, ...options], {});

  test('the download makes the folder that is checked, with the policy', async () => {
    const into = scratch.file('got');
    const { code, stdout } = await get(into, '--key', month.made.logKey);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^157 files of 2026-10\nComplete: /)]);
    expect(await check(into)).toMatchObject({ code: 0, fits: true, figures: { up: month.up } });
  });

  test('the download says what is missing, and keeps what a prober signed before', async () => {
    const into = scratch.file('again');
    await get(into);
    const path = 'results/oslo/2026-10-10.ndjson';
    held.set(path, `${(held.get(path) as string).split('\n').slice(0, 40).join('\n')}\n`);
    held.delete('results/paris/2026-10-11.ndjson');
    held.delete('days/2026-10-12.json');
    const second = { number: 90, value: { date: '2026-10-13' } };
    held.set('days/2026-10-13.json', JSON.stringify(second));
    held.set('days/2026-10-13.proof', (held.get('days/2026-10-13.proof') as string).replace('index 12', 'index 90'));
    const { code, stdout } = await get(into);
    for (const end of ['json', 'proof']) {
      expect(stdout).toContain(`MISSING: days/2026-10-13.${end}: the service has another one now: yours was kept\n`);
      const kept = await readFile(join(into, `days/2026-10-13.${end}`), 'utf8');
      expect(kept).toMatch(/^index 12$|"number": ?12,/m);
    }
    expect(code).toBe(1);
    expect(stdout).toContain(`MISSING: ${path}: the service has another one now: yours was kept\n`);
    expect(stdout).toContain('MISSING: results/paris/2026-10-11.ndjson: the service does not have it\n');
    expect(stdout).toContain('MISSING: days/2026-10-12.proof: the record has no such entry\n');
    expect(await readFile(join(into, path), 'utf8')).toBe(month.made.files.get(path));
  });

  test('the download of a month that does not exist exits with 2', async () => {
    const none = ['service-level', 'get', '2026-13', scratch.file('none'), '--base-url', url];
    expect((await run(none, {})).code).toBe(2);
  });
});
