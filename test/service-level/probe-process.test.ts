/** The process that stays: what it serves, and what it writes and awaits. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantCustomerKey } from '../support/enterprise.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { addMinutes } from '../support/prober.ts';
import { bin, runCli, type ServiceProcess, startProcess } from '../support/process.ts';
import { brokerRow } from '../support/records.ts';
import { until } from '../support/until.ts';
import { newProberKey, type ProbeLine } from './probing.ts';

/** The minute that is measured: the one that it is. */
const MINUTE = `${new Date().toISOString().slice(0, 16)}Z`;
const DATE = MINUTE.slice(0, 10);
let scratch: Scratch;
let service: ServiceProcess;
let key: { file: string; verifierKey: string };
let origin: string;
let dir: string;
let process_: ReturnType<typeof spawn>;
let printed = '';
const ended: (number | null)[] = [];

/** The lines that the service has of the day. */
const delivered = () => send(`${service.origin}/transparency/v1/service-level/results/frankfurt-1/${DATE}`);

beforeAll(async () => {
  scratch = await createScratch();
  service = await startProcess({ JOBS: 'on', WEBHOOKS_ALLOW_LOOPBACK: 'true' });
  key = await newProberKey(scratch, 'frankfurt-1');
  await importRows(service, 'brokers', [brokerRow('alpha')]);
  const token = scratch.file('enterprise.key');
  await writeFile(token, await grantCustomerKey(service, 'prober', 'institution'), { mode: 0o600 });
  const add = ['admin', 'prober', 'add', key.verifierKey, '--canary', '1'];
  succeeded(await service.cliWith({ CLOCK: '-10m' }, ...add)); // so it has a vote now
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  dir = scratch.file('prober');
  const given = ['--service', service.origin, '--key', key.file, '--dir', dir, '--enterprise-key', token];
  const more = ['--canary', '1', '--listen', `127.0.0.1:${port}`, '--webhook-url', `${origin}/webhook`];
  const at = (clock: string) => ({
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    CLOCK: clock.replace(/Z$/, ':30Z'),
  });
  succeeded(await runCli(['admin', 'probe', ...given, '--once'], at(addMinutes(MINUTE, -1)))); // finds out that the service knows it
  const env = at(MINUTE); // it asks at once, and long before the next minute
  process_ = spawn(process.execPath, [bin, 'admin', 'probe', ...given, ...more], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [process_.stdout, process_.stderr])
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      printed += piece;
    });
  process_.once('exit', (code) => ended.push(code));
  await until('a minute is measured and delivered', 40_000, async () => {
    if (ended.length > 0) throw new Error(printed);
    return (await delivered()).text !== '';
  });
});
afterAll(async () => {
  process_?.kill('SIGKILL');
  await service?.remove();
  await scratch?.remove();
});

test('a canary is found in the feed, and its webhook comes', async () => {
  const line: ProbeLine = JSON.parse((await delivered()).text.split('\n', 1)[0] as string);
  expect(Object.entries(line.checks).filter(([, { ok }]) => !ok)).toEqual([]);
  expect(Object.keys(line.checks).sort()).toEqual(['enterprise', 'feed', 'public', 'webhook', 'write']);
  expect(line.freshnessMs).toBeLessThan(5000);
  expect(line.webhookMs).toBeLessThan(5000);
  expect(line.webhookMs).toBeGreaterThan(0);
});

describe('it serves', () => {
  test('the prober serves its results, as they are on its disk', async () => {
    const { status, text: said, headers } = await send(`${origin}/results/${DATE}.ndjson`);
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    expect(said).toBe(await readFile(`${dir}/results/${DATE}.ndjson`, 'utf8'));
    expect((await delivered()).text, 'the service has the same bytes').toBe(said);
  });

  test('the prober serves the page of the service', async () => {
    const page = await until('it is written', 10_000, async () => {
      const found = await send(`${origin}/status/`);
      return found.status === 200 && found;
    });
    expect(page.text).toContain('<!doctype html>');
    expect(page.text).toContain('frankfurt-1');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const { status, headers } = await send(`${origin}/status`); // from there its link to status.json would be wrong
    expect([status, headers['location']]).toEqual([308, 'status/']);
    expect((await send(`${origin}/status/status.json`)).status).toBe(200);
  });

  test('the prober serves metrics of its own view', async () => {
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
  ])('the prober serves none of its own files: %s', async (path) => {
    expect((await send(`${origin}${path}`)).status).toBe(404);
  });

  test('the prober refuses a webhook that is not signed, a huge one, and other methods', async () => {
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

test('the prober has its folder to itself, and SIGTERM ends it with 0', async () => {
  const again = spawn(process.execPath, [
    bin,
    'admin',
    'probe',
    '--service',
    service.origin,
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
