/** The process that stays: what it serves, and what it writes and awaits. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ObjectId } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../server/src/platform/embedded/port.ts';
import { inDatabase } from '../support/database.ts';
import { grantCustomerKey } from '../support/enterprise.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { brokerRow } from '../support/records.ts';
import { bin, runCli, type Service, startService, until } from '../support/service.ts';
import { type Front, startFront } from './front.ts';
import { type Line, newProberKey } from './probing.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const DATE = '2026-12-05';
let scratch: Scratch;
let service: Service;
let front: Front;
let key: { file: string; verifierKey: string };
let origin: string;
let dir: string;
let process_: ReturnType<typeof spawn>;
let printed = '';
const ended: (number | null)[] = [];

/** Writes a canary as the service does, and answers. */
const writeCanary = (mark: string): Promise<void> =>
  inDatabase(service, async (db) => {
    await db.collection('recordEntries').insertOne({
      _id: new ObjectId(),
      key: 'service-level/canary/frankfurt-1',
      sequence: 0,
      subject: 'service-level/canary/frankfurt-1',
      kind: 'service-level',
      cause: 'fact',
      value: JSON.stringify({ mark }),
      pending: 0,
    });
  });

beforeAll(async () => {
  scratch = await createScratch();
  service = await startService({ JOBS: 'on', WEBHOOKS_ALLOW_LOOPBACK: 'true' });
  key = await newProberKey(scratch, 'frankfurt-1');
  await importRows(service, 'brokers', [brokerRow('alpha')]);
  const token = scratch.file('enterprise.key');
  await writeFile(token, await grantCustomerKey(service, 'prober', 'institution'), { mode: 0o600 });
  front = await startFront(key.verifierKey);
  front.lead(service.origin);
  front.behave((req, res) => {
    if (req.method !== 'POST' || !req.url?.startsWith('/transparency/v1/service-level/canary/')) return false;
    void text(req)
      .then((body) => writeCanary(JSON.parse(body).mark))
      .then(() => res.writeHead(201, { 'Content-Type': 'application/json' }).end('{}'));
    return true;
  });
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  dir = scratch.file('prober');
  const given = ['--service', front.origin, '--key', key.file, '--dir', dir, '--enterprise-key', token];
  const more = ['--canary', '1', '--listen', `127.0.0.1:${port}`, '--webhook-url', `${origin}/webhook`];
  const at = (clock: string) => ({ PATH: process.env['PATH'], HOME: process.env['HOME'], CLOCK: `${DATE}T${clock}Z` });
  succeeded(await runCli(['probe', ...given, '--once'], at('10:04:30'))); // finds out that the service knows it
  const env = at('10:05:30'); // it asks at once, and long before the next minute
  process_ = spawn(process.execPath, [bin, 'probe', ...given, ...more], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [process_.stdout, process_.stderr])
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      printed += piece;
    });
  process_.once('exit', (code) => ended.push(code));
  await until('a minute is measured and delivered', 40_000, async () => {
    if (ended.length > 0) throw new Error(printed);
    return front.lines(DATE).length > 0;
  });
});
afterAll(async () => {
  process_?.kill('SIGKILL');
  await front?.close();
  await service?.remove();
  await scratch?.remove();
});

test('a canary is found in the feed, and its webhook comes', async () => {
  const line: Line = JSON.parse(front.lines(DATE)[0] as string);
  expect(Object.entries(line.checks).filter(([, { ok }]) => !ok)).toEqual([]);
  expect(Object.keys(line.checks).sort()).toEqual(['enterprise', 'feed', 'public', 'webhook', 'write']);
  expect(line.freshnessMs).toBeLessThan(5000);
  expect(line.webhookMs).toBeLessThan(5000);
  expect(line.webhookMs).toBeGreaterThan(0);
});

describe('it serves', () => {
  test('its results, as they are on its disk', async () => {
    const { status, text: said, headers } = await send(`${origin}/results/${DATE}.ndjson`);
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    expect(said).toBe(await readFile(`${dir}/results/${DATE}.ndjson`, 'utf8'));
  });

  test('the page of the service', async () => {
    const page = await until('it is written', 10_000, async () => {
      const found = await send(`${origin}/status/`);
      return found.status === 200 && found;
    });
    expect(page.text).toContain('<!doctype html>');
    expect(page.text).toContain('frankfurt-1');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('metrics of its own view', async () => {
    const { text: said } = await send(`${origin}/metrics`);
    expect(said).toMatch(/^broker_rating_service_level_burn_rate\{.*window="5m".*\} 0$/m);
    expect(said).toMatch(/^broker_rating_prober_check_up\{.*check="webhook".*\} 1$/m);
    expect(said).toMatch(/^broker_rating_prober_undelivered_lines\{.*\} 0$/m);
  });

  test.each([
    '/state.json',
    '/status/../state.json',
    '/results/..%2fstate.json',
    '/status/..%2f..%2fprober.key',
    '/lock',
  ])('nothing of its own: %s', async (path) => {
    expect((await send(`${origin}${path}`)).status).toBe(404);
  });

  test('nobody who cannot sign a webhook', async () => {
    const body = JSON.stringify({
      type: 'entry.published',
      data: { number: 1, key: 'service-level/canary/frankfurt-1' },
    });
    expect((await send(`${origin}/webhook`, { body })).status).toBe(401);
    const huge = send(`${origin}/webhook`, { body: 'x'.repeat(1_000_000) });
    await expect(huge).rejects.toThrow(/ECONNRESET|EPIPE|hang up/);
    expect((await send(`${origin}/status/`, { method: 'DELETE' })).status).toBe(405);
  });
});

test('its folder is its own, and SIGTERM ends it with 0', async () => {
  const again = spawn(process.execPath, [
    bin,
    'probe',
    '--service',
    front.origin,
    '--key',
    key.file,
    '--dir',
    dir,
    '--once',
  ]);
  const said = await text(again.stderr);
  expect(said).toContain(`is used by the process ${process_.pid}`);
  const gone = once(process_, 'exit');
  process_.kill('SIGTERM');
  await gone;
  expect(ended, printed).toEqual([0]);
});
