import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows, startFilledService, succeeded } from '../support/filled-service.ts';
import { hashLeaf } from '../support/log-reader.ts';
import { type CliResult, runBeside, runCli } from '../support/process.ts';
import { readRecord } from '../support/record.ts';
import { brokerRow, licenseRow, newsRow } from '../support/records.ts';
import type { LocalService } from '../support/service.ts';
import { signCheckpoint, untilAllSigned } from '../support/signed-log.ts';
import { installClient } from './install.ts';

const ORIGIN = 'log.example/transparency/v1/log/a';

let service: LocalService;
let scratch: Scratch;
let key: string;
/** An otherwise empty folder with the packed client. */
let folder: string;

/** Runs the command of the packed client, as `npx` finds it, with nothing of the operator's. */
const run = (...args: string[]): Promise<CliResult> =>
  runCli(args, {}, 100_000, join(folder, 'node_modules/.bin/broker-transparency'));

/** Runs the auditor as anybody does: it knows the address of the log, and the key. */
const audit = async (...options: string[]) => {
  const url = `${service.origin}/transparency/v1/log/a`;
  const { code, stdout, stderr } = await run('audit', url, '--key', key, '--json', ...options);
  if (code > 1) throw new Error(stderr);
  return { code, ...(JSON.parse(stdout) as AuditReport) };
};
interface AuditReport {
  readonly sound: boolean;
  readonly entries: number;
  readonly days: number;
  readonly live?: { readonly answers: { readonly broker: number }; readonly pending: readonly string[] };
  readonly liveFailure?: string;
  readonly checkpoint: string;
  readonly findings: readonly { readonly number?: number; readonly message: string }[];
}

/** Waits until a checkpoint covers everything that is recorded. */
const signed = async (): Promise<number> => (await untilAllSigned(service)).size;

/** Audits what `change` makes of the database, and takes it back. */
const auditAfter = async (
  change: (db: Db) => Promise<unknown>,
  undo: (db: Db) => Promise<unknown>,
  ...options: string[]
) => {
  await inDatabase(service, change);
  try {
    return await audit('--sample', '0', ...options);
  } finally {
    await inDatabase(service, undo);
  }
};

const LONG = 'long-sources';
/** Imports a broker with so many sources that its entry is longer than one of a log can be. */
const importLongBroker = async (): Promise<void> => {
  const provenance = Array.from({ length: 60 }, (_, n) => ({
    fact: 'profile',
    sourceUrl: `https://${LONG}.example/${n}?${'long'.repeat(400)}`,
  }));
  await importRows(service, 'brokers', [brokerRow(LONG, { provenance })]);
};

const BROKERS = Array.from({ length: 100 }, (_, n) => (n === 0 ? 'alpha-markets' : `broker-${n}`));
/** Imports brokers with licences of two regulators, and news about them. */
const fill = async (): Promise<void> => {
  const rows = BROKERS.map((slug) => {
    const licenses = ['cysec', 'fca'].map((code) => licenseRow(`${slug} Ltd`, code));
    return brokerRow(slug, { licenses });
  });
  await importRows(service, 'brokers', rows);
  const news = BROKERS.map((slug, n) => newsRow(n, { brokerSlugs: [slug] }));
  await importRows(service, 'news', news);
};

let size: number;
beforeAll(async () => {
  scratch = await createScratch();
  folder = await installClient(scratch.path);
  const file = `${scratch.path}/log.key`;
  key = succeeded(await runBeside(['admin', 'log', 'new-key', ORIGIN, file], {})).trim();
  service = await startFilledService({ LOG_KEY: file, PUBLIC_RATE_LIMIT: '100000' });
  await fill();
  await importLongBroker();
  for (const clock of ['+1d', '+3d'])
    succeeded(await service.cliWith({ CLOCK: clock }, 'admin', 'job', 'run', 'record-day'));
  size = await signed();
});
afterAll(() => Promise.all([service?.remove(), scratch?.remove()]));

