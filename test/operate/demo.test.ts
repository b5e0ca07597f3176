import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifyProof } from '@broker-transparency/client/verify';
import { type BrokerDetail, recomputeScore } from '@broker-transparency/contract';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScratch } from '../support/files.ts';
import { getJson, importRows, post, submit } from '../support/filled-service.ts';
import {
  bin,
  createEnvironment,
  type PreparedService,
  prepare,
  runCli,
  type ServiceProcess,
  startProcess,
} from '../support/process.ts';
import { brokerRow, complaintBody, reviewBody } from '../support/records.ts';
import { sharedDatabaseAt } from '../support/shared-database.ts';
import { type Browser, openBrowser } from '../support/sign-in.ts';
import { until } from '../support/until.ts';

const DAY = 86_400_000;

let service: ServiceProcess;

const startDemo = async (settings: ServiceProcess['data'] = {}): Promise<ServiceProcess> => {
  const started = await startProcess({ LOG_LEVEL: 'error', ...settings }, ['--demo']);
  await until('the curl line is printed', 10_000, async () => /^ {2}curl .*\n/m.test(started.output()));
  return started;
};

/** Answers to the first requests after the start had printed everything. */
let first: { policy: number; updates: { next: number } };

beforeAll(async () => {
  service = await startDemo();
  const policy = await transparency('/log/demo/policy');
  const list = await getJson(service, '/brokers?updatedSince=0&limit=1');
  first = { policy: policy.status, updates: list['updates'] as { next: number } };
});
afterAll(() => service?.remove());

const findTokens = (output: string): string[] => output.match(/btr_[\w-]{51}/g) ?? [];

test('announces its address, and prints two tokens that do what it says of them', async () => {
  const output = service.output();
  expect(output).toContain(`  API        ${service.baseUrl}\n`);
  expect(output).toMatch(/fictional/);
  const reference = /^ {2}Reference +(\S+)$/m.exec(output)?.[1] as string;
  expect((await fetch(reference)).headers.get('content-type')).toMatch(/^text\/html/);
  const tokens = findTokens(output);
  expect(tokens).toHaveLength(2);
  const verified = /identity verified +(btr_\S+)/.exec(output)?.[1] as string;
  const unverified = /identity not verified +(btr_\S+)/.exec(output)?.[1] as string;
  expect(tokens).toEqual([verified, unverified]);
  expect((await submit(service, '/reviews', verified, reviewBody('alpha-markets'))).status).toBe(201);
  const refused = await submit(service, '/reviews', unverified, reviewBody('alpha-markets'));
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'kyc_required']);
  expect((await submit(service, '/complaints', unverified, complaintBody('alpha-markets'))).status).toBe(201);
});

describe('people of the demo', () => {
  /** Signs in by the printed link, as the person who reads the terminal does. */
  const enter = async (mail: string, page: string): Promise<Browser> => {
    const browser = openBrowser(service);
    const printed = service.output().length;
    expect((await browser.send(page, { mail }, '/sign-in')).location).toBe('/sign-in/code');
    const link = await until('the link is printed', 20_000, async () =>
      /\S+\/sign-in\/link\/\w+/.exec(service.output().slice(printed)),
    );
    await browser.send(new URL(String(link?.[0])).pathname);
    return browser;
  };
  const findPrintedPath = (path: string): string => {
    const [, address = ''] = new RegExp(`^ {2}(\\S+${path})$`, 'm').exec(service.output()) ?? [];
    expect(address).toContain(service.origin);
    return address.slice(service.origin.length);
  };

  test.each([
    ['admin@demo.example', ['review', 'complaint', 'warning']],
    ['outside@demo.example', ['appeal']],
  ])('the printed address of the desk opens it for %s', async (mail, kinds) => {
    expect(service.output()).toContain(mail);
    const browser = await enter(mail, findPrintedPath('/sign-in\\?to=%2Fdesk'));
    const { status, html } = await browser.get('/desk');
    expect(status).toBe(200);
    for (const kind of kinds) {
      expect(html).toContain(`/desk?kind=${kind}`);
      const [, first = '/desk'] = /data-row href="([^"]*)"/.exec((await browser.get(`/desk?kind=${kind}`)).html) ?? [];
      expect([first, (await browser.get(first.replaceAll('&amp;', '&'))).status]).toEqual([first, 200]);
    }
    expect((await service.cli('review', 'list')).code, 'commands need no token all the same').toBe(0);
  });

  test('nobody else opens the desk by a link', async () => {
    expect((await (await enter('visitor@mail.example', '/sign-in')).get('/desk')).status).toBe(403);
  });

  test('the printed code opens the side of a firm', async () => {
    const browser = await enter('contact@mail.example', '/sign-in');
    const code = /the code (\S+) of Alpha Markets/.exec(service.output())?.[1] ?? '';
    const given = await browser.send(findPrintedPath('/answer'), { code });
    expect([given.status, given.location]).toEqual([303, '/answer/alpha-markets']);
    const firm = await browser.get('/answer/alpha-markets');
    expect([firm.status, firm.html.includes('/brokers/alpha-markets/dispute')]).toEqual([200, true]);
  });
});

