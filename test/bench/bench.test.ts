import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ComparisonRow, measure, type Plan } from './measure.ts';
import { plot } from './plot.ts';
import { probe } from './probe.ts';
import { terminalReport, withResults } from './report.ts';
import type { BenchResults } from './run.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { createStage, type ServerName, type ServerStage } from './servers.ts';
import { parseResponse } from './wire.ts';

const size = { brokers: 30, reviews: 300 };
const plan: Plan = { rounds: 2, until: { count: 200 }, warmUp: { count: 40 }, writes: 40 };
const scenario = SCENARIOS[0] as Scenario;

let root: string;
let stage: ServerStage;
let rows: ComparisonRow[];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'bench-data-'));
  stage = createStage({ small: size, large: size }, root, () => {});
  rows = await measure(stage, scenario, plan);
});
afterAll(async () => {
  await stage?.close();
  await rm(root, { recursive: true, force: true });
});

test('every server answers every request as expected, at full and at half rate', () => {
  expect(rows.map(({ server }) => server)).toEqual(scenario.servers);
  for (const { answered, throughput } of rows) {
    expect(answered).toBe(400);
    expect(throughput.low).toBeGreaterThan(0);
  }
  expect(rows[0]?.throughput).toEqual({ low: 1, median: 1, high: 1 });
});

test('an answer with another status ends the run', async () => {
  const wrong: Scenario = { ...scenario, servers: ['bare', 'service'], status: 203 };
  await expect(measure(stage, wrong, plan)).rejects.toThrow(
    /^one broker.*, bare: 40 of 40 answers were not .*"size":\d{4}/,
  );
});

test('the naive server answers the same as the service', async () => {
  const readDetail = async (name: ServerName) => {
    const { port, data } = await stage.server(name);
    return JSON.parse((await probe(port, { path: `/api/v1/brokers/${data.typical}` })).body.toString());
  };
  const [naive, service] = [await readDetail('naive'), await readDetail('service')];
  // the naive server reads no registers
  const inOrder = ({
    licenses,
    registers: _,
    ...detail
  }: {
    licenses: { referenceNumber: string }[];
    registers?: object;
  }) => ({
    ...detail,
    licenses: licenses.toSorted((a, b) => (a.referenceNumber < b.referenceNumber ? -1 : 1)),
  });
  expect(inOrder(naive)).toEqual(inOrder(service));
  expect(naive.recentReviews).toHaveLength(5);
});

test('measured reviews are written, and removed afterwards', async () => {
  const written = await measure(stage, SCENARIOS.find(({ writes }) => writes) as Scenario, plan);
  expect(written.map(({ server, answered }) => [server, answered])).toEqual([
    ['driver', 80],
    ['service', 80],
  ]);
  const { db } = await stage.data('small');
  expect(await db.collection('reviews').countDocuments({ status: 'pending' })).toBe(0);
});

test('the report has a row for each server, on the page and in the picture', async () => {
  const share = [{ server: 'service', value: 0.5 }] as const;
  const sizes = { small: size, large: size };
  const found: BenchResults = { machine: 'a machine', sizes, rounds: 2, rows, recall: share, memory: share };
  const page = await readFile(new URL('../../docs/benchmarks.md', import.meta.url), 'utf8');
  const written = withResults(page, found);
  expect(withResults(written, found)).toBe(written);
  expect(written).toContain('30 brokers with 300 reviews');
  const results = written.slice(written.indexOf('<!-- bench:'), written.indexOf('<!-- /bench -->'));
  expect(results.split('\n').filter((line) => /^\| .* \| .*–/.test(line))).toHaveLength(rows.length);
  for (const { server } of rows) {
    expect(terminalReport(found)).toContain(server);
    expect(plot(rows)).toContain(server);
  }
});

test('an answer is complete once its last byte has arrived', () => {
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  expect(parseResponse(bytes)).toEqual({ status: 200, size: 2, end: bytes.length });
  expect(parseResponse(bytes.subarray(0, -1))).toBeUndefined();
  expect(parseResponse(Buffer.from('HTTP/1.1 304 Not Modified\r\n\r\n'))).toMatchObject({ status: 304, size: 0 });
  expect(() => parseResponse(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))).toThrow('without Content-Length');
});