describe('the auditor', () => {
  test('finds a service sound: its entries, the scores of each day, and what the API answers', async () => {
    const { code, sound, entries, days, live, findings } = await audit('--sample', '5');
    expect(findings).toEqual([]);
    expect({ code, sound, entries, days }).toEqual({ code: 0, sound: true, entries: size, days: 3 });
    expect(live).toMatchObject({ answers: { broker: 5 }, pending: [] });
  });

  test('npx runs the auditor, and the command that verifies a proof of a score', async () => {
    const npx = async (...args: string[]): Promise<string> => {
      const all = ['--offline', '--no', '--', 'broker-transparency', ...args, '--key', key];
      return (await promisify(execFile)('npx', all, { cwd: folder, timeout: 60_000 })).stdout;
    };
    const url = `${service.origin}/transparency/v1/log/a`;
    expect(await npx('audit', url, '--sample', '0')).toMatch(
      /\nSound: every score of every day is what the entries give\.\n$/,
    );
    const answer = await fetch(`${service.origin}/transparency/v1/brokers/alpha-markets/proof`);
    const { proof, date } = (await answer.json()) as { proof: string; date: string };
    await writeFile(join(folder, 'score.tlog-proof'), proof);
    const verified = JSON.parse(await npx('verify', 'score.tlog-proof', '--json'));
    expect(verified).toMatchObject({ verified: true, level: 'logged', score: { slug: 'alpha-markets', date } });
  });

  test('the auditor has read an entry of more than 65 535 bytes, whose value lies beside the log', async () => {
    const url = `${service.origin}/transparency/v1/log/a`;
    const long = (await readRecord(service)).find(({ key: of }) => of === `broker/${LONG}`);
    const number = long?.number as number;
    const index = Math.floor(number / 256);
    const width = Math.min(256, size - index * 256);
    const path = `tile/entries/${String(index).padStart(3, '0')}${width < 256 ? `.p/${width}` : ''}`;
    const bundle = await (await fetch(`${url}/${path}`)).text();
    const value = await (await fetch(`${url}/value/${number}`)).text();
    expect(value.length).toBeGreaterThan(65_535);
    const hash = createHash('sha256').update(value).digest('base64');
    expect(bundle).toContain(`"key":"broker/${LONG}","kind":"broker","number":${number},`);
    expect(bundle).toContain(`"valueHash":"${hash}"`);
  });

  test('names an entry whose value was changed', async () => {
    const entry = (value: object) => (db: Db) =>
      db.collection('recordEntries').updateOne({ number: 350 }, { $set: value });
    const before = await inDatabase(service, (db) => db.collection('recordEntries').findOne({ number: 350 }));
    const { code, findings } = await auditAfter(
      entry({ value: '{"changed":true}' }),
      entry({ value: before?.['value'] }),
    );
    expect(code).toBe(1);
    expect(findings[0]).toMatchObject({
      number: 350,
      message: expect.stringContaining('not the one that the log signed'),
    });
  });

  test('says what it found in the log even if the API does not answer', async () => {
    const entry = (db: Db) => db.collection('recordEntries');
    const before = await inDatabase(service, (db) => entry(db).findOne({ number: 400 }));
    const { code, findings, liveFailure } = await auditAfter(
      (db) => entry(db).updateOne({ number: 400 }, { $set: { cause: 'undo' } }),
      (db) => entry(db).updateOne({ number: 400 }, { $set: { cause: before?.['cause'] } }),
      '--sample',
      '1',
      '--base-url',
      'http://127.0.0.1:9/api/v1',
    );
    expect([code, findings[0]?.number]).toEqual([1, 400]);
    expect(liveFailure).toMatch(/127\.0\.0\.1|fetch failed|ECONNREFUSED/);
    const args = ['audit', `${service.origin}/transparency/v1/log/a`, '--key', key];
    const { code: unknown, stdout } = await run(...args, '--base-url', 'http://127.0.0.1:9/api/v1');
    expect([unknown, stdout]).toEqual([1, expect.stringContaining('NOT KNOWN: every score of every day is what')]);
  });

  test.each([
    ['in the middle', () => 100],
    ['in the last bundle', () => size - 2],
    ['at the end', () => size - 1],
  ])('names an entry that was taken away %s', async (_, place) => {
    const number = place();
    const entries = (db: Db) => db.collection('recordEntries');
    const removed = await inDatabase(service, (db) => entries(db).findOne({ number }));
    const { findings } = await auditAfter(
      (db) => entries(db).deleteOne({ number }),
      (db) => entries(db).insertOne(removed as never),
    );
    expect(findings[0]?.message).toBe(`${number} is missing`);
  });

  test('names a fact that the API publishes and the log does not know', async () => {
    const slug = 'alpha-markets';
    const status = (value: string) => async (db: Db) => {
      await db.collection('brokerProfiles').updateOne({ _id: slug as never }, { $set: { status: value } });
      await db.collection('due').insertOne({ kind: 'broker', key: slug });
      const answer = async () => (await fetch(`${service.baseUrl}/brokers/${slug}`)).text();
      await service.settle();
      expect(await answer()).toContain(`"status":"${value}"`);
    };
    await inDatabase(service, status('suspected_clone'));
    try {
      const { findings } = await audit('--sample', '300');
      expect(findings.map(({ message }) => message)).toEqual([
        `${slug}: the API says status "suspected_clone", the log "operating"`,
        `${slug} in the list: the API says status "suspected_clone", the log "operating"`,
        ...['cysec', 'fca'].map(
          (code) => `${slug} at the regulator ${code}: the API says status "suspected_clone", the log "operating"`,
        ),
      ]);
    } finally {
      await inDatabase(service, status('operating'));
    }
  });

  test('names a log that is shorter than the one that somebody saw', async () => {
    const kept = `${scratch.path}/kept`;
    const { checkpoint: text } = await audit('--sample', '0');
    await scratch.write('kept', text);
    expect((await audit('--sample', '0', '--since', kept)).sound).toBe(true);
    const head = { _id: 'checkpoint' as never };
    const stored = await inDatabase(service, (db) => db.collection('logHeads').findOne(head));
    const { findings } = await auditAfter(
      async (db) => {
        await db.collection('logHeads').replaceOne(head, { ...stored, ...(await earlier()) });
      },
      (db) => db.collection('logHeads').replaceOne(head, stored as never),
      '--since',
      kept,
    );
    expect(findings[0]?.message).toMatch(/^the log had \d+ entries, and has 1 now$/);
  });

  test('refuses a log that another key signed', async () => {
    const other = `${scratch.path}/other.key`;
    const wrong = succeeded(await runBeside(['admin', 'log', 'new-key', ORIGIN, other], {})).trim();
    const args = ['audit', `${service.origin}/transparency/v1/log/a`, '--key', wrong, '--base-url', service.baseUrl];
    const { code, stdout } = await run(...args);
    expect(code).toBe(1);
    expect(stdout).toContain('NOT SOUND');
  });
});

/** A checkpoint of the first entry, signed by the log's own key, as after a restore of an old backup. */
const earlier = async (): Promise<object> => {
  const bundle = await (await fetch(`${service.origin}/transparency/v1/log/a/tile/entries/000.p/1`)).arrayBuffer();
  const root = hashLeaf(new Uint8Array(bundle).subarray(2));
  return { size: 1, text: await signCheckpoint(`${scratch.path}/log.key`, { size: 1, root }) };
};