test('the log is signed, and what changed can be followed, as soon as the samples are printed', () => {
  expect(first.policy).toBe(200);
  expect(first.updates.next).toBeGreaterThan(0);
});

test('a demo has a gallery with a firm in each state that pages tell apart', async () => {
  const answer = await fetch(`${service.origin}/dev/gallery`);
  const text = await answer.text();
  expect(answer.status).toBe(200);
  for (const state of ['good', 'warned', 'suspected clone', 'unrated', 'ceased', 'merged'])
    expect(text).toContain(`<h2>${state}: `);
  expect(text).not.toContain('No broker is in this state');
});

test('prints a curl line that works', async () => {
  const line = /^ {2}(curl .*)$/m.exec(service.output())?.[1] as string;
  const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -sS --max-time 10`]);
  expect(JSON.parse(stdout)).toMatchObject({ slug: 'alpha-markets' });
});

test.each(['review.loaded', 'complaint.loaded'])('the trail of the demo has an entry %s', async (action) => {
  const { code, stdout } = await service.cli('audit', 'list', '--action', action, '--limit', '1', '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, [{ actor: { type: 'system' }, action }]]);
});

/** The stories merge one of their 13 firms into another one, and a clone of one appears. */
const BROKERS = 313;

interface Page {
  readonly data: readonly { readonly color: string; readonly name: string }[];
  readonly pagination: { readonly total: number };
}

test('the demo has 300 brokers in every color and the 13 of its stories, with reviews and news', async () => {
  const total = async (query: string) =>
    ((await getJson(service, `/brokers?limit=1${query}`)) as unknown as Page).pagination.total;
  expect(await total('')).toBe(BROKERS);
  const counts = await Promise.all(['green', 'yellow', 'red', 'gray'].map((color) => total(`&color=${color}`)));
  for (const count of counts) expect(count).toBeGreaterThan(10);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(BROKERS);
  for (const residence of ['DE', 'GB', 'FR']) expect(await total(`&residence=${residence}`)).toBeGreaterThan(0);
  for (const path of ['/reviews?broker=alpha-markets', '/news', '/search?q=alpha'])
    expect(((await getJson(service, path)) as unknown as Page).data.length, path).toBeGreaterThan(0);
});

test('the score of every broker follows from its published answer', async () => {
  const slugs: string[] = [];
  for await (const { slug } of service.client().brokers.list({ limit: 100 })) slugs.push(slug);
  expect(new Set(slugs).size).toBe(BROKERS);
  const different: string[] = [];
  for (const slug of slugs) {
    const broker = (await getJson(service, `/brokers/${slug}`)) as unknown as BrokerDetail;
    if (JSON.stringify(recomputeScore(broker)) !== JSON.stringify(broker.score)) different.push(slug);
    expect(broker.color).toBe(broker.score.color);
  }
  expect(different).toEqual([]);
});

test('says of every register that it was read, and that no licence there was checked later', async () => {
  const client = service.client();
  const { data: regulators } = await client.regulators.list();
  const readAt = new Map(regulators.map(({ code, lastVerifiedAt }) => [code, lastVerifiedAt]));
  const checks: { code: string; at: string }[] = [];
  for await (const { slug } of client.brokers.list({ limit: 100 }))
    for (const { regulatorCode: code, lastVerifiedAt: at } of (await client.brokers.get(slug)).licenses)
      if (at !== null) checks.push({ code, at });
  expect(checks.length).toBeGreaterThan(300);
  expect(checks.filter(({ code, at }) => (readAt.get(code) ?? '') < at)).toEqual([]);
});

/** A step of the history of a broker. */
interface HistoryStep {
  readonly time: string;
  readonly kind: string;
  readonly cause: string;
  readonly value: number | null;
  readonly color: string;
}

const transparency = (path: string): Promise<Response> => fetch(`${service.origin}/transparency/v1${path}`);

const readSteps = async (slug: string, per = ''): Promise<HistoryStep[]> => {
  const answer = await transparency(`/brokers/${slug}/history?limit=100${per}`);
  return ((await answer.json()) as { data: HistoryStep[] }).data;
};

/** The policy of the demo, as it is published. */
const readPolicy = async (): Promise<string> => (await transparency('/log/demo/policy')).text();

/** Waits until the witness has signed the score of the last day. */
const witnessed = () =>
  until('the score of the last day is witnessed', 180_000, async () => {
    const answer = await transparency('/brokers/alpha-markets/proof');
    if (answer.status !== 200) return undefined;
    const { proof } = (await answer.json()) as { proof: string };
    return verifyProof(proof, await readPolicy()).catch(() => undefined);
  });

describe('the history', () => {
  test('spans 18 months, up to today, in steps that are in order', async () => {
    const steps = await readSteps('alpha-markets', '&per=month');
    const times = steps.map(({ time }) => Date.parse(time));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(Number(times.at(-1)) - Number(times[0])).toBeGreaterThan(517 * DAY);
    expect(Date.now() - Number(times[0])).toBeLessThan(550 * DAY);
  });

  test('a licence that is lost lowers a score, and the warning that follows lowers it further', async () => {
    const steps = await readSteps('lapsewick-markets');
    const values = steps.map(({ kind, value, color }) => [kind, value, color] as const);
    const lost = steps.findLastIndex(({ kind }) => kind === 'license');
    const warned = steps.findIndex(({ kind }) => kind === 'warning');
    expect(values[lost - 1]?.[1]).toBeGreaterThan(60);
    expect(values[lost]?.[1]).toBeLessThan(40);
    expect(warned).toBeGreaterThan(lost);
    expect(values[warned]).toEqual(['warning', 19, 'red']);
  });

  test('a warning that was published by mistake lowers a score until it is corrected', async () => {
    const steps = await readSteps('mistmark-trading');
    const [warning, correction] = steps.filter(({ kind }) => kind === 'warning');
    expect([warning?.cause, warning?.value]).toEqual(['fact', 19]);
    expect([correction?.cause, correction?.color]).toEqual(['correction', 'yellow']);
    expect(Date.parse(correction?.time ?? '') - Date.parse(warning?.time ?? '')).toBeGreaterThan(9 * DAY);
  });

  test('a warning of a clone leaves the score of the genuine firm as it is', async () => {
    const genuine = await readSteps('twinmere-fx');
    const warned = genuine.findIndex(({ kind }) => kind === 'warning');
    expect(genuine[warned]?.value).toBe(genuine[warned - 1]?.value);
    expect((await readSteps('twinmere-fx-global')).at(-1)).toMatchObject({ value: 19, color: 'red' });
    expect(await getJson(service, '/brokers/twinmere-fx-global')).toMatchObject({ status: 'suspected_clone' });
  });

  test('a merged firm leads to its successor, whose reviews are those of both', async () => {
    const answer = await fetch(`${service.baseUrl}/brokers/mergewick-brokers`);
    expect(answer.url).toBe(`${service.baseUrl}/brokers/heirmont-capital`);
    expect(await answer.json()).toMatchObject({ ratingSummary: { count: 2 } });
    const steps = await readSteps('heirmont-capital');
    expect(steps.some(({ cause }) => cause === 'identity')).toBe(true);
  });

  test('a complaint that is answered late lowers a score', async () => {
    const complaints = (await readSteps('lateleigh-invest')).filter(({ kind }) => kind === 'complaints');
    expect(complaints.length).toBeGreaterThan(0);
    expect(await getJson(service, '/brokers/lateleigh-invest')).toMatchObject({
      complaintSummary: { closed: 1, resolvedRate: 1, timelyRate: 0 },
    });
  });

  test('a review that was withheld, and one that was taken down by mistake, came back', async () => {
    const withheld = (await readSteps('hushwell-securities')).filter(({ kind }) => kind === 'review');
    expect(withheld.map(({ cause }) => cause)).toEqual(['fact', 'fact', 'fact']);
    const removed = (await readSteps('erracombe-fx')).filter(({ kind }) => kind === 'review');
    expect(removed.map(({ cause }) => cause)).toEqual(['fact', 'fact', 'correction', 'fact']);
  });
});

describe('the log', () => {
  test('proves the score of today to a checkpoint that its witness has signed, by the policy that it publishes', async () => {
    const { level, witnesses, score } = await witnessed();
    expect({ level, witnesses, slug: score?.slug }).toMatchObject({
      level: 'witnessed',
      witnesses: { verified: 1, required: 1 },
      slug: 'alpha-markets',
    });
    expect(await readPolicy()).toMatch(/^log fictional-demo-[0-9a-f]{12}\.example\/transparency\/v1\/log\/demo\+/m);
  });

  test('an audit of everything, with all brokers, finds it sound', async () => {
    await witnessed();
    const scratch = await createScratch();
    try {
      const policy = await scratch.write('policy.txt', await readPolicy());
      const cli = fileURLToPath(new URL('../../client/dist/cli.js', import.meta.url));
      const url = `${service.origin}/transparency/v1/log/demo`;
      const args = [cli, 'audit', url, '--policy', policy, '--sample', String(BROKERS), '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
      expect(JSON.parse(stdout)).toMatchObject({
        sound: true,
        days: 548,
        findings: [],
        live: { answers: { broker: BROKERS } },
      });
    } finally {
      await scratch.remove();
    }
  });
});

test('makes new tokens and ends the old ones with each start, and keeps the data', async () => {
  const old = findTokens(service.output());
  const before = await getJson(service, '/brokers?limit=100');
  await service.end('SIGINT');
  service = await startDemo(service.data);
  const fresh = findTokens(service.output());
  expect(new Set([...old, ...fresh]).size).toBe(4);
  for (const token of old) expect((await post(service, '/complaints', token, {})).status).toBe(401);
  for (const token of fresh) expect((await post(service, '/complaints', token, {})).status).toBe(400);
  const after = (await getJson(service, '/brokers?limit=100')) as unknown as Page;
  expect(after.data.map(({ name }) => name)).toEqual((before as unknown as Page).data.map(({ name }) => name));
});

test('the tokens of a demo end within a day', async () => {
  const listed = JSON.parse((await service.cli('token', 'list', '--subject', 'demo-verified', '--json')).stdout);
  for (const { expiresAt } of listed) expect(Date.parse(expiresAt) - Date.now()).toBeLessThan(DAY);
});

/** Runs `serve` on the data of a service that has ended. */
const serveAgain = ({ data }: ServiceProcess, ...options: string[]) =>
  runCli(['serve', ...options], { ...data, PORT: '0', LOG_LEVEL: 'silent' });

test('a service that is not a demo refuses the database of one, and says what to do', async () => {
  await service.end('SIGINT');
  const { code, stdout, stderr } = await serveAgain(service);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^This database is a demo: everything in it is fictional[^\n]*--demo[^\n]*MONGODB_URL\.\n$/);
});

describe('while its history is written, a demo', () => {
  let prepared: PreparedService;
  let child: ChildProcess;
  /** Starts a demo. Returns its id once it runs and has written of a broker. */
  const begin = async (): Promise<string> => {
    child = spawn(process.execPath, [bin, 'serve', '--demo'], {
      env: createEnvironment(prepared.env),
      stdio: 'ignore',
    });
    const db = (await sharedDatabaseAt(prepared.mongodbUrl as string)) as Db;
    await until('the demo writes its history', 180_000, async () => {
      const isRunning = (await db.collection('servers').findOne({ pid: child.pid })) !== null;
      return isRunning && (await db.collection('recordEntries').findOne({ kind: 'broker' })) !== null;
    });
    const mark = await db.collection<{ id: string }>('demoMarks').findOne({ isFilled: false });
    return mark?.id as string;
  };
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  beforeAll(async () => {
    prepared = await prepare({ LOG_LEVEL: 'silent' });
  });
  afterAll(async () => {
    if (child.exitCode === null) await stop();
    await prepared.discard();
  });

  test('a demo that is stopped while its history is written begins anew with the next start', async () => {
    const first = await begin();
    await stop();
    expect([undefined, first]).not.toContain(await begin());
  });

  test('a demo refuses a second one on its database while its history is written', async () => {
    const { code, stderr } = await runCli(['serve', '--demo'], { ...prepared.data, PORT: '0', LOG_LEVEL: 'silent' });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Process ${child.pid} on `)]);
  });
});

