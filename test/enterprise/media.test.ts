import { Corrections, Movers } from '@broker-transparency/contract/enterprise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AsCustomer, grantCustomer } from '../support/enterprise.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { runBeside, type Settings } from '../support/process.ts';
import { readRecord, type StoredEntry } from '../support/record.ts';
import { brokerRow, licenseRow } from '../support/records.ts';
import { publishReviews } from '../support/reviewers.ts';
import { type LocalService, startService } from '../support/service.ts';
import { dropSharedDatabase, newSharedDatabase } from '../support/shared-database.ts';

const DAY = 86_400_000;
const formatDate = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

let scratch: Scratch;
let data: Settings;
let service: LocalService;
let press: AsCustomer;
let entries: StoredEntry[];

const bring = async (settings: Settings, ...rows: object[]): Promise<string> => {
  const file = await scratch.ndjson('rows.ndjson', rows);
  return (JSON.parse(succeeded(await runBeside(['import', 'brokers', file, '--json'], settings))) as { run: string })
    .run;
};
const withStatus = (slug: string, status: string) =>
  brokerRow(slug, { licenses: [licenseRow(`${slug} Ltd`, 'fca', { status })] });

beforeAll(async () => {
  scratch = await createScratch();
  data = { MONGODB_URL: newSharedDatabase(), DATA_DIR: scratch.file('data') };
  const past = { ...data, CLOCK: '-3d' };
  await bring(past, withStatus('falling', 'active'), withStatus('rising', 'suspended'), brokerRow('steady'));
  await bring(past, brokerRow('mistaken'));
  const before = await startService({ ...data, CLOCK: '-2d' });
  succeeded(await before.cli('admin', 'job', 'run', 'record-day'));
  await before.settle();
  await before.close();
  const yesterday = { ...data, CLOCK: '-1d' };
  await bring(yesterday, withStatus('falling', 'withdrawn'), withStatus('rising', 'active'));
  const run = await bring(yesterday, brokerRow('mistaken', { name: 'A mistake' }));
  succeeded(await runBeside(['import', 'undo', run, '--yes', run], yesterday));
  succeeded(await runBeside(['broker', 'rename', 'rising', 'risen'], yesterday));
  service = await startService({ ...data });
  succeeded(await service.cli('admin', 'job', 'run', 'record-day'));
  press = await grantCustomer(service, 'press', 'media');
  await service.settle();
  entries = await readRecord(service);
});
afterAll(async () => {
  await service?.remove();
  await dropSharedDatabase(data['MONGODB_URL']);
  await scratch?.remove();
});

test('movers are the largest changes in both directions, with the entries behind them', async () => {
  const answer = await press(`/movers?since=${formatDate(-2)}&limit=1`); // others moved a little, as time passed
  expect(answer.status, answer.text).toBe(200);
  const { from, to, up, down } = Movers.strict().parse(answer.json());
  expect([from, to]).toEqual([formatDate(-2), formatDate(0)]);
  expect([up.map(({ slug }) => slug), down.map(({ slug }) => slug)]).toEqual([['risen'], ['falling']]);
  for (const mover of [...up, ...down]) {
    expect(mover.change).toBeCloseTo((mover.to.value ?? 0) - (mover.from.value ?? 0), 2);
    expect(mover.causes.length).toBeGreaterThan(0);
    for (const { number, key, cause, kind } of mover.causes)
      expect(entries[number]).toMatchObject({ number, key, cause, kind });
    expect(entries[mover.to.entry]?.key).toBe(`day/${to}`);
    expect(mover.citation).toBe(
      `${mover.slug}: from ${mover.from.value} (${mover.from.color}) on ${from} to ${mover.to.value} ` +
        `(${mover.to.color}) on ${to}, each at 00:00 UTC. Source: 127.0.0.1:${new URL(service.origin).port}, ` +
        `entries ${mover.from.entry} and ${mover.to.entry} of its record.`,
    );
  }
  expect(down[0]?.causes.map(({ kind }) => kind)).toContain('license');
  const one = Movers.parse((await press(`/movers?since=${formatDate(0)}`)).json());
  expect([one.from, one.up, one.down]).toEqual([formatDate(0), [], []]);
  expect(expectProblem(await press(`/movers?since=${formatDate(1)}`)).code).toBe('not_found');
});

test('corrections have both versions, page by page', async () => {
  const { data: all } = Corrections.strict().parse((await press(`/corrections?since=${formatDate(-3)}`)).json());
  const expected = entries.filter(({ cause }) => cause === 'undo' || cause === 'correction');
  expect(all.map(({ number }) => number)).toEqual(expected.map(({ number }) => number));
  const undone = all.find(({ key }) => key === 'broker/mistaken');
  expect(undone).toMatchObject({
    broker: 'mistaken',
    cause: 'undo',
    before: { name: 'A mistake' },
    after: { name: 'mistaken' },
  });
  expect(undone?.citation).toMatch(/^broker\/mistaken: taken back on \d{4}-\d\d-\d\d\. Source: .*, entry \d+ of its/);
  const pages: Corrections['data'] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page = Corrections.parse((await press(`/corrections?since=${formatDate(-3)}&limit=1&from=${from}`)).json());
    pages.push(...page.data);
    from = page.next;
  }
  expect(pages).toEqual(all);
  expect((await press(`/corrections?since=${formatDate(1)}`)).json()).toEqual({ data: [], next: null });
});

test('movers have the broker’s reply to a review, for keys that may have texts', async () => {
  const [review] = await publishReviews(service, 'falling', [await createToken(service, 'alice')], { rating: 1 });
  succeeded(await service.cli('review', 'reply', review?.id ?? '', '--content', 'We are sorry to hear this.'));
  await service.settle();
  const next = await startService({ ...data, CLOCK: '+1d' });
  succeeded(await next.cli('admin', 'job', 'run', 'record-day'));
  await next.settle();
  await next.close();
  const path = `/movers?since=${formatDate(0)}`;
  const { down } = Movers.parse((await press(path)).json());
  const about = (movers: Movers['down']) =>
    movers.flatMap(({ causes }) => causes.filter(({ kind }) => kind === 'review'));
  expect(about(down)[0]?.reply).toBe('We are sorry to hear this.');
  const token = succeeded(
    await service.cli('enterprise', 'issue-key', 'press', '--scope', 'media:read', '--quiet'),
  ).trim();
  const bare = Movers.parse((await press(path, { token })).json());
  expect(about(bare.down)).toHaveLength(about(down).length);
  expect(about(bare.down)[0]).not.toHaveProperty('reply');
});

test('movers and corrections are for media and regulators', async () => {
  const bank = await grantCustomer(service, 'bank', 'institution');
  for (const path of ['/movers?since=2026-01-01', '/corrections?since=2026-01-01'])
    expect(expectProblem(await bank(path)).code).toBe('insufficient_scope');
});

test('the page for downloads needs no key, runs its own script alone, and puts no key into an address', async () => {
  const { status, headers, text } = await send(`${service.origin}/enterprise/download`);
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const [, address = ''] = /src="(\/assets\/download\.[^"]+)"/.exec(text) ?? [];
  const script = (await send(service.origin + address)).text;
  expect(headers['content-security-policy']).toContain("script-src 'self'; style-src 'self';");
  expect(headers['content-security-policy']).toContain("connect-src 'self';");
  const [, body = ''] = /<main[^>]*>(.*)<\/main>/s.exec(text) ?? [];
  expect(body + script).not.toMatch(/<form|localStorage|sessionStorage|document\.cookie|[?&]key=/);
});