test('refuses a database that is not marked as a demo and not empty', async () => {
  const other = await startProcess();
  await other.end('SIGINT');
  try {
    const { code, stdout, stderr } = await serveAgain(other, '--demo');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^--demo is refused: this database is not empty, and not marked as a demo\./);
  } finally {
    await other.remove();
  }
});

test('refuses a key of a real log, and another DATA_DIR than the one with its own key', async () => {
  const keyed = await runCli(['serve', '--demo'], { ...service.data, PORT: '0', LOG_KEY: 'log.key' });
  expect([keyed.code, keyed.stderr]).toEqual([1, expect.stringContaining('--demo is refused beside LOG_KEY')]);
  const scratch = await createScratch();
  try {
    const elsewhere = await runCli(['serve', '--demo'], { ...service.data, PORT: '0', DATA_DIR: scratch.file('d') });
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      1,
      expect.stringContaining('The log of this demo has another key'),
    ]);
  } finally {
    await scratch.remove();
  }
});

test('refuses --demo and makes no token beside a broker that is not of the demo set', async () => {
  await importRows(service, 'brokers', [brokerRow('real-markets')]);
  const tokens = async () => (await service.cli('token', 'list', '--subject', 'demo-verified', '--json')).stdout;
  const before = await tokens();
  const { code, stdout, stderr } = await serveAgain(service, '--demo');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^--demo is refused: the broker "real-markets" is not of the demo set[^\n]*without --demo[^\n]*\n$/,
  );
  expect(await tokens()).toBe(before);
});
